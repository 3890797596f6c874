"""What changes something beyond the call: files, databases, remote things.

Logs, caches, temporary files and the like are no change that anybody would call one, and a POST may as well only ask.
"""

import re
from collections.abc import Iterator

from reviewer.behaviour.arguments.inputs import CLIENTS
from reviewer.behaviour.results.answers import collect_result_terms
from reviewer.behaviour.security.checks import iter_parts as made_of
from reviewer.behaviour.values.names import split_words
from reviewer.behaviour.values.texts import collect_spellings, iter_beginnings, iter_parts, iter_written_texts
from reviewer.code.acts import find_modelled_argument
from reviewer.code.events import Called, Entered, Event, Occurrence, Trace
from reviewer.code.models import Model, Models
from reviewer.code.values import ConditionalValue, Library, Made, Term, Value, find_original_term, strip_negations
from reviewer.facts import ActKind
from reviewer.text.patterns import pattern

ASIDE = frozenset(
    "log logs logger logging cache cached caches caching tmp temp temporary tempfile lock locks pid history audit telemetry "
    "metrics metric token tokens cookie cookies credential credentials stats usage trace debug memo checkpoint".split()
)
"""Words of paths, tables and addresses by which something is written that no user calls a change."""

BESIDE = ASIDE | frozenset(
    "auth login logon logoff logout signin signout oauth init initialize bootstrap migrate migration setup ensure "
    "connect session refresh check writable writeable probe sweep expired evict config configuration settings".split()
)
"""Words of helpers that do so: what they do is done to make ready, or to keep house, whatever tool was called."""

DIRECT: dict[str, ActKind] = {
    "deletes file": "deletes",
    "deletes remote": "deletes",
    "writes file": "writes",
    "changes remote": "writes",
}
"""What changes something whatever it is told."""

# A temporary table is gone with the connection, and `IF NOT EXISTS` changes nothing the second time: neither is a change to
# report.
SQL_WRITES = pattern(
    r"\s*(?:INSERT\s|UPDATE\s+\S|REPLACE\s+INTO|MERGE\s+INTO|ALTER\s|CREATE\s+(?!TEMP|.*IF\s+NOT\s+EXISTS))", re.I
)
# Statements that lose data; the rest of what changes something is in `SQL_WRITES`.
SQL_DELETES = pattern(r"\s*(?:DELETE\s+FROM|DROP\s+(?:TABLE|DATABASE|SCHEMA|VIEW|INDEX|COLUMN)|TRUNCATE\s)", re.I)

PREPARING = frozenset({"makes directory", "sets permissions"})
"""What is done to a server's own files to make ready, and changes none of them: it counts where the client says the path."""

TO_WRITE = pattern(r"[rbtU]*[wax+]")
"""How the mode begins by which a file is opened to be written: `w`, `ab`, `r+`, `w:gz`."""

ABOUT_CHANGE = pattern(
    r"creat|updat|insert|delet|remov|upload|publish|renam|restart|trigger|cancel|approv|assign|submit|modif|import|deploy"
    r"|install|enabl|disabl|merg|reopen|invit|archiv|comment|reply|transition|upsert|patch|send|save|edit|write|move"
    r"|(?<![a-z])(?:add|set|put|post|start|stop|close|turn|toggle|pay|buy|book)(?![a-z])",
    re.IGNORECASE,
)
"""The words in names and addresses of what changes something elsewhere. A POST without any of them may as well only ask."""

A_COLLECTION = pattern(r"/[a-z][a-z_-]+s/?[\"']?\)?\s*$")
"""How the address of several things ends: who posts to it adds one."""

ASKS = pattern(
    r"search|query|queries|graphql|lookup|find|list|filter|fetch|\bget|read|count|token|auth|login|session|rpc|batch|embed|"
    r"complet|chat|anthropic|generat|predict|infer|analy|valid|check|scrape|extract|convert|pars|translat|render|preview|explain|"
    r"(?<![a-z])(?:test|ping|probe)(?![a-z])|estimat|compute|calculat|simulat|resolve|select|report|score|rank|similar|crawl|recommend|execute|sql|statement|mcp|_msearch",
    re.IGNORECASE,
)
"""What a POST is sent to that only asks."""

METHODS: dict[str, ActKind] = {"PUT": "writes", "PATCH": "writes", "DELETE": "deletes", "POST": "writes"}
"""What a request does by its method (RFC 9110, 9.3): GET, HEAD and OPTIONS are safe. A POST may only ask, which its address
says."""

REQUESTING = pattern(r"\.?_*(?:\w+_)?(?:request|api|call|fetch|http)(?:_\w+)?|\.?_*(?:do|make|send)_\w+")
"""Names of functions that send a request, of which no table knows and whose code is not there."""


def writes(occurrence: Occurrence, acts: frozenset[str], models: Models) -> bool:
    """Return whether a file, a database or a remote thing is changed."""
    return _change(occurrence, acts, models) == "writes"


def deletes(occurrence: Occurrence, acts: frozenset[str], models: Models) -> bool:
    """Return whether one is removed."""
    return _change(occurrence, acts, models) == "deletes"


def _change(occurrence: Occurrence, acts: frozenset[str], models: Models) -> ActKind | None:
    event = occurrence.event
    assert isinstance(event, Called)
    model = models.find_model(event.path) if acts else None
    if model is None:
        return _find_by_name(occurrence, event, models)
    kind = next((DIRECT[each] for each in DIRECT if each in acts), None)
    if kind is None and "makes directory" in acts:
        kind = None if _is_true(event.named.get("exist_ok")) else "writes"
    if kind is None and "opens file" in acts and opens_to_write(occurrence, event, model, models):
        kind = "writes"
    if kind is not None and "network" not in acts:
        places = (
            _collect_places(event, model) if "opens file" in acts or model.keyword else _collect_changed_places(event)
        )
        if not acts.isdisjoint(PREPARING) and not any(_is_clients(occurrence, each) for each in places):
            return None
        return kind if _counts(occurrence, places, shown=True) else None
    address = find_modelled_argument(event, model)
    if "executes sql" in acts:
        kind = _find_for_statement(occurrence, address, models)
    elif "posts" in acts:
        kind = _find_for_request(occurrence, "POST", address, models)
    elif "requests by method" in acts:
        kind, address = _collect_by_method(occurrence, event, model, models)
    subject = [address] if address is not None else []
    return kind if kind is not None and _counts(occurrence, subject, shown=False) else None


def _is_clients(occurrence: Occurrence, value: Value) -> bool:
    """Return whether a value comes of what a client gives, and is not what the SDK hands over to speak with it."""
    is_context = any(each.endswith("Context") for each in value.library_types)
    return not is_context and not CLIENTS.isdisjoint(each.origin for each in occurrence.resolve_labels(value))


def _is_true(value: Value | None) -> bool:
    return value is not None and value.constant == (bool, True)


def _is_method(event: Called) -> bool:
    """Return whether an object is called on, and no module or class."""
    return event.receiver is not None and not any(isinstance(each, Library) for each in event.receiver.things)


def opens_to_write(occurrence: Occurrence, event: Called, model: Model, models: Models) -> bool:
    """Return whether a file is opened to be written, as a mode says, or options that were set before."""
    told = event.receiver.contents or {} if event.receiver is not None else {}
    if any(_is_true(told.get((each,))) for each in ("write", "append")):
        return True
    mode = event.find_argument(0 if _is_method(event) else 1, "mode")
    if mode is None or mode is find_modelled_argument(event, model):
        return False
    return any(
        TO_WRITE.match("".join(map(str, each)))
        for each in collect_spellings(occurrence, mode, models)
        if None not in each
    )


def _collect_places(event: Called, model: Model) -> list[Value]:
    """Return the value that says which file is meant: the path that is called on, or the argument that the row names."""
    found = event.receiver if _is_method(event) and not model.keyword else find_modelled_argument(event, model)
    return [found] if found is not None else []


def _collect_changed_places(event: Called) -> list[Value]:
    """Return the value that says which file is changed: the path that is called on, or the last argument that is no setting."""
    if _is_method(event) and event.receiver is not None:
        return [event.receiver]
    given = event.arguments or tuple(event.named.values())
    return [each for each in given if each.constant is None or each.text is not None][-1:]


def _find_for_statement(occurrence: Occurrence, statement: Value | None, models: Models) -> ActKind | None:
    """Return the kind of act of an SQL statement, by its first words."""
    found = list(iter_beginnings(occurrence, statement, models)) if statement is not None else []
    if any(SQL_DELETES.match(each) for each in found):
        return "deletes"
    return "writes" if any(SQL_WRITES.match(each) for each in found) else None


def _collect_by_method(
    occurrence: Occurrence, event: Called, model: Model, models: Models
) -> tuple[ActKind | None, Value | None]:
    """Return the kind of act of a request whose method is an argument, and the address."""
    leads = model.keyword == "method"
    method = event.find_argument(model.of if leads else len(event.arguments), "method")
    address = event.find_argument(model.of + 1 if leads else model.of, "url")
    return _find_for_methods(occurrence, method, address, models), address


def _find_for_methods(
    occurrence: Occurrence, method: Value | None, address: Value | None, models: Models
) -> ActKind | None:
    said = {"".join(each).upper() for each in _iter_known_spellings(occurrence, method, models)}
    things = occurrence.trace_source(method)[1].things if method is not None else ()
    said |= {each.path.rpartition(".")[2] for each in things if isinstance(each, Library)}  # `Method::DELETE`
    kinds = [
        _find_for_request(occurrence, each, address, models)
        for each in ("DELETE", "PUT", "PATCH", "POST")
        if each in said
    ]
    return next((each for each in kinds if each is not None), None)


def _iter_known_spellings(occurrence: Occurrence, value: Value | None, models: Models) -> Iterator[tuple[str, ...]]:
    for each in collect_spellings(occurrence, value, models) if value is not None else ():
        known = tuple(part for part in each if part is not None)
        if len(known) == len(each):
            yield known


def may_request(event: Event, _: object = None) -> bool:
    """Return whether something may be a request that code sends which is not there."""
    return (
        isinstance(event, Called)
        and not event.followed
        and REQUESTING.fullmatch(event.path.rpartition(".")[2]) is not None
    )


def _find_by_name(occurrence: Occurrence, event: Called, models: Models) -> ActKind | None:
    """Return the kind of act of a request sent by code that was not found: `api.call("DELETE", path)`."""
    if not may_request(event):
        return None
    method = event.find_argument(0, "method")
    said = {"".join(each) for each in _iter_known_spellings(occurrence, method, models)}
    if said.isdisjoint(METHODS) and "method" not in event.named:
        return None
    rest = [each for each in (*event.arguments, *event.named.values()) if each is not method]
    kind = _find_for_methods(occurrence, method, rest[0] if rest else None, models)
    return kind if kind is not None and _counts(occurrence, rest[:1], shown=False) else None


def _find_for_request(occurrence: Occurrence, method: str, address: Value | None, models: Models) -> ActKind | None:
    """Return the kind of act of an HTTP method; a POST changes something only if its address or the function's name
    says so.
    """
    if method != "POST":
        return METHODS[method]
    found = collect_spellings(occurrence, address, models) if address is not None else []
    return "writes" if any(_adds("".join(part or "{}" for part in each), occurrence) for each in found) else None


def _adds(address: str, occurrence: Occurrence) -> bool:
    """Return whether a POST to an address certainly changes something there."""
    said = f"{address} {occurrence.event.code.name}"
    is_told = re.search(r"/\w", address) is not None and not address.endswith("{}")
    changes = ABOUT_CHANGE.search(said) is not None or A_COLLECTION.search(address) is not None
    return is_told and ASKS.search(said) is None and changes


def _counts(occurrence: Occurrence, places: list[Value], *, shown: bool) -> bool:
    """Return whether somebody would call it a change: what is changed is no log, no cache and nothing temporary."""
    if not _collect_helpers(occurrence).isdisjoint(BESIDE):
        return False
    if places and all(_is_temporary(occurrence, each) or _is_put_in_place(occurrence, each) for each in places):
        return False
    words = set(split_words(occurrence.event.text)) if shown else set[str]()
    for each in places:
        words.update(*(split_words(text) for text in iter_written_texts(occurrence, each)))
    return words.isdisjoint(ASIDE)


def prepares(trace: Trace, occurrence: Occurrence) -> bool:
    """Return whether something is done to get what a handler works with, such as a session: in a call that is handed
    nothing of what the client gives, and gives an object whose methods do the work.
    """
    return any(_makes_ready(trace, call) for call in occurrence.iter_outwards() if call is not occurrence)


def _makes_ready(trace: Trace, call: Occurrence) -> bool:
    """Return whether a call gives an object to work with, and is handed nothing of what the client gives."""
    event = call.event
    if not isinstance(event, Entered) or any(_is_clients(call, each) for each in event.given.values()):
        return False
    made = (
        each.term for each in event.given.values() if find_original_term(each.term) == ("new", event.code, event.at)
    )
    results = frozenset((*collect_result_terms(call), *made))  # what a constructor fills is the object itself
    return any(
        each.followed and each.receiver is not None and not results.isdisjoint(_iter_terms(each.receiver))
        for each in call.find_own_trace(trace).events
        if isinstance(each, Called) and each.at.start >= event.at.end
    )


def _iter_terms(value: Value) -> Iterator[Term]:
    """Yield which value one is, or may be."""
    yield value.term
    if isinstance(value.meaning, ConditionalValue):
        yield from (*_iter_terms(value.meaning.then), *_iter_terms(value.meaning.otherwise))


def _collect_helpers(occurrence: Occurrence) -> set[str]:
    """Return the words of the names of the functions that lead there, without that of the handler."""
    *helpers, _ = occurrence.iter_outwards()
    return {word for each in helpers for word in split_words(each.event.code.name)}


def _is_temporary(occurrence: Occurrence, value: Value) -> bool:
    return any(label.origin == "temporary" for here, part in iter_parts(occurrence, value) for label in part.labels)


def _is_put_in_place(occurrence: Occurrence, place: Value) -> bool:
    """Return whether a file is made that was not there, by a function that is handed nothing of what a client gives."""
    entered = occurrence.caller.event if occurrence.caller is not None else None
    if occurrence.caller is None or not isinstance(entered, Entered):
        return False
    handed = (label.origin for each in entered.given.values() for label in occurrence.caller.resolve_labels(each))
    if not CLIENTS.isdisjoint(handed):
        return False
    _, place = occurrence.trace_source(place)
    for here in occurrence.iter_outwards():
        for each in here.event.iter_outwards():
            if each.condition == "test" and each.value is not None:
                test, holds = strip_negations(each.value, each.holds)
                asked = test.meaning.of if isinstance(test.meaning, Made) and _asks_for_file(test.meaning.by) else ()
                if not holds and any(
                    here.trace_source(part)[1].term == place.term for one in asked for part in made_of(one)
                ):
                    return True
    return False


def _asks_for_file(path: str) -> bool:
    return path.rpartition(".")[2] in ("exists", "is_file", "isfile")
