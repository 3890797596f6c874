"""fastmcp's `MCPMixin`: classes that mark methods as tools and hand all of them to a server at once."""

from reviewer.languages.python.declarations.registering import register
from reviewer.languages.python.declarations.sdks import is_server
from reviewer.languages.python.evaluation import introspection, names
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.signatures import find_assigned_attribute
from reviewer.languages.python.evaluation.values import (
    CallArguments,
    Const,
    Decorator,
    External,
    Method,
    PyClass,
    PyFunction,
    PyInstance,
    PyItems,
    PyMapping,
    PyUnknown,
    PyValue,
    assume_default,
    mark_assumed,
    to_text,
)
from reviewer.source import Opaque

MARK = "_mcp_tool_registration"
"""Where fastmcp keeps on a method what `@mcp_tool(...)` says of its tool."""
MARKED = ("name", "description", "tags", "annotations", "exclude_args", "serializer", "meta", "enabled")
"""The parameters of `mcp_tool` in their order."""
OF_MIXIN = "of a mixin"
"""Among the keywords of a registration: that a mixin made it."""
# fastmcp's methods that register all marked methods; those for resources and prompts alone add no tool.
HANDING = ("register_all", "register_tools")
OWN = {"BulkToolCaller": "`call_tools_bulk` and `call_tool_bulk`"}
"""Mixins that fastmcp itself exports, and what they register."""


def is_mark(path: str) -> bool:
    """Return whether a path names fastmcp's `mcp_tool`."""
    return path.startswith("fastmcp.contrib.mcp_mixin.") and path.endswith(".mcp_tool")


def build_mark(callee: External, arguments: CallArguments) -> PyValue:
    """Take `@mcp_tool(...)`, which marks a method for a later `register_all`."""
    keywords = {**dict(zip(MARKED, arguments.positional, strict=False)), **arguments.keywords}
    return Decorator("mixin", callee, keywords, arguments.span)


def mark(target: PyFunction, decorator: Decorator) -> None:
    """Note on a method what its tool is told to be."""
    span = decorator.span
    entries: list[tuple[PyValue, PyValue]] = [(Const(name, span), each) for name, each in decorator.keywords.items()]
    target.attributes[MARK] = PyMapping(entries, span)


def call_method(run: Evaluator, method: Method, arguments: CallArguments) -> PyValue | None:
    """Take `register_all(server, prefix=)` and `register_tools(server, prefix=, separator=)`; None if it is something else."""
    if method.name not in HANDING:
        return None
    given = arguments.get("mcp_server", 0)
    server = assume_default(given)[0] if given is not None else None
    holder = assume_default(method.receiver)[0]
    if not isinstance(server, PyInstance) or not is_server(server) or not isinstance(holder, PyInstance):
        return None
    kept = run.same_server.get(id(server), server)
    if isinstance(holder.made_by, External) and holder.made_by.name in OWN and holder.path.startswith("fastmcp."):
        reason = f"{OWN[holder.made_by.name]} come from `{holder.made_by.name}` of fastmcp"
        run.unlisted.append((kept, Opaque(reason, arguments.span)))
    elif not _is_mixin(holder):
        return None
    elif method.name == "register_tools":
        _hand_over(run, holder, kept, arguments)
    else:
        _hand_over_all(run, holder, kept, arguments)
    return Const(None, arguments.span)


def _is_mixin(holder: PyInstance) -> bool:
    bases = holder.made_by.list_external_bases() if isinstance(holder.made_by, PyClass) else []
    return any(base.startswith("fastmcp.") and base.endswith(".MCPMixin") for base in bases)


def _hand_over_all(run: Evaluator, holder: PyInstance, server: PyInstance, arguments: CallArguments) -> None:
    """Call `register_tools` as `register_all` does: that of the project, where its class has one of its own."""
    handed = {"prefix": arguments.get("prefix", 1), "separator": arguments.get("tool_separator", 2)}
    keywords = {name: value for name, value in handed.items() if value is not None}
    inner = CallArguments([server], keywords, arguments.span, node=arguments.node, scope=arguments.scope)
    run.call(names.resolve_attribute(run, holder, "register_tools", arguments.span), inner)


def _hand_over(run: Evaluator, holder: PyInstance, server: PyInstance, arguments: CallArguments) -> None:
    """Register the marked methods of an object, in their order as `dir` gives them."""
    held = introspection.evaluate_dir(run, CallArguments([holder], {}, arguments.span))
    for name in held.items if isinstance(held, PyItems) else ():
        found = names.resolve_attribute(run, holder, str(to_text(name)), arguments.span)
        function = found.function if isinstance(found, Method) else found
        said = find_assigned_attribute(function, MARK) if isinstance(function, PyFunction) else None
        if isinstance(function, PyFunction) and isinstance(said, PyMapping):
            keywords = {str(key.value): each for key, each in said.entries if isinstance(key, Const)}
            keywords["name"] = _build_tool_name(keywords.get("name"), function, arguments)
            keywords[OF_MIXIN] = Const(True, said.span)
            with run.with_conditions(*function.conditions):
                register(run, server, found, keywords, arguments, is_marking=True)


def _build_tool_name(written: PyValue | None, function: PyFunction, arguments: CallArguments) -> PyValue:
    """Return the name of a tool: that of the mark or of the method, after the prefix and what parts the two."""
    parts: list[str] = []
    reasons: list[str] = []
    span = arguments.span
    own = written if written is not None and not _is_empty(written) else Const(function.unwrap().name, span)
    for given in (arguments.get("prefix", 1), arguments.get("separator", 2) or Const("_", span), own):
        value, reason = assume_default(given) if given is not None else (Const(None, span), None)
        text = "" if _is_empty(value) else to_text(value)
        if text is None:
            return value if isinstance(value, PyUnknown) else PyUnknown("it is known at run time only", span)
        parts.append(str(text))
        reasons += [reason] if reason is not None else []
    made = Const("".join(parts) if parts[0] else parts[2], getattr(own, "span", span))
    return mark_assumed(reasons[0], span, made) if reasons else made


def _is_empty(value: PyValue) -> bool:
    """Return whether a value is None or an empty text."""
    return isinstance(value, Const) and not value.value
