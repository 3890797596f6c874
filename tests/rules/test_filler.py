"""Filler never raises the score: placeholders, sentences that are said twice, one sentence for everything."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewer.inputs import definitions, documents
from reviewer.maturity import score_project

pytestmark = pytest.mark.slow

SAID = st.sampled_from(
    [
        None,
        "",
        "Reads.",
        "Reads the note with a number.",
        "Deletes one note for good. Use this when the user asks for it; for example `7`. Call `find` first.",
        "The data to process",
        "At most 20 of them.",
    ]
)
FILLER = st.sampled_from(
    [
        "TODO: describe",
        "TODO",
        "TBD.",
        "FIXME describe this parameter",
        "No description available",
        "Lorem ipsum dolor sit amet, for example when you need it.",
        "N/A",
        "...",
    ]
)
SCHEMA = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer", "minimum": 1},
        {"type": "array", "items": {"type": "string"}},
        {"type": "object", "properties": {"user_id": {"type": "string"}}},
    ]
)
PARAMETERS = st.dictionaries(
    st.sampled_from(["number", "api_key", "cfg", "userData", "path"]), st.tuples(SCHEMA, SAID), max_size=4
)
TOOLS = st.dictionaries(
    st.sampled_from(["read_note", "delete_note", "list_notes", "note", "sync"]),
    st.tuples(SAID, PARAMETERS),
    min_size=1,
    max_size=4,
)


def definition(name, said, parameters):
    properties = {
        key: {**schema, **({"description": text} if text is not None else {})}
        for key, (schema, text) in parameters.items()
    }
    return {
        "name": name,
        **({"description": said} if said is not None else {}),
        "inputSchema": {"type": "object", "properties": properties},
    }


def score(tools):
    listed = [definition(name, said, parameters) for name, (said, parameters) in tools.items()]
    return score_project(
        definitions.build_project(documents.parse_document(json.dumps(listed).encode(), "tools.json"))
    ).score


def filled(tools, change):
    """Change every text of some tools."""
    return {
        name: (change(said), {key: (schema, change(text)) for key, (schema, text) in parameters.items()})
        for name, (said, parameters) in tools.items()
    }


@settings(max_examples=60, deadline=None)
@given(TOOLS, FILLER, st.sampled_from(["before", "after", "where there is none"]))
def test_a_placeholder(tools, filler, where):
    def change(text):
        if not text:
            return filler
        return {"before": f"{filler} {text}", "after": f"{text} {filler}", "where there is none": text}[where]

    assert score(filled(tools, change)) <= score(tools)


@settings(max_examples=60, deadline=None)
@given(TOOLS, st.integers(2, 5), st.sampled_from([" ", "\n", "\n\n- "]))
def test_a_sentence_said_again(tools, times, between):
    assert score(filled(tools, lambda text: text and between.join([text] * times))) <= score(tools)


@settings(max_examples=60, deadline=None)
@given(
    TOOLS,
    st.sampled_from(
        ["This is a parameter of the tool.", "Use this when you need it, for example `x`. Then call the next tool."]
    ),
)
def test_one_sentence_for_all_that_has_none(tools, sentence):
    many = {f"{name}_{index}": each for index in range(3) for name, each in tools.items()}
    assert score(filled(many, lambda text: text or sentence)) <= score(many)
