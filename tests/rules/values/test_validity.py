"""The check of JSON Schemas against the library, whose judgement it only hastens."""

from typing import Any

import pytest
from effort import at_most
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator, Draft202012Validator

from reviewer.rules.shared.values.validity import iter_faults

SCALARS = (
    st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from([0.5, "", "string", "int", "object", "#", "a"])
)
VALUES = st.recursive(
    SCALARS, lambda below: st.lists(below, max_size=3) | st.dictionaries(st.sampled_from("ab"), below, max_size=2)
)
APART = {"$schema", "$id", "$ref", "$dynamicRef", "$recursiveRef", "$recursiveAnchor", "pattern"}
NOW = (
    "type properties required items anyOf oneOf allOf not if then else enum const default title minimum exclusiveMinimum maxLength"
    " minItems uniqueItems additionalProperties patternProperties prefixItems $defs definitions dependentRequired $anchor"
    " dependentSchemas contains minContains multipleOf propertyNames unevaluatedItems format examples deprecated x-own nullable"
).split()
SEVEN = sorted({*Draft7Validator.META_SCHEMA["properties"], "x-own"} - APART)


def documents(keywords: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    def holding(below: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        value = VALUES | below | st.lists(below, max_size=2) | st.dictionaries(st.sampled_from("ab"), below, max_size=2)
        return st.dictionaries(st.sampled_from(keywords), value, max_size=4)

    return st.recursive(st.booleans() | st.just({"type": "string"}), holding, max_leaves=8).filter(
        lambda one: isinstance(one, dict)
    )


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(documents(NOW))
def test_finds_a_fault_if_and_only_if_the_library_does(schema):
    assert (not list(iter_faults(schema))) == Draft202012Validator(Draft202012Validator.META_SCHEMA).is_valid(schema)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(documents(SEVEN))
def test_so_it_does_in_the_dialect_that_is_named(schema):
    named = {"$schema": "http://json-schema.org/draft-07/schema#", **schema}
    assert (not list(iter_faults(named))) == Draft7Validator(Draft7Validator.META_SCHEMA).is_valid(named)


def test_a_reference_that_leads_nowhere_is_named_and_nothing_is_fetched(monkeypatch):
    monkeypatch.setattr("socket.socket", None)
    found = list(iter_faults({"properties": {"a": {"$ref": "https://example.com/a.json"}, "b": {"$ref": "#/$defs/B"}}}))
    assert {fault.keys for fault in found} == {("properties", "a", "$ref"), ("properties", "b", "$ref")}


@pytest.mark.slow
def test_depth_is_not_too_much_for_it():
    schema: dict[str, Any] = {"type": "strin"}
    for _ in range(1_000):
        schema = {"type": "object", "properties": {"a": schema}, "propertyNames": {"maxLength": 3}}
    [fault] = iter_faults(schema)
    assert fault.keys[-1] == "type"


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        {"$ref": "#/$defs/a/0", "$defs": {"a": [1]}},
        {"$ref": "#/%", "$id": "http://[", "$anchor": 5},
        {"$ref": "http://[::1/x"},
        {"$schema": 5, "type": [], "properties": {"a": None}, "required": [[], {}]},
        {"$schema": "http://json-schema.org/draft-03/schema#", "required": True},
        {"properties": {"a": {"pattern": "(" * 50_000}}},
        {"enum": [{}, [], None], "type": ["string", 5, None, {}]},
    ],
)
def test_odd_schemas_are_judged_and_break_nothing(schema):
    list(iter_faults(schema))


def test_ordinary_schemas_cost_next_to_nothing():
    schema = {"type": "object", "properties": {f"p{n}": {"type": "string", "maxLength": n} for n in range(10_000)}}
    with at_most(1):
        assert not list(iter_faults(schema))
