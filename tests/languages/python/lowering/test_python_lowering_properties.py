"""What holds of all that is lowered, whatever the source."""

import re
from itertools import chain
from pathlib import Path

import pytest
from python_lowered import calls, lowered_calls, module, nodes, unassigned, unbound

from reviewer.code import ir
from reviewer.languages.nodes import parse
from reviewer.source import Source

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[4]
EVERY = 7
"""Of our own modules each seventh is lowered: all take a minute."""
FILES = [
    *sorted(ROOT.glob("examples/**/*.py")),
    *sorted(ROOT.glob("tests/**/*.py"))[::EVERY],
    *sorted(ROOT.glob("evals/**/*.py"))[::EVERY],
    *sorted(ROOT.glob("reviewer/**/*.py"))[::EVERY],
]
PAGES = sorted(Path(__file__).parent.glob("*.md"))
BLOCKS = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
LOWERED = {"ERROR", "string", "concatenated_string", "missing"}
"""Unknown for a reason of their own: what does not parse, and texts that cannot be sent."""


def sources():
    """Return all files, and the code in our pages put into functions."""
    for page in PAGES:
        for place, block in enumerate(BLOCKS.findall(page.read_text("utf-8"))):
            inside = "".join(f"    {line}\n" for line in block.splitlines())
            yield f"{page.stem} {place}", f"async def test(a, b, c, d, x, y, z):\n{inside}".encode()
    for page in sorted(ROOT.glob("tests/rules/**/*.md")):
        blocks = chain(BLOCKS.findall(page.read_text("utf-8")))
        yield str(page.relative_to(ROOT)), "\n".join(blocks).encode()
    for path in FILES:
        yield str(path.relative_to(ROOT)), path.read_bytes()


SOURCES = list(sources())


@pytest.fixture(scope="module")
def lowered():
    return [(name, module(data)) for name, data in SOURCES]


def roots(lowered):
    for name, outer in lowered:
        root = parse(outer.source, "python")
        if not root.has_error:
            yield name, outer, root


def test_each_call_stands_once(lowered):
    for name, outer, root in roots(lowered):
        assert lowered_calls(outer) == calls(root), name


def test_places_hold_what_they_say(lowered):
    for name, outer, _ in roots(lowered):
        data = outer.source.data
        for each in nodes(outer):
            assert 0 <= each.at.start <= each.at.end <= len(data), name
            if isinstance(each, ir.Call) and data[each.at.start : each.at.start + 1] != b"@":
                own = b"(" + data[each.at.start : each.at.end] + b")"
                again = parse(Source("again.py", own), "python")
                inner = again.children[0].children[0].children[1]
                assert inner.type in ("call", "list_splat"), (name, own)  # `[*a()]` is a call of `*a` to the grammar


def test_each_variable_is_bound(lowered):
    for name, outer in lowered:
        assert unbound(outer) == [], name


def test_each_temporary_is_assigned_on_every_way(lowered):
    for name, outer in lowered:
        for each in ir.iter_codes(outer):
            assert unassigned(each) == [], (name, each)


def test_each_node_stands_once(lowered):
    for name, outer in lowered:
        seen = set()
        for each in nodes(outer):
            assert id(each) not in seen, (name, each)
            seen.add(id(each))


def test_what_is_listed_is_lowered(lowered):
    for name, outer, _ in roots(lowered):
        unknown = {each.reason for each in nodes(outer) if isinstance(each, ir.Unknown)}
        if name.startswith("values"):
            continue  # says what is unknown too
        assert unknown <= LOWERED, name


def test_what_is_unknown_is_listed_with_its_code(lowered):
    for name, outer in lowered:
        found = sum(isinstance(each, ir.Unknown) for each in nodes(outer))
        assert found == sum(len(each.unknown) for each in ir.iter_codes(outer)), name
