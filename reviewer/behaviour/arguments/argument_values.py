"""What values and events tell of arguments by themselves, whichever call leads to them.

An event is met as often as calls lead to it, on a large server a dozen times by each tool. What only depends on the event is
found once here, and of most events it is all: that some values are used, wherever they come from.
"""

from collections.abc import Iterable, Iterator

from reviewer.behaviour.arguments.comparisons import iter_relations
from reviewer.behaviour.arguments.inputs import WHOLE
from reviewer.code.acts import collect_acts
from reviewer.code.events import (
    Assigned,
    Awaited,
    Called,
    Carried,
    Decoded,
    Entered,
    Event,
    Indexed,
    Looped,
    Raised,
    Returned,
    Sliced,
    Tested,
)
from reviewer.code.models import Model
from reviewer.code.program import Program
from reviewer.code.state import infer_failure
from reviewer.code.values import (
    ClientArguments,
    ConditionalValue,
    Instance,
    Label,
    Library,
    Made,
    Negation,
    Relation,
    Value,
    find_original_term,
    get_term_head,
    strip_negations,
)

# How a value is made (`Made.by`) of which an argument says how much there is: it is a size.
CUTS = frozenset({"cut", "between", "shortened"})
# The smallest of several is at most each of them, and so is an end of a sorted list; a largest one bounds nothing from above.
BOUNDING = frozenset({"least", "clamped", "sorted"})
GROWING = frozenset({"appended", "extended", "written", "with element"})
"""What a function does to its receiver by which there is more in it."""

ASKING = frozenset({"entry", "removed", "kept entry", "pointed", "contains"})
"""What models call functions that read the arguments that they name of the object of all."""

HARMLESS = ASKING | {
    "length", "empty", "kind", "keys", "written", "receiver", "argument", "copied", "cloned", "present", "absent", "succeeded",
    "failed", "sure", "or else", "or call", "then", "then or", "or failure", "failing by", "without reason",
}  # fmt: skip
"""What models call functions that may be handed the object of all arguments and read none but those that they name: what
becomes of an object that they give on, the run goes on with."""

REPLACING = frozenset({"or else", "or call", "then or"})
"""What models call functions that give something else for what is not there."""

TELLING = frozenset({"present", "absent", "succeeded", "failed", "kind", "has member"})
"""What models call functions that only tell whether something is there, or what it is."""

PASSING_ON = (
    BOUNDING
    | HARMLESS
    | {
        "greatest",
        "number",
        "truth",
        "numbers",
        "elements",
        "collected",
        "mapped",
        "mapped or then",
        "filtered",
        "if true",
        "sum",
        "difference",
        "product",
    }
)
"""What models call functions whose result is what they are handed, bounded, replaced or reckoned with: only what becomes of
that counts."""

GIVING_ON = frozenset({"receiver", "argument", "copied", "cloned"})
"""What models call functions that give the same value again: whether anything comes of that, what is done with it says."""

CONVERTING = frozenset({"parses", "serialises", "deserialises", "validates", "fails", "panics on failure"})
"""Acts of functions that return their argument or a part of it and give it to no other code."""


def collect_choices(event: Event) -> tuple[Value, ...]:
    """Return the values of an event, and what they are calculated of, that are one of two by a test."""
    values = event.given.values() if isinstance(event, Entered) else event.values
    held = (each for value in values for each in iter_literal_parts(value) if each.labels and each.meaning is not None)
    parts = (part for each in held for part in iter_components(each))
    return tuple([part for part in parts if isinstance(part.meaning, ConditionalValue)])


def iter_unread_arguments(event: Awaited | Entered) -> Iterator[Value]:
    """Yield arguments that a function reads only in code that the run takes for unreachable, which is no proof."""
    if not isinstance(event, Entered) or not event.trace.unreached:
        return
    code, names = event.trace.code, event.trace.unreached_names
    for number, each in enumerate(code.parameters):
        given = event.given.get(("parameter", code, number))
        if each.name in names and given is not None:
            yield given


def iter_literal_parts(value: Value) -> Iterator[Value]:
    """Yield a value, and what it holds if it is a tuple, a list or a dict: what fills the places of a statement or a query."""
    yield value
    if not isinstance(value.contents, ClientArguments) and any(_is_literal(each) for each in value.things):
        yield from (value.contents or {}).values()


LITERALS = frozenset({"tuple", "list", "dict"})
"""What a run takes for a tuple, list or dict that stands in the code: all it holds is known, so that it may be read piece by
piece."""


def _is_literal(thing: object) -> bool:
    return isinstance(thing, Instance) and isinstance(thing.of, Library) and thing.of.path in LITERALS


def is_input(value: Value) -> bool:
    """Return whether a value is the object that holds all arguments, or what stands in for it."""
    if isinstance(value.contents, ClientArguments):
        return True
    if not isinstance(value.meaning, ConditionalValue):
        return False
    chosen = value.meaning
    sides = ((chosen.then, chosen.then_truth), (chosen.otherwise, chosen.otherwise_truth))
    return any(truth is not False and is_input(side) for side, truth in sides)


def is_refusal(event: Event) -> bool:
    """Return whether a function ends with an exception at an event, or returns a value that is certainly a failure."""
    return isinstance(event, Raised) or (
        isinstance(event, Returned) and infer_failure(event.value, event.facts) is True
    )


def collect_required_values(test: Value) -> tuple[Value, ...]:
    """Return the values that must be true, or equal to an existing one, for a test to be true."""
    match test.meaning:
        case Relation("==", left, Value() as right) if (type(None), None) not in (left.constant, right.constant):
            return (left, right)
    return (test,)


def iter_alternatives(value: Value) -> Iterator[Value]:
    """Yield the values that a value is one of, itself if it is no choice."""
    match value.meaning:
        case ConditionalValue():
            for each in _iter_sides(value.meaning):
                yield from iter_alternatives(each)
        case Made("joined", of):
            for each in of:
                yield from iter_alternatives(each)
        case _:
            yield value


def _iter_sides(choice: ConditionalValue) -> Iterator[Value]:
    """Yield the possible values of a conditional value, except an absent one and the failure that the test found."""
    test, holds = strip_negations(choice.test)
    failed = (
        test.meaning.left.term if isinstance(test.meaning, Relation) and test.meaning.operator == "succeeds" else None
    )
    sides = ((choice.then, choice.then_truth, holds), (choice.otherwise, choice.otherwise_truth, not holds))
    for side, truth, succeeds in sides:
        is_failure = failed is not None and not succeeds and find_original_term(side.term) == find_original_term(failed)
        if not is_failure and (truth is not False or side.constants is not None):
            yield side


def iter_components(value: Value) -> Iterator[Value]:
    """Yield a value, and those that it compares, is calculated of or tells as a text."""
    yield value
    match value.meaning:
        case Negation(operand):
            yield from iter_components(operand)
        case Relation(_, left, right):
            for each in (left, right):
                yield from iter_components(each) if each is not None else ()
        case Made(by, of) if by in CALCULATING or by == "text":
            for each in of:
                yield from iter_components(each)


PASSING = frozenset({"argument", "parameter", "entry", "captured"})
"""What the terms begin with of values as a function is handed them."""

# These give back one of their operands, so a constant among them is a bound.
BETWEEN = frozenset({"least", "greatest", "clamped"})

CALCULATING = BETWEEN | {"+", "-", "*", "/", "//", "%"}
"""By what a number is made of others and stays a number that they decide: `(page - 1) * limit` is of both arguments."""


def is_itself(value: Value) -> bool:
    """Return whether a value is another that is bounded or replaced at most, and nothing that is computed of it."""
    match value.meaning:
        case ConditionalValue():
            return any(is_itself(each) for each in _iter_sides(value.meaning))
        case Made(by, of):
            return (by in BETWEEN or by == "joined") and any(map(is_itself, of))
    return get_term_head(value.term) in PASSING


def passes_on(event: Called, model: Model, acts: frozenset[str]) -> bool:
    """Return whether only what becomes of a call's result counts; a text that is made with no other effect is one."""
    return model.returns in PASSING_ON or (model.returns == "text" and not acts)


def collect_mentioned_labels(event: Event, program: Program) -> frozenset[Label] | None:
    """Return where the values come from that an event only mentions, so that nothing but their use is told by it.

    None if more may be told by it: what replaces, bounds, cuts or refuses an argument.
    """
    if any(map(_may_be_argument, (one for each in collect_choices(event) for one in iter_alternatives(each)))):
        return None
    if is_refusal(event) and any(map(_may_be_argument, _iter_asked_for(event))):
        return None
    match event:
        case Called():
            return _collect_labels(event.values) if _is_mere_mention(event, program) else None
        case Decoded() | Sliced():
            return None
        case Indexed() if is_input(event.owner):
            return None
        case Looped() if is_input(event.value):
            return None
        case Assigned():
            tested = event.context.value if event.context is not None else None
            is_told = event.value.constant is not None and tested is not None and bool(tested.labels)
            return None if is_told else frozenset()
        case Carried():
            return None if _may_be_argument(event.first) else frozenset()
        case Tested():
            return None if any(map(_may_tell, iter_relations(event.value))) else _collect_labels((event.value,))
        case Returned():
            return _collect_labels(iter_alternatives(event.value))
        case Awaited() | Entered():
            return _collect_labels(iter_unread_arguments(event))
    return _collect_labels(event.values)


def collect_concerns(event: Tested | Called, program: Program) -> frozenset[Label] | None:
    """Return where all values come from of which a test or a call may tell something; None if that is not all that counts.

    That is so for what is asked of the object of all arguments, and for what cuts: what an argument cut may be cut again.
    """
    values = list(event.values)
    if isinstance(event, Tested):
        for relation in iter_relations(event.value):
            values += [each for each in (relation.left, relation.right) if each is not None]
    else:
        model = program.models.find_model(event.path)
        if (model is not None and model.returns in CUTS) or not collect_acts(event, program.models).isdisjoint(
            COUNTING
        ):
            return None
        values.append(event.result)
    if any(map(is_input, values)):
        return None
    held = [each for value in values for each in (value, *(value.contents or {}).values())]
    parts = [part for each in held for part in (each, *iter_components(each))]
    return _collect_labels([one for part in parts for one in (part, *iter_alternatives(part))])


def _is_mere_mention(event: Called, program: Program) -> bool:
    model, acts = program.models.find_model(event.path), collect_acts(event, program.models)
    if event.receiver is not None and is_input(event.receiver):
        return False
    if not acts.isdisjoint(COUNTING):
        return False
    if "parses" in acts and any(map(_may_be_argument, event.arguments)):
        return False
    if model is not None and model.returns in REPLACING and any(map(_may_be_argument, iter_alternatives(event.result))):
        return False
    if model is not None and (model.returns in BOUNDING or model.returns in CUTS):
        return False
    is_passed_on = model is not None and passes_on(event, model, acts)
    return is_passed_on or not any(
        map(_may_be_argument, (one for each in event.values for one in iter_literal_parts(each)))
    )


COUNTING = frozenset({"bounds rows", "executes sql", "reads database"})
"""What a call does that may be told how many rows are wanted."""


def _iter_asked_for(event: Event) -> Iterator[Value]:
    """Yield the values that the tests around an event check and that are false there."""
    for each in event.iter_outwards():
        if each.condition == "test" and each.value is not None:
            value, holds = strip_negations(each.value, each.holds)
            if not holds:
                yield from collect_required_values(value)


def _may_tell(relation: Relation) -> bool:
    """Return whether a comparison may tell more of an argument than that it is looked at."""
    left, right = relation.left, relation.right
    if right is None:
        return False
    if is_input(right):
        return True
    return (_may_be_argument(left) and _may_count(right)) or (_may_be_argument(right) and _may_count(left))


def _may_count(value: Value) -> bool:
    """Return whether a value is a number, or how many elements there are, or may be by what the function was handed."""
    if value.constant is not None and isinstance(value.constant[1], int | float):
        return True
    is_counted = isinstance(value.meaning, Made) and value.meaning.by in ("counted", "length")
    return is_counted or get_term_head(value.term) in PASSING | {"length"}


def _may_be_argument(value: Value) -> bool:
    return bool(value.labels) and is_itself(value)


def _collect_labels(values: Iterable[Value]) -> frozenset[Label]:
    """Return the labels of some values that are those of arguments, or may be by what the function was handed."""
    found = (label for each in values for label in each.labels)
    return frozenset(each for each in found if each.origin in ("argument", "parameter") or each == WHOLE)
