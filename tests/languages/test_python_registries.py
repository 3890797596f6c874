"""Modules and objects that code looks through to find its tools."""

import pytest
from python_projects import MCP, conditions, names

REGISTERED = {
    "modules of a package": {
        "server.py": MCP
        + "import importlib, pkgutil\nimport parts\nfor info in pkgutil.iter_modules(parts.__path__):\n"
        + "    module = importlib.import_module(f'parts.{info.name}')\n    mcp.tool()(module.run)",
        "parts/__init__.py": "",
        "parts/a.py": "def run(): ...\nrun.__name__ = 'one'",
        "parts/b.py": "def run(): ...\nrun.__name__ = 'two'",
    },
    "modules with a prefix": {
        "server.py": MCP
        + (
            "import importlib, pkgutil\nimport parts\n"
            "for finder, name, is_package in pkgutil.walk_packages(parts.__path__, parts.__name__ + '.'):\n"
        )
        + "    if not is_package:\n        importlib.import_module(name).register(mcp)",
        "parts/__init__.py": "",
        "parts/a.py": "def register(mcp):\n    @mcp.tool()\n    def one(): ...",
        "parts/more/__init__.py": "",
        "parts/more/b.py": "def register(mcp):\n    @mcp.tool()\n    def two(): ...",
    },
    "functions of a module": {
        "server.py": MCP
        + (
            "import inspect\nimport parts\nfor name, fn in inspect.getmembers(parts, inspect.isfunction):\n"
            "    if not name.startswith('_'):\n        mcp.tool()(fn)"
        ),
        "parts.py": "def two(): ...\ndef one(): ...\ndef _helper(): ...\nX = 1",
    },
    "vars of a module": {
        "server.py": MCP
        + (
            "import parts\nfor name, value in vars(parts).items():\n"
            "    if callable(value) and getattr(value, 'is_tool', False):\n        mcp.tool()(value)"
        ),
        "parts.py": (
            "def mark(fn):\n    fn.is_tool = True\n    return fn\n@mark\ndef one(): ...\n@mark\n"
            "def two(): ...\ndef three(): ..."
        ),
    },
    "names by getattr": {
        "server.py": MCP + "import parts\nfor name in ['one', 'two']:\n    mcp.tool()(getattr(parts, name))",
        "parts.py": "def one(): ...\ndef two(): ...",
    },
    "__all__ of a module": {
        "server.py": MCP + "import parts\nfor name in parts.__all__:\n    mcp.tool()(getattr(parts, name))",
        "parts.py": "__all__ = ['one', 'two']\ndef one(): ...\ndef two(): ...\ndef three(): ...",
    },
}


@pytest.mark.parametrize("files", REGISTERED.values(), ids=REGISTERED)
def test_modules_that_code_looks_through(files, tmp_path):
    assert sorted(names(tmp_path, files)) == ["one", "two"]
    assert {tuple(each) for each in conditions(tmp_path, files).values()} == {()}


OBJECTS = {
    "subclasses": """
class Base:
    def run(self): ...
class First(Base):
    name = 'one'
class Second(Base):
    name = 'two'
for cls in Base.__subclasses__():
    mcp.tool(name=cls.name)(cls().run)
""",
    "members of an object": """
import inspect
class Files:
    def one(self): ...
    def two(self): ...
    def _helper(self): ...
for name, method in inspect.getmembers(Files(), inspect.ismethod):
    if not name.startswith('_'):
        mcp.tool()(method)
""",
    "partial of a method": """
from functools import partial
def one(): ...
def two(): ...
add = partial(mcp.add_tool)
add(one)
partial(mcp.add_tool, two)()
""",
    "dict of functions": """
def one(): ...
def two(): ...
TABLE = dict([('one', one), ('two', two)])
for name, fn in TABLE.items():
    mcp.tool(name=name)(fn)
""",
    "pairs of named tuples": """
from typing import NamedTuple
class Entry(NamedTuple):
    name: str
    fn: object
def other(): ...
for name, fn in [Entry('one', other), Entry(name='two', fn=other)]:
    mcp.tool(name=name)(fn)
""",
    "registry of a decorator": """
REGISTRY = {}
def register(name):
    def inner(fn):
        REGISTRY[name] = fn
        return fn
    return inner
@register('one')
def a(): ...
@register('two')
def b(): ...
for name in sorted(REGISTRY, reverse=True):
    mcp.tool(name=name)(REGISTRY[name])
""",
    "sorted by key": """
def one(): ...
def two(): ...
for fn in sorted([two, one], key=lambda each: each.__name__):
    mcp.tool()(fn)
""",
    "filtered": """
def one(): ...
def two(): ...
def _three(): ...
for fn in filter(lambda each: not each.__name__.startswith('_'), [one, two, _three]):
    mcp.tool()(fn)
""",
    "chained": """
from itertools import chain
def one(): ...
def two(): ...
for fn in chain([one], (two,)):
    mcp.tool()(fn)
""",
    "mapped": """
def one(): ...
def two(): ...
list(map(mcp.tool(), [one, two]))
""",
    "sliced": """
def one(): ...
def two(): ...
def three(): ...
for fn in [one, two, three][:2]:
    mcp.tool()(fn)
""",
    "not in": """
def one(): ...
def two(): ...
def three(): ...
HIDDEN = {'three'}
for fn in (one, two, three):
    if fn.__name__ not in HIDDEN:
        mcp.tool()(fn)
""",
    "match": """
def one(): ...
def two(): ...
def three(): ...
for fn in (one, two, three):
    match fn.__name__:
        case 'one' | 'two':
            mcp.tool()(fn)
        case _:
            pass
""",
    "isinstance": """
def one(): ...
def two(): ...
for each in [one, ('two', two)]:
    if isinstance(each, tuple):
        name, fn = each
        mcp.tool(name=name)(fn)
    else:
        mcp.tool()(each)
""",
    "lists of a dataclass": """
from dataclasses import dataclass, field
@dataclass
class Group:
    fns: list = field(default_factory=list)
    def add(self, fn):
        self.fns.append(fn)
        return fn
first, second = Group(), Group()
@first.add
def one(): ...
@first.add
def two(): ...
@second.add
def three(): ...
for fn in first.fns:
    mcp.tool()(fn)
""",
    "global": """
CURRENT = None
def setup():
    global CURRENT
    CURRENT = mcp
setup()
@CURRENT.tool()
def one(): ...
@CURRENT.tool()
def two(): ...
""",
}


@pytest.mark.parametrize("source", OBJECTS.values(), ids=OBJECTS)
def test_objects_that_code_looks_through(source, tmp_path):
    assert sorted(names(tmp_path, MCP + source)) == ["one", "two"]
    assert {tuple(each) for each in conditions(tmp_path, MCP + source).values()} == {()}


def test_a_registry_that_a_call_makes_is_not_that_of_another_call(tmp_path):
    keeping = (
        "def registry():\n    kept = []\n    def keep(function):\n        kept.append(function)\n        return function\n"
        "    def attach(server):\n        for each in kept:\n            server.tool()(each)\n    return keep, attach\n"
    )
    part = "from .keeping import registry\nkeep, attach = registry()\n@keep\ndef {name}(): ...\n"
    files = {
        "pkg/__init__.py": "",
        "pkg/keeping.py": keeping,
        "pkg/one.py": part.format(name="first"),
        "pkg/two.py": part.format(name="second"),
        "pkg/server.py": MCP + "from . import one, two\none.attach(mcp)\n",
    }
    assert names(tmp_path, files) == ["first"]
