"""What becomes of a call's work when the call is cancelled: long work that looks at no token, tasks that nobody ends."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Act
from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour.conduct.reach import Stretch
from reviewer.languages.rust.behaviour.conduct.types import Typed, declared, parameters_of

TOKEN = re.compile(r"RequestContext\s*<|\bCancellationToken\b|\bCancelToken\b")
HEEDING = re.compile(
    r"\.\s*ct\b|\bct\b|cancel|abort|shutdown|is_closed|select!|timeout\s*\(|Notify|stop_\w+|\bstop\b", re.IGNORECASE
)
SLEEPING = re.compile(r"\bsleep(?:_until)?\s*\(|\.tick\s*\(")
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
