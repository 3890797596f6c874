"""Placeholders for unwritten texts: `TODO: describe`, `No description`, words that fit everything."""

import re

from reviewer.text.patterns import pattern

MARKS = ("TODO", "TBD", "TBA", "FIXME", "XXX", "WIP")
"""What authors write where a text is still missing. In capitals: `todo` is a thing that servers keep lists of."""

MARK = f"(?:{'|'.join(MARKS)})"
"""Any of the marks."""

FILL = r"(?:add|describe|document|write|fill(?:\ in)?|explain|insert|complete|finish|clarify|specify|improve|update|define)"
"""Verbs that ask to write what is missing."""

MARKED = pattern(
    rf"""(?<![\w`'"/,-])[\[(<{{]?\s*(?:
        {MARK}\s*(?:\([^)]*\)\s*)?(?:[:\-–—]|(?=[.!]?$)|(?=[\])>}}]))\s*(?:(?i:{FILL})\b(?:\s+(?:me|this|it|here)\b)?)?
        | {MARK}\s+(?i:{FILL})\b(?:\s+(?:me|this|it|here)\b)?
        | (?:^|(?<=^[\[(<{{])){MARK}(?=\s+[A-Z][a-z])
    )[\])>}}:.\s]*(?P<rest>.*)""",
    re.VERBOSE | re.DOTALL,
)
"""A mark with a sign, its end or a verb behind it: "TODO: …", "[TBD]", "FIXME describe". "TODO items" are things, and `XXX`
right behind a letter or a quotation mark is part of an example."""

ANEW = pattern(r"[A-Z]\S*\s+\w")
"""How a sentence begins that stands behind a mark."""

NOUN = r"(?:tool|parameter|param|argument|arg|field|property|function|method|option|value|input|output|item|thing)"
"""What a text that says nothing is about."""

TEXT = r"(?:description|docstring|documentation|docs?|text|help)"
"""What it says is missing."""

PLACEHOLDER = pattern(
    rf"""\W*(?:
        (?:todo|tbd|tba|fixme|x{{3,}}|wip)\W*(?:{FILL}\b.*|later|me|this|docs?|description|docstring)?
        | (?:this\ is\ )?(?:an?\ )?(?:placeholder|stub)(?:\ (?:text|description|for\ .*))?
        | lorem\ ipsum\b.*
        | n/?a | none | null | nil | undefined | unknown | test | foo | bar | baz | asdf | some\ text
        | (?:an?\ |the\ |my\ |some\ )?(?:description|{NOUN})
        | (?:this\ is\ )?(?:an?\ |the\ )?{NOUN}(?:\ (?:of|for|to)\ (?:the|this|an?)\ {NOUN})?
        | (?:no|missing|empty)\ {TEXT}(?:\ (?:yet|given|provided|available|here))?
        | (?:not|un)[\ -]?(?:yet\ )?(?:documented|described|available|specified)(?:\ yet)?
        | (?:add|insert|write|put|enter|provide|fill\ in|your)\ (?:an?\ |the\ |your\ |some\ )?(?:\w+\ )?{TEXT}\ here
        | (?:add|insert|write|put|enter|provide|fill\ in|your)\ (?:an?\ |the\ |your\ |some\ )?(?:{NOUN}\ )?
          (?:description|docstring|documentation|docs)
        | describe\ (?:me|this|it|here|(?:this|the|your)\ {NOUN})(?:\ here)?
        | (?:description|docs|documentation)\ (?:(?:goes\ |comes\ )?here|pending|missing|to\ (?:come|follow))
        | description\ of\ (?:(?:the|this|a|an)\ )?{NOUN}
        | to\ be\ (?:done|described|written|documented|determined|added|defined|decided|completed|filled(?:\ in)?)
        | coming\ soon | (?:auto-?|automatically\ )generated(?:\ (?:description|documentation))?
        | self[\ -]explanatory | same\ as\ above | see\ above | ditto
    )\W*""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""Sentences that stand for a text, whole: in a longer sentence each of these words says something."""

STRAY = pattern(
    r"""(?:^|(?<=\s))(?:
        N/A | \.{3,} | …
        | (?:No|Missing)\ (?:description|docstring|documentation|docs)(?:\ (?:yet|given|provided|available|here)\b)?
        | [Ll]orem\ ipsum\b.*
    )(?=\W*(?:$|\s[A-Z]))""",
    re.VERBOSE | re.DOTALL,
)
"""Placeholders before or behind a sentence that has no end."""

HINTS = ("N/A", "...", "…", "No ", "Missing ", "orem ipsum")
"""What one of those has in it: a search for words is fast."""

EMPTY = frozenset(
    "this that it its is are a an the of for to in on with and or as use used using call run when whenever where if you your "
    "we need needed needs want wanted one then next please now here there must should may can will be has have do does e g i "
    "example x y z parameter param argument arg tool function method input output value field thing".split()
)
"""Words of sentences that fit every tool and every parameter."""

LONGEST = 120
"""Characters. No sentence of so few words is longer."""

POINTING = frozenset("this it example next".split())
"""Without one of these, such a sentence speaks of calls: `Call a tool`."""

RULE = pattern(r"[\s.…?!*_=–—-]+|\s*</?\w+>\s*")
"""Marks that say nothing: dots, a line, a tag. Those of code and lists belong to what they stand around."""


def without_placeholders(sentence: str) -> str:
    """Take what stands for a text out of a sentence; what is left is nothing, or what it says beside."""
    mark = MARKED.search(sentence) if any(mark in sentence for mark in MARKS) else None
    if mark is not None:
        rest = mark["rest"] if ANEW.match(mark["rest"]) else ""
        sentence = f"{sentence[: mark.start()].rstrip()} {without_placeholders(rest)}".strip()
        if _fits_everything(f"{sentence}."):
            return ""
    if PLACEHOLDER.fullmatch(sentence) or RULE.fullmatch(sentence) or _fits_everything(sentence):
        return ""
    stray = any(hint in sentence for hint in HINTS) and STRAY.search(sentence)
    bare = STRAY.sub("", sentence).strip() if stray else sentence
    return bare if bare == sentence else without_placeholders(bare)


def _fits_everything(sentence: str) -> bool:
    if len(sentence) > LONGEST or not sentence.rstrip().endswith((".", "!")):
        return False
    said = set(re.findall(r"[a-z]+", sentence.lower()))
    return said <= EMPTY and bool(said & POINTING)
