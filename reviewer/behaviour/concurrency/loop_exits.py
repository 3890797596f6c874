"""How loops end: whether one goes on for ever by itself, and what it asks before it ends."""

from collections.abc import Iterator
from typing import NamedTuple

from reviewer.behaviour.concurrency.stop_signals import CheckSites
from reviewer.behaviour.progress.loops import LoopSite
from reviewer.code import ir


def goes_on_for_ever(loop: LoopSite, ineffective: CheckSites = frozenset()) -> bool:
    """Return whether nothing in a loop leaves it: it ends only with its task or its process. An `ineffective` check does not."""
    found = find_loop(loop)
    return found is not None and found.over is None and not any(True for _ in iter_exits(loop, ineffective))


def find_loop(loop: LoopSite) -> ir.Loop | None:
    """Return the statement that a loop is, None if it is no loop of the function itself."""
    return next(
        (each for each in ir.iter_statements(loop.code.body) if isinstance(each, ir.Loop) and each.at == loop.at), None
    )


class LoopExit(NamedTuple):
    """A statement by which a loop is left, with the tests in the loop on the way to it; `is_failing` where something failed."""

    at: ir.Site
    tests: tuple[ir.Expression, ...]
    is_failing: bool


def iter_exits(loop: LoopSite, ineffective: CheckSites = frozenset()) -> Iterator[LoopExit]:
    """Yield the statements that may leave a loop, but for those behind an `ineffective` check; what cannot be read may."""
    found = find_loop(loop)
    if found is not None:
        yield from _LoopExits(loop.code, ineffective).iter_exits(found.body, _LoopPath())


class _LoopPath(NamedTuple):
    """How control came to a body in a loop: by which tests, whether by a failure, and in which inner loops and blocks."""

    tests: tuple[ir.Expression, ...] = ()
    is_failing: bool = False
    inner: frozenset[ir.JumpLabel] = frozenset()


class _LoopExits:
    def __init__(self, code: ir.Code, ineffective: CheckSites) -> None:
        self._code, self._ineffective = code, ineffective

    def iter_exits(self, body: ir.Body, way: _LoopPath) -> Iterator[LoopExit]:
        for each in body:
            if _leaves(each, way):
                yield LoopExit(each.at, way.tests, way.is_failing)
            for part, on in self._iter_parts(each, way):
                yield from self.iter_exits(part, on)

    def _iter_parts(self, statement: ir.Statement, way: _LoopPath) -> Iterator[tuple[ir.Body, _LoopPath]]:
        """Yield the bodies of a statement to which control may come, but for those to which only an ineffective check leads."""
        match statement:
            case ir.If(test=test, then=then, otherwise=otherwise):
                known = _find_truth(test)
                on = way._replace(tests=(*way.tests, test), is_failing=way.is_failing or _asks_for_failure(test))
                if known is not False and not self._is_entered_by_ineffective_check(statement):
                    yield then, on
                if known is not True:
                    yield otherwise, on
            case ir.Loop(label=label) | ir.Block(label=label):
                yield from ((part, way._replace(inner=way.inner | {label})) for part in ir.iter_bodies(statement))
            case ir.Try(body=tried, catches=catches, otherwise=otherwise, always=always):
                yield from ((part, way) for part in (tried, otherwise, always))
                yield from ((each.body, way._replace(is_failing=True)) for each in catches)
            case _:
                yield from ((part, way) for part in ir.iter_bodies(statement))

    def _is_entered_by_ineffective_check(self, branch: ir.If) -> bool:
        """Return whether only an ineffective check leads into a branch: its test is one, or it begins by waiting for one."""
        first = branch.then[0] if branch.then else None
        places = [branch.test.at, *([first.at] if isinstance(first, ir.Await) else [])]
        return any(code is self._code and at.holds(check) for at in places for code, check in self._ineffective)


def _leaves(statement: ir.Statement, way: _LoopPath) -> bool:
    """Return whether a statement leaves the loop by itself; what cannot be read may."""
    match statement:
        case ir.Break(label=label):
            return label not in way.inner
        case ir.Return() | ir.Raise() | ir.Yield():
            return True
    return any(isinstance(part, ir.Unknown) for part in ir.iter_expressions(statement))


def _asks_for_failure(test: ir.Expression) -> bool:
    """Return whether a test only asks whether something failed, or is there: `?`, `while let Some(x)`."""
    match test:
        case ir.Not(operand=operand):
            return _asks_for_failure(operand)
        case ir.Succeeds() | ir.IsPresent():
            return True
    return False


def _find_truth(test: ir.Expression) -> bool | None:
    """Return the constant result of a test as it is written, such as `while True`; None if a run decides it."""
    match test:
        case ir.Constant(value=value):
            return bool(value)
        case ir.Not(operand=operand):
            known = _find_truth(operand)
            return None if known is None else not known
    return None
