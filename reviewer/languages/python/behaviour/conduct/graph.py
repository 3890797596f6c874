"""The functions of the project that a tool's code runs through, two calls deep, with the calls that lead there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from tree_sitter import Node

from reviewer.facts import ActKind
from reviewer.languages.nodes import around, child, children, of_kinds, string_of
from reviewer.languages.python.behaviour.conduct.constants import NOTHING, Known, constant, excludes, steady
from reviewer.languages.python.behaviour.conduct.origins import class_of, names_at, path_of
from reviewer.languages.python.behaviour.following import Place, arguments, callee, enclosing, receiver
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.functions import signature
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Class, Function, Scope
from reviewer.source import Text

DEPTH = 2
"""How many calls into the project are followed."""

VARIANTS = 4
"""With how many different constants one function is looked at before it is with none."""

LARGEST = 60_000
"""Bytes. A larger function was made by a program, and is not read: the time for it grows with the square of its size."""

INNER = frozenset({"function_definition", "lambda", "class_definition"})
TO_THREADS = {
    "to_thread": 0,
    "run_sync": 0,
    "submit": 0,
    "run_in_threadpool": 0,
    "run_in_executor": 1,
    "Thread": -1,
    "partial": 0,
}
"""What runs a function that it is handed in a thread, with the position of the function; -1 is the keyword `target`."""
ON_LOOP = {"start_soon": 0, "start": 0, "call_soon": 0, "call_later": 1, "map": 0}
"""What runs it where it is called itself."""
PLAIN = frozenset(
    "staticmethod classmethod property cached_property cache lru_cache abstractmethod override wraps retry tool".split()
)
"""Decorators of helpers that leave them on the thread of their caller."""


@dataclass(frozen=True, eq=False)
class Call:
    """A call as it takes place: also of a function that is handed to what calls it, as `to_thread(os.remove, path)` does."""

    node: Node
    function: Node
    positional: list[Node]
    keywords: dict[str, Node]
    in_thread: bool = False

    @property
    def name(self) -> str:
        """The last name of what is called."""
        last = child(self.function, "attribute") or self.function
        return string_of(last) if last.type == "identifier" else ""

    def is_named(self, names: frozenset[str]) -> bool:
        """Tell whether what is called may have one of some names; a plain name may stand for anything."""
        return self.function.type == "identifier" or self.name in names

    def argument(self, name: str, position: int) -> Node | None:
        """Give an argument by its name or its position."""
        found = self.keywords.get(name)
        return found if found is not None or position >= len(self.positional) else self.positional[position]


@dataclass(eq=False)
class Unit:
    """The code of one function, or of one branch of it, without the functions that it defines."""

    run: Evaluator
    module: Module
    body: Node
    deeds: "dict[Finder, list[Deed]]" = field(default_factory=dict)
    """What it does, by what looked for it."""

    _paths: dict[int, str] = field(default_factory=dict)
    """The paths of its nodes, by their identity: the tree that they are of lives as long as the unit."""

    @cached_property
    def within(self) -> Scope:
        """The names that hold in it."""
        return names_at(self.run, self.module, self.body)

    @cached_property
    def function(self) -> Node | None:
        """The function that it is, or lies in."""
        return enclosing(self.body)

    @property
    def is_async(self) -> bool:
        """Whether the function is a coroutine."""
        return self.function is not None and self.function.children[0].type == "async"

    @cached_property
    def text(self) -> bytes:
        """Its source."""
        return self.body.text or b""

    def nodes(self, *kinds: str) -> list[Node]:
        """Give its nodes of some kinds in order, without those in functions and classes that it defines."""
        return [each for each in of_kinds(self.body, "python", *kinds) if self.holds(each)]

    def holds(self, node: Node) -> bool:
        """Tell whether a node runs where the unit runs, and not in a function within."""
        for above in around(node):
            if above.id == self.body.id:
                break
            if above.type in INNER and not (above.type == "lambda" and above.id in self._handed):
                return False
        return True

    @cached_property
    def _handed(self) -> set[int]:
        """The lambdas that are handed to what calls them."""
        return {each.id for each in of_kinds(self.body, "python", "lambda") if _taker(each) is not None}

    @cached_property
    def calls(self) -> list[Call]:
        """The calls in it, in order."""
        return [made for node in self.nodes("call") for made in _calls(node)]

    def path(self, node: Node | None) -> str:
        """Give the dotted path of what an expression is from outside the project, empty if it is nothing."""
        if node is None:
            return ""
        if node.id not in self._paths:
            self._paths[node.id] = path_of(self.run, node, self.within)
        return self._paths[node.id]

    def text_of(self, node: Node) -> Text:
        """Give a node's source with its place."""
        return Text(string_of(node), self.module.span(node))


class Deed(NamedTuple):
    """Something that a unit does; `about` is a second place of it."""

    kind: ActKind
    node: Node
    about: Text | None = None


Finder = Callable[[Unit], Iterator[Deed]]
"""Finds the deeds of some kinds in a unit."""


class Way(NamedTuple):
    """A unit, and the calls that lead there; `on_loop` tells that it runs on the thread of the event loop."""

    unit: Unit
    through: tuple[tuple[Unit, Call], ...] = ()
    on_loop: bool = False
    known: Known = NOTHING

    def comes_to(self, node: Node) -> bool:
        """Tell whether nothing that the calls hand over keeps the unit from a node in it."""
        return not excludes(self.known, node, self.unit.body)


def unit_at(run: Evaluator, module: Module, body: Node) -> Unit:
    """Give the unit of a block, the same each time."""
    key = (module.path, body.start_byte)
    if key not in run.done:
        run.done[key] = Unit(run, module, body)
    found = run.done[key]
    assert isinstance(found, Unit)
    return found


def ways(start: Unit) -> Iterator[Way]:
    """Give a unit and what it calls, nearest first, each once, or with each of the constants that it is handed."""
    seen: dict[tuple[str, int], list[Known]] = {(start.module.path, start.body.start_byte): [{}]}
    waiting = [Way(start, (), start.is_async)]
    while waiting:
        way = waiting.pop(0)
        yield way
        if len(way.through) >= DEPTH or len(way.unit.text) > LARGEST:
            continue
        for call in way.unit.calls:
            place = target(way.unit, call) if way.comes_to(call.node) else None
            body = child(place.node, "body") if place is not None else None
            if place is None or body is None:
                continue
            known = handed_over(call, place, way.known)
            before = seen.setdefault((place.module.path, body.start_byte), [])
            known = known if len(before) < VARIANTS else {}
            if any(each.items() <= known.items() for each in before):
                continue  # the same, or one that less is known of
            before.append(known)
            inner = unit_at(way.unit.run, place.module, body)
            stays = way.on_loop and not call.in_thread and (inner.is_async or _is_direct(place.node, call))
            waiting.append(Way(inner, (*way.through, (way.unit, call)), stays, known))


def handed_over(call: Call, place: Place, known: Known) -> Known:
    """Give the constants that a call hands to a function, and the defaults that it leaves."""
    function = place.function or Function("", place.node, Scope(place.module))
    parts = [part for part in signature(function) if part.name not in ("self", "cls")]
    by_place = [part.name for part in parts if part.kind in ("positional-only", "normal")]
    if len(call.positional) > len(by_place):
        return {}  # it takes the rest as they come, or the object first: `Kiln.fire(kiln, True)`
    splat = next((at for at, part in enumerate(call.positional) if part.type.endswith("splat")), None)
    given = dict(zip(by_place, call.positional[:splat], strict=False)) | call.keywords
    whole = splat is None and call.name != "partial" and "kwargs" not in given and is_plain(place.node)
    left = {part.name: part.default for part in parts if part.default is not None} if whole else {}
    said = {name: constant(node, known) for name, node in (left | given).items()}
    return steady(place.node, {name: value for name, value in said.items() if value is not None})


def _is_direct(function: Node, call: Call) -> bool:
    """Tell whether a plain function surely runs where it is called: it is not awaited, and no decorator moves it."""
    if call.node.parent is not None and call.node.parent.type == "await" and call.node == call.function.parent:
        return False
    return is_plain(function)


def is_plain(function: Node) -> bool:
    """Tell whether no decorator makes something else of a function."""
    above = function.parent
    marks = [part for part in children(above) if part.type == "decorator"] if above is not None else []
    return all(string_of(part).lstrip("@").partition("(")[0].rpartition(".")[2] in PLAIN for part in marks)


def _calls(node: Node) -> Iterator[Call]:
    """Give a call, and that of the function which it is handed and calls."""
    function = child(node, "function")
    if function is None:
        return
    positional, keywords = arguments(node)
    call = Call(node, function, positional, keywords, _in_thread(node))
    yield call
    handed = _handed(call)
    if handed is not None:
        place, in_thread = handed
        given = keywords.get("target") if place < 0 else positional[place] if place < len(positional) else None
        if given is not None and given.type in ("identifier", "attribute"):
            rest = positional[place + 1 :] if place >= 0 else _thread_arguments(keywords)
            yield replace(Call(node, given, rest, keywords), in_thread=in_thread or call.in_thread)


def _thread_arguments(keywords: dict[str, Node]) -> list[Node]:
    given = keywords.get("args")
    return children(given) if given is not None and given.type in ("tuple", "list") else []


def _handed(call: Call) -> tuple[int, bool] | None:
    if call.name in TO_THREADS:
        return TO_THREADS[call.name], True
    return (ON_LOOP[call.name], False) if call.name in ON_LOOP else None


def _taker(node: Node) -> Call | None:
    """Give the call that runs a lambda which it is handed."""
    listed = node.parent
    call = listed.parent if listed is not None and listed.type == "argument_list" else None
    function = child(call, "function")
    if call is None or function is None or call.type != "call":
        return None
    made = Call(call, function, *arguments(call))
    return made if _handed(made) is not None else None


def _in_thread(node: Node) -> bool:
    """Tell whether a call stands in a lambda that is handed to a thread."""
    above = enclosing(node, "lambda")
    taker = _taker(above) if above is not None else None
    handed = _handed(taker) if taker is not None else None
    return handed is not None and handed[1]


def target(unit: Unit, call: Call) -> Place | None:
    """Find the function of the project that a call enters."""
    key = (unit.module.path, -call.function.end_byte - 1)  # the calls of a chain begin alike
    if key not in unit.run.done:
        found = _target(unit, call)
        unit.run.done[key] = None if found is None or found.module.is_vendored else found
    known = unit.run.done[key]
    return known if isinstance(known, Place) else None


def _target(unit: Unit, call: Call) -> Place | None:
    function = call.function
    if (
        function.parent is not None
        and function.parent.type == "call"
        and child(function.parent, "function") == function
    ):
        found = callee(unit.run, function.parent, unit.within)
        if found is not None:
            return found
    elif function.type == "identifier":
        value = unit.run.lookup(string_of(function), unit.within, function)
        local = _local(string_of(function), call.node)
        if local is not None:
            return Place(local, unit.module)
        return _place(value)
    name = child(function, "attribute")
    owner = receiver(call.node) if function.parent == call.node else child(function, "object")
    if name is None or owner is None:
        return None
    cls = _own_class(unit, call.node) if string_of(owner) in ("self", "cls") else class_of(unit.run, owner, unit.within)
    return _place(cls.lookup(string_of(name))) if cls is not None else None


def _local(name: str, node: Node) -> Node | None:
    """Find a function of a name that one of the functions around a node defines."""
    unit = enclosing(node)
    while unit is not None:
        found = _defined(unit).get(name)
        if found is not None:
            return found
        unit = enclosing(unit)
    return None


@lru_cache(maxsize=128)
def _defined(unit: Node) -> dict[str, Node]:
    """Give the functions that a function defines, by name."""
    inner = (
        each for each in of_kinds(unit, "python", "function_definition") if each != unit and enclosing(each) == unit
    )
    return {string_of(child(each, "name") or each): each for each in inner}


def _own_class(unit: Unit, node: Node) -> Class | None:
    around = enclosing(node, "class_definition")
    name = child(around, "name")
    value = unit.run.lookup(string_of(name), unit.within, name) if name is not None else None
    return value if isinstance(value, Class) else None


def _place(value: object) -> Place | None:
    return Place(value.node, value.scope.module, value) if isinstance(value, Function) else None
