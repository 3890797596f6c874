"""What is said of clients is said with a source and a date."""

import datetime

import pytest

from reviewer.rules.naming.tool_name_refused import SAFE
from reviewer.rules.shared.clients import collect_cuts, collect_namings, load_facts

KEYS = {"names": {"name", "takes", "then", "source", "date"}, "descriptions": {"name", "most", "source", "date"}}
ENTRIES = [
    pytest.param(kind, each, id=f"{kind}: {each['name']}") for kind, entries in load_facts().items() for each in entries
]


@pytest.mark.parametrize(("kind", "entry"), ENTRIES)
def test_every_fact_has_a_source_and_a_date(kind, entry):
    assert set(entry) == KEYS[kind]
    assert all(str(each).strip() for each in entry.values())
    assert isinstance(entry["date"], datetime.date)


def test_every_client_takes_what_the_help_recommends():
    for client in collect_namings():
        for name in ("a", "_", "list-all_2", "a" * SAFE):
            assert client.takes.fullmatch(name), client.name


def test_a_cut_leaves_something():
    assert all(each.most > 1000 for each in collect_cuts())
