"""The fields of dataclasses and models: their order, their defaults, what checks them, and what leaves them out."""

from collections.abc import Callable, Iterator

from reviewer.code import values
from reviewer.code.library_types import find_types
from reviewer.code.models import Models
from reviewer.code.values import Label
from reviewer.languages.nodes import decode_node
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.models import FIELDS as MODEL_FIELDS
from reviewer.languages.python.evaluation.values import (
    External,
    PyClass,
    PyFunction,
    PyInstance,
    PyScope,
    PyValue,
    TypeForm,
    strip_conditions,
)
from reviewer.languages.python.project.annotated_types import BUILT_IN
from reviewer.languages.python.project.validators import FieldValidator, Mode, iter_validators
from reviewer.languages.python.project.value_conversion import EvaluateExpression
from reviewer.languages.python.types.annotations import flatten_arguments
from reviewer.languages.python.types.functions import SignatureParameter
from reviewer.languages.python.types.functions import read_fields as declared_fields
from reviewer.source import Text
from reviewer.text.patterns import pattern

VALIDATED = pattern(rb"Validator\(|\b(?:StringConstraints|constr)\(|\bpattern\s*=")
"""What an annotation says of the values that it lets through."""


def find_field_of(made: values.Class, name: str) -> tuple[PyClass, SignatureParameter] | None:
    """Return a field as a class or a base of it declares it, and that class."""
    cls = made.handle
    for each in cls.iter_lineage() if isinstance(cls, PyClass) else ():
        part = next((part for part in declared_fields(each) if part.name == name), None)
        if part is not None:
            return each, part
    return None


def is_of_environment(cls: PyClass) -> bool:
    """Return whether the fields of a class are read from the environment."""
    return not find_types("settings").isdisjoint(cls.list_external_bases())


DATACLASS_FIELD = "dataclasses.field"
FIELDS = MODEL_FIELDS | {DATACLASS_FIELD, "attrs.field", "attr.ib"}
"""What says of a field of a class what it is by default."""


EMPTY = frozenset({"list", "dict", "set", "builtins.list", "builtins.dict", "builtins.set"})
"""What makes an object that holds nothing."""


MARKS: dict[str, Mode] = {
    "BeforeValidator": "before",
    "AfterValidator": "after",
    "WrapValidator": "other",
    "PlainValidator": "other",
}
"""What an annotation of pydantic 2 has for a function that checks the value."""


def _iter_marks(annotation: PyValue) -> Iterator[tuple[Mode, PyInstance]]:
    """Yield the validators of an annotation, in the order of the source, with when they run."""
    waiting = [annotation]
    while waiting:
        current = strip_conditions(waiting.pop(0))
        if isinstance(current, TypeForm):
            waiting = [*flatten_arguments(current.arguments), *waiting]
        elif isinstance(current, PyInstance) and current.path.partition(".")[0] == "pydantic":
            mode = MARKS.get(current.path.rpartition(".")[2])
            if mode is not None:
                yield mode, current


class ModelFields:
    """What classes of the project declare of their fields, each read once."""

    def __init__(
        self, run: Evaluator, models: Models, convert: Callable[[PyValue], values.Value], evaluate: EvaluateExpression
    ) -> None:
        self._run = run
        self._models = models
        self._convert = convert
        self._evaluate = evaluate
        self._defaults: dict[tuple[values.Class, str], values.Value | None] = {}
        self._unwritten: dict[values.Class, frozenset[str]] = {}
        self._annotated: dict[tuple[values.Class, str], list[tuple[Mode, PyFunction]] | None] = {}
        self._validators: dict[int, tuple[PyClass, tuple[FieldValidator, ...]]] = {}

    def list_fields(self, made: values.Class) -> tuple[str, ...]:
        """Return the fields of a dataclass or a model, in the order of its arguments."""
        cls = made.handle
        if not isinstance(cls, PyClass):
            return ()
        named = (part.name for each in reversed(list(cls.iter_lineage())) for part in declared_fields(each))
        return tuple(dict.fromkeys(named))

    def find_default(self, made: values.Class, name: str) -> values.Value | None:
        """Return the default of a field of a dataclass or model, found once for each."""
        if (made, name) not in self._defaults:
            self._defaults[made, name] = self._find_default(made, name)
        return self._defaults[made, name]

    def list_unwritten_fields(self, made: values.Class) -> frozenset[str]:
        """Return the fields of a model that it is told to exclude: `Field(exclude=True)`."""
        if made not in self._unwritten:
            self._unwritten[made] = frozenset(each for each in self.list_fields(made) if self._is_excluded(made, each))
        return self._unwritten[made]

    def _is_excluded(self, made: values.Class, name: str) -> bool:
        found = find_field_of(made, name)
        said = found[1].default if found is not None else None
        if found is None or said is None:
            return False
        cls = found[0]
        given = strip_conditions(
            self._run.evaluate(said, PyScope(cls.scope.module, cls.scope, cls.names, is_class=True))
        )
        told = given.find_argument("exclude") if isinstance(given, PyInstance) and given.path in FIELDS else None
        value = self._convert(told) if told is not None else None
        return value is not None and value.constants is not None and {each for _, each in value.constants} == {True}

    def locate_default(self, made: values.Class, name: str) -> Text | None:
        """Return the place where a class sets the default of a field."""
        found = find_field_of(made, name)
        at = found[1].default if found is not None else None
        return Text(decode_node(at), found[0].scope.module.locate(at)) if found is not None and at is not None else None

    def _find_default(self, made: values.Class, name: str) -> values.Value | None:
        found = find_field_of(made, name)
        if found is None or found[1].default is None:
            return None
        if isinstance(made.handle, PyClass) and is_of_environment(made.handle):
            return None  # the environment says it
        cls, part = found
        scope = PyScope(cls.scope.module, cls.scope, cls.names, is_class=True)
        return (
            self._find_said(strip_conditions(self._run.evaluate(part.default, scope)))
            if part.default is not None
            else None
        )

    def _find_said(self, given: PyValue) -> values.Value | None:
        """Return the default that a class says of a field: the value, or what `Field(default=..)` and the like are told."""
        if not isinstance(given, PyInstance) or given.path not in FIELDS:
            return self._convert(given)
        told = given.find_argument("default", 0 if given.path != DATACLASS_FIELD else None)
        if told is not None:
            is_open = isinstance(told, External) and told.name == "Ellipsis"
            return None if is_open else self._convert(told)
        factory = given.find_argument("default_factory")
        made_by = self._convert(factory).things if factory is not None else ()
        if len(made_by) == 1 and isinstance(made_by[0], values.Library):
            path = made_by[0].path
            model = self._models.find_model(path)
            labels = frozenset(Label(each) for each in model.labels) if model is not None else frozenset()
            made = values.Value(
                ("global", id(given)), labels, meaning=values.Made(path, ()), unknown="only a run tells"
            )
            if path in EMPTY:
                return values.Value(
                    values.FRESH, things=(values.Instance(values.Library(path.removeprefix(BUILT_IN))),), certain=True
                )
            return made if labels else None  # of any other, what its type says is as much
        if len(made_by) != 1 or not isinstance(made_by[0], values.Function):
            return None
        return self._evaluate(made_by[0].code, ("global", id(given)))

    def checks(self, made: values.Class, name: str) -> bool:
        """Return whether a validator of a model looks at a field, or its annotation has one."""
        return bool(self.list_validators(made, name)) or self.has_checking_annotation(made, name)

    def list_validators(self, made: values.Class, name: str) -> list[tuple[PyClass, FieldValidator]]:
        """Return the methods that check a field, each with the class that has it."""
        return [
            (cls, each)
            for cls in (made.handle.iter_lineage() if isinstance(made.handle, PyClass) else ())
            for each in self._read_validators(cls)
            if each.concerns(name)
        ]

    def _read_validators(self, cls: PyClass) -> tuple[FieldValidator, ...]:
        if id(cls) not in self._validators:
            self._validators[id(cls)] = cls, tuple(iter_validators(cls.node))  # kept, so that no other gets its id
        return self._validators[id(cls)][1]

    def has_checking_annotation(self, made: values.Class, name: str) -> bool:
        """Return whether the annotation of a field says by what its values are checked."""
        return self.list_annotated_validators(made, name) != [] or any(
            part.name == name and part.annotation is not None and VALIDATED.search(part.annotation.text or b"")
            for each in (made.handle.iter_lineage() if isinstance(made.handle, PyClass) else ())
            for part in declared_fields(each)
        )

    def list_annotated_validators(self, made: values.Class, name: str) -> list[tuple[Mode, PyFunction]] | None:
        """Return the functions that the annotation of a field names as its validators; None if one of them is not known."""
        key = (made, name)
        if key not in self._annotated:
            self._annotated[key] = None  # while it is looked at
            self._annotated[key] = self._find_annotated_validators(made, name)
        return self._annotated[key]

    def _find_annotated_validators(self, made: values.Class, name: str) -> list[tuple[Mode, PyFunction]] | None:
        found = find_field_of(made, name)
        annotation = found[1].annotation if found is not None else None
        if found is None or annotation is None:
            return []
        cls = found[0]
        scope = PyScope(cls.scope.module, cls.scope, cls.names, is_class=True)
        validators = list(_iter_marks(self._run.evaluate(annotation, scope)))
        functions = [(mode, each.find_argument("func", 0)) for mode, each in validators]
        known: list[tuple[Mode, PyFunction]] = [
            (mode, each) for mode, each in functions if mode != "other" and isinstance(each, PyFunction)
        ]
        return known if len(known) == len(functions) else None
