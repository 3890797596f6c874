"""No source crashes the Python adapter, and none keeps it busy without bound."""

from pathlib import Path

import pytest
from effort import at_most
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer.files.discovery import Tree
from reviewer.languages import python
from reviewer.render import catalog
from reviewer.source import Source

pytestmark = pytest.mark.slow

SERVER = '''
import functools, textwrap
from enum import Enum
from typing import Annotated, Literal
from mcp.server import MCPServer
from mcp.server.lowlevel import Server
from mcp.types import Tool
from pydantic import BaseModel, Field

NAMES = ["a", "b"]
PREFIX = "x" * 3
mcp = MCPServer("demo")
app = Server("low")

class Kind(str, Enum):
    ONE = "one"

class Query(BaseModel):
    """A query."""
    limit: int = Field(3, ge=1, le=10)
    inner: "Query | None" = None

def tool(title: str):
    def register(fn):
        @functools.wraps(fn)
        async def inner(*args, **kwargs):
            return await fn(*args, **kwargs)
        return mcp.tool(title=title)(inner)
    return register

@tool(f"{PREFIX} one")
async def one(query: Query, kind: Kind = Kind.ONE, mode: Literal["a", "b"] = "a", *, n: Annotated[int, Field(gt=0)] = -1):
    """One."""
    try:
        return {"n": n}
    except ValueError:
        return traceback.format_exc()

for name in NAMES:
    mcp.add_tool(one, name=f"{PREFIX}{name}", description=textwrap.dedent("  text"))

@app.list_tools()
async def tools():
    return [Tool(name=n, description="d", inputSchema={"type": "object", "properties": {n: {"type": "string"}}}) for n in NAMES]

class ActionSpec(BaseModel):
    name: str
    params: tuple = ()

ACTIONS = [ActionSpec(name="a.list", params=("limit",))]

def respond(action, value):
    return value

async def dispatch(action, params):
    match action:
        case "a.list":
            return respond(action, {})
        case "a.get":
            return {}

# mcp-review: ignore[tool-name-style] because
if __name__ == "__main__":
    mcp.run(transport="sse")
'''


def read(text):
    tree = Tree(root=Path("nowhere"))
    tree.sources["server.py"] = Source("server.py", text.encode("utf-8", "replace"))
    project = python.read(tree)
    catalog.render_json([catalog.build_catalog_v1(project)])
    return project


def test_the_unmutated_source_is_read():
    names = [str(tool.name) for server in read(SERVER).servers for tool in server.tools]
    assert names == ["one", "xxxa", "xxxb", "a", "b"]


@given(st.data())
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_mutations_never_raise(data):
    text = SERVER
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 30)))
        piece = data.draw(
            st.sampled_from(
                ["", "(", ")", "@", ":", "\n", "'", '"""', "{", "]", "=", "\\", "*", "é", "lambda", "yield ", "\t"]
            )
        )
        text = text[:start] + piece + text[end:]
    read(text)


@given(st.lists(st.sampled_from(SERVER.splitlines()), max_size=40))
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_shuffled_lines_never_raise(lines):
    read("import mcp\n" + "\n".join(lines))


def test_bounded_time_and_memory():
    bombs = [
        "A = 'x' * 10**12\nB = A.replace('x', A)\nC = [A] * 10**9",
        "def f(n):\n    return f(n + 1) + f(n + 2)\nf(0)",
        "def a(): return b()\ndef b(): return a()\na()",
        "\n".join(f"x{n} = [x{n - 1}, x{n - 1}]" if n else "x0 = [1]" for n in range(60)),
        "X = []\nfor a in X:\n    X.append(a)\nX.append(1)\nfor a in X:\n    X.append(a)",
        "for a in range(10**9):\n    pass\nY = [b for b in [1] * 1000 for c in [2] * 1000 for d in [3] * 1000]",
        "(" * 3000 + ")" * 3000,
        "x = " + "[" * 2000 + "]" * 2000,
        "x = " + "-" * 5000 + "1",
        "x = 1" + " + 1" * 5000,
        "class A(A): pass\nclass B(C): pass\nclass C(B): pass\nB().x()",
        "x = 9 ** 9 ** 9 ** 9\ny = 1 << 10 ** 10",
    ]
    with at_most(60):
        for bomb in bombs:
            read(f"from mcp.server import MCPServer\nmcp = MCPServer('x')\n{bomb}\n@mcp.tool()\ndef one(): ...\n")
