"""Lists of which a tool asks for so many elements at most as the code says, whatever the client wants."""

import re
from collections.abc import Iterable, Iterator

from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.texts import collect_spellings
from reviewer.code.acts import collect_acts, find_modelled_argument
from reviewer.code.events import Called, Occurrence, Trace
from reviewer.code.models import Models
from reviewer.code.program import Program, find_once
from reviewer.code.values import Key, Value, name_of
from reviewer.facts import Cap
from reviewer.text.patterns import pattern

FEWEST, MOST = 5, 1_000
"""How many elements a cap leaves that takes something from a list: fewer is what is looked up, more is as good as all."""

BOUNDING = frozenset(
    {"limit", "maxresults", "maxitems", "tail", "numresults", "rowlimit", "maxrecords", "maxcount", "maxrows"}
)
"""Arguments of any library that say how many elements are given at most. The size of a page is none: many libraries go on by
themselves."""

OF_REQUESTS = BOUNDING | {"perpage", "pagesize"}
"""Parameters of a request by HTTP, which gives one page."""

PAGING = pattern(r"offset|page|cursor|skip|start|after|before|token|continue|next|max_?id|min_?id|since", re.IGNORECASE)
"""Arguments that say where a page begins."""

# Numbers in the query of an address: page sizes are often written there and not as arguments.
QUERY = pattern(r"[?&](\w+)=(\d+)(?=&|$)")
LIMIT = pattern(
    r"(?!.*\bdesc\b).*\b(?:LIMIT\s+(\d+)|FETCH\s+(?:FIRST|NEXT)\s+(\d+)\s+ROWS?\s+ONLY)[\s;]*",
    re.IGNORECASE | re.DOTALL,
)
"""A statement that ends with how many rows it gives at most; the first of a descending order are what it asks for."""

OTHERS = pattern(r"asyncio\.|\bto_thread\b|Connector|Limit|Semaphore|Cache|Queue|Deque|deque|Retry|Transport|[Pp]ool")
"""Functions whose limit is none of a list: of connections, of what is kept."""

NESTED = 2
"""How many objects inside objects the parameters of a request are looked for in: a dictionary, what a builder was told."""


def iter_caps(entry_points: EntryPoints) -> Iterator[Cap]:
    """Yield the calls by which tools ask for so many elements at most as the code says."""
    program = entry_points.program
    for tool, trace in entry_points.iter_calls():
        if not trace.reaches(_may_cap, program):
            continue
        for each in trace.iter_occurrences(lambda event, _: event.trace.reaches(_may_cap, program), kinds=(Called,)):
            most = _find_most(each, program.models)
            aside = each.is_under("loop") or each.is_under("handles")  # goes on, or stands in for what failed
            if most is not None and not aside and each.is_possible():
                codes = (at.event.code for at in each.iter_outwards())
                words = frozenset(word for code in codes for word in SAYING.findall(str(code.extract_text(code.at))))
                yield Cap(each.event.text, most, tool, tuple(place.text for place in each.build_call_path()), words)


SAYING = pattern(
    r"has_?[mM]ore|truncat\w*|next_?(?:[pP]age|[cC]ursor|[oO]ffset|[tT]oken)\w*|\bnext\b|pagination\w*|\bmore\b|\btotal\w*"
    r"|\bshow(?:ing|n)\b|_count\b"
)
"""What stands in code that says of what it answers with that there is more."""


SPOKEN = pattern(
    r"\b(?i:limit|max_?results|max_?items|max_?rows|max_?records|max_?count|row_?limit|num_?results|tail|per_?page|page_?size)\b"
    r"\W{0,6}(?:int\s*=\s*)?[A-Z_\d]"
)
"""What stands in a function that says how many elements there are at most, by a number or by what is called so."""


def _may_cap(trace: Trace, program: Program) -> bool:
    code = trace.code
    return find_once(program, code, "caps", lambda: SPOKEN.search(str(code.extract_text(code.at))) is not None)


def _find_most(here: Occurrence, models: Models) -> int | None:
    """Return how many elements a call asks for at most, None if it says no number or another call asks for the rest."""
    event = here.event
    assert isinstance(event, Called)
    if event.followed or OTHERS.search(event.path) is not None:
        return None
    acts = frozenset[str](collect_acts(event, models))
    if "logs" in acts:
        return None
    told = [*_iter_told(event.named.items(), BOUNDING)]
    for each in (*event.arguments, *event.named.values()):
        told += _iter_told(_iter_held(each, NESTED), OF_REQUESTS if "network" in acts else BOUNDING)
    if "executes sql" in acts:
        told = [*_iter_for_statement(here, event, models)]
    elif not told and models.get_model(event.path).keyword == "url":
        told = [*_iter_for_address(here, event, models)]
    found = [each for each in told if each is not None]
    return found[0] if len(found) == len(told) == 1 and FEWEST <= found[0] <= MOST else None


def _iter_held(value: Value, deep: int) -> Iterator[tuple[Key, Value]]:
    for key, each in (value.contents or {}).items():
        yield key, each
        if deep:
            yield from _iter_held(each, deep - 1)


def _iter_told(entries: Iterable[tuple[Key, Value]], names: frozenset[str]) -> Iterator[int | None]:
    """Yield the numbers that bound a list, and None for what somebody else chooses."""
    for key, value in entries:
        name = name_of(key)
        if not isinstance(name, str):
            continue
        if name.lower().replace("_", "") in names:
            yield value.constant[1] if value.constant is not None and value.constant[0] is int else None  # type: ignore[misc]
        elif PAGING.search(name) is not None and value.constants is None:
            yield None


def _iter_for_statement(here: Occurrence, event: Called, models: Models) -> Iterator[int | None]:
    model = models.find_model(event.path)
    statement = find_modelled_argument(event, model) if model is not None else None
    texts = collect_spellings(here, statement, models) if statement is not None else []
    found = {LIMIT.fullmatch("".join(part or "?" for part in text).strip()) for text in texts}
    yield from (int(each[1] or each[2]) if each is not None else None for each in found)


def _iter_for_address(here: Occurrence, event: Called, models: Models) -> Iterator[int | None]:
    for value in event.arguments[:2]:
        for text in collect_spellings(here, value, models):
            for name, number in QUERY.findall("".join(part if part is not None else "?" for part in text)):
                if name.lower().replace("_", "") in OF_REQUESTS:
                    yield int(number)
