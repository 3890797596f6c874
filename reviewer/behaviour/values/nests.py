"""The bodies that something lies in, and the tests by which control may leave them before it comes there."""

from collections.abc import Iterator
from itertools import takewhile

from reviewer.code.events import Event
from reviewer.code.ir import (
    Block,
    Body,
    Break,
    Call,
    If,
    JumpLabel,
    Raise,
    Return,
    Site,
    Statement,
    iter_bodies,
    iter_statements,
)

Nest = tuple[tuple[Statement | None, Body], ...]
"""Bodies in each other, the outermost first, each with the statement that it is of."""


def find_nest(event: Event) -> Nest:
    """Return the bodies that something lies in; none if it is no statement, as the end of a manager."""
    return _find_nest_in(event.code.body, event.at, None)


def _find_nest_in(body: Body, at: Site, owner: Statement | None) -> Nest:
    for each in body:
        if each.at == at and isinstance(each, Call | Return | Raise):
            return ((owner, body),)
        for inner in iter_bodies(each):
            found = _find_nest_in(inner, at, each)
            if found:
                return ((owner, body), *found)
    return ()


def iter_skipping_tests(owner: Statement | None, body: Body, at: Site) -> Iterator[Site]:
    """Yield the tests that may leave a block before a place in it: code at the place is in no branch of a single test.

    A break that leaves it may itself be in blocks that tests leave before: `if a || b { x } else { y }` is `block L:
    (block M: (block N: if a: break N; if not b: break M); x, break L); y`.
    """
    if isinstance(owner, Block):
        for each in takewhile(lambda each: not _find_nest_in((each,), at, None), body):
            labels = _collect_left_before(each, owner.label)
            for one in iter_statements((each,)) if labels else ():
                breaks = (
                    inner for inner in iter_statements((one,)) if isinstance(inner, Break) and inner.label in labels
                )
                if isinstance(one, If) and any(True for _ in breaks):
                    yield one.test.at


def _collect_left_before(statement: Statement, label: JumpLabel) -> set[JumpLabel]:
    """Return the label of a break and of the blocks around it in a statement; none if it does not contain the break."""
    if not any(isinstance(each, Break) and each.label is label for each in iter_statements((statement,))):
        return set()
    blocks = [each for each in iter_statements((statement,)) if isinstance(each, Block)]
    return {label, *(each.label for each in blocks if _has_break(each, label) or _is_within_one(each, blocks, label))}


def _has_break(block: Block, label: JumpLabel) -> bool:
    return any(isinstance(each, Break) and each.label is label for each in iter_statements(block.body))


def _is_within_one(block: Block, blocks: list[Block], label: JumpLabel) -> bool:
    """Return whether a block stands straight in one that has the break, before that: what leaves it comes to the break."""
    return any(_has_break(each, label) and any(one is block for one in each.body) for each in blocks)
