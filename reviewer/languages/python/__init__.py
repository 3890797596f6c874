"""Python source → facts, by evaluating the code that declares tools symbolically. Nothing of it runs."""

import re
from dataclasses import replace

from reviewer.facts import Project, Server, Tool
from reviewer.files import VENDORED, Tree
from reviewer.languages.nodes import first_error
from reviewer.languages.python import behaviour, comments, listings, survey
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.frameworks import Framework, Registration, framework_of
from reviewer.languages.python.modules import Module, Modules
from reviewer.languages.python.tools import ToolReader, text_or_opaque
from reviewer.languages.python.values import Instance, text_of_value
from reviewer.source import Opaque, Source, Text

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


def read(tree: Tree) -> Project:
    """Read every Python server in the tree."""
    modules = Modules(tree.of(".py"))
    seeds = _seeds(modules)
    run = Evaluator(modules)
    for module in seeds:
        run.start()
        run.scope_of(module)
    survey.enter_uncalled(run, seeds)
    listings.resolve(run)
    servers = _servers(run, ToolReader(run))
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


def _servers(run: Evaluator, reader: ToolReader) -> tuple[Server, ...]:
    """Group what was registered by server; a mounted server is part of the one it is mounted on."""
    mounted = {id(child) for _, child, _, _ in run.mounts}
    groups: dict[int, list[Registration]] = {id(server): [] for server in run.servers}
    loose: dict[str, list[Registration]] = {}
    sole = run.servers[0] if len({id(server) for server in run.servers if id(server) not in mounted}) == 1 else None
    for made in run.registrations:
        server = made.server
        if server is not None and id(server) in groups:
            groups[id(server)].append(made)
        elif sole is not None:
            groups[id(sole)].append(made)
        else:
            loose.setdefault(made.module.path, []).append(made)
    built = [_server(run, reader, server, groups, ()) for server in run.servers if id(server) not in mounted]
    return (*built, *(_loose_server(reader, found) for found in loose.values()))


def _server(
    run: Evaluator, reader: ToolReader, server: Instance, groups: dict[int, list[Registration]], above: tuple[int, ...]
) -> Server:
    framework = framework_of(server) or "mcp"
    tools, hidden = _tools(reader, groups[id(server)], framework)
    for parent, child, prefix, conditions in run.mounts:
        if parent is server and id(child) in groups and id(child) not in above:
            inner = _server(run, reader, child, groups, (*above, id(server)))
            named = text_of_value(prefix) if prefix is not None else None
            tools += [
                replace(_prefixed(tool, named), conditions=(*conditions, *tool.conditions)) for tool in inner.tools
            ]
            hidden += inner.unreadable
    hidden += [opaque for owner, opaque in run.unlisted if owner is server]
    if not tools and not hidden:
        hidden.append(Opaque("no tool of this server can be read from the source", server.span))
    name = server.argument("name", 0)
    return Server(
        name=text_or_opaque(name, server.span),
        language="python",
        framework=framework,
        span=server.span,
        tools=tuple(tools),
        unreadable=tuple(dict.fromkeys(hidden)),
    )


def _loose_server(reader: ToolReader, found: list[Registration]) -> Server:
    """Make a server of tools whose server only a run can tell."""
    module = found[0].module
    framework: Framework = (
        "fastmcp" if re.search(rb"^\s*(from|import) fastmcp", module.source.data, re.MULTILINE) else "mcp"
    )
    tools, hidden = _tools(reader, found, framework)
    return Server(None, "python", framework, module.span(found[0].node), tuple(tools), None, tuple(hidden))


def _tools(reader: ToolReader, found: list[Registration], framework: Framework) -> tuple[list[Tool], list[Opaque]]:
    """Read registrations; code that is evaluated twice registers once, under the fewest conditions."""
    tools: dict[tuple[object, ...], Tool] = {}
    hidden = []
    for made in found:
        reader.run.start()
        each = reader.read(made, framework)
        if isinstance(each, Opaque):
            hidden.append(each)
        else:
            key = (each.span, str(each.name) if isinstance(each.name, Text) else None)
            before = tools.get(key)
            if before is None or len(each.conditions) < len(before.conditions):
                tools[key] = each
    return list(tools.values()), list(dict.fromkeys(hidden))


def _prefixed(tool: Tool, prefix: Text | None) -> Tool:
    if prefix is None or not isinstance(tool.name, Text):
        return tool
    return replace(tool, name=Text(f"{prefix}_{tool.name}", tool.name.span))
