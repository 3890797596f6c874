"""Values that grow without end: each stays below its bound, and what is not read is named."""

import json

import pytest
from python_bad_input import ONE, names, project, shown, write
from python_projects import MCP

from reviewer import review
from reviewer.budget import BOUNDS, REASONS, Budget, ResourceBound, spending
from reviewer.failures import Unreviewed
from reviewer.languages.python.declarations import survey
from reviewer.languages.python.evaluation import evaluator, project_evaluator
from reviewer.languages.python.evaluation.amounts import LARGEST, LONGEST, WIDEST
from reviewer.render.catalog import build_catalog_v1
from reviewer.schema.python import parameters as python_schema
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
    ("['a']", "s[0:0] = s"),
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


@pytest.mark.slow
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


HOSTILE_PARTS = {
    "nothing in Annotated": "@mcp.tool()\ndef two(x: Annotated[()]): ...\n",
    "keyword that pydantic took out": "@mcp.tool()\ndef two(x=Field(const=1, regex='a')): ...\n",
    "bytes as examples": "@mcp.tool()\ndef two(x: int = Field(1, examples=[b'\\xff', 1j])): ...\n",
    "set of dicts": "@mcp.tool()\ndef two(x={(1, 2), ()} | {frozenset()}, y={{}}): ...\n",
    "unknown extra": "class M(BaseModel):\n    model_config = ConfigDict(extra='perhaps', frozen=3)\n    a: int\n"
    "@mcp.tool()\ndef two(x: M): ...\n",
    "reserved names of fields": "class M(BaseModel):\n    model_fields: int\n    copy: int\n    schema: str\n"
    "@mcp.tool()\ndef two(x: M): ...\n",
    "class that is never finished": "class M(BaseModel):\n    a: 'Nowhere'\n    b: 'M.c'\n@mcp.tool()\ndef two(x: M) -> M: ...\n",
    "generic of nothing": "T = TypeVar('T')\nclass M(BaseModel, Generic[T]):\n    a: T\n"
    "@mcp.tool()\ndef two(x: M[int, str, 3], y: dict[int], z: list[1, 2], u: Union[()]): ...\n",
    "infinite numbers": "@mcp.tool()\ndef two(x: float = float('nan'), y: float = 1e999, z=1j): ...\n",
    "odd keys": "@mcp.tool()\ndef two(x: dict = {1e308: 1, None: 2, True: 3, (1, 2): 4}): ...\n",
    "signature that is none": "def f(): ...\nf.__signature__ = 3\nf.__annotations__ = 'x'\nmcp.tool(name='two')(f)\n",
    "lone surrogates": "class M(BaseModel):\n    a: Literal['\\ud800'] = '\\udfff'\n"
    "@mcp.tool(name='two', description='\\ud800', title='\\udc00')\ndef f(x: M, y: str = '\\ud800'): ...\n",
}


@pytest.mark.parametrize("source", HOSTILE_PARTS.values(), ids=HOSTILE_PARTS.keys())
def test_part_that_no_library_takes(source, tmp_path):
    """It costs itself: the tool is there, the tool beside it is read, and all of it can be written out."""
    head = f"from typing import *\nfrom pydantic import *\n{MCP}{ONE}"
    found = project(tmp_path, {"server.py": head + source})
    assert [shown(tool.name) for tool in found.servers[0].tools] == ["one", "two"]
    json.dumps(build_catalog_v1(found), ensure_ascii=False, allow_nan=False).encode()


def test_meta_and_tags_that_are_no_collections(tmp_path):
    source = "from fastmcp import FastMCP\nmcp = FastMCP('x')\n@mcp.tool(meta='0', tags=3)\ndef one(): ...\n"
    assert names(tmp_path, {"server.py": source}) == ["one"]


@pytest.mark.slow
def test_mounts_that_double_are_read_up_to_a_bound(tmp_path):
    source = "from fastmcp import FastMCP\ns0 = FastMCP('a')\n@s0.tool\ndef one(): ...\n" + "".join(
        f"s{n} = FastMCP('a')\ns{n}.mount(s{n - 1}, 'a')\ns{n}.mount(s{n - 1}, 'b')\n" for n in range(1, 31)
    )
    (server,) = project(tmp_path, {"server.py": source}).servers
    assert 0 < len(server.tools) <= BOUNDS["tools"].most
    assert REASONS["tools"] in {each.reason for each in server.unreadable}


def doubled(parameters: int) -> str:
    """Return a server of 32 copies of one tool."""
    listed = ", ".join(f"p{n}: int = 0" for n in range(parameters))
    mounts = "".join(
        f"m{n} = FastMCP('a')\nm{n}.mount(m{n - 1}, 'a')\nm{n}.mount(m{n - 1}, 'b')\n" for n in range(1, 6)
    )
    return f"from fastmcp import FastMCP\nm0 = FastMCP('a')\n@m0.tool\ndef one({listed}): ...\n{mounts}"


def test_schemas_of_many_copies_are_made_up_to_a_bound(tmp_path, monkeypatch):
    """Those that the budget does not afford are not asked of pydantic at all, and are named."""
    asked = []
    make = python_schema.build_parameters_schema
    monkeypatch.setattr(python_schema, "build_parameters_schema", lambda *given: asked.append(given) or make(*given))
    with spending(Budget({**dict.fromkeys(BOUNDS, 10**9), "nodes": 1000})):
        tools = project(tmp_path, {"server.py": doubled(100)}).servers[0].tools
        holes = [hole.opaque.reason for tool in tools for hole in tool.input_schema.holes]
    assert len(tools) == 32
    assert 0 < len(asked) <= 10
    assert holes[-1] == REASONS["nodes"]


def test_a_tool_of_many_parameters_counts_as_several(tmp_path):
    """200 parameters are the work of twenty tools; those that are left out are named."""
    with spending(Budget({**dict.fromkeys(BOUNDS, 10**9), "tools": 100})):
        (server,) = project(tmp_path, {"server.py": doubled(200)}).servers
    assert 0 < len(server.tools) <= 4
    assert REASONS["tools"] in {each.reason for each in server.unreadable}


@pytest.mark.parametrize(
    "line",
    [
        "s = dict[str, tuple[s, s]]",
        "s = Union[list[s], tuple[s]]",
        "s = Annotated[tuple[s, s], 'x']",
        "s = s | list[s]",
        "s = Literal[s, s] if s is not int else Literal['a', 'b']",
    ],
)
def test_type_that_doubles(line, tmp_path):
    head = f"from typing import *\n{MCP}s = int\n" + f"{line}\n" * TIMES
    (tool,) = project(tmp_path, {"server.py": f"{head}@mcp.tool()\ndef one(x: s, y: int): ...\n"}).servers[0].tools
    assert tool.input_schema.hides("properties", "x")
    assert tool.input_schema.document["properties"]["y"]["type"] == "integer"


def many_assignments(folder):
    """Write a tool with six thousand assignments to one name, and review it."""
    body = "    a = f(a, a)\n" * 6000
    write(folder, {"server.py": f"{MCP}{ONE}@mcp.tool()\ndef two(a: int):\n{body}    return a\n"})
    return review(folder)


@pytest.mark.slow
def test_many_assignments_to_one_name_are_followed(tmp_path):
    report = many_assignments(tmp_path)
    assert (report.tools, report.broken) == (2, ())


@pytest.mark.slow
def test_code_that_takes_too_long_to_follow_is_named(tmp_path, monkeypatch):
    """The analyses end where nothing is left to spend, and the report says which."""
    monkeypatch.setitem(BOUNDS, "visits", ResourceBound(100_000, 0, 100_000, 100_000))
    report = many_assignments(tmp_path)
    assert report.tools == 2
    assert any(REASONS["visits"] in each.reason for each in report.broken)


LATER = "the evaluation is too long; what is declared later may be missing"
IDLE = "def spin():\n" + "    x = 1 + 1\n" * 300


@pytest.mark.parametrize(
    ("server", "is_reviewed"), [(f"{MCP}{ONE}spin()\n", False), ("mcp = 1\nTool(name=1)\nspin()\n", True)]
)
def test_an_evaluation_that_is_cut_is_named_where_it_began(server, is_reviewed, tmp_path, monkeypatch):
    """What another file does costs no note there. Where a server is declared, tools may be missing: the review is incomplete."""
    monkeypatch.setattr(evaluator, "PATIENCE", 300)
    monkeypatch.setattr(project_evaluator, "PATIENCE", 300)
    monkeypatch.setattr(survey, "PATIENCE", 300)
    found = project(tmp_path, {"server.py": f"from spinning import spin\n{server}", "spinning.py": IDLE})
    (cut,) = found.broken
    assert (cut.span.path, cut.reason) == ("server.py", LATER)
    assert isinstance(cut, Unreviewed) != is_reviewed


def test_a_file_that_is_cut_cuts_no_other(tmp_path, monkeypatch):
    monkeypatch.setattr(evaluator, "PATIENCE", 300)
    monkeypatch.setattr(project_evaluator, "PATIENCE", 300)
    idle = f"{IDLE}mcp = 1\nTool(name=1)\nspin()\n"
    files = {"a.py": idle, "b.py": idle, "server.py": f"{MCP}{ONE}"}
    found = project(tmp_path, files)
    assert [each.span.path for each in found.broken] == ["a.py", "b.py"]
    assert [str(tool.name) for tool in found.servers[0].tools] == ["one"]
