"""Results that may be the exceptions that were raised in their place: `gather(.., return_exceptions=True)`."""

from reviewer.behaviour.results.answers import collect_result_terms
from reviewer.code.events import Called, Entered, Occurrence, Trace
from reviewer.code.values import Library, Made, Relation, Value

EXCEPTIONS = frozenset(map(Library, ("builtins.Exception", "builtins.BaseException")))


def asks_whether_failed(test: Value, inner: Trace) -> bool:
    """Return whether a test asks if a value is an exception, as a function gives for what failed that gathers results."""
    calls = (each for each in inner.events if isinstance(each, Called))
    if not any("return_exceptions" in each.named for each in calls):
        return False
    match test.meaning:
        case Relation("kind", _, Value() as kinds) | Made("builtins.isinstance", (_, kinds)):
            asked = (kinds, *(kinds.contents or {}).values())
            return any(not EXCEPTIONS.isdisjoint(each.things) for each in asked)
    return False


def find_gathered_call(test: Value, inner: Trace) -> Entered | None:
    """Return the call of which a test asks if it raised; None if it asks of none that is seen."""
    if not isinstance(test.meaning, Relation) or not asks_whether_failed(test, inner):
        return None
    asked = {each.term for each in (test.meaning.left, *test.meaning.left.ways)}
    for each in inner.events:
        if isinstance(each, Entered) and not asked.isdisjoint(collect_result_terms(Occurrence(each))):
            return each
    return None
