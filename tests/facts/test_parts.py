"""The walk over the named values of a schema."""

import pytest

from reviewer.facts import Hole, Schema
from reviewer.facts.parts import DEEPEST, MOST, iter_schema_parts
from reviewer.source import Opaque, Span


def walked(document, hidden=()):
    return [(each.name, ".".join(each.path)) for each in iter_schema_parts(document, hidden)]


def test_arguments_come_before_what_lies_in_them():
    inner = {"type": "object", "properties": {"c": {"type": "string"}}}
    document = {"properties": {"a": inner, "b": {"type": "array", "items": {"type": "string"}}}}
    assert walked(document) == [
        ("a", "properties.a"),
        ("b", "properties.b"),
        ("c", "properties.a.properties.c"),
        ("b", "properties.b.items"),
    ]


def test_null_is_no_form_and_the_description_is_found_beside_the_alternatives():
    (part,) = iter_schema_parts(
        {"properties": {"a": {"anyOf": [{"type": "string", "maxLength": 5}, {"type": "null"}], "description": "x"}}}
    )
    assert part.forms == ({"type": "string", "maxLength": 5},)
    assert part.description == "x"
    assert part.find_keyword("maxLength") == 5


def test_references_are_followed_to_where_they_lead_and_walked_once():
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}, "name": {"type": "string"}}}
    document = {"properties": {"a": {"$ref": "#/$defs/Node"}, "b": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": node}}
    assert walked(document) == [
        ("a", "properties.a"),
        ("b", "properties.b"),
        ("next", "$defs.Node.properties.next"),
        ("name", "$defs.Node.properties.name"),
    ]


@pytest.mark.parametrize(
    "target", ["#/$defs/B", "#/$defs/none", "https://elsewhere.example/schema", "#", "#/properties/a"]
)
def test_references_that_lead_nowhere_or_in_a_circle_end(target):
    document = {
        "properties": {"a": {"$ref": target}},
        "$defs": {"B": {"$ref": "#/$defs/C"}, "C": {"$ref": "#/$defs/B"}},
    }
    assert walked(document)[0] == ("a", "properties.a")


def test_what_all_of_asks_is_joined():
    (part,) = iter_schema_parts(
        {"properties": {"a": {"allOf": [{"type": "string"}, {"maxLength": 3}], "default": "x"}}}
    )
    assert part.forms == ({"type": "string", "maxLength": 3, "default": "x"},)


@pytest.mark.parametrize("hole", [(), ("properties",), ("properties", "a"), ("properties", "a", "maxLength")])
def test_what_cannot_be_read_in_full_is_left_out(hole):
    assert walked({"properties": {"a": {"type": "string"}}}, [hole]) == []


def test_a_hole_deeper_down_hides_only_what_it_is_in():
    document = {"properties": {"a": {"properties": {"b": {}, "c": {}}}}}
    assert walked(document, [("properties", "a", "properties", "b")]) == [
        ("a", "properties.a"),
        ("c", "properties.a.properties.c"),
    ]


def test_an_assumed_hole_hides_nothing():
    hole = Hole("properties.a", Opaque("configured", Span("a.py", 1, 1, 1, 1)), assumed=True)
    assert [each.name for each in Schema.from_document({"properties": {"a": {}}}, (hole,)).parts] == ["a"]


@pytest.mark.parametrize(
    "document",
    [
        None,
        True,
        [],
        "x",
        {"properties": []},
        {"properties": {"a": True}},
        {"properties": {"a": {"type": ["string", 5]}}},
    ],
)
def test_strange_schemas(document):
    assert len(walked(document)) <= 1


def test_bounds():
    deep = {"type": "string"}
    for _ in range(200):
        deep = {"properties": {"x": deep}}
    assert len(walked(deep)) == DEEPEST
    wide = {
        "properties": {f"p{index}": {"properties": {f"q{inner}": {} for inner in range(200)}} for index in range(200)}
    }
    assert len(walked(wide)) == MOST


def test_a_part_is_named_with_what_it_lies_in():
    rows = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
    named = {"$ref": "#/$defs/Kiln"}
    kiln = {"Kiln": {"type": "object", "properties": {"clay": {"type": "string"}}}}
    document = {"properties": {"rows": rows, "kiln": named, "tags": {"type": "array", "items": {}}}, "$defs": kiln}
    found = sorted({each.dotted for each in iter_schema_parts(document)})
    assert found == ["Kiln.clay", "kiln", "rows", "rows[].name", "tags"]
