"""What functions put in the place of what modules made: in fields of objects and of classes, in entries of tables, and names.

A call of a tool finds there what another call left: a client that is connected by now, a flag that is set.
"""

import re
from collections.abc import Iterator
from dataclasses import field

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, iter_ancestors
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import PyClass, PyInstance, strip_conditions
from reviewer.languages.python.project.modules import PyModule
from reviewer.records import dataclass

CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__", "__attrs_post_init__", "model_post_init"})
"""Methods whose writes to their own object are part of making it."""

PUTTING = rb"[ \t]*(?:,[^\n=]*)?(?::[^=\n]*)?(?:[-+*/%&|^@]|//|\*\*|<<|>>)?=(?!=)"
"""What follows a target of an assignment, on its line; the syntax tree decides."""

# Both write a field or an entry; `del` leaves nothing that another call finds.
ASSIGNMENTS = frozenset({"assignment", "augmented_assignment"})
# Between an assignment and one of its targets there may be these: `self.a, self.b = ..`.
TUPLES = frozenset({"pattern_list", "tuple_pattern", "list_pattern"})


@dataclass(frozen=True, eq=False)
class ReplacedPart:
    """A place of a function that writes a field, an entry or a name; `given` is the expression, None if it is no single one."""

    module: "PyModule"
    target: Node
    given: Node | None


@dataclass(eq=False)
class Rewrites:
    """The writes of a project's functions, found by the name that is written when it is asked for."""

    run: Evaluator
    _fields: dict[str, list[ReplacedPart]] = field(default_factory=dict)
    _entries: dict[str, list[ReplacedPart]] = field(default_factory=dict)
    _names: dict[tuple[str, str], list[ReplacedPart]] = field(default_factory=dict)
    _of_class: dict[tuple[int, str], list[ReplacedPart]] = field(default_factory=dict)

    def find_field_writes(self, cls: PyClass, name: str) -> list[ReplacedPart]:
        """Return where functions write a field of a class or of an object of it, after it is made."""
        if name not in self._fields:
            self._fields[name] = list(self._iter_found(name, rb"\.NAME\b", "attribute"))
        key = (id(cls), name)
        if key not in self._of_class:
            self._of_class[key] = [each for each in self._fields[name] if self._may_be_of(each, cls)]
        return self._of_class[key]

    def find_table_writes(self, name: str) -> list[ReplacedPart]:
        """Return where functions write an entry of a table that the project has under a name, and do not bind the name."""
        if name not in self._entries:
            found = self._iter_found(name, rb"\bNAME[ \t]*\[[^\n=]*\]", "subscript")
            self._entries[name] = [each for each in found if not _is_local(each.target, name)]
        return self._entries[name]

    def find_name_writes(self, module: "PyModule", name: str, places: list[int]) -> list[ReplacedPart]:
        """Return where functions bind a name of a module anew; `places` are those of the statements by which it is global."""
        key = (module.path, name)
        if key not in self._names:
            found = _iter_found_in(module, name, rb"(?<![\w.])NAME\b", "identifier")
            self._names[key] = [each for each in found if _is_declared(each.target, places)]
        return self._names[key]

    def _iter_found(self, name: str, sign: bytes, kind: str) -> Iterator[ReplacedPart]:
        for module in self.run.modules.find_containing((name.encode(),)):
            if not module.is_aside:
                yield from _iter_found_in(module, name, sign, kind)

    def _may_be_of(self, write: ReplacedPart, cls: PyClass) -> bool:
        """Return whether a written field may be of an object of a class, or of the class."""
        owner = write.target.child_by_field_name("object")
        if owner is None:
            return False
        making = _find_owning_method(owner)
        if making is not None:
            method, around_it = making
            is_own = any(each.node.start_byte == around_it.start_byte for each in cls.iter_lineage())
            return is_own and method not in CONSTRUCTORS
        known = strip_conditions(self.run.evaluate(owner, self.run.evaluate_module(write.module)))
        known = known.made_by if isinstance(known, PyInstance) else known
        return not isinstance(known, PyClass) or any(each is known for each in cls.iter_lineage())


def _iter_found_in(module: "PyModule", name: str, sign: bytes, kind: str) -> Iterator[ReplacedPart]:
    """Yield the writes of a module whose target is a node of some kind and looks like that."""
    written = re.compile(sign.replace(b"NAME", re.escape(name.encode())) + PUTTING)
    for hit in written.finditer(module.source.data):
        at = hit.start() + (kind == "attribute")
        named = module.root.descendant_for_byte_range(at, at + len(name.encode()))
        if named is None:
            continue
        target = next((each for each in (named, *iter_ancestors(named)) if each.type == kind), None)
        if target is not None:
            yield from _iter_writes(module, target)


def _is_declared(target: Node, places: list[int]) -> bool:
    """Return whether the function around a name says that it is the module's."""
    function = next((each for each in iter_ancestors(target) if each.type in ("function_definition", "lambda")), None)
    return function is not None and any(function.start_byte <= place < function.end_byte for place in places)


def _iter_writes(module: "PyModule", target: Node) -> Iterator[ReplacedPart]:
    """Yield the write that a target is in, if it is one of a function."""
    above = target.parent
    is_one = above is not None and above.type in ASSIGNMENTS
    while above is not None and above.type in TUPLES:
        above = above.parent
    if above is None or above.type not in ASSIGNMENTS:
        return
    left, right = above.child_by_field_name("left"), above.child_by_field_name("right")
    if left is None or right is None or not left.start_byte <= target.start_byte < left.end_byte:
        return
    if any(each.type in ("function_definition", "lambda") for each in iter_ancestors(above)):
        yield ReplacedPart(module, target, right if is_one and above.type == "assignment" else None)


def _find_owning_method(owner: Node) -> tuple[str, Node] | None:
    """Return the method whose own object a name is, or whose class, and the definition of that class."""
    functions = [each for each in iter_ancestors(owner) if each.type == "function_definition"]
    for function in functions:
        places = (each for each in iter_ancestors(function) if each.type in ("class_definition", "function_definition"))
        above = next(places, None)
        if above is None or above.type != "class_definition":
            continue
        first = next(iter(_iter_parameters(function)), None)
        if first is not None and owner.type == "identifier" and decode_node(owner) == first:
            name = function.child_by_field_name("name")
            is_inner = function is not functions[0]  # a function in it runs later
            return ("" if is_inner or name is None else decode_node(name)), above
    return None


def _iter_parameters(function: Node) -> Iterator[str]:
    given = function.child_by_field_name("parameters")
    for each in given.named_children if given is not None else ():
        name = (
            each
            if each.type == "identifier"
            else each.child_by_field_name("name") or (each.named_children or [each])[0]
        )
        yield decode_node(name)


def _is_local(target: Node, name: str) -> bool:
    """Return whether a function around a place binds a name itself, so that it is no table of a module."""
    owner = target.child_by_field_name("value")
    while owner is not None and owner.type == "subscript":
        owner = owner.child_by_field_name("value")
    if owner is None or owner.type != "identifier":
        return False  # of a module or of an object: `self.settings[..]`
    bound = re.compile(rb"^[ \t]*%s[ \t]*(?::[^=\n]*)?=(?!=)" % re.escape(name.encode()), re.MULTILINE)
    return any(
        name in _iter_parameters(each) or bound.search(each.text or b"") is not None
        for each in iter_ancestors(target)
        if each.type == "function_definition"
    )
