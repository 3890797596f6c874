"""The `fields` that a client asks for: which values they are, and the functions whose callers may ask for them."""

from collections.abc import Iterable, Iterator, Sequence

from reviewer.behaviour.values.entry_points import CallHandler, EntryPoints
from reviewer.code.events import Called, Event, Occurrence, Trace
from reviewer.code.ir import Code
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.values import (
    Class,
    ClientArguments,
    ConditionalValue,
    Instance,
    Key,
    Label,
    Library,
    Made,
    Value,
    build_argument,
    find_original_term,
    name_of,
)
from reviewer.facts import Dispatch, Guard, Handler, Server
from reviewer.source import Text
from reviewer.text.patterns import pattern

NAMES = frozenset({"fields", "projection"})
"""What the argument is called by which a client says what an answer is to have."""

DEEPEST = 8
"""How many steps a value is followed to what it comes from. A chain of conversions that somebody wrote is shorter."""

CONVERTING = frozenset({"parses", "deserialises", "serialises", "fails", "validates"})
"""What a function may do besides giving on what it is handed in another form."""


def read_argument_name(key: Key) -> str:
    """Return the name of the argument that is asked for by a key or a field. Raises KeyError for what is no name."""
    name = name_of(key)
    if not isinstance(name, str) or not name.isidentifier():
        raise KeyError(key)
    return name


class FieldRequest(ClientArguments):
    """What a client sends: whatever is asked of it, by key or by field, is the argument of that name."""

    __slots__ = ()

    def __getitem__(self, key: Key) -> Value:
        name = read_argument_name(key)
        return build_argument(name)._replace(contents=None if names_fields(name) else self)


REQUEST = FieldRequest()


def names_fields(name: str) -> bool:
    """Return whether a name is that of the fields that a client asks for; a leading `_` says that nothing reads them."""
    return name.strip("_") in NAMES


def is_asked(label: Label) -> bool:
    """Return whether a label is that of the fields."""
    return label.origin == "argument" and names_fields(label.name)


def find_root_takers(functions: EntryPoints, guards: Sequence[Guard]) -> list[CallHandler]:
    """Return the functions that no other one calls, and that are no part of a guard."""
    traces = [trace for each in guards if (trace := functions.trace(each.span)) is not None]
    bounding = frozenset(code for each in traces for code in each.collect_codes())
    found = [each for each in functions.iter_takers(guards) if each.trace.code not in bounding]
    entered = {code for each in found for code in each.trace.collect_codes() if code is not each.trace.code}
    return [each for each in found if each.trace.code not in entered]


def iter_own_handlers(servers: Iterable[Server]) -> Iterator[Handler]:
    """Yield the functions of their own that tools of some servers have."""
    yield from (tool.handler for each in servers for tool in each.tools if tool.handler is not None)


def find_field_declaration(program: Program, code: Code) -> Text | None:
    """Return where a function, or the type of what it is handed, declares the fields that a client asks for."""
    typed = [
        (each, program.resolve_type(each.type, code) if each.type is not None else None) for each in code.parameters
    ]
    for each, _ in typed:
        if each.name.strip("_") == "fields" and each.kind in ("normal", "named", "positional"):
            if each.type is None or LISTED.search(each.type.text) is not None:
                return Text(each.name, code.locate(each.at))
    for _, made in typed:
        if made is not None and isinstance(made.of, Class) and _type_of_names(program, made.of) in TEXTS:
            keys = (program.find_entry_names(made.of) or {}).get("fields")
            if keys:
                return keys[0]
    return None


LISTED = pattern(
    r"^(?!.*(?:[\[<]\s*\(|\b\w*(?:[Dd]ict|Map)\b)).*\b(?:str|String|Fields|Value|Projection|Any|[Ll]ist|Sequence|tuple|Iterable)\b"
)
"""What the type of a parameter says that may be a list of names: no pairs, no table, no list of things of the project's own."""


def holds_fields(program: Program, made: Class) -> bool:
    """Return whether objects of a class have a field for the fields that a client asks for: one of texts, as far as is known."""
    return "fields" in program.list_fields(made) and _type_of_names(program, made) in TEXTS | LISTS


def _type_of_names(program: Program, made: Class) -> str:
    """Return the last name of the type of each of the fields that an object holds, or of their list; empty if it is not known."""
    kind = program.resolve_field_type(Instance(made), "fields")
    while kind is not None and kind.entry is not None:
        kind = kind.entry
    if kind is None:
        return ""
    return kind.of.path.rpartition(".")[2] if isinstance(kind.of, Library) else kind.of.name


# Types by which the names of fields come in as a text.
TEXTS = frozenset({"str", "String", "Value"})
LISTS = frozenset({"", "list", "tuple", "set", "Vec"})
"""Lists of which it is not known what is in them."""


class AskedFields:
    """Tells which values of a trace are the fields that a client asks for."""

    def __init__(self, trace: Trace, models: Models) -> None:
        self._models = models
        self._read = frozenset(
            event.result.term for _, event in iter_calls(trace) if any(each.text in NAMES for each in event.arguments)
        )
        """What was read under the name of the fields: `params.get("fields")`, `names_of(&params, "fields")`."""

    def is_list(self, here: Occurrence, value: Value) -> bool:
        """Return whether a value is the list of the fields, in whatever form."""
        return self._classify_form(here, value, DEEPEST) == "list"

    def is_key(self, here: Occurrence, value: Value) -> bool:
        """Return whether a value is one of the fields."""
        return self._classify_form(here, value, DEEPEST) == "key"

    def _classify_form(self, here: Occurrence, value: Value, deep: int) -> str:
        here, value = here.trace_source(value)
        if not value.labels or not deep:
            return ""
        term = value.term
        if isinstance(term, tuple) and term[:1] == ("argument",) and isinstance(term[1], str):
            return "list" if names_fields(term[1]) else ""
        if find_original_term(term) in self._read:
            return "list"
        match value.meaning:
            case ConditionalValue(_, then, otherwise):
                return self._classify_form(here, then, deep - 1) or self._classify_form(here, otherwise, deep - 1)
            case Made(by, of) if of:
                return self._classify_operation(here, by, of, deep)
        if any(self._classify_form(here, each, deep - 1) for each in (value.contents or {}).values()):
            return "list"
        made = find_original_term(term)  # of a part that came two ways it is known where it comes from, and no more
        is_part = isinstance(made, tuple) and made[0] in ("item", "join")
        labels = here.resolve_labels(value)
        return "list" if is_part and labels and all(map(is_asked, labels)) else ""

    def _classify_operation(self, here: Occurrence, by: str, of: tuple[Value, ...], deep: int) -> str:
        if by.startswith(".") and by[1:] in NAMES and len(of) == 1:
            return "list"
        if by == "item" and any(each.text in NAMES for each in of):
            return "list"
        model = self._models.get_model(by)
        if by == "text" or model.returns == "text":
            return "list" if any(self._classify_form(here, each, deep - 1) for each in of) else ""
        if not CONVERTING.issuperset(model.acts):
            return ""
        if by == "item" or model.returns in ("entry", "field", "length", "contains"):
            return ""
        form = self._classify_form(here, of[0], deep - 1)
        return "key" if form and by == "element" else form


def find_codes_at(functions: EntryPoints, places: Iterable[Guard | Dispatch | Handler]) -> frozenset[Code]:
    """Return the functions that begin at some places."""
    return frozenset(code for each in places if (code := functions.find_code(each.span)) is not None)


def iter_calls(trace: Trace) -> Iterator[tuple[Occurrence, Called]]:
    """Yield the calls of a trace."""
    for each in trace.iter_occurrences():
        if isinstance(each.event, Called):
            yield each, each.event


def collect_call_path(here: Occurrence) -> tuple[Event, ...]:
    """Return an event and the calls that lead to it, the innermost first."""
    return tuple(each.event for each in here.iter_outwards())


def lies_in(code: Code | None, functions: frozenset[Code]) -> bool:
    """Return whether a code is one of some functions, or a closure in one."""
    while code is not None and code not in functions and code.kind == "closure":
        code = code.around
    return code in functions
