"""Work with the outside: calls that block a thread, files and databases that are changed, commands that are run, prints."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.changes import A_COLLECTION, ABOUT_CHANGE
from reviewer.facts import Act, ActKind
from reviewer.languages.nodes import child, of_kinds, parent_of, string_of
from reviewer.languages.rust.behaviour.conduct.commands import Command, commands
from reviewer.languages.rust.behaviour.conduct.reach import Stretch, is_async
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, last_segment, receiver

BLOCKING = re.compile(
    r"^(?:std::)?thread::sleep(?:_ms)?$|^reqwest::blocking::\w+$|^std::net::(?:TcpStream|UdpSocket)::connect\w*$|"
    r"^std::io::stdin$|^minreq::\w+$"
)
BRIEFLY = re.compile(
    r"^std::fs::(?:read\w*|write|copy|rename|remove_\w+|create_dir\w*|canonicalize|metadata|File::(?:open|create))$|^walkdir::WalkDir::new$"
)
WRITING = re.compile(
    r"^(?:std|tokio|async_std|fs_err)::fs::(?:write|copy|rename|File::create(?:_new)?|hard_link|set_permissions)$|^File::create(?:_new)?$"
)
DELETING = re.compile(r"^(?:std|tokio|async_std|fs_err)::fs::remove_(?:file|dir|dir_all)$|^trash::delete(?:_all)?$")
SCRATCH = re.compile(
    r"cache|te?mp|\blogs?\b|_log|\.lock|lock_|history|telemetry|metric|socket|\bpid|state", re.IGNORECASE
)
"""Paths of what a server keeps for itself."""

KEEPING = re.compile(r"cache|ledger|telemetry|usage|stats|migrat|metrics|logging|audit")
"""Files of code that keeps what a server keeps for itself."""

CHANGING = re.compile(r"^\W*(?:r#*\")?\"?\s*(INSERT|UPDATE|REPLACE|MERGE|UPSERT)\s", re.IGNORECASE)
REMOVING = re.compile(r"^\W*(?:r#*\")?\"?\s*(DELETE\s+FROM|DROP\s|TRUNCATE\s)\s", re.IGNORECASE)
EXECUTING = frozenset({"execute", "execute_batch", "query", "prepare", "exec", "batch_execute", "query_row"})
SENDING: dict[str, ActKind] = {"post": "writes", "put": "writes", "patch": "writes", "delete": "deletes"}
ASKING = re.compile(
    r"graphql|search|query|login|token|auth|rpc|completion|embed|generat|chat|rerank|find|filter|list|scan|fetch",
    re.IGNORECASE,
)
PRINTING = frozenset({"println", "print"})


def blocks(stretch: Stretch) -> Iterator[Act]:
    """Find calls that block a thread of the event loop."""
    for call in stretch.calls:
        kind = _blocks(stretch, call)
        if kind is not None and stretch.is_waiting(call):
            yield Act(kind, stretch.code.text(call))


def _blocks(stretch: Stretch, call: Node) -> ActKind | None:
    on = receiver(call)
    if on is None:
        path = stretch.path_of(call)
        if BLOCKING.match(path) is not None or path in (
            "futures::executor::block_on",
            "pollster::block_on",
            "async_std::task::block_on",
        ):
            return "blocks"
        return "blocks briefly" if BRIEFLY.match(path) is not None else None
    if called(call) == "block_on" and stretch.placed(call) != "thread":
        return None if _is_on_its_own(on) else "blocks"
    if called(call) == "call" and string_of(on).lstrip().startswith("ureq::"):
        return "blocks"
    return None


def _is_on_its_own(runtime: Node) -> bool:
    """Tell whether code without `async` blocks on a runtime that it makes itself, which no thread of an event loop can."""
    found = origin(runtime) if runtime.type == "identifier" else None
    made = found is not None and any(re.search(r"\bRuntime::new\b|\bBuilder::new_", string_of(v)) for v in found.values)
    around = runtime.parent
    while made and around is not None and around.type != "function_item":
        if around.type == "async_block" or (around.type == "closure_expression" and is_async(around)):
            return False
        around = parent_of(around)
    return made and around is not None and not is_async(around)


def commanded(stretch: Stretch) -> Iterator[Act]:
    """Find the commands: those that block, those that are run, those that go on after the call."""
    for each in commands(stretch):
        yield from _of_command(stretch, each)


def _of_command(stretch: Stretch, command: Command) -> Iterator[Act]:
    for end in command.ends:
        if not command.waits_async and called(end) != "spawn" and stretch.is_waiting(end):
            yield Act("blocks", stretch.code.text(end))
        if command.waits_async and not command.killed and stretch.placed(end) == "call":
            yield Act("outlives", stretch.code.text(end), about=stretch.code.text(command.start))
    if command.ends and command.changes:
        yield Act("runs", stretch.code.text(command.start))


def prints(stretch: Stretch) -> Iterator[Act]:
    """Find what is written to the standard output."""
    for macro in stretch.code.of("macro_invocation"):
        name = last_segment(child(macro, "macro") or macro)
        inner = string_of(macro)
        if (
            (name in PRINTING and not _is_chosen(macro, inner))
            or (
                name in ("write", "writeln")
                and re.match(r"\w+!\s*[(\[{]\s*(?:&mut\s+)?(?:std::)?(?:io::)?stdout\s*\(\)", inner)
            )
            or (name in ("write", "writeln") and _is_stdout(stretch, macro, inner))
        ):
            yield Act("prints", stretch.code.text(macro))
    for call in stretch.calls:
        on = receiver(call)
        if on is not None and called(call) in ("write_all", "write", "write_fmt", "write_str") and _gives_stdout(on):
            yield Act("prints", stretch.code.text(call))


def _is_chosen(macro: Node, written: str) -> bool:
    """Tell whether another branch writes the same to the standard error: code chooses where it goes."""
    around = macro.parent
    while around is not None and around.type not in ("function_item", "closure_expression"):
        if around.type in ("match_expression", "if_expression"):
            return f"e{written}" in string_of(around)
        around = parent_of(around)
    return False


def _is_stdout(stretch: Stretch, macro: Node, inner: str) -> bool:
    named = re.match(r"\w+!\s*[(\[{]\s*(?:&mut\s+)?(\w+)\s*,", inner)
    if named is None:
        return False
    lets = [each for each in stretch.code.of("let_declaration") if each.end_byte <= macro.start_byte]
    bound = [each for each in lets if string_of(child(each, "pattern") or each).removeprefix("mut ") == named[1]]
    value = child(bound[-1], "value") if bound else None
    return value is not None and re.search(r"\bstdout\s*\(\s*\)", string_of(value)) is not None


def _gives_stdout(on: Node) -> bool:
    if re.match(r"(?:tokio::|std::)?(?:io::)?stdout\s*\(\s*\)", string_of(on)) is not None:
        return True
    found = origin(on) if on.type == "identifier" else None
    return found is not None and any(re.search(r"\bstdout\s*\(\s*\)", string_of(value)) for value in found.values)


def changes(stretch: Stretch) -> Iterator[Act]:
    """Find what changes or removes files, rows, things behind an HTTP interface."""
    if KEEPING.search(stretch.code.path) is not None:
        return
    for call in stretch.calls:
        kind = _of_file(stretch, call) or _of_rows(call) or _of_request(stretch, call)
        if kind is not None:
            yield Act(kind, stretch.code.text(call))


def _of_file(stretch: Stretch, call: Node) -> ActKind | None:
    on = receiver(call)
    if on is not None:
        opening = called(call) == "open" and re.search(r"OpenOptions", string_of(on)) is not None
        if opening and re.search(r"\.(?:write|append|create|truncate)\s*\(\s*true", string_of(on)) is not None:
            return None if _is_scratch(call) else "writes"
        return None
    path = stretch.path_of(call)
    if DELETING.match(path) is not None:
        return None if _is_scratch(call) else "deletes"
    return "writes" if WRITING.match(path) is not None and not _is_scratch(call) else None


def _is_scratch(call: Node) -> bool:
    given = string_of(call)
    names = [part for part in arguments_of(call) for part in of_kinds(part, "rust", "identifier")]
    values = [value for each in names if (found := origin(each)) is not None for value in found.values]
    further = [each for value in values for each in of_kinds(value, "rust", "identifier")]
    values += [value for each in further if (found := origin(each)) is not None for value in found.values]
    bound = [string_of(value) for value in values]
    return any(SCRATCH.search(each) is not None for each in (given, *bound))


def _of_rows(call: Node) -> ActKind | None:
    given = arguments_of(call)
    sql = given[0] if given else None
    named = called(call) in EXECUTING and receiver(call) is not None
    function = child(call, "function")
    free = (
        function is not None
        and re.search(r"\bsqlx::query\w*(?:::<[^>]*>)?$|\bsql_query$", string_of(function)) is not None
    )
    if sql is None or not (named or free) or not sql.type.endswith("string_literal"):
        return None
    if REMOVING.match(string_of(sql)) is not None:
        return "deletes"
    return "writes" if CHANGING.match(string_of(sql)) is not None else None


def _of_request(stretch: Stretch, call: Node) -> ActKind | None:
    """Read `client.post(url)` if it is sent."""
    kind, on, given = SENDING.get(called(call) or ""), receiver(call), arguments_of(call)
    if kind is None or on is None or len(given) != 1 or _asks(given[0], kind):
        return None
    name = child(stretch.function, "name")
    if called(call) == "post" and not _tells(given[0], string_of(name) if name is not None else ""):
        return None
    of = stretch.types.of(on)
    http = of is not None and re.search(r"^(?:reqwest::)?Client(?:WithMiddleware)?$", of.text) is not None
    if not http and re.search(r"\b(?:client|http|reqwest)\b(?:\(\))?$", string_of(on)) is None:
        return None
    sent = any(called(each) == "send" for each in _after(stretch, call))
    return ("deletes" if kind == "deletes" else "writes") if sent else None


def _tells(url: Node, function: str) -> bool:
    """Tell whether the address of a request, or the function that sends it, says that something is changed."""
    written = _written(url)[1]
    return any(ABOUT_CHANGE.search(each) is not None for each in (function, *written)) or any(
        A_COLLECTION.search(each) is not None for each in written
    )


def _asks(url: Node, kind: ActKind) -> bool:
    """Tell whether a request may only ask for something: by where it goes, or because its place is handed in."""
    handed, written = _written(url)
    if handed and kind == "writes":
        return True
    return any(ASKING.search(each) is not None for each in written)


def _written(url: Node) -> tuple[bool, list[str]]:
    """Give what an address is made of, and whether it is only handed in."""
    inner = next((part for part in url.named_children), url) if url.type == "reference_expression" else url
    found = origin(inner) if inner.type == "identifier" else None
    written = [string_of(value) for value in found.values] if found is not None else [string_of(inner)]
    return inner.type == "identifier" and found is None, written


def _after(stretch: Stretch, call: Node) -> Iterator[Node]:
    for each in stretch.code.around(call):
        if each.type == "call_expression":
            yield each
        elif each.type not in ("field_expression", "await_expression", "try_expression"):
            return
