"""Mixins of fastmcp: classes whose methods are marked as tools and handed to a server all at once."""

import pytest
from python_projects import conditions, names, review, tool, tools

HEAD = """
from fastmcp import FastMCP
from fastmcp.contrib.mcp_mixin import MCPMixin, mcp_tool
mcp = FastMCP("demo")

class Shelf(MCPMixin):
    @mcp_tool(name="put_book", description="Put a book on the shelf.")
    def put(self, title: str, row: int = 1) -> dict:
        "Not said."

    @mcp_tool()
    def count(self) -> int:
        "Count the books."

    def dust(self): ...
"""

HANDED = {
    "all": ("Shelf().register_all(mcp)", ["count", "put_book"]),
    "tools alone": ("Shelf().register_tools(mcp_server=mcp)", ["count", "put_book"]),
    "after a prefix": ("Shelf().register_all(mcp, prefix='low')", ["low_count", "low_put_book"]),
    "parted otherwise": ("Shelf().register_all(mcp, 'low', '-')", ["low-count", "low-put_book"]),
    "parted otherwise, tools alone": ("Shelf().register_tools(mcp, 'low', separator='.')", ["low.count", "low.put_book"]),
    "an empty prefix": ("Shelf().register_all(mcp, prefix='', tool_separator='-')", ["count", "put_book"]),
    "two objects": (
        "for name in ('a', 'b'):\n    Shelf().register_all(mcp, prefix=name)",
        ["a_count", "a_put_book", "b_count", "b_put_book"],
    ),
    "in a function that nobody calls": ("def attach(server: FastMCP):\n    Shelf().register_all(server)", ["count", "put_book"]),
    "in a subclass": (
        "class Long(Shelf):\n    @mcp_tool('measure')\n    def length(self): ...\nLong().register_all(mcp)",
        ["count", "measure", "put_book"],
    ),
    "with its own way to register": (
        "class Odd(Shelf):\n"
        "    def register_tools(self, mcp_server, prefix=None, separator='_'):\n"
        "        super().register_tools(mcp_server, prefix='odd')\n"
        "Odd().register_all(mcp)",
        ["odd_count", "odd_put_book"],
    ),
    "not at all": ("Shelf()", []),
    "another class with such a method": ("class Desk:\n    def register_all(self, server): ...\nDesk().register_all(mcp)", []),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "expected"), HANDED.values(), ids=HANDED)
def test_the_marked_methods_are_the_tools(lines, expected, tmp_path):
    assert names(tmp_path, HEAD + lines) == expected


def test_a_marked_method_is_read_like_another_tool(tmp_path):
    found = tools(tmp_path, HEAD + "Shelf().register_all(mcp)")[1]
    assert found.description == "Put a book on the shelf."
    assert [(each.name, each.required) for each in found.parameters] == [("title", True), ("row", False)]
    assert found.span.line == 6


OUTPUTS = {"2.12.5": True, "2.13.3": False, "3.1.0": False, "3.1.1": True}


@pytest.mark.parametrize(("version", "expected"), OUTPUTS.items(), ids=OUTPUTS)
def test_some_releases_list_no_output_schemas_for_mixins(version, expected, tmp_path):
    count = tools(tmp_path, HEAD + "Shelf().register_all(mcp)", {"fastmcp": version})[0]
    assert (count.output_schema is not None) is expected


def test_a_prefix_that_only_a_run_knows_leaves_the_names_untold(tmp_path):
    found = tools(tmp_path, HEAD + "import os\nShelf().register_all(mcp, prefix=os.environ['PREFIX'])")
    assert [str(part).split(":")[0] for each in found for part in each.iter_unreadable()] == ["name", "name"]


def test_a_prefix_of_the_environment_is_assumed_to_be_its_default(tmp_path):
    found = tools(tmp_path, HEAD + "import os\nShelf().register_all(mcp, prefix=os.getenv('PREFIX', 'x'))")
    assert [each.name for each in found] == ["x_count", "x_put_book"]
    assert all("`PREFIX`" in part for each in found for part in each.iter_unreadable())


def test_the_mixin_of_fastmcp_itself_is_named(tmp_path):
    source = HEAD + "from fastmcp.contrib.bulk_tool_caller import BulkToolCaller\nBulkToolCaller().register_tools(mcp)"
    [server] = review(tmp_path, source).servers
    assert [each.reason for each in server.unreadable] == [
        "`call_tools_bulk` and `call_tool_bulk` come from `BulkToolCaller` of fastmcp"
    ]


def test_a_tool_that_is_registered_but_not_enabled_is_listed_when_something_enables_it(tmp_path):
    marked = HEAD.replace("@mcp_tool()", "@mcp_tool(enabled=False)") + "Shelf().register_all(mcp)"
    assert conditions(tmp_path / "mixin", marked) == {"count": ["if something enables it"], "put_book": []}
    plain = "from fastmcp import FastMCP\nmcp = FastMCP('demo')\n@mcp.tool(enabled=False)\ndef read(): ..."
    assert [each.text for each in tool(tmp_path / "plain", plain).conditions] == ["if something enables it"]
