"""The bodies that something lies in, and the tests by which control may leave them before it comes there."""

from collections.abc import Iterator
from itertools import takewhile

from reviewer.code.events import Event
from reviewer.code.ir import Block, Body, Break, Call, If, Raise, Return, Site, Statement, bodies, statements

Nest = tuple[tuple[Statement | None, Body], ...]
"""Bodies in each other, the outermost first, each with the statement that it is of."""


def nest_of(event: Event) -> Nest:
    """Return the bodies that something lies in; none if it is no statement, as the end of a manager."""
    return _nested(event.code.body, event.at, None)


def _nested(body: Body, at: Site, owner: Statement | None) -> Nest:
    for each in body:
        if each.at == at and isinstance(each, Call | Return | Raise):
            return ((owner, body),)
        for inner in bodies(each):
            found = _nested(inner, at, each)
            if found:
                return ((owner, body), *found)
    return ()


def skipping(owner: Statement | None, body: Body, at: Site) -> Iterator[Site]:
    """Yield the tests of several by which a block is left before a place in it: what is done there is no branch of one."""
    if isinstance(owner, Block):
        for each in statements(tuple(takewhile(lambda each: each.at.end <= at.start, body))):
            breaks = (one for one in statements((each,)) if isinstance(one, Break) and one.label is owner.label)
            if isinstance(each, If) and any(True for _ in breaks):
                yield each.test.at
