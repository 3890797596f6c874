"""The project as the abstract run asks for it: what paths mean, which methods types have, and functions lowered when reached."""

import re
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from itertools import pairwise
from typing import Any

from tree_sitter import Node

from reviewer.code import ir, values
from reviewer.code.events import Trace
from reviewer.code.interpreter import Interpreter, capture_value
from reviewer.code.members import build_library
from reviewer.code.models import Models, load_models
from reviewer.code.program import Operators
from reviewer.code.summaries import Summaries
from reviewer.code.values import build_constant, build_unknown
from reviewer.languages.lowering import to_site
from reviewer.languages.nodes import decode_node, find_child, find_nearest_of_kinds, find_parent, iter_ancestors
from reviewer.languages.rust.evaluation import kept
from reviewer.languages.rust.evaluation.folding import ConstantFolder
from reviewer.languages.rust.lowering import lower_constant, lower_function
from reviewer.languages.rust.project import sending
from reviewer.languages.rust.project.impls import Impls
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.meanings import (
    Declared,
    Meaning,
    Outside,
    PathPlace,
    RustModule,
    TypeMember,
    collect_bounds,
)
from reviewer.languages.rust.project.operator_traits import OPERATORS
from reviewer.languages.rust.project.scopes import Scopes
from reviewer.languages.rust.project.type_names import build_class, iter_type_parameters, type_named
from reviewer.languages.rust.syntax import attributes
from reviewer.records import dataclass
from reviewer.schema.rust.fields import iter_members
from reviewer.schema.rust.marks import name_of, read_marks
from reviewer.source import Text
from reviewer.text.patterns import pattern

ELSEWISE = ("from", "try_from", "transparent", "remote")
"""Attributes of serde by which a struct is read as something else."""

ITSELF = "it is defined by itself"
"""What is said of a constant while it is worked out."""

# Without one in the project, nothing of its own runs at the end of a scope, which then is not followed.
DROPPING = pattern(rb"\bDrop\s+for\b")
# The derived default of a number is zero.
NUMBER = pattern(r"[iu](?:8|16|32|64|128|size)|f(?:32|64)")
WIDTHS = {"8": 8, "16": 16, "32": 32, "64": 64, "128": 128, "size": 64}

NESTED = ("closure_expression", "async_block")
"""What reads the variables of the function that it is written in."""

TASK_LOCAL = pattern(rb"\btask_local!")
"""What declares statics that each task has for itself: https://docs.rs/tokio/latest/tokio/macro.task_local.html"""

TASK_KEY = "tokio.task.LocalKey"
"""Their type."""


@dataclass(eq=False)
class RustProgram:
    """The Rust files of a project. A function is lowered when it is reached, a constant is run once."""

    items: RustItems
    models: Models = field(default_factory=lambda: load_models("rust"))
    raises: bool = False
    holds_entries: bool = False
    names_in_objects: bool = False
    begins_async: bool = False
    chains: bool = True
    operators: Operators = OPERATORS
    summaries: Summaries = field(default_factory=Summaries)
    found: dict[Any, Any] = field(default_factory=dict)
    traces: dict[tuple[ir.Code, str], Trace] = field(default_factory=dict)
    """What functions do when a client calls them, or calls a tool by them."""
    destroys: bool = field(init=False)
    scopes: Scopes = field(init=False)
    impls: Impls = field(init=False)
    _folder: ConstantFolder = field(init=False)
    _codes: dict[tuple[str, int], ir.Code] = field(default_factory=dict)
    _naming: dict[str, tuple[ir.Code, ...]] = field(default_factory=dict)
    _named: dict[tuple[ir.Code, tuple[str, ...]], values.Value | None] = field(default_factory=dict)
    """What paths mean, by the function that reads them: each is asked for ten times and more."""
    _constants: dict[tuple[str, int], values.Value] = field(default_factory=dict)
    _types: dict[tuple[str, ir.Site], values.Instance | None] = field(default_factory=dict)
    _declared_fields: dict[values.Class, Mapping[str, Node]] = field(default_factory=dict)
    _unwritten: dict[values.Class, frozenset[str]] = field(default_factory=dict)
    _field_types: dict[tuple[values.Class, str], values.Instance | None] = field(default_factory=dict)
    _kept: dict[tuple[values.Class, str], values.Value | None] = field(default_factory=dict)
    _methods: dict[tuple[Declared, str], values.Value | None] = field(default_factory=dict)
    _members: dict[tuple[values.Class, str], values.Value | None] = field(default_factory=dict)
    _extensions: dict[tuple[str, values.Library | None], values.Value | None] = field(default_factory=dict)
    _destructors: dict[Declared, values.Value | None] = field(default_factory=dict)
    _conversions: dict[tuple[values.Class | values.Library, values.Class | values.Library], values.Value | None] = (
        field(default_factory=dict)
    )
    _entries: dict[Declared, Mapping[str, tuple[Text, ...]] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.destroys = bool(self.items.find_matching(DROPPING))
        self.scopes = Scopes(self.items)
        self.impls = Impls(self.items, self.scopes)
        self._folder = ConstantFolder(self.items)

    def _find_unbound(self, path: tuple[str, ...]) -> values.Value | None:
        """Return the one function that a path may mean which nothing here binds, as where all of a crate is imported."""
        name = ".".join(path)
        if name[:1].isupper() and name in self.models.rows:
            return build_library(name)
        known = self.models.find_path_by_ending(name) if len(path) == 2 else None
        return build_library(known) if known is not None else None

    def find_code_at(self, path: str, node: Node) -> ir.Code:
        """Return the code of a function of the project, the same each time; a closure's has what is around it."""
        key = (path, node.start_byte)
        if key not in self._codes:
            inside = self._find_code_inside(path, node) if node.type in NESTED else None
            self._codes[key] = inside if inside is not None else lower_function(self.items.sources[path], node)
        return self._codes[key]

    def _find_code_inside(self, path: str, node: Node) -> ir.Code | None:
        """Return the code of a closure in that of the function around it, None if it is in none that could be lowered."""
        around, at = find_nearest_of_kinds(find_parent(node), "function_item"), to_site(node)
        inside = ir.iter_codes(self.find_code_at(path, around)) if around is not None else ()
        return next((each for each in inside if each.at == at), None)

    def _place(self, code: ir.Code) -> PathPlace | None:
        """Return where a code stands, None if it is of no file of the project."""
        if code.source.path not in self.items.sources:
            return None
        return self.scopes.place(code.source.path, code.at.start, code.at.end)

    def find_codes_naming(self, name: str) -> tuple[ir.Code, ...]:
        """Return the functions of the project in which a name stands, those in others left out: they belong to these."""
        if name not in self._naming:
            word = re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")
            self._naming[name] = tuple(
                self.find_code_at(path, node)
                for path in self.items.find_matching(word)
                for node in self.items.find_nodes_near(path, word, "function_item")
                if not is_in_test(node) and not any(above.type == "function_item" for above in iter_ancestors(node))
            )
        return self._naming[name]

    def masks_errors(self) -> bool:
        """Return whether a text of the SDK's own stands for what an error says: none does that in Rust."""
        return False

    def hands_signal(self, code: ir.Code) -> bool:
        """Return False: a function is handed a token by a parameter that it declares."""
        return False

    def is_standard(self, path: str) -> bool:
        """Return whether a path is of Rust's own library."""
        return path.partition(".")[0] in ("std", "core", "alloc")

    def resolve_name(self, name: ir.Global | ir.Import, code: ir.Code) -> values.Value | None:
        """Return the value of a path in a function."""
        if isinstance(name, ir.Import):
            return None
        key = (code, name.path)
        if key in self._named:
            return self._named[key]
        found = self._find_meant(name, code)
        if found is None or found.unknown != ITSELF:  # a constant that is being worked out will be something else
            self._named[key] = found
        return found

    def _find_meant(self, name: ir.Global, code: ir.Code) -> values.Value | None:
        place = self._place(code)
        if place is None:
            return None
        if name.path[-1].endswith("!"):
            return self._get_macro(name.path, place)
        found = self.scopes.resolve(name.path, place)
        if found is not None:
            return self._find_for_sdk(name.path, code) or self.convert_meaning(found)
        known = self.items.resolve(name.path, code.source.path, "const")
        if isinstance(known, RustItem):
            return self._get_constant(known.path, known.node)
        return self._kept_by_tasks.get(name.path[-1]) or self._find_unbound(name.path)

    @cached_property
    def _kept_by_tasks(self) -> dict[str, values.Value]:
        """The statics that `task_local!` declares, by their names: the grammar reads what it is given as tokens."""
        found = dict[str, values.Value]()
        for path in self.items.find_matching(TASK_LOCAL):
            for node in self.items.find_nodes(path, "macro_invocation"):
                named, tree = find_child(node, "macro"), node.named_children[-1]
                if named is None or not decode_node(named).endswith("task_local"):
                    continue
                for before, name in pairwise(tree.children):
                    if before.type == "static" or decode_node(before) == "static":
                        term = ("global", path, name.start_byte)
                        made = build_unknown("only a run tells", term)
                        found[decode_node(name)] = made._replace(things=(values.Instance(values.Library(TASK_KEY)),))
        return found

    def _find_for_sdk(self, path: tuple[str, ...], code: ir.Code) -> values.Value | None:
        """Return the value that models give an imported name, also in a project that contains the SDK's source."""
        written = self.items.read_uses(code.source.path).names.get(path[0])
        name = ".".join((*written, *path[1:])) if written is not None else ""
        return build_library(name) if name in self.models.rows else None

    def _get_macro(self, path: tuple[str, ...], place: PathPlace) -> values.Value:
        bare = (*path[:-1], path[-1].removesuffix("!"))
        found = self.scopes.resolve(bare, place)
        return build_library(self._format_canonical(found.path if isinstance(found, Outside) else bare) + "!")

    def _format_canonical(self, path: tuple[str, ...]) -> str:
        """Return how the models name something; what a crate gives on is named after its own: `rmcp::serde_json::Value`."""
        has_module = self.models.has_module
        if len(path) > 2 and has_module(path[1]) and not has_module(f"{path[0]}.{path[1]}"):
            path = path[1:]
        return ".".join(path)

    def convert_meaning(self, found: Meaning) -> values.Value | None:
        """Return the value of the abstract run for a meaning."""
        match found:
            case Outside():
                limit = _limit(found.path)
                return build_constant(limit) if limit is not None else build_library(self._format_canonical(found.path))
            case RustModule():
                term = ("module", found.crate, found.names)
                return values.Value(term, things=(values.Module(found),), certain=True)
            case Declared():
                return self._convert_declaration(found)
            case TypeMember():
                return self._find_member(found)

    def _convert_declaration(self, found: Declared) -> values.Value | None:
        match found.kind:
            case "fn":
                return self._find_functions(((found.path, found.node),))
            case "const":
                return self._get_constant(found.path, found.node)
            case "struct" | "enum" | "trait":
                return _build_class(build_class(found))
            case "type":
                target = self.scopes.resolve_alias(found)
                return self.convert_meaning(target) if target is not None else None
        return None

    def _find_member(self, found: TypeMember) -> values.Value | None:
        if found.name in self.scopes.map_variants(found.of):
            return _build_class(build_class(found.of, found.name))
        given = self.impls.find_members(found.of, found.name)
        if not given and found.name == "default":
            return self._get_derived_default(found.of)
        if not given and found.name == "deserialize":
            return build_library("serde.Deserialize.deserialize")
        if given and given[0][1].type == "const_item":
            return self._get_constant(*given[0])
        return self._find_functions(given)

    def _get_derived_default(self, declared: Declared) -> values.Value:
        """Return the derived default of a type: an object of the type, or the marked variant."""
        for name, node in self.scopes.map_variants(declared).items():
            if attributes.find_named(attributes.read_before(node), "default") is not None:
                return _build_class(build_class(declared, name))
        return _build_class(build_class(declared))

    def find_receiver_class(self, code: ir.Code) -> None:
        """Return None: the type of a receiver is written."""

    def is_as_written(self, code: ir.Code) -> bool:
        """Return False: the compiler has looked at calls."""
        return False

    def lacks(self, made: values.Class, name: str) -> bool:
        """Return False: the compiler has looked at fields and methods."""
        return False

    def find_surroundings(self, code: ir.Code) -> dict[ir.Variable, values.Value]:
        """Return nothing: declarations are not evaluated."""
        return {}

    def find_variant_name(self, made: values.Class) -> str | None:
        """Return serde's name of a variant without values; None for anything else."""
        declared = made.handle
        node = self.scopes.map_variants(declared).get(made.variant) if isinstance(declared, Declared) else None
        if not isinstance(declared, Declared) or node is None or find_child(node, "body") is not None:
            return None
        read = read_marks(self._folder, declared.path, declared.node)
        return str(name_of(node, read.read_inner(node), read.read_string("rename_all"), variant=True))

    def _find_functions(self, given: tuple[tuple[str, Node], ...]) -> values.Value | None:
        if not given:
            return None
        things = tuple(values.Function(self.find_code_at(path, node)) for path, node in given)
        term = ("global", *((path, node.start_byte) for path, node in given))
        return values.Value(term, things=things, certain=len(given) == 1)

    def _get_constant(self, path: str, node: Node) -> values.Value:
        """Return the value of a constant: the result of its expression.

        For a `static mut` it is any value written to it.
        """
        key = (path, node.start_byte)
        if key not in self._constants:
            term = ("global", *key)
            written, is_changing = (
                find_child(node, "value"),
                any(each.type == "mutable_specifier" for each in node.children),
            )
            self._constants[key] = build_unknown(ITSELF, term)
            if written is None or is_changing:
                made = type_named(self.scopes, find_child(node, "type"), self.scopes.place_of(path, node))
                self._constants[key] = build_unknown("only a run tells", term)._replace(things=(made,) if made else ())
            else:
                code = lower_constant(self.items.sources[path], written, decode_node(find_child(node, "name") or node))
                kind = find_child(node, "type")
                code.returns = ir.TypeName(ir.Site(*kind.byte_range), decode_node(kind)) if kind is not None else None
                self._constants[key] = Interpreter(self, summaries=self.summaries).evaluate_constant(code, term)
        return self._constants[key]

    def find_member(self, owner: values.Thing, name: str) -> values.Value | None:
        """Return the member of a module or a type; a variant on which a method is called is its own object."""
        match owner:
            case values.Module(handle=RustModule() as module):
                found = self.scopes.resolve_in_module(module, name)
                return self.convert_meaning(found) if found is not None else None
            case values.Class(handle=Declared() as declared):
                key = (owner, name)
                if key not in self._members:
                    self._members[key] = self._find_member_of(owner, declared, name)
                return self._members[key]
        return None

    def _find_member_of(self, owner: values.Class, declared: Declared, name: str) -> values.Value | None:
        given = self.impls.find_members(declared, name)
        if (
            not given
            and name == "default"
            and "Default" in attributes.collect_derived_traits(attributes.read_before(declared.node))
        ):
            return self._get_derived_default(declared)
        method = self._find_functions(given or self._find_sole_conversion(declared, name))
        return _bound(method, _build_class(owner)) if method is not None else None

    def list_functions(self, owner: values.Thing) -> tuple[str, ...]:
        """Return nothing: Rust looks up no function by a text."""
        return ()

    def find_method(self, owner: values.Instance, name: str) -> values.Value | None:
        """Return the method of an object; it may have the same name as a field. None if there is none."""
        declared = owner.of.handle if isinstance(owner.of, values.Class) else None
        if not isinstance(declared, Declared):
            return None
        key = (declared, name)
        if key not in self._methods:
            given = self.impls.find_members(declared, name)
            self._methods[key] = self._find_functions(given or self._find_sole_conversion(declared, name))
        return self._methods[key]

    def _find_sole_conversion(self, declared: Declared, name: str) -> tuple[tuple[str, Node], ...]:
        """Return the conversion of an object by `into`, if the project has one for a single type only."""
        found = self.impls.find_conversions(declared, name)
        return found if len(found) == 1 else ()

    def find_replacement(self, path: str) -> values.Value | None:
        """Return None: no library is looked through for what the project writes there."""
        return None

    def find_extension(self, name: str, of: values.Library | None) -> values.Value | None:
        """Return the methods of a name that traits of the project give to a type that is not of the project, or to any."""
        key = (name, of)
        if key not in self._extensions:
            outside = Outside(tuple(of.path.split("."))) if of is not None else None
            self._extensions[key] = self._find_functions(self.impls.find_extensions(name, outside))
        return self._extensions[key]

    def find_setter(self, owner: values.Instance, name: str) -> None:
        """Return None: a field holds what is written there."""

    def resolve_type(self, written: ir.TypeName, code: ir.Code) -> values.Instance | None:
        """Return an object of the type that a written type names."""
        key = (code.source.path, written.at)
        if key not in self._types:
            place = self._place(code)
            self._types[key] = None
            if place is not None:
                node = self.items.parse_root(place.path).descendant_for_byte_range(written.at.start, written.at.end)
                if node is not None and node.type == "self":
                    node = node.parent  # a parameter that is nothing but the name
                self._types[key] = type_named(self.scopes, node, place)
        return self._types[key]

    def find_conversion(self, reason: values.Instance, error: ir.TypeName, code: ir.Code) -> values.Value | None:
        """Return the `from` by which `?` makes an error of the function's type of another."""
        wanted = self.resolve_type(error, code)
        if wanted is None or wanted.of == reason.of:
            return None
        key = (reason.of, wanted.of)
        of = reason.of.handle if isinstance(reason.of, values.Class) else Outside(tuple(reason.of.path.split(".")))
        if key not in self._conversions and isinstance(of, Declared | Outside):
            found = [
                (path, node)
                for path, node, kind in self.impls.iter_conversions(of, "into")
                if (made := type_named(self.scopes, kind, self.scopes.place_of(path, node))) and made.of == wanted.of
            ]
            self._conversions[key] = self._find_functions(tuple(found)) if len(found) == 1 else None
        return self._conversions.get(key)

    def find_parents(self, kind: "values.Class | values.Library") -> "tuple[values.Class | values.Library, ...]":
        """Return nothing: a type is no subtype of another."""
        return ()

    def find_constructor(self, made: values.Class) -> ir.Code | None:
        """Return None: arguments become the fields of a tuple struct or a variant."""
        return None

    def find_post_initializer(self, made: values.Class) -> ir.Code | None:
        """Return None: nothing runs where an object is written out."""
        return None

    def find_member_field(self, made: values.Class) -> str | None:
        """Return None: a variant is written out, and not looked up by a call."""
        return None

    def find_destructor(self, made: values.Class) -> values.Value | None:
        """Return the `drop` of a type, None if it has none."""
        declared = made.handle
        if not isinstance(declared, Declared):
            return None
        if declared not in self._destructors:
            gives = self.impls.gives(declared, "Drop")
            self._destructors[declared] = (
                self._find_functions(self.impls.find_members(declared, "drop")) if gives else None
            )
        return self._destructors[declared]

    def find_modules_naming(self, name: str) -> tuple[ir.Code, ...]:
        """Return nothing: nothing runs when a module is loaded."""
        return ()

    def keeps_lock(self, lock: str, code: ir.Code) -> bool:
        """Return whether the compiler lets code wait that holds a lock: it, or the lock, need not stay on one thread."""
        return sending.is_local(self.items, code.source.path, code.at) or (
            lock.startswith("parking_lot.") and sending.sends_guards(self.items, code.source.path)
        )

    def list_fields(self, made: values.Class) -> tuple[str, ...]:
        """Return the names of the fields of a struct or a variant; those of a tuple are numbers."""
        return tuple(self._map_field_types(made))

    def list_unwritten_fields(self, made: values.Class) -> frozenset[str]:
        """Return the fields that serde is told to skip where it writes a struct or a variant."""
        declared = made.handle
        if not isinstance(declared, Declared):
            return frozenset()
        if made not in self._unwritten:
            node = self.scopes.map_variants(declared).get(made.variant) if made.variant else declared.node
            body = find_child(node, "body")
            parts = body.named_children if body is not None else []
            own = [each for each in parts if each.type == "field_declaration"]
            read = [(each, read_marks(self._folder, declared.path, each, written=True)) for each in own]
            self._unwritten[made] = frozenset(_get_field_name(each) for each, found in read if found.is_left_out)
        return self._unwritten[made]

    def _map_field_types(self, made: values.Class) -> Mapping[str, Node]:
        """Return the types of the fields of a struct or a variant, by name or number."""
        if made not in self._declared_fields:
            declared = made.handle
            node = declared.node if isinstance(declared, Declared) else None
            if isinstance(declared, Declared) and made.variant:
                node = self.scopes.map_variants(declared).get(made.variant)
            self._declared_fields[made] = _collect_declared_fields(node)
        return self._declared_fields[made]

    def _collect_declarations(self, made: values.Class, name: str) -> list[Node]:
        """Return the types of a field as they are written: of each variant that has it, where it is not known which one it is."""
        declared = made.handle
        made_of = [made]
        if isinstance(declared, Declared) and not made.variant:
            made_of += [build_class(declared, variant) for variant in self.scopes.map_variants(declared)]
        return [kind for each in made_of if (kind := self._map_field_types(each).get(name)) is not None]

    def find_default(self, made: values.Class, name: str) -> values.Value | None:
        """Return the value of a field in the derived default of a struct."""
        kind = self._map_field_types(made).get(name)
        written = decode_node(kind).replace(" ", "") if kind is not None and not made.variant else ""
        if NUMBER.fullmatch(written):
            return build_constant(0.0 if written.startswith("f") else 0)
        if written == "bool":
            return build_constant(False)
        if written in ("String", "&str", "&'staticstr"):
            return build_constant("")
        return build_constant(None) if written.startswith("Option<") else self._find_default_of(made, name)

    def _find_default_of(self, made: values.Class, name: str) -> values.Value | None:
        """Return the marked variant of the enum that a field is, None if it is none."""
        kind = self.resolve_field_type(values.Instance(made), name)
        declared = kind.of.handle if kind is not None and isinstance(kind.of, values.Class) else None
        is_enum = isinstance(declared, Declared) and declared.kind == "enum"
        return self._get_derived_default(declared) if isinstance(declared, Declared) and is_enum else None

    def join_rewrites(self, made: values.Class, name: str, value: values.Value) -> values.Value:
        """Return the value: what calls share and change lies in a cell, of which a run knows nothing."""
        return value

    def resolve_field_type(self, owner: values.Instance, name: str) -> values.Instance | None:
        """Return the declared type of a field. What `State` and its like hold is they themselves, and so is their field 0."""
        declared = owner.of.handle if isinstance(owner.of, values.Class) else None
        if name == "0" and (isinstance(owner.of, values.Library) or name not in self._map_field_types(owner.of)):
            return owner if not isinstance(declared, Declared) or declared.kind != "enum" else None
        if not isinstance(owner.of, values.Class) or not isinstance(declared, Declared):
            return None
        key = (owner.of, name)
        if key not in self._field_types:
            place = self.scopes.place_of(declared.path, declared.node)
            written = self._collect_declarations(owner.of, name)
            found = {type_named(self.scopes, each, place) or self._find_bound_type(declared, each) for each in written}
            self._field_types[key] = found.pop() if len(found) == 1 else None
        return self._field_types[key]

    def find_field_functions(self, owner: values.Instance, name: str) -> values.Value | None:
        """Return the functions that a field of a struct holds, alone or in a table, where one place alone makes its objects."""
        declared = owner.of.handle if isinstance(owner.of, values.Class) else None
        if not isinstance(owner.of, values.Class) or not isinstance(declared, Declared) or owner.of.variant:
            return None
        key = (owner.of, name)
        if key not in self._kept:
            self._kept[key] = None  # while it is run
            kind = self.resolve_field_type(owner, name)
            if kind is not None and isinstance(kind.of, values.Class):
                return None  # what its own fields hold is asked of these
            written = self._map_field_types(owner.of).get(name)
            if written is not None and kept.holds_functions(self.items, written, declared.path):
                self._kept[key] = self._find_held_value(owner.of, declared, name)
        return self._kept[key]

    def _find_held_value(self, made: values.Class, declared: Declared, name: str) -> values.Value | None:
        codes = [self.find_code_at(each.path, each.node) for each in kept.iter_makers(self.items, declared)]
        above = [each for code in codes for each in kept.iter_maker_callers(self.items, code, declared)]
        for these in (
            codes,
            [self.find_code_at(each.path, each.node) for each in above],
        ):  # what makes it may fill it later
            found = [each for code in these if (each := self._put_by(code, made, name)) is not None]
            if found:
                return found[0] if len(found) == 1 else None
        return None

    def _put_by(self, code: ir.Code, made: values.Class, name: str) -> values.Value | None:
        result, after = Interpreter(self, summaries=self.summaries).run_to_end(code)
        found = kept.find_held_value(made, name, result, after) if after is not None else None
        return capture_value(found, after, ("kept", made, name)) if found is not None and after is not None else None

    def _find_bound_type(self, declared: Declared, written: Node) -> values.Instance | None:
        """Return an object of the trait that a type parameter of a type has, where the type or a block of it says one."""
        names = list(iter_type_parameters(declared.node))
        name = decode_node(written)
        if name not in names:
            return None
        for path, block, called in (
            (declared.path, declared.node, name),
            *self.impls.iter_parameter_names(declared, names.index(name)),
        ):
            bound = collect_bounds(block).get(called)
            if bound is not None:
                return type_named(self.scopes, bound, self.scopes.place_of(path, block))
        return None

    def checks(self, made: values.Class, name: str) -> bool:
        """Return False: code that is derived reads any value of the field's type."""
        return False

    def find_injected(self, name: str) -> None:
        """Return None: a server is the object whose methods its tools are."""

    def find_entry_names(self, made: values.Class) -> Mapping[str, tuple[Text, ...]] | None:
        """Return the names under which serde reads the fields of a struct, None where no derived code reads them."""
        declared = made.handle
        if not isinstance(declared, Declared) or declared.kind != "struct" or made.variant:
            return None
        if declared not in self._entries:
            self._entries[declared] = self._read_entries(declared)
        return self._entries[declared]

    def _read_entries(self, declared: Declared) -> Mapping[str, tuple[Text, ...]] | None:
        body, read = find_child(declared.node, "body"), read_marks(self._folder, declared.path, declared.node)
        is_listed = body is not None and body.type == "field_declaration_list"
        if body is None or not is_listed or read.has(*ELSEWISE) or self.impls.gives(declared, "Deserialize"):
            return None
        found = iter_members(body, read, {}, read.read_string("rename_all"))
        return {
            _get_field_name(each.node): () if each.is_flat else (each.name, *each.read.read_texts("alias"))
            for each in found
        }


def _get_field_name(declaration: Node) -> str:
    return decode_node(find_child(declaration, "name") or declaration).removeprefix("r#")


def _build_class(made: values.Class) -> values.Value:
    return values.Value(("global", made), things=(made,), certain=True)


def _bound(method: values.Value, owner: values.Value) -> values.Value:
    things = tuple(values.Function(each.code, owner) for each in method.things if isinstance(each, values.Function))
    return values.Value(("method", owner.term, method.term), things=things, certain=method.certain)


def _collect_declared_fields(node: Node | None) -> Mapping[str, Node]:
    """Return the types of the fields of a struct or a variant as they are written, by name or number."""
    body = find_child(node, "body")
    if body is None:
        return {}
    if body.type == "ordered_field_declaration_list":
        return {str(place): each for place, each in enumerate(body.children_by_field_name("type"))}
    parts = [(find_child(each, "name"), find_child(each, "type")) for each in body.named_children]
    return {decode_node(name).removeprefix("r#"): kind for name, kind in parts if name is not None and kind is not None}


def _limit(path: tuple[str, ...]) -> int | None:
    """Return the least or the greatest number of a type: `std::u32::MAX`."""
    if len(path) != 3 or path[0] != "std" or path[2] not in ("MAX", "MIN") or path[1][1:] not in WIDTHS:
        return None
    bits, is_signed = WIDTHS[path[1][1:]], path[1][:1] == "i"
    if path[1][:1] not in ("u", "i"):
        return None
    if path[2] == "MIN":
        return -(1 << (bits - 1)) if is_signed else 0
    return (1 << (bits - is_signed)) - 1
