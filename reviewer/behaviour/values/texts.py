"""What a text is made of, as far as the code says it: the parts that are written, and those that only a run tells."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from reviewer.behaviour.security.checks import asks_presence
from reviewer.code.events import Occurrence
from reviewer.code.library_types import find_types
from reviewer.code.models import Models
from reviewer.code.state import infer_constants
from reviewer.code.values import (
    ELEMENT,
    ConditionalValue,
    Key,
    Made,
    Plain,
    Relation,
    Value,
    build_constant,
    strip_negations,
)
from reviewer.text.patterns import pattern

Spelling = tuple[str | None, ...]
"""A text part by part; None is a part that only a run tells."""

MOST = 8
"""Texts that one value may be. A statement or an address that is one of more is put together at run time."""
DEEPEST = 8
"""How many values inside values are looked through. A path is joined of four or five; no more was seen."""

JOINING = {"+": "", "text": "", "/": "/"}
"""What stands between the parts of a text, or of a path, that an operator puts together."""


class TextPiece(NamedTuple):
    """A part of a text: `text` as it is written, None where only a run tells, and the value, as the function of a call has it.

    `under` are the tests by which this is the part, and whether they are true there.
    """

    text: str | None
    here: Occurrence
    value: Value
    under: tuple[tuple[Value, bool], ...] = ()


def collect_spellings(occurrence: Occurrence, value: Value, models: Models) -> list[Spelling]:
    """Return the texts that a value may be, also by what the callers hand over."""
    return [tuple(each.text for each in text) for text in collect_compositions(occurrence, value, models)]


def collect_compositions(
    occurrence: Occurrence, value: Value, models: Models, deep: int = DEEPEST
) -> list[tuple[TextPiece, ...]]:
    """Return the texts that a value may be part by part, also by what the callers hand over."""
    here, value = occurrence.trace_source(value)
    if value.contents and deep and goes_on(value):
        return _collect_appended_texts(here, value, models, deep)
    constants = infer_constants(value, here.event.facts)
    if constants is not None:
        return [(TextPiece(format_constant(each), here, value),) for _, each in sorted(constants, key=repr)[:MOST]]
    plain = (TextPiece(None, here, value),)
    match value.meaning if deep else None:
        case ConditionalValue(test, then, otherwise):
            return [
                tuple(part._replace(under=(*part.under, (test, holds))) for part in text)
                for each, holds in ((then, True), (otherwise, False))
                if each.failure is None and not _is_absent(each, test, holds)
                for text in collect_compositions(here, each, models, deep - 1)
            ][:MOST]
        case Made("joined", of):
            return [text for each in of for text in collect_compositions(here, each, models, deep - 1)][:MOST]
        case Made("%", (form, *given)) if form.text is not None:
            return _fill(here, value, form.text, given, models, deep)
        case Made(by, (form, *given)) if (
            by.endswith(".format") and form.text is not None and models.find_model(by) is not None
        ):
            return _collect_formatted_texts(here, value, form.text, given, models, deep)
        case Made(by, of) if not CHANGED.isdisjoint(models.get_model(by).acts):
            return _replace(here, value, of, models, deep) if models.get_model(by).path in REPLACING else [plain]
        case Made(by, (separator, joined)) if JOIN.search(by) and separator.text is not None:
            return _collect_joined_texts(here, value, separator, joined, models, deep)
        case Made(by, (joined, *separators)) if TOGETHER.search(by) and _collect_elements(here, joined):
            return _collect_joined_texts(
                here, value, separators[0] if separators else build_constant(""), joined, models, deep
            )
        case Made(by, of) if by in JOINING:
            return _join(here, of, JOINING[by], models, deep)
        case Made(by, of) if is_text(by, models):
            return _join(here, of, "/" if "path" in by.lower() else "", models, deep)
    return [plain]


def _is_absent(value: Value, test: Value, holds: bool) -> bool:
    """Return whether a test says that a value is not there: of `limit.map(|_| "LIMIT ?")` nothing else is left of `limit`."""
    asked, holds = strip_negations(test, holds)
    return (
        not holds
        and isinstance(asked.meaning, Relation)
        and asks_presence(asked)
        and asked.meaning.left.term == value.term
    )


EMPTY = pattern(r"std\.(?:string\.String|path\.PathBuf)\.(?:new|with_capacity|default)|io\.StringIO")
"""What makes a text without a character."""


def goes_on(value: Value) -> bool:
    """Return whether a value is a text, or a path, that goes on with others, which it holds."""
    held, kinds = value.contents or {}, value.library_types
    if not find_types("growing path").isdisjoint(kinds):
        return any(map(_is_part, held))
    return (value.text is not None or not find_types("text", "text buffer").isdisjoint(kinds)) and all(
        map(_is_part, held)
    )


def _is_part(key: Key) -> bool:
    return isinstance(key, int) or key == ELEMENT


def _collect_appended_texts(here: Occurrence, text: Value, models: Models, deep: int) -> list[tuple[TextPiece, ...]]:
    """Return the texts that one may be with what it goes on with: in order, then what a loop adds, as often as it may."""
    held = [each for key, each in (text.contents or {}).items() if _is_part(key)]
    is_empty = isinstance(text.meaning, Made) and not text.meaning.of and EMPTY.fullmatch(text.meaning.by) is not None
    first = () if is_empty else (text._replace(contents=None),)
    between = "" if find_types("growing path").isdisjoint(text.library_types) else "/"
    return _join(here, (*first, *held), between, models, deep)


JOIN = pattern(r"(?<!path)\.join$")
"""What puts the elements of a sequence together with what it is a method of between them."""

TOGETHER = pattern(r"(?<!path)\.(?:join|concat)$")
"""What puts the elements of a sequence together that it is a method of."""

FILLED = pattern(r"%(?:\(\w*\))?[-+ #0-9.*]*[a-zA-Z]")
"""What is filled in where a text is a form for `%`."""


def _fill(
    here: Occurrence, text: Value, form: str, given: list[Value], models: Models, deep: int
) -> list[tuple[TextPiece, ...]]:
    """Return the texts that a form for `%` gives with what it is filled with."""
    written = FILLED.split(form)
    values = [each for one in given for each in (here.trace_source(one)[1].contents or {0: one}).values()]
    if len(values) != len(written) - 1:
        values = [text._replace(meaning=None)] * (len(written) - 1)
    parts = [
        part
        for each, value in zip(map(build_constant, written), [*values, None], strict=True)
        for part in (each, value)
    ]
    return _join(here, tuple(each for each in parts if each is not None and each.text != ""), "", models, deep)


GAP = pattern(r"\{(\d*)(?:![rsa])?(?::[^{}]*)?\}")
"""What is filled in by its place where a text is a form for `str.format`."""


def _collect_formatted_texts(
    here: Occurrence, text: Value, form: str, given: list[Value], models: Models, deep: int
) -> list[tuple[TextPiece, ...]]:
    """Return the texts that a form for `str.format` gives; what fills a place that goes by a name is not looked for."""
    written, places = GAP.split(form)[::2], GAP.split(form)[1::2]
    plain = [each.replace("{{", "").replace("}}", "") for each in written]
    wanted = [int(each) if each else number for number, each in enumerate(places)]
    if any("{" in each or "}" in each for each in plain) or any(each >= len(given) for each in wanted):
        return _join(here, (build_constant(form), text._replace(meaning=None)), "", models, deep)
    inner = [given[each] for each in wanted]
    parts = [
        part for each, value in zip(map(build_constant, written), [*inner, None], strict=True) for part in (each, value)
    ]
    return _join(here, tuple(each for each in parts if each is not None and each.text != ""), "", models, deep)


def _collect_joined_texts(
    here: Occurrence, text: Value, separator: Value, joined: Value, models: Models, deep: int
) -> list[tuple[TextPiece, ...]]:
    """Return the texts that the elements of a sequence may be with a separator between each two."""
    between = [part for each in _collect_elements(here, joined) for part in (separator, each)][1:]
    return _join(here, tuple(between), "", models, deep) if between else [(TextPiece(None, here, text),)]


def _collect_elements(here: Occurrence, sequence: Value) -> tuple[Value, ...]:
    """Return the elements of a sequence, one of any number where no more is known of them; none if nothing is."""
    held = here.trace_source(sequence)[1].contents or {}
    return tuple(held.values()) if all(isinstance(key, int) or key == ELEMENT for key in held) else ()


def format_constant(plain: Plain) -> str:
    """Return a constant as it stands in a text."""
    return plain.decode("utf-8", "replace") if isinstance(plain, bytes) else str(plain)


CHANGED = frozenset({"quotes", "hashes", "replaces"})
"""What a function does that gives a text in which its operands are no longer as they were."""


REPLACING = frozenset({".replace", ".replacen"})
"""What puts one text in the place of another, wherever that stands in its operand."""

PLAIN = pattern(r"[\w ]+")
"""What means nothing to those who read a text, but for what it says: who replaces it has made nothing harmless."""


def _replace(
    here: Occurrence, text: Value, of: tuple[Value, ...], models: Models, deep: int
) -> list[tuple[TextPiece, ...]]:
    """Return the texts that one may be in which letters or blanks were replaced, part by part, and else the text alone."""
    old, new = (of[1].text, of[2].text) if len(of) > 2 else (None, None)
    if old is None or new is None or PLAIN.fullmatch(old) is None:
        return [(TextPiece(None, here, text),)]
    return [
        tuple(part if part.text is None else part._replace(text=part.text.replace(old, new)) for part in each)
        for each in collect_compositions(here, of[0], models, deep - 1)
    ]


def is_text(path: str, models: Models) -> bool:
    """Return whether a library's function gives its operands as a text, or as the path that they name."""
    model = models.find_model(path)
    if model is None or not CHANGED.isdisjoint(model.acts):
        return False
    return model.returns in ("text", "same text") or (
        model.returns == "new" and (model.type or path).endswith((".Path", ".Url"))
    )


def is_put_together(value: Value, models: Models) -> bool:
    """Return whether a value is put together of others as a text is, or as a sum or a list may be too."""
    match value.meaning:
        case Made(by, _):
            return by in ("text", "+", "%") or TOGETHER.search(by) is not None or is_text(by, models)
    return bool(value.contents) and goes_on(value)


def _join(
    here: Occurrence, parts: tuple[Value, ...], between: str, models: Models, deep: int
) -> list[tuple[TextPiece, ...]]:
    found: list[tuple[TextPiece, ...]] = [()]
    for number, each in enumerate(parts):
        start = (TextPiece(between, here, each),) if number and between else ()
        inner = collect_compositions(here, each, models, deep - 1)
        found = [(*before, *start, *after) for before in found for after in inner][:MOST]
    return found


def iter_beginnings(occurrence: Occurrence, value: Value, models: Models) -> Iterator[str]:
    """Yield the beginnings of a text up to the first part known only at run time, one for each text that it may be."""
    for each in collect_spellings(occurrence, value, models):
        known = next((place for place, part in enumerate(each) if part is None), len(each))
        yield "".join(part for part in each[:known] if part is not None)


def iter_written_texts(occurrence: Occurrence, value: Value) -> Iterator[str]:
    """Yield the texts in a value: its constants, those it contains or is made from, and the names of fields."""
    for here, part in iter_parts(occurrence, value):
        constants = infer_constants(part, here.event.facts) or ()
        yield from (format_constant(each) for _, each in constants)
        if isinstance(part.meaning, Made) and part.meaning.by.startswith("."):
            yield part.meaning.by


LARGEST = 40
"""Values that one value is looked through for. A path or a command is made of ten; a larger one is data."""


def iter_parts(occurrence: Occurrence, value: Value) -> Iterator[tuple[Occurrence, Value]]:
    """Yield a value and what it is made of or holds, each with the call whose function has it, the nearest first."""
    waiting = [(occurrence, value)]
    for each in islice(waiting, LARGEST):  # which grows as it is gone through
        here, found = each if each[0].caller is None else each[0].trace_source(each[1])
        yield here, found
        if len(waiting) < LARGEST:  # of what stands further behind nobody hears
            if found.contents:
                waiting += [(here, inner) for inner in islice(found.contents.values(), LARGEST)]
            waiting += [(here, inner) for inner in found.sources]
