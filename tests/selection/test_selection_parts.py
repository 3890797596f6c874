"""Shares, words, arguments: what a selection counts by."""

import pytest

from reviewer.selection.arguments import are_equivalent, check_arguments, iter_differences, iter_untold, parse_arguments
from reviewer.selection.shares import Share, compute_p_value
from reviewer.selection.words import extract_stems, measure_overlap, names


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(46, 50, 0.811, 0.968), (0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0), (0, 0, 0.0, 1.0)],
)
def test_intervals_are_wilsons(count, of, low, high):
    assert Share(count, of).interval == pytest.approx((low, high), abs=0.001)


@pytest.mark.parametrize(("lost", "won", "chance"), [(5, 0, 0.03125), (6, 1, 0.0625), (0, 0, 1.0), (1, 3, 0.9375)])
def test_losses_by_chance_are_counted_by_signs(lost, won, chance):
    assert compute_p_value(lost, won) == chance


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (7, "7"),
        (7, 7.0),
        (True, "true"),
        ("a  b", "a b"),
        (["x"], "x"),
        ("2026-01-02", "2026-01-02T00:00:00Z"),
        ({"a": [1, 2]}, {"a": ["1", 2.0]}),
    ],
)
def test_values_that_say_the_same(one, other):
    assert are_equivalent(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, True), ("a", "b"), ([1, 2], [2, 1]), ({"a": 1}, {"a": 1, "b": 2}), ("007", 7), ("A", "a"), (2**60, 2**60 + 1)],
)
def test_values_that_do_not(one, other):
    assert not are_equivalent(one, other)


def test_case_is_none_where_the_schema_lists_values():
    schema = {"properties": {"state": {"enum": ["OPEN"]}, "name": {"type": "string"}}}
    assert list(iter_differences({"state": "OPEN", "name": "A"}, {"state": "open", "name": "a"}, schema)) == [
        "`name` is another"
    ]


def test_defaults_are_no_difference():
    schema = {"properties": {"days": {"default": 14}}}
    assert list(iter_differences({"days": 14}, {"note": None}, schema)) == []
    assert list(iter_differences({}, {"days": 14}, schema)) == []
    assert list(iter_differences({}, {"days": 15}, schema)) == ["`days` was not asked for"]
    assert list(iter_differences({"days": 15}, {}, schema)) == ["`days` is missing"]


@pytest.mark.parametrize("given", ["[1]", "null", "{", 7, None, "x" * 30_000, {"x": "y" * 30_000}])
def test_what_is_no_object_is_none(given):
    assert parse_arguments(given) is None
    assert parse_arguments("") == {}


def test_schemas_that_cannot_be_followed_are_unknown():
    assert check_arguments({}, None).said == "unknown"
    assert check_arguments({"a": 1}, {"properties": {"a": {"$ref": "#/$defs/none"}}}).said == "unknown"
    assert check_arguments({}, {"type": 7}).said in ("unknown", "invalid")
    assert check_arguments({"a": "x" * 40 + "!"}, {"properties": {"a": {"pattern": "^(x+x+)+y$"}}}).said != "valid"


def test_values_stand_in_the_task():
    schema = {"properties": {"state": {"enum": ["open"]}, "day": {}, "count": {}}}
    arguments = {"state": "open", "day": "2026-01-02", "count": 1200, "name": "Kern"}
    assert list(iter_untold(arguments, schema, "Ms Kern wants 1,200 of them by the second of January")) == []
    assert list(iter_untold({"count": 3}, schema, "three of them")) == []
    assert list(iter_untold({"count": 3, "name": "Kern"}, schema, "13 of them")) == ["count", "name"]


def test_words_are_compared_by_their_stems():
    assert extract_stems("Lists the commits of a repositoryName") == extract_stems("commit repository name")
    assert measure_overlap("Which commits are there?", "git_log: lists commits", ()) == 1.0
    assert measure_overlap("Who was here?", "git_log: lists commits", ()) == 0.0


@pytest.mark.parametrize(
    ("task", "name", "named"),
    [
        ("call git_log please", "git_log", True),
        ("show me the Git Log", "git_log", True),
        ("what does the log of git say", "git_log", False),
        ("fetch the page", "fetch", False),
        ("gitLog it", "git_log", False),
    ],
)
def test_names_are_found(task, name, named):
    assert names(task, name) is named
