"""How exceptions become answers: the classes that a mapping knows, the codes it gives, what it says of an unknown one."""

from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from reviewer.facts import ErrorMapping, ExceptionType, IssueCode, Server
from reviewer.languages.nodes import child, children, of_kinds, parent_of, string_of
from reviewer.languages.python.behaviour.exits import returned
from reviewer.languages.python.behaviour.following import below, own, scope
from reviewer.languages.python.behaviour.isolation import is_broad, place_at
from reviewer.languages.python.behaviour.rescues import answers_of
from reviewer.languages.python.behaviour.responses.catching import Clause, clauses, is_catching
from reviewer.languages.python.behaviour.responses.faults import faults
from reviewer.languages.python.behaviour.responses.mapped import (
    BROAD,
    BUILTIN,
    Unit,
    is_exception,
    narrowing,
    units,
)
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.functions import fields
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.names import is_enum
from reviewer.languages.python.values import Class, Const, External, Instance, Items, Mapping, Unknown, Value, bare
from reviewer.source import Span, Text

BRANCHES = frozenset({"if_statement", "elif_clause", "case_clause", *("except_clause", "except_group_clause"), "pair"})
DEEPEST = 4


def mappings(run: Evaluator, servers: tuple[Server, ...]) -> Iterator[ErrorMapping]:
    """Give what each error decorator over a tool does with what it catches."""
    handlers = [tool.handler for server in servers for tool in server.tools if tool.handler is not None]
    laid = [each for handler in handlers for each in handler.wrappers]
    for span in dict.fromkeys(each.definition for each in laid if each.catches and each.definition is not None):
        place = place_at(run, span)
        caught = clauses(run, place) if place is not None else []
        if is_catching(caught):
            yield replace(_mapping(run, span, units(run, caught)), leak=_leak(run, caught))


def _mapping(run: Evaluator, decorator: Span, found: list[Unit]) -> ErrorMapping:
    telling = next((each for each in found if each.is_function and each.broad), found[0])
    known = _Known(run, found)
    name = telling.name
    return ErrorMapping(
        name=Text(string_of(name), telling.module.span(name)),
        span=telling.module.span(telling.node),
        decorator=decorator,
        covered=known.covered(),
        exceptions=tuple(known.exceptions()),
        codes=tuple(known.issue_codes()),
        faults=tuple(each for unit in found for each in faults(run, unit)),
        envelope=next(
            (names for unit in found if not unit.is_function and (names := _envelope(run, unit))), frozenset()
        ),
        coded=any(b"code" in (unit.node.text or b"").lower() for unit in found),
    )


def _leak(run: Evaluator, caught: list[Clause]) -> Text | None:
    """Give the expression by which the text of any exception is in what clauses answer."""
    broad = (answers_of(run, each) for each in caught if is_broad(each.node))
    texts = (each.text(of_any=True) for each in broad if each is not None)
    return next((each for each in texts if each is not None), None)


def _envelope(run: Evaluator, unit: Unit) -> frozenset[str]:
    """Name the fields of the object of the project that a clause answers with."""
    for value in returned(unit.node):
        made = child(value, "function") if value.type == "call" else None
        head = child(made, "value") if made is not None and made.type == "subscript" else made
        cls = run.value(head, unit.scope) if head is not None and "(" not in string_of(head) else None
        if isinstance(cls, Class):
            return frozenset(part.name for each in cls.lineage() for part in fields(each)) - {"model_config"}
    return frozenset()


class _Known:
    """What the units of one mapping name: exception classes, each with the codes that its branch gives, and sets of codes."""

    def __init__(self, run: Evaluator, found: list[Unit]) -> None:
        self.run = run
        self.units = found
        self.handled: dict[str, set[str]] = {}
        self.classes: list[Class] = []
        self.sets: dict[int, Class] = {}
        self.read: set[str] = set()
        for unit in found:
            for kind in unit.kinds:
                self._name(self.run.value(kind, unit.scope), self._codes(unit.node, unit))
            for node in below(unit.node):
                self._look(node, unit)
        self.fallback = {code for unit in found if unit.broad for code in self._fallback(unit)}

    def _look(self, node: Node, unit: Unit) -> None:
        if node.type == "attribute":
            self._code(node, unit)
            if string_of(child(node, "object") or node) == unit.caught:
                self.read.add(string_of(child(node, "attribute") or node))
        if node.type == "string" and (said := string_value(node)) is not None:
            self._name(Const(said, unit.module.span(node)), self._branch(node, unit))
        if node.type not in ("identifier", "attribute") or _is_made(node) or "(" in string_of(node):
            return
        value = self.run.value(node, unit.scope)
        if node.parent is not None and node.parent.type == "attribute" and not isinstance(value, Items | Mapping):
            return
        if isinstance(value, Unknown) and string_of(node) in BUILTIN:
            value = External(f"builtins.{string_of(node)}", value.span)
        if isinstance(value, Class | External | Items | Mapping):
            self._name(value, self._branch(node, unit))

    def _name(self, value: Value, codes: set[str], depth: int = 0) -> None:
        """Note the exception classes that a value is, or holds."""
        match value:
            case Class() if is_exception(value):
                self.classes.append(value)
                self.handled.setdefault(value.name, set()).update(codes)
            case Const(str() as said) if said not in BROAD and (
                said in BUILTIN or said.endswith(("Error", "Exception"))
            ):
                self.handled.setdefault(said, set()).update(codes)  # by its name
            case External() if value.name not in BROAD and value.name.endswith(("Error", "Exception", *BUILTIN)):
                self.handled.setdefault(value.name, set()).update(codes)
            case Items() if depth < DEEPEST:
                inner = codes | {code for each in value.items for code in self._of_value(bare(each))}
                for each in value.items:
                    self._name(bare(each), inner, depth + 1)
            case Mapping() if depth < DEEPEST:
                for key, held in value.entries:
                    self._name(bare(key), codes | self._of_value(bare(held)), depth + 1)

    def _of_value(self, value: Value) -> set[str]:
        """Give the code that a value of a table is, or holds."""
        if isinstance(value, Items):
            return {code for each in value.items for code in self._of_value(bare(each))}
        if isinstance(value, Instance) and isinstance(value.made_by, Class) and is_enum(value.made_by):
            self.sets[id(value.made_by)] = value.made_by
            name = value.attributes.get("name")
            return {str(name.value)} if isinstance(name, Const) else set()
        return {value.value} if isinstance(value, Const) and isinstance(value.value, str) else set()

    def _branch(self, node: Node, unit: Unit) -> set[str]:
        """Give the codes of the branch that is taken for a class which is named in its test."""
        inner, current = node, node.parent
        while current is not None and inner != unit.node:
            if current.type in BRANCHES and inner.type != "block":
                body = child(current, "consequence") or child(current, "value") or current
                return self._codes(body, unit)
            inner, current = current, parent_of(current)
        return set()

    def _codes(self, node: Node, unit: Unit) -> set[str]:
        return {code for each in below(node) if each.type == "attribute" and (code := self._code(each, unit))}

    def _code(self, node: Node, unit: Unit) -> str | None:
        """Give the member of a set of codes that an attribute is."""
        on, name = child(node, "object"), string_of(child(node, "attribute") or node)
        if on is None or on.type not in ("identifier", "attribute") or "(" in string_of(on):
            return None
        value = self.run.value(on, unit.scope)
        if isinstance(value, Class) and name in value.names and (is_enum(value) or _is_listing(value)):
            self.sets[id(value)] = value
            return name
        return None

    def _fallback(self, unit: Unit) -> set[str]:
        """Give the codes that a unit gives where it asks for no class."""
        body = child(unit.node, "body") or unit.node
        return {code for value in returned(body) if narrowing(value, unit) is None for code in self._codes(value, unit)}

    def covered(self) -> frozenset[str]:
        """Name the classes that have a branch, with all that descend from them."""
        names = set(self.handled)
        below_these = tuple(BUILTIN[name] for name in names if name in BUILTIN)
        names |= {name for name, each in BUILTIN.items() if issubclass(each, below_these)} if below_these else set()
        return frozenset(names | {cls.name for cls in self._exceptions() if self._nearest(cls, names) is not None})

    def _nearest(self, cls: Class, names: set[str]) -> str | None:
        """Name the nearest ancestor that has a branch, or the class itself."""
        outer = [base.rpartition(".")[2] for base in cls.outer_bases()]
        lineage = [*(each.name for each in cls.lineage()), *outer]
        return next((name for name in lineage if name in names and name not in BROAD), None)

    def _exceptions(self) -> list[Class]:
        for module in own(self.run, b"Error)", b"Exception)", b"Error,", b"Exception,"):
            scope(self.run, module)
        return [cls for cls in self.run.classes if is_exception(cls)]

    def exceptions(self) -> Iterator[ExceptionType]:
        """Give the exception classes of the project."""
        seen: set[Span] = set()
        for cls in self._exceptions():
            at = child(cls.node, "name") or cls.node
            span = cls.scope.module.span(at)
            if span not in seen:
                seen.add(span)
                yield ExceptionType(Text(cls.name, span), self._is_mapped(cls), self._is_raised(cls))

    def _is_mapped(self, cls: Class) -> bool:
        """Tell whether a class has an answer that an unknown exception has not, or brings one with it."""
        nearest = self._nearest(cls, set(self.handled))
        own_codes = self.handled.get(nearest or "", set())
        if nearest is not None and (nearest == cls.name or not own_codes or own_codes - self.fallback):
            return True
        carried = [name for name in self.read if name in ("code", "issue", "kind") or "code" in name]
        text = b"".join(each.node.text or b"" for each in cls.lineage())
        return any(name.encode() in text for name in carried)

    def _is_raised(self, cls: Class) -> bool:
        for module in own(self.run, cls.name.encode()):
            for each in of_kinds(module.root, "python", "call", "raise_statement"):
                head = child(each, "function") if each.type == "call" else next(iter(children(each)), None)
                if head is not None and string_of(head).rpartition(".")[2] == cls.name:
                    return True
        return False

    def issue_codes(self) -> Iterator[IssueCode]:
        """Give the members of the sets of codes that the mapping uses."""
        for cls in self.sets.values():
            given = self._given(cls)
            for name, value in cls.names.items():
                if not name.startswith("_") and isinstance(value, Const | Instance):
                    yield IssueCode(Text(name, value.span), given is None or name in given)

    def _given(self, cls: Class) -> set[str] | None:
        """Name the members that some code gives; None if a run decides it."""
        found: set[str] = set()
        for module in own(self.run, cls.name.encode(), *(name.encode() for name in cls.names)):
            for each in of_kinds(module.root, "python", "attribute", "call", "subscript", "string", "for_statement"):
                if _inside(each, cls, module.path):
                    continue
                if each.type == "string":
                    found |= _by_text(each, cls)
                elif each.type == "attribute":
                    compared = each.parent is not None and each.parent.type == "comparison_operator"
                    found |= set() if compared else {string_of(child(each, "attribute") or each)}
                elif _looks_up(each, cls):
                    return None
        return found


def _is_made(node: Node) -> bool:
    """Tell whether a class is only made there, or stands in an annotation."""
    above = node.parent
    if above is None or (above.type in ("type", "keyword_argument") and child(above, "name") == node):
        return True
    return above.type == "call" and child(above, "function") == node


def _is_listing(cls: Class) -> bool:
    """Tell whether a class holds constant texts and nothing else."""
    values = [each for name, each in cls.names.items() if not name.startswith("__")]
    return bool(values) and all(isinstance(each, Const) and isinstance(each.value, str) for each in values)


def _inside(node: Node, cls: Class, path: str) -> bool:
    return path == cls.scope.module.path and cls.node.start_byte <= node.start_byte < cls.node.end_byte


def _by_text(node: Node, cls: Class) -> set[str]:
    """Name the members whose text a string is, docstrings left out."""
    if node.parent is not None and node.parent.type == "expression_statement":
        return set()
    said = string_of(node).strip("\"'")
    return {name for name, value in cls.names.items() if isinstance(value, Const) and value.value == said}


def _looks_up(node: Node, cls: Class) -> bool:
    """Tell whether members are looked up: `Code(x)`, `Code[x]`, `getattr(Code, x)`, `for code in Code`."""
    if node.type == "for_statement":
        return string_of(child(node, "right") or node).rpartition(".")[2] == cls.name
    head = child(node, "function") or child(node, "value") or node
    if string_of(head).rpartition(".")[2] == cls.name:
        return True
    return node.type == "call" and string_of(head) == "getattr" and f"({cls.name}," in string_of(node)
