"""What code decides for one text that a client sends: what its tests of the text give, and whether they let it pass.

The run knows how each test is made of the text, by functions that give the same for the same: `sql.strip().upper()`. So a test
can be worked out for a text that somebody might send. What is not known is unknown, and so is what depends on it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from operator import le, lt

from reviewer.behaviour.security.restrictions import CHECKING
from reviewer.code.acts import collect_acts
from reviewer.code.events import (
    Called,
    Context,
    Entered,
    Event,
    Occurrence,
    Raised,
    Returned,
    Trace,
    translate_labels,
)
from reviewer.code.ir import Site
from reviewer.code.models import Models
from reviewer.code.state import infer_constants
from reviewer.code.values import (
    ELEMENT,
    ConditionalValue,
    Key,
    Label,
    Library,
    Made,
    Negation,
    Plain,
    Relation,
    Term,
    Value,
    name_of,
)
from reviewer.records import dataclass
from reviewer.text.matching import UnknownMatchError, matches

KnownConstants = frozenset[Plain] | None
"""What a value is: one constant, or one after another in the rounds of a loop; None if that is not known."""

DEEPEST = 40
"""How many values inside values are worked out. One of eight prefixes, of a text that is trimmed first, takes thirty."""
CALLS = 6
"""Nested calls that are searched for rejections; what a deeper one decides is unknown. 40 servers had up to 3."""

TEXTS: Mapping[str, Callable[..., Plain]] = {
    "strip": str.strip, "lstrip": str.lstrip, "rstrip": str.rstrip, "lower": str.lower, "upper": str.upper,
    "casefold": str.casefold, "startswith": str.startswith, "endswith": str.endswith, "replace": str.replace, "str": str,
    "len": len, "length": len,
    "trim": str.strip, "trim_start": str.lstrip, "trim_end": str.rstrip, "to_lowercase": str.lower, "to_uppercase": str.upper,
    "to_ascii_lowercase": str.lower, "to_ascii_uppercase": str.upper, "starts_with": str.startswith,
    "ends_with": str.endswith,
    "contains": str.__contains__, "to_string": str, "to_owned": str, "as_str": str,
    "trimStart": str.lstrip, "trimEnd": str.rstrip, "toLowerCase": str.lower, "toUpperCase": str.upper,
    "startsWith": str.startswith, "endsWith": str.endswith, "toString": str,
}  # fmt: skip
"""Functions of texts by their names, which mean one thing in each language."""

MATCHING = {"match": r"\A(?:{})", "search": "{}", "fullmatch": r"\A(?:{})\z", "is_match": "{}", "test": "{}"}
"""What functions that match an expression ask for, by their names."""

ANY, ALL = frozenset({"any", "some"}), frozenset({"all", "every"})
"""What asks whether something holds for one element, or for each, by their names."""

FLAGS = {"I": "i", "IGNORECASE": "i", "S": "s", "DOTALL": "s", "M": "m", "MULTILINE": "m", "X": "x", "VERBOSE": "x"}

LONGEST = 1_000
"""Characters of a text that is worked out. A statement has some dozen; code that makes it longer and longer ends here."""


@dataclass
class Decisions:
    """What the code of a trace decides where an argument is one text."""

    argument: str
    text: Plain
    models: Models
    is_strict: bool = False
    """Whether a function's result is known only if tests of the text alone decide its exit.

    If false, calls are assumed to succeed, and tests that do not concern the text to be true.
    """
    _results: dict[tuple[int, Site], Occurrence] = field(default_factory=dict)
    """The functions that were handed the text, by the call around and where they were called."""
    _known: dict[tuple[int, Term], KnownConstants] = field(default_factory=dict)
    """What values are that were worked out, by the call around and the value's term."""

    def arrives(self, trace: Trace, target: Occurrence) -> bool | None:
        """Return whether control comes to a place for the text, None if that is not known."""
        way = [each.event for each in target.iter_outwards()][::-1]
        return self._passes(trace, None, way)

    def _passes(self, trace: Trace, caller: Occurrence | None, way: list[Event]) -> bool | None:
        """Return whether control passes through a function, up to the place that a way leads to if one does."""
        found: bool | None = True
        for here in _iter_frame(trace, caller):
            event, passed = here.event, found
            if way and event is way[0]:
                passed = self._is_taken(here, otherwise=True)
                if passed is not False and isinstance(event, Entered):
                    passed = _find_both(passed, self._passes(event.trace, here, way[1:]))
                return _find_both(found, passed)
            if isinstance(event, Raised | Returned) and not _is_in_handler(event):
                ends = self._is_taken(here, otherwise=False)
                if ends and not way:
                    return False if isinstance(event, Raised) else found
                passed = not ends if ends is not None else None
            elif isinstance(event, Entered) and self._speaks(here, tuple(event.given.values())):
                self._results[id(caller), event.at] = here
                if self._is_taken(here, otherwise=True) is not False:
                    is_deep = len(list(here.iter_outwards())) > CALLS
                    passed = None if is_deep else self._passes(event.trace, here, [])
            elif isinstance(event, Called) and not event.followed and self._speaks(here, event.values):
                passed = None if self._may_check(event) else True
            found = _find_both(found, passed)
            if found is False:
                return False
        return found

    def leads_to(self, trace: Trace, target: Occurrence, ends: Callable[[Occurrence], bool]) -> bool:
        """Return whether the text alone leads to a place, whatever else a call is given.

        `ends` tells where a call may come to its end before.
        """
        way = [each.event for each in target.iter_outwards()][::-1]
        return self._leads(trace, None, way, ends) is True

    def _leads(
        self, trace: Trace, caller: Occurrence | None, way: list[Event], ends: Callable[[Occurrence], bool]
    ) -> bool | None:
        """Return whether the text leads through a function to a place, None if whatever is given does."""
        found: bool | None = None
        for here in _iter_frame(trace, caller):
            event = here.event
            tests = [each for each in event.iter_outwards() if each.condition == "test" and each.value is not None]
            if event is way[0]:
                if not all(self._find_truth(here, each) for each in tests):
                    return False
                found = found or any(self._depends(here, each.value) for each in tests if each.value) or None
                inner = self._leads(event.trace, here, way[1:], ends) if isinstance(event, Entered) else None
                return False if inner is False else found or inner
            if isinstance(event, Entered) and self._speaks(here, tuple(event.given.values())):
                self._results[id(caller), event.at] = here
            elif ends(here):
                excluding = [each for each in tests if self._find_truth(here, each) is False]
                if not excluding:
                    return False
                found = found or any(self._depends(here, each.value) for each in excluding if each.value) or None
        return False

    def _may_check(self, event: Called) -> bool:
        """Return whether the name of a function that was not found says that it may reject a text."""
        name = event.path.rpartition(".")[2]
        return name not in TEXTS and not collect_acts(event, self.models) and CHECKING.search(name) is not None

    def _speaks(self, here: Occurrence, values: tuple[Value, ...]) -> bool:
        return any(Label("argument", self.argument) in here.resolve_labels(each) for each in values)

    def _is_taken(self, here: Occurrence, *, otherwise: bool) -> bool | None:
        """Return whether the branches around an event are taken for the text; `otherwise` where none of them asks for it."""
        found: bool | None = True
        for each in here.event.iter_outwards():
            if each.condition == "test" and each.value is not None:
                taken = self._find_truth(here, each)
                if taken is None:
                    taken = None if self._depends(here, each.value) else otherwise
                found = _find_both(found, taken)
        return found

    def _find_truth(self, here: Occurrence, context: Context) -> bool | None:
        assert context.value is not None
        known = self.evaluate(here, context.value)
        if known is None:
            return None
        return any(bool(each) is context.holds for each in known)

    def _depends(self, here: Occurrence, value: Value, deep: int = 8) -> bool:
        """Return whether what a value is depends on the text."""
        at, value = here.trace_source(value)
        if Label("argument", self.argument) in at.resolve_labels(value):
            return True
        if any((id(at.caller), each) in self._results for each in _iter_given_by(value.term)):
            return True
        return deep > 0 and any(self._depends(at, each, deep - 1) for each in value.operands)

    def evaluate(self, here: Occurrence, value: Value, deep: int = DEEPEST) -> KnownConstants:
        """Return the value that an expression has for the text."""
        here, value = here.trace_source(value)
        if value.term == ("argument", self.argument):
            return frozenset((self.text,))
        if value.constant is not None:
            return frozenset((value.constant[1],))
        key = (id(here.caller), value.term)
        if key in self._known or not deep:
            return self._known.get(key)
        found = self._get_meant(here, value, deep - 1)
        given = self._enter(here, value.term) if found is None else None
        found = self._get_result(*given, deep - 1) if given is not None else found
        if found is not None:
            self._known[key] = found
        return found

    def _get_meant(self, here: Occurrence, value: Value, deep: int) -> KnownConstants:
        """Return the value of an expression for the text by the operation that made it."""
        match value.meaning:
            case Negation(operand):
                known = self.evaluate(here, operand, deep)
                return frozenset(not each for each in known) if known is not None else None
            case ConditionalValue(test, then, otherwise):
                known = self.evaluate(here, test, deep)
                chosen = {bool(each) for each in known} if known is not None else set()
                return self.evaluate(here, then if True in chosen else otherwise, deep) if len(chosen) == 1 else None
            case Relation():
                return self._get_relation(here, value.meaning, deep)
            case Made(by, of):
                return self._evaluate_operation(here, value, by, of, deep)
        constants = infer_constants(value, here.event.facts)
        return frozenset(each for _, each in constants) if constants is not None and _is_element(value) else None

    def _enter(self, here: Occurrence, term: Term) -> tuple[Occurrence, Key] | None:
        """Return the function that gave a value, and of which element of what it gave that is, None for the whole."""
        match term:
            case ("via", Site() as at, _):
                found = self._results.get((id(here.caller), at))
                return (found, None) if found is not None else None
            case ("entry" | "item" | "field", ("via", Site() as at, _), *rest) if rest:
                found = self._results.get((id(here.caller), at))
                key = rest[0][2] if isinstance(rest[0], tuple) and rest[0][:1] == ("constant",) else rest[0]
                return (found, key) if found is not None and isinstance(key, str | int) else None
        return None

    def _run_at(self, here: Occurrence, term: Term) -> Occurrence | None:
        """Return the function that a library's function runs for each element of a sequence."""
        match term:
            case ("call", _, Site() as at):
                return self._results.get((id(here.caller), at))
        return None

    def _get_result(self, entered: Occurrence, key: Key, deep: int) -> KnownConstants:
        """Return the result of a function for the text, or an element of the result."""
        found = self._end(entered)
        if isinstance(found, bool):
            return frozenset((None,)) if found else None
        here, value = found
        held = value if key is None else (value.contents or {}).get(key)
        return self.evaluate(here, held, deep) if held is not None else None

    def _end(self, entered: Occurrence) -> tuple[Occurrence, Value] | bool:
        """Return the first exit of a function that the text reaches; True if it reaches none, False if unknown."""
        assert isinstance(entered.event, Entered)
        for here in _iter_frame(entered.event.trace, entered):
            event = here.event
            if isinstance(event, Entered) and self._speaks(here, tuple(event.given.values())):
                self._results[id(entered), event.at] = here
            taken = self._is_end(here) if isinstance(event, Returned) else False
            if isinstance(event, Returned) and taken is not False:
                return (here, event.value) if taken else False
        return True

    def _is_end(self, here: Occurrence) -> bool | None:
        """Return whether a function comes to an end for the text, None if that is not known."""
        if not self.is_strict:
            return self._is_taken(here, otherwise=False)
        found: bool | None = True
        for each in here.event.iter_outwards():
            is_told = each.condition == "test" and each.value is not None
            is_sure = each.condition in ("catches", "manager", "ensures", "timed")
            found = _find_both(found, self._find_truth(here, each) if is_told else is_sure or None)
        return found

    def _evaluate_success(self, here: Occurrence, value: Value) -> KnownConstants:
        """Return whether what a function gives for the text is no failure."""
        here, value = here.trace_source(value)
        given = self._enter(here, value.term)
        found = self._end(given[0]) if given is not None and given[1] is None else False
        return frozenset((found[1].failure is None,)) if not isinstance(found, bool) else None

    def _get_relation(self, here: Occurrence, relation: Relation, deep: int) -> KnownConstants:
        if relation.operator == "succeeds":
            return self._evaluate_success(here, relation.left)
        left = self.evaluate(here, relation.left, deep)
        if relation.operator == "present":
            return frozenset(each is not None for each in left) if left is not None else None
        if relation.right is None or left is None:
            return None
        right, listed = self.evaluate(here, relation.right, deep), self._evaluate_elements(here, relation.right, deep)
        if relation.operator == "in" and listed is not None:
            return frozenset(each in listed for each in left)
        if right is None or (len(left) > 1 and len(right) > 1):
            return None
        pairs = [(one, other) for one in left for other in right]
        match relation.operator:
            case "==" | "is":
                return frozenset(one == other for one, other in pairs)
            case "in" if all(isinstance(each, str) for pair in pairs for each in pair):
                return frozenset(str(one) in str(other) for one, other in pairs)
            case "<" | "<=" if all(isinstance(each, int | float) for pair in pairs for each in pair):
                is_less = lt if relation.operator == "<" else le
                return frozenset(is_less(one, other) for one, other in pairs)  # type: ignore[arg-type]
        return None

    def _evaluate_elements(self, here: Occurrence, value: Value, deep: int) -> KnownConstants:
        """Return the elements of a sequence that is written in the code."""
        at, value = here.trace_source(value)
        held = value.contents
        if not held or ELEMENT in held or not all(isinstance(each, int) for each in held):
            return None
        found = [self.evaluate(at, each, deep) for each in held.values()]
        return frozenset(one for each in found if each is not None for one in each) if None not in found else None

    def _evaluate_operation(
        self, here: Occurrence, value: Value, by: str, of: tuple[Value, ...], deep: int
    ) -> KnownConstants:
        name = by.rpartition(".")[2]
        if name in ANY | ALL and of:
            element = (here.trace_source(of[0])[1].contents or {}).get(ELEMENT)
            run = self._run_at(here, value.term)
            known = (
                self.evaluate(here, element, deep)
                if element is not None
                else self._get_result(run, None, deep)
                if run
                else None
            )
            return frozenset((any(known) if name in ANY else all(known),)) if known is not None else None
        if by == "element" and of:
            known = self.evaluate(here, of[0], deep)
            whole = next(iter(known)) if known is not None and len(known) == 1 else None
            return frozenset(whole) if isinstance(whole, str) else self._evaluate_elements(here, of[0], deep)
        if name in MATCHING:
            return self._match(here, name, of, deep)
        match value.term:
            case ("item", (_, "piece"), ("constant", _, int() as place)) if name == "split":
                return self._get_piece(here, place, of, deep)
        if by in ("text", "+"):
            return _join([self.evaluate(here, each, deep) for each in of])
        if name in ("startswith", "endswith", "starts_with", "ends_with") and len(of) == 2:
            listed = self._evaluate_elements(here, of[1], deep)
            known = self.evaluate(here, of[0], deep)
            if listed is not None and known is not None and len(known) == 1:
                text, asked = next(iter(known)), tuple(each for each in listed if isinstance(each, str))
                return frozenset((TEXTS[name](text, asked),)) if isinstance(text, str) else None
        function = TEXTS.get(name)
        if function is None:
            return None
        return _apply(function, [self.evaluate(here, each, deep) for each in of])

    def _match(self, here: Occurrence, name: str, of: tuple[Value, ...], deep: int) -> KnownConstants:
        """Return whether a text matches an expression, which is written or was compiled before."""
        form, *rest = of
        written = [_find_written_expression(here, each) for each in of[:2]]
        if any(written):
            return self._match_written(here, of, written, deep)
        compiled = here.trace_source(form)[1].meaning
        flagged = list(rest[1:])
        if isinstance(compiled, Made) and compiled.by.rpartition(".")[2] in ("compile", "new") and compiled.of:
            form, flagged = compiled.of[0], list(compiled.of[1:])
        forms = self.evaluate(here, form, deep)
        texts = self.evaluate(here, rest[0], deep) if rest else None
        mode = _find_flags(flagged)
        if forms is None or texts is None or mode is None:
            return None
        flags = f"(?{mode})" if mode else ""
        try:
            return frozenset(matches(flags + MATCHING[name].format(one), str(text)) for one in forms for text in texts)
        except UnknownMatchError:
            return None

    def _match_written(
        self, here: Occurrence, of: tuple[Value, ...], written: list[tuple[str, str] | None], deep: int
    ) -> KnownConstants:
        """Return whether a text matches an expression that is an object with its source: it asks for one, or is asked by one."""
        texts = [self.evaluate(here, each, deep) for each, known in zip(of, written, strict=False) if known is None]
        found = next(each for each in written if each is not None)
        known = texts[0] if len(texts) == 1 else None
        if known is None:
            return None
        flags = f"(?{mode})" if (mode := "".join(each for each in found[1] if each in "ism")) else ""
        try:
            return frozenset(matches(flags + found[0], str(text)) for text in known)
        except UnknownMatchError:
            return None

    def _get_piece(self, here: Occurrence, place: int, of: tuple[Value, ...], deep: int) -> KnownConstants:
        """Return the piece of a text that is taken."""
        known = [self.evaluate(here, each, deep) for each in of[:1]]
        text = next(iter(known[0])) if known and known[0] is not None and len(known[0]) == 1 else None
        if not isinstance(text, str):
            return None
        separator = of[1].text if len(of) > 1 else None
        pieces = text.split(separator) if separator else text.split()
        return frozenset((pieces[place],)) if -len(pieces) <= place < len(pieces) else None


def _find_written_expression(here: Occurrence, value: Value) -> tuple[str, str] | None:
    """Return the source and the flags of an expression that is an object which holds them, None if it is no such object."""
    held = {name_of(key): each.text for key, each in (here.trace_source(value)[1].contents or {}).items()}
    source, flags = held.get("source"), held.get("flags")
    return (source, flags) if held.keys() == {"source", "flags"} and source is not None and flags is not None else None


def _is_element(value: Value) -> bool:
    return value.constants is not None and any(isinstance(each, str) for _, each in value.constants)


def _iter_frame(trace: Trace, caller: Occurrence | None) -> Iterator[Occurrence]:
    """Yield the events of one call of a function."""
    origins: Mapping[Label, frozenset[Label]] | None = None
    if caller is not None and isinstance(caller.event, Entered):
        origins = {
            label: translate_labels(labels, caller.origins) if caller.origins is not None else labels
            for label, labels in caller.event.labels.items()
        }
    for each in trace.events:
        yield Occurrence(each, caller, origins)


def _iter_given_by(term: Term) -> Iterator[Site]:
    """Yield the calls of functions of the project by which a value came, or what it is a part or made of."""
    pending = [term]
    for _ in range(LARGEST):
        if not pending:
            return
        found = pending.pop()
        if isinstance(found, tuple) and found:
            match found:
                case ("via", Site() as at, _) | ("call", _, Site() as at):
                    yield at
            pending += [each for each in found if isinstance(each, tuple)]


LARGEST = 60
"""Nested terms that are searched for calls: a term is a tree, and values in loops make large ones. 40 servers had up to 10."""


def _find_both(one: bool | None, other: bool | None) -> bool | None:
    """Return whether both hold, None if that is not known."""
    return False if False in (one, other) else None if None in (one, other) else True


def _is_in_handler(event: Event) -> bool:
    return any(each.condition in ("handles", "always") for each in event.iter_outwards())


def _join(parts: list[KnownConstants]) -> KnownConstants:
    if any(each is None for each in parts) or sum(len(each or ()) > 1 for each in parts) > 1:
        return None
    found = [""]
    for each in parts:
        found = [before + str(one) for before in found for one in each or ()]
    return _discard_long(frozenset(found))


def _apply(function: Callable[..., Plain], operands: list[KnownConstants]) -> KnownConstants:
    is_known = bool(operands) and all(each is not None and _discard_long(each) is not None for each in operands)
    if not is_known or sum(len(each or ()) > 1 for each in operands) > 1:
        return None
    combinations: list[list[Plain]] = [[]]
    for each in operands:
        combinations = [[*before, one] for before in combinations for one in each or ()]
    try:
        return _discard_long(frozenset(function(*each) for each in combinations))
    except (TypeError, ValueError):
        return None


def _discard_long(known: frozenset[Plain]) -> KnownConstants:
    return known if all(not isinstance(each, str) or len(each) <= LONGEST for each in known) else None


def _find_flags(values: list[Value]) -> str | None:
    """Return the letters of the flags that an expression is given, None if one of them is not known."""
    found = ""
    for each in values:
        inner = each.operands if isinstance(each.meaning, Made) and each.meaning.by == "|" else (each,)
        for one in inner:
            name = next((thing.path.rpartition(".")[2] for thing in one.things if isinstance(thing, Library)), "")
            if name not in FLAGS:
                return None
            found += FLAGS[name]
    return found
