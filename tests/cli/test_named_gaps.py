"""What was not read is named on standard error: each reason with its first places, and how many more there are."""

import json

import pytest
from asking import asker
from test_cli import SERVER


@pytest.fixture
def ask(capsys):
    return asker(capsys)


@pytest.mark.parametrize(
    ("count", "more"),
    [(5, []), (6, ["mcp-review: 1 more place: not UTF-8"]), (40, ["mcp-review: 35 more places: not UTF-8"])],
)
def test_much_of_the_same_is_counted(tmp_path, ask, count, more):
    (tmp_path / "server.py").write_text(SERVER + "\ndef broken(:\n")
    for number in range(count):
        (tmp_path / f"{number:02}.py").write_bytes(b"# mcp caf\xe9\n")
    told = ask(tmp_path)[2].splitlines()
    assert told[:5] == [f"mcp-review: {tmp_path}/{number:02}.py:1: not UTF-8" for number in range(5)]
    assert told[5].startswith(f"mcp-review: {tmp_path}/server.py:8: code that could not be parsed")
    assert told[6:] == more
    assert len(json.loads(ask("catalog", tmp_path)[1])["unreadable"]) == count + 1
