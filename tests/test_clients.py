"""What is said of clients is said with a source and a date."""

import datetime
import tomllib
from importlib.resources import files

import pytest

from reviewer.rules.naming.tool_name_refused import SAFE, clients

ENTRIES = tomllib.loads(files("reviewer.rules.naming").joinpath("clients.toml").read_text("utf-8"))["client"]


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry["name"]) for entry in ENTRIES])
def test_every_client_has_a_source_and_a_date(entry):
    assert set(entry) == {"name", "takes", "then", "source", "date"}
    assert all(str(each).strip() for each in entry.values())
    assert isinstance(entry["date"], datetime.date)


def test_every_client_takes_what_the_help_recommends():
    for client in clients():
        for name in ("a", "_", "list-all_2", "a" * SAFE):
            assert client.takes.fullmatch(name), client.name
