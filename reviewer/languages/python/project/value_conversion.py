"""What the evaluator's values are to the abstract run, together with what functions of the project write into them."""

from collections.abc import Callable
from dataclasses import replace

from tree_sitter import Node

from reviewer.code import ir, values
from reviewer.code.members import build_library
from reviewer.code.models import Models
from reviewer.code.parts import join_values, with_arguments
from reviewer.code.values import ELEMENT, KEYS, Key, Label, build_constant, build_unknown
from reviewer.languages.nodes import decode_node
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.names import is_decorated
from reviewer.languages.python.evaluation.resources import place_of
from reviewer.languages.python.evaluation.rewrites import ReplacedPart, Rewrites
from reviewer.languages.python.evaluation.values import (
    Alternatives,
    Const,
    External,
    Method,
    ModuleValue,
    Partial,
    PyClass,
    PyFunction,
    PyGuarded,
    PyInstance,
    PyItems,
    PyMapping,
    PyScope,
    PyUnknown,
    PyValue,
    strip_conditions,
)
from reviewer.languages.python.lowering import lower_constant
from reviewer.languages.python.project.annotated_types import find_made_type

LARGEST = 400
"""Entries of a module's table that are looked at one by one. Tables of handlers have tens; larger ones are data."""

GETTING, SETTING = ("property", "cached_property"), ("setter", "deleter")
"""The decorators of what reading a property runs, and of what writing it does, or taking it away."""

EvaluateExpression = Callable[[ir.Code, values.Term], values.Value]
"""Runs the expression of a name or a field, within bounds."""

MOST_WRITES = 4
"""Places that write a field whose expressions are looked at: a flag is set and cleared, a client made and closed."""


def _find_key_of(target: Node) -> str | None:
    """Return the key of the entry that a subscript writes, the outermost's of several; None if it is no text."""
    inner = target
    while (owner := inner.child_by_field_name("value")) is not None and owner.type == "subscript":
        inner = owner
    key = inner.child_by_field_name("subscript")
    return decode_node(key).strip("\"'") if key is not None and key.type == "string" else None


class ValueConverter:
    """Converts values of the evaluator, each once: a table and the functions in it may hold each other."""

    def __init__(
        self,
        run: Evaluator,
        models: Models,
        find_code: Callable[[PyFunction], ir.Code],
        evaluate: EvaluateExpression,
    ) -> None:
        self._run = run
        self._models = models
        self._find_code = find_code
        self._evaluate = evaluate
        self.rewrites = Rewrites(run)
        self._rewritten: dict[values.Term, values.Value] = {}
        """What fields and tables hold that functions write, by the class or the table and the name."""
        self._values: dict[int, tuple[PyValue, values.Value]] = {}
        """What the evaluator's values are here, by identity; they are kept so that identities stay unique."""

    def convert_value(self, found: PyValue) -> values.Value:
        """Return the value of the abstract run for a value of the evaluator."""
        known_value = self._values.get(id(found))
        if known_value is None:
            self._values[id(found)] = (found, build_unknown("it is defined by itself", ("circle", id(found))))
            known_value = self._values[id(found)] = (found, self._convert(found))
        return known_value[1]

    def _convert(self, found: PyValue) -> values.Value:  # noqa: C901  # one case for each kind of value
        term = ("global", id(found))
        match found:
            case Const():
                return build_constant(found.value)
            case PyGuarded():
                return self.convert_value(found.value)
            case External():
                return build_library(found.path)
            case ModuleValue():
                return values.Value(("module", found.module.path), things=(values.Module(found.module),), certain=True)
            case PyFunction():
                code = self._find_code(found)
                made = values.Function(
                    code, binding=_classify_binding(found), captured=self.collect_captures(found, code)
                )
                return values.Value(term, things=(made,), certain=True)
            case PyClass():
                return values.Value(term, things=(values.Class(found.name, found),), certain=True)
            case PyInstance():
                return self._build_object(term, found)
            case Method():
                return self._build_method(term, found)
            case Partial():
                return self._get_partial(found)
            case PyItems() | PyMapping():
                return self._build_table(term, found)
            case Alternatives():
                return self._get_one_of(term, found)
            case PyUnknown():
                return build_unknown(found.reason, term)
            case _:
                return build_unknown("it is known at run time only", term)

    def collect_captures(self, found: PyFunction, code: ir.Code) -> dict[ir.Variable, values.Value]:
        """Return the variables that a function captured from the call that defined it: the function that a decorator
        received.
        """
        names = {each.name: each for each in ir.collect_read_variables(code)} if found.scope.parent is not None else {}
        captured: dict[ir.Variable, values.Value] = {}
        scope: PyScope | None = found.scope
        while names and scope is not None and scope.parent is not None:
            if not scope.is_class:
                for name in names.keys() & scope.names.keys():
                    captured[names.pop(name)] = self.convert_value(self._run.resolve_name(name, scope, found.node))
            scope = scope.parent
        return captured

    def _build_object(self, term: values.Term, found: PyInstance) -> values.Value:
        if not isinstance(found.made_by, PyClass):
            if found.path == "builtins.staticmethod" and found.args:
                inner = self.convert_value(found.args[0])
                things = (replace(t, binding="static") if isinstance(t, values.Function) else t for t in inner.things)
                return inner._replace(things=tuple(things))
            return self._build_for_library(term, found, found.made_by.path)
        cls = found.made_by
        contents: dict[Key, values.Value] = {
            (name,): self.join_writes(cls, name, each, self.convert_value(each))
            for name, each in found.attributes.items()
        }
        return values.Value(
            term, things=(values.Instance(values.Class(cls.name, cls)),), certain=True, contents=contents
        )

    def join_writes(self, cls: PyClass, name: str, found: PyValue, made: values.Value) -> values.Value:
        """Return the value of a field of a class or an object: the first one, or any that functions assign."""
        if isinstance(found, PyMapping):
            return self.drop_written_entries(made, found, name)
        return self.join_rewrites(values.Class(cls.name, cls), name, made)

    def join_rewrites(self, made: values.Class, name: str, value: values.Value) -> values.Value:
        """Return the value of an object's field when a call begins: the first one, or one that other calls assigned."""
        cls = made.handle
        if value.constants is None or not isinstance(cls, PyClass):
            return value
        writes = self.rewrites.find_field_writes(cls, name)
        if not writes:
            return value
        key = (id(cls), name, value.constants)
        if key not in self._rewritten:
            self._rewritten[key] = value  # while what is put there is looked at
            self._rewritten[key] = self.join_puts(key, value, writes)
        return self._rewritten[key]

    def join_puts(self, key: values.Term, made: values.Value, writes: list[ReplacedPart]) -> values.Value:
        """Return the union of the created value and those that functions put in its place."""
        if len(writes) > MOST_WRITES:
            return build_unknown("functions write it", ("global", key))
        for number, each in enumerate(writes):
            term = ("global", (key, number))
            put = build_unknown("functions write it", term)
            if each.given is not None:
                put = self._evaluate(lower_constant(each.module.source, each.given, ""), term)
            made = join_values(("global", (key, number, "or")), made, put)
        return made

    def drop_written_entries(self, known: values.Value, found: PyValue, name: str) -> values.Value:
        """Return a table without what its entries hold that functions write."""
        table = strip_conditions(found)
        if not isinstance(table, PyMapping) or not any(
            each.constants is not None for each in (known.contents or {}).values()
        ):
            return known
        key = (id(table), name)
        if key not in self._rewritten:
            keys = [_find_key_of(each.target) for each in self.rewrites.find_table_writes(name)]
            contents = {
                at: build_unknown("functions write it", ("global", ("entry", *key, at)))
                if each.constants is not None and (None in keys or at in keys)
                else each
                for at, each in (known.contents or {}).items()
            }
            self._rewritten[key] = known._replace(contents=contents) if keys else known
        return self._rewritten[key]

    def _build_for_library(self, term: values.Term, found: PyInstance, path: str) -> values.Value:
        contents = self._convert_fields({**_collect_places(found.args), **found.keywords, **found.attributes})
        things = (values.Instance(find_made_type(self._models, path)),)
        if place_of(found) is not None:
            labels = frozenset((Label("absolute path"),))
            return values.Value(term, labels, things=things, certain=True, contents=contents)
        meaning = values.Made(path, tuple([self.convert_value(each) for each in found.args]))
        return values.Value(term, things=things, certain=True, meaning=meaning, contents=contents)

    def _convert_fields(self, given: dict[str, PyValue]) -> dict[Key, values.Value]:
        return {(name,): self.convert_value(each) for name, each in given.items()}

    def _build_method(self, term: values.Term, found: Method) -> values.Value:
        receiver = self.convert_value(found.receiver)
        if found.function is not None:
            return values.Value(
                term, things=(values.Function(self._find_code(found.function), receiver),), certain=True
            )
        paths = [
            each.of.path
            for each in receiver.things
            if isinstance(each, values.Instance) and isinstance(each.of, values.Library)
        ]
        if not paths:
            return build_unknown("it is known at run time only", term)
        path = f"{paths[0]}.{found.name}"
        return build_library(path)._replace(meaning=values.Made(path, (receiver,)))

    def _get_partial(self, found: Partial) -> values.Value:
        leading = tuple(self.convert_value(each) for each in found.args)
        named = {name: self.convert_value(each) for name, each in found.keywords.items()}
        return with_arguments(("partial", id(found)), self.convert_value(found.callee), leading, named)

    def _build_table(self, term: values.Term, found: PyItems | PyMapping) -> values.Value:
        contents: dict[Key, values.Value] = {}
        kind = found.kind if isinstance(found, PyItems) else "dict"
        size = len(found.items) if isinstance(found, PyItems) else len(found.entries)
        if size > LARGEST or found.open:
            return values.Value(term, things=(values.Instance(values.Library(kind)),), certain=True)
        if isinstance(found, PyItems):
            contents = {place: self.convert_value(each) for place, each in enumerate(found.items)}
        else:
            contents = {key.value: self.convert_value(each) for key, each in found.entries if isinstance(key, Const)}
            for key, each in found.entries:
                if not isinstance(key, Const):  # such as a class: which entry it is only a run tells
                    for place, one in ((ELEMENT, self.convert_value(each)), (KEYS, self.convert_value(key))):
                        before = contents.get(place)
                        contents[place] = one if before is None else join_values((term, place), before, one)
        return values.Value(term, things=(values.Instance(values.Library(kind)),), certain=True, contents=contents)

    def _get_one_of(self, term: values.Term, found: Alternatives) -> values.Value:
        result = self.convert_value(found.values[0])
        for each in found.values[1:]:
            result = join_values(term, result, self.convert_value(each))
        return result


def _classify_binding(function: PyFunction) -> values.MethodKind:
    if is_decorated(function, *GETTING):
        return "getter"
    if is_decorated(function, "classmethod"):
        return "class"
    return "static" if is_decorated(function, "staticmethod") else "method"


def _collect_places(given: list[PyValue]) -> dict[str, PyValue]:
    """Return the positional arguments of a call, by number."""
    return {str(place): each for place, each in enumerate(given)}
