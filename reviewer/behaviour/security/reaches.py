"""Where the text of an argument comes with nothing that checks it: a path, a command line, a statement, an address, code."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from reviewer.behaviour.arguments.inputs import CLIENTS, find_argument_name
from reviewer.behaviour.effects.changes import opens_to_write
from reviewer.behaviour.effects.command_texts import ReadText, iter_read_texts
from reviewer.behaviour.security.checks import is_field
from reviewer.behaviour.security.restrictions import Restrictions, is_unseen
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.texts import TextPiece, collect_compositions
from reviewer.code.acts import collect_acts, find_modelled_argument
from reviewer.code.events import Called, Entered, Occurrence, Trace
from reviewer.code.models import Model, Models
from reviewer.code.program import Program
from reviewer.code.values import Library, Made, Value, find_original_term
from reviewer.facts import Effect, Sink, UncheckedReach
from reviewer.source import Text
from reviewer.text.patterns import pattern

FILES: dict[str, Effect] = {
    "deletes file": "deletes", "writes file": "writes", "makes directory": "writes", "ensures directory": "writes",
    "opens file": "reads", "reads file": "reads", "lists directory": "reads",
}  # fmt: skip
"""What is done to a file, by the act, the worst first."""

SINKS = frozenset({*FILES, "runs command", "runs shell", "executes sql", "network", "evaluates code", "deserialises"})


class Coming(NamedTuple):
    """A text with arguments in it, where it comes to a sink. `whole` tells that it begins with one."""

    sink: Sink
    given: tuple[TextPiece, ...]
    whole: bool
    effect: Effect = ""
    read: ReadText | None = None


def iter_reaches(entry_points: EntryPoints) -> Iterator[UncheckedReach]:
    """Yield the calls that an argument comes to where nothing on the way there says what it may be."""
    for tool, trace in entry_points.iter_calls():
        yield from _iter_in_trace(tool, trace, entry_points.program)


def _iter_in_trace(tool: str, trace: Trace, program: Program) -> Iterator[UncheckedReach]:
    models = program.models
    comings = [
        (each, _iter_comings(each, models), _iter_comings(each, models, _Unseen(program)))
        for each in _iter_sinks(trace)
    ]
    found = [(each, coming) for each, *ways in comings for way in ways for coming in way]
    restrictions = Restrictions(trace, program) if found else None
    for each, coming in found:
        if restrictions is None or not each.is_possible():
            continue
        held = [part for part in coming.given if restrictions.hold(each, part, coming.sink)]
        tests = [restrictions.find_unsure_restriction(each, part, coming.sink) for part in held]
        if None in tests:
            continue
        made = [text for part in coming.given if (text := _find_maker(part, program)) is not None]
        names = tuple(dict.fromkeys(_get_argument(part, models) for part in coming.given))
        through = tuple(place.text for place in each.build_call_path())
        client = _format_client(each) if coming.sink == "statement" else ""
        yield UncheckedReach(
            coming.sink,
            each.event.text,
            names,
            tool,
            through,
            coming.whole,
            coming.effect,
            client,
            *_collect_reader(coming),
            next(iter((*tests, *made)), None),
        )


def _collect_reader(coming: Coming) -> tuple[str, str, str]:
    """Return the program that reads a text, the option that it may be, and what that does."""
    return coming.read[1:2] + coming.read[3:] if coming.read is not None else ("", "", "")


def _format_client(occurrence: Occurrence) -> str:
    """Return a name for the object by which a call is made, the same for the same object; empty if there is none."""
    receiver = occurrence.event.receiver if isinstance(occurrence.event, Called) else None
    if receiver is None:
        return ""
    _, client = occurrence.trace_source(receiver)
    match client.meaning:
        case Made(by, (owner,)) if is_field(client):
            kinds = owner.classes
            return f"{kinds[0].name}{by}" if len(kinds) == 1 else ""
    return str(find_original_term(client.term))


def _iter_sinks(trace: Trace) -> Iterator[Occurrence]:
    """Yield the calls of functions that an argument may do harm in."""

    def enters(event: Entered, _: object) -> bool:
        return not event.trace.acts.isdisjoint(SINKS)

    if not trace.acts.isdisjoint(SINKS):
        yield from trace.iter_occurrences(enters, kinds=(Called,))


Looking = Callable[[tuple[TextPiece, ...], Models], list[int]]
"""Tells at which places of a text arguments stand."""


def _collect_given(text: tuple[TextPiece, ...], models: Models) -> list[int]:
    """Return at which places of a text arguments stand."""
    return [
        place
        for place, each in enumerate(text)
        if each.text is None and find_argument_name(each.here, each.value, models)
    ]


def _iter_comings(here: Occurrence, models: Models, given: Looking = _collect_given) -> Iterator[Coming]:
    event = here.event
    assert isinstance(event, Called)
    acts = collect_acts(event, models)
    model = models.find_model(event.path)
    if model is None or (acts.isdisjoint(SINKS) and not model.keyword):
        return
    effect = next((FILES[each] for each in FILES if each in acts), None)
    if effect is not None and "fails" in acts and acts.isdisjoint(("network", "runs command")):
        if "opens file" in acts and opens_to_write(here, event, model, models):
            effect = "writes"
        for each in _iter_paths(event, model):
            yield from _iter_path(here, each, effect, models, given)
    if "runs command" in acts:
        for texts in iter_read_texts(here, event, model, acts, models):
            yield from _iter_pasted(texts, models, given)
    if "executes sql" in acts and (statement := find_modelled_argument(event, model)) is not None:
        yield from _iter_interpolated_texts(here, statement, "statement", models, given)
    if model.keyword in ("url", "method") and (address := _find_address(event, model)) is not None:
        if not _has_base(event):
            yield from _iter_argument_hosts(here, address, models, given)
        yield from _iter_in_address(here, address, models, given)
    if (
        not acts.isdisjoint(("evaluates code", "deserialises"))
        and (code := find_modelled_argument(event, model)) is not None
    ):
        sink: Sink = "code" if "evaluates code" in acts else "objects"
        yield from _iter_interpolated_texts(here, code, sink, models, given)


def _iter_paths(event: Called, model: Model) -> Iterator[Value]:
    """Yield the values that say which files are meant."""
    receiver = event.receiver
    is_method = receiver is not None and not any(isinstance(each, Library) for each in receiver.things)
    if model.keyword:
        named = find_modelled_argument(event, model)
        yield from (named,) if named is not None else ()
    elif is_method and receiver is not None:
        yield receiver
    else:
        yield from event.arguments[:PATHS]


PATHS = 2
"""How many paths a function takes at most: what is copied, and to where."""


def _iter_path(here: Occurrence, value: Value, effect: Effect, models: Models, looking: Looking) -> Iterator[Coming]:
    """Yield a path with an argument below what the server says, or that is one."""
    texts = [(text, looking(text, models)) for text in collect_compositions(here, value, models)]
    led = [_is_below_root(text, given) for text, given in texts if given]
    if led and all(each is not None for each in led):
        pieces = {id(text[place].value): text[place] for text, given in texts for place in given}
        yield Coming("path", tuple(pieces.values()), not all(led), effect)


def _is_below_root(text: tuple[TextPiece, ...], given: list[int]) -> bool | None:
    """Return whether a path is one below what the server says, and not the argument itself; None if that is not sure."""
    first = given[0]
    before = text[:first]
    said = [each for each in before if not _is_nowhere(each)]
    if not said:
        return False
    if any(
        each.text is None and any(label.origin in CLIENTS for label in each.here.resolve_labels(each.value))
        for each in before
    ):
        return None
    return True if before[-1].text is not None and before[-1].text.endswith(("/", "\\")) else None


# The working directory as a base confines nothing.
NOWHERE = pattern(r"(?:os\.getcwd|pathlib\.Path\.cwd|std\.env\.current_dir)")


def _is_nowhere(piece: TextPiece) -> bool:
    """Return whether what stands before an argument says no place below which it lies: `./`, the working directory."""
    made = piece.value.meaning
    return piece.text in ("", ".", "./", "/") or (isinstance(made, Made) and NOWHERE.fullmatch(made.by) is not None)


def _iter_interpolated_texts(
    here: Occurrence, value: Value, sink: Sink, models: Models, given: Looking
) -> Iterator[Coming]:
    """Yield a text in another language that an argument is pasted into, or that is one."""
    yield from _iter_pasted(
        [ReadText(sink, "", text) for text in collect_compositions(here, value, models)], models, given
    )


def _iter_pasted(texts: list[ReadText], models: Models, looking: Looking) -> Iterator[Coming]:
    """Yield the first of several texts that may stand in one place which an argument is pasted into, or that is one."""
    for read in texts:
        given = looking(read.text, models)
        is_whole = given[:1] == [0]
        if given and _counts(read, is_whole):
            yield Coming(read.sink, tuple(read.text[place] for place in given), is_whole, read=read)
            return


def _counts(read: ReadText, is_whole: bool) -> bool:
    """Return whether it matters that an argument stands in a text, which begins with it if that is so."""
    if read.sink == "option":
        return is_whole
    return read.sink != "statement" or is_whole or _is_statement(read.text)


STATEMENT = pattern(
    r"[\s(]*(?:SELECT|INSERT|UPDATE|DELETE|REPLACE|MERGE|CREATE|ALTER|DROP|TRUNCATE|WITH|SHOW|DESCRIBE|DESC|EXPLAIN|PRAGMA|"
    r"CALL|GRANT|ANALYZE|VACUUM|COPY|ATTACH|EXEC)\s",
    re.IGNORECASE,
)
"""How a statement of SQL begins."""


WRAPPING = pattern(r"\s*EXPLAIN\b[\w\s(),]*", re.IGNORECASE)
"""What stands before a whole statement that is not run, or is run to be measured."""


def _is_statement(text: tuple[TextPiece, ...]) -> bool:
    """Return whether a text is a statement of the server's own, and no argument that is one."""
    written = text[0].text or ""
    is_wrapped = len(text) == 2 and WRAPPING.fullmatch(written) is not None
    return STATEMENT.match(written) is not None and not is_wrapped


ADDRESSED = pattern(r"\w+://[^/?#]+[/?#]")
"""An address whose host is written."""


def _iter_argument_hosts(here: Occurrence, value: Value, models: Models, looking: Looking) -> Iterator[Coming]:
    """Yield an address whose host an argument says."""
    for text in collect_compositions(here, value, models):
        given = looking(text, models)
        written = "".join(each.text or "" for each in text[: given[0]]) if given else ""
        if given and all(each.text is not None for each in text[: given[0]]) and ADDRESSED.match(written) is None:
            if not written or written.endswith("://"):
                yield Coming("address", (text[given[0]],), not written)
                return


PLACED = pattern(r"(?:(?<!:/)/|[=&?,])$")
"""What stands in an address before a part of its own: a segment of the path, a value of the query. Behind `://` is the host."""


def _iter_in_address(here: Occurrence, value: Value, models: Models, looking: Looking) -> Iterator[Coming]:
    """Yield an address whose host the server says, with arguments as segments of its path or values of its query."""
    for text in collect_compositions(here, value, models):
        given = looking(text, models)
        placed = tuple(text[place] for place in given if place and PLACED.search(text[place - 1].text or ""))
        if placed and len(placed) == len(given):
            yield Coming("address part", placed, False)
            return


def _has_base(event: Called) -> bool:
    """Return whether a client was told which host it asks, so that addresses are paths there."""
    held = event.receiver.contents or {} if event.receiver is not None else {}
    return ("base_url",) in held


def _find_address(event: Called, model: Model) -> Value | None:
    return (
        event.find_argument(model.of + 1, "url") if model.keyword == "method" else find_modelled_argument(event, model)
    )


class _Unseen:
    """Finds parts of a text that unseen functions made from an argument: such a part may be harmless."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def __call__(self, text: tuple[TextPiece, ...], models: Models) -> list[int]:
        """Return these places, none if an argument itself stands in the text: that is known."""
        if _collect_given(text, models):
            return []
        return [place for place, each in enumerate(text) if _find_maker(each, self._program) is not None]


def _find_maker(piece: TextPiece, program: Program) -> Text | None:
    """Return the call of an unseen function that made a part of a text from an argument; None if there is none."""
    made = piece.value.meaning
    if piece.text is not None or not isinstance(made, Made) or not is_unseen(made.by, program):
        return None
    if not any(find_argument_name(piece.here, each, program.models) for each in made.of):
        return None
    return Text(made.by.rpartition(".")[2], piece.here.event.text.span)


def _get_argument(piece: TextPiece, models: Models) -> str:
    """Return the name of the argument that a part of a text is, or is made of."""
    name = find_argument_name(piece.here, piece.value, models)
    if name or not isinstance(piece.value.meaning, Made):
        return name
    return next(
        (found for each in piece.value.meaning.of if (found := find_argument_name(piece.here, each, models))), ""
    )
