"""Where the code says something that an event is about: what an argument of a call is written as, and where it was made."""

from reviewer.code import ir
from reviewer.code.events import Called, Entered, Occurrence, Trace
from reviewer.code.values import Term, Value, find_original_term, name_of
from reviewer.source import Text

FOLLOWED = 6
"""Variables between the use of a value and its expression, in case they refer to each other.

The tests of the rules have up to 3.
"""


def find_argument(event: Called, position: int, *names: str) -> ir.Expression | None:
    """Return the expression of an argument of a call, by name or position; None if it cannot be seen."""
    found = next(ir.iter_calls(event.code.body, event.at), None)
    if found is None or any(isinstance(each.value, ir.Spread) for each in found.arguments):
        return None
    for each in found.arguments:
        if each.name in names:
            return each.value
    places = [each.value for each in found.arguments if each.name is None]
    return places[position] if position < len(places) else None


def locate_method_call(event: Called) -> Text:
    """Return a call from its method's name on: where it stands in a chain of calls."""
    call = next(ir.iter_calls(event.code.body, event.at), None)
    if call is None or not isinstance(call.callee, ir.Field):
        return event.text
    return event.code.extract_text(ir.Site(call.callee.at.end - len(call.callee.name.encode()), event.at.end))


def locate_creation(occurrence: Occurrence, value: Value, expression: ir.Expression | None) -> Text:
    """Return where a value was made that an event is about, as far as one place says it, else where it is written there.

    `expression` is what is written in the event. Callers who only hand it on are passed by.
    """
    here, found = occurrence, value
    while here.caller is not None and isinstance(here.caller.event, Entered):
        handed = here.caller.event.given.get(found.term)
        if handed is None:
            break
        expression = _lower_handed(here.caller.event, found.term)
        here, found = here.caller, handed
    place = place_of(found)
    if place is not None:
        return place
    if expression is None:
        return here.event.text
    return here.event.code.extract_text(_lower_origin(here.event.code, expression).at)


def place_of(value: Value) -> Text | None:
    """Return the expression that made a value, None if the value does not tell."""
    term = find_original_term(value.term)
    if isinstance(term, tuple) and term[:1] in (("call",), ("new",)) and isinstance(term[1], ir.Code):
        return term[1].extract_text(term[2])
    return None


def _lower_handed(event: Entered, term: Term) -> ir.Expression | None:
    """Return the expression that a call passes for a parameter; None if it cannot be seen."""
    call = next(ir.iter_calls(event.code.body, event.at), None)
    if call is None or not isinstance(term, tuple) or term[:1] != ("parameter",) or term[1] is not event.trace.code:
        return None
    parameters = event.trace.code.parameters
    name = parameters[term[2]].name
    places = [each.name for each in parameters if each.kind in ("positional", "normal")]
    own = len(places) > 0 and (places[0] in ("self", "cls"))
    by_name = next((each.value for each in call.arguments if each.name == name), None)
    given = [each.value for each in call.arguments if each.name is None]
    place = places.index(name) - own if name in places else len(given)
    return by_name or (given[place] if 0 <= place < len(given) else None)


def _lower_origin(code: ir.Code, expression: ir.Expression) -> ir.Expression | ir.Statement:
    """Return the statement that gives a variable its only value, followed through names; else the expression itself."""
    found: ir.Expression | ir.Statement = expression
    for _ in range(FOLLOWED):
        if not isinstance(found, ir.Read):
            return found
        given = [each for each in ir.iter_statements(code.body) if _lower_target(each) is found.variable]
        if len(given) != 1:
            return found
        found = given[0].value if isinstance(given[0], ir.Assign) else given[0]
    return found


def _lower_target(statement: ir.Statement) -> ir.Variable | None:
    return statement.target if isinstance(statement, ir.Assign | ir.Call | ir.Await) else None


def find_entry(value: Value, *names: str) -> ir.Expression | None:
    """Return the expression under one of some keys of an object literal; None if there is none."""
    term = value.term
    if not isinstance(term, tuple) or term[:1] not in (("new",), ("call",)) or not isinstance(term[1], ir.Code):
        return None
    code, at = term[1], term[2]
    if term[0] == "call":
        return _lower_argument_named(code, at, value, names)
    for statement in ir.iter_statements(code.body):
        for each in ir.iter_expressions(statement):
            if isinstance(each, ir.Record) and each.at == at:
                return next((value for key, value in each.entries if read_text(key) in names), None)
    return None


def find_entry_text(value: Value, *names: str) -> Text | None:
    """Return the text of what is written under one of some keys of an object, None if it is not written out."""
    found, term = find_entry(value, *names), value.term
    code = term[1] if isinstance(term, tuple) and len(term) > 1 else None
    return code.extract_text(found.at) if found is not None and isinstance(code, ir.Code) else None


def locate_constant(occurrence: Occurrence, trace: Trace, text: str) -> Text:
    """Return where a text is written that a value is: in a function that leads to an event, in another, or in its file.

    The last is for tables of a module, which are no functions. What is written elsewhere has the place of the event.
    """
    event = occurrence.event
    for code in (
        event.code,
        *(each.code for each in occurrence.build_call_path()),
        *sorted(trace.collect_codes(), key=_order),
    ):
        for statement in ir.iter_statements(code.body):
            for each in ir.iter_expressions(statement):
                if isinstance(each, ir.Constant) and each.value == text:
                    return Text(text, code.extract_text(each.at).span)
    for source in dict.fromkeys(each.source for each in (event.code, *sorted(trace.collect_codes(), key=_order))):
        for quote in (b'"', b"'"):
            start = source.data.find(quote + text.encode() + quote)
            if start >= 0:
                return Text(text, source.stretch(start, start + len(text.encode()) + 2))
    return Text(text, event.text.span)


def _order(code: ir.Code) -> tuple[str, int]:
    return code.source.path, code.at.start


def _lower_argument_named(code: ir.Code, at: ir.Site, made: Value, names: tuple[str, ...]) -> ir.Expression | None:
    """Return the argument for a named field of a call that creates an object, by name or by the field's position."""
    call = next(ir.iter_calls(code.body, at), None)
    held = [name_of(key) for key in made.contents or {}]
    place = next((number for number, key in enumerate(held) if key in names), None)
    if call is None or place is None or place >= len(call.arguments):
        return None
    return call.arguments[place].value


def read_text(key: ir.Expression | None) -> str:
    """Return the text that an expression is, empty if it is none."""
    return key.value if isinstance(key, ir.Constant) and isinstance(key.value, str) else ""


def leaves_after(code: ir.Code, at: ir.Site, loop: ir.Site) -> bool:
    """Return whether control certainly leaves a loop after a statement in it, and so never repeats the statement."""
    found = next(
        (each for each in ir.iter_statements(code.body) if isinstance(each, ir.Loop) and each.at == loop), None
    )
    return found is not None and _leaves(found.body, at, frozenset())


def leaves_otherwise(code: ir.Code, test: ir.Site, at: ir.Site, loop: ir.Site) -> bool:
    """Return whether a loop ends where a condition in it does not lead to what stands at a place."""
    found = next(
        (each for each in ir.iter_statements(code.body) if isinstance(each, ir.Loop) and each.at == loop), None
    )
    if found is None:
        return False
    inner = {each.label for each in ir.iter_statements(found.body) if isinstance(each, ir.Loop | ir.Block)}
    tests = [each for each in ir.iter_statements(found.body) if isinstance(each, ir.If) and each.test.at == test]
    others = (body for part in tests for body in (part.then, part.otherwise) if not _contains_site(body, at))
    return any(_ends(each, frozenset(inner)) for body in others for each in body)


def _contains_site(body: ir.Body, at: ir.Site) -> bool:
    """Return whether a body has something at a place, also in a body in it: a branch is no part of where its test stands."""
    return any(each.at.holds(at) for each in ir.iter_statements(body))


def _leaves(body: ir.Body, at: ir.Site, inner: frozenset[ir.JumpLabel]) -> bool:
    """Return whether control leaves for good after the statement of a body that is, or holds, one at a place."""
    place = next((number for number, each in enumerate(body) if _contains_site((each,), at)), None)
    if place is None:
        return False
    if any(_ends(each, inner) for each in body[place:]):
        return True
    holder = body[place]
    labels = inner | ({holder.label} if isinstance(holder, ir.Loop | ir.Block) else set())
    return any(_leaves(each, at, labels) for each in ir.iter_bodies(holder))


def _ends(statement: ir.Statement, inner: frozenset[ir.JumpLabel]) -> bool:
    if isinstance(statement, ir.Break):
        return statement.label not in inner
    return isinstance(statement, ir.Return | ir.Raise)
