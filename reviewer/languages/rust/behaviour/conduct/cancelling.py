"""What becomes of a call's work when the call is cancelled: long work that looks at no token, tasks that nobody ends."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Act
from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour.conduct.reach import Stretch
from reviewer.languages.rust.behaviour.conduct.types import Typed, declared, parameters_of
from reviewer.languages.rust.callees import called

TOKEN = re.compile(r"RequestContext\s*<|\bCancellationToken\b|\bCancelToken\b")
HEEDING = re.compile(
    r"\.\s*ct\b|\bct\b|cancel|abort|shutdown|is_closed|select!|timeout\s*\(|Notify|stop_\w+|\bstop\b", re.IGNORECASE
)
SLEEPING = re.compile(r"\bsleep(?:_until)?\s*\(|\.tick\s*\(")
ENDED = re.compile(
    r"\brecv\s*\(|\.wait\s*\(|\.send\s*\(|notif|\blog|drain|forward|stream|read_line|\btx\b|\brx\b|sender|receiver|\.next\s*\(|progress|"
    r"emit|publish|telemetry|metric|cleanup|record|track|touch|warm|cache|prefetch|expire|evict|lock\(\)\.await",
    re.IGNORECASE,
)
"""Words of tasks that end by themselves soon, or with what they listen to."""

ENDLESS = frozenset({"loop_expression", "while_expression"})


def ignores_cancellation(stretch: Stretch) -> Iterator[Act]:
    """Find loops that wait again and again and look at no cancellation, in a handler that is handed one; `about` is that."""
    handed = [type_ for _, type_ in parameters_of(stretch.function) if _holds_token(stretch, type_)]
    if not handed:
        return
    for loop in stretch.code.of("loop_expression", "while_expression", "for_expression"):
        body = child(loop, "body")
        if body is None or any(each.type in ENDLESS for each in stretch.code.around(loop)) or not _is_long(body):
            continue
        if HEEDING.search(string_of(loop)) is None and not _is_raced(stretch):
            head = stretch.code.text(loop)
            yield Act("ignores cancellation", head, about=stretch.code.text(handed[0]))


def _holds_token(stretch: Stretch, type_: Node) -> bool:
    """Tell whether a type is that of a token, or of the project's and has one."""
    if TOKEN.search(string_of(type_)) is not None:
        return True
    found = declared(stretch.items, Typed(string_of(type_), stretch.code.path))
    body = child(found.node, "body") if found is not None and found.node.type == "struct_item" else None
    return body is not None and TOKEN.search(string_of(body)) is not None


def _is_long(body: Node) -> bool:
    """Tell whether a loop waits for time to pass, round after round."""
    text = string_of(body)
    if ".await" not in text:
        return False
    return SLEEPING.search(text) is not None


def _is_raced(stretch: Stretch) -> bool:
    """Tell whether the code around looks at the token, and so may drop the loop."""
    text = string_of(stretch.code.node)
    return re.search(r"\.\s*ct\b|\bcancelled\s*\(|is_cancelled|run_until_cancelled|select!", text) is not None


def spawns(stretch: Stretch) -> Iterator[Act]:
    """Find tasks whose handle nobody keeps, and whose work looks at no cancellation."""
    for call in stretch.calls:
        if called(call) not in ("spawn", "spawn_local") or stretch.placed(call) != "call":
            continue
        if not re.search(
            r"^(?:tokio::(?:task::)?)?spawn(?:_local)?$|^(?:tokio::)?task::spawn(?:_local)?$", stretch.path_of(call)
        ):
            continue
        if _is_dropped(stretch, call) and _is_work(call) and HEEDING.search(string_of(call)) is None:
            yield Act("spawns", stretch.code.text(call))


def _is_dropped(stretch: Stretch, call: Node) -> bool:
    above = stretch.code.above(call)
    if above is not None and above.type == "let_declaration":
        return string_of(child(above, "pattern") or above).startswith("_")
    return above is not None and above.type == "expression_statement" and string_of(above).endswith(";")


def _is_work(call: Node) -> bool:
    """Tell whether a task works on by itself: not one that tells somebody, or that a channel or a process ends."""
    text = string_of(call)
    return ".await" in text and ENDED.search(text) is None
