"""What statements of SQL are told by the values that they are handed: how many rows they give."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import inf

from reviewer.behaviour.values.texts import collect_spellings
from reviewer.code.acts import collect_acts, find_modelled_argument
from reviewer.code.events import Called, Occurrence
from reviewer.code.models import Models
from reviewer.code.values import Key, Made, Value
from reviewer.text.patterns import pattern

# Only a statement that reads gives rows; a `LIMIT` in any other bounds what it changes.
STATEMENT = pattern(r"\s*(?:SELECT|WITH)\b", re.IGNORECASE)
PLACE = r"(?P<place>\?(?P<number>\d+)?|%s|\$(?P<dollar>\d+)|%\((?P<form>\w+)\)s|[:@$](?P<name>[A-Za-z_]\w*))"
"""What stands in a statement for a value that it is handed: by its turn, its number or its name."""

LIMIT = pattern(
    rf"\b(?:LIMIT|FETCH\s+(?:FIRST|NEXT)|TOP)\s*(?P<least>\b(?:min|least)\b\s*)?\(?\s*(?:(?P<before>\d{{1,9}})\s*,\s*)?{PLACE}"
    r"(?:\s*,\s*(?P<after>\d{1,9})\s*\))?",
    re.IGNORECASE,
)
"""How many rows a statement gives at most: what it is handed for that, or the least of that and a number."""
# Placeholders that take their values by position (`?`, `%s`); `?1` names its place itself.
IN_TURN = pattern(r"\?(?!\d)|%s")
# A placeholder within quotes is text.
QUOTED = pattern(r"'[^']*'")
CUT_SHORT = pattern(r"\bLIMIT\s*$", re.IGNORECASE)
"""How the part of a statement ends after which its limit is put into the text."""


def iter_row_limits(here: Occurrence, event: Called, models: Models) -> Iterator[tuple[Value, float]]:
    """Yield the arguments by which a call limits the number of rows of its statement, with the bound of each."""
    acts = frozenset[str](collect_acts(event, models))
    model, given, told = models.find_model(event.path), list(event.arguments), dict[Key, Value]()
    if "bounds rows" in acts and model is not None:
        most = find_modelled_argument(event, model) if model.keyword else given[0] if len(given) == 1 else None
        yield from [(most, inf)] if most is not None else ()
    if acts.isdisjoint(("executes sql", "reads database")):
        return
    if model is not None and "executes sql" in acts:
        statement, given = find_modelled_argument(event, model), given[model.of + 1 :]
    else:  # it was made of the statement before, and told the values one by one
        told = dict(event.receiver.contents or {}) if event.receiver is not None else {}
        statement = told.pop(("0",), None)
    if statement is None:
        return
    yield from ((each, inf) for each in _iter_interpolated_limits(here, statement))
    for text in collect_spellings(here, statement, models):
        written = QUOTED.sub("''", "".join(part or "" for part in text))
        found = LIMIT.search(written) if STATEMENT.match(written) else None
        value = (
            _find_placeholder_value(found, IN_TURN.findall(written[: found.start("place")]), told, given, event.named)
            if found
            else None
        )
        if value is not None and found is not None:
            number = (found["before"] or found["after"]) if found["least"] else None
            yield value, int(number) if number else inf


def _iter_interpolated_limits(here: Occurrence, statement: Value) -> Iterator[Value]:
    """Yield the values that are inserted into the text of a statement as its limit."""
    _, value = here.trace_source(statement)
    parts = value.meaning.of if isinstance(value.meaning, Made) and value.meaning.by in ("text", "+") else ()
    for before, each in pairwise(parts):
        if before.text is not None and CUT_SHORT.search(before.text) is not None:
            yield each


def _find_placeholder_value(
    found: re.Match[str], before: list[str], told: Mapping[Key, Value], given: list[Value], named: Mapping[str, Value]
) -> Value | None:
    """Return the value that stands at a place of a statement: bound before, or among what the call is handed."""
    keys: list[Key]
    name = found["form"] or found["name"]
    number = found["number"] or found["dollar"]
    place = int(number) - 1 if number else len(before)
    tables = [told, *(each.contents or {} for each in given)]
    if name is not None:
        keys = [name, f":{name}", f"@{name}", f"${name}"]
        return next((table[key] for table in tables for key in keys if key in table), named.get(name))
    keys = [place, (str(place),)]
    held = next((table[key] for table in tables for key in keys if key in table), None)
    return held if held is not None or any(each.contents for each in given) or len(given) <= place else given[place]
