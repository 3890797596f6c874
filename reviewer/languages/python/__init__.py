"""Python source → facts, by evaluating the code that declares tools symbolically. Nothing of it runs."""

from dataclasses import replace

from reviewer.facts import Project
from reviewer.files import VENDORED, Tree
from reviewer.languages.nodes import first_error
from reviewer.languages.python import behaviour, comments, listings, survey
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module, Modules
from reviewer.languages.python.releases import Releases
from reviewer.languages.python.servers import ServerReader
from reviewer.source import Opaque, Source

DECLARING = (
    b"FastMCP(",
    b"FastMCP[",
    b"MCPServer(",
    b"Server(",
    b"Server[",
    b"Tool(",
    b".tool",
    b"@tool",
    b"add_tool",
    b"list_tools",
    b"import_server",
    b"ActionSpec(",
    b"def respond(",
)
"""What a file holds that declares tools or answers for them, found by a byte search before anything is parsed."""


def relevant(tree: Tree) -> list[Source]:
    """Give the files that are worth evaluating for themselves."""
    return [module.source for module in _seeds(Modules(tree.of(".py")))]


def read(tree: Tree, sdk: dict[str, str] | None = None) -> Project:
    """Read every Python server in the tree. `sdk` are versions that the caller says, by distribution."""
    modules = Modules(tree.of(".py"))
    seeds = _seeds(modules)
    run = Evaluator(modules)
    for module in seeds:
        run.start()
        run.scope_of(module)
    survey.enter_uncalled(run, seeds)
    listings.resolve(run)
    servers = ServerReader(run, Releases(tree.root, tree.manifests, sdk or {})).read()
    project = behaviour.read(run, seeds, servers)
    parsed = [module for module in modules.by_path.values() if module.is_parsed]
    return replace(
        project,
        ignores=tuple(ignore for module in parsed for ignore in comments.ignores(module)),
        broken=tuple(opaque for module in parsed for opaque in _broken(module)),
    )


def _seeds(modules: Modules) -> list[Module]:
    return [module for module in modules.by_path.values() if _may_declare(module)]


def _may_declare(module: Module) -> bool:
    """Tell whether a file is worth evaluating for itself; others are when something is imported from them."""
    data = module.source.data
    if VENDORED.intersection(module.parts):
        return False
    return (b"mcp" in data or b"MCP" in data) and any(sign in data for sign in DECLARING)


def _broken(module: Module) -> list[Opaque]:
    error = first_error(module.root)
    return [Opaque("syntax error; the rest of the file was read", module.span(error))] if error is not None else []
