"""Lists of tools of which only a part stands in the source: a gateway's own, and those of the servers behind it."""

import pytest
from python_projects import review

HEAD = """\
import asyncio, itertools
from mcp.server.lowlevel import Server
from mcp.types import Tool

OWN = [Tool(name="lend_book", description="Lend", inputSchema={}), Tool(name="find_book", description="Find", inputSchema={})]
BY_NAME = {tool.name: tool for tool in OWN}
app = Server("library")


class Branch:
    async def listed(self):
        return (await self.session.list_tools()).tools


async def by_name():
    return {tool.name: tool for tool in await branch.listed()}


branch = Branch()


@app.list_tools()
async def listed():
    """


@pytest.mark.parametrize(
    "body",
    [
        "return [*OWN, *await branch.listed()]",
        "return OWN + await branch.listed()",
        "return OWN + (await branch.session.list_tools()).tools",
        "return list(itertools.chain(OWN, await branch.listed()))",
        "return sorted([*OWN, *await branch.listed()], key=lambda tool: tool.name)",
        "return sum([OWN, await branch.listed()], [])",
        "return list((BY_NAME | await by_name()).values())",
        "theirs = await branch.listed()\n    theirs.extend(OWN)\n    return theirs",
        "tools = list(OWN)\n    tools += [tool for tool in await branch.listed() if tool.name not in BY_NAME]\n    return tools",
        "theirs = await asyncio.gather(branch.listed())\n    return OWN + [tool for each in theirs for tool in each]",
    ],
)
def test_own_tools_before_those_of_a_server_behind(tmp_path, body):
    (server,) = review(tmp_path, HEAD + body + "\n").servers
    assert [tool.name for tool in server.tools] == ["lend_book", "find_book"]
    assert [each.reason for each in server.unreadable] == ["lists more tools at run time"]


@pytest.mark.parametrize(
    "body",
    [
        "return list(itertools.chain(OWN, MORE))",
        "return sum([OWN, MORE], [])",
        "tools = []\n    tools.extend(OWN)\n    tools += MORE\n    return tools",
        "return list((BY_NAME | {tool.name: tool for tool in MORE}).values())",
    ],
)
def test_lists_of_which_all_parts_are_known_say_nothing(tmp_path, body):
    more = 'MORE = [Tool(name="sort_books", description="Sort", inputSchema={})]\n'
    (server,) = review(tmp_path, HEAD.replace("BY_NAME", more + "BY_NAME", 1) + body + "\n").servers
    assert [tool.name for tool in server.tools] == ["lend_book", "find_book", "sort_books"]
    assert server.unreadable == ()
