"""What the MCP frameworks' objects do: which calls make a server, hand it a tool, mount another, or start it.

Which framework a file uses is decided by what it imports, not by what is installed.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from tree_sitter import Node

from reviewer.facts import Condition, Tool
from reviewer.languages.python.declarations import generated_servers, mixins, providers, revisions, tool_values
from reviewer.languages.python.declarations.sdks import is_foreign, is_provider, is_server
from reviewer.languages.python.evaluation import resources, signatures
from reviewer.languages.python.evaluation.introspection import TOOL_MARK
from reviewer.languages.python.evaluation.values import (
    Alternatives,
    CallArguments,
    Const,
    Decorator,
    External,
    Method,
    PyClass,
    PyFunction,
    PyGuarded,
    PyInstance,
    PyItems,
    PyUnknown,
    Value,
    assumed,
    bare,
    text_of_value,
)
from reviewer.languages.python.project.modules import PyModule
from reviewer.records import dataclass
from reviewer.source import Span

if TYPE_CHECKING:
    from reviewer.languages.python.evaluation.evaluator import Evaluator

TOOL_OBJECTS = frozenset(
    {"mcp.types.Tool", "mcp.Tool", "mcp_types.Tool", "mcp.server.types.Tool", "mcp.server.lowlevel.types.Tool"}
)
REGISTERING = frozenset({"tool", "add_tool"})


@dataclass(eq=False)
class Registration:
    """A tool as the code hands it to a server: `server` is None where only a run can tell which one.

    `keywords` are the arguments of the registering call, `node` the call or the decorator.
    """

    server: PyInstance | None
    function: Value | None
    keywords: dict[str, Value]
    node: Node
    module: PyModule
    conditions: tuple[Condition, ...]
    definition: PyInstance | None = None
    """The `Tool(...)` object itself, where the tool is given as one."""
    value: PyInstance | None = None
    """The tool as an object, where code looks at what it has registered; `before` is as it was registered."""
    before: PyInstance | None = None
    is_repeated: bool = False
    """Whether the same code handed the same tool to the same server before."""
    answer: object = None
    """The answer to `tools/list` that it stands in: what stands there twice is listed twice."""


@dataclass(frozen=True, eq=False)
class Mount:
    """A server that is mounted on another: its tools get `prefix` before their names, or those that `names` gives them."""

    parent: PyInstance
    child: PyInstance
    span: Span
    prefix: Value | None = None
    names: Value | None = None
    conditions: tuple[Condition, ...] = ()


def keep(mounts: list[Mount], made: Mount) -> None:
    """Keep a mount; the same call that is evaluated twice mounts once."""
    if not any(
        (each.parent, each.child, each.span) == (made.parent, made.child, made.span)
        and _find_text(each.prefix) == _find_text(made.prefix)
        for each in mounts
    ):
        mounts.append(made)


def _find_text(value: Value | None) -> str | None:
    text = text_of_value(assumed(value)[0]) if value is not None else None
    return str(text) if text is not None else None


def is_tool_object(value: Value) -> bool:
    """Return whether a value is a `Tool(...)` as the protocol has it."""
    return isinstance(value, PyInstance) and value.path in TOOL_OBJECTS


def call_external(run: "Evaluator", callee: External, arguments: CallArguments) -> Value | None:
    """Call what a framework exports; None if it is nothing of a framework."""
    path = callee.path
    if is_server(PyInstance(callee, [], {}, arguments.span)):
        server = PyInstance(callee, arguments.positional, arguments.keywords, arguments.span, open=arguments.open)
        note_server(run, server, arguments)
        return server
    if (generated := generated_servers.by_call(run, path, arguments)) is not None:
        return generated
    if mixins.is_mark(path):
        return mixins.marking(callee, arguments)
    if path.startswith("fastmcp.") and callee.name == "tool":
        return _build_standalone(run, callee, arguments)
    owner = External(path.rpartition(".")[0], callee.span)
    if is_server(PyInstance(owner, [], {}, arguments.span)):
        return _find_unbound(run, callee, arguments)
    if callee.name in REGISTERING and is_foreign(owner):
        return _find_tool(run, None, arguments) if callee.name == "tool" else _add_tool(run, None, arguments)
    if path.endswith((".Tool.from_function", ".FunctionTool.from_function")) and path.startswith(("mcp.", "fastmcp.")):
        return PyInstance(callee, arguments.positional, arguments.keywords, arguments.span)
    return None


def _find_unbound(run: "Evaluator", callee: External, arguments: CallArguments) -> Value | None:
    """Take a method that is called by the class of the server: `FastMCP.add_tool(mcp, f)`."""
    server, rest = arguments.get("self", 0), replace(arguments, positional=arguments.positional[1:])
    bound = (
        Method(server, callee.name, arguments.span) if isinstance(server, PyInstance) and is_server(server) else None
    )
    return call_method(run, bound, rest) if bound is not None else None


def _build_standalone(run: "Evaluator", callee: External, arguments: CallArguments) -> Value:
    """Take fastmcp's free `@tool`, which marks a function for a later `add_tool`."""
    first = arguments.get("name_or_fn", 0)
    keywords = {name: value for name, value in arguments.keywords.items() if name != "name_or_fn"}
    if isinstance(first, PyFunction):
        return decorate(run, Decorator("mark", callee, keywords, arguments.span), arguments)
    if first is not None:
        keywords.setdefault("name", first)
    return Decorator("mark", callee, keywords, arguments.span)


def note_server(run: "Evaluator", server: PyInstance, arguments: CallArguments) -> None:
    """Keep a server that was made, with the tools or the list handler that its constructor takes.

    The same call that is evaluated twice makes the same server.
    """
    kept = run.providers if is_provider(server) else run.servers
    same = next((each for each in kept if each.span == server.span and _name(each) == _name(server)), None)
    run.same_server[id(server)] = same or server
    run.made.append(server)
    if same is not None or run.listed is not None:
        return
    kept.append(server)
    revisions.by_class(run, server)
    providers.note_folder(run, server, arguments)
    for name in ("middleware", "transforms"):
        listed = arguments.keywords.get(name)
        for each in listed.items if isinstance(listed, PyItems) else ():
            providers.transform(run, server, each, arguments.span)
    tools = arguments.keywords.get("tools")
    for tool in tools.items if isinstance(tools, PyItems) else ():
        with run.under(*(tool.conditions if isinstance(tool, PyGuarded) else ())):
            register(run, server, bare(tool), {}, arguments)
    providers.attach_all(run, server, arguments)
    handler = arguments.keywords.get("on_list_tools")
    if handler is not None and arguments.scope is not None:
        run.listings.append((server, handler, run.conditions, arguments.scope.module))
    handler = arguments.keywords.get("on_call_tool")
    if handler is not None:  # the SDK 2 makes errors of the protocol of what leaves it
        run.callings.append(handler)
        run.bare.append(handler)


def _name(server: PyInstance) -> str | None:
    given = server.argument("name", 0) or server
    text = text_of_value(given)
    return str(text) if text is not None else resources.place_of(given)


def call_method(run: "Evaluator", method: Method, arguments: CallArguments) -> Value | None:
    """Call a method of a server, or of something that only a run can tell and that is used like one."""
    receiver = method.receiver
    receiver = assumed(receiver)[0]
    if isinstance(receiver, Alternatives):
        receiver = next((each for each in receiver.values if is_server(each)), receiver)
    server = (
        run.same_server.get(id(receiver), receiver)
        if isinstance(receiver, PyInstance) and is_server(receiver)
        else None
    )
    may_serve = isinstance(receiver, PyUnknown) or is_foreign(receiver)
    if server is None and not (may_serve and method.name in REGISTERING and _speaks_mcp(arguments)):
        return generated_servers.by_launch(run, method.name, arguments)
    match method.name:
        case name if name in revisions.LISTING and run.listed is not None:
            made = server.keywords.get("tools") if server is not None else None
            return made if isinstance(made, PyItems) else PyItems("list", list(run.listed), arguments.span)
        case "tool":
            return _find_tool(run, server, arguments)
        case "add_tool":
            return _add_tool(run, server, arguments)
        case "list_tools" | "call_tool" if server is not None:
            return Decorator(method.name.removesuffix("_tools").removesuffix("_tool"), server, {}, arguments.span)
        case name if name in COMPOSING and server is not None:
            return COMPOSING[name](run, server, arguments)
        case "add_transform" | "add_middleware" if server is not None and arguments.positional:
            providers.transform(run, server, arguments.positional[0], arguments.span)
            return Const(None, arguments.span)
        case "get_tool" if server is not None and run.listed is None:
            return _find_registered(run, server, arguments)
        case "remove_tool" | "disable" if server is not None:
            return revisions.by_call(run, server, method.name, arguments)
        case "run" | "run_async" | "run_http_async" if server is not None and arguments.node is not None:
            run.starts.add((arguments.span.path, arguments.node.start_byte))
            return None
        case _:
            return None


def _speaks_mcp(arguments: CallArguments) -> bool:
    return arguments.scope is not None and arguments.scope.module.speaks_mcp


def _find_tool(run: "Evaluator", server: PyInstance | None, arguments: CallArguments) -> Value | None:
    """Take `@server.tool`, `@server.tool(...)`, `server.tool(fn, ...)` and `server.tool("name")`."""
    first = callable_of(arguments.get("", 0))
    subject: Value = server if server is not None else PyUnknown("the server is known at run time only", arguments.span)
    if isinstance(first, PyFunction) or (isinstance(first, Method) and first.function is not None):
        register(run, server, first, arguments.keywords, arguments, is_marking=True)
        return first
    if isinstance(first, PyUnknown | External | PyInstance) and _is_statement(arguments.node):
        register(run, server, first, arguments.keywords, arguments, is_marking=True)
        return first
    keywords = dict(arguments.keywords)
    if first is not None:
        keywords.setdefault("name", first)
    if arguments.open:
        keywords.setdefault("**", PyUnknown("keyword arguments that only a run can tell", arguments.span))
    return Decorator("tool", subject, keywords, arguments.span)


def _is_statement(node: Node | None) -> bool:
    """Return whether nothing is done with what a call gives."""
    return node is not None and node.parent is not None and node.parent.type == "expression_statement"


def _find_registered(run: "Evaluator", server: PyInstance, arguments: CallArguments) -> Value | None:
    """Return the tool of a name that was registered before, as an object."""
    name = text_of_value(arguments.get("name", 0) or Const(None, arguments.span))
    for made in reversed(run.registrations):
        tool = run.read_tool(made) if made.server is server and run.read_tool is not None else None
        if isinstance(tool, Tool) and tool.name == name:
            if made.value is None:
                made.value = tool_values.value_of(run, tool)
                made.before = PyInstance(made.value.made_by, [], {}, made.value.span, dict(made.value.attributes))
            return made.value
    return None


def callable_of(value: Value | None) -> Value | None:
    """Take the first function of several that a value may be."""
    settled = assumed(value)[0] if value is not None else None
    if isinstance(settled, PyFunction | Method | Alternatives):
        value = settled
    if isinstance(value, Alternatives):
        inner = (callable_of(each) for each in value.values)
        return next(
            (each for each in inner if isinstance(each, PyFunction | Method) or tool_values.is_tool(each)), value
        )
    return value


def _add_tool(run: "Evaluator", server: PyInstance | None, arguments: CallArguments) -> Value | None:
    first = callable_of(arguments.get("fn", 0) or arguments.get("tool", 0))
    if first is None:
        return None
    names = ("fn", "name", "title", "description", "annotations")
    keywords = {**dict(zip(names[1:], arguments.positional[1:], strict=False)), **arguments.keywords}
    register(run, server, first, keywords, arguments)
    return first


def decorate(run: "Evaluator", decorator: Decorator, arguments: CallArguments) -> Value:
    """Apply a decorator to what it is called with."""
    target = arguments.positional[0] if arguments.positional else PyUnknown("nothing decorated", arguments.span)
    if decorator.does == "tool":
        server = decorator.subject if isinstance(decorator.subject, PyInstance) else None
        register(run, server, target, decorator.keywords, arguments, is_marking=True)
    elif decorator.does == "list" and isinstance(decorator.subject, PyInstance) and arguments.scope is not None:
        run.listings.append((decorator.subject, target, run.conditions, arguments.scope.module))
    elif decorator.does == "call":
        run.callings.append(target)
    elif decorator.does == "mark" and isinstance(target, PyFunction):
        target.attributes[TOOL_MARK] = Const(True, arguments.span)
        target.attributes |= {f"tool.{name}": value for name, value in decorator.keywords.items()}
    elif decorator.does == "mixin" and isinstance(target, PyFunction):
        mixins.mark(target, decorator)
    elif decorator.does == "wraps" and isinstance(target, PyFunction):
        return signatures.standing_in(target, callable_of(decorator.subject))
    return target


def register(
    run: "Evaluator",
    server: PyInstance | None,
    target: Value,
    keywords: dict[str, Value],
    arguments: CallArguments,
    *,
    is_marking: bool = False,
) -> None:
    """Keep a tool that is handed to a server; a call `is_marking` if what a free `@tool` noted before counts no more."""
    if arguments.node is None or arguments.scope is None:
        return
    definition = None
    changed = target if isinstance(target, PyInstance) and target.path == tool_values.TOOL else None
    made_of = changed.attributes.get(tool_values.MADE_OF) if changed is not None else None
    target = made_of if made_of is not None else target
    if tool_values.is_made(target):
        assert isinstance(target, PyInstance)
        keywords = {**dict(zip(("name",), target.args[1:], strict=False)), **target.keywords, **keywords}
        target = callable_of(target.argument("fn", 0)) or target
    elif is_tool_object(target):
        definition = target if isinstance(target, PyInstance) else None
    keywords = keywords if is_marking else {**_mark(target), **keywords}
    under = (*run.conditions, *revisions.disabling(keywords))
    made = Registration(server, target, keywords, arguments.node, arguments.scope.module, under, definition)
    if changed is not None and isinstance(made_of, PyInstance):
        made.value, made.before = changed, tool_values.original(made_of)
    run.register(made)


def as_tool(run: "Evaluator", made: PyInstance) -> PyInstance | None:
    """Return the tool that `Tool.from_function(...)` makes as an object, for code that looks into it before it adds it."""
    kept = tool_values.original(made)
    if kept is not None:
        return kept
    function = callable_of(made.argument("fn", 0))
    if not isinstance(function, PyFunction | Method) or run.read_tool is None:
        return None
    node = function.node if isinstance(function, PyFunction) else function.function.node if function.function else None
    owner = function if isinstance(function, PyFunction) else function.function
    if node is None or owner is None:
        return None
    server = PyInstance(External(SERVERS[made.path.startswith("fastmcp.")], made.span), [], {}, made.span)
    keywords = {**dict(zip(("name",), made.args[1:], strict=False)), **made.keywords}
    tool = run.read_tool(Registration(server, function, {**_mark(function), **keywords}, node, owner.scope.module, ()))
    return tool_values.of_made(run, made, tool) if isinstance(tool, Tool) else None


SERVERS = {True: "fastmcp.FastMCP", False: "mcp.server.mcpserver.MCPServer"}
"""The server class whose rules hold for a tool object, by whether it is one of fastmcp."""


def _mark(target: Value) -> dict[str, Value]:
    """Return what fastmcp's free `@tool` noted on a function, or on what it wraps."""
    layer = target.function if isinstance(target, Method) else target if isinstance(target, PyFunction) else None
    marks: dict[str, Value] = {}
    while layer is not None:
        marks = {**{name[5:]: value for name, value in layer.attributes.items() if name.startswith("tool.")}, **marks}
        layer = layer.wraps
    return marks


def _build_mount(run: "Evaluator", parent: PyInstance, arguments: CallArguments) -> Value:
    """Take `mount(server, prefix=)`, `mount(prefix, server)`, `mount(server, namespace=)` and `import_server(...)`."""
    given = [*arguments.positional, *(arguments.keywords[name] for name in ("server",) if name in arguments.keywords)]
    child_server = next((each for each in given if isinstance(each, PyInstance) and is_server(each)), None)
    prefix = next((arguments.keywords[name] for name in ("namespace", "prefix") if name in arguments.keywords), None)
    if prefix is None:
        prefix = next((each for each in arguments.positional if not isinstance(each, PyInstance)), None)
    if child_server is not None:
        child = run.same_server.get(id(child_server), child_server)
        renames = arguments.keywords.get("tool_names")
        keep(run.mounts, Mount(parent, child, arguments.span, prefix, renames, run.conditions))
    return Const(None, arguments.span)


COMPOSING: dict[str, Callable[["Evaluator", PyInstance, CallArguments], Value]] = {
    **dict.fromkeys(("mount", "import_server"), _build_mount),
    "add_provider": providers.add,
    "wrap_transform": providers.wrapped,
}
"""The methods that make the tools of one object those of another."""


def stand_in(annotation: Value | None) -> PyInstance | None:
    """Return an object for a parameter that is annotated with a server or a class of the project.

    It lets a function be evaluated that nobody was seen to call.
    """
    if not isinstance(annotation, External | PyClass):
        return None
    span = annotation.span if isinstance(annotation, External) else annotation.scope.module.span(annotation.node)
    return (
        PyInstance(annotation, [], {}, span, open=True)
        if isinstance(annotation, PyClass) or is_server(PyInstance(annotation, [], {}, span))
        else None
    )
