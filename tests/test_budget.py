"""A budget: what it takes, what it refuses, and that a share does not take the work of the rest."""

import pytest

from reviewer.budget import BOUNDS, REASONS, UNBOUNDED, Budget, ExhaustedError, get_budget, spending


def test_what_is_not_afforded_takes_nothing():
    budget = Budget.from_size(0)
    assert budget.affords("bytes", BOUNDS["bytes"].base)
    assert not budget.affords("bytes")
    assert budget.affords("steps")


def test_a_refused_amount_leaves_smaller_ones():
    budget = Budget.from_size(0)
    assert not budget.affords("nodes", BOUNDS["nodes"].base + 1)
    assert budget.affords("nodes", BOUNDS["nodes"].base)


def test_spending_what_is_not_there_says_why():
    with pytest.raises(ExhaustedError) as raised:
        Budget.from_size(0).spend("findings", BOUNDS["findings"].base + 1)
    assert raised.value.reason == REASONS["findings"] == str(raised.value)


def test_a_larger_source_allows_more_up_to_a_bound():
    small, large, huge = (Budget.from_size(size).count_remaining("visits") for size in (0, 10**6, 10**12))
    assert small < large < huge == BOUNDS["visits"].most


def test_a_share_ends_before_the_review_does():
    budget = Budget.from_size(0)
    with budget.share("steps", 10):
        assert budget.affords("steps", 10)
        assert not budget.affords("steps")
    assert budget.affords("steps")


def test_a_share_in_a_share_has_no_more_than_the_outer_one():
    budget = Budget.from_size(0)
    with budget.share("steps", 10), budget.share("steps", 100):
        assert budget.count_remaining("steps") == 10


def test_a_budget_holds_inside_and_no_longer():
    with spending(Budget.from_size(0)) as budget:
        assert get_budget() is budget
    assert get_budget() is UNBOUNDED
    assert get_budget().affords("bytes", 10**30)
