"""What a server's code does beside declaring tools: transports, dispatches, guards, rescues, domain types."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import (
    Action,
    Catalog,
    Dispatch,
    DomainType,
    Field,
    Handler,
    Parameter,
    Project,
    Rescue,
    Server,
    Transport,
    TransportKind,
)
from reviewer.languages.nodes import child, children, matches, string_of
from reviewer.languages.python import exits
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.functions import fields
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.models import MODEL_BASES
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import (
    Class,
    Const,
    Instance,
    Items,
    Scope,
    Value,
    text_of_value,
    text_or_opaque,
)
from reviewer.source import Opaque, Text

TRANSPORTS: dict[str, TransportKind] = {
    "stdio": "stdio",
    "sse": "sse",
    "streamable-http": "streamable-http",
    "streamable_http": "streamable-http",
    "http": "streamable-http",
}
CALLS: dict[str, TransportKind] = {
    "stdio_server": "stdio",
    "run_stdio_async": "stdio",
    "SseServerTransport": "sse",
    "sse_app": "sse",
    "run_sse_async": "sse",
    "create_sse_app": "sse",
    "streamable_http_app": "streamable-http",
    "http_app": "streamable-http",
    "run_streamable_http_async": "streamable-http",
    "StreamableHTTPSessionManager": "streamable-http",
}
LEAKS = (b"format_exc(", b"format_exception(")
DISPATCHING = b"action"


def read(run: Evaluator, seeds: list[Module], servers: tuple[Server, ...]) -> Project:
    """Read the behaviour of the modules that declare tools."""
    catalogs = tuple(_catalogs(run))
    guards = tuple(guard for module in seeds for guard in _guards(module))
    dispatches = tuple(found for module in seeds for found in _dispatches(run, module))
    domain = catalogs or guards or dispatches
    return Project(
        servers=servers,
        transports=tuple(found for module in seeds for found in _transports(run, module)),
        catalogs=catalogs,
        dispatches=dispatches,
        rescues=tuple(found for module in seeds for found in _rescues(module)),
        domain_types=tuple(found for module in seeds for found in _domain_types(run, module)) if domain else (),
        guards=guards,
    )


SERVES = re.compile(rb"\b(run(?:_\w+)?|" + "|".join(CALLS).encode() + rb")\s*\(")


def _transports(run: Evaluator, module: Module) -> Iterator[Transport]:
    for found in SERVES.finditer(module.source.data):
        node = module.root.descendant_for_byte_range(*found.span(1))
        call = _call_of(node) if node is not None else None
        if call is None:
            continue
        name = found[1].decode()
        kind = CALLS.get(name)
        if kind is None and name in ("run", "run_async", "run_http_async"):
            kind = _asked(run, call, module)
        if kind is not None:
            yield Transport(kind, Text(string_of(call), module.span(call)))


def _call_of(name: Node) -> Node | None:
    """Give the call whose function is a name or ends in it."""
    function = name.parent if name.parent is not None and name.parent.type == "attribute" else name
    call = function.parent
    return call if call is not None and call.type == "call" and child(call, "function") == function else None


def _asked(run: Evaluator, call: Node, module: Module) -> TransportKind | None:
    """Tell the transport that a `run(...)` asks for, if the call is one of a server."""
    arguments = child(call, "arguments")
    parts = children(arguments) if arguments is not None else []
    for part in parts:
        if part.type == "keyword_argument" and string_of(child(part, "name") or part) == "transport":
            value = child(part, "value")
            return TRANSPORTS.get(string_value(value) or "") if value is not None else None
    if any(part.type == "keyword_argument" for part in parts):
        return None
    if (module.path, call.start_byte) not in run.starts:
        return None
    given = string_value(parts[0]) if parts else "stdio"
    return TRANSPORTS.get(given or "")


def _guards(module: Module) -> Iterator[Text]:
    if b"def respond" not in module.source.data:
        return
    for found in matches(module.root, "python", "guards"):
        name = found["name"]
        yield Text(string_of(name), module.span(name))


def _dispatches(run: Evaluator, module: Module) -> Iterator[Dispatch]:
    """Find functions that match on an action's name."""
    if DISPATCHING not in module.source.data:
        return
    scope = run.scope_of(module)
    for found in matches(module.root, "python", "dispatches"):
        function, name = found["function"], found["name"]
        arms = tuple(_arms(run, found["body"], scope))
        if len(arms) > 1:
            yield Dispatch(Text(string_of(name), module.span(name)), module.span(function), arms)


def _arms(run: Evaluator, body: Node, scope: Scope) -> Iterator[Handler]:
    for statement in children(body):
        if statement.type == "match_statement" and b"action" in (
            (child(statement, "subject") or statement).text or b""
        ):
            inner = child(statement, "body")
            for clause in children(inner) if inner is not None else ():
                yield from _arm(run, clause, _pattern(clause), child(clause, "consequence"), scope)
        elif statement.type == "if_statement":
            yield from _arm(run, statement, _compared(statement), child(statement, "consequence"), scope)
            for part in statement.children_by_field_name("alternative"):
                yield from _arm(run, part, _compared(part), child(part, "consequence"), scope)


def _arm(run: Evaluator, node: Node, action: Node | None, body: Node | None, scope: Scope) -> Iterator[Handler]:
    value = string_value(action) if action is not None else None
    if action is not None and value is not None and body is not None:
        yield Handler(Text(value, scope.module.span(action)), scope.module.span(node), exits.of_block(run, body, scope))


def _pattern(clause: Node) -> Node | None:
    pattern = next((part for part in children(clause) if part.type == "case_pattern"), None)
    return children(pattern)[0] if pattern is not None and children(pattern) else None


def _compared(statement: Node) -> Node | None:
    """Give the literal of `action == "..."`."""
    test = child(statement, "condition")
    if test is None or test.type != "comparison_operator" or len(children(test)) != 2:
        return None
    left, right = children(test)
    return right if string_of(left) == "action" and right.type == "string" else None


def _rescues(module: Module) -> Iterator[Rescue]:
    """Find `except` clauses that answer, and those that answer with the traceback."""
    if not any(leak in module.source.data for leak in LEAKS):
        return
    for found in matches(module.root, "python", "rescues"):
        clause = found["clause"]
        leak = next(
            (value for value in exits.returned(clause) if any(each in (value.text or b"") for each in LEAKS)), None
        )
        yield Rescue(module.span(clause), Text(string_of(leak), module.span(leak)) if leak is not None else None)


def _catalogs(run: Evaluator) -> Iterator[Catalog]:
    """Group the `ActionSpec(...)` objects by the module that holds them."""
    by_module: dict[str, list[Action]] = {}
    for made, module in run.action_specs:
        action = _action(made)
        if action is not None:
            by_module.setdefault(module.path, []).append(action)
    for path, actions in by_module.items():
        parts = path.removesuffix(".py").split("/")
        domain = parts[-1] if parts[-1] not in ("actions", "catalog", "__init__") or len(parts) == 1 else parts[-2]
        yield Catalog(domain, actions[0].span, tuple(actions))


def _action(made: Instance) -> Action | None:
    name = text_of_value(made.attributes["name"]) if "name" in made.attributes else None
    if name is None:
        return None
    destructive = made.attributes.get("destructive")
    return Action(
        name=name,
        span=made.span,
        description=text_or_opaque(made.attributes.get("description"), made.span),
        destructive=destructive.value
        if isinstance(destructive, Const) and isinstance(destructive.value, bool)
        else None,
        parameters=_parameters(made.attributes.get("params", made.attributes.get("parameters")), made),
        returns=text_or_opaque(made.attributes.get("returns"), made.span),
    )


def _parameters(value: Value | None, made: Instance) -> tuple[Parameter, ...] | Opaque:
    if value is None:
        return ()
    if not isinstance(value, Items) or value.open:
        return Opaque("the parameters are known at run time only", made.span)
    found = []
    for item in value.items:
        name = text_of_value(item)
        description: Text | Opaque | None = None
        required: bool | Opaque = True
        if isinstance(item, Instance):
            name = text_of_value(item.attributes["name"]) if "name" in item.attributes else None
            description = text_or_opaque(item.attributes.get("description"), item.span)
            given = item.attributes.get("required")
            required = given.value if isinstance(given, Const) and isinstance(given.value, bool) else True
        if name is None:
            return Opaque("the parameters are known at run time only", made.span)
        found.append(Parameter(name, getattr(item, "span", made.span), description, required))
    return tuple(found)


def _domain_types(run: Evaluator, module: Module) -> Iterator[DomainType]:
    """Give the models and dataclasses of a module."""
    for value in list(run.scope_of(module).names.values()):
        if isinstance(value, Class) and value.scope.module is module and _serialized(value):
            name = child(value.node, "name") or value.node
            parts = tuple(
                Field(
                    Text(part.name, module.span(part.node)),
                    _shown_type(string_of(part.annotation) if part.annotation is not None else ""),
                    module.span(part.node),
                    any(sign in (part.node.text or b"") for sign in (b"runcate", b"max_length")),
                )
                for part in fields(value)
            )
            yield DomainType(
                Text(value.name, module.span(name)), module.span(value.node), parts, "`Truncated` or `max_length`"
            )


def _serialized(cls: Class) -> bool:
    parent = cls.node.parent
    decorated = (
        parent is not None
        and parent.type == "decorated_definition"
        and b"dataclass" in (children(parent)[0].text or b"")
    )
    return decorated or any(base in MODEL_BASES or base.endswith(".TypedDict") for base in cls.outer_bases())


def _shown_type(annotation: str) -> str:
    text = annotation.strip()
    for prefix in ("Optional[", "typing.Optional["):
        if text.startswith(prefix):
            return text[len(prefix) : -1].strip()
    return text.removesuffix("| None").removeprefix("None |").strip()
