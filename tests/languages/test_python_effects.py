"""Modules that are imported for what they do when they are imported: a list is filled, a decorator of the project is applied."""

import pytest
from python_projects import conditions, names

LIST = "FOUND = []\ndef keep(function):\n    FOUND.append(function)\n    return function\n"
NOTES = "from {origin} import keep\n@keep\ndef note(text: str):\n    'Keep a note.'\n"
LOOP = "from mcp.server import MCPServer\n{imports}\nfrom .store import FOUND\nmcp = MCPServer('demo')\nfor each in FOUND:\n    mcp.tool()(each)\n"
IMPORTS = {
    "a package": ("from . import parts", "from . import notes"),
    "a package, by its whole name": ("import pkg.parts", "from pkg.parts import notes"),
    "a package with names": ("from . import parts", "from .notes import note\n__all__ = ['note']"),
    "a package with a star": ("from .parts import *", "from .notes import note"),
    "a module": ("from .parts import notes", ""),
    "a module, by its whole name": ("import pkg.parts.notes", ""),
    "a name that nothing uses": ("from .parts.notes import note  # noqa: F401", ""),
    "by name": ("import importlib\nimportlib.import_module('pkg.parts.notes')", ""),
}


@pytest.mark.parametrize(("imports", "gathered"), IMPORTS.values(), ids=IMPORTS)
def test_a_list_is_filled_by_what_is_imported(imports, gathered, tmp_path):
    files = {
        "pkg/__init__.py": "",
        "pkg/store.py": LIST,
        "pkg/server.py": LOOP.format(imports=imports),
        "pkg/parts/__init__.py": gathered,
        "pkg/parts/notes.py": NOTES.format(origin="..store"),
    }
    assert names(tmp_path, files) == ["note"]


def test_subclasses_are_those_of_the_modules_that_are_imported(tmp_path):
    files = {
        "pkg/__init__.py": "",
        "pkg/store.py": "class Base:\n    def run(self): ...\n",
        "pkg/parts/__init__.py": "from . import notes\n",
        "pkg/parts/notes.py": "from ..store import Base\nclass Note(Base):\n    name = 'note'\n    def run(self): ...\n",
        "pkg/server.py": (
            "from mcp.server import MCPServer\nfrom . import parts\nfrom .store import Base\nmcp = MCPServer('demo')\n"
            "for each in Base.__subclasses__():\n    mcp.add_tool(each().run, name=each.name)\n"
        ),
    }
    assert names(tmp_path, files) == ["note"]


OFFERS = {
    "a decorator": ("def offer(function):\n    mcp.tool()(function)\n    return function\n", "offer", "@offer"),
    "a decorator with arguments": (
        "def offer(title):\n    def inner(function):\n        return mcp.tool(title=title)(function)\n    return inner\n",
        "offer",
        "@offer('Note')",
    ),
    "one that hands over an object": (
        "def offer(title):\n    def inner(function):\n        kept = mcp.local_provider.add_tool(function)\n"
        "        return kept\n    return inner\n",
        "offer",
        "@offer('Note')",
    ),
    "a method": (
        "class App:\n    def __init__(self):\n        self.server = mcp\n    def offer(self, function):\n"
        "        self.server.add_tool(function)\n        return function\napp = App()\n",
        "app",
        "@app.offer",
    ),
}


@pytest.mark.parametrize(("declaring", "name", "decorator"), OFFERS.values(), ids=OFFERS)
@pytest.mark.parametrize("last", ["from . import parts\n", ""], ids=["imported in a circle", "imported by another"])
def test_what_the_project_itself_offers_declares_tools(declaring, name, decorator, last, tmp_path):
    files = {
        "pkg/__init__.py": "",
        "pkg/server.py": f"from fastmcp import FastMCP\nmcp = FastMCP('demo')\n{declaring}{last}",
        "pkg/parts/__init__.py": "from . import notes\n",
        "pkg/parts/notes.py": f"from pkg.server import {name}\n{decorator}\ndef note(text: str):\n    'Keep a note.'\n",
        "pkg/plain.py": "def other(function): return function\n@other\ndef helper(): ...\n",
    }
    assert conditions(tmp_path, files) == {"note": []}


def test_a_decorator_over_a_decorator_of_the_project_declares_tools(tmp_path):
    files = {
        "pkg/__init__.py": "",
        "pkg/server.py": "from mcp.server import MCPServer\nmcp = MCPServer('demo')\ndef offer(f):\n    return mcp.tool()(f)\n",
        "pkg/asked.py": "from .server import offer\ndef tool_for(f):\n    return offer(f)\n@offer\ndef one(): ...\n",
        "pkg/parts.py": "from .asked import tool_for\n@tool_for\ndef two(): ...\n",
    }
    assert sorted(names(tmp_path, files)) == ["one", "two"]


def test_a_call_in_the_body_of_a_module_declares_tools(tmp_path):
    files = {
        "pkg/__init__.py": "",
        "pkg/server.py": "from mcp.server import MCPServer\nmcp = MCPServer('demo')\ndef offer(f):\n    mcp.add_tool(f)\n",
        "pkg/parts.py": "from .server import offer\ndef one(): ...\noffer(one)\n",
    }
    assert names(tmp_path, files) == ["one"]
