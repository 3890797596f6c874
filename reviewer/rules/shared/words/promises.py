"""What a definition promises of a parameter: what it is when it is left out, and how large it may be at most."""

import re
from collections.abc import Iterator
from dataclasses import replace

from reviewer.facts import Part, Tool
from reviewer.rules.shared.values.bounds import OF_A_TYPE
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.rules.shared.words.text_lists import iter_entries
from reviewer.text.numerals import parse_integer
from reviewer.text.patterns import pattern

Plain = str | int | float | bool

_VALUE = (
    r"""(?P<value>-?\d[\d,_]*(?:\.\d+)?(?![\w.-]*\d)|true\b|false\b|"[^"\s]{1,30}"|'[^'\s]{1,30}'|`[^`\s]{1,30}`)"""
)
"""A number, a truth, or up to 30 characters in quotation marks; a bare word is looked at below."""

_AFTER = r"[`'\"]?\s*(?P<after>%|[A-Za-z]+)?"
"""The word behind it, which may be a unit or begin a condition."""

_MISSING = r"(?:left out|omitted|unset|missing|absent|not\s+(?:given|set|specified|provided|passed))"
"""How a text says that nothing was given."""

_DEFAULT = pattern(
    rf"(?<!no )(?<!non-)(?<!not )\bdefault(?:s|ing|ed)?\b(?:\s+(?:is|to|value|of|limit|size|are|set))*"
    rf"\s*[:=]?\s*[`(]?{_VALUE}{_AFTER}"
    rf"|(?<![\w.-])(?P<early>\d[\d,_]{{0,30}}+)\s+(?P<unit>[a-z]+\s+)?(?:by default|(?:if|when)\s+(?:it\s+is\s+)?{_MISSING})\b",
    re.IGNORECASE,
)
"""How a text tells a default: "defaults to 10", and the number first: "10 by default", "14 if left out". Of at most 31 digits
and taken whole: begun anew at each digit of 90 KB of numbers, it took over 10 s."""

_WORD = pattern(r"\bdefault(?:s to|\s+is|\s*[:=])\s+(?P<word>[a-z][a-z_]{2,30})(?=\s*(?:[.,;)]|$))", re.IGNORECASE)
"""A default that is a bare word, as in `metres or feet (default: metres)`."""

_MOST = pattern(
    rf"\b(?:max(?:imum)?(?:\s+(?:is|of|value|allowed))*|at most|up to|capped at|no more than|limited to|clamped to)\s*[:=]?\s*"
    rf"(?P<value>\d[\d,_]*(?!\.?\d)(?!\s*(?:-|–|\.\.|to\b)=?\s*\d)){_AFTER}",
    re.IGNORECASE,
)
"""How a text tells the greatest number. Of `up to 1-5` the 1 is not it."""

_CONDITION = frozenset("if when for unless in while on with except during per each".split())
"""What follows a number that holds in one case only: `(1-100 if percent)` bounds nothing."""

_BETWEEN = pattern(
    r"(?:\bbetween\s+\d+\s+and\s+|\b\d+\s*\.\.=\s*|\b(?:clamped|limited|capped)\s+to\s+\d+\s*(?:-|–|to)\s*"
    r"|\(\s*\d+\s*(?:-|–|\.\.=?|to)\s*)(?P<value>\d[\d,_]*(?!\.?\d))"
    rf"\s*(?P<after>(?:{'|'.join(sorted(_CONDITION))})\b)?",
    re.IGNORECASE,
)
"""How a text tells both ends, of which the second is the greatest. A range without brackets or such a word may be an
example."""

_CONFIGURED = (
    r"(?:configured|configurable|server(?:'s)?|global|system|hard|allowed|permitted)\s+(?:\w+\s+)?"
    r"(?:max(?:imum)?|min(?:imum)?|limit|cap|ceiling|bound|setting)s?"
)
"""A bound that somebody sets outside of the call: its default is none of the argument's."""

_BOUND = (
    r"up to|at (?:most|least)|(?:no|not) (?:more|less|longer|larger|greater) than|(?:less|fewer|more|greater) than|exceed\w*"
    r"|(?:capped|limited|bounded|clamped|restricted|truncated)\s+(?:at|by|to)|between\s+-?\d+\s+and|<=?|≤"
)
"""Words behind which a number is a bound."""

_OF_A_BOUND = pattern(
    rf"(?:\b{_CONFIGURED}|(?:\b(?:{_BOUND})|<=?|≤)\s+(?!this|so|how|as)[^\W\d][^\d]*|\bthe\s+(?:max(?:imum)?|limit|cap|ceiling))[^\w\d]*$",
    re.IGNORECASE,
)
"""What ends in the name of a bound, after which `(default 100)` is what the bound is: `capped by the server's limit`."""

_AT_A_BOUND = pattern(
    rf"(?:\b(?:{_BOUND})|[<≤]=?|\bmax(?:imum)?|\bmin(?:imum)?|\b(?:max(?:imum)?|min(?:imum)?|limit|cap|ceiling)\s+(?:of|is|at|to))[\s`'\"(:=]*$",
    re.IGNORECASE,
)
"""What a number by default follows as the bound that it is: `up to 30 by default`."""

_OF_ANOTHER = pattern(
    r"(?P<name>[A-Za-z]\w*_\w+)[`'\"]?(?:\s+(?:setting|option|parameter|argument|variable|env\w*))*[\s(,:]*$"
)
"""A name with an underscore right before a default: `timeout_ms (default 100)` in the text of another parameter is of that
one."""

_UNLESS = pattern(r"[^.;]{0,30}\b(?:by default|unless|configur\w+)\b", re.IGNORECASE)
"""Within 30 letters in the same clause: "at most 100 by default", "unless configured otherwise". Code may let more through."""

NEAR = 160
"""Characters before a default in which may stand what it is the default of."""

_CLAUSE = pattern(r"[.;!?]\s|\n\s*\n")
"""Where the thought ends that a default belongs to; a dot within a number or a name ends none."""

_SENTENCE = pattern(r"(?<=[.!?])\s+|\n\s*\n")
"""Parts a tool's description, of which a sentence may speak of one parameter alone."""

_QUOTED = pattern(r"`(\w+)`")
"""How a description names a parameter without doubt; a bare word may be no name."""

_UNITS = frozenset(
    "s ms sec secs second seconds min mins minute minutes h hr hrs hour hours day days week weeks month months year years k kb "
    "mb gb kib mib b bytes byte m million thousand percent % px pixels deg degrees km cm mm meter meters metre metres mile miles "
    "foot feet inch inches g kg gram grams pound pounds lb lbs ounce ounces dozen hz khz mhz ghz thz db dbm v mv kv "
    "ma mw kw wh kwh kj mj pa kpa mpa hpa bar mbar psi bps kbps mbps gbps fps rpm ns us gib tb tib bits".split()
)
"""What follows a number that counts something else than the parameter: "30 s" says nothing of `timeout_ms`, and comparing the
two was a false alarm. kHz and the like were added for another."""


def read_default(part: Part) -> Plain | None:
    """Return the plain default that a schema sets."""
    value = part.find_keyword("default")
    return value if isinstance(value, bool | int | float | str) else None


def with_description(tool: Tool, part: Part) -> Part:
    """Return an argument with what the tool's own description says of it, line by line, where it has no description itself."""
    if part.description or tool.said is None or part.depth > 1:
        return part
    for line in tool.said.splitlines():
        head, _, said = line.strip().lstrip("-*` ").partition(":")
        if said and head.partition(" (")[0].rstrip("`* ") == part.name:
            return replace(part, schema={**part.schema, "description": said.strip()})
    return part


def find_told_default(part: Part) -> Plain | None:
    """Return the default that a parameter's description tells, None if it tells none, several, or one for some case only."""
    hits = list(_DEFAULT.finditer(part.description))
    if not hits:
        return _find_told_word(part)
    found = {_parse_value(hit["value"] or hit["early"]) for hit in hits}
    aside = any(_is_aside(hit, part) or _is_of_another(hit, part) for hit in hits)
    return next(iter(found)) if len(found) == 1 and not aside else None


def _find_told_word(part: Part) -> str | None:
    """Return the default that is a bare word, if that is one of those that the schema or the description lists."""
    found = {hit["word"] for hit in _WORD.finditer(part.description)}
    if len(found) != 1:
        return None
    word, listed = found.pop(), part.find_keyword("enum")
    is_listed = word in listed if isinstance(listed, list) else len(re.findall(rf"\b{word}\b", part.description)) > 1
    return word if is_listed else None


def read_maximum(part: Part) -> float | None:
    """Return the greatest number that a schema lets through."""
    most, below = part.find_keyword("maximum"), part.find_keyword("exclusiveMaximum")
    if isinstance(most, int | float) and not isinstance(most, bool):
        return None if abs(most) in OF_A_TYPE else most
    return below - 1 if isinstance(below, int) and not isinstance(below, bool) else None


_GRADE = pattern(r"\b\d+\s*(?:(?:-|–|\.\.=?|to)\s*\d|\+)")
"""A further range, or all from a number on: `(1-4 low, 5-7 mid, 8+ high)` says what values mean. Seen in a server's scores."""


def _is_grade(hit: re.Match[str]) -> bool:
    """Return whether a range is one of several in brackets."""
    return hit[0].startswith("(") and _GRADE.search(hit.string[hit.end() :].partition(")")[0]) is not None


def find_told_maximum(part: Part, said: str = "") -> int | None:
    """Return the greatest number that a parameter's description tells, or `said` of it; None if it tells none or several."""
    text = part.description or said
    hits = [*_MOST.finditer(text), *(each for each in _BETWEEN.finditer(text) if not _is_grade(each))]
    found = {_parse_value(hit["value"]) for hit in hits}
    value = (
        next(iter(found))
        if len(found) == 1 and not any(_is_aside(hit, part) or _may_be_set(hit) for hit in hits)
        else None
    )
    return value if isinstance(value, int) and not isinstance(value, bool) else None


_PAGE = pattern(
    r"\b(?:return|give|list|show|yield|answer)s?\s+(?:with\s+)?(?:at\s+most|up\s+to|no\s+more\s+than|a\s+maximum\s+of)"
    rf"\s+(?P<value>\d[\d,_]*(?!\.?\d)){_AFTER}",
    re.IGNORECASE,
)
"""How a tool says how many things it gives at most; only with a verb of giving, since `up to 10` may be what it takes."""


def find_told_page_size(said: str) -> int | None:
    """Return how many things a description says that an answer has at most; None if it says none or several, or counts units."""
    hits = list(_PAGE.finditer(said))
    found = {_parse_value(hit["value"]) for hit in hits}
    is_plain = not any((hit["after"] or "").lower() in _UNITS | _TEXT | _CONDITION or _may_be_set(hit) for hit in hits)
    value = next(iter(found)) if len(found) == 1 and is_plain else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


_TEXT = frozenset("chars characters words lines tokens sentences paragraphs".split())
"""What is counted in an answer that is no list of things."""


_HEAD = pattern(r"[ \t]*(?:[-*•][ \t]*)?[`*]*")
"""What stands before a name in a list of parameters."""

_TAIL = pattern(r"[`*]*[ \t]*(?:\([^()\n]*\))?[ \t]*[:–—-][ \t]*(.+)")
"""What stands behind a name in a list of parameters, and what is said of it."""


def extract_description(part: Part, description: str) -> str:
    """Return the part of a tool's description about a parameter: its line in a list, or the sentences that name no other."""
    found = [each[1] for each in iter_entries(description, part.name, _HEAD, _TAIL)]
    sentences = (each for each in _SENTENCE.split(description) if set(_QUOTED.findall(each)) == {part.name})
    return "\n\n".join(found or sentences)


def _is_aside(hit: re.Match[str], part: Part) -> bool:
    """Return whether a number holds in some case only, or counts in a unit that the parameter may not count in."""
    after = (hit["after"] or "").lower()
    unit = after in _UNITS and after.rstrip("s") not in {word.rstrip("s") for word in split_words(part.name)}
    return unit or after in _CONDITION


def _is_of_another(hit: re.Match[str], part: Part) -> bool:
    """Return whether a default is that of a bound or of another setting, which the same clause names right before."""
    before = _CLAUSE.split(hit.string[max(0, hit.start() - NEAR) : hit.start()])[-1]
    other = _OF_ANOTHER.search(before) if (hit["value"] or "")[:1] not in ("'", '"', "`") else None
    bound = _OF_A_BOUND.search(before) or (hit["early"] and _AT_A_BOUND.search(before))
    return bool(bound) or (other is not None and split_words(other["name"]) != split_words(part.name))


def _may_be_set(hit: re.Match[str]) -> bool:
    """Return whether a bound only holds unless another is configured."""
    return _UNLESS.match(hit.string, hit.end("value")) is not None


def _parse_value(said: str) -> Plain:
    plain = said.strip("`'\"")
    if said.lower() in ("true", "false"):
        return said.lower() == "true"
    if re.fullmatch(r"-?\d[\d,_]*", said.rstrip(",")):
        return parse_integer(re.sub("[,_]", "", said))
    if plain.lower() in ("true", "false") and said != plain:
        return plain.lower() == "true"
    if re.fullmatch(r"-?\d[\d,_]*\.\d+", plain):
        return float(re.sub("[,_]", "", plain))
    return parse_integer(plain) if re.fullmatch(r"-?\d+", plain) else plain


def differs(one: Plain, other: Plain) -> bool:
    """Return whether two values are of one kind and not the same.

    Words may differ in case, as `market` and `MARKET` of an order that is sent on: nobody misreads that. A single letter may not
    (`-r` is not `-R`).
    """
    if isinstance(one, str) and isinstance(other, str):
        return one != other if len(one) == 1 else one.casefold() != other.casefold()
    kinds = [bool if isinstance(each, bool) else str if isinstance(each, str) else float for each in (one, other)]
    return kinds[0] is kinds[1] and one != other


def iter_top_level(parts: tuple[Part, ...]) -> Iterator[Part]:
    """Return the arguments themselves, without what lies in them."""
    return (part for part in parts if part.depth == 1 and not part.element)
