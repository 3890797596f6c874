"""What a client sends as the arguments of a call, read as an object of a type that says which field takes which."""

from reviewer.code.events import Decoded
from reviewer.code.ir import Code, Site
from reviewer.code.parts import join_values, test_presence
from reviewer.code.run import Activation, Run
from reviewer.code.state import State
from reviewer.code.values import Class, Instance, Key, Value, build_argument, build_choice
from reviewer.source import Text

DEEPEST = 8
"""How many objects may lie in one another whose fields stand for entries of the same data."""


def decode_arguments(
    run: Run, activation: "Activation | None", state: State, code: Code, at: Site, value: Value, made: Instance
) -> Value:
    """Return the arguments of a call as an object of a type; as they are if it is not known how such objects are read.

    Its fields are the arguments: whoever is handed the object is handed them all, and who reads a field reads one.
    """
    names: list[tuple[str, tuple[Text, ...]]] = []
    found = _decode_object(run, state, value, made, names, DEEPEST)
    context = activation.context if activation is not None else None
    if found is not value:
        run.emit(Decoded(at, code, context, state.facts, tuple(names)))
    return found if found is not value else value._replace(things=(made,))


def _decode_object(
    run: Run, state: State, value: Value, made: Instance, names: list[tuple[str, tuple[Text, ...]]], depth: int
) -> Value:
    entries = run.program.find_entry_names(made.of) if isinstance(made.of, Class) and depth else None
    if entries is None:
        return value
    held: dict[Key, Value] = {}
    for field, keys in entries.items():
        kind = run.program.resolve_field_type(made, field)
        if keys:
            names.append((field, keys))
            held[(field,)] = _find_first_of(keys, kind)
        else:
            held[(field,)] = _decode_object(run, state, value, kind, names, depth - 1) if kind is not None else value
    found = Value(("decoded", value.term, made), things=(made,), unknown="only a run tells")
    state.heap[found.term] = held
    return found


def _find_first_of(keys: tuple[Text, ...], kind: Instance | None) -> Value:
    """Return the argument of the first name, or of the next if that is not given."""
    things = (kind,) if kind is not None else ()
    values = [build_argument(str(each))._replace(things=things) for each in keys]
    found = values[0]
    for each in values[1:]:
        both = join_values(("item", found.term, each.term), found, each)
        found = both._replace(meaning=build_choice(test_presence(found), found, each, None, None))
    return found
