"""What was registered → Server facts: tools grouped by server, mounted servers as part of the one they are mounted on."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from reviewer.budget import REASONS, ExhaustedError
from reviewer.facts import Condition, Hole, RegistrationPitfall, Server, Tool
from reviewer.facts.tools import UNLISTED
from reviewer.failures import contained
from reviewer.languages.python.declarations.registrations import Mount, Registration, Revision
from reviewer.languages.python.declarations.releases import Releases
from reviewer.languages.python.declarations.revisions import apply_revisions
from reviewer.languages.python.declarations.sdks import identify_framework, identify_generation, is_conversation
from reviewer.languages.python.declarations.tool_values import read_back
from reviewer.languages.python.declarations.tools import ToolReader
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import (
    PyInstance,
    PyMapping,
    assume_default,
    to_text,
    to_text_or_opaque,
)
from reviewer.languages.python.project.reach import ImportReach
from reviewer.progress import Progress, Stage, ignore_progress
from reviewer.records import dataclass
from reviewer.schema.python.dialects import Framework, PythonDialect
from reviewer.source import Opaque, Text

WIDTH = 10
"""Parameters that are as much work as a tool: reading and checking one takes about 0.2 ms, a tool a few milliseconds."""


@dataclass(eq=False)
class ServerReader:
    """Reads the servers of one evaluation."""

    run: Evaluator
    releases: Releases
    reach: ImportReach
    progress: Progress = ignore_progress
    groups: dict[int, list[Registration]] = field(default_factory=dict)
    _tried: int = 0

    def read(self) -> tuple[Server, ...]:
        """Return every server that is not mounted on another, and the tools whose server only a run can tell."""
        run = self.run
        mounted = {id(mount.child) for mount in run.mounts}
        given = {id(server) for server in run.servers}
        held = [each for each in run.providers if self._is_mounted_under(each, given, set())]
        self.groups = {id(server): [] for server in (*run.servers, *held)}
        loose: dict[str, list[Registration]] = {}
        roots = [each for each in run.servers if id(each) not in mounted and not is_conversation(each)]
        sole = roots[0] if len({id(server) for server in roots}) == 1 else None
        for made in run.registrations:
            server = made.server
            if server is not None and id(server) in self.groups:
                self.groups[id(server)].append(made)
            elif sole is not None:
                self.groups[id(sole)].append(made)
            else:
                loose.setdefault(made.module.path, []).append(made)
        built = list(self._iter_built(mounted))
        for found in loose.values():
            with contained("a server was not reviewed", found[0].module.locate(found[0].node)):
                built.append(self._build_loose_server(found))
        return tuple(built)

    def _iter_built(self, mounted: set[int]) -> Iterator[Server]:
        for server in self._collect_roots(mounted):
            with contained("a server was not reviewed", server.span) as reading:
                yield self._read_server(server)
            if reading.failed:
                unread = (Opaque("the server was not reviewed", server.span),)
                yield Server(None, "python", "mcp", server.span, (), None, unread)

    def _collect_roots(self, mounted: set[int]) -> list[PyInstance]:
        """Return the servers that no other is mounted with; of a circle of mounts, the first."""
        roots = [server for server in self.run.servers if id(server) not in mounted]
        reached = {id(server) for server in roots}
        for server in self.run.servers:
            if not self._is_mounted_under(server, reached, set()):
                roots.append(server)
                reached.add(id(server))
        return roots

    def _is_mounted_under(self, server: PyInstance, roots: set[int], seen: set[int]) -> bool:
        """Return whether a server is one of the roots, or mounted on one, at any depth."""
        if id(server) in roots:
            return True
        seen.add(id(server))
        above = [mount.parent for mount in self.run.mounts if mount.child is server and id(mount.parent) not in seen]
        return any(self._is_mounted_under(each, roots, seen) for each in above)

    def _read_server(self, server: PyInstance) -> Server:
        framework: Framework = identify_framework(server) or "mcp"
        dialect = self.releases.resolve_dialect(framework, server.span.path, generation=identify_generation(server))
        tools, hidden = self._read_contents(server, dialect, ())
        if not tools and not hidden:
            hidden.append(Opaque(UNLISTED, server.span))
        given = server.find_argument("name", 0)
        return Server(
            name=to_text_or_opaque(assume_default(given)[0], server.span) if given is not None else None,
            language="python",
            framework="" if is_conversation(server) else framework,
            span=server.span,
            tools=tuple(_with_derived_title(tool) for tool in tools) if dialect.derived_title else tuple(tools),
            unreadable=tuple(dict.fromkeys(hidden)),
            runs_inline=not is_conversation(server) and self._runs_inline(server, framework),
        )

    def _runs_inline(self, server: PyInstance, framework: Framework) -> bool:
        """Return whether the SDK surely runs tools that are plain functions on the thread of the event loop.

        mcp does so before 2.0 (`FuncMetadata.call_fn_with_arg_validation`, looked up in 1.30.0), fastmcp before 3.0
        (`FunctionTool.run`, in 2.14.7).
        """
        if framework == "mcp":
            return identify_generation(server) == 1
        newest = self.releases.find_newest_version(framework, server.span.path)
        return newest is not None and newest < (3,)

    def _read_contents(
        self, server: PyInstance, dialect: PythonDialect, above: tuple[int, ...]
    ) -> tuple[list[Tool], list[Opaque]]:
        """Read a server's own tools and those of the servers mounted on it."""
        tools, hidden = self._read_tools(self.groups[id(server)], dialect)
        for mount in self.run.mounts:
            if mount.parent is server and id(mount.child) in self.groups and id(mount.child) not in above:
                if not self.run.budget.affords(
                    "tools"
                ):  # a server that is mounted costs as much as a tool, to begin with
                    hidden.append(Opaque(REASONS["tools"], mount.span))
                    break
                inner, unread = self._read_contents(mount.child, dialect, (*above, id(server)))
                tools += [_rename_mounted(tool, mount) for tool in inner]
                hidden += unread
        changes = [each for each in self.run.revisions if each.server is server or self._is_anyones(each)]
        tools = apply_revisions(self.run, tools, changes)
        for mount in self.run.namespaces:
            tools = [_rename_mounted(tool, mount) for tool in tools] if mount.parent is server else tools
        return tools, hidden + [opaque for owner, opaque in self.run.unlisted if owner is server]

    def _is_anyones(self, change: Revision) -> bool:
        """Return whether a change whose server only a run can tell may be one of this server."""
        known = change.server
        if known is not None and (self.groups.get(id(known)) or any(each.parent is known for each in self.run.mounts)):
            return False
        return change.names is not None or change.server is not None or len(self.run.servers) == 1

    def _build_tool(self, reader: ToolReader, made: Registration, dialect: PythonDialect) -> Tool | Opaque:
        """Read one registration, with what code did to the tool later."""
        try:
            each = reader.read(replace(made, conditions=self._collect_conditions(made)), dialect)
            if isinstance(each, Tool) and made.value is not None and made.before is not None:
                each = read_back(self.run, each, made.value, made.before)
        except RecursionError:
            return Opaque("a tool that nests too deep", made.module.locate(made.node))
        except ExhaustedError as error:
            return Opaque(error.reason, made.module.locate(made.node))
        return each

    def read_registration(self, made: Registration) -> Tool | Opaque:
        """Read one registration while others are still to come."""
        server = made.server
        framework = (identify_framework(server) or "mcp") if server is not None else "mcp"
        generation = identify_generation(server) if server is not None else None
        dialect = self.releases.resolve_dialect(framework, made.module.path, generation=generation)
        return ToolReader(self.run).read(made, dialect)

    def _build_loose_server(self, found: list[Registration]) -> Server:
        """Make a server of tools whose server only a run can tell."""
        module = found[0].module
        standalone = re.search(rb"^\s*(from|import) fastmcp", module.source.data, re.MULTILINE)
        framework: Framework = "fastmcp" if standalone else "mcp"
        dialect = self.releases.resolve_dialect(framework, module.path)
        tools, hidden = self._read_tools(found, dialect)
        tools = apply_revisions(self.run, tools, self.run.revisions)
        shown = tuple(_with_derived_title(tool) for tool in tools) if dialect.derived_title else tuple(tools)
        return Server(None, "python", framework, module.locate(found[0].node), shown, None, tuple(hidden))

    def _collect_conditions(self, made: Registration) -> tuple[Condition, ...]:
        """Return the conditions of a registration, with those under which its module is imported."""
        return (*self.reach.collect_conditions(made.module), *made.conditions)

    def _read_tools(self, found: list[Registration], dialect: PythonDialect) -> tuple[list[Tool], list[Opaque]]:
        """Read registrations; code that is evaluated twice registers once, under the fewest conditions."""
        tools: dict[tuple[object, ...], Tool] = {}
        listed = set[tuple[object, ...]]()
        hidden = []
        reader = ToolReader(self.run)
        for made in found:
            if not self.run.budget.affords("tools"):
                hidden.append(Opaque(REASONS["tools"], made.module.locate(made.node)))
                break
            self.progress(Stage.READING_PYTHON_TOOLS, self._tried, max(self._tried, len(self.run.registrations)))
            self._tried += 1
            self.run.start()
            span = made.module.locate(made.node)
            each: Tool | Opaque = Opaque("the tool was not reviewed", span)
            with contained("a tool was not reviewed", span):
                each = self._build_tool(reader, made, dialect)
            if isinstance(each, Opaque):
                hidden.append(each)
            elif not self.run.budget.affords("tools", _find_further(each)):
                hidden.append(Opaque(REASONS["tools"], span))
                break
            else:
                key: tuple[object, ...] = (
                    each.span,
                    (str(each.name), each.name.span) if isinstance(each.name, Text) else None,
                )
                before = tools.get(key)
                tools[key] = each if before is None else _get_either(before, each)
                place = (*key, id(made.answer), each.conditions)
                if made.answer is not None and place in listed and isinstance(each.name, Text):
                    tools[key] = replace(tools[key], again=(each.name,))
                listed.add(place)
        replaced = {str(each[0]): each for each in self.run.replaced}
        shown = (_with_replaced(each, replaced) if replaced else each for each in tools.values())
        return list(shown), list(dict.fromkeys(hidden))


def _with_replaced(tool: Tool, replaced: dict[str, tuple[Text, Text]]) -> Tool:
    """Return a tool with where another says its name, in whose place in a table it was put."""
    said = replaced.get(tool.name) if isinstance(tool.name, Text) else None
    return replace(tool, again=(*tool.again, said[1])) if said is not None else tool


def without_lost(servers: Iterable[Server]) -> tuple[tuple[Server, ...], tuple[RegistrationPitfall, ...]]:
    """Return the servers without the tools of modules that are never imported at start, and a pitfall for each such module.

    A server of which that would leave nothing is started in a way that was not found.
    """
    kept, registration_pitfalls = [], dict[str, RegistrationPitfall]()
    for server in servers:
        live, lost = list[Tool](), list[Tool]()
        for tool in server.tools:
            (lost if any(each.never for each in tool.conditions) else live).append(tool)
        kept.append(replace(server, tools=tuple(live)) if live and lost else server)
        for tool in lost if live else ():
            name = tool.name if isinstance(tool.name, Text) else Text("", tool.span)
            path = tool.span.path
            registration_pitfalls.setdefault(
                path, RegistrationPitfall("never imported", name, name.span, Text(path, tool.span))
            )
    return tuple(kept), tuple(registration_pitfalls.values())


def _find_further(tool: Tool) -> int:
    """Return how many tools more a tool of many parameters is worth: it is read and checked parameter by parameter."""
    return 0 if isinstance(tool.parameters, Opaque) else len(tool.parameters) // WIDTH


def _get_either(one: Tool, other: Tool) -> Tool:
    """Choose between two readings of one registration: that under the fewest conditions, with a note where they differ."""
    kept, left = (other, one) if len(other.conditions) < len(one.conditions) else (one, other)
    why = "; ".join(each.text for each in left.conditions if each not in kept.conditions) or "in another call"
    parts = [("description", kept.description != left.description)]
    parts.append(("inputSchema", not _has_same_parameters(kept, left)))
    holes = [Hole(part, Opaque(f"another one {why}", kept.span), assumed=True) for part, differs in parts if differs]
    return replace(kept, assumptions=tuple(dict.fromkeys((*kept.assumptions, *holes))))


def _has_same_parameters(one: Tool, other: Tool) -> bool:
    if isinstance(one.parameters, Opaque) or isinstance(other.parameters, Opaque):
        return isinstance(one.parameters, Opaque) and isinstance(other.parameters, Opaque)
    return [(each.name, each.required) for each in one.parameters] == [
        (each.name, each.required) for each in other.parameters
    ]


def _rename_mounted(tool: Tool, mount: Mount) -> Tool:
    """Name a tool as the server does that its own is mounted on."""
    conditions = (*mount.conditions, *tool.conditions)
    if not isinstance(tool.name, Text):
        return replace(tool, conditions=conditions)
    given = mount.names.get(str(tool.name)) if isinstance(mount.names, PyMapping) else None
    renamed = to_text_or_opaque(given, mount.span) if given is not None else None
    prefix = to_text(assume_default(mount.prefix)[0]) if mount.prefix is not None else None
    if renamed is None and prefix:
        renamed = Text(f"{prefix}_{tool.name}", tool.name.span)
    elif renamed is None and mount.prefix is not None and prefix is None:
        renamed = to_text_or_opaque(mount.prefix, mount.span)
    return replace(tool, name=renamed or tool.name, conditions=conditions)


def _with_derived_title(tool: Tool) -> Tool:
    """Return a tool without a title the one that is made of its name."""
    if tool.title is not None or not isinstance(tool.name, Text):
        return tool
    return replace(tool, title=Text(tool.name.replace("_", " ").replace("-", " ").title(), tool.name.span))
