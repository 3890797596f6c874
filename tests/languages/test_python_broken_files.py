"""Files that are no Python, no text or too large: what can be read is read, and the file is named."""

import os

import pytest
from python_bad_input import ONE, names, project, shown, tools
from python_projects import FASTMCP, MCP

pytestmark = pytest.mark.usefixtures("bounded")


class TestBrokenFiles:
    GOOD = MCP + "@mcp.tool()\ndef read(path: str):\n    'Read.'\n"

    def broken(self, folder, content):
        found = project(folder, {"server.py": content, "other.py": FASTMCP + "@mcp.tool\ndef other(): ..."})
        listed = [shown(tool.name) for server in found.servers for tool in server.tools]
        assert "other" in listed
        listed.remove("other")
        return listed, [each.span.path for each in found.broken]

    def test_syntax_errors(self, tmp_path):
        assert self.broken(tmp_path, self.GOOD + "def broken(:\n    return ]\n") == (["read"], ["server.py"])

    @pytest.mark.parametrize(
        "garbage", ["class", "@", "def f(", "'''", "lambda", "}", "if x:\nelse", "\\", "\x0c)", "async", "$?!", "x = "]
    )
    def test_garbage_behind_the_tool(self, garbage, tmp_path):
        found, broken = self.broken(tmp_path, self.GOOD + garbage)
        assert found == ["read"]
        assert broken in ([], ["server.py"])

    def test_nul_bytes(self, tmp_path):
        found, broken = self.broken(tmp_path, self.GOOD.encode() + b"\0x = '\0'\n\0")
        assert found == ["read"] or broken == ["server.py"]

    def test_nothing_but_nul_bytes(self, tmp_path):
        assert self.broken(tmp_path, b"\0" * 10_000)[0] == []

    def test_latin_1_bytes_are_named(self, tmp_path):
        assert self.broken(tmp_path, self.GOOD.encode() + b"# caf\xe9\n") == ([], ["server.py"])

    def test_declared_latin_1(self, tmp_path):
        content = b"# -*- coding: latin-1 -*-\n" + self.GOOD.replace("Read.", "Caf\xe9.").encode("latin-1")
        found, broken = self.broken(tmp_path, content)
        assert found == ["read"] or broken == ["server.py"]

    def test_utf_16(self, tmp_path):
        found, broken = self.broken(tmp_path, self.GOOD.encode("utf-16"))
        assert found == ["read"] or broken == ["server.py"]

    @pytest.mark.parametrize(
        "change",
        [
            lambda text: "\ufeff" + text,
            lambda text: text.replace("\n", "\r\n"),
            lambda text: text.replace("\n", "\n\x0c\n"),
            lambda text: text.replace("@mcp", "\x0c@mcp"),
            lambda text: text.replace("    ", "\t"),
            lambda text: text.rstrip("\n"),
            lambda text: text.replace("\n", " \n"),
            lambda text: text + "\x1a",
            lambda text: "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n" + text,
            lambda text: text.replace("(path: str)", "(\\\n path: str\\\n)"),
            lambda text: text.replace("read", "ｒｅａｄ"),
        ],
        ids=[
            "BOM",
            "CRLF",
            "form feeds",
            "form feed before",
            "tabs",
            "no end",
            "trailing",
            "SUB",
            "head",
            "\\",
            "wide",
        ],
    )
    def test_unusual_bytes(self, change, tmp_path):
        [tool] = tools(tmp_path, {"server.py": change(self.GOOD).encode()})
        assert (tool.name, tool.description) == ("read", "Read.")
        assert [each.name for each in tool.parameters] == ["path"]

    def test_carriage_returns_only(self, tmp_path):
        found, broken = self.broken(tmp_path, self.GOOD.replace("\n", "\r").encode())
        assert found == ["read"] or broken == ["server.py"]

    def test_tabs_mixed_with_spaces(self, tmp_path):
        source = MCP + "if True:\n\t@mcp.tool()\n\tdef read():\n\t\t'Read.'\n\t        return 1\n"
        assert self.broken(tmp_path, source)[0] == ["read"]

    def test_docstring_with_carriage_returns(self, tmp_path):
        source = MCP + "@mcp.tool()\r\ndef read():\r\n    '''One.\r\n\r\n    Two.\r\n    '''\r\n"
        [tool] = tools(tmp_path, {"server.py": source.encode()})
        assert tool.description == "One.\n\n    Two.\n    "

    @pytest.mark.parametrize(
        "content", ["", "\n", " ", "\t", "# mcp FastMCP( .tool\n" * 50, "'''mcp @tool'''", "\ufeff", "\x0c", "\\"]
    )
    def test_nothing_in_it(self, content, tmp_path):
        assert self.broken(tmp_path, content)[0] == []

    def test_nothing_at_all(self, tmp_path):
        assert project(tmp_path, {"server.py": ""}).servers == ()

    def test_folder_named_like_a_module(self, tmp_path):
        files = {
            "x.py/y.py": "NAME = 'read'",
            "server.py": self.GOOD + "import x\nfrom x import y\nmcp.tool(y.NAME)(read)\n",
        }
        assert "read" in names(tmp_path, files)
        assert len(names(tmp_path, files)) == 2

    @pytest.mark.parametrize(
        "name", ["a b.py", "-.py", "1.py", ".py", "x.y.py", "é.py", "__init__.py", "a\nb.py", "class.py", "*.py"]
    )
    def test_odd_file_names(self, name, tmp_path):
        expected = [] if name == ".py" else ["read"]
        assert names(tmp_path, {name: self.GOOD}) in (["read"], expected)

    def test_file_name_that_is_no_text(self, tmp_path):
        with open(os.fsencode(tmp_path) + b"/caf\xe9.py", "w") as file:
            file.write(self.GOOD)
        assert names(tmp_path, {"other.py": FASTMCP}) in (["read"], [])

    @pytest.mark.parametrize("folder", ["a b", "é", "1", "a.b", "-"])
    def test_odd_folder_names(self, folder, tmp_path):
        assert names(tmp_path, {f"{folder}/server.py": self.GOOD}) == ["read"]

    def test_surrogates_in_names(self, tmp_path):
        source = MCP + r"@mcp.tool(name='\ud800', description='\udfff')" + "\ndef first(): ..." + ONE
        assert len(names(tmp_path, {"server.py": source})) == 2

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "line",
        ["x" * 2_000_000, "# " + "x" * 2_000_000, "X = '" + "x" * 2_000_000 + "'", "X = [" + "1, " * 50_000 + "]"],
    )
    def test_very_long_line(self, line, tmp_path):
        assert names(tmp_path, {"server.py": MCP + line + ONE}) == ["one"]

    def test_file_over_the_limit_is_named(self, tmp_path):
        content = self.GOOD + "# " + "x" * (9 * 2**20)
        assert self.broken(tmp_path, content) == ([], ["server.py"])
