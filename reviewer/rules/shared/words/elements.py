"""The elements of a description by their labels: purpose, when to use, parameters, limitations."""

import re

from reviewer.text.patterns import pattern

NAMES = {
    "when to use": r"when (?:should (?:i|you) |to )use(?: (?:it|this)(?: tool)?)?|usage|use cases?|use (?:it |this )?for",
    "parameters": r"(?:input )?parameters?|params|args|arguments|inputs?",
    "limitations": r"(?:known )?limitations?|limits|caveats?|restrictions?|constraints?",
    "purpose": r"purpose|what it does|summary|overview",
}
"""The labels under which the four elements stand, as authors write them."""

OPENING = r"(?:^|(?<=[.!?;)])[ \t]+|(?<=\s\s))[ \t]*(?:#+[ \t]*|[-*•>][ \t]+|\d+[.)][ \t]*)?[*_`]*"
"""What may stand before a label: the beginning of a line, the end of a sentence or two blanks, and marks of Markdown."""

CLOSING = r"[*_`]*(?:[ \t]*[:：][*_`]*|[ \t]+[—–-][ \t]|[ \t]*$)"
"""What makes a word a label: a colon, also the full-width one of Chinese, a dash between blanks, or that it has the line
alone."""

LABELS = pattern(
    "|".join(rf"{OPENING}(?P<{name.replace(' ', '_')}>{words}){CLOSING}" for name, words in NAMES.items()),
    re.IGNORECASE | re.MULTILINE,
)
"""A label begins a line, or follows a sentence, since many authors put the four elements into one paragraph."""

PHRASE = pattern(
    r"\b(?:use|call|choose|prefer) (?:this |it |the )?(?:tool )?(?:when|whenever|if)\b|(?:^|[.!?]\s+)when to use\b(?=\s+\w)",
    re.IGNORECASE | re.MULTILINE,
)
"""Says when to use a tool without a label; the text behind it is the element."""

DENYING = frozenset("no none nothing not without unknown n/a".split())
"""Words by which a text says that there is nothing; without one of them it has told something."""
VOID = DENYING | frozenset(
    "there are is it has have any ones known yet at all so far currently to of note mention report speak special specific "
    "particular further other applicable apply applies limit limits limitation limitations caveat caveats restriction "
    "restrictions constraint constraints such these this tool that we i know".split()
)
"""Words that say nothing of what a tool does not do. If a text has only these and denies, nothing is said: `none to speak of`."""
EMPTY = pattern(r"\b(?:todo|tbd|fixme|xxx|n/?a|placeholder)\b|\.{3}|…", re.IGNORECASE)
"""Words that fill a label without saying anything; they are not counted."""


def split_elements(description: str) -> dict[str, str]:
    """Return the text after each label, and the text before the first label as the purpose."""
    labels = list(LABELS.finditer(description))
    ends = [*(label.start() for label in labels), len(description)][1:]
    found: dict[str, str] = {"purpose": description[: labels[0].start() if labels else len(description)]}
    for label, end in zip(labels, ends, strict=True):
        name = str(label.lastgroup).replace("_", " ")
        found[name] = f"{found.get(name, '')} {description[label.end() : end]}".strip()
    if "when to use" not in found:
        phrase = PHRASE.search(description)
        found["when to use"] = description[phrase.end() :] if phrase is not None else ""
    return found


def extract_element(description: str, name: str) -> str | None:
    """Return one element, None if its label is missing or nothing stands behind it."""
    said = split_elements(description).get(name, "")
    if _is_denial(said):
        return None
    return said if len(re.findall(r"\w+", EMPTY.sub("", said))) >= (3 if name == "purpose" else 1) else None


def _is_denial(said: str) -> bool:
    """Return whether a text only says that nothing is said: every tool of actions has limits."""
    found = set(re.findall(r"[\w/']+", said.lower()))
    return bool(found & DENYING) and found <= VOID


NAMED = (
    r"""action["'`*]*\s*[:=]\s*["'`*]*{name}\b""",
    r"""["'`*]{name}["'`*]""",
    r"""\b(?:action|call|use|run|invoke|try|see)s?\s+{name}\b""",
    r"""\b{name}\s+(?:and\s+\w+\s+)?actions?\b""",
    r"""\b(?:help|schema)\W{{0,3}}(?:\s(?:and|or|then)\s|[,/|&])\W{{0,3}}{name}\b""",
    r"""\b{name}\W{{0,3}}(?:\s(?:and|or|then)\s|[,/|&])\W{{0,3}}(?:help|schema)\b""",
)
"""How a text means an action and not the word: as the value of `action`, in quotation marks, behind "call", before "action", or
joined to `help` or `schema`, which are everyday words alone."""


def names_action(text: str, name: str) -> bool:
    """Return whether a text speaks of an action by its name, and does not only use the word."""
    return any(re.search(pattern.format(name=name), text, re.IGNORECASE) for pattern in NAMED)
