"""How a tool is registered: what is handed to a server becomes a `Registration`."""

from reviewer.facts import Tool
from reviewer.languages.python.declarations import revisions, tool_values
from reviewer.languages.python.declarations.registrations import Registration
from reviewer.languages.python.declarations.sdks import is_made, is_tool_object
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import (
    Alternatives,
    CallArguments,
    External,
    Method,
    PyFunction,
    PyInstance,
    PyValue,
    assume_default,
)


def find_callable(value: PyValue | None) -> PyValue | None:
    """Take the first function of several that a value may be."""
    settled = assume_default(value)[0] if value is not None else None
    if isinstance(settled, PyFunction | Method | Alternatives):
        value = settled
    if isinstance(value, Alternatives):
        inner = (find_callable(each) for each in value.values)
        return next(
            (each for each in inner if isinstance(each, PyFunction | Method) or tool_values.is_tool(each)), value
        )
    return value


def register(
    run: "Evaluator",
    server: PyInstance | None,
    target: PyValue,
    keywords: dict[str, PyValue],
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
    if is_made(target):
        assert isinstance(target, PyInstance)
        keywords = {**dict(zip(("name",), target.args[1:], strict=False)), **target.keywords, **keywords}
        target = find_callable(target.find_argument("fn", 0)) or target
    elif is_tool_object(target):
        definition = target if isinstance(target, PyInstance) else None
    keywords = keywords if is_marking else {**_collect_marks(target), **keywords}
    under = (*run.conditions, *revisions.read_enabled_conditions(keywords))
    made = Registration(server, target, keywords, arguments.node, arguments.scope.module, under, definition)
    if changed is not None and isinstance(made_of, PyInstance):
        made.value, made.before = changed, tool_values.find_original(made_of)
    run.register(made)


def as_tool(run: "Evaluator", made: PyInstance) -> PyInstance | None:
    """Return the tool that `Tool.from_function(...)` makes as an object, for code that looks into it before it adds it."""
    kept = tool_values.find_original(made)
    if kept is not None:
        return kept
    function = find_callable(made.find_argument("fn", 0))
    if not isinstance(function, PyFunction | Method) or run.read_tool is None:
        return None
    node = function.node if isinstance(function, PyFunction) else function.function.node if function.function else None
    owner = function if isinstance(function, PyFunction) else function.function
    if node is None or owner is None:
        return None
    server = PyInstance(External(SERVERS[made.path.startswith("fastmcp.")], made.span), [], {}, made.span)
    keywords = {**dict(zip(("name",), made.args[1:], strict=False)), **made.keywords}
    tool = run.read_tool(
        Registration(server, function, {**_collect_marks(function), **keywords}, node, owner.scope.module, ())
    )
    return tool_values.build_made_value(run, made, tool) if isinstance(tool, Tool) else None


SERVERS = {True: "fastmcp.FastMCP", False: "mcp.server.mcpserver.MCPServer"}
"""The server class whose rules hold for a tool object, by whether it is one of fastmcp."""


def _collect_marks(target: PyValue) -> dict[str, PyValue]:
    """Return the mark that fastmcp's free `@tool` set on a function, or on the one it wraps."""
    layer = target.function if isinstance(target, Method) else target if isinstance(target, PyFunction) else None
    marks: dict[str, PyValue] = {}
    while layer is not None:
        marks = {**{name[5:]: value for name, value in layer.attributes.items() if name.startswith("tool.")}, **marks}
        layer = layer.wraps
    return marks
