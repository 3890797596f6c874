"""Loops that run long because of what a client sends or how much there is to read, and never check whether to stop."""

from collections.abc import Iterator

from reviewer.behaviour.concurrency.lifetimes import STOPPING
from reviewer.behaviour.concurrency.loop_exits import find_loop, iter_exits
from reviewer.behaviour.concurrency.never_ended import find_begun
from reviewer.behaviour.concurrency.stop_signals import CheckSites, collect_ineffective_checks, holds_check
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.progress.loops import Around, LoopSite, extract_first_line, iter_loops_around
from reviewer.behaviour.values.callers import find_run_start
from reviewer.code.acts import collect_acts
from reviewer.code.events import Awaited, Called, Looped, Occurrence, Tested, Trace
from reviewer.code.ir import Site
from reviewer.code.program import Program
from reviewer.code.state import infer_interval
from reviewer.code.values import Made, Relation, Term, Value, strip_negations

MANY = 100_000
"""Iterations. A loop with fewer that only calculates ends within a tenth of a second (measured in CPython 3.11)."""

SLOW_ACTS = frozenset({"reads file", "hashes", "network", "runs command", "sleeps"})
"""Acts that make an iteration over files slow. Listing is not one: 20,000 names took 0.07 s, reading those files 1.6 s."""


def iter_long_loops(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield long loops that nothing in them ends or pauses, in threads that a call waits for and on the event loop itself.

    A loop is long if a client can choose the number of its iterations, or if it reads all files of a tree.
    """
    occurrences = trace.list_occurrences(kinds=(Called, Tested, Looped, Awaited))
    sized = _find_sized(occurrences, program)
    if not sized:
        return
    ineffective = collect_ineffective_checks(trace, program)
    waited = {
        (each.event.code, each.event.at) for each in occurrences if "waits" in collect_acts(each.event, program.models)
    }
    trees = {
        LoopSite(each.event.code, each.event.at)
        for each in occurrences
        if isinstance(each.event, Looped) and _is_tree(each.event.value, program)
    }
    slow: dict[LoopSite, Around] = {}
    asking: set[LoopSite] = set()
    pausing: set[LoopSite] = set()
    for each in occurrences:
        loops = [around for around in iter_loops_around(each) if around.loop in sized]
        if not loops or holds_check(each.event.code, each.event.at, ineffective):
            continue
        if isinstance(each.event, Awaited):
            pausing.update(around.loop for around in loops)
        elif _asks(each, program):
            asking.update(around.loop for around in loops)
        elif isinstance(each.event, Called) and each.is_possible():
            for around in loops:
                if _is_slow(each.event, program, around.loop in trees):
                    slow.setdefault(around.loop, around)
    for loop, around in slow.items():
        if (
            loop not in asking
            and (loop not in trees or find_begun(around.inner) is not None)
            and _is_uninterrupted(around, frozenset(waited), loop in pausing)
            and _ends_alone(loop, sized[loop], ineffective)
        ):
            yield RunFinding("ignores cancellation", around.inner, extract_first_line(*loop))


def _find_sized(occurrences: tuple[Occurrence, ...], program: Program) -> dict[LoopSite, set[Site]]:
    """Return the loops of which the client says how many rounds they have, or that go through a tree of files; each with the
    tests that count the rounds.
    """
    made = frozenset(
        each.event.result.term
        for each in occurrences
        if isinstance(each.event, Called) and program.models.get_model(each.event.path).returns in NUMBERING
    )
    found: dict[LoopSite, set[Site]] = {}
    for each in occurrences:
        event = each.event
        if isinstance(event, Looped):
            if _is_counted_by_client(each, event.value, made) or _is_tree(event.value, program):
                found.setdefault(LoopSite(event.code, event.at), set())
        elif isinstance(event, Tested):
            around = next(iter_loops_around(each), None)
            if around is None or around.inner is not each or around.context.value is not None:
                continue
            asked, _ = strip_negations(event.value, True)
            match asked.meaning:
                case Relation("<" | "<=", left, Value() as right) if any(
                    _is_clients_number(each, side, made) for side in (left, right)
                ):
                    found.setdefault(around.loop, set()).add(event.at)
    return found


def _is_counted_by_client(here: Occurrence, over: Value, made: frozenset[Term]) -> bool:
    """Return whether a loop has as many rounds as a number says that a client sends, and nothing bounds."""
    is_counted = isinstance(over.meaning, Made) and over.meaning.by in ("counted", "builtins.range")
    match over.term:
        case ("range", _, end) if is_counted and infer_interval(over, here.event.facts).high > MANY:
            return _is_clients_number(here, Value(end, labels=over.labels), made)
    return False


BESIDE = frozenset({"file", "database", "network", "command"})
"""Where a number comes from that only has to do with what a client sends: how much there is of what it asks for."""


def _is_clients_number(here: Occurrence, value: Value, made: frozenset[Term]) -> bool:
    """Return whether a number is one that a client sends, and that nothing bounds; how much it sends of something is none.

    `made` are the terms of what functions give that make numbers of what they are handed.
    """
    origins = {each.origin for each in here.resolve_labels(value)}
    if "argument" not in origins or not origins.isdisjoint(BESIDE):
        return False
    source, sent = here.trace_source(value)
    words = set(_iter_words(sent.term))
    # what the rounds themselves count up is compared with a bound, and is none
    is_sent = words.isdisjoint({"length", "join"}) and ("call" not in words or sent.term in made)
    return is_sent and infer_interval(sent, source.event.facts).high > MANY


NUMBERING = frozenset({"number", "or else", "or call", "then", "receiver", "sure"})
"""What models call functions that give a number of what a client sends, or another if it sends none."""


def _iter_words(term: object) -> Iterator[str]:
    if isinstance(term, str):
        yield term
    elif isinstance(term, tuple):
        for each in term:
            yield from _iter_words(each)


def _is_tree(over: Value, program: Program) -> bool:
    """Return whether a loop goes through the files of a directory."""
    return "lists directory" in program.models.get_maker_model(over).acts


def _asks(here: Occurrence, program: Program) -> bool:
    """Return whether code asks something that may end the loop around it: a flag, the clock, a function that it was handed."""
    event = here.event
    if STOPPING.search(str(event.text)) is not None:
        return True
    if not isinstance(event, Called):
        return False
    row = program.models.get_model(event.path)
    if "time" in row.labels or not collect_acts(event, program.models).isdisjoint(CANCELLATION_CHECKS):
        return True
    return not event.followed and not event.path.strip(".") and not event.callee.things


CANCELLATION_CHECKS = frozenset(
    {"checks cancellation", "limits time", "tells done", "exits", "aborts", "reports progress", "notifies"}
)
"""What is done by a loop that asks whether it is to end, or tells a client how far it is."""


def _is_slow(event: Called, program: Program, is_tree: bool) -> bool:
    """Return whether something that a round does takes its time, or may, in a loop that a client makes long.

    What the language's own library calculates is over soon however many rounds there are: to add to a list, to go on by a day.
    """
    if not collect_acts(event, program.models).isdisjoint(SLOW_ACTS):
        return True
    is_light = program.models.find_model(event.path) is not None or program.is_standard(event.path)
    return not is_tree and (event.followed or not is_light)


def _is_uninterrupted(around: Around, waited: CheckSites, is_pausing: bool) -> bool:
    """Return whether a cancellation of the call cannot come to a loop: of a thread, or of code that never lets others run."""
    begun = find_begun(around.inner)
    if begun is not None:
        return begun.is_thread and (begun.call.event.code, begun.at) in waited
    return not is_pausing and find_run_start(around.inner).is_async


def _ends_alone(loop: LoopSite, counting: set[Site], ineffective: CheckSites) -> bool:
    """Return whether a loop is left only when all rounds are done, or something failed."""
    found = find_loop(loop)
    if found is None:
        return False
    exits = [each for each in iter_exits(loop, ineffective) if not each.is_failing]
    return all(any(test.at.holds(at) or at.holds(test.at) for test in each.tests for at in counting) for each in exits)
