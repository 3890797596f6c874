"""The bounds that a schema sets for a value, and whether a text tells them."""

import re
from collections.abc import Iterator
from typing import Any

from reviewer.caching import cache_latest
from reviewer.facts.parts import Part
from reviewer.rules.shared.words.identifiers import contains_word, split_words
from reviewer.text.numerals import clamp_to_float
from reviewer.text.patterns import pattern

NUMBER = pattern(r"\d{1,3}(?:[,_]\d{3})+(?!\d)|\d+(?:\.\d+)?")
"""With commas or underscores between the thousands; a comma elsewhere ends a number, as in `1,2`."""

COUNTED = {word: float(at) for at, word in enumerate("zero one two three four five six seven eight nine ten".split())}
"""Numbers that a text may have in words."""

TIMES = {"k": 1e3, "m": 1e6, "g": 1e9}
"""The sign right behind a number: `10k`, `2M`."""

OF_A_TYPE = frozenset(
    float(limit)
    for bits in (8, 16, 31, 32, 53, 63, 64)
    for limit in (2**bits - 1, 2**bits, 2 ** (bits - 1) - 1, 2 ** (bits - 1))
    if bits > 16
) | {0.0, 127.0, 128.0, 255.0, 32767.0, 32768.0, 65535.0}
"""The ends of integer types, which parsers that know the type set: such bounds were not chosen by an author."""

WIDEST = 2.0**31 - 1
"""From here on such an end is one even where the schema names no type of so many bits."""

LEAST = pattern(
    r"""\bmin(?:imum)?\b | \bat\ least\b | \b(?:greater|more|less|lower|fewer)\ than\b | \blower\ bound\b | >=?\s*-?\d | ≥
        | \bbetween\b | \brange\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""How a text tells a least number. "More than" and "less than" count for both ends, since "not less than" is one of these."""

MOST = pattern(
    r"""\bmax(?:imum)?\b | \bat\ most\b | \b(?:less|more|greater|fewer|higher|lower)\ than\b | \bupper\ bound\b | \bup\ to\b
        | <=?\s*-?\d | ≤ | \bbetween\b | \brange\b | \bexceed | \bcapped\b | \blimited\ to\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""How a text tells a greatest number; "no fewer than" and the like count here too, for the same reason."""

RANGE = pattern(r"(?<![\w.-])-?\d[\d.,_]*\s*(?:-|–|\.\.|\bto\b)\s*-?\d[\d.,_]*")
"""The form that the page of the 46 rules shows: `1-100` tells both ends, a number alone tells none by its letter."""

NOT_NEGATIVE = pattern(r"\b(?:non-?\s?negative|positive|zero)\b|\bnatural number", re.IGNORECASE)
"""Words that tell a minimum of 0 or 1 without the number."""

NOT_EMPTY = pattern(
    r"\bnon-?\s?(?:empty|blank)\b|\bnot (?:be )?(?:empty|blank)\b|\bone or more\b|\ba single\b", re.IGNORECASE
)
"""Words that tell a least length or count of 1 without the number."""

LENGTH = r"(?:length|chars?\b|characters?\b|long\b|short|letters?\b|digits?\b)"
"""Words for the length of a text, in letters or digits."""

SHORTEST = pattern(rf"\bmin(?:imum)?\s*{LENGTH}|\blength.{{0,20}}(?:at least|min|>=)", re.IGNORECASE)
"""Only with a word for length near by: a minimum alone may be that of the number in the text."""

LONGEST = pattern(
    rf"\bmax(?:imum)?\s*(?:\d+\s*)?{LENGTH}|\b(?:at most|up to|no (?:more|longer) than)\s+\d+\s*{LENGTH}"
    r"|\blength.{0,20}(?:at most|max|<=|up to)|\btruncated?\b|\blimit(?:ed)? to\b",
    re.IGNORECASE,
)
"""The same of the greatest length; with a number between as well: "max 100 characters", "no more than 50 letters"."""

FEWEST = pattern(r"\bmin(?:imum)?\b|\bat least\b", re.IGNORECASE)
"""How a text tells the fewest elements; the number itself in the text does as well."""

FORM = pattern(
    r"""\b(?:pattern|format|regex|regular\ expression|match(?:es|ing)?|valid|alphanumeric|hex(?:adecimal)?|(?:lower|upper)-?case
        |digits?|letters?|(?:starts?|begins?|starting|ends?|prefixed)\ with|without|separated|only|such\ as|like|example
        |uuid|ulid|url|uri|semver|iso|e\.?g)\b | ["`“:].*\S""",
    re.IGNORECASE | re.VERBOSE,
)
"""How a text tells a pattern in any way: a word for it, what it begins with, or an example behind a colon or in quotation
marks."""

CHOICE = pattern(
    r"""\b(?:one|any|some)\ of\b | \b(?:must|should|can|may)\ be\b | \beither\b
        | \b(?:options?|choices|values)\s*(?:are|include|:)
        | \b(?:allowed|valid|possible|supported|accepted|available)\s+(?:values?|options?|choices)\b
        | ['"`][^'"`]+['"`](?:\s*(?:,|\||/|or|and)\s*['"`][^'"`]+['"`])+""",
    re.IGNORECASE | re.VERBOSE,
)
"""How a text says that it names the values; otherwise half of them have to stand in it."""

FORMS = {
    "date-time": "iso rfc date time timestamp datetime",
    "date": "iso date day yyyy",
    "time": "iso time hour hh",
    "duration": "iso duration period",
    "email": "email mail address",
    "hostname": "host hostname domain",
    "ipv4": "ip ipv address",
    "ipv6": "ip ipv address",
    "uri": "uri url link address http https",
    "uri-reference": "uri url link path",
    "iri": "iri uri url link",
    "uuid": "uuid guid",
    "regex": "regex regexp regular pattern expression",
    "json-pointer": "pointer json path",
}
"""The words by which a text tells a format. A format that is not here says how a value is stored and bounds nothing."""

RULERS = {
    "minimum": ("the minimum", LEAST),
    "exclusiveMinimum": ("the minimum", LEAST),
    "maximum": ("the maximum", MOST),
    "exclusiveMaximum": ("the maximum", MOST),
    "minLength": ("the minimum length", SHORTEST),
    "maxLength": ("the maximum length", LONGEST),
    "minItems": ("the minimum number of elements", FEWEST),
    "maxItems": ("the maximum number of elements", MOST),
}

LITERAL = ("minimum", "maximum", "minLength", "maxLength")
"""The bounds that the page of the 46 rules names."""


def iter_untold_bounds(part: Part, text: str, *, literally: bool = False) -> Iterator[str]:
    """Name the bounds of a part that a text does not tell: `the greatest value (100)`.

    Literally, a number tells none but in a range, as the page has it (`1-100`), values that are named are not told to be all,
    and a name tells no format.
    """
    given = {keyword for form in (part.schema, *part.forms) for keyword in form}
    numbers = _format_ranges(text) if literally else text
    for keyword, (called, telling) in RULERS.items():
        if literally and keyword not in LITERAL:
            continue
        bound = part.find_keyword(keyword) if keyword in given else None
        if isinstance(bound, int | float) and not isinstance(bound, bool):
            if not literally and _is_of_the_type(keyword, bound, part):
                continue
            if not (telling.search(text) or _contains_number(numbers, keyword, clamp_to_float(bound))):
                yield f"{called} ({bound:g})" if abs(bound) < 1e6 else f"{called} ({bound})"
    if isinstance(part.find_keyword("pattern"), str) and not FORM.search(text):
        yield "the pattern"
    values = part.find_keyword("enum")
    if isinstance(values, list) and values and not (CHOICE.search(text) if literally else _names(text, values)):
        yield "the allowed values"
    wanted = part.find_keyword("format")
    if isinstance(wanted, str) and wanted in FORMS:
        said = {*split_words(text), *(() if literally else split_words(part.name))}
        if not said & {*FORMS[wanted].split(), "format"}:
            yield f"the format ({wanted})"


def _is_of_the_type(keyword: str, bound: float, part: Part) -> bool:
    """Return whether a bound is where numbers of a type end, or no bound at all."""
    if keyword in ("minLength", "minItems"):
        return bound == 0
    sized = any(str(form.get("format", "")).startswith(("int", "uint")) for form in (part.schema, *part.forms))
    return abs(bound) in OF_A_TYPE and (sized or abs(bound) >= WIDEST)


def _contains_number(text: str, keyword: str, bound: float) -> bool:
    """Return whether a number stands in a text, in digits or in words."""
    if abs(bound) in _collect_numbers(text):
        return True
    if keyword in ("minLength", "minItems"):
        return bound <= 1 and NOT_EMPTY.search(text) is not None
    return keyword in ("minimum", "exclusiveMinimum") and bound in (0, 1) and NOT_NEGATIVE.search(text) is not None


def _format_ranges(text: str) -> str:
    """Return the ranges of a text, and nothing of what stands around them."""
    return " ".join(each[0].replace("-", " ") for each in RANGE.finditer(text))


@cache_latest(maxsize=1024)
def _collect_numbers(text: str) -> frozenset[float]:
    found = {COUNTED[word] for word in split_words(text) if word in COUNTED}
    for number in NUMBER.finditer(text):
        value = float(re.sub("[,_]", "", number[0]))
        found |= {value, value * TIMES.get(text[number.end() : number.end() + 1].lower(), 1)}
        if text[number.end() : number.end() + 1] == "%":
            found.add(value / 100)
    return frozenset(found)


def _names(text: str, values: list[Any]) -> bool:
    """Return whether a text names allowed values: most of them, or says that it does."""
    if CHOICE.search(text):
        return True
    chosen = [str(value).casefold() for value in values if value is not None]
    said = text.casefold()
    named = [value for value in chosen if value and contains_word(said, value)]
    return len(named) * 2 >= len(chosen)
