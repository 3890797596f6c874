"""Who may call a server over HTTP: arguments of the server, and the middleware that a module lays around it."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, children, of_kinds, parent_of, string_of
from reviewer.languages.python.behaviour.following import arguments, below, called, callee, enclosing, scope
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Class, Const, External, Function, Instance, bare
from reviewer.languages.vocabulary import CHECKS
from reviewer.source import Opaque, Text

ARGUMENTS = ("auth", "token_verifier", "auth_server_provider", "auth_provider")
READS = re.compile(
    r"authorization|\bbearer\b|api[-_]?key|x-[\w-]*(key|token|auth)|\b(get|headers)\w*[\[(][^)\]]*(token|secret)|HTTPBearer|APIKey\w+",
    re.IGNORECASE,
)
REFUSES = re.compile(r"\b40[13]\b|HTTP_40[13]|unauthori[sz]ed|forbidden|\braise\b|\bdeny|denied|reject", re.IGNORECASE)
PLAIN = re.compile(
    r"CORS|GZip|TrustedHost|Session|HTTPSRedirect|ProxyHeaders|Logging|Timing|RateLimit|ErrorHandling|Retry|Caching|RequestId|"
    r"CorrelationId|Prometheus|OpenTelemetry|Sentry|Brotli|ServerError|Exception|Detailed|Structured|WSGI|AuthContext"
)
SET = re.compile(rb"\.(auth|_?token_verifier|_?auth_server_provider)\s*=\s*(?!None|=)\S")
GIVEN = re.compile(rb"\b(?:" + "|".join(ARGUMENTS).encode() + rb")\s*=\s*(?!None\b|=)[^\s,)]")
CHOOSING = frozenset({"conditional_expression", "parenthesized_expression", "await"})
ADDING = frozenset({"add_middleware", "Middleware"})
PLAIN_NAMES = frozenset({"identifier", "attribute"})
TAKING = frozenset({"__call__", "handle_request"})
PASSING = re.compile(rb"\bhandle_request\s*\(|\bapp\w*\s*\(\s*scope\b")
"""What gives a request on to the application behind."""

HANDLING = frozenset({"dispatch", "backend", "dependency"})
"""Keywords by which a middleware is given what looks at the requests."""


def of_server(run: Evaluator, server: Instance) -> Text | Opaque | None:
    """Give the argument by which a server checks credentials, or what is set later where the server is made."""
    for name in ARGUMENTS:
        value = server.keywords.get(name) or server.attributes.get(name)
        if value is not None and not (isinstance(bare(value), Const) and getattr(value, "value", None) is None):
            return Text(name, server.span)
    module = run.modules.by_path.get(server.span.path)
    if module is not None and SET.search(module.source.data) is not None:
        return Opaque("it is set while the module runs", server.span)
    if module is not None and _may_be_another(run, server, module):
        return Opaque("another server that is made in its stead checks credentials", server.span)
    return Opaque("arguments that only a run can tell", server.span) if server.open else None


def _may_be_another(run: Evaluator, server: Instance, module: Module) -> bool:
    """Tell whether the same name, or the same function, gives on another way a server that checks credentials."""
    if GIVEN.search(module.source.data) is None:
        return False
    calls = of_kinds(module.root, "python", "call")
    held = next((_held(each) for each in calls if module.span(each) == server.span), None)
    return held is not None and any(_held(each) == held and _is_made_with(run, each, module) for each in calls)


def _held(call: Node) -> tuple[str, int] | None:
    """Give the name that what a call makes is assigned to, empty where it is returned, and where the function starts."""
    above, unit = call.parent, enclosing(call)
    while above is not None and above.type in CHOOSING:
        above = parent_of(above)
    start = unit.start_byte if unit is not None else -1
    if above is not None and above.type == "return_statement":
        return "", start
    target = child(above, "left") if above is not None and above.type == "assignment" else None
    return (string_of(target), start) if target is not None else None


def _is_made_with(run: Evaluator, call: Node, module: Module) -> bool:
    """Tell whether a call makes a server that checks credentials, itself or in the function of the project that it is of."""
    if any(name in ARGUMENTS and value.type != "none" for name, value in arguments(call)[1].items()):
        return True
    place = callee(run, call, scope(run, module))
    return place is not None and GIVEN.search(place.node.text or b"") is not None


def elsewhere(run: Evaluator, server: Instance, module: Module) -> Text | Opaque | None:
    """Give what checks credentials where a server is made that another module serves."""
    other = run.modules.by_path.get(server.span.path)
    if other is None or other is module:
        return None
    if b"authorization" in other.source.data.lower() and REFUSES.search(other.source.data.decode(errors="replace")):
        return of_module(run, other) or Opaque(f"`{other.path}` reads a credential", server.span)
    return of_module(run, other)


def of_call(call: Node, module: Module) -> Text | None:
    """Give the argument by which a call that serves checks credentials, or what the function around it sets for that."""
    given = [value for name, value in arguments(call)[1].items() if name in ARGUMENTS and value.type != "none"]
    unit = enclosing(call)
    set_before = SET.search(unit.text or b"") if unit is not None else None
    if set_before is not None:
        return Text(set_before[0].decode(errors="replace"), module.span(call))
    return Text(string_of(given[0]), module.span(given[0])) if given else None


def of_module(run: Evaluator, module: Module) -> Text | Opaque | None:
    """Give the middleware of a module that checks credentials, Opaque where one lies outside of the project."""
    if module.path not in run.guards:
        run.guards[module.path] = _of_module(run, module)
    return run.guards[module.path]


def _of_module(run: Evaluator, module: Module) -> Text | Opaque | None:
    unknown: Opaque | None = None
    for name, at in _laid(module):
        found = _judged(run, name, at, module)
        if isinstance(found, Text):
            return found
        unknown = unknown or found
    return next(_by_hand(run, module), unknown)


def _by_hand(run: Evaluator, module: Module) -> Iterator[Text]:
    """Find what takes the requests of an application and checks them: a class that is made around one, a function before it."""
    for each in of_kinds(module.root, "python", "call", "function_definition"):
        if each.type == "call" and called(each)[:1].isupper() and children(child(each, "arguments") or each):
            function = child(each, "function")
            value = (
                run.value(function, scope(run, module))
                if function is not None and function.type in PLAIN_NAMES
                else None
            )
            if isinstance(value, Class) and any(_takes_requests(cls.node) for cls in value.lineage()):
                if _checks(run, value.node, value):
                    yield Text(string_of(each), module.span(each))
        elif each.type == "function_definition" and PASSING.search(each.text or b"") is not None:
            name = child(each, "name")
            if (
                name is not None
                and _is_asgi(each)
                and _checks(run, each, run.lookup(string_of(name), scope(run, module), name))
            ):
                yield Text(string_of(name), module.span(name))


def _takes_requests(node: Node) -> bool:
    """Tell whether the instances of a class are called with requests, as ASGI has it."""
    return any(
        string_of(child(each, "name") or each) in TAKING and _is_asgi(each)
        for each in of_kinds(node, "python", "function_definition")
    )


def _is_asgi(function: Node) -> bool:
    listed = child(function, "parameters")
    return listed is not None and all(name in (listed.text or b"") for name in (b"scope", b"receive", b"send"))


def _laid(module: Module) -> Iterator[tuple[Node, Node]]:
    """Find what is laid around an application, each with the place where that is done."""
    for each in of_kinds(module.root, "python", "call", "decorator", "keyword_argument"):
        if each.type == "call":
            yield from _by_call(each)
        elif each.type == "decorator" and b".middleware(" in (each.text or b""):
            name = child(child(each.parent, "definition"), "name") if each.parent is not None else None
            if name is not None:
                yield name, each
        elif each.type == "keyword_argument" and string_of(child(each, "name") or each) in (
            "middleware",
            "dependencies",
        ):
            value = child(each, "value")
            for part in below(value) if value is not None else ():
                if part.type in ("identifier", "attribute") and not _is_argument(part, each):
                    yield part, each


def _is_argument(name: Node, around: Node) -> bool:
    """Tell whether a name belongs to what a middleware is given by keyword, and is not what handles the requests."""
    above = name.parent
    while above is not None and above != around:
        if above.type == "keyword_argument" and string_of(child(above, "name") or above) not in HANDLING:
            return True
        above = parent_of(above)
    return above is not None and child(around, "name") == name


def _by_call(call: Node) -> Iterator[tuple[Node, Node]]:
    positional, keywords = arguments(call)
    if called(call) in ADDING and positional:
        first = positional[0]
        yield (child(first, "function") or first) if first.type == "call" else first, call
        dispatch = keywords.get("dispatch")
        if dispatch is not None:
            yield dispatch, call
    elif _takes_an_app(call):
        function = child(call, "function")
        if function is not None:
            yield function, call


def _takes_an_app(call: Node) -> bool:
    """Tell whether a class is made around an application: `RequireToken(mcp.streamable_http_app(), key)`."""
    positional, keywords = arguments(call)
    name = called(call)
    if not name[:1].isupper() and "auth" not in name.lower():
        return False
    first = keywords.get("app") or next(iter(positional[:1]), None)
    said = string_of(first) if first is not None else ""
    return name not in ("Mount", "Starlette", "FastAPI", "Route") and ("_app" in said or said in ("app", "application"))


def _judged(run: Evaluator, name: Node, at: Node, module: Module) -> Text | Opaque | None:
    """Judge a class or a function: one of the project by its code, another by its name."""
    text = Text(string_of(at), module.span(at))
    value = run.value(name, scope(run, module)) if name.type in ("identifier", "attribute") else None
    local = _local(name) if name.type == "identifier" else None
    if local is not None or isinstance(value, Class | Function):
        node = local if local is not None else value.node if isinstance(value, Class | Function) else name
        return text if _checks(run, node, value) else None
    said = value.name if isinstance(value, External) else string_of(name).rpartition(".")[2]
    if said == "Middleware" or PLAIN.search(said):
        return None
    if CHECKS.search(said):
        return text
    return Opaque(f"`{said}` lies outside of the project", module.span(at)) if said.endswith("Middleware") else None


def _local(name: Node) -> Node | None:
    """Find a class or a function that is defined in the function around a name."""
    unit = enclosing(name)
    for each in of_kinds(unit, "python", "class_definition", "function_definition") if unit is not None else ():
        if each != unit and string_of(child(each, "name") or each) == string_of(name):
            return each
    return None


def _checks(run: Evaluator, node: Node, value: object) -> bool:
    """Tell whether code reads a credential and can refuse, what it calls in its own project included."""
    texts = [_code(node)]
    if isinstance(value, Class):
        texts += [_code(each.node) for each in value.lineage()]
    if isinstance(value, Class | Function):
        for each in of_kinds(node, "python", "call"):
            function = child(each, "function")
            if function is not None and function.type == "identifier":
                found = run.lookup(string_of(function), value.scope, function)
                texts += [_code(found.node)] if isinstance(found, Function | Class) else []
    whole = "\n".join(texts)
    return READS.search(whole) is not None and REFUSES.search(whole) is not None


def _code(node: Node) -> str:
    """Give the source of a definition without its texts of documentation."""
    body = child(node, "body")
    said = string_of(node)
    for part in children(body)[:1] if body is not None else ():
        if part.type == "expression_statement" and children(part) and children(part)[0].type == "string":
            said = said.replace(string_of(part), "", 1)
    return re.sub(r"(?m)#.*$", "", said)
