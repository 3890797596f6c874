"""Code that ends in a panic for some input: calls that say so, and those that need a value that may not be there."""

import re
from collections.abc import Iterator

from reviewer.behaviour.arguments.inputs import CLIENTS, find_measured, find_origin, is_given, locate_input
from reviewer.behaviour.effects.possible_changes import LOCKING
from reviewer.behaviour.failures.panicking import collect_panicking_steps
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.security.checks import (
    CheckedStep,
    asks_presence,
    iter_conditions,
    iter_parts,
    iter_test_contexts,
)
from reviewer.behaviour.values.names import split_words
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Divided, Trace
from reviewer.code.library_types import find_type_names
from reviewer.code.models import Models
from reviewer.code.primitives import LIBRARY_INTEGERS
from reviewer.code.program import Program
from reviewer.code.state import Facts, infer_failure, infer_interval, infer_presence
from reviewer.code.values import ConditionalValue, Made, Negation, Relation, Value, find_original_term, strip_negations
from reviewer.text.patterns import pattern

ARGUED = pattern(
    r"checked|validated|verified|ensured|above|\bjust\b|always|invariant|infallible|static|hard-?coded|never|impossible|"
    r"guaranteed|must contain|"
    r"unlikely|already|non-?empty|literal|constant|\bknown\b|construct|normali[sz]ed|before|can(?:no|')t fail|safe",
    re.IGNORECASE,
)
"""How the message of an `expect` is worded that says why the value is there, rather than that it should be."""

# These panic with a text that their author wrote: the argument says why it cannot happen.
ARGUING = frozenset({"expect", "expect_err"})

BY_FAULT = frozenset(
    "lock read write try_lock borrow borrow_mut get_mut into_inner join wait wait_timeout wait_while recv send try_send "
    "partial_cmp take set get_or_init get_or_try_init upgrade try_into register build acquire acquire_owned "
    "downcast downcast_ref downcast_mut write_all "
    "duration_since elapsed with_ymd_and_hms and_hms_opt from_timestamp checked_add checked_sub checked_mul checked_add_signed "
    "to_value to_string_pretty to_vec to_writer to_vec_pretty template write_str write_fmt finish flush spawn_blocking "
    "to_string new_from_slice from_static encode Runtime current_dir current_exe now".split()
)
"""Functions that fail for no input, as servers use them: if ever, by a fault of the program or of what it runs on."""

# Methods that give an element if there is one: of a sequence that is never empty they always do.
ENDS = frozenset({"next", "last", "first", "next_back"})

ASSERTING = frozenset({"assert"})
"""Macros that say what their author made sure of, if it is not what a client sends."""


def iter_panics(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the calls that may panic; `about` is the input that decides, None if that is not seen.

    Apart from them what panics by a fault of the program alone: a lock whose holder panicked, an assertion about its own state.
    """
    for each in collect_panicking_steps(trace, program):
        acts = collect_acts(each.event, program.models)
        if isinstance(each.event, Divided) or "panics on zero" in acts:
            yield from _iter_division_findings(trace, program, each)
        elif "panics on failure" in acts:
            yield from _iter_unwrap_findings(trace, program, each)
        elif "panics" in acts:
            yield from _iter_said(trace, program, each)


def _get_name(call: Called) -> str:
    return call.path.rpartition(".")[2].removesuffix("!")


def _iter_said(trace: Trace, program: Program, step: CheckedStep) -> Iterator[RunFinding]:
    """Yield a finding if a call that always panics is reached by a test of the input."""
    event = step.event
    assert isinstance(event, Called)
    if not ASSERTING.isdisjoint(split_words(str(event.text).partition("!")[0])):
        yield from _iter_assertion_findings(trace, program, step)
        return
    needed = _find_needed_value(step, program)
    if needed is not None:
        where, value = needed
        label = (
            find_origin(where.occurrence, value, program) if not _is_sure(where, value, program, absent=True) else None
        )
        if label is not None:
            yield RunFinding("panics", step.occurrence, about=locate_input(trace, event, label))
            return
    asked = (
        find_origin(step.occurrence, each, program)
        for test in _iter_tests(step)
        for each in _collect_asked_values(test)
    )
    label = next((each for each in asked if each is not None), None)
    if program.models.has_trait(event.path, "not written"):
        yield RunFinding("panics", step.occurrence, about=event.text)
    elif not program.models.has_trait(event.path, "out of reach"):
        yield RunFinding("panics", step.occurrence, about=locate_input(trace, event, label))
    elif label is not None:
        yield RunFinding("panics", step.occurrence)


def _iter_assertion_findings(trace: Trace, program: Program, step: CheckedStep) -> Iterator[RunFinding]:
    """Yield a finding for an assertion about a client's value alone, unless that value was tested before."""
    test = next((each.value for each in iter_test_contexts(step.event) if each.value is not None), None)
    if test is None or str(step.event.text).startswith("debug"):
        return
    own = {each.term for each in iter_conditions(test)}
    asked = [each for each in _collect_asked_values(test) if each.constants is None]
    if asked and all(is_given(step.occurrence, each) for each in asked):
        label = find_origin(step.occurrence, asked[0], program)
        if not any(
            step.was_asked(each, lambda told: told.term not in own and not asks_presence(told)) for each in asked
        ):
            yield RunFinding("panics", step.occurrence, about=locate_input(trace, step.event, label))
            return
    yield RunFinding("panics by fault", step.occurrence)


def _iter_tests(step: CheckedStep) -> Iterator[Value]:
    """Yield the conditions under which a function does something, the innermost first, and the last that it tested.

    Where several ways lead to an arm of a `match` no condition is told, but that was tested just before.
    """
    yield from (each.value for each in iter_test_contexts(step.event) if each.value is not None)
    yield from [test for place, test in step.timeline.tests if place < step.place][-1:]


def _collect_asked_values(test: Value) -> tuple[Value, ...]:
    """Return the values that a condition tests; for a length, the value that has it."""
    test, _ = strip_negations(test)
    match test.meaning:
        case Relation(_, left, right):
            return tuple(find_measured(each) or each for each in ((left, right) if right is not None else (left,)))
        case ConditionalValue(choosing, then, otherwise):
            return tuple(
                inner
                for each in (choosing, then, otherwise)
                if each is not test
                for inner in _collect_asked_values(each)
            )
        case Made(of=of):
            return of[:1]
    return ()


def _find_needed_value(step: CheckedStep, program: Program) -> tuple[CheckedStep, Value] | None:
    """Return the value without which control comes to a call, and where it is needed: in the `else` of `if let Ok(..) = it`."""
    innermost = next(iter_test_contexts(step.event), None)
    if innermost is not None:
        if innermost.value is None:
            return None
        test, holds = strip_negations(innermost.value, innermost.holds)
        is_absent = asks_presence(test) and not holds
        return (step, test.meaning.left) if is_absent and isinstance(test.meaning, Relation) else None
    around = step.around
    call = around.timeline.calls.get(around.event.at) if around is not None else None
    model = program.models.find_model(call.path) if call is not None else None
    if around is None or call is None or call.receiver is None or model is None or model.returns != "or call":
        return None
    return around, call.receiver


INTEGERS = frozenset(LIBRARY_INTEGERS.values())
"""Types whose division by zero is a panic; that of floats gives infinity."""


def _iter_division_findings(trace: Trace, program: Program, step: CheckedStep) -> Iterator[RunFinding]:
    """Yield a finding for a division by an argument that may be zero."""
    event = step.event
    divisor = (
        event.divisor if isinstance(event, Divided) else event.find_argument(0) if isinstance(event, Called) else None
    )
    if divisor is None:
        return
    here, source = step.occurrence.trace_source(divisor)
    is_integer = not INTEGERS.isdisjoint((*divisor.library_types, *source.library_types))
    bounds = (infer_interval(divisor, event.facts), infer_interval(source, here.event.facts))
    may_be_zero = all(each.low <= 0 <= each.high for each in bounds)
    if is_integer and may_be_zero and not step.was_asked(divisor, lambda test: not asks_presence(test)):
        label = find_origin(step.occurrence, divisor, program)
        if label is not None and label.origin in CLIENTS:
            yield RunFinding("panics", step.occurrence, about=locate_input(trace, event, label))


def _iter_unwrap_findings(trace: Trace, program: Program, step: CheckedStep) -> Iterator[RunFinding]:
    """Yield a finding for a call that needs a value which may be absent."""
    event = step.event
    assert isinstance(event, Called)
    model = program.models.find_model(event.path)
    operand = event.receiver if event.receiver is not None else event.find_argument(0)
    if operand is None or model is None or model.returns not in ("sure", "reason"):
        return
    told = event.find_argument(0 if event.receiver is not None else 1)
    if _get_name(event) in ARGUING and told is not None and ARGUED.search(told.text or "") is not None:
        return
    maker = step.find_maker(operand)
    if maker is not None and not collect_acts(maker, program.models).isdisjoint(LOCKING):
        yield RunFinding("panics by fault", step.occurrence)
    elif not _is_sure(step, operand, program, absent=model.returns == "reason"):
        label = find_origin(step.occurrence, operand, program)
        yield RunFinding("panics", step.occurrence, about=locate_input(trace, event, label))


def _is_sure(step: CheckedStep, value: Value, program: Program, *, absent: bool) -> bool:
    """Return whether a value is certainly present, or absent for no input; with `absent` the call needs it to be
    absent.
    """
    maker = step.find_maker(value)
    may_fail = maker is not None and "fails" in collect_acts(maker, program.models)
    if maker is not None and _is_infallible(maker, program):
        return True
    if (
        _is_fixed(value)
        or any(_is_group(each) for each in iter_parts(value))
        or _is_end_of_split(maker, value, program.models)
    ):
        return True
    facts = step.event.facts
    if (
        not absent
        and _is_there(value, facts)
        and not (may_fail and maker is not None and _is_there(value, maker.facts))
    ):
        return True
    if step.is_asked(value, lambda test: not asks_presence(test)):
        return True
    since = step.timeline.find_making_step(value, maker) if may_fail and maker is not None else None
    return step.is_asked(
        value,
        lambda test: asks_presence(test) and not _is_around(test, step) and not _asks_for_whole(test, value),
        since,
    )


def _asks_for_whole(test: Value, value: Value) -> bool:
    """Return whether a test only asks whether that could be got of which a value is an element: it may be empty then.

    If nothing else was asked before it was given, as by a function that fails for what is empty.
    """
    asked, made = strip_negations(test)[0].meaning, value.meaning
    if not isinstance(asked, Relation) or asked.operator != "succeeds":
        return False
    if (
        not isinstance(made, Made)
        or made.by != "element"
        or all(each.term != asked.left.term for each in iter_parts(made.of[0]))
    ):
        return False
    return all(
        all(map(_may_be_of_presence, iter_conditions(each.meaning.test)))
        if isinstance(each.meaning, ConditionalValue)
        else not each.ways
        for each in iter_parts(asked.left)
    )


def _may_be_of_presence(test: Value) -> bool:
    """Return whether a condition asks for presence alone, or is put together of others, or known."""
    term = find_original_term(test.term)
    is_shortened = test.meaning is None and isinstance(term, tuple) and term[:1] in (("succeeds",), ("present",))
    is_made = isinstance(test.meaning, ConditionalValue | Negation) or test.constants is not None
    return asks_presence(test) or is_shortened or is_made


def _is_around(test: Value, step: CheckedStep) -> bool:
    """Return whether something is done in a branch of a test."""
    return any(each.value is not None and each.value.term == test.term for each in iter_test_contexts(step.event))


def _is_there(value: Value, facts: Facts) -> bool:
    return infer_presence(value, facts) is True or infer_failure(value, facts) is False


def _is_infallible(call: Called, program: Program) -> bool:
    """Return whether a call fails for no input."""
    acts = collect_acts(call, program.models)
    if _get_name(call) in BY_FAULT or not acts.isdisjoint({"locks", "locks task", "serialises"}):
        return True
    if not find_type_names("set once").isdisjoint(call.path.split(".")):
        return True
    given = call.values
    is_outside = bool(program.models.get_model(call.path).labels)
    if not given:
        return not is_outside and not call.path.rpartition(".")[2].startswith(READING)
    return not is_outside and all(map(_is_fixed, given))


READING = ("read", "load", "fetch")
"""How functions are called that fetch something from outside, which may be missing there, though they take no argument."""


def _is_fixed(value: Value) -> bool:
    """Return whether a value is made of constants alone."""
    if value.constants is not None:
        return True
    made = value.meaning.of if isinstance(value.meaning, Made) and not value.labels else ()
    return bool(made) and all(map(_is_fixed, made))


def _is_group(value: Value) -> bool:
    """Return whether a value is made of the groups of a pattern, which has made sure of how they are."""
    return isinstance(value.meaning, Made) and value.meaning.by.rpartition(".")[2].startswith("captures")


def _is_end_of_split(maker: Called | None, value: Value, models: Models) -> bool:
    return "one or more" in models.get_maker_model(value).traits and (maker is None or _get_name(maker) in ENDS)
