"""What is left of a sequence or a text of which only the beginning is kept, and that the rest is left out."""

import re
from math import inf

from reviewer.code import ir
from reviewer.code.events import Context, Cut
from reviewer.code.layers import extend_mapping
from reviewer.code.parts import measure_length, show_value, slice_value
from reviewer.code.run import Activation, Run
from reviewer.code.state import State, infer_interval
from reviewer.code.values import Label, Made, Relation, Value, build_constant, strip_negations
from reviewer.text.numerals import parse_integer
from reviewer.text.patterns import pattern


def cut_slice(
    run: Run,
    activation: Activation,
    state: State,
    at: ir.Site,
    owner: Value,
    start: Value | None,
    end: Value | None,
    *,
    ranks: bool = False,
) -> Value:
    """Return the elements of a value from a place to before another; report it if they are its first ones and not all."""
    found = slice_value(run, state, owner, start, end)
    if end is None or (start is not None and start.constant != (int, 0)):
        return found
    label = cut(run, activation, state, at, owner, end, ranks=ranks)
    return spread_label(found, label, state) if label is not None else found


def spread_label(value: Value, label: Label, state: State) -> Value:
    """Return a value with a label that all it holds has as well."""
    labels = frozenset((label,))
    held = state.heap.get(value.term)
    if held:
        state.heap[value.term] = {key: each.with_labels(labels) for key, each in held.items()}
    return value.with_labels(labels)


def cut(
    run: Run,
    activation: Activation,
    state: State,
    at: ir.Site,
    owner: Value,
    size: Value,
    *,
    surely: bool = False,
    ranks: bool = False,
    in_place: bool = False,
) -> Label | None:
    """Report that only the first elements of a value are kept, and return the label of these; None if all may be."""
    most, length = infer_interval(size, state.facts), infer_interval(measure_length(owner, state), state.facts)
    if most.high < 1 or (length.high <= most.low and not surely):
        return None
    label = Label("cut", f"{activation.code.source.path}:{at.start}:{at.end}")
    owner = show_value(owner, state)
    event = Cut(at, activation.code, activation.context, state.facts, owner, size, label, surely, ranks, in_place)
    run.emit(event)
    return label


LIMIT = pattern(
    r"(?!.*\bdesc\b).*\bselect\b.*\b(?:limit\s+(\d+)|fetch\s+(?:first|next)\s+(\d+)\s+rows?\s+only)[\s;]*",
    re.IGNORECASE | re.DOTALL,
)
"""A statement that ends with how many rows it gives at most; the first of a descending order are what it asks for."""


def report_row_limit(
    run: Run, activation: Activation, state: State, at: ir.Site, rows: Value, statement: Value
) -> Label | None:
    """Report that a database gives no more rows than a statement says, and return their label; None if it says no number."""
    found = LIMIT.fullmatch(statement.text.strip()) if statement.text is not None else None
    most = parse_integer(found[1] or found[2]) if found is not None else None
    return cut(run, activation, state, at, rows, build_constant(most)) if most is not None else None


def shorten(
    run: Run,
    activation: Activation,
    state: State,
    at: ir.Site,
    owner: Value,
    size: Value,
    *,
    surely: bool = False,
    is_emptied: bool = False,
) -> None:
    """Let a value have at most its first elements; `surely` tells that it has no more already.

    `is_emptied` tells that it had more before, and the others were taken out one by one.
    """
    is_shorter = is_emptied or not surely
    label = cut(run, activation, state, at, owner, size, surely=surely, in_place=is_shorter)
    if is_shorter:
        separate_length(state, owner, at)
    if label is not None:
        spread_label(owner, label, state)
        for variable, value in state.variables.items():
            if value.term == owner.term:
                state.variables[variable] = value.with_labels(frozenset((label,)))
        made = owner.meaning
        if isinstance(made, Made) and isinstance(owner.term, tuple) and owner.term[:1] == ("field",):
            state.write(made.of[0], (made.by[1:],), owner.with_labels(frozenset((label,))))


def separate_length(state: State, owner: Value, at: ir.Site) -> None:
    """Let the variables that have the length of a value have one of their own: it is how long that was before.

    `let total = items.len(); items.truncate(200);` would otherwise say that the total is what is left.
    """
    length = ("length", owner.term)
    if any(value.term == length for value in state.variables.values()):
        before = ("length", owner.term, at)
        for variable, value in state.variables.items():
            if value.term == length:
                state.variables[variable] = value._replace(term=before)
        if length in state.facts:
            state.facts = extend_mapping(state.facts, {before: state.facts[length]})


def leave_at_length(run: Run, activation: Activation, state: State) -> None:
    """Cut what a loop fills or empties that is left here because that is as long as it may be.

    A loop over elements is left where so many of them were taken, any other where no more are left of something.
    """
    context = activation.context
    loop = (
        next((each for each in context.iter_outwards() if each.condition == "loop"), None)
        if context is not None
        else None
    )
    if context is None or loop is None:
        return
    if context.condition == "test" and context.value is not None:
        _leave(run, activation, state, loop, context.at, *strip_negations(context.value, context.holds))
    block = activation.blocks[-1] if activation.blocks else None
    for each in block.tests if block is not None and block.context is context else ():
        if each.value is not None:  # where any of them is otherwise, the block is not left and this is come to
            _leave(run, activation, state, loop, each.at, *strip_negations(each.value, not each.holds))


def _leave(
    run: Run, activation: Activation, state: State, loop: Context, at: ir.Site, test: Value, holds: bool
) -> None:
    """Cut what a loop fills or empties that is left by a test of its length."""
    if not isinstance(test.meaning, Relation) or test.meaning.right is None:
        return
    left, right = test.meaning.left, test.meaning.right
    is_filled, is_same = loop.value is not None, test.meaning.operator == "=="
    if is_same and not (holds and is_filled):
        return
    short, size = (left, right) if holds is not is_filled or is_same else (right, left)
    owner = _find_measured_owner(run, short)
    if not is_filled and infer_interval(size, state.facts).high == inf:
        return  # `while at < len(items)` goes through them all
    if owner is not None and test.meaning.operator in ("<", "<=", "=="):
        shorten(run, activation, state, at, owner, size, surely=True, is_emptied=not is_filled)


def _find_measured_owner(run: Run, length: Value) -> Value | None:
    """Return the value whose length or elements these are, such as the letters of a text; None if there is none."""
    made = length.meaning
    if not isinstance(made, Made) or made.by != "length":
        return None
    owner = made.of[0]
    inner = owner.meaning
    model = run.program.models.find_model(inner.by) if isinstance(inner, Made) else None
    return (
        inner.of[0]
        if isinstance(inner, Made) and inner.of and model is not None and model.returns in ("elements", "collected")
        else owner
    )


def collect_loop_cuts(context: Context | None) -> frozenset[Label]:
    """Return the labels of the cut sequences that loops around something go through: what is added there is cut as well."""
    loops = (each.value for each in context.iter_outwards() if each.condition == "loop") if context is not None else ()
    return frozenset(label for each in loops if each is not None for label in each.labels if label.origin == "cut")


PRECISION = pattern(r":?.*\.(\d+)s?")
"""How many letters of a text a format takes, or how many digits of a number."""


def apply_precision(run: Run, activation: Activation, state: State, at: ir.Site, value: Value, specifier: str) -> Value:
    """Return a value as a text that a format takes so many letters of as it says: `{text:.500}`."""
    found = PRECISION.fullmatch(specifier)
    most = parse_integer(found[1]) if found is not None else None
    label = cut(run, activation, state, at, value, build_constant(most)) if most is not None else None
    return value.with_labels(frozenset((label,))) if label is not None else value
