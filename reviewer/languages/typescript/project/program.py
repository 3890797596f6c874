"""The project as the abstract run asks for it: what names mean, what classes have, and functions lowered when reached."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from tree_sitter import Node

from reviewer.code import ir, values
from reviewer.code.events import Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.kinds import iter_ancestors
from reviewer.code.members import build_library
from reviewer.code.models import Models, load_models
from reviewer.code.program import Operators
from reviewer.code.run import RunBounds
from reviewer.code.summaries import Summaries
from reviewer.code.values import build_constant, build_unknown
from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.typescript.lowering import find_code, lower_constant, lower_function
from reviewer.languages.typescript.lowering.files import TypeScriptCode, has_token, list_children
from reviewer.languages.typescript.lowering.functions import CLASSES
from reviewer.languages.typescript.lowering.scopes import FUNCTIONS
from reviewer.languages.typescript.lowering.statements import DEFAULT
from reviewer.languages.typescript.project.modules import Export, Imported, Modules, ScriptModule
from reviewer.records import dataclass
from reviewer.source import Text
from reviewer.text.patterns import pattern

TYPE_KINDS = {"string": "str", "number": "float", "boolean": "bool", "object": "dict", "bigint": "int"}
"""The types that `typeof` names, as the run names those of literals."""

NAMED_TYPES = {
    "string": "str",
    "number": "float",
    "boolean": "bool",
    "Date": "Date",
    "RegExp": "RegExp",
    "Buffer": "Buffer",
}
LISTS = frozenset({"Array", "ReadonlyArray", "Set", "ReadonlySet"})
"""Types whose argument is that of their elements."""
TRANSPARENT = frozenset({"Promise", "Readonly", "Partial", "Required", "NonNullable", "Awaited"})
"""Types that stand for what they hold."""

MOST_EXPORTS = 12
"""Modules that are gone through for a name that each has from the next."""

SMALL = RunBounds(depth=4, statements=600)
"""How far the expression of a constant is run."""

STANDARD = frozenset(
    "assert buffer child_process cluster console crypto dgram dns events fs http http2 https module net os path process "
    "querystring readline stream timers tls tty url util v8 vm worker_threads zlib".split()
)
"""The modules of Node.js."""

GENERIC = pattern(r"(?P<name>[\w.$]+)\s*<(?P<inside>.*)>$", re.DOTALL)
"""A type with arguments."""


WRITTEN = pattern(rb"(?<![\w.$])(?P<path>[A-Za-z_]\w*(?:\.\w+)+)\s*=(?![=>])")
"""Where something is written to a member of what has a name."""


@dataclass(frozen=True, slots=True)
class DeclaredClass:
    """A class of the project, by where it is declared."""

    path: str
    start: int


@dataclass(eq=False)
class TypeScriptProgram:
    """The modules of a project. A function is lowered when it is reached, a constant is run once."""

    modules: Modules
    models: Models = field(default_factory=lambda: load_models("typescript"))
    raises: bool = True
    holds_entries: bool = True
    names_in_objects: bool = True
    begins_async: bool = True
    chains: bool = False
    operators: Operators = field(default_factory=lambda: Operators({}))
    destroys: bool = False
    summaries: Summaries = field(default_factory=Summaries)
    found: dict[Any, Any] = field(default_factory=dict)
    traces: dict[tuple[ir.Code, str], Trace] = field(default_factory=dict)
    """What functions do when a client calls them, for the tool that they are called for if they choose by its name."""
    codes: dict[tuple[str, int, int], ir.Code] = field(default_factory=dict)
    signalled: set[ir.Code] = field(default_factory=set)
    """The functions that the SDK hands a signal of cancellation."""
    _declared: dict[str, Mapping[str, Node]] = field(default_factory=dict)
    _constants: dict[tuple[str, int], values.Value] = field(default_factory=dict)
    _classes: dict[DeclaredClass, Node] = field(default_factory=dict)
    _types: dict[tuple[str, int, int], values.Instance | None] = field(default_factory=dict)
    _replacements: dict[str, values.Value] = field(default_factory=dict)

    def find_code_at(self, path: str, node: Node) -> ir.Code:
        """Return the code of a function or a class of the project, the same each time."""
        key = (path, node.start_byte, node.end_byte)
        if key not in self.codes:
            module = self.modules.by_path[path]
            if node.type == "program":
                self.codes[key] = module.code
            else:
                self.codes[key] = find_code(module.code, node) or lower_function(module.source, node)
        return self.codes[key]

    def masks_errors(self) -> bool:
        """Return False: the SDK tells clients what an exception says."""
        return False

    def hands_signal(self, code: ir.Code) -> bool:
        """Return whether a function is one that the SDK hands a signal of cancellation: those of tools, beside the arguments."""
        return code in self.signalled

    def is_standard(self, path: str) -> bool:
        """Return whether a path is of the language, or of Node.js."""
        first = path.partition(".")[0]
        return first in STANDARD or not self._is_imported(first)

    def _is_imported(self, name: str) -> bool:
        return any(
            name == _format_module(each.module).partition(".")[0]
            for one in self.modules.by_path.values()
            for each in one.imports.values()
        )

    # Names.

    def resolve_name(self, name: ir.Global | ir.Import, code: ir.Code) -> values.Value | None:
        """Return the value of a name where a code reads it."""
        module = self.modules.by_path.get(code.source.path)
        if module is None:
            return None
        if isinstance(name, ir.Import):
            return self.resolve_import(Imported(name.module, name.name), module)
        first = name.path[0]
        if first == "typeof" and len(name.path) == 2:
            return build_library(TYPE_KINDS.get(name.path[1], name.path[1]))
        if first == "undefined":
            return build_constant(None)
        if first == "super":
            return self._find_above(code)
        return None if first == "this" else self.find_name(first, module)

    def _find_above(self, code: ir.Code) -> values.Value | None:
        """Return the class above the one that a method is of."""
        made = self.find_receiver_class(code)
        above = self.find_parents(made) if made is not None else ()
        return values.Value(("super", above[0]), things=(above[0],), certain=True) if above else None

    def find_name(self, name: str, module: ScriptModule, deep: int = MOST_EXPORTS) -> values.Value | None:
        """Return the value of a name of a module; one of the language if the module declares none."""
        told = module.imports.get(name)
        if told is not None:
            return self.resolve_import(told, module, deep)
        node = self._find_declarations(module).get(name)
        return self._resolve_declaration(module, name, node) if node is not None else build_library(name)

    def _find_declarations(self, module: ScriptModule) -> Mapping[str, Node]:
        """Return the declarations of a module, by name."""
        if module.path not in self._declared:
            self._declared[module.path] = dict(_iter_declarations(module.root))
        return self._declared[module.path]

    def resolve_import(self, given: Imported, importer: ScriptModule, deep: int = MOST_EXPORTS) -> values.Value | None:
        """Return the value of an import."""
        module = self.modules.resolve(given.module, importer.path)
        if module is None:
            if given.module.startswith("."):
                return None
            path = _format_module(given.module)
            is_whole = given.name in (None, DEFAULT)
            return build_library(path if is_whole else f"{path}.{given.name}")
        if given.name is None:
            return values.Value(("module", module.path), things=(values.Module(module.path),), certain=True)
        return self.export(module, given.name, deep)

    def export(self, module: ScriptModule, name: str, deep: int = MOST_EXPORTS) -> values.Value | None:
        """Return the export of a module, None if it has none of the name."""
        told: Export | None = module.exports.get(name)
        if not deep:
            return None
        if told is not None:
            return (
                self.resolve_import(told.of, module, deep - 1)
                if told.of is not None
                else self.find_name(told.local, module, deep - 1)
            )
        for each in module.stars:
            other = self.modules.resolve(each, module.path)
            found = self.export(other, name, deep - 1) if other is not None else None
            if found is not None:
                return found
        return None

    def _resolve_declaration(self, module: ScriptModule, name: str, node: Node) -> values.Value | None:
        if node.type in CLASSES:
            made = self._declare_class(module, node)
            return values.Value(("global", made), things=(made,), certain=True)
        if node.type in FUNCTIONS:
            return self._resolve_function(module, node)
        if node.type != "variable_declarator":
            return build_unknown("it is not followed", ("global", module.path, node.start_byte))
        given = find_child(node, "value")
        if given is not None and given.type in FUNCTIONS:
            return (
                self._resolve_function(module, given)
                if given.type not in CLASSES
                else self._resolve_declaration(module, name, given)
            )
        return self._get_constant(module, name, node, given)

    def _resolve_function(self, module: ScriptModule, node: Node) -> values.Value:
        thing = values.Function(self.find_code_at(module.path, node))
        return values.Value(("global", module.path, node.start_byte), things=(thing,), certain=True)

    def _declare_class(self, module: ScriptModule, node: Node) -> values.Class:
        handle = DeclaredClass(module.path, node.start_byte)
        self._classes[handle] = node
        return values.Class(decode_node(find_child(node, "name") or node)[:80], handle)

    def _get_constant(self, module: ScriptModule, name: str, node: Node, given: Node | None) -> values.Value:
        """Return the value that a name of a module is bound to: that of its expression, or only its type if it may be changed."""
        key = (module.path, node.start_byte)
        if key in self._constants:
            return self._constants[key]
        term = ("global", *key)
        self._constants[key] = build_unknown("it is defined by itself", term)
        kind = find_child(node, "type")
        written = list_children(kind) if kind is not None else []
        made = self._resolve_type_node(module, written[0]) if written else None
        if given is None or name in module.code.file.written:
            found = build_unknown("only a run tells", term)
        else:
            ran = Interpreter(self, SMALL, self.summaries).evaluate_constant(
                lower_constant(module.code, given, name), term
            )
            found = ran
        if made is not None and not found.things and found.constants is None:
            found = found._replace(things=(made,))
        self._constants[key] = found
        return found

    # Members.

    def find_member(self, owner: values.Thing, name: str) -> values.Value | None:
        """Return the member of a module, a class or an object."""
        match owner:
            case values.Module(handle=str() as path):
                return self.export(self.modules.by_path[path], name)
            case values.Instance(of=values.Class() as made):
                return self._find_member(made, name, is_static=False)
            case values.Class():
                return self._find_member(owner, name, is_static=True)
        return None

    def find_replacement(self, path: str) -> values.Value | None:
        """Return the value that a module writes to a member of a library, as in `console.log = console.error`.

        What a function writes there, or several modules do, holds from some time on: then only a run tells what it is.
        """
        if path not in self._replaced_members:
            return None
        if path not in self._replacements:
            self._replacements[path] = unknown = build_unknown("it is replaced", ("replaced", path))
            places = self._replaced_members[path]
            module, given = places[0]
            if len(places) == 1 and given is not None:
                self._replacements[path] = self._evaluate_replacement(module, given, path) or unknown
        return self._replacements[path]

    def _evaluate_replacement(self, module: ScriptModule, given: Node, path: str) -> values.Value | None:
        if given.type in FUNCTIONS and given.type not in CLASSES:
            return self._resolve_function(module, given)
        ran = Interpreter(self, SMALL, self.summaries)
        return ran.evaluate_constant(lower_constant(module.code, given, path), ("replaced", path))

    @cached_property
    def _replaced_members(self) -> Mapping[str, list[tuple[ScriptModule, Node | None]]]:
        """What modules write to members of libraries of which rows are known; None for what a function writes."""
        found: dict[str, list[tuple[ScriptModule, Node | None]]] = {}
        for module in self.modules.iter_own():
            for written in WRITTEN.finditer(module.source.data):
                path = written["path"].decode()
                owner = path.partition(".")[0]
                if path not in self.models.rows or owner in module.code.scope.variables:
                    continue
                node = module.root.descendant_for_byte_range(*written.span("path"))
                found.setdefault(path, []).append((module, _find_written_value(node, written.span("path"))))
        return found

    def list_functions(self, owner: values.Thing) -> tuple[str, ...]:
        """Return nothing: no function is followed that a text chooses among those of a class or a module."""
        return ()

    def find_method(self, owner: values.Instance, name: str) -> values.Value | None:
        """Return the method of an object: its methods are members like any other."""
        return self.find_member(owner, name)

    def _find_member(self, made: values.Class, name: str, *, is_static: bool, deep: int = 20) -> values.Value | None:
        found = self._find_own(made, name, is_static=is_static)
        if found is not None or not deep:
            return found
        for above in self.find_parents(made):
            if isinstance(above, values.Class):
                return self._find_member(above, name, is_static=is_static, deep=deep - 1)
            return build_library(f"{above.path}.{name}")
        return None

    def _find_own(self, made: values.Class, name: str, *, is_static: bool) -> values.Value | None:
        module, node = self._place(made)
        if module is None or node is None:
            return None
        for each in list_children(find_child(node, "body") or node):
            named = find_child(each, "name")
            if named is None or decode_node(named) != name or has_token(each, "static") is not is_static:
                continue
            if each.type == "method_definition" and find_child(each, "body") is not None and not has_token(each, "set"):
                binding: values.MethodKind = "static" if is_static else "getter" if has_token(each, "get") else "method"
                thing = values.Function(self.find_code_at(module.path, each), binding=binding)
                return values.Value(("member", made, name), things=(thing,), certain=True)
            given = find_child(each, "value")
            if is_static and each.type == "public_field_definition" and given is not None:
                return self._get_constant(module, name, each, given)
        return None

    def _place(self, made: values.Class) -> tuple[ScriptModule | None, Node | None]:
        handle = made.handle
        if not isinstance(handle, DeclaredClass):
            return None, None
        return self.modules.by_path.get(handle.path), self._classes.get(handle)

    def find_extension(self, name: str, of: values.Library | None) -> values.Value | None:
        """Return None: a method belongs to a class."""
        return None

    def find_setter(self, owner: values.Instance, name: str) -> values.Value | None:
        """Return None: a field holds what is written there."""
        return None

    # Types.

    def resolve_type(self, written: ir.TypeName, code: ir.Code) -> values.Instance | None:
        """Return an object of the type that an annotation names, found once for each."""
        key = (code.source.path, written.at.start, written.at.end)
        if key not in self._types:
            module = self.modules.by_path.get(code.source.path)
            self._types[key] = (
                self._resolve_written_type(module, written.text) if module is not None and written.at.end else None
            )
        return self._types[key]

    def _resolve_type_node(self, module: ScriptModule, node: Node) -> values.Instance | None:
        return self._resolve_written_type(module, decode_node(node))

    def _resolve_written_type(self, module: ScriptModule, text: str, deep: int = 6) -> values.Instance | None:
        """Return an object of a type; of a union, of the one part that is not only absence."""
        parts = [each for each in _split_union(text) if each not in ("null", "undefined", "void")]
        if len(parts) != 1 or not deep:
            return None
        text = parts[0]
        if text.endswith("[]"):
            element = self._resolve_written_type(module, text[:-2], deep - 1)
            return values.Instance(values.Library("list"), (element,) if element is not None else ())
        generic = GENERIC.match(text)
        name = generic["name"] if generic is not None else text
        if name in TRANSPARENT and generic is not None:
            return self._resolve_written_type(module, generic["inside"], deep - 1)
        if name in LISTS and generic is not None:
            element = self._resolve_written_type(module, generic["inside"], deep - 1)
            return values.Instance(values.Library("list"), (element,) if element is not None else ())
        if name in NAMED_TYPES:
            return values.Instance(values.Library(NAMED_TYPES[name]))
        first, *rest = name.split(".")
        if not first.isidentifier():
            return None
        told = module.imports.get(first)
        node = self._find_declarations(module).get(first)
        found = (
            self.find_name(first, module) if told is not None or (node is not None and node.type in CLASSES) else None
        )
        for each in rest:
            found = (
                next(
                    (
                        self.find_member(one, each) or build_library(f"{one.path}.{each}")
                        for one in found.things
                        if isinstance(one, values.Library)
                    ),
                    None,
                )
                if found
                else None
            )
        kinds = (
            [each for each in found.things if isinstance(each, values.Class | values.Library)]
            if found is not None
            else []
        )
        return values.Instance(kinds[0]) if len(kinds) == 1 else None

    def find_conversion(self, reason: values.Instance, error: ir.TypeName, code: ir.Code) -> None:
        """Return None: an exception leaves a function as it is."""

    def find_parents(self, kind: "values.Class | values.Library") -> "tuple[values.Class | values.Library, ...]":
        """Return the class above another."""
        if isinstance(kind, values.Library):
            model = self.models.find_model(kind.path)
            return (values.Library(model.extends),) if model is not None and model.extends else ()
        module, node = self._place(kind)
        heritage = (
            next((each for each in node.children if each.type == "class_heritage"), None) if node is not None else None
        )
        clause = (
            next((each for each in list_children(heritage) if each.type == "extends_clause"), None)
            if heritage
            else None
        )
        written = find_child(clause, "value")
        if module is None or written is None or written.type != "identifier":
            return ()
        found = self.find_name(decode_node(written), module)
        things = found.things if found is not None else ()
        return tuple(each for each in things if isinstance(each, values.Class | values.Library))

    def find_receiver_class(self, code: ir.Code) -> values.Class | None:
        """Return the class that a method is of."""
        above: ir.Code | None = code
        while isinstance(above, TypeScriptCode) and not (above.role and not above.is_static):
            above = above.around
        around = above.around if isinstance(above, TypeScriptCode) else None
        module = self.modules.by_path.get(code.source.path)
        if above is not code or not isinstance(around, TypeScriptCode) or around.kind != "class" or module is None:
            return None
        return self._declare_class(module, around.node)

    def is_as_written(self, code: ir.Code) -> bool:
        """Return False: anything may be called with more or fewer arguments."""
        return False

    def lacks(self, made: values.Class, name: str) -> bool:
        """Return False: objects may be given more than their class says."""
        return False

    def find_surroundings(self, code: ir.Code) -> dict[ir.Variable, values.Value]:
        """Return nothing: the run itself looks at the functions around."""
        return {}

    def find_constructor(self, made: values.Class) -> ir.Code | None:
        """Return the constructor of a class, or of one above, which gives fields what stands in the class."""
        for each in iter_ancestors(self, made):
            module, node = self._place(each) if isinstance(each, values.Class) else (None, None)
            if module is None or node is None:
                return None
            code = self.find_code_at(module.path, node)
            if not isinstance(code, TypeScriptCode):
                return None
            _ = code.body
            if code.made is not None:
                return code.made
        return None

    def find_post_initializer(self, made: values.Class) -> ir.Code | None:
        """Return None: the constructor does all."""
        return None

    def find_member_field(self, made: values.Class) -> str | None:
        """Return None: no class is asked for its members by a call."""
        return None

    def find_destructor(self, made: values.Class) -> values.Value | None:
        """Return None: nothing runs when an object is no longer held."""
        return None

    def find_codes_naming(self, name: str) -> tuple[ir.Code, ...]:
        """Return the functions of the project in which a name stands, those in others left out: they belong to these."""
        word = re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")
        found: dict[tuple[str, int], ir.Code] = {}
        for module in self.modules.iter_own():
            for each in word.finditer(module.source.data):
                node, outer = module.root.descendant_for_byte_range(*each.span()), None
                while node is not None:
                    outer = node if node.type in FUNCTIONS and node.type not in CLASSES else outer
                    node = node.parent
                if outer is not None:
                    found[module.path, outer.start_byte] = self.find_code_at(module.path, outer)
        return tuple(found.values())

    def find_modules_naming(self, name: str) -> tuple[ir.Code, ...]:
        """Return nothing: there is one thread, which a loop keeps to itself."""
        return ()

    def keeps_lock(self, lock: str, code: ir.Code) -> bool:
        """Return False: there is one thread."""
        return False

    def find_injected(self, name: str) -> values.Value | None:
        """Return None: a handler is handed what its parameters say."""
        return None

    def find_field_functions(self, owner: values.Instance, name: str) -> values.Value | None:
        """Return None: what a field holds, the constructor says."""
        return None

    def list_fields(self, made: values.Class) -> tuple[str, ...]:
        """Return nothing: arguments become fields only by a constructor."""
        return ()

    def list_unwritten_fields(self, made: values.Class) -> frozenset[str]:
        """Return nothing: all fields are written."""
        return frozenset()

    def find_default(self, made: values.Class, name: str) -> values.Value | None:
        """Return None: the constructor says it."""
        return None

    def find_variant_name(self, made: values.Class) -> str | None:
        """Return None: there are no variants."""
        return None

    def resolve_field_type(self, owner: values.Instance, name: str) -> values.Instance | None:
        """Return an object of the declared type of a field, or of a parameter of the constructor that becomes one."""
        module, node = self._place(owner.of) if isinstance(owner.of, values.Class) else (None, None)
        if module is None or node is None:
            return None
        for each in _iter_typed_fields(node):
            named, kind = find_child(each, "name") or find_child(each, "pattern"), find_child(each, "type")
            if named is not None and decode_node(named) == name and kind is not None and list_children(kind):
                return self._resolve_type_node(module, list_children(kind)[0])
        return None

    def join_rewrites(self, made: values.Class, name: str, value: values.Value) -> values.Value:
        """Return the type of the value that a field was made with: nothing else of it surely stays."""
        return value if value.things else build_unknown("other calls may have written it", value.term, value.labels)

    def checks(self, made: values.Class, name: str) -> bool:
        """Return False: nothing looks at what a field is given."""
        return False

    def find_entry_names(self, made: values.Class) -> Mapping[str, tuple[Text, ...]] | None:
        """Return None: no class is read from data."""
        return None


def _format_module(name: str) -> str:
    """Return how models name a module: `fs.promises`, `@modelcontextprotocol.sdk.server.mcp`."""
    return name.removeprefix("node:").removesuffix(".js").replace("/", ".")


def _find_written_value(node: Node | None, place: tuple[int, int]) -> Node | None:
    """Return the expression that a statement of a module itself writes to a member; None if a function writes it, or a branch."""
    while node is not None and node.end_byte < place[1]:
        node = node.parent
    above = node.parent if node is not None else None
    if above is None or above.type != "assignment_expression" or find_child(above, "left") != node:
        return None
    statement = above.parent
    is_own = statement is not None and statement.parent is not None and statement.parent.type == "program"
    return find_child(above, "right") if is_own else None


def _split_union(text: str) -> list[str]:
    """Return the parts of a union."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "<([{") - (letter in ">)]}")
        if letter == "|" and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [each for each in (*parts, text[start:].strip()) if each]


def _iter_declarations(root: Node) -> Iterator[tuple[str, Node]]:
    for each in list_children(root):
        if each.type == "export_statement":
            is_default, inner = has_token(each, "default"), find_child(each, "declaration") or find_child(each, "value")
            if inner is None:
                continue
            if is_default:
                yield DEFAULT, inner
            each = inner
        if each.type in ("lexical_declaration", "variable_declaration"):
            for part in list_children(each):
                name = find_child(part, "name")
                if name is not None and name.type == "identifier":
                    yield decode_node(name), part
        elif (named := find_child(each, "name")) is not None:
            yield decode_node(named), each


def _iter_typed_fields(node: Node) -> Iterator[Node]:
    for each in list_children(find_child(node, "body") or node):
        if each.type == "public_field_definition":
            yield each
        elif each.type == "method_definition" and decode_node(find_child(each, "name") or each) == "constructor":
            for parameter in list_children(find_child(each, "parameters") or each):
                if any(part.type in ("accessibility_modifier", "readonly") for part in parameter.children):
                    yield parameter
