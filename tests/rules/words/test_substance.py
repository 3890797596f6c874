"""What a text says of its own, and that nothing which says nothing helps a definition."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewer.config import Configuration, Flags, FoundConfiguration, settle
from reviewer.engine import examine
from reviewer.inputs import definitions, documents
from reviewer.rules import load
from reviewer.rules.shared.words.english import is_english
from reviewer.rules.shared.words.substance import extract_substance

RULES = tuple(rule.slug for rule in load().values() if any(code.startswith("LLM-") for code in rule.codes))
PLACEHOLDERS = (
    "TODO: describe",
    "TODO: describe what it does, e.g. when it deletes 1-100 of them",
    "TODO",
    "FIXME: add docs",
    "[TBD]",
    "(TODO: document this)",
    "No description",
    "Insert description here",
    "Description goes here",
    "to be documented",
    "placeholder",
    "Lorem ipsum dolor sit amet",
    "N/A",
    "...",
)
MARKED = tuple(each for each in PLACEHOLDERS if re.match(r"\w+:|[\[(]", each))
"""Those that are told from words in the middle of a sentence."""


@pytest.mark.parametrize(
    "text",
    [
        *PLACEHOLDERS,
        "- TODO",
        "tbd later",
        "<description>",
        "A parameter.",
        "coming soon",
        "This is a parameter of the tool.",
        "",
        " ",
    ],
)
def test_placeholders_say_nothing(text):
    assert extract_substance(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Todo items of a list",
        "Call a tool",
        "Use this tool when you:\n- change a file",
        "Use this when a file changes.",
        "Search TODO comments in code",
        "Finds `TODO:` comments",
        "Extract TODO, FIXME and HACK comments",
        "Description of changes",
        "Page number",
        "- a\n- b\n- a b c",
        "Get it.\n\nArgs:\n    path: where it is\n",
    ],
)
def test_what_says_something_stays_as_it_is(text):
    assert extract_substance(text) == text.strip()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Gets a user. TODO: describe. Or two.", "Gets a user. Or two."),
        ("Gets a user TODO: describe", "Gets a user"),
        ("TODO: describe Gets a user", "Gets a user"),
        ("Gets a user.\nNo description yet.\nOr two.", "Gets a user.\nOr two."),
        ("N/A Gets a user", "Gets a user"),
        ("Gets a user No description available", "Gets a user"),
        ("Gets a user. Use this when you need it, e.g. this.", "Gets a user."),
        ("It is fast. Get it. It is fast.", "It is fast. Get it."),
        ("Get the user Get the user", "Get the user"),
        ("Gets a user. Gets a user and its name.", "Gets a user and its name."),
    ],
)
def test_what_says_nothing_is_taken_out(text, left):
    assert extract_substance(text) == left


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The path.", "path"),
        ("User ID", "user_id"),
        ("userId", "user_id"),
        ("Optional limit", "limit"),
        ("string", "q"),
    ],
)
def test_the_mere_name_says_nothing(text, name):
    assert extract_substance(text, name) == ""


def test_a_name_in_a_sentence_says_something():
    assert extract_substance("ID of the user", "user_id") == "ID of the user"


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Lists the users of Los Angeles", True),
        ("Get OS, IPs and id", True),
        ("", True),
        ("Listet alle Nutzer auf, und das mit der Rolle", False),
        ("Reemplaza el bloque de párrafos debajo de un encabezado", False),
        ("获取用户 (get user)", False),
    ],
)
def test_english(text, english):
    assert is_english(text) is english


WORDS = st.sampled_from(
    "the|a|data|user|value|creates|deletes|lists|get|record|when|if|use|first|example|such as `x`|1-100|at most|items|of|`x`|"
    "uid|identifier|permanently|update-user|before|e.g. alpha|alpha".split("|")
)
SENTENCES = st.lists(WORDS, min_size=1, max_size=6).map(lambda each: " ".join(each).capitalize())
TEXTS = st.lists(SENTENCES, max_size=3).map(lambda each: "".join(f"{sentence}. " for sentence in each).strip())
NAMES = st.sampled_from(["data", "uid", "userId", "limit", "value", "mode"])
SCHEMAS = st.sampled_from([{"type": "string"}, {"type": "integer", "maximum": 100}, {"enum": ["alpha", "beta"]}])


@st.composite
def tools(draw):
    """Draw a few tools of one family, each with parameters."""
    made = []
    for name in ("user-get", "user-delete", "user-update", "user-list"):
        properties = {key: {**draw(SCHEMAS), "description": draw(TEXTS)} for key in draw(st.sets(NAMES, max_size=3))}
        made.append(
            {
                "name": name,
                "description": draw(TEXTS),
                "inputSchema": {"type": "object", "properties": properties},
                "annotations": draw(st.sampled_from([{}, {"destructiveHint": True}, {"readOnlyHint": True}])),
            }
        )
    return made


def _findings(made, profile):
    """Return what is found, by rule, tool and parameter."""
    text = json.dumps({"tools": made}, indent=1)
    project = definitions.build_project(documents.parse_document(text.encode(), "tools.json"))
    chosen = settle(FoundConfiguration(Configuration(select=RULES), None), Flags(profile=profile), "core").chosen
    owners, owner = {}, ("", "")
    for number, line in enumerate(text.split("\n"), 1):
        name, parameter = re.match(r' {3}"name": (.*)', line), re.match(r' {5}"(\w+)": \{', line)
        owner = (name[1], "") if name is not None else (owner[0], parameter[1]) if parameter is not None else owner
        owners[number] = owner
    return {
        (each.rule.slug, *owners[each.span.line]) for section in examine(project, chosen) for each in section.findings
    }


def _padded(draw, text):
    """Put something that says nothing into a text: between its sentences, in lines of its own, or within a sentence."""
    sentences = re.split(r"(?<=\.) (?=[A-Z])", text) if text else []
    filler = draw(st.sampled_from([*PLACEHOLDERS, *sentences]))
    at = draw(st.integers(0, len(sentences)))
    before, after = " ".join(sentences[:at]), " ".join(sentences[at:])
    if filler in MARKED and draw(st.booleans()):
        return f"{before.removesuffix('.')} {filler}. {after}".strip()
    end, gap = ("", " ") if filler.endswith(".") else draw(st.sampled_from([(".", " "), ("", "\n")]))
    return f"{before}{gap if before else ''}{filler}{end}{gap}{after}".strip()


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["validator-46", "core"])
@settings(max_examples=60, deadline=None)
@given(made=tools(), data=st.data())
def test_what_says_nothing_removes_no_finding(profile, made, data):
    before = _findings(made, profile)
    tool = data.draw(st.sampled_from(made))
    holders = [tool, *tool["inputSchema"]["properties"].values()]
    holder = data.draw(st.sampled_from(holders))
    holder["description"] = _padded(data.draw, holder["description"])
    assert before <= _findings(made, profile)
