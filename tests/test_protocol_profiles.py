"""Pages, notifications, cancellation and progress are no matter of taste: every profile has the rules on them."""

import pytest

from reviewer.config import list_profiles, load_profile

PROTOCOL = (
    "list-change-not-announced list-change-never-sent list-change-not-advertised list-change-not-switchable"
    " list-change-not-debounced page-caps-differ limit-unbounded cap-differs cursor-not-opaque cursor-not-bound"
    " list-without-cursor cursor-not-deterministic cursor-restarts cursor-panics cancellation-ignored cancellation-swallowed task-never-cancelled"
    " command-outlives-call progress-without-token progress-not-increasing progress-not-bounded progress-not-documented"
).split()


@pytest.mark.parametrize("name", list_profiles())
def test_every_profile_has_the_rules_of_the_protocol(name: str) -> None:
    assert set(PROTOCOL) <= set(load_profile(name).rules)


def test_the_strict_profile_has_the_rules_and_severities_of_the_page() -> None:
    page, strict = load_profile("validator-46").rules, load_profile("validator-46-strict").rules
    assert page.keys() == strict.keys()
    assert {slug: _severity(each) for slug, each in page.items()} == {
        slug: _severity(each) for slug, each in strict.items()
    }


def _severity(entry: object) -> object:
    return entry["severity"] if isinstance(entry, dict) else entry
