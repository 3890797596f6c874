"""Values that grow without end: each stays below its bound, and what is not read is named."""

import pytest
from python_bad_input import ONE, names, project
from python_projects import MCP

from reviewer.budget import BOUNDS, REASONS, Budget, spending
from reviewer.languages.python.amounts import LARGEST, LONGEST, WIDEST
from reviewer.source import Opaque

TIMES = 40


GROWING_TEXTS = [
    "s = s + s",
    "s += s",
    "s = s * 2",
    "s *= 2",
    "s = f'{s}{s}'",
    "s = s 's'",
    "s = ''.join([s, s])",
    "s = '%s' % s + s",
    "s = '{0}{0}'.format(s)",
    "s = '{a}{a}'.format(a=s)",
    "s = '{}'.format([s, s])",
    "s = s.replace('a', 'aa')",
    "s = s.ljust(10**10)",
    "s = s.zfill(10**10)",
    "s = s.center(10**10)",
    "s = str([s, s])",
    "import json\ns = json.dumps([s, s])",
]


@pytest.mark.parametrize("line", GROWING_TEXTS)
def test_text_that_doubles(line, tmp_path):
    """The description is its text where that is short, and else unreadable; the other tool is read."""
    source = f"{MCP}{ONE}s = 'ab'\n" + f"{line}\n" * TIMES + "@mcp.tool(description=s)\ndef two(): ...\n"
    one, two = project(tmp_path, {"server.py": source}).servers[0].tools
    assert str(one.name) == "one"
    assert isinstance(two.description, Opaque) or len(two.description or "") <= LONGEST


GROWING_DEFAULTS = [
    ("['a']", "s = s + s"),
    ("['a']", "s += s"),
    ("['a']", "s.extend(s)"),
    ("['a']", "s = [*s, *s]"),
    ("['a']", "s = [s, s]"),
    ("('a',)", "s = s + s"),
    ("('a',)", "s = (s, s)"),
    ("{'a': 1}", "s = {'a': s, 'b': s}"),
    ("{'a': 1}", "s = {**s, 'a' + str(len(s)): s}"),
    ("{'a'}", "s = s | s"),
    ("[('a', 1)]", "s = dict([('a', s), ('b', s)])"),
    ("3", "s = s * s"),
    ("3", "s *= s"),
    ("3", "s = s ** 999"),
    ("3", "s = s << 30"),
]


@pytest.mark.parametrize(("start", "line"), GROWING_DEFAULTS)
def test_default_that_doubles(start, line, tmp_path):
    """Its schema is small, or has a hole; no value that was made is larger than a value may be."""
    source = f"{MCP}{ONE}s = {start}\n" + f"{line}\n" * TIMES + "@mcp.tool()\ndef two(x=s): ...\n"
    _, two = project(tmp_path, {"server.py": source}).servers[0].tools
    document = two.input_schema.document
    assert len(repr(document)) <= max(LONGEST, LARGEST, WIDEST)
    assert "default" in document["properties"]["x"] or two.input_schema.holes


def test_values_that_are_too_many_for_a_review_are_named(tmp_path):
    """Each text is small enough, all of them are not; the tools before are read, and one line says what is not."""
    lines = "".join(f"s{n} = 'a' * {LONGEST} + 'b'[:0]\n" for n in range(200))
    with spending(Budget({**dict.fromkeys(BOUNDS, 10**9), "bytes": 5 * LONGEST})):
        found = project(tmp_path, {"server.py": f"{MCP}{ONE}{lines}"})
    assert [str(tool.name) for tool in found.servers[0].tools] == ["one"]
    assert [each.reason.startswith(REASONS["bytes"]) for each in found.broken] == [True]


def test_long_loops_leave_the_tools_after_them(tmp_path):
    source = f"{MCP}n = 1\nfor i in range(1, 10**9):\n    n *= i\n@mcp.tool(description=str(n))\ndef one(): ...\n"
    assert names(tmp_path, {"server.py": source}) == ["one"]


@pytest.mark.parametrize(
    "number", ["9" * 6000, "0x" + "f" * 6000, "10 ** 999 * 10 ** 999 * 10 ** 999 * 10 ** 999 * 10 ** 999"]
)
def test_number_that_python_does_not_write(number, tmp_path):
    """It stands nowhere: Python refuses to write an integer of more than 4,300 digits, also as JSON."""
    source = f"{MCP}N = {number}\n@mcp.tool()\ndef one(x: int = N, y: int = 1): ...\n"
    (one,) = project(tmp_path, {"server.py": source}).servers[0].tools
    assert one.input_schema.hides("properties", "x", "default")
    assert one.input_schema.document["properties"]["y"]["default"] == 1
