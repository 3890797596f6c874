"""Which arguments a tool's code reads: of a dict that it is handed, or of the parameters of its own function."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from tree_sitter import Node

from reviewer.facts import Flag, Intake, Lazy, Omission
from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.behaviour.following import own
from reviewer.languages.python.behaviour.intake import answering
from reviewer.languages.python.behaviour.intake.frames import Code, Frame, parameters
from reviewer.languages.python.behaviour.intake.reading import Reader, Taken
from reviewer.languages.python.behaviour.intake.values import Values
from reviewer.languages.python.behaviour.sizes import decorators_of
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Function
from reviewer.source import Text

DICTS = re.compile(r"(?:Optional\[)?(?:dict|Dict|Mapping|typing\.Dict|typing\.Mapping|MutableMapping)\b.*")
NAMES = frozenset("arguments args params input tool_input tool_args tool_arguments".split())
NOTHING = re.compile(r"None$|(?:\w+\.)?Field\(\s*(?:default\s*=\s*)?(?:None|\.\.\.)\s*[,)]")
"""Defaults by which an argument is not given, and by which it must be."""

CHOSEN = re.compile(r"==\s*[\"']|[\"']\s*==")
STUBS = frozenset("pass_statement raise_statement".split())
REGISTERING = re.compile(r"@\s*(?:(?:\w+\.)+\w*tool\w*|tool)\b")
"""A decorator that only registers; any other may read arguments of its own."""

LOOKING = re.compile(rb"kwargs\s*(?:\[|\.)|(?<!\*)\bkwargs\s*[,)]|\bbind(?:_partial)?\(|signature\(|arguments")
"""Code of a decorator that looks at the arguments of what it decorates."""

HIDDEN = frozenset({"locals", "vars", "eval", "exec", "inspect"})
"""What may read a name without saying it."""


class Intakes:
    """What some code reads, found when it is first asked for."""

    @property
    def listed(self) -> Sequence[Intake]:
        """The arguments that it reads."""
        return Lazy(lambda: self._read[0])

    @property
    def followed(self) -> Flag:
        """Whether it reads no others."""
        return Flag(lambda: self._read[1])

    @property
    def omissions(self) -> Sequence[Omission]:
        """The lists that it cuts."""
        return Lazy(lambda: answering.omissions(self._frame) if self._frame is not None else ())

    @property
    def hints(self) -> Sequence[Text]:
        """What it says to a client that gets less than there is."""
        return Lazy(lambda: answering.hints(self._frame) if self._frame is not None else ())

    @cached_property
    def _frame(self) -> Frame | None:
        return None

    @cached_property
    def _read(self) -> tuple[tuple[Intake, ...], bool]:
        return (), False


class OfBlock(Intakes):
    """What a branch reads, or a function, of the dict that holds the arguments."""

    def __init__(self, run: Evaluator, module: Module, body: Node) -> None:
        self._run, self._module, self._body = run, module, body

    @cached_property
    def _frame(self) -> Frame | None:
        return Frame(self._run, self._module, self._body)

    @cached_property
    def _read(self) -> tuple[tuple[Intake, ...], bool]:
        self._run.start()
        frame = Frame(self._run, self._module, self._body)
        if frame.function is None:
            return (), False
        frame.objects = _inputs(self._run, self._module, frame.function)
        reader = Reader()
        reader.read(frame)
        body = child(frame.function, "body")
        if body is not None and body.id != self._body.id:
            beside = Frame(self._run, self._module, body, frame.objects)
            beside.code = Code(body, lambda each: not _is_chosen(each, self._body, body))
            reader.read(beside)
        found = [_intake(each, key, reader.taken) for each in reader.taken for key in each.keys]
        for typed in reader.typed:
            found += _of_parameter(typed.name, typed.name, typed.frame, given=True)
        return tuple(found), reader.followed and bool(frame.objects)


class OfFunction(Intakes):
    """What a function reads of those of its parameters that a client gives, by the `names` that clients use."""

    def __init__(self, run: Evaluator, function: Function, names: Callable[[], Mapping[str, str]]) -> None:
        self._run, self._function, self._names = run, function.original(), names
        self._is_wrapped = _is_wrapped(function)

    @cached_property
    def _frame(self) -> Frame | None:
        body = child(self._function.node, "body")
        return Frame(self._run, self._function.scope.module, body) if body is not None else None

    @cached_property
    def _read(self) -> tuple[tuple[Intake, ...], bool]:
        self._run.start()
        node, module = self._function.node, self._function.scope.module
        body = child(node, "body")
        if body is None or _is_stub(body):
            return (), False
        frame = Frame(self._run, module, body)
        found: list[Intake] = []
        names = self._names()
        for each in parameters(self._run, node, module):
            if each.name in names:
                given = each.default is not None and NOTHING.match(string_of(each.default)) is None
                key = Text(names[each.name], module.span(each.node))
                found += _of_parameter(each.name, key, frame, given=given)
        hidden = bool(frame.code.names.keys() & HIDDEN) or self._is_wrapped
        told = hidden or not self._is_bare(node) or _is_sample(body, found)
        return tuple(found), not told and not self._read_elsewhere(names.values(), found)

    def _is_bare(self, node: Node) -> bool:
        """Tell whether no decorator reads arguments of its own: each registers, or hands all on as it comes."""
        for each in children(node.parent) if node.parent is not None and decorators_of(node) else ():
            if each.type != "decorator" or REGISTERING.match(string_of(each)):
                continue
            named = children(each)[0]
            named = child(named, "function") or named if named.type == "call" else named
            meant = self._run.value(named, self._function.scope)
            code = meant.node.text or b"" if isinstance(meant, Function) else b"kwargs["
            if LOOKING.search(code):
                return False
        return True

    def _read_elsewhere(self, names: Iterable[str], found: list[Intake]) -> bool:
        """Tell whether a middleware may read an argument that the function does not."""
        read = {str(each.name) for each in found}
        unread = [name.encode() for name in names if name not in read and not (name.islower() and name.isalpha())]
        return any(
            b"iddleware" in module.source.data and any(name in module.source.data for name in unread)
            for module in (own(self._run, *unread) if unread else ())
        )


def _is_wrapped(function: Function) -> bool:
    """Tell whether what is registered may read arguments before its function does: a wrapper that looks at them."""
    layer: Function | None = function
    while layer is not None:
        looks = layer.wraps is not None and LOOKING.search(layer.node.text or b"") is not None
        if looks or "__signature__" in layer.attributes or "__signature__" in layer.doubts:
            return True
        layer = layer.wraps
    return False


def _of_parameter(name: str, key: Text, frame: Frame, *, given: bool) -> list[Intake]:
    if not any(_counts(each) for each in frame.code.uses(name)):
        return []
    found = Values()
    found.of_name(name, frame, given=given)
    return [Intake(key, (), found.defaults(), found.caps, found.cut)]


def _counts(use: Node) -> bool:
    """Tell whether something comes of a use: `del limit` and `_ = limit` are none."""
    above = use.parent
    if above is None or above.type == "delete_statement":
        return False
    if above.type in ("tuple", "expression_list", "pattern_list") and above.parent is not None:
        above = above.parent
    if above.type in ("delete_statement", "expression_statement"):
        return False
    left = child(above, "left") if above.type == "assignment" else None
    return left is None or string_of(left) != "_"


def _is_sample(body: Node, found: list[Intake]) -> bool:
    """Tell whether a function gives only what is written in it, as an example does."""
    parts = [part for part in children(body) if not _is_text(part)]
    return not found and all(part.type == "return_statement" for part in parts)


def _is_chosen(node: Node, own_body: Node, body: Node) -> bool:
    """Tell whether some code runs only for what a branch was chosen for: this tool, or another."""
    current: Node | None = node
    while current is not None and current.id != body.id:
        above = current.parent
        test = child(above, "condition") if above is not None and current == child(above, "consequence") else None
        if (
            current.id == own_body.id
            or current.type == "case_clause"
            or (test is not None and CHOSEN.search(string_of(test)))
        ):
            return True
        current = above
    return False


def _is_stub(body: Node) -> bool:
    """Tell whether a function does nothing yet."""
    parts = [part for part in children(body) if not _is_text(part)]
    return all(part.type in STUBS or string_of(part) == "..." for part in parts)


def _is_text(statement: Node) -> bool:
    only = children(statement)
    return (
        statement.type == "expression_statement"
        and len(only) == 1
        and only[0].type in ("string", "concatenated_string")
    )


def _inputs(run: Evaluator, module: Module, function: Node) -> frozenset[str]:
    """Name the parameters that hold the arguments of a call."""
    found = set()
    for each in parameters(run, function, module):
        kind = string_of(each.annotation) if each.annotation is not None else ""
        if DICTS.match(kind) or (not kind and each.name in NAMES) or (kind == "Any" and each.name in NAMES):
            found.add(each.name)
    return frozenset(found)


def _intake(taken: Taken, key: Text, others: list[Taken]) -> Intake:
    among = [str(each) for each in taken.keys] if taken.node.type != "call" or len(taken.keys) > 1 else [str(key)]
    mine = _chain(taken.node).id
    among += [
        str(each)
        for other in others
        if other.node.id != taken.node.id and _chain(other.node).id == mine
        for each in other.keys
    ]
    named = tuple(dict.fromkeys(among))
    found = Values()
    if len(taken.keys) == 1:
        found.trace(taken.node, taken.frame, taken.other)
    return Intake(key, named if len(named) > 1 else (), found.defaults(), found.caps, found.cut)


def _chain(node: Node) -> Node:
    """Give the outermost `or` that an expression is part of, or the call that it stands in for something of, or itself."""
    outermost, current = node, node
    while (above := current.parent) is not None:
        if above.type == "boolean_operator" and string_of(child(above, "operator") or above) == "or":
            outermost = above
        elif above.type not in ("parenthesized_expression", "argument_list", "call"):
            break
        current = above
        if above.type == "call" and string_of(child(above, "function") or above).endswith(".get"):
            outermost = above
    return outermost
