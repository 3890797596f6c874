"""Generated files of many lines and code that nests deep: they are read, in bounded time and memory."""

import resource

import pytest
from effort import at_most, calls
from python_bad_input import ONE, project, shown, tools
from python_projects import MCP

from reviewer.files.discovery import discover_files
from reviewer.languages import read
from reviewer.source import Opaque

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("bounded")]


class TestGeneratedCode:
    def test_three_thousand_tools_of_33_lines(self, tmp_path, capfd):
        one = (
            "\n@mcp.tool()\ndef tool_{0}(path: str, limit: int = {0}) -> str:\n"
            '    """Does the thing of number {0}."""\n'
        )
        body = "".join(f"    value_{n} = path + str(limit * {n})\n" for n in range(27)) + "    return value_26\n"
        source = MCP + "".join(one.format(n) + body for n in range(3000))
        assert source.count("\n") >= 96_000
        taken = self.bounded(tmp_path, source, 20)
        assert [str(tool.name) for tool in taken] == [f"tool_{n}" for n in range(3000)]
        assert taken[-1].description == "Does the thing of number 2999."
        assert [each.name for each in taken[-1].parameters] == ["path", "limit"]
        assert capfd.readouterr() == ("", "")

    def test_hundred_thousand_assignments_and_one_tool(self, tmp_path, capfd):
        source = MCP + "".join(f"VALUE_{n} = {n}\n" for n in range(100_000)) + ONE
        [tool] = self.bounded(tmp_path, source, 10)
        assert tool.name == "one"
        assert capfd.readouterr() == ("", "")

    def test_one_dict_of_fifty_thousand_entries(self, tmp_path):
        source = MCP + "VALUES = {\n" + "".join(f"    'key_{n}': {n},\n" for n in range(50_000)) + "}\n" + ONE
        [tool] = self.bounded(tmp_path, source, 10)
        assert tool.name == "one"

    def bounded(self, folder, source, seconds):
        (folder / "server.py").write_text(source, "utf-8")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with at_most(seconds):
            found = read(discover_files(folder))
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1.5 * 2**20
        return found.servers[0].tools


DEEP = {
    "nested lists": "X = " + "[" * 1000 + "]" * 1000,
    "nested tuples": "X = " + "(" * 1000 + "1," + "),"[:1] * 1000,
    "nested dicts": "X = " + "{1: " * 1000 + "1" + "}" * 1000,
    "nested calls": "def f(x): return x\nX = " + "f(" * 500 + "1" + ")" * 500,
    "nested calls of str": "X = " + "str(" * 500 + "1" + ")" * 500,
    "chain of sums": "X = " + " + ".join(["'a'"] * 2001),
    "chain of attributes": "X = mcp" + ".a" * 2000,
    "chain of methods": "X = 'a'" + ".strip()" * 2000,
    "chain of subscripts": "X = [1]" + "[0]" * 2000,
    "chain of comparisons": "X = " + " < ".join(["1"] * 2000),
    "chain of `or`": "X = " + " or ".join(["0"] * 2000),
    "chain of conditionals": "X = " + "1 if 0 else " * 500 + "2",
    "chain of `not`": "X = " + "not " * 3000 + "1",
    "chain of lambdas": "X = " + "lambda: " * 500 + "1",
    "chain of `elif`": "import os\nif os.x: pass\n" + "".join(f"elif os.x{n}: A{n} = 1\n" for n in range(500)),
    "adjacent strings": "X = (" + "'a' " * 5000 + ")",
    "nested f-strings": "X = " + "f'{" * 40 + "1" + "}'" * 40,
    "nested functions": "\n".join(" " * n + f"def f{n}():" for n in range(300)) + "\n" + " " * 300 + "pass",
    "nested classes": "\n".join(" " * n + f"class C{n}:" for n in range(300)) + "\n" + " " * 300 + "pass",
    "nested ifs": "\n".join(" " * n + "if mcp.x:" for n in range(300)) + "\n" + " " * 300 + "pass",
    "nested known ifs": "\n".join(" " * n + "if True:" for n in range(300)) + "\n" + " " * 300 + "pass",
    "nested loops": "\n".join(" " * n + f"for i{n} in (1, 2):" for n in range(90)) + "\n" + " " * 90 + "X = 1",
    "nested tries": "\n".join(" " * n + "try:" for n in range(99)) + "\n" + " " * 99 + "pass",
    "many decorators": "def d(f): return f\n" + "@d\n" * 2000 + "def x(): ...",
    "many bases": "class C0: ...\n"
    + "".join(f"class C{n + 1}(C{n}): ...\n" for n in range(1000))
    + "X = C1000().missing",
    "many functions that call the next": "".join(f"def f{n}(): return f{n + 1}()\n" for n in range(1000)) + "f0()",
    "many closures": "def d(f):\n    def g(): return f()\n    return g\ndef x(): ...\n" + "x = d(x)\n" * 1000 + "x()",
    "many wraps": "import functools\ndef d(f):\n    @functools.wraps(f)\n    def g(*a): return f(*a)\n    return g\n"
    + "def x(): ...\n"
    + "x = d(x)\n" * 1000
    + "mcp.tool(name='two')(x)\n",
    "many aliases": "a0 = 1\n" + "".join(f"a{n + 1} = [a{n}]\n" for n in range(2000)) + "X = str(a2000)",
    "nested comprehensions": "X = " + "[" * 60 + "1" + " for a in (1, 2)]" * 60,
    "unclosed brackets": "X = " + "[(" * 2000,
    "starred": "X = " + "[*" * 500 + "[]" + "]" * 500,
    "nested subscripts of a type": "X: " + "list[" * 800 + "int" + "]" * 800 + " = 1",
}


@pytest.mark.parametrize("source", DEEP.values(), ids=DEEP.keys())
def test_deep_nesting(source, tmp_path):
    """The tool behind is read, unless the nesting is broken syntax, for which the file is named."""
    found = project(tmp_path, {"server.py": MCP + source + "\n" + ONE})
    listed = [shown(tool.name) for server in found.servers for tool in server.tools]
    assert "one" in listed or found.broken
    assert set(listed) <= {"one", "two"}


@pytest.mark.parametrize("name", ["nested lists", "nested dicts", "chain of sums", "chain of methods", "many aliases"])
def test_deep_nesting_in_what_a_tool_shows(name, tmp_path):
    source = (
        f"{MCP}{DEEP[name]}\n@mcp.tool(description=X)\ndef first(): ...\n"
        f"@mcp.tool(meta={{'x': X}})\ndef second(): ...\n"
    )
    source += "@mcp.tool()\ndef third(x: list = X): ...\n" + ONE
    first, second, third, one = tools(tmp_path, {"server.py": source})
    assert [each.name for each in (first, second, third, one)] == ["first", "second", "third", "one"]
    expected = {"chain of sums": "a" * 2001, "chain of methods": "a"}.get(name)
    assert isinstance(first.description, Opaque) or first.description == expected


def test_a_dispatcher_of_many_tools_is_looked_through_once(tmp_path):
    """What it answers for tools that fail is the same for all of them, so twice the tools are no eight times the work."""

    def effort(number):
        listed = "".join(f'    Tool(name="t{n}", description="", inputSchema={{}}),\n' for n in range(number))
        arms = "".join(f'        if name == "t{n}":\n            return open("{n}").read()\n' for n in range(number))
        (tmp_path / "server.py").write_text(
            "from mcp.server.lowlevel import Server\nfrom mcp.types import Tool\napp = Server('kiln')\n"
            f"@app.list_tools()\nasync def listed():\n    return [\n{listed}    ]\n"
            f"@app.call_tool()\nasync def called(name, arguments):\n    try:\n{arms}"
            "    except Exception as error:\n        return f'Error: {error}'\n"
        )
        return calls(
            lambda: [list(tool.code.acts) for each in read(discover_files(tmp_path)).servers for tool in each.tools]
        )

    effort(1)  # what is made once
    assert effort(40) < 5 * effort(20)
