"""What goes on when a call is over: tasks that nobody keeps, commands that nobody ends."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.programs import ABOUT_ITSELF
from reviewer.languages.nodes import child, children, of_kinds, parent_of, string_of
from reviewer.languages.python.behaviour.conduct.graph import Call, Deed, Unit
from reviewer.languages.python.literals import string_value

SPAWNING = re.compile(
    r"asyncio\.(?:create_task|ensure_future|tasks\.create_task|run_coroutine_threadsafe)"
    r"|asyncio\.(?:get_event_loop|get_running_loop|new_event_loop)\(\)\.create_task"
)
SPAWNS = frozenset({"create_task", "ensure_future", "run_coroutine_threadsafe"})
STARTING = re.compile(
    r"asyncio(?:\.subprocess)?\.create_subprocess_(?:exec|shell)|subprocess\.Popen|anyio\.open_process"
)
STARTS = frozenset({"create_subprocess_exec", "create_subprocess_shell", "Popen", "open_process"})
ENDS = re.compile(
    rb"\.(?:kill|terminate|send_signal)\(|killpg\(|os\.kill\(|taskkill|kill_\w*\(|terminate_\w*\(|_kill\w*\(|_terminate\w*\(|cleanup"
)
WAITS = re.compile(rb"\.(?:communicate|wait|read|readline)\(")
CANCELLED = re.compile(rb"CancelledError|BaseException|get_cancelled_exc_class|^except\s*:")
DETACHED = frozenset({"start_new_session", "preexec_fn", "creationflags", "process_group"})


def leaves(unit: Unit) -> Iterator[Deed]:
    """Find what a unit sets going and leaves to itself."""
    for call in unit.calls:
        if call.is_named(STARTS) and STARTING.fullmatch(unit.path(call.function)) and _outlives(unit, call):
            yield Deed("outlives", call.node)


def _outlives(unit: Unit, call: Call) -> bool:
    """Tell whether a command that the code waits for goes on when the wait is cancelled."""
    if DETACHED & call.keywords.keys() or call.in_thread or _tells_of_itself(call):
        return False
    name = _name_of(call.node)
    whole = unit.function or unit.body
    if name is None or not _is_local(unit, name) or WAITS.search(whole.text or b"") is None:
        return False
    if unit.path(call.function).endswith("Popen"):  # a plain function cannot be cancelled at all
        return unit.is_async and (
            ENDS.search(whole.text or b"") is None and b"timeout" not in (whole.text or b"") and not _in_with(call.node)
        )
    return not any(
        _ends(each) for each in of_kinds(whole, "python", "finally_clause", "except_clause")
    ) and not _in_with(call.node)


def _tells_of_itself(call: Call) -> bool:
    """Tell whether a command is asked for its version alone: `tool -v`, `["tool", "--version"]`."""
    first = command_of(call)
    parts = children(first) if first is not None and first.type in ("list", "tuple") else call.positional
    words = [word for part in parts if not part.type.endswith("splat") for word in (string_value(part) or "?").split()]
    return len(words) == 2 and words[1] in ABOUT_ITSELF


def command_of(call: Call) -> Node | None:
    """Give what is run."""
    return call.argument("args", 0) or call.keywords.get("cmd") or call.keywords.get("command")


def _ends(clause: Node) -> bool:
    """Tell whether a clause that is passed when the call is cancelled ends the command."""
    text = clause.text or b""
    passed = clause.type == "finally_clause" or CANCELLED.search(text.partition(b"\n")[0]) is not None
    return passed and ENDS.search(text) is not None


def _name_of(node: Node) -> str | None:
    """Name what a process is bound to."""
    above = node.parent
    while above is not None and above.type in ("await", "parenthesized_expression", "call", "argument_list"):
        above = parent_of(above)  # `await wait_for(create_subprocess_exec(..), 5)`
    left = child(above, "left") if above is not None and above.type == "assignment" else None
    return string_of(left) if left is not None and left.type == "identifier" else None


def _is_local(unit: Unit, name: str) -> bool:
    """Tell whether a process stays in the function: it is not returned, stored or handed on."""
    for each in of_kinds(unit.function or unit.body, "python", "identifier"):
        above = each.parent
        if string_of(each) != name or above is None:
            continue
        if above.type in (
            "return_statement",
            "argument_list",
            "pair",
            "keyword_argument",
            "list",
            "tuple",
            "expression_list",
            "yield",
        ):
            return False
        if above.type == "assignment" and child(above, "right") == each:
            return False
    return True


def _in_with(node: Node) -> bool:
    return node.parent is not None and node.parent.type in ("with_item", "as_pattern") and bool(children(node.parent))
