"""Patterns of reviewed schemas: matched in linear time or not at all, and values checked without a look outside."""

import pytest
from referencing.exceptions import Unresolvable

from reviewer.budget import Budget, spending
from reviewer.rules.shared.values import validating
from reviewer.rules.shared.values.instances import iter_misfits
from reviewer.text.matching import WORK, UnknownMatchError, count_states, matches


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("^[a-z]+$", "abc", True),
        ("b", "abc", True),
        ("^b", "abc", False),
        (r"^\d{4}-\d{2}$", "2026-11", True),
        (r"^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "9f1c2d3e-0000-4000-8000-0123456789ab", True),
        ("(a+)+$", "a" * 40 + "!", False),
        ("^(a|a)*$", "a" * 5000 + "!", False),
        ("(x+x+)+y", "x" * 5000, False),
        ("^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 5000, False),
    ],
)
def test_pattern(pattern, text, fits):
    """The engine of Python needs longer than the universe has for the last four."""
    assert matches(pattern, text) is fits


@pytest.mark.parametrize(
    "pattern", ["(?=a)b", r"(a)\1", "(", "a{2,1}", "(?:(?:a{1,50}){1,50}){1,50}", "a{9999999999}", "x" * 10_000]
)
def test_pattern_that_is_not_run(pattern):
    with pytest.raises(UnknownMatchError):
        matches(pattern, "a" * 1000)


def test_text_that_is_none_for_the_engine():
    with pytest.raises(UnknownMatchError):
        matches("a", "\ud800")


@pytest.mark.parametrize(
    ("pattern", "least"),
    [("abc", 3), ("a{50}", 50), ("(?:ab{10}){10}", 110), ("((a{9}){9}){9}", 729), (r"\({5}", 5), ("[({]{7}", 7)],
)
def test_states(pattern, least):
    """They are counted at least as many as the engine makes, and not many times as many."""
    assert least <= count_states(pattern) <= 2 * least + 10


def test_matching_takes_from_the_budget():
    with spending(Budget.from_size(0)) as budget:
        before = budget.count_remaining("visits")
        matches("(?:a{100}){100}", "a" * 400)
        assert before - budget.count_remaining("visits") > WORK // 100


BAD = "a" * 40 + "!"


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "(a+)+$", "default": BAD},
        {"type": "object", "patternProperties": {"(a+)+$": False}, "additionalProperties": False, "default": {BAD: 1}},
        {"type": "object", "propertyNames": {"pattern": "^(a|a)*$"}, "default": {BAD: 1}},
    ],
)
def test_value_against_a_pattern_that_explodes(schema):
    assert [each.kind for each in iter_misfits({"type": "object", "properties": {"x": schema}})] == ["default"]


def test_additional_properties_beside_patterns():
    schema = {"patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": False}
    assert validating.DocumentSchemas(schema).collect_errors({"ab": 1}, schema) == []
    assert len(validating.DocumentSchemas(schema).collect_errors({"ab": "1", "b": 1}, schema)) == 2


DOUBLED = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)}


@pytest.mark.slow
def test_references_that_double_end():
    document = {"$defs": {**DOUBLED, "d40": {"type": "string"}}, "$ref": "#/$defs/d0", "default": 1}
    with spending(Budget.from_size(0)) as budget:
        (unknown,) = iter_misfits(document)
        assert unknown.why == "checking the schema takes too long"
        assert budget.count_remaining("visits") < 1000


@pytest.mark.parametrize("target", ["http://localhost:9/schema.json", "file:///etc/hostname", "//host/x"])
def test_reference_out_of_the_document_is_not_fetched(target, monkeypatch):
    def refuse(*_):
        raise AssertionError("the network was asked")

    monkeypatch.setattr("urllib.request.urlopen", refuse)
    with pytest.raises(Unresolvable):
        validating.DocumentSchemas({}).collect_errors(1, {"$ref": target})
