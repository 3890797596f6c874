"""Where a guard filters by the `fields` that a client asks for and takes `"*"` for the name of one."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from reviewer.behaviour.fields.asked_fields import collect_call_path
from reviewer.behaviour.results.projections import Choosing
from reviewer.behaviour.values.entry_points import CallHandler, EntryPoints
from reviewer.code import ir
from reviewer.code.calls import RECURSION
from reviewer.code.events import Trace
from reviewer.code.ir import Code, collect_names
from reviewer.code.values import Value
from reviewer.facts import Guard
from reviewer.source import Text

ALL = "*"


def iter_unstarred_tests(
    functions: EntryPoints, takers: Sequence[CallHandler], guards: Iterable[Guard]
) -> Iterator[Text]:
    """Yield the test by which each guard chooses entries, where nothing that the fields pass speaks of the star."""
    models = functions.program.models
    for guard in guards:
        code, own = functions.find_code(guard.span), functions.trace(guard.span)
        if own is None or any(each.reason != RECURSION for each in own.iter_omissions()):
            continue
        # A guard may give the fields a name that tells nothing; who hands them over knows which they are.
        near = [each for each in (*functions.iter_takers(()), *takers) if code in each.trace.collect_codes()]
        chosen = (
            text
            for taker in sorted(near, key=lambda each: each.trace.code is not code)
            for here, text, _ in Choosing(taker.trace, models).iter_choices()
            if any(each.code is code for each in collect_call_path(here))
        )
        if not any(map(_speaks, (own, *(each.trace for each in takers)))) and not any(
            map(_writes_star, own.collect_codes())
        ):
            yield from () if _is_converted(functions, takers) else islice(chosen, 1)


def _is_converted(functions: EntryPoints, takers: Sequence[CallHandler]) -> bool:
    """Return whether the star may be asked for where a value becomes another by the type that is needed, which no call names."""
    if not any(CONVERSION in collect_names(code.body) for taker in takers for code in taker.trace.collect_codes()):
        return False
    return any(
        ALL in collect_names(code.body)
        for span in functions.iter_methods("from")
        if (code := functions.find_code(span))
    )


CONVERSION = "into"
"""What a conversion in Rust is called that gives what is needed: https://doc.rust-lang.org/std/convert/trait.Into.html"""


def _speaks(trace: Trace) -> bool:
    """Return whether a function, or one that it calls, compares something with the star or looks for it, by whatever name."""
    return any(_holds_star(value) for inner in trace.list_traces() for event in inner.events for value in event.values)


def _writes_star(code: Code) -> bool:
    """Return whether the star is written in a function: within a list that something is compared with, for one."""
    parts = (
        part
        for each in ir.iter_codes(code)
        for statement in ir.iter_statements(each.body)
        for part in ir.iter_expressions(statement)
    )
    return any(isinstance(part, ir.Constant) and part.value == ALL for part in parts)


def _holds_star(value: Value, deep: int = 4) -> bool:
    """Return whether a value is the star, is made of it, or holds it as a set of it does."""
    held = (*value.operands, *(value.contents or {}).values())
    return value.text == ALL or (deep > 0 and any(_holds_star(each, deep - 1) for each in held))
