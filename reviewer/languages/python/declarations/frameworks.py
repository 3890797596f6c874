"""What the MCP frameworks' objects do: which calls make a server, hand it a tool, mount another, or start it.

Which framework a file uses is decided by what it imports, not by what is installed.
"""

from collections.abc import Callable
from dataclasses import replace

from tree_sitter import Node

from reviewer.facts import Tool
from reviewer.languages.python.declarations import generated_servers, mixins, providers, revisions, tool_values
from reviewer.languages.python.declarations.registering import find_callable, register
from reviewer.languages.python.declarations.registrations import Mount, keep
from reviewer.languages.python.declarations.sdks import is_foreign, is_server
from reviewer.languages.python.declarations.server_objects import note_server
from reviewer.languages.python.evaluation import signatures
from reviewer.languages.python.evaluation.evaluator import Evaluator
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
    PyInstance,
    PyItems,
    PyUnknown,
    PyValue,
    assume_default,
    to_text,
)

# The methods by which the servers of mcp and fastmcp take a tool, and so those of libraries that build on them.
REGISTERING = frozenset({"tool", "add_tool"})


def call_external(run: Evaluator, callee: External, arguments: CallArguments) -> PyValue | None:
    """Call what a framework exports; None if it is nothing of a framework."""
    path = callee.path
    if is_server(PyInstance(callee, [], {}, arguments.span)):
        server = PyInstance(callee, arguments.positional, arguments.keywords, arguments.span, open=arguments.open)
        note_server(run, server, arguments)
        return server
    if (generated := generated_servers.make_by_call(run, path, arguments)) is not None:
        return generated
    if mixins.is_mark(path):
        return mixins.build_mark(callee, arguments)
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


def _find_unbound(run: Evaluator, callee: External, arguments: CallArguments) -> PyValue | None:
    """Take a method that is called by the class of the server: `FastMCP.add_tool(mcp, f)`."""
    server, rest = arguments.get("self", 0), replace(arguments, positional=arguments.positional[1:])
    bound = (
        Method(server, callee.name, arguments.span) if isinstance(server, PyInstance) and is_server(server) else None
    )
    return call_method(run, bound, rest) if bound is not None else None


def _build_standalone(run: Evaluator, callee: External, arguments: CallArguments) -> PyValue:
    """Take fastmcp's free `@tool`, which marks a function for a later `add_tool`."""
    first = arguments.get("name_or_fn", 0)
    keywords = {name: value for name, value in arguments.keywords.items() if name != "name_or_fn"}
    if isinstance(first, PyFunction):
        return decorate(run, Decorator("mark", callee, keywords, arguments.span), arguments)
    if first is not None:
        keywords.setdefault("name", first)
    return Decorator("mark", callee, keywords, arguments.span)


def call_method(run: Evaluator, method: Method, arguments: CallArguments) -> PyValue | None:
    """Call a method of a server, or of something that only a run can tell and that is used like one."""
    receiver = method.receiver
    receiver = assume_default(receiver)[0]
    if isinstance(receiver, Alternatives):
        receiver = next((each for each in receiver.values if is_server(each)), receiver)
    server = (
        run.same_server.get(id(receiver), receiver)
        if isinstance(receiver, PyInstance) and is_server(receiver)
        else None
    )
    may_serve = isinstance(receiver, PyUnknown) or is_foreign(receiver)
    if server is None and not (may_serve and method.name in REGISTERING and _speaks_mcp(arguments)):
        return generated_servers.make_by_launch(run, method.name, arguments)
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
            return _find_registered_tool(run, server, arguments)
        case "remove_tool" | "disable" if server is not None:
            return revisions.note_call(run, server, method.name, arguments)
        case "run" | "run_async" | "run_http_async" if server is not None and arguments.node is not None:
            run.starts.add((arguments.span.path, arguments.node.start_byte))
            return None
        case _:
            return None


def _speaks_mcp(arguments: CallArguments) -> bool:
    return arguments.scope is not None and arguments.scope.module.speaks_mcp


def _find_tool(run: Evaluator, server: PyInstance | None, arguments: CallArguments) -> PyValue | None:
    """Take `@server.tool`, `@server.tool(...)`, `server.tool(fn, ...)` and `server.tool("name")`."""
    first = find_callable(arguments.get("", 0))
    subject: PyValue = (
        server if server is not None else PyUnknown("the server is known at run time only", arguments.span)
    )
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


def _find_registered_tool(run: Evaluator, server: PyInstance, arguments: CallArguments) -> PyValue | None:
    """Return the tool of a name that was registered before, as an object."""
    name = to_text(arguments.get("name", 0) or Const(None, arguments.span))
    for made in reversed(run.registrations):
        tool = run.read_tool(made) if made.server is server and run.read_tool is not None else None
        if isinstance(tool, Tool) and tool.name == name:
            if made.value is None:
                made.value = tool_values.build_value(run, tool)
                made.before = PyInstance(made.value.made_by, [], {}, made.value.span, dict(made.value.attributes))
            return made.value
    return None


def _add_tool(run: Evaluator, server: PyInstance | None, arguments: CallArguments) -> PyValue | None:
    first = find_callable(arguments.get("fn", 0) or arguments.get("tool", 0))
    if first is None:
        return None
    names = ("fn", "name", "title", "description", "annotations")
    keywords = {**dict(zip(names[1:], arguments.positional[1:], strict=False)), **arguments.keywords}
    register(run, server, first, keywords, arguments)
    return first


def decorate(run: Evaluator, decorator: Decorator, arguments: CallArguments) -> PyValue:
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
        return signatures.apply_wraps(target, find_callable(decorator.subject))
    return target


def _build_mount(run: Evaluator, parent: PyInstance, arguments: CallArguments) -> PyValue:
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


COMPOSING: dict[str, Callable[[Evaluator, PyInstance, CallArguments], PyValue]] = {
    **dict.fromkeys(("mount", "import_server"), _build_mount),
    "add_provider": providers.add,
    "wrap_transform": providers.wrap,
}
"""The methods that make the tools of one object those of another."""


def build_stand_in(annotation: PyValue | None) -> PyInstance | None:
    """Return an object for a parameter annotated with a server or a class of the project; else None.

    With it a function without a known caller can be evaluated.
    """
    if not isinstance(annotation, External | PyClass):
        return None
    span = annotation.span if isinstance(annotation, External) else annotation.scope.module.locate(annotation.node)
    return (
        PyInstance(annotation, [], {}, span, open=True)
        if isinstance(annotation, PyClass) or is_server(PyInstance(annotation, [], {}, span))
        else None
    )
