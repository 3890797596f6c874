"""What a handler does besides answering: calls that block its event loop, texts that go to the standard output."""

import re
from collections.abc import Callable, Iterator

from reviewer.behaviour.answer_size.overflows import iter_lost_overflows
from reviewer.behaviour.arguments.missed_cases import iter_missed_cases
from reviewer.behaviour.arguments.replaced_inputs import iter_replaced_inputs
from reviewer.behaviour.arguments.sibling_calls import iter_left_out_arguments
from reviewer.behaviour.concurrency.cancellation import iter_swallowed_cancellations
from reviewer.behaviour.concurrency.dropping import iter_dropped_commands
from reviewer.behaviour.concurrency.endless import is_over_at_once, is_short, was_ended
from reviewer.behaviour.concurrency.held_locks import iter_held_locks
from reviewer.behaviour.concurrency.lifetimes import iter_left_tasks
from reviewer.behaviour.concurrency.long_loops import iter_long_loops
from reviewer.behaviour.concurrency.never_ended import iter_never_ended
from reviewer.behaviour.concurrency.polling import iter_forgotten_tokens, iter_loops_ignoring_cancellation
from reviewer.behaviour.concurrency.processes import iter_outliving_commands
from reviewer.behaviour.concurrency.unreachable_work import iter_unreachable_work
from reviewer.behaviour.concurrency.waiting import iter_long_waits, iter_silent_calls
from reviewer.behaviour.effects.changes import deletes, may_request, prepares, writes
from reviewer.behaviour.effects.commands import runs
from reviewer.behaviour.effects.memory import iter_memory_changes
from reviewer.behaviour.effects.possible_changes import iter_possible_changes
from reviewer.behaviour.effects.temporaries import iter_left_files
from reviewer.behaviour.failures.empties import iter_errors_for_nothing
from reviewer.behaviour.failures.error_boundaries import iter_told_exceptions
from reviewer.behaviour.failures.exceptions import iter_protocol_errors, iter_raised
from reviewer.behaviour.failures.failure_answers import iter_limits_without_wait, iter_misfitting_answers
from reviewer.behaviour.failures.impossible_calls import iter_impossible_calls
from reviewer.behaviour.failures.indexes import iter_indexes
from reviewer.behaviour.failures.leaks import iter_leaked_paths
from reviewer.behaviour.failures.left_out import iter_left_out
from reviewer.behaviour.failures.lost_causes import iter_untold_failures
from reviewer.behaviour.failures.lost_reasons import iter_dropped_reasons
from reviewer.behaviour.failures.needed import iter_needed_arguments
from reviewer.behaviour.failures.never_awaited import iter_never_awaited
from reviewer.behaviour.failures.panics import iter_panics
from reviewer.behaviour.failures.slices import iter_slices
from reviewer.behaviour.failures.successes import iter_false_successes
from reviewer.behaviour.failures.untested_errors import iter_untested_errors
from reviewer.behaviour.findings import Analysis, RunFinding
from reviewer.behaviour.paging.page_totals import iter_page_totals
from reviewer.behaviour.results.reprs import iter_language_reprs
from reviewer.behaviour.results.rows import iter_unbounded_rows, runs_clients_statement
from reviewer.behaviour.results.unescaped import iter_unescaped_texts
from reviewer.behaviour.results.whole import WHOLE, iter_whole_answers
from reviewer.behaviour.security.credential_leaks import iter_leaked_credentials
from reviewer.behaviour.security.logged_credentials import iter_logged_credentials
from reviewer.behaviour.serving.ended_servers import iter_ended_servers
from reviewer.behaviour.values.callers import find_run_start
from reviewer.code import ir
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Context, Entered, Event, Occurrence, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.models import Models
from reviewer.code.program import Program, find_once
from reviewer.code.state import infer_interval
from reviewer.code.values import Instance, Library, Negation
from reviewer.facts import Act, ActKind
from reviewer.source import Text
from reviewer.text.patterns import pattern

Test = Callable[[Occurrence, frozenset[str], Models], bool]
"""A test whether a call is an act of a kind, by the acts of the call's model."""


def iter_effects(
    trace: Trace, program: Program, kinds: frozenset[ActKind], within: Site | None = None
) -> Iterator[Act]:
    """Yield the acts of some kinds, each expression once; `within`, only those that a part of the function leads to."""
    seen: set[tuple[ActKind, object]] = set()
    for kind, each, text, about in _collect_found(trace, program, kinds):
        text = text if text is not None else each.event.text
        key = (kind, (text.span, about))
        through = _find_way(within, each) if key not in seen else None
        if through is not None:
            seen.add(key)
            yield Act(kind, text, through, about)


def _collect_found(trace: Trace, program: Program, kinds: frozenset[ActKind]) -> tuple[RunFinding, ...]:
    """Return the findings in a trace. One pass over it serves all kinds that are asked for."""
    return find_once(program, trace, kinds, lambda: tuple(_iter_findings(trace, program, kinds)))


def _iter_findings(trace: Trace, program: Program, kinds: frozenset[ActKind]) -> Iterator[RunFinding]:
    if not kinds.isdisjoint(TESTS):
        yield from _iter_by_call(trace, program, kinds)
    for analysis, found in ANALYSES:
        if not kinds.isdisjoint(found):
            yield from (each for each in analysis(trace, program) if each.kind in kinds)


OF_MODELS: dict[ActKind, frozenset[str]] = {
    "blocks": frozenset({"blocks", "executes sql"}),
    "holds thread": frozenset({"blocks", "executes sql"}),
    "blocks briefly": frozenset({"blocks briefly"}),
    "prints": frozenset({"prints", "begins log"}),
}
"""The kinds that only a call is whose model says so, as it says: a function without such a call need not be looked through."""


CHANGING = frozenset(
    {
        "opens file", "writes file", "makes directory", "deletes file", "changes remote", "deletes remote", "posts",
        "requests by method", "executes sql", "runs command",
    }
)  # fmt: skip
"""What a call does by which something may be changed."""


def _iter_by_call(trace: Trace, program: Program, kinds: frozenset[ActKind]) -> Iterator[RunFinding]:
    """Yield the acts that one call is by itself."""
    models = program.models
    asked = kinds & TESTS.keys()
    words = frozenset[str]().union(*(OF_MODELS[each] for each in asked if each in OF_MODELS))
    if not asked <= OF_MODELS.keys():
        words |= CHANGING

    def is_relevant(event: Entered, _: object) -> bool:
        acts = event.trace.acts
        return not acts.isdisjoint(words) or (words >= CHANGING and event.trace.leads_to(may_request, program))

    for each in trace.iter_occurrences(is_relevant, kinds=(Called,)):
        if isinstance(each.event, Called):
            acts = frozenset[str](collect_acts(each.event, models))
            for kind, test in TESTS.items():
                if kind in kinds and test(each, acts, models) and each.is_possible():
                    if kind in ("writes", "deletes"):
                        is_excused = prepares(trace, each)
                    else:
                        is_excused = kind in ("blocks", "holds thread") and was_ended(trace, each, models)
                    if not is_excused:
                        yield RunFinding(kind, each)


def _find_way(part: Site | None, occurrence: Occurrence) -> tuple[Text, ...] | None:
    """Return the calls that lead to an event from a part of the function where the run began, None if that leads not there.

    The part may stand in a block of that function which is run by a call of its own: `async move { match name { .. } }.await`.
    """
    path = occurrence.build_call_path()
    if part is None:
        return tuple(each.text for each in path)
    places = [*((each.code, each.at) for each in path), (occurrence.event.code, occurrence.event.at)]
    file = places[0][0].source.path
    first = next((n for n, (code, at) in enumerate(places) if part.holds(at) and code.source.path == file), None)
    return tuple(each.text for each in path[first:]) if first is not None else None


def is_on_event_loop(occurrence: Occurrence) -> bool:
    """Return whether something is done on the thread of the event loop: by an `async` handler, and in no thread of its own."""
    return find_run_start(occurrence).is_async and not occurrence.is_under("thread")


def _blocks(occurrence: Occurrence, acts: frozenset[str], models: Models) -> bool:
    if not is_on_event_loop(occurrence) or is_over_at_once(occurrence, acts, models):
        return False
    return _blocks_long(occurrence, acts, models)


def _holds_thread(occurrence: Occurrence, acts: frozenset[str], models: Models) -> bool:
    is_elsewhere = any(occurrence.is_under(each) for each in ("thread", "task"))
    if find_run_start(occurrence).is_async or is_elsewhere or is_short(occurrence, acts, models):
        return False
    return _blocks_long(occurrence, acts, models)


def _blocks_long(occurrence: Occurrence, acts: frozenset[str], models: Models) -> bool:
    """Return whether a call holds its thread for long: also one to a local database that runs what the client writes."""
    if "blocks" in acts:
        return not _is_brief(occurrence, acts)
    return {"blocks briefly", "executes sql"} <= acts and runs_clients_statement(occurrence, models)


BRIEF = 0.1
"""Seconds of a sleep that is too short to be noticed."""


def _is_brief(occurrence: Occurrence, acts: frozenset[str]) -> bool:
    assert isinstance(occurrence.event, Called)
    time = occurrence.event.find_argument(0, "seconds", "secs")
    return "sleeps" in acts and time is not None and infer_interval(time, occurrence.event.facts).high < BRIEF


def _blocks_briefly(occurrence: Occurrence, acts: frozenset[str], _models: Models) -> bool:
    return "blocks briefly" in acts and is_on_event_loop(occurrence)


def prints(occurrence: Occurrence, acts: frozenset[str], models: Models) -> bool:
    """Return whether a call writes to the standard output, for every client to see."""
    return (
        ("prints" in acts or ("begins log" in acts and _prints_log(occurrence, models)))
        and not any(_redirects(each, models) for each in occurrence.iter_circumstances())
        and not any(_puts_another(each.event, models) for each in occurrence.iter_outwards())
        and not any(_is_for_developers(each, occurrence.event.code) for each in occurrence.event.iter_outwards())
        and not any(_may_mute(occurrence, each) for each in occurrence.event.iter_outwards())
    )


def _prints_log(occurrence: Occurrence, models: Models) -> bool:
    """Return whether a log is begun by several parts, of which one would print if it was begun by itself."""
    event = occurrence.event
    assert isinstance(event, Called)
    held = (event.receiver.contents or {}).values() if event.receiver is not None else ()
    kinds = (each.of for value in held for each in value.things if isinstance(each, Instance))
    alone = (models.find_model(f"{kind.path}.init") for kind in kinds if isinstance(kind, Library))
    return any(each is not None and "prints" in each.acts for each in alone)


def _redirects(circumstance: Context, models: Models) -> bool:
    """Return whether what is printed inside goes elsewhere: `with redirect_stdout(..)`."""
    things = circumstance.value.things if circumstance.condition == "manager" and circumstance.value is not None else ()
    made = (
        models.find_model(each.of.path)
        for each in things
        if isinstance(each, Instance) and isinstance(each.of, Library)
    )
    return any(each is not None and "redirects output" in each.acts for each in made)


def _puts_another(event: Event, models: Models) -> bool:
    """Return whether code puts something else in the place of the standard output before a call: `sys.stdout = capture`."""
    for each in ir.iter_statements(event.code.body):
        if isinstance(each, ir.Store) and each.at.end <= event.at.start and isinstance(each.place, ir.Field):
            owner = each.place.owner
            path = f"{'.'.join(owner.path)}.{each.place.name}" if isinstance(owner, ir.Global) else ""
            if "redirects output" in models.get_model(path).acts:
                return True
    return False


FOR_DEVELOPERS = pattern(r"debug|verbos|trac(?:e|ing)\b", re.IGNORECASE)
"""A condition that somebody sets who looks for faults, and no client."""


def _is_for_developers(circumstance: Context, code: Code) -> bool:
    """Return whether a branch runs only for debugging, `if VERBOSE:`, and depends on no argument of a client."""
    test = circumstance.value if circumstance.condition == "test" and circumstance.holds else None
    return (
        test is not None
        and not isinstance(test.meaning, Negation)
        and not any(each.origin in ("argument", "parameter") for each in test.labels)
        and FOR_DEVELOPERS.search(code.extract_text(circumstance.at)) is not None
    )


MUTING = pattern(r"quiet|silent|mute", re.IGNORECASE)
"""A condition by which a server that speaks on the standard output keeps code from printing."""


def _may_mute(occurrence: Occurrence, circumstance: Context) -> bool:
    """Return whether a test checks a flag that silences code and is not known to be off."""
    test = circumstance.value if circumstance.condition == "test" else None
    if test is None or MUTING.search(occurrence.event.code.extract_text(circumstance.at)) is None:
        return False
    asked = test.meaning.operand if isinstance(test.meaning, Negation) else test
    here, flag = occurrence.trace_source(asked)
    return flag.constants is None and not any(each.origin == "argument" for each in here.resolve_labels(flag))


TESTS: dict[ActKind, Test] = {
    "blocks": _blocks,
    "holds thread": _holds_thread,
    "blocks briefly": _blocks_briefly,
    "prints": prints,
    "writes": writes,
    "deletes": deletes,
    "runs": runs,
}
"""The kinds of acts that one call is by itself, with what tells them."""

ANALYSES: tuple[tuple[Analysis, frozenset[ActKind]], ...] = (
    (iter_possible_changes, frozenset({"may change"})),
    (iter_memory_changes, frozenset({"changes memory"})),
    (iter_left_tasks, frozenset({"spawns"})),
    (iter_never_ended, frozenset({"never ends"})),
    (iter_never_awaited, frozenset({"never runs", "never awaited"})),
    (iter_impossible_calls, frozenset({"cannot work"})),
    (iter_held_locks, frozenset({"holds guard", "holds unsent guard", "holds span", "holds write lock"})),
    (iter_long_waits, frozenset({"waits"})),
    (iter_silent_calls, frozenset({"tells no progress"})),
    (iter_raised, frozenset({"raises"})),
    (iter_swallowed_cancellations, frozenset({"swallows cancellation"})),
    (iter_loops_ignoring_cancellation, frozenset({"ignores cancellation"})),
    (iter_forgotten_tokens, frozenset({"ignores cancellation"})),
    (iter_unreachable_work, frozenset({"ignores cancellation"})),
    (iter_long_loops, frozenset({"ignores cancellation"})),
    (iter_protocol_errors, frozenset({"fails protocol", "is protocol's"})),
    (iter_leaked_paths, frozenset({"leaks path"})),
    (iter_leaked_credentials, frozenset({"tells credential"})),
    (iter_logged_credentials, frozenset({"logs credential"})),
    (iter_told_exceptions, frozenset({"tells exception"})),
    (iter_false_successes, frozenset({"succeeds in error"})),
    (iter_limits_without_wait, frozenset({"limits without wait"})),
    (iter_misfitting_answers, frozenset({"misfits failure"})),
    (iter_untold_failures, frozenset({"swallows failure", "claims success", "loses cause"})),
    (iter_dropped_reasons, frozenset({"drops reason"})),
    (iter_left_out, frozenset({"leaves out failed"})),
    (iter_untested_errors, frozenset({"ignores error"})),
    (iter_left_out_arguments, frozenset({"leaves out argument"})),
    (iter_missed_cases, frozenset({"misses case"})),
    (iter_page_totals, frozenset({"counts page"})),
    (iter_replaced_inputs, frozenset({"replaces unreadable"})),
    (iter_language_reprs, frozenset({"writes object"})),
    (iter_needed_arguments, frozenset({"needs argument"})),
    (iter_left_files, frozenset({"leaves temporary"})),
    (iter_unescaped_texts, frozenset({"breaks json"})),
    (iter_errors_for_nothing, frozenset({"fails empty"})),
    (iter_panics, frozenset({"panics", "panics by fault"})),
    (iter_ended_servers, frozenset({"ends server"})),
    (iter_slices, frozenset({"slices"})),
    (iter_indexes, frozenset({"indexes"})),
    (iter_lost_overflows, frozenset({"drops overflow", "says nothing of rest", "hints at rest"})),
    (iter_unbounded_rows, frozenset({"answers all rows"})),
    (iter_whole_answers, WHOLE),
    (iter_outliving_commands, frozenset({"outlives"})),
    (iter_dropped_commands, frozenset({"outlives"})),
)
"""What finds acts in all that happens, each with the kinds that it finds."""

KINDS = frozenset(TESTS).union(*(kinds for _, kinds in ANALYSES))
"""The kinds of acts that an abstract run tells."""
