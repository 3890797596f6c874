"""A program that has classes called as an SDK's are is no server, and takes nothing from those that are."""

import pytest
from python_bad_input import names
from python_projects import MCP

from reviewer.budget import Budget, spending

WORK = "\n    ".join(f"x{number} = {number} + {number}" for number in range(1000))
PROGRAM = f"""
# reads MCP servers
from dataclasses import dataclass

from facts import Server, Tool

class Reader:
    def tool(self, name): return Tool(name)

def tools(names):
    {WORK}
    return [Tool(name) for name in names]

def served(names):
    {WORK}
    return Server(tools(names))

def read(name):
    {WORK}
    return Reader().tool(name)
"""
FACTS = "# facts of mcp servers\nclass Part: ...\nclass Tool(Part): ...\nclass Server(Part): ...\n"


def steps(folder, files):
    """Return how many expressions were evaluated to read a project, and its tools."""
    budget = Budget.from_size(0)
    before = budget.count_remaining("steps")
    with spending(budget):
        found = names(folder, files)
    return before - budget.count_remaining("steps"), found


def test_functions_that_make_objects_of_own_classes_are_not_entered(tmp_path):
    alone, found = steps(tmp_path, {"server.py": f"{MCP}@mcp.tool()\ndef read(path: str) -> str: ...\n"})
    beside, same = steps(tmp_path, {"facts.py": FACTS, "program.py": PROGRAM})
    assert found == same == ["read"]
    assert beside < alone + 200


@pytest.mark.slow
@pytest.mark.parametrize(
    "facts",
    [
        "from mcp.types import Tool\nfrom mcp.server import Server\n# mcp",
        "# mcp\nfrom mcp.types import Tool as Base\nfrom mcp.server import Server\nclass Tool(Base): ...",
        "# mcp\nfrom elsewhere import Base\nfrom mcp.server import Server\nclass Tool(Base): ...\n",
    ],
)
def test_what_may_be_of_an_sdk_is(tmp_path, facts):
    taken, _ = steps(tmp_path, {"facts.py": facts, "program.py": PROGRAM})
    assert taken > 1000
