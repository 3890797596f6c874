"""The one walk over what a value holds and is made of; each analysis says what it follows."""

from collections.abc import Callable, Iterable, Iterator

from reviewer.code.values import Term, Value


def iter_reachable(values: Iterable[Value], follow: Callable[[Value], Iterable[Value]], most: int) -> Iterator[Value]:
    """Yield some values and what is reached from them, each term once and the nearest first, at most `most` of them.

    `follow` returns what is reached from a value in one step.
    """
    seen, pending = set[Term](), list(values)
    for each in pending:  # which grows as it is gone through
        if each.term in seen:
            continue
        if len(seen) >= most:
            return
        seen.add(each.term)
        yield each
        pending += follow(each)


def collect_inner(value: Value) -> tuple[Value, ...]:
    """Return the values that a value holds, is made of, or tells the truth of."""
    return (*(value.contents or {}).values(), *value.operands)


def collect_held_sources(value: Value) -> tuple[Value, ...]:
    """Return the values that a value holds, may be or was made of: not the tests that chose it."""
    return (*(value.contents or {}).values(), *value.sources)
