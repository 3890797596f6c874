"""Commands that code starts: whose type they are of, what they run, how their end is waited for."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from reviewer.behaviour.programs import ABOUT_ITSELF, SHELLS, changing
from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour.conduct.reach import Stretch
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, receiver
from reviewer.languages.rust.literals import string_value

ENDING = frozenset({"output", "status", "spawn", "wait", "wait_with_output"})


class Command(NamedTuple):
    """One command: where it is made, what starts or ends it, whether that is awaited, whether it dies with its future or soon."""

    start: Node
    ends: tuple[Node, ...]
    waits_async: bool
    killed: bool
    changes: bool


def commands(stretch: Stretch) -> Iterator[Command]:
    """Find the commands that some code makes."""
    for call in stretch.calls:
        function = child(call, "function")
        if function is None or not re.search(r"\bCommand\s*::\s*new$", string_of(function)):
            continue
        path = stretch.path_of(call)
        if not re.search(r"process|^Command::new$|async_process", path):
            continue
        chain = list(_chain(stretch, call))
        name = _bound(stretch, chain[-1] if chain else call)
        if name is not None:
            chain += [each for each in _calls_on(stretch, name) if each.start_byte > call.start_byte]
        ends = tuple(each for each in chain if called(each) in ENDING)
        waited = any(
            (above := stretch.code.above(each)) is not None and above.type == "await_expression" for each in ends
        )
        asynchronous = "tokio" in path or "async_process" in path or waited
        killed = any(_kills(each) for each in chain) or _is_kept(stretch, chain) or _tells_of_itself(chain)
        yield Command(call, ends, asynchronous, killed, _changes(stretch, call, chain))


def _kills(call: Node) -> bool:
    given = arguments_of(call)
    if called(call) == "kill_on_drop":
        return not given or string_of(given[0]) != "false"
    return called(call) in ("kill", "start_kill")


def _tells_of_itself(chain: list[Node]) -> bool:
    """Tell whether a program is asked for its version alone: `.arg("--version")`."""
    handed = [word for each in chain if called(each) in ("arg", "args") for word in _words(each)]
    return len(handed) == 1 and handed[0] in ABOUT_ITSELF


def _chain(stretch: Stretch, call: Node) -> Iterator[Node]:
    for each in stretch.code.around(call):
        if each.type == "call_expression" and receiver(each) is not None:
            yield each
        elif each.type not in (
            "field_expression",
            "reference_expression",
            "parenthesized_expression",
            "try_expression",
        ):
            return


def _bound(stretch: Stretch, last: Node) -> str | None:
    """Name what a command is bound to."""
    above = stretch.code.above(last)
    while above is not None and above.type in ("try_expression", "await_expression"):
        above = stretch.code.above(above)
    pattern = child(above, "pattern") if above is not None and above.type == "let_declaration" else None
    return string_of(pattern).removeprefix("mut ") if pattern is not None else None


def _calls_on(stretch: Stretch, name: str) -> list[Node]:
    """Return the calls on what a name stands for, and on what such calls return, in order."""
    found = set()
    for call in reversed(stretch.calls):  # what a call is on comes after it
        on = receiver(call)
        if on is not None and (on.id in found or (on.type != "call_expression" and string_of(on) == name)):
            found.add(call.id)
    return [each for each in stretch.calls if each.id in found]


def _is_kept(stretch: Stretch, chain: list[Node]) -> bool:
    """Tell whether the child process is handed on to what may kill it."""
    spawned = [each for each in chain if called(each) == "spawn"]
    for each in spawned:
        name = _bound(stretch, each)
        if name is None:
            return True
        if re.search(rf"(?<![\w.]){re.escape(name)}\s*\.\s*(?:start_)?kill\b", string_of(stretch.code.node)):
            return True
    return any(re.search(r"[Kk]ill|ChildGuard|process_group", string_of(stretch.code.node)) for _ in spawned)


def _changes(stretch: Stretch, start: Node, chain: list[Node]) -> bool:
    """Tell whether a command surely changes something, or is whatever the call says."""
    given = arguments_of(start)
    program = string_value(given[0]) if given else None
    if program is None:
        return bool(given) and stretch.sources.input(given[0]) is not None
    handed = [each for each in chain if called(each) in ("arg", "args")]
    words = tuple(word for each in handed for word in _words(each))
    if program.rpartition("/")[2] in SHELLS:
        last = arguments_of(handed[-1])[-1:] if handed else []
        if last and any(stretch.sources.input(each) is not None for each in (*last, *_elements(last[0]))):
            return True
    return changing((program, *words))


def _elements(node: Node) -> list[Node]:
    inner = node.named_children[0] if node.type == "reference_expression" and node.named_children else node
    return inner.named_children if inner.type == "array_expression" else []


def _words(call: Node) -> Iterator[str]:
    waiting = list(reversed(arguments_of(call)))
    while waiting:
        node = waiting.pop()
        value = string_value(node)
        if value is not None:
            yield value
        elif node.type in ("reference_expression", "array_expression"):
            waiting += reversed(node.named_children)
        else:
            yield ""
