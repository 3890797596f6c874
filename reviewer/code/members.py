"""What an object has under a name: a field, a method, what a getter gives, a part of a library."""

from dataclasses import replace

from reviewer.code import ir
from reviewer.code.given import Given
from reviewer.code.ir import Code
from reviewer.code.kinds import iter_ancestors
from reviewer.code.parts import filter_by_kind, join_values
from reviewer.code.program import Program
from reviewer.code.run import Activation, Run
from reviewer.code.state import State
from reviewer.code.values import (
    ELEMENT,
    TUPLE,
    Class,
    ConditionalValue,
    Function,
    Instance,
    Library,
    Made,
    Module,
    Thing,
    Value,
    build_choice,
    build_unknown,
)


def read(run: Run, activation: Activation, state: State, at: ir.Site, found: Value) -> Value:
    """Return the result of reading a field: its value, or that of its getter."""
    if not any(isinstance(each, Function) and each.binding == "getter" and each.receiver for each in found.things):
        return found
    result = run.call_value(activation, state, at, found, None, "", Given())
    return result if result is not None else build_unknown("the getter never comes back", ("getter", at))


def set_by_code(
    run: Run, activation: Activation, state: State, at: ir.Site, owner: Value, name: str, value: Value
) -> bool:
    """Run what writing a field does, if code of the project does that; return whether it does."""
    kinds = [each for each in owner.things if isinstance(each, Instance) and isinstance(each.of, Class)]
    setter = run.program.find_setter(kinds[0], name) if len(kinds) == 1 else None
    if setter is not None:
        run.call_value(activation, state, at, bound(setter, owner), owner, "", Given((value,)))
    return setter is not None


def resolve_method(run: Run, state: State, owner: Value, name: str) -> Value:
    """Return the callable under a name of an object: a callable value assigned to it, else a method."""
    written = _read_field(run, state, owner, name)
    if written is None or any(isinstance(each, Function | Class | Library) for each in written.things):
        return resolve_field(run, state, owner, name, is_called=True)
    found = _find_members(run, owner, name, is_called=True)
    return found if found is not None else written


def resolve_field(run: Run, state: State, owner: Value, name: str, *, is_called: bool = False) -> Value:
    """Return the member of an object. The fields of a tuple are its elements, named by their numbers."""
    name = _get_field_at(run, state, owner, name) if name.isdigit() and run.program.raises else name
    written = _find_held(run, state, owner, name)
    if written is None:
        written = run.program.find_injected(name)
    if written is not None:
        return written
    if isinstance(owner.meaning, ConditionalValue) and (not owner.things or _is_held(run, state, owner.meaning, name)):
        sides = (owner.meaning.then, owner.meaning.otherwise)
        if owner.things and False in (owner.meaning.then_truth, owner.meaning.otherwise_truth):
            there = sides[0] if owner.meaning.otherwise_truth is False else sides[1]
            return resolve_field(run, state, there, name, is_called=is_called)
        alike = filter_by_kind(_narrow_to_kinds(owner, state), sides)
        if owner.things and len(alike) == 1 and sides[0].things and sides[1].things:
            return resolve_field(run, state, alike[0], name, is_called=is_called)
        one, other = (resolve_field(run, state, side, name, is_called=is_called) for side in sides)
        return join_values(("field", owner.term, name), one, other)._replace(
            meaning=build_choice(owner.meaning.test, one, other),
        )
    is_variant = _is_variant(owner, name)
    found = (
        _find_members(run, _narrow_to_tested(run, state, owner, name), name, is_called=is_called)
        if not is_variant
        else owner
    )
    if found is not None:
        return found
    meaning = Made(f".{name}", (owner,))
    return Value(("field", owner.term, name), owner.labels, meaning=meaning, unknown="no code of the project gives it")


def _get_field_at(run: Run, state: State, owner: Value, place: str) -> str:
    """Return the name of the field that a pattern means by its place: `case Failed(reason)`."""
    fact = state.facts.get(owner.term)
    told = fact.kinds if fact is not None else ()
    kinds = [*told] or [each.of for each in owner.things if isinstance(each, Instance)]
    names = run.program.list_fields(kinds[0]) if len(kinds) == 1 and isinstance(kinds[0], Class) else ()
    return names[int(place)] if int(place) < len(names) else place


def _is_variant(owner: Value, name: str) -> bool:
    """Return whether what is asked for is what a variant of an enumeration stands for, which is told by that alone."""
    if name != "value" or owner.constants is not None:
        return name == "value"
    paths = [each.path.rpartition(".")[2] for each in owner.things if isinstance(each, Library)]
    return bool(paths) and len(paths) == len(owner.things) and all(each[:1].isupper() for each in paths)


def _is_held(run: Run, state: State, choice: ConditionalValue, name: str) -> bool:
    """Return whether one of two objects is known to hold something under a name."""
    return any(_find_held(run, state, each, name) is not None for each in (choice.then, choice.otherwise))


def _read_field(run: Run, state: State, owner: Value, name: str) -> Value | None:
    """Return the value of an object's field, or of its entry if these are the same."""
    written = state.read(owner, (name,))
    return state.read(owner, name) if written is None and run.program.holds_entries else written


def _find_held(run: Run, state: State, owner: Value, name: str) -> Value | None:
    """Return the known value of an object's field, or of a tuple's element; None if there is none."""
    written = _read_field(run, state, owner, name)
    if written is not None or not name.isdigit():
        return written
    part = state.read(owner, int(name))
    if part is None and isinstance(owner.term, tuple) and owner.term[:1] == ("pieces",):  # `text.split_once(':')`
        piece = state.read(owner, ELEMENT)
        part = piece._replace(term=("item", piece.term, name)) if piece is not None else None
    return part


def _narrow_to_kinds(owner: Value, state: State) -> Value:
    """Return an object as one of the kinds that tests told it is: of the variant of an arm, or of a class where none is known."""
    fact = state.facts.get(owner.term)
    if fact is None or not fact.kinds:
        return owner
    if owner.things and not any(isinstance(each, Class) and each.variant for each in fact.kinds):
        told = tuple(each for each in owner.things if isinstance(each, Instance) and each.of in fact.kinds)
        return owner._replace(things=told) if told else owner
    return owner._replace(things=tuple(Instance(each) for each in sorted(fact.kinds, key=_get_type_name)))


def _narrow_to_tested(run: Run, state: State, owner: Value, name: str) -> Value:
    """Return an object as what has something under a name: where tests told a class that it was not taken for, as that.

    It comes to the branch only where it is of that class, whatever one caller handed over.
    """
    narrowed = _narrow_to_kinds(owner, state)
    told = state.read_fact(owner.term).kinds if narrowed is owner and owner.things else frozenset()
    kinds = [each for each in told if isinstance(each, Class) and not each.is_abstract and not each.variant]
    if len(told) != 1 or len(kinds) != 1 or any(_may_be(run.program, each, kinds[0]) for each in owner.things):
        return narrowed
    kind = Instance(kinds[0])
    has_it = run.program.find_method(kind, name) is not None or run.program.find_member(kind, name) is not None
    return owner._replace(things=(kind,), certain=False) if has_it else narrowed


def _may_be(program: Program, thing: Thing, kind: Class) -> bool:
    """Return whether an object that something stands for is known to be of a class, or nothing is known of that."""
    return not isinstance(thing, Instance) or kind in iter_ancestors(program, thing.of)


def _get_type_name(kind: Class | Library) -> str:
    return f"{kind.name}.{kind.variant}" if isinstance(kind, Class) else kind.path


def _find_members(run: Run, owner: Value, name: str, *, is_called: bool) -> Value | None:
    """Return the member by the types of an object; None if they have none."""
    things = [_find_member(run, owner, thing, name, is_called=is_called) for thing in owner.things]
    values = [_bind_to_kind(each, owner, things) for each in things if each is not None]
    if not values and is_called:
        is_common = f".{name}" in run.program.models.rows  # a method of the standard library, most likely
        extension = run.program.find_extension(name, None) if not is_common else None
        return bound(extension, owner) if extension is not None else None
    if not values:
        return None
    found = values[0]
    for other in values[1:]:
        found = join_values(("field", owner.term, name), found, other)
    return found


def _bind_to_kind(found: Value, owner: Value, members: list[Value | None]) -> Value:
    """Return a method with its object as one of the kinds that have this method: none of another kind comes to its code."""
    codes = _collect_codes(found)
    kinds = tuple(
        thing
        for thing, each in zip(owner.things, members, strict=True)
        if each is not None and _collect_codes(each) == codes
    )
    if not codes or kinds == owner.things:
        return found
    sides = [each for each in _list_sides(owner) if each.things and all(thing in kinds for thing in each.things)]
    alone = sides[0] if len(sides) == 1 else owner._replace(things=kinds)
    things = (
        replace(each, receiver=alone) if isinstance(each, Function) and each.receiver is owner else each
        for each in found.things
    )
    return found._replace(things=tuple(things))


def _list_sides(value: Value) -> list[Value]:
    """Return the objects any of which a value is, itself if that is one."""
    if isinstance(value.meaning, Made) and value.meaning.by == "joined":
        return [inner for each in value.meaning.of for inner in _list_sides(each)]
    return [value]


def _collect_codes(value: Value) -> frozenset[Code]:
    return frozenset(each.code for each in value.things if isinstance(each, Function))


def _find_member(run: Run, owner: Value, thing: object, name: str, *, is_called: bool) -> Value | None:
    match thing:
        case Library():
            path = f"{thing.path}.{name}"
            replaced = run.program.find_replacement(path)
            if replaced is not None or not isinstance(owner.meaning, Made) or owner.meaning.by != thing.path:
                return replaced if replaced is not None else build_library(path)
            made = build_library(path)  # of a part of an object: what that was told holds for it as well
            return made._replace(
                term=("field", owner.term, name),
                labels=owner.labels,
                meaning=Made(path, (owner,)),
                certain=owner.certain,
            )
        case Instance(of=Library() as made):
            return _find_library_member(run, owner, thing, made, name, is_called=is_called)
        case Class() | Instance() | Module():
            if is_called and isinstance(thing, Instance):
                found = run.program.find_method(thing, name)
            else:
                found = run.program.find_member(thing, name)
            if found is None or (not is_called and _may_be_set(run, owner, thing, name, found)):
                return _find_declared_member(run, owner, thing, name) if isinstance(thing, Instance) else None
            if isinstance(thing, Instance):
                return bound(found, owner)
            return _find_class_member(found, thing, owner) if isinstance(thing, Class) else found
    return None


def _may_be_set(run: Run, owner: Value, thing: object, name: str, found: Value) -> bool:
    """Return whether a class's member is only a default that the creator of the object may have replaced."""
    if owner.certain or not isinstance(thing, Instance) or not isinstance(thing.of, Class):
        return False
    if any(isinstance(each, Function) for each in found.things):
        return False
    return run.program.find_constructor(thing.of) is None and name in run.program.list_fields(thing.of)


def _find_library_member(
    run: Run, owner: Value, thing: Instance, made: Library, name: str, *, is_called: bool
) -> Value | None:
    """Return the member of an object of a library's type; a reference has the members of its target."""
    row = run.program.models.rows.get(made.path) if name == "0" else None
    if row is not None and row.returns == WRAPPING:
        return owner._replace(things=(thing,))
    declared = _find_declared_member(run, owner, thing, name)
    if declared is not None:
        return declared
    if made == TUPLE and name.isdigit():
        return None
    path = f"{made.path}.{name}"
    if thing.within is not None and path not in run.program.models.rows:
        inside = _find_member(run, owner, thing.within, name, is_called=is_called)
        if inside is not None:
            return inside
    extension = run.program.find_extension(name, made) if is_called else None
    if extension is not None:
        return bound(extension, owner)
    certain = path in run.program.models.rows  # a field that no row tells may hold nothing: `process.returncode`
    meaning = Made(path, (owner,))
    return build_library(path)._replace(
        term=("field", owner.term, name), labels=owner.labels, meaning=meaning, certain=certain
    )


WRAPPING = "argument"
"""What makes an object that is its only part: `Value::Number(size)` of JSON. A table or a list is changed by its part."""


def _find_declared_member(run: Run, owner: Value, thing: Instance, name: str) -> Value | None:
    if thing.of == TUPLE:
        kind = thing.parts[int(name)] if name.isdigit() and int(name) < len(thing.parts) else None
    else:
        kept = run.program.find_field_functions(thing, name)
        if kept is not None:
            return kept
        kind = run.program.resolve_field_type(thing, name)
    if kind is None:
        return None
    term, meaning = ("field", owner.term, name), Made(f".{name}", (owner,))
    return Value(term, owner.labels, things=(kind,), meaning=meaning, unknown="only a run tells")


def as_field(run: Run, made: Class, name: str, value: Value) -> Value:
    """Return the value of a field as one of its declared type, in languages whose compiler ensures that."""
    if value.things or value.constants is not None or value.failure is not None or run.program.raises:
        return value
    kind = run.program.resolve_field_type(Instance(made), name)
    return value._replace(things=(kind,)) if kind is not None else value


def bound(method: Value, owner: Value) -> Value:
    """Return a method with the object that it is called on."""
    things = tuple(
        replace(each, receiver=owner) if isinstance(each, Function) and each.binding in ("method", "getter") else each
        for each in method.things
    )
    kinds = owner.classes
    found = method._replace(things=things)
    return _find_class_member(found, kinds[0], owner) if kinds else found


def _find_class_member(found: Value, kind: Class, owner: Value) -> Value:
    """Return the member of a class, bound to the class if it is a class method."""
    if not any(isinstance(each, Function) and each.binding == "class" for each in found.things):
        return found
    made = owner if owner.things == (kind,) else Value(("class", kind), things=(kind,), certain=True)
    things = tuple(
        replace(each, receiver=made) if isinstance(each, Function) and each.binding == "class" else each
        for each in found.things
    )
    return found._replace(things=things)


def build_library(path: str) -> Value:
    """Return something that is not of the project."""
    return Value(("library", path), things=(Library(path),), certain=True, unknown="it is not of the project")
