"""Which values a schema keeps out: how long a string, how large a number may be at most."""

import re
from collections.abc import Iterator

from reviewer.facts import Json, Part
from reviewer.facts.parts import list_types
from reviewer.text.patterns import pattern

FIXED = frozenset(
    "date time date-time duration uuid uuid1 uuid3 uuid4 uuid5 email idn-email hostname idn-hostname"
    " ipv4 ipv6 ip ipvanyaddress ipv4network ipv6network ipvanynetwork ipv4interface ipv6interface ipvanyinterface"
    " mac color".split()
)
"""Formats of which no value is long."""

SMALL = frozenset({"int8", "uint8", "int16", "uint16"})
"""Formats of numbers that bound them to what any program can take."""

ENDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
"""One of them is enough, as in SEC-003 of the original validator, which looks at the first two alone."""

_ASIDE = pattern(r"\\.|\[\^?\]?[^\]]*\]|\(\?<?[=!][^()]*\)", re.DOTALL)
"""What is one character or none in a pattern: an escape, a class, a look around. The signs in it repeat nothing."""

_ENDLESS = pattern(r"[*+]|\{\d*,\}")
"""The repetitions that have no upper end."""

_GROUP = pattern(r"\([^()]*\)")
"""A group that holds no other, so that taking them out again and again leaves what `|` parts outside of all."""


def iter_parts_of_types(arguments: tuple[Part, ...], *kinds: str) -> Iterator[tuple[Part, tuple[Json, ...]]]:
    """Yield the parts that may be of one of some types, with the forms in which they are."""
    for part in arguments:
        forms = tuple(form for form in part.forms if not {*kinds}.isdisjoint(list_types(form)))
        if forms:
            yield part, forms


def format_part(part: Part) -> str:
    """Name a part for a message."""
    return f"an element of `{part.dotted}`" if part.element else f"parameter `{part.dotted}`"


def has_named_values(form: Json) -> bool:
    """Return whether the values themselves are named."""
    return "enum" in form or "const" in form


def is_format(form: Json, formats: frozenset[str]) -> bool:
    """Return whether a schema names one of some formats."""
    named = form.get("format")
    return isinstance(named, str) and named in formats


def is_anchored(expression: object) -> bool:
    """Return whether a `pattern` says what a whole text is, and not only what stands somewhere in it.

    JSON Schema, and pydantic with it, search for the pattern: `[a-z]{1,8}` accepts `../a` as well. What fixes how a text begins,
    as `^https://host/` does, says enough where slashes or colons belong to it.
    """
    ways = list(_iter_alternatives(expression)) if isinstance(expression, str) else []
    return bool(ways) and all(
        STARTS.match(each) is not None and (ENDING.search(each) is not None or not {":", "/"}.isdisjoint(each))
        for each in ways
    )


STARTS = pattern(r"\(*(?:\?:|\?[a-z]+\))*(?:\^|\\A)")
r"""How a pattern fixes where a text begins: `^`, or `\A` of Python and Rust, within groups and behind flags as well."""

ENDING = pattern(r"(?:(?<!\\)\$|\\[zZ])\)*$")
r"""How a pattern fixes where a text ends; `\$` is a dollar. `\Z` is Python's, `\z` Rust's."""


def _iter_alternatives(expression: str) -> Iterator[str]:
    """Yield the ways of an expression that `|` parts outside of groups and classes."""
    depth, begin, inside = 0, 0, False
    for hit in _SIGNS.finditer(expression):
        sign = hit.group()
        if sign == "|" and not depth and not inside:
            yield expression[begin : hit.start()]
            begin = hit.end()
        elif inside or sign == "[":
            inside = sign != "]"
        else:
            depth += (sign == "(") - (sign == ")")
    yield expression[begin:]


_SIGNS = pattern(r"\\.|[\[\]()|]", re.DOTALL)
r"""What matters for where `|` parts a pattern; escapes are taken whole, so that `\(` opens nothing."""


def has_length_bound(form: Json) -> bool:
    """Return whether no string that the schema accepts is longer than it says in some way."""
    pattern = form.get("pattern")
    finite = isinstance(pattern, str) and _is_finite(pattern)
    return "maxLength" in form or has_named_values(form) or is_format(form, FIXED) or finite


def count_bounded(form: Json) -> bool:
    """Return whether an array that the schema accepts has at most so many elements as it says in some way."""
    items = form.get("items")
    distinct = form.get("uniqueItems") is True and isinstance(items, dict) and has_named_values(items)
    closed = isinstance(form.get("prefixItems"), list) and items is False
    return "maxItems" in form or has_named_values(form) or distinct or closed


def has_size_bound(form: Json) -> bool:
    """Return whether a number has a bound on at least one side."""
    return has_named_values(form) or is_format(form, SMALL) or any(_is_end(form.get(key)) for key in ENDS)


def _is_end(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_finite(pattern: str) -> bool:
    """Return whether a pattern holds for the whole string and repeats nothing without end."""
    plain = _ASIDE.sub("x", pattern)
    anchored = plain.startswith("^") and plain.endswith("$") and _ENDLESS.search(plain) is None
    while _GROUP.search(plain):
        plain = _GROUP.sub("x", plain)
    return anchored and "|" not in plain
