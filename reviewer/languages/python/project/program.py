"""The project as the abstract run asks for it: what names mean, by the evaluator's values, and functions lowered when reached."""

import re
import sys
from collections.abc import Iterator
from dataclasses import field, replace
from functools import cached_property
from typing import Any, TypeGuard

from tree_sitter import Node

from reviewer.code import ir, values
from reviewer.code.events import Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.library_types import find_types
from reviewer.code.members import build_library
from reviewer.code.models import Models, load_models
from reviewer.code.program import Operators
from reviewer.code.run import RunBounds
from reviewer.code.state import State
from reviewer.code.summaries import Summaries
from reviewer.code.values import Key, build_unknown
from reviewer.languages.nodes import decode_node, find_descendants, find_descendants_at, iter_ancestors
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.models import FIELDS as MODEL_FIELDS
from reviewer.languages.python.evaluation.names import is_decorated, is_enum
from reviewer.languages.python.evaluation.rewrites import ReplacedPart
from reviewer.languages.python.evaluation.special_methods import OPERATORS
from reviewer.languages.python.evaluation.values import (
    Const,
    ModuleValue,
    PyClass,
    PyFunction,
    PyInstance,
    PyMapping,
    PyUnknown,
    PyValue,
)
from reviewer.languages.python.lowering import find_code, lower_constant, lower_function, lower_module
from reviewer.languages.python.lowering.files import PythonCode
from reviewer.languages.python.project.annotated_types import NAMED, read_annotated_type
from reviewer.languages.python.project.as_written import is_as_written, lacks
from reviewer.languages.python.project.model_fields import ModelFields, find_field_of, is_of_environment
from reviewer.languages.python.project.modules import PyModule
from reviewer.languages.python.project.validators import FieldValidator, Mode
from reviewer.languages.python.project.value_conversion import GETTING, LARGEST, SETTING, ValueConverter
from reviewer.languages.python.types.functions import read_fields as declared_fields
from reviewer.records import dataclass
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern


@dataclass(eq=False)
class PythonProgram:
    """The Python modules of a project. What a name means is what the evaluator says; a function is lowered when it is reached."""

    run: Evaluator
    models: Models = field(default_factory=lambda: load_models("python"))
    raises: bool = True
    operators: Operators = OPERATORS
    destroys: bool = False
    holds_entries: bool = False
    names_in_objects: bool = False
    begins_async: bool = False
    chains: bool = True
    summaries: Summaries = field(default_factory=Summaries)
    found: dict[Any, Any] = field(default_factory=dict)
    traces: dict[tuple[ir.Code, str], Trace] = field(default_factory=dict)
    """What functions do when a client calls them, for the tool that they are called for if they choose by its name."""
    codes: dict[tuple[str, int], ir.Code] = field(default_factory=dict)
    _naming: dict[str, tuple[ir.Code, ...]] = field(default_factory=dict)
    _lifespan: list[values.Value | None] = field(default_factory=list)
    _types: dict[tuple[str, int, int], values.Instance | None] = field(default_factory=dict)
    _constants: dict[tuple[str, int, int], values.Value] = field(default_factory=dict)
    _accessors: dict[tuple[str, int, str], PyFunction | None] = field(default_factory=dict)
    _first: dict[values.Class, dict[str, values.Instance]] = field(default_factory=dict)
    _rebound: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """The names that `global` statements of modules name, and where."""
    _later: dict[tuple[str, str], values.Value] = field(default_factory=dict)
    _rewritten: dict[values.Term, values.Value] = field(default_factory=dict)

    @cached_property
    def _converter(self) -> ValueConverter:
        return ValueConverter(self.run, self.models, self.find_function_code, self._evaluate_small)

    @cached_property
    def _fields(self) -> ModelFields:
        return ModelFields(self.run, self.models, self.convert_value, self._evaluate_small)

    def _evaluate_small(self, code: ir.Code, term: values.Term) -> values.Value:
        return Interpreter(self, SMALL).evaluate_constant(code, term)

    def convert_value(self, found: PyValue) -> values.Value:
        """Return the value of the abstract run for a value of the evaluator."""
        return self._converter.convert_value(found)

    def find_function_code(self, function: PyFunction) -> ir.Code:
        """Return the code of a function of the project, the same each time."""
        return self.find_code_at(function.scope.module, function.node)

    def find_code_at(self, module: "PyModule", node: Node) -> ir.Code:
        """Return the code of a function's definition."""
        key = (module.path, node.start_byte)
        if key not in self.codes:
            whole = self.find_module_code(module) if _is_inside_another(node) else None
            found: ir.Code | None = find_code(whole, node) if isinstance(whole, PythonCode) else None
            if found is None:
                lower = lower_module if node.type == "module" else lower_function
                found = lower(module.source, node)
            self.codes[key] = found
        return self.codes[key]

    def find_module_code(self, module: "PyModule") -> ir.Code:
        """Return the code of a module, the same each time."""
        key = (module.path, -1)
        if key not in self.codes:
            self.codes[key] = lower_module(module.source, module.root)
        return self.codes[key]

    def find_codes_naming(self, name: str) -> tuple[ir.Code, ...]:
        """Return the functions of the project in which a name stands, those in others left out: they belong to these."""
        if name not in self._naming:
            word = re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")
            self._naming[name] = tuple(self._iter_codes_with(word, name.encode()))
        return self._naming[name]

    def _iter_codes_with(self, word: re.Pattern[bytes], sign: bytes) -> Iterator[ir.Code]:
        for module in self.run.modules.find_containing((sign,)):
            places = [each.span() for each in word.finditer(module.source.data)] if not module.is_aside else []
            for node in find_descendants_at(module.root, "python", places, "function_definition"):
                if not any(above.type == "function_definition" for above in iter_ancestors(node)):
                    yield self.find_code_at(module, node)

    def find_modules_naming(self, name: str) -> tuple[ir.Code, ...]:
        """Return the code of the modules in which a name stands."""
        word = re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")
        return tuple(
            self.find_module_code(module)
            for module in self.run.modules.find_containing((name.encode(),))
            if not module.is_aside and word.search(module.source.data) is not None
        )

    def masks_errors(self) -> bool:
        """Return whether the SDK replaces the text of an exception that leaves a tool by a text of its own."""
        return self.run.modules.mention(MASKING)

    def hands_signal(self, code: ir.Code) -> bool:
        """Return False: an exception tells of a cancellation."""
        return False

    def is_standard(self, path: str) -> bool:
        """Return whether a path is of Python's own library."""
        return path.partition(".")[0] in {"builtins", *sys.stdlib_module_names}

    def resolve_name(self, name: ir.Global | ir.Import, code: ir.Code) -> values.Value | None:
        """Return the value of a name in a function."""
        module = self.run.modules.by_path.get(code.source.path)
        if module is None:
            return None
        if isinstance(name, ir.Import):
            return self._resolve_import(name, module)
        found = self.run.resolve_name(name.path[0], self.run.evaluate_module(module), module.root)
        if isinstance(found, Const | PyUnknown) and self._is_bound_later(name.path[0], module, code):
            return self._bound_later(name.path[0], module)
        if isinstance(found, Const) and (others := self._bound_by_others(name.path[0], module, code)):
            return self._get_rebound_value(name.path[0], module, self._get_constant(found), others)
        return self._converter.drop_written_entries(self._get_constant(found), found, name.path[0])

    def _is_bound_later(self, name: str, module: "PyModule", code: ir.Code) -> bool:
        """Return whether other functions of a module bind a name of it anew, as a lifespan does: `global _state`.

        What a function reads that binds it itself is what it was before, or what other functions put there: it makes a client
        when it is first asked for.
        """
        places = self._list_global_statements(name, module)
        return bool(places) and not any(code.at.start <= place < code.at.end for place in places)

    def _list_global_statements(self, name: str, module: "PyModule") -> list[int]:
        """Return where `global` statements of a module name something."""
        if module.path not in self._rebound:
            self._rebound[module.path] = [
                (each.start(), part.strip().decode())
                for each in GLOBAL.finditer(module.source.data)
                for part in each[1].split(b",")
            ]
        return [place for place, each in self._rebound[module.path] if each == name]

    def _bound_by_others(self, name: str, module: "PyModule", code: ir.Code) -> list[ReplacedPart]:
        """Return where other functions of a module put something under a name of it that a function binds itself."""
        places = self._list_global_statements(name, module)
        if all(code.at.start <= place < code.at.end for place in places):
            return []
        writes = self._converter.rewrites.find_name_writes(module, name, places)
        return [each for each in writes if not code.at.start <= each.target.start_byte < code.at.end]

    def _get_rebound_value(
        self, name: str, module: "PyModule", made: values.Value, writes: list[ReplacedPart]
    ) -> values.Value:
        """Return the value of a module's name when a call begins: the first binding, or one by another function."""
        key = ("bound", module.path, name, *(each.target.start_byte for each in writes))
        if key not in self._rewritten:
            self._rewritten[key] = made  # while what is put there is looked at
            self._rewritten[key] = self._converter.join_puts(key, made, writes)
        return self._rewritten[key]

    def _bound_later(self, name: str, module: "PyModule") -> values.Value:
        """Return the value of a name that functions bind: an object of the type that the module declares, if it
        declares one.
        """
        key = (module.path, name)
        if key not in self._later:
            declared = _find_declared_type(module, name)
            kind = (
                read_annotated_type(self.run, self.models, declared, self.run.evaluate_module(module))
                if declared is not None
                else None
            )
            things = (kind,) if kind is not None else ()
            self._later[key] = build_unknown("functions bind it", ("bound later", *key))._replace(things=things)
        return self._later[key]

    def _get_constant(self, found: PyValue) -> values.Value:
        """Return the value of a module's name; if the evaluator does not know it, the result of running its expression."""
        known = self.convert_value(found)
        if not _is_partly_unknown(found):
            return known
        span = found.span
        key = (span.path, span.line, span.column)
        if key not in self._constants:
            self._constants[key] = known
            self._constants[key] = self._complete(found, known)
        return self._constants[key]

    def _complete(self, found: PyUnknown | PyInstance | PyMapping, known: values.Value) -> values.Value:
        module = self.run.modules.by_path.get(found.span.path)
        given = _assign(module, found.span) if module is not None else None
        if module is None or given is None:
            return known
        code = lower_constant(module.source, given, "")
        ran = Interpreter(self, SMALL).evaluate_constant(code, known.term)
        if isinstance(found, PyUnknown):
            return ran
        asked = set(_iter_unknown_keys(found))
        told: dict[Key, values.Value] = {key: each for key, each in (ran.contents or {}).items() if key in asked}
        if isinstance(found, PyInstance) and isinstance(found.made_by, PyClass):
            find_writes, maker = self._converter.rewrites.find_field_writes, found.made_by
            told = {key: each for key, each in told.items() if not find_writes(maker, str(key[0]))}  # type: ignore[index]
        return known._replace(contents={**(known.contents or {}), **told})

    def resolve_origin(self, name: ir.Import, module: "PyModule") -> "PyModule | None":
        """Return the module of the project that an import in another is from."""
        bare = name.module.lstrip(".")
        level = len(name.module) - len(bare)
        return (
            self.run.modules.resolve_relative(level, bare, module) if level else self.run.modules.resolve(bare, module)
        )

    def _resolve_import(self, name: ir.Import, module: "PyModule") -> values.Value | None:
        origin = self.resolve_origin(name, module)
        if origin is None:
            bare = name.module.lstrip(".")
            return build_library(f"{bare}.{name.name}" if name.name else bare)
        if name.name is None:
            return self.convert_value(ModuleValue(origin))
        found = self.run.resolve_member(origin, name.name, module.locate(module.root))
        return self._converter.drop_written_entries(self.convert_value(found), found, name.name)

    def find_member(self, owner: values.Thing, name: str) -> values.Value | None:
        """Return the member of a module, a class or an object; None if it has none of the name."""
        match owner:
            case values.Module(handle=module):
                found = self.run.resolve_member(module, name, module.locate(module.root))  # type: ignore[attr-defined, arg-type]
                return self._converter.drop_written_entries(self.convert_value(found), found, name)
            case values.Class(handle=cls) | values.Instance(of=values.Class(handle=cls)):
                assert isinstance(cls, PyClass)
                looked = _find_implemented_member(cls, name)
                if looked is None:
                    return self._find_library_member(cls, name)
                if self._is_told_outside(owner, cls, name):
                    return None  # what the class says of it holds where the environment says nothing
                if (
                    isinstance(looked, PyInstance)
                    and looked.path in MODEL_FIELDS
                    and isinstance(owner, values.Instance)
                ):
                    made = owner.of if isinstance(owner.of, values.Class) else None
                    if made is not None and self.find_default(made, name) is None:
                        return None  # it is what somebody says, and not the call that describes it
                is_set = isinstance(looked, PyFunction) and is_decorated(looked, *SETTING)
                found = (self._find_accessor(looked, *GETTING) or looked) if is_set else looked  # type: ignore[arg-type]
                return self._converter.join_writes(cls, name, found, self.convert_value(found))
            case _:
                return None

    def _is_told_outside(self, owner: values.Thing, cls: PyClass, name: str) -> bool:
        """Return whether a name of an object is a field that the environment says."""
        made = owner.of if isinstance(owner, values.Instance) else None
        return isinstance(made, values.Class) and is_of_environment(cls) and find_field_of(made, name) is not None

    def find_method(self, owner: values.Instance, name: str) -> values.Value | None:
        """Return the method of an object; members that are functions count as well. None if there is none."""
        return self.find_member(owner, name)

    def list_functions(self, owner: values.Thing) -> tuple[str, ...]:
        """Return the names of the functions that an object, a class or a module has: what `getattr` may find there."""
        match owner:
            case values.Class(handle=PyClass() as cls) | values.Instance(of=values.Class(handle=PyClass() as cls)):
                bound = [each.names for each in cls.iter_lineage()]
            case values.Module(handle=PyModule() as module):
                bound = [self.run.evaluate_module(module).names]
            case _:
                return ()
        found = (name for names in bound for name, value in names.items() if isinstance(value, PyFunction))
        return tuple(dict.fromkeys(found))

    def find_setter(self, owner: values.Instance, name: str) -> values.Value | None:
        """Return the setter that an assignment to a property runs; None if the assignment only stores the value."""
        cls = owner.of.handle if isinstance(owner.of, values.Class) else None
        found = _find_implemented_member(cls, name) if isinstance(cls, PyClass) else None
        is_set = isinstance(found, PyFunction) and is_decorated(found, *SETTING)
        setting = self._find_accessor(found, SETTING[0]) if is_set else None  # type: ignore[arg-type]
        return self.convert_value(setting) if setting is not None else None

    def _find_accessor(self, last: PyFunction, *decorators: str) -> PyFunction | None:
        """Return the function of a property that has one of some decorators, by the last that is written of it."""
        key = (last.scope.module.path, last.node.start_byte, decorators[0])
        if key not in self._accessors:
            around = last.node.parent.parent if last.node.parent is not None else None
            named = [each.child_by_field_name("definition") for each in (around.named_children if around else ())]
            same = (replace(last, node=each) for each in named if each is not None and _get_name(each) == last.name)
            self._accessors[key] = next((each for each in same if is_decorated(each, *decorators)), None)
        return self._accessors[key]

    def _find_library_member(self, cls: PyClass, name: str) -> values.Value | None:
        outer = [each for each in cls.list_external_bases() if each not in find_types("bare base")]
        return build_library(f"{outer[0]}.{name}") if outer else None

    def find_replacement(self, path: str) -> values.Value | None:
        """Return None: no library is looked through for what the project writes there."""
        return None

    def find_extension(self, name: str, of: values.Library | None) -> values.Value | None:
        """Return None: a method belongs to a class."""
        return None

    def resolve_type(self, written: ir.TypeName, code: ir.Code) -> values.Instance | None:
        """Return an object of the type that an annotation names, found once for each."""
        key = (code.source.path, written.at.start, written.at.end)
        if key not in self._types:
            self._types[key] = self._evaluate_type(written, code)
        return self._types[key]

    def _evaluate_type(self, written: ir.TypeName, code: ir.Code) -> values.Instance | None:
        module = self.run.modules.by_path.get(code.source.path)
        node = module.root.descendant_for_byte_range(written.at.start, written.at.end) if module is not None else None
        return (
            read_annotated_type(self.run, self.models, node, self.run.evaluate_module(module))
            if module is not None and node is not None
            else None
        )

    def find_conversion(self, reason: values.Instance, error: ir.TypeName, code: ir.Code) -> None:
        """Return None: an exception leaves a function as it is."""

    def find_parents(self, kind: "values.Class | values.Library") -> "tuple[values.Class | values.Library, ...]":
        """Return the bases of a class; what nothing is known of is an `Exception` where it is caught or raised."""
        if isinstance(kind, values.Library):
            model = self.models.find_model(kind.path)
            if model is not None and (model.extends or kind.path == ROOT):
                return (values.Library(model.extends),) if model.extends else ()
            return (values.Library("builtins.Exception"),)
        bases = kind.handle.bases if isinstance(kind.handle, PyClass) else []
        things = [thing for each in bases for thing in self.convert_value(each).things]
        return tuple(each for each in things if isinstance(each, values.Class | values.Library))

    def find_receiver_class(self, code: ir.Code) -> values.Class | None:
        """Return the class of the module that a function with `self` is a method of."""
        module = self.run.modules.by_path.get(code.source.path)
        if module is None or not code.parameters or code.parameters[0].name != "self":
            return None
        node = module.root.descendant_for_byte_range(code.at.start, code.at.end)
        return self.find_enclosing_class(module, node) if node is not None else None

    def is_as_written(self, code: ir.Code) -> bool:
        """Return whether callers surely meet a function as it is written: nothing wraps, replaces or overrides it."""
        module, key = self.run.modules.by_path.get(code.source.path), ("as written", code)
        if key not in self.found:
            node = module.root.descendant_for_byte_range(code.at.start, code.at.end) if module is not None else None
            self.found[key] = node is not None and is_as_written(self.run.modules, node)
        return bool(self.found[key])

    def lacks(self, made: values.Class, name: str) -> bool:
        """Return whether no object of a class has anything under a name, for sure."""
        key = ("lacks", made, name)
        if key not in self.found:
            self.found[key] = isinstance(made.handle, PyClass) and lacks(self.run.modules, made.handle, name)
        return bool(self.found[key])

    def find_surroundings(self, code: ir.Code) -> dict[ir.Variable, values.Value]:
        """Return the captured variables of a function, if all calls that defined it agree: objects, tables of functions.

        The one function that a decorator receives stays unknown: its wrapper is searched for any function.
        """
        calls = self.run.closures.get((code.source.path, code.at.start), [])
        if not calls or len(calls) > MOST_CALLS:
            return {}
        found: dict[ir.Variable, list[values.Value]] = {}
        for each in calls:
            for variable, value in self._converter.collect_captures(each, code).items():
                found.setdefault(variable, []).extend([value] if value.things or value.constants else [])
        return {
            variable: first
            for variable, (first, *others) in ((each, held) for each, held in found.items() if held)
            if _stays(first)
            and not _is_function(first)
            and all(_describe_form(first) == _describe_form(each) for each in others)
        }

    def find_enclosing_class(self, module: "PyModule", function: Node) -> values.Class | None:
        """Return the class of a module that a function is written in, no other function between."""
        above = next(
            (each for each in iter_ancestors(function) if each.type in ("class_definition", "function_definition")),
            None,
        )
        if above is None or above.type == "function_definition":
            return None
        found = self.run.resolve_name(_get_name(above), self.run.evaluate_module(module), module.root)
        return values.Class(found.name, found) if isinstance(found, PyClass) else None

    def find_constructor(self, made: values.Class) -> ir.Code | None:
        """Return the code of `__init__`, None if the class has none of its own."""
        return self._find_own_code(made, "__init__")

    def find_post_initializer(self, made: values.Class) -> ir.Code | None:
        """Return the code of the `__post_init__` of a dataclass, None if it has none."""
        return self._find_own_code(made, "__post_init__")

    def find_member_field(self, made: values.Class) -> str | None:
        """Return `value` for an enumeration, whose member a call gives that has that value; None for other classes."""
        return "value" if isinstance(made.handle, PyClass) and is_enum(made.handle) else None

    def _find_own_code(self, made: values.Class, name: str) -> ir.Code | None:
        found = made.handle.find_attribute(name) if isinstance(made.handle, PyClass) else None
        return self.find_function_code(found) if isinstance(found, PyFunction) else None

    def find_destructor(self, made: values.Class) -> values.Value | None:
        """Return None: when an object is collected is not known."""
        return None

    def keeps_lock(self, lock: str, code: ir.Code) -> bool:
        """Return False: what holds a lock is a `with`, and no value."""
        return False

    def list_fields(self, made: values.Class) -> tuple[str, ...]:
        """Return the fields of a dataclass or a model, in the order of its arguments."""
        return self._fields.list_fields(made)

    def find_default(self, made: values.Class, name: str) -> values.Value | None:
        """Return the default of a field of a dataclass or model, found once for each."""
        return self._fields.find_default(made, name)

    def list_unwritten_fields(self, made: values.Class) -> frozenset[str]:
        """Return the fields of a model that it is told to exclude: `Field(exclude=True)`."""
        return self._fields.list_unwritten_fields(made)

    def locate_default(self, made: values.Class, name: str) -> Text | None:
        """Return the place where a class sets the default of a field."""
        return self._fields.locate_default(made, name)

    def checks(self, made: values.Class, name: str) -> bool:
        """Return whether a validator of a model looks at a field, or its annotation has one."""
        return self._fields.checks(made, name)

    def list_validators(self, made: values.Class, name: str) -> list[tuple[PyClass, FieldValidator]]:
        """Return the methods that check a field, each with the class that has it."""
        return self._fields.list_validators(made, name)

    def has_checking_annotation(self, made: values.Class, name: str) -> bool:
        """Return whether the annotation of a field says by what its values are checked."""
        return self._fields.has_checking_annotation(made, name)

    def list_annotated_validators(self, made: values.Class, name: str) -> list[tuple[Mode, ir.Code]] | None:
        """Return the functions that the annotation of a field names as its validators; None if one of them is not known."""
        found = self._fields.list_annotated_validators(made, name)
        return [(mode, self.find_function_code(each)) for mode, each in found] if found is not None else None

    def join_rewrites(self, made: values.Class, name: str, value: values.Value) -> values.Value:
        """Return the value of an object's field when a call begins: the first one, or one that other calls assigned."""
        return self._converter.join_rewrites(made, name, value)

    def find_variant_name(self, made: values.Class) -> None:
        """Return None: there are no variants."""

    def resolve_field_type(self, owner: values.Instance, name: str) -> values.Instance | None:
        """Return an object of the declared type of a field."""
        if not isinstance(owner.of, values.Class) or not isinstance(owner.of.handle, PyClass):
            return None
        for each in owner.of.handle.iter_lineage():
            for part in declared_fields(each):
                if part.name == name and part.annotation is not None:
                    return read_annotated_type(self.run, self.models, part.annotation, each.scope)
        return self._collect_begun_with(owner.of).get(name)

    def _collect_begun_with(self, made: values.Class) -> dict[str, values.Instance]:
        """Return the objects that a class's constructor creates for its fields whatever its arguments: clients,
        sessions, locks.
        """
        if made not in self._first:
            self._first[made] = {}  # while it is run
            if isinstance(made.handle, PyClass) and self.find_constructor(made) is not None:
                state, around = State(), self.find_module_code(made.handle.scope.module)
                held = state.read_contents(Interpreter(self, SMALL).make_receiver(made, around, state))
                kinds = {key[0]: each.things for key, each in held.items() if isinstance(key, tuple)}
                self._first[made] = {
                    key: values.Instance(each[0].of)
                    for key, each in kinds.items()
                    if len(each) == 1 and isinstance(each[0], values.Instance)
                }
        return self._first[made]

    def find_field_functions(self, owner: values.Instance, name: str) -> None:
        """Return None: what makes an object is run, and a field holds what it put there."""

    def find_injected(self, name: str) -> values.Value | None:
        """Return the value that the server's lifespan yields and calls see as `lifespan_context`; None if that is
        unknown.
        """
        if name != LIFESPAN:
            return None
        if not self._lifespan:
            self._lifespan.append(None)  # while it is run
            self._lifespan[0] = self._run_lifespan()
        return self._lifespan[0]

    def _run_lifespan(self) -> values.Value | None:
        names = {
            name
            for each in self.run.modules.find_containing((b"lifespan",))
            for name in GIVEN.findall(each.source.data)
        }
        found = [
            (module, node)
            for module in (self.run.modules.find_containing(tuple(b"def " + name for name in names)) if names else ())
            for node in find_descendants(module.root, "python", "function_definition")
            if decode_node(node.child_by_field_name("name") or node).encode() in names
        ]
        if len(found) != 1:
            return None
        return Interpreter(self, BEGINNING).evaluate_yielded(self.find_code_at(*found[0]), ("global", LIFESPAN))

    def find_entry_names(self, made: values.Class) -> None:
        """Return None: what a class reads is what its constructor is handed."""


def _is_inside_another(node: Node) -> bool:
    """Return whether a function stands in another, whose variables it may read."""
    scopes = (each.type for each in iter_ancestors(node) if each.type in ("function_definition", "class_definition"))
    return node.type != "module" and next(scopes, "") == "function_definition"


MOST_CALLS = 8
"""Calls of one function that are compared: a server is made a few times, a decorator is called for each tool."""


def _find_implemented_member(cls: PyClass, name: str) -> PyValue | None:
    """Return the member of a class; None for a method that only declares what others implement, as in a protocol."""
    return next(
        (
            found
            for each in cls.iter_lineage()
            if (found := each.names.get(name)) is not None and not (isinstance(found, PyFunction) and _is_stub(found))
        ),
        None,
    )


def _is_stub(function: PyFunction) -> bool:
    """Return whether a method has no code: nothing but its documentation, `...` and `pass`."""
    body = function.node.child_by_field_name("body")
    parts = [part for part in body.named_children if part.type != "comment"] if body is not None else []
    return all(
        part.type == "pass_statement"
        or (part.type == "expression_statement" and part.named_children[0].type in ("string", "ellipsis"))
        for part in parts
    )


def _get_name(definition: Node) -> str:
    name = definition.child_by_field_name("name")
    return decode_node(name) if name is not None else ""


LIFESPAN = "lifespan_context"
"""Under what the SDKs hand to each call what the lifespan of the server yields."""
# The argument by which the servers of mcp and fastmcp and ASGI applications take a lifespan.
GIVEN = pattern(rb"\blifespan\s*=\s*([A-Za-z_]\w*)")

BEGINNING = RunBounds(depth=6, statements=4_000)
"""How far a lifespan is followed: it makes clients and connections, and waits until the server ends."""

SMALL = RunBounds(depth=4, statements=400)
"""How far the expression of a name is followed that a module makes once: a path, a client, a store. A server is no value."""


MASKING = pattern(rb"mask_error_details\b(?!\s*=\s*False)|FASTMCP_MASK_ERROR_DETAILS|\bMCPServer\b|\bon_call_tool\s*=")
"""What keeps the texts of exceptions from the client: a setting of FastMCP (gofastmcp.com/servers/tools#error-handling), or
the SDK 2, whose `UnexpectedToolError` says only that a tool failed."""


def _is_partly_unknown(found: PyValue) -> TypeGuard[PyUnknown | PyInstance | PyMapping]:
    if isinstance(found, PyMapping) or (isinstance(found, PyInstance) and isinstance(found.made_by, PyClass)):
        return any(True for _ in _iter_unknown_keys(found))
    return isinstance(found, PyUnknown)


def _iter_unknown_keys(found: PyInstance | PyMapping) -> Iterator[Key]:
    """Yield the fields of an object, or the keys of a table, of which the evaluator cannot tell what is there."""
    if isinstance(found, PyInstance):
        yield from ((name,) for name, each in found.attributes.items() if isinstance(each, PyUnknown))
    elif len(found.entries) <= LARGEST and not found.open:
        pairs = ((key, each) for key, each in found.entries if isinstance(key, Const))
        yield from (key.value for key, each in pairs if isinstance(each, PyUnknown))


def _assign(module: "PyModule", span: Span) -> Node | None:
    """Return the expression that a module's own statement at a place gives a name."""
    for statement in module.root.named_children:
        given = statement.named_children[0] if statement.type == "expression_statement" else None
        if given is not None and given.type == "assignment":
            place = module.locate(given)
            if place.line <= span.line <= place.end_line:
                return given.child_by_field_name("right")
    return None


def _stays(value: values.Value, deep: int = 3) -> bool:
    """Return whether a value is an object, a class or a function of the project, or a table of such, and no data."""
    made = [each.of if isinstance(each, values.Instance) else each for each in value.things]
    if not made or value.constants is not None or not deep:
        return False
    if all(isinstance(each, values.Class | values.Function) for each in made):
        return True
    held = value.contents or {}
    return (
        bool(held)
        and len(made) == 1
        and not _is_object(value.things[0])
        and all(_stays(each, deep - 1) for each in held.values())
    )


def _is_function(value: values.Value) -> bool:
    return any(isinstance(each, values.Function) for each in value.things)


def _describe_form(value: values.Value, deep: int = 3) -> object:
    """Return of what classes and functions a value and its entries are, by which two may be told to be alike."""
    things = tuple(
        each.code if isinstance(each, values.Function) else each.of if isinstance(each, values.Instance) else each
        for each in value.things
    )
    is_table = deep and not any(isinstance(each, values.Class) for each in things)
    held = {key: _describe_form(each, deep - 1) for key, each in (value.contents or {}).items()} if is_table else {}
    return things, value.constants, tuple(held.items())


def _is_object(thing: values.Thing) -> bool:
    """Return whether a value is an object of a class, and no list or table, of which only a run tells what it holds."""
    return isinstance(thing, values.Instance) and not (isinstance(thing.of, values.Library) and thing.of.path in NAMED)


GLOBAL = pattern(rb"^[ \t]+global[ \t]+(\w+(?:[ \t]*,[ \t]*\w+)*)", re.MULTILINE)
"""What says that a function binds names of its module."""


def _find_declared_type(module: "PyModule", name: str) -> Node | None:
    """Return the type that a module declares a name of its own with."""
    for statement in module.root.named_children:
        given = statement.named_children[0] if statement.type == "expression_statement" else None
        if given is not None and given.type == "assignment":
            left = given.child_by_field_name("left")
            if left is not None and decode_node(left) == name:
                return given.child_by_field_name("type")
    return None


ROOT = "builtins.BaseException"
"""What all exceptions descend from."""
