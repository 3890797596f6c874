"""A run on the supposition that a text cannot be read: what comes of a cursor that somebody made up.

Who asks hands over a text with the label `UNREADABLE`. What parses it, or something that is cut out of it, fails; what looks for
it finds nothing; nothing equals it. A library that is not known may make of it what it likes, so that its result is readable
again.
"""

from reviewer.code.case import Case
from reviewer.code.kinds import collect_kinds, iter_ancestors
from reviewer.code.program import Program
from reviewer.code.values import (
    ABSENT,
    DECODED_ONCE,
    HOLLOW,
    NO_NUMBER,
    UNREADABLE,
    Instance,
    Label,
    Library,
    Term,
    Value,
    build_unknown,
)

# Acts that fail for a text of another form.
READING = frozenset({"parses", "decodes"})

DECODING = frozenset({"decodes"})
"""A call that does nothing else succeeds on a cursor that is supposed to be well encoded and to hold nothing."""

DECODABLE = frozenset({HOLLOW, DECODED_ONCE})
ERROR = Library("builtins.ValueError")
"""The class of which the exceptions are that tell of such a text, where a language has exceptions."""


def build_unreadable(term: Term, labels: frozenset[Label], beside: frozenset[Label] = frozenset()) -> Value:
    """Return a text that cannot be parsed, with unknown content; `beside` says how far it can be decoded."""
    return Value(term, labels | {UNREADABLE} | beside, frozenset(((str, "\ufffd"),)))


def is_unreadable(value: Value) -> bool:
    """Return whether a value is supposed to be a text that cannot be read, or a part of one."""
    return UNREADABLE in value.labels


def is_unread(case: Case) -> bool:
    """Return whether a call is to read a text that cannot be read."""
    reading = READING.intersection(case.model.acts)
    unread = [each for each in case.operands if is_unreadable(each)] if reading else []
    return bool(unread) and not (reading == DECODING and all(each.labels & DECODABLE for each in unread))


def decode_once(case: Case, result: Value) -> Value:
    """Return the result of a call that decodes a text which can be decoded once."""
    if DECODED_ONCE in result.labels and "decodes" in case.model.acts:
        return result._replace(labels=result.labels - {DECODED_ONCE})
    return result


def fail_to_read(case: Case) -> Value | None:
    """Return the result of a call that cannot parse a text: nothing, or a failure; None if it raises an exception."""
    labels = frozenset((UNREADABLE,)).union(*(each.labels for each in case.operands))
    if "fails" not in case.model.acts:
        return Value(case.term, labels, ABSENT, NO_NUMBER)
    reason = build_unknown("only a run tells what is wrong", (case.term, "reason"), labels)
    if not case.run.program.raises:
        return Value(case.term, labels, failure=reason)
    case.activation.raised.append((reason._replace(things=(Instance(ERROR),)), case.state.copy()))
    return None


def lets_pass(program: Program, raised: Value | None, types: tuple[Value, ...]) -> bool:
    """Return whether a clause for some types certainly does not catch the exception of a text that cannot be parsed."""
    if raised is None or not is_unreadable(raised) or not types:
        return False
    named = [
        kind
        for value in types
        for part in ((value.contents or {}).values() or (value,))
        for kind in collect_kinds(part)
    ]
    above = set(iter_ancestors(program, ERROR))
    return bool(named) and not any(each in above or ERROR in iter_ancestors(program, each) for each in named)
