"""What a Python server is served on, and who may call there."""

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from reviewer.facts import Act, Entry, Lazy, Server, Transport, TransportKind
from reviewer.languages.nodes import child, children, of_kinds, string_of
from reviewer.languages.python.behaviour import credentials, startup
from reviewer.languages.python.behaviour.branches import still
from reviewer.languages.python.behaviour.following import (
    arguments,
    assigned,
    below,
    called,
    callee,
    enclosing,
    receiver,
    scope,
)
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.languages.python.possibilities import texts
from reviewer.languages.python.sdks import is_server
from reviewer.languages.python.values import Const, Instance, Value, assumed
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
    "mount_sse": "sse",
    "streamable_http_app": "streamable-http",
    "http_app": "streamable-http",
    "create_streamable_http_app": "streamable-http",
    "run_streamable_http_async": "streamable-http",
    "StreamableHTTPSessionManager": "streamable-http",
}
APPS = frozenset(name for name in CALLS if name.endswith("_app"))
RUNS = frozenset({"run", "run_async", "run_http_async"})
WAYS = frozenset({"run_sse_async", "run_stdio_async", "run_streamable_http_async"})
"""Methods that are told apart by their names, also where they are handed on and not called."""

SERVES = re.compile(rb"(?<![\w\"'])(run(?:_\w+)?|" + "|".join(CALLS).encode() + rb")\b(?=\s*[\(),])")
REFUSED = re.compile(rb"==\s*[\"']sse[\"'][^\n]*:\s*\n\s*(raise\b|sys\.exit|parser\.error|return\b)")
LOOPBACK = re.compile(r"^(127\.\d+\.\d+\.\d+|localhost|::1|\[::1\])$")
MANIFOLD = frozenset({"partial", "Thread", "Process", "to_thread", "submit", "run_in_executor"})


def transports(
    run: Evaluator, servers: tuple[Server, ...] = (), seeds: list[Module] | None = None
) -> Iterator[Transport]:
    """Find what serves on a transport; `seeds` are the modules that declare tools."""
    for module in run.modules.speaking():
        if not module.is_vendored and SERVES.search(module.source.data):
            yield from _of_module(run, module, servers, seeds or [])


def _of_module(run: Evaluator, module: Module, servers: tuple[Server, ...], seeds: list[Module]) -> Iterator[Transport]:
    entry = _entry(module, servers)
    refused = REFUSED.search(module.source.data) is not None
    for found in SERVES.finditer(module.source.data):
        name = module.root.descendant_for_byte_range(*found.span(1))
        at = _at(name) if name is not None and name.type == "identifier" else None
        if at is None or _is_own_way(at, found[1].decode()) or _is_project_s(run, at, module):
            continue
        kinds, chosen = _kinds(run, at, found[1].decode(), module)
        for kind in kinds:
            if kind != "sse" or not (chosen and refused):
                auth, local = _guarded(run, at, module) if kind == "streamable-http" else (None, None)
                text = Text(string_of(at), module.span(at))
                before = _printed(run, module, at, seeds) if kind == "stdio" else ()
                yield Transport(kind, text, auth, local, chosen, entry, before)


def _printed(run: Evaluator, module: Module, at: Node, seeds: list[Module]) -> Sequence[Act]:
    """Give what is printed before something serves; modules count that lie in the same folder or below."""
    folder = module.path.rpartition("/")[0]
    near = [each for each in seeds if each.path.startswith(f"{folder}/" if folder else "")]
    return Lazy(lambda: startup.printed_before(run, module, at, near))


def _is_own_way(call: Node, name: str) -> bool:
    """Tell whether a call serves nobody yet: a server's class handing on to itself, or an app that is made and thrown away."""
    holder = string_of(receiver(call) or call)
    thrown = call.parent is not None and call.parent.type == "expression_statement"
    return holder == "self" or holder.startswith("super(") or (thrown and name in APPS)


def _is_project_s(run: Evaluator, call: Node, module: Module) -> bool:
    """Tell whether a call enters a function of the same file which itself holds what serves, and is told of there."""
    place = callee(run, call, scope(run, module)) if called(call) in CALLS else None
    body = child(place.node, "body") if place is not None and place.module is module else None
    return body is not None and SERVES.search(body.text or b"") is not None


def _at(name: Node) -> Node | None:
    """Give the call whose function a name is, or ends; for a method that is handed on, the call that takes it."""
    function = name.parent if name.parent is not None and name.parent.type == "attribute" else name
    above = function.parent
    if above is None or (function.type == "attribute" and child(function, "attribute") != name):
        return None
    if above.type == "call" and child(above, "function") == function:
        return above
    value = above.parent if above.type == "keyword_argument" else above
    taker = value.parent if value is not None and value.type == "argument_list" else None
    if taker is None or taker.type != "call" or function.type != "attribute":
        return None
    return taker if string_of(name) in WAYS or called(taker) in MANIFOLD else None


def _kinds(run: Evaluator, at: Node, name: str, module: Module) -> tuple[list[TransportKind], bool]:
    """Tell what is served, and whether a run chooses."""
    positional, keywords = arguments(at)
    handed = called(at) != name
    asked = keywords.get("transport") or (_of_kwargs(keywords) if handed else None) or _splat(run, positional, module)
    fixed = CALLS.get(name)
    if fixed is not None and not (name == "http_app" and asked is not None):
        return [fixed], False
    if name not in RUNS and name != "http_app":
        return [], False
    if asked is None:
        return _unasked(run, at, positional, keywords, module) if not handed else ([], False)
    return _of_texts(run, asked, module, at)


def _of_texts(run: Evaluator, asked: "Node | Value", module: Module, at: Node) -> tuple[list[TransportKind], bool]:
    if not isinstance(asked, Node):
        said = assumed(asked)[0]
        kind = TRANSPORTS.get(str(said.value)) if isinstance(said, Const) else None
        return ([kind], False) if kind is not None else ([], False)
    found = texts(run, asked, module)
    possible = [text.lower() for text in found.found if still(at, asked, text)]
    kinds = sorted({TRANSPORTS[text] for text in possible if text in TRANSPORTS})
    return kinds, not found.sure


def _unasked(
    run: Evaluator, call: Node, positional: list[Node], keywords: dict[str, Node], module: Module
) -> tuple[list[TransportKind], bool]:
    """Tell what a server's `run(..)` serves on that names no transport by keyword."""
    is_known = (module.path, call.start_byte) in run.starts or _server(run, receiver(call), module) is not None
    if not is_known or any(part.type == "dictionary_splat" for part in positional):
        return [], False
    if positional:
        return _of_texts(run, positional[0], module, call)
    return ([], False) if keywords.keys() & {"host", "port", "path"} else (["stdio"], False)


def _of_kwargs(keywords: dict[str, Node]) -> Node | None:
    """Give the transport among the `kwargs={..}` that a thread is given."""
    given = keywords.get("kwargs")
    for part in children(given) if given is not None and given.type == "dictionary" else ():
        key = child(part, "key")
        if key is not None and string_value(key) == "transport":
            return child(part, "value")
    return None


def _entry_of(key: str, given: Node) -> Node | None:
    """Give the value under a key of a dict that is written out in the function, or filled there afterwards."""
    if given.type == "identifier":
        stored = _stored(key, given)
        value = assigned(string_of(given), given) if stored is None else None
        return stored if value is None or value.type == "identifier" else _entry_of(key, value)
    if given.type == "call" and string_of(child(given, "function") or given) == "dict":
        return arguments(given)[1].get(key)
    for part in children(given) if given.type == "dictionary" else ():
        name = child(part, "key")
        if name is not None and string_value(name) == key:
            return child(part, "value")
    return None


def _stored(key: str, name: Node) -> Node | None:
    """Give what the function last puts under a key before a dict is used: `settings["transport"] = ..`."""
    unit, found = enclosing(name), None
    for each in below(unit) if unit is not None else ():
        left = child(each, "left") if each.type == "assignment" and each.end_byte <= name.start_byte else None
        if left is not None and left.type == "subscript" and string_of(child(left, "value") or left) == string_of(name):
            subscript = child(left, "subscript")
            if subscript is not None and string_value(subscript) == key:
                found = child(each, "right")
    return found


def _splat(run: Evaluator, positional: list[Node], module: Module) -> "Node | Value | None":
    """Give the transport among the arguments that a call takes from a dict."""
    for part in positional:
        inner = children(part) if part.type == "dictionary_splat" else []
        written = _entry_of("transport", inner[0]) if inner else None
        if written is not None:
            return written
        value = run.value(inner[0], scope(run, module)) if inner else None
        found = getattr(value, "get", lambda _key: None)("transport") if value is not None else None
        if found is not None:
            return found  # type: ignore[no-any-return]  # of a Mapping
    return None


def _guarded(run: Evaluator, at: Node, module: Module) -> tuple[Text | Opaque | None, bool | None]:
    """Give what checks the credential of a request, and whether only this machine can send one."""
    servers = _servers(run, at, module)
    found = [credentials.of_server(run, server) for server in servers]
    found += [credentials.elsewhere(run, server, module) for server in servers]
    found += [credentials.of_call(at, module), credentials.of_module(run, module)]
    unknown = next((each for each in found if isinstance(each, Opaque)), None)
    auth: Text | Opaque | None = next((each for each in found if isinstance(each, Text)), unknown)
    hosts = _hosts(at, module)
    if auth is None and called(at) not in RUNS | WAYS and not hosts and not _starts(module):
        auth = Opaque("the application is served elsewhere", module.span(at))
    open_ended = any(part.type == "dictionary_splat" for part in arguments(at)[0]) and not hosts
    return auth, None if open_ended else _is_local(run, hosts, servers, module)


def _servers(run: Evaluator, at: Node, module: Module) -> list[Instance]:
    """Give the server that is served, or where that cannot be told those of the module, or all."""
    positional, keywords = arguments(at)
    on = receiver(at) or keywords.get("app") or keywords.get("server") or next(iter(positional[:1]), None)
    found = _server(run, on, module)
    if found is not None:
        return [found]
    near = [server for server in run.servers if server.span.path == module.path]
    return near or run.servers


def _server(run: Evaluator, node: Node | None, module: Module) -> Instance | None:
    """Give the server that a name of the module stands for."""
    value = (
        run.value(node, scope(run, module)) if node is not None and node.type in ("identifier", "attribute") else None
    )
    plain = assumed(value)[0] if value is not None else None
    return run.same_server.get(id(plain), plain) if isinstance(plain, Instance) and is_server(plain) else None


def _hosts(at: Node, module: Module) -> list[Node]:
    """Give what names the host: an argument of the call itself, or of those that serve an application in the module."""
    own = arguments(at)[1].get("host")
    if own is not None:
        return [own]
    found = []
    for each in of_kinds(module.root, "python", "call", "assignment"):
        host = arguments(each)[1].get("host") if each.type == "call" and _is_start(each) else None
        if host is not None:
            found.append(host)
        left, right = child(each, "left"), child(each, "right")
        if (
            each.type == "assignment"
            and left is not None
            and right is not None
            and string_of(left).endswith("settings.host")
        ):
            found.append(right)
    return found


def _is_start(call: Node) -> bool:
    on = receiver(call)
    return (
        on is not None
        and string_of(on) in ("uvicorn", "hypercorn", "web")
        and called(call) in ("run", "Config", "run_app")
    )


def _starts(module: Module) -> bool:
    return any(_is_start(each) for each in of_kinds(module.root, "python", "call"))


def _is_local(run: Evaluator, hosts: list[Node], servers: list[Instance], module: Module) -> bool | None:
    """Tell whether every host is the loopback interface; what no one names is, in the SDKs as in uvicorn."""
    given = [server.keywords["host"] for server in servers if "host" in server.keywords] if not hosts else []
    said = [texts(run, host, module).found for host in hosts]
    said += [
        frozenset({str(plain.value)}) if isinstance(plain := assumed(each)[0], Const) else frozenset() for each in given
    ]
    if any(text and LOOPBACK.match(text) is None for found in said for text in found):
        return False
    return True if all(found for found in said) else None


def _entry(module: Module, servers: tuple[Server, ...]) -> Entry | None:
    """Give where the calls come in that a module's transports serve: of the one server in it, beside it, or in the project."""
    found = [server.entry for server in servers if server.language == "python" and server.entry is not None]
    here = [entry for entry in found if entry.span.path == module.path]
    folder = module.path.rpartition("/")[0]
    near = [entry for entry in found if entry.span.path.rpartition("/")[0] == folder]
    for group in (here, near, found):
        if group:
            return group[0] if len(group) == 1 else None
    return None
