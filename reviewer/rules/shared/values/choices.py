"""Sets of values that a text tells: `'asc' or 'desc'`, `one of low, normal, high`.

A set counts only where it is closed: nothing in the text says that there is more, and the list ends where its sentence does.
"""

import re

from reviewer.text.patterns import pattern

VALUE = r"[A-Za-z0-9][\w.+-]{0,30}"
"""A value as an `enum` has it: one word of up to 31 letters. What is longer, or has spaces, is mostly a phrase."""

QUOTED = rf"(?:'{VALUE}'|\"{VALUE}\"|`{VALUE}`|“{VALUE}”|‘{VALUE}’|`\"{VALUE}\"`|`'{VALUE}'`)"
"""The quotation marks of texts, of Markdown, and of JSON within Markdown."""

BARE = r"(?!(?:or|and|the|an?|any|all|to|of|is|are|be|not)\b)[A-Za-z][\w-]{0,24}"
"""A word without quotation marks that may be a value; those that join words or begin a phrase are none."""

ASIDE = r"(?:\s*\((?![^()]*\b(?:e\.g|etc)\b)[^()]{0,80}\))?"
"""What may be said of each value in brackets, unless it gives examples: then there are more values."""

NEXT = r"(?:\s*,\s*(?:or\s+|and\s+)?|\s*\|\s*|\s*/\s*|\s+or\s+|\s+and\s+)"
"""What joins values behind an announcement."""

ALTERNATIVE = r"(?:\s*,\s*(?:or\s+)?|\s*\|\s*|\s*/\s*|\s+or\s+)"
"""What joins values where nothing announces them: without `and`."""

CLOSED = (
    r"(?=\s*(?:$|[.;)\]\n]|[—–-]\s|,?\s*(?:\(?default|defaults|required|optional)\b"
    r"|\s(?:for|to|depending|respectively|by\s+default)\b))"
)
"""Where a list of values ends, so that no further one can follow: its sentence does, or goes on with what the values are
for."""

STRONG = r"""(?:\b(?:(?:exactly|any|either)\s+)?one\s+of(?:\s+(?:the\s+following|these))?(?:\s+(?:values|options|strings))?
    |\b(?:must|should|can|may|has\s+to)\s+be(?:\s+either|\s+one\s+of)?|\beither
    |\b(?:allowed|valid|possible|accepted|supported|available|permitted)\s+(?:values|options|choices|\w+s)(?:\s+are)?
    |\b(?:values|options|choices)(?:\s+are)?)\s*[:=]?\s*[(\[]?\s*"""
"""What announces that the values follow, all of them."""

LISTED = pattern(rf"{STRONG}(?P<list>{QUOTED}{ASIDE}(?:{NEXT}{QUOTED}{ASIDE})+){CLOSED}", re.IGNORECASE | re.VERBOSE)
"""Values in quotation marks behind words that announce them."""

ALONE = pattern(
    rf"(?:^|[:(]|\.\s|[—–]|\s-\s)\s*(?P<list>{QUOTED}{ASIDE}(?:{ALTERNATIVE}{QUOTED}{ASIDE})+){CLOSED}",
    re.IGNORECASE,
)
"""Values in quotation marks that nothing announces, at the beginning of a sentence or an aside. `and` joins none of them: there
it may join anything."""

NAMED = pattern(
    rf"""\b(?:one\s+of(?:\s+the\s+following|\s+these)?(?:\s+values)?\s*:?
    |(?:allowed|valid|possible|accepted|supported|permitted)\s+(?:values|options|choices)(?:\s*:|\s+are:?)
    |(?:values|options|choices)\s*:)\s*[(\[]?\s*(?P<list>{BARE}(?:{NEXT}{BARE})+){CLOSED}""",
    re.IGNORECASE | re.VERBOSE,
)
"""Values without quotation marks: only words that speak of values announce them, for after "must be" any sentence may
follow."""

SPAN = pattern(r"\d+(?:\.\d+)?\s?[a-zA-Z]{1,5}|\d{4}-\d\d.*|\d+")
"""A length of time or a date, as examples show one: `'5m', '1h' or '1d'` are not all that may be given."""

LASTING = pattern(
    r"\b(?:durations?|ISO[- ]?8601|timestamps?|date ?times?|dates?|ago|since|newer|older|relative|time range|formats?)\b",
    re.IGNORECASE,
)
"""What says of values such as `10m` and `2h` that they show how one is written."""

ENDING = pattern(r"\sor\s|[|/]")
"""What says of two values that follow nothing else that they are all."""

PIPED = pattern(rf"(?:^|[:(]|\s)(?P<list>{BARE}(?:\s?\|\s?{BARE})+){CLOSED}")
"""`asc|desc`: a bar alone says that it is a choice, as in the grammar of a command."""

TAIL = pattern(
    rf"(?::\s+(?P<list>{BARE}(?:\s*,\s*{BARE})*\s*,?\s+or\s+{BARE})|\((?P<aside>{BARE}(?:\s*,\s*{BARE})+\s*,?\s+(?:or\s+)?{BARE})\))"
    r"\s*(?:,\s*at\s+most\b.*)?(?:$|[.;\n])",
    re.IGNORECASE,
)
"""Words in a row that end a sentence behind a colon, or stand in brackets at its end: `Order: name, size or age`."""

OPEN = pattern(
    r"""\be\.?g\b|\bex\b|\bexamples?\b|\bsuch\s+as\b|\blike\b|\binclud|\betc\b|\.\.\.|…|\bmore\b|\bothers?\b|\bcustom\b|\barbitrary\b
    |\bany\s+(?!of\b|one\b)|\bor\s+(?:an?|the|your|its|any|leave|omit|full|specific|valid|with|just|comma|even)\b
    |\bseparated\b|\blist\s+of\b|\bmultiple\b
    |\bcombin|\bone\s+or\s+more\b|\bseveral\b|\bwildcard|\bglob\b|\bregex|\bpattern\b|\bprefix|\bstarts?\s+with\b|\bcommonly\b|\busually\b
    |\btypically\b|\bdepend(?:s|ing)\s+on\b|\bcommon\b|\bfree[- ]?(?:text|form)\b|\bexpression\b|\bsyntax\b|\bi\.?e\b
    |\bpopular\b|\bnatural\s+language\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What says that there are other values beside those that are named, or that a value is made of several."""

KINDS = frozenset(
    "url uri path id ids name names number string str text uuid email file files directory folder slug key title int integer "
    "date time datetime timestamp hash tag branch commit empty null undefined".split()
)
"""Words that, without quotes, say what kind of value it is."""

NEVER_ALL = frozenset("main master head latest null undefined".split())
"""Values that are never meant to be the only ones."""


def extract_choices(text: str, *, unannounced: bool = False) -> tuple[str, ...]:
    """Return the values that a text says are all there are; none if it does not say so, or tells several sets.

    `unannounced` are taken, too: words in a row that nothing says to be values.
    """
    if OPEN.search(text):
        return ()
    if unannounced and (tail := TAIL.search(text)) and (values := _collect_values(tail["list"] or tail["aside"])):
        return values
    found = [
        values
        for form in (LISTED, ALONE, NAMED, PIPED)
        for each in form.finditer(text)
        if (values := _collect_values(each["list"]))
        and (len(values) > 2 or form is not ALONE or ENDING.search(each["list"]))
    ]
    largest = max(found, key=len, default=())
    if LASTING.search(text) and all(map(SPAN.fullmatch, largest)):
        return ()
    one = all(set(each) <= set(largest) for each in found)
    return largest if one and len(largest) > 1 else ()


def _collect_values(written: str) -> tuple[str, ...]:
    """Return the values of a list; none if they are kinds of values."""
    bare = re.sub(r"\([^()]*\)", "", written)
    quoted = re.findall(rf"['\"`“‘]({VALUE})['\"`”’]", bare)
    values = dict.fromkeys(quoted or re.findall(rf"\b{BARE}", bare))
    foreign = NEVER_ALL if quoted else NEVER_ALL | KINDS
    return () if foreign & {value.lower() for value in values} else tuple(values)
