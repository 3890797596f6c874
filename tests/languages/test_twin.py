"""The same server in Python and in Rust gives equal facts but for places, and for what the languages spell differently."""

from dataclasses import fields, is_dataclass
from pathlib import Path

from reviewer.facts import Lazy, Schema
from reviewer.files.discovery import discover_files
from reviewer.languages import read
from reviewer.source import Span, Text

TWIN = Path(__file__).parent / "twin"
SPELLING = {"str": "String", "async": ""}


def placeless(value):
    """Return a fact without its places: as plain data."""
    if isinstance(value, Text):
        return str(value)
    if isinstance(value, Span) or callable(value):  # what is asked of code when a rule wants to know is no data
        return None
    if isinstance(value, tuple | Lazy):
        return tuple(placeless(each) for each in value if getattr(each, "kind", "") != "tells no progress")
    if is_dataclass(value):
        return {
            each.name: placeless(getattr(value, each.name)) for each in fields(value) if each.name not in LANGUAGES_OWN
        }
    return value


LANGUAGES_OWN = {"language", "framework", "mark", "text", "entry", "input_schema", "output_schema", "takes", "returns"}
LANGUAGES_OWN |= {"argument_uses", "followed", "outcomes", "reached", "struct", "raises"}
"""What is not the same by nature: names of SDKs, source text, how a language bounds a field, who catches a panic, schemas (a
Python SDK derives one of `-> str`, rmcp of `Json<T>` only), what a function says that it takes and gives, what it gives in fact,
which a compiler sees to in Rust, how what it reads of that is followed, and exceptions. Nor the calls in which no progress is told: they
are all calls that a language needs."""


def project(language):
    found = read(discover_files(TWIN / language))
    assert not found.broken
    return found


def test_facts_are_equal_but_for_places():
    python, rust = placeless(project("python")), placeless(project("rust"))
    for domain in python["domain_types"]:
        for field in domain["fields"]:
            field["type"] = SPELLING.get(field["type"], field["type"])
    python["domain_types"] = tuple(each for each in python["domain_types"] if not each["name"].endswith("Spec"))
    for part, facts in python.items():
        assert rust[part] == facts, part


def test_the_twins_are_not_empty():
    found = project("python")
    assert [len(part) for part in (found.servers[0].tools, found.catalogs[0].actions, found.dispatches[0].arms)] == [
        2,
        2,
        2,
    ]
    assert (len(found.transports), len(found.guards), len(found.ignores), len(found.domain_types)) == (1, 1, 1, 1)


def test_schemas_have_the_same_properties():
    for python, rust in zip(project("python").servers[0].tools, project("rust").servers[0].tools, strict=True):
        assert isinstance(python.input_schema, Schema)
        assert isinstance(rust.input_schema, Schema)
        assert set(python.input_schema.document.get("properties", {})) == set(
            rust.input_schema.document.get("properties", {})
        )
        assert python.input_schema.document.get("required", []) == rust.input_schema.document.get("required", [])
