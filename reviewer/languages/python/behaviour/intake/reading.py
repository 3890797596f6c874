"""Where code takes arguments out of a dict that holds the input, and whether all that becomes of it could be followed."""

import re

from tree_sitter import Node

from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.python.behaviour.following import arguments, assignments, called, callee, text
from reviewer.languages.python.behaviour.intake.frames import DEEPEST, Frame, Keys, handed, parameters
from reviewer.languages.python.behaviour.scopes import is_said
from reviewer.languages.python.behaviour.sizes import refuses
from reviewer.languages.python.functions import fields
from reviewer.languages.python.values import Class
from reviewer.source import Text

AROUND = frozenset({"parenthesized_expression", "await", "boolean_operator", "conditional_expression", "as_pattern"})
SAME = frozenset({"dict", "copy", "deepcopy", "cast"})
"""Functions and methods that give the input itself."""

READING = frozenset({"get", "pop", "setdefault", "__getitem__", "__contains__"})
VALIDATING = frozenset("model_validate parse_obj validate_python".split())
INERT = frozenset("len bool isinstance type print repr hasattr".split())
TESTS = frozenset("if_statement elif_clause not_operator while_statement assert_statement expression_statement".split())
EMPTY = frozenset({"{}", "dict()"})
"""What stands in for an input that is not given."""

HELD = re.compile(r"(?:\w+\.)*(?:params|request|req)\.arguments")


class Taken:
    """A place where keys are read: the expression that gives the value, and what stands in where it is not given."""

    def __init__(self, keys: Keys, node: Node, frame: Frame, other: Node | None = None) -> None:
        self.keys, self.node, self.frame, self.other = keys, node, frame, other


class Typed:
    """A parameter of a function of the project that an argument is handed to by its name."""

    def __init__(self, name: Text, frame: Frame) -> None:
        self.name, self.frame = name, frame


class Reader:
    """Reads one tool's code. `taken` is what it reads; `followed` whether the input goes nowhere that is not known."""

    def __init__(self) -> None:
        self.taken: list[Taken] = []
        self.typed: list[Typed] = []
        self.followed = True

    def read(self, frame: Frame) -> None:
        """Follow the input through some code, and the functions that it is handed to."""
        objects = set(frame.objects)
        for node in frame.code.nodes:
            if node.type in ("identifier", "attribute") and self._is_input(node, frame, objects):
                self._use(node, frame, objects)

    def _is_input(self, node: Node, frame: Frame, objects: set[str]) -> bool:
        if node.type == "attribute":
            return HELD.fullmatch(string_of(node)) is not None
        if string_of(node) not in objects or not frame.code.is_value(node):
            return False
        given = [each for each in assignments(string_of(node), node) if string_of(each) not in EMPTY]
        if not given or _speaks(given[-1], objects):
            return True
        self.followed = False
        return False

    def _use(self, name: Node, frame: Frame, objects: set[str]) -> None:
        node = name
        while (above := parent_of(node)) is not None and self._keeps(node, above):
            node = above
        if above is None:
            return
        match above.type:
            case "subscript" if child(above, "value") == node:
                if not _is_target(above):
                    self._take(keys(child(above, "subscript"), frame), above, frame)
            case "attribute" if child(above, "object") == node:
                self._accessed(above, frame, objects)
            case "argument_list" if above.parent is not None:
                self._handed(node, above.parent, frame)
            case "keyword_argument" if above.parent is not None and above.parent.parent is not None:
                self._handed(node, above.parent.parent, frame)
            case "dictionary_splat" if above.parent is not None and above.parent.parent is not None:
                self._spread(above.parent.parent, frame)
            case "comparison_operator":
                self._asked(node, above, frame)
            case "assignment" | "named_expression":
                self._bound(above, objects)
            case kind if kind in TESTS:
                pass
            case _:
                self.followed = self.followed and is_said(above)

    def _keeps(self, node: Node, above: Node) -> bool:
        """Tell whether an expression around the input is the input too."""
        if above.type in AROUND:
            return True
        if above.type == "argument_list" and above.parent is not None:
            return called(above.parent) in SAME
        if above.type == "attribute" and child(above, "object") == node:
            call = above.parent
            return call is not None and call.type == "call" and called(call) in SAME
        return above.type == "call" and called(above) in SAME

    def _bound(self, assignment: Node, objects: set[str]) -> None:
        target = child(assignment, "left") or child(assignment, "name")
        if target is not None and target.type == "identifier":
            objects.add(string_of(target))
        else:
            self.followed = False

    def _accessed(self, access: Node, frame: Frame, objects: set[str]) -> None:
        call, name = access.parent, string_of(child(access, "attribute") or access)
        if call is None or call.type != "call" or child(call, "function") != access:
            self.followed = False
            return
        given = arguments(call)[0]
        if name in READING and given:
            if call.parent is not None and _passes_over(call.parent, call):
                return
            self._take(keys(given[0], frame), call, frame, given[1] if len(given) > 1 else None)
        elif name != "update":
            self.followed = False

    def _take(self, found: Keys | None, node: Node, frame: Frame, other: Node | None = None) -> None:
        if found is None:
            self.followed = False
        else:
            self.taken.append(Taken(found, node, frame, other))

    def _asked(self, node: Node, test: Node, frame: Frame) -> None:
        """Read `"key" in arguments`; one that is only asked for to be refused is none that the tool takes."""
        sides = children(test)
        signs = " ".join(string_of(part) for part in test.children if part not in sides)
        choice = test.parent
        if "in" in signs.split() and sides[-1] == node:
            if signs != "in" or choice is None or not _passes_over(choice, test):
                self._take(keys(sides[0], frame), test, frame)

    def _handed(self, node: Node, call: Node, frame: Frame) -> None:
        if called(call) in INERT or is_said(call):
            return
        function = child(call, "function")
        owner = child(function, "object") if function is not None else None
        if called(call) in VALIDATING and owner is not None:
            self._fields(frame.run.value(owner, frame.within), call, frame)
            return
        found = callee(frame.run, call, frame.within) if frame.depth < DEEPEST else None
        body = child(found.node, "body") if found is not None else None
        if found is None or body is None or frame.runs(body):
            self.followed = self.followed and body is not None
            return
        given = handed(frame.run, found.node, found.module, call)
        held = next((name for name, value in given.items() if value == node), None)
        if held is None:
            self.followed = False
            return
        known = {name: each for name, value in given.items() if (each := listed(value, frame)) is not None}
        self.read(Frame(frame.run, found.module, body, frozenset({held}), known, call, frame))

    def _spread(self, call: Node, frame: Frame) -> None:
        """Read `function(**arguments)` and `Model(**arguments)`."""
        function = child(call, "function")
        meant = frame.run.value(function, frame.within) if function is not None and call.type == "call" else None
        if isinstance(meant, Class):
            self._fields(meant, call, frame)
            return
        found = callee(frame.run, call, frame.within) if call.type == "call" and frame.depth < DEEPEST else None
        body = child(found.node, "body") if found is not None else None
        if found is None or body is None:
            self.followed = False
            return
        beside = arguments(call)[1].keys()
        inner = Frame(frame.run, found.module, body, call=call, above=frame)
        for at, each in enumerate(parameters(frame.run, found.node, found.module)):
            if each.kind in ("args", "kwargs"):
                self.followed = False
            elif each.name not in beside and at >= len(arguments(call)[0]) - 1:
                self.typed.append(Typed(Text(each.name, found.module.span(each.node)), inner))

    def _fields(self, meant: object, call: Node, frame: Frame) -> None:
        if not isinstance(meant, Class) or not fields(meant) or b"alias" in (meant.node.text or b""):
            self.followed = False
            return
        found = tuple(Text(each.name, meant.scope.module.span(each.node)) for each in fields(meant))
        self.taken.append(Taken(found, call, frame))
        self.followed = self.followed and string_of(child(meant.node, "superclasses") or meant.node) in PLAIN


PLAIN = frozenset({"(BaseModel)", "(pydantic.BaseModel)"})


def _passes_over(choice: Node, test: Node) -> bool:
    """Tell whether a branch is there only to refuse an argument, or to say that it is ignored."""
    block = child(choice, "consequence")
    if block is None or child(choice, "condition") != test or choice.type not in ("if_statement", "elif_clause"):
        return False
    told = all(part.type == "pass_statement" or any(map(is_said, [part, *children(part)])) for part in children(block))
    return refuses(block) or (told and child(choice, "alternative") is None)


def keys(node: Node | None, frame: Frame) -> Keys | None:
    """Give the keys that an expression stands for; None if that cannot be told."""
    if node is None:
        return None
    if node.type == "identifier":
        if string_of(node) in frame.keys:
            return frame.keys[string_of(node)]
        loop = _loop(node)
        if loop is not None:
            return listed(child(loop, "right"), frame)
    said = text(frame.run, node, frame.within)
    return (Text(said, frame.module.span(node)),) if said is not None else None


def listed(node: Node | None, frame: Frame) -> Keys | None:
    """Give the keys in a list or a tuple, or the one that an expression stands for."""
    if node is not None and node.type in ("list", "tuple", "set"):
        found = [keys(part, frame) for part in children(node)]
        return None if any(each is None for each in found) else tuple(key for each in found for key in each or ())
    return keys(node, frame)


def _loop(name: Node) -> Node | None:
    """Find the loop whose turns a name stands for."""
    above = name.parent
    while above is not None and above.type != "function_definition":
        parts = [above, *(part for part in children(above) if part.type == "for_in_clause")]
        for each in parts:
            left = child(each, "left")
            if (
                each.type in ("for_statement", "for_in_clause")
                and left is not None
                and string_of(left) == string_of(name)
            ):
                return each
        above = parent_of(above)
    return None


def _is_target(subscript: Node) -> bool:
    above = subscript.parent
    return above is not None and (
        (above.type == "assignment" and child(above, "left") == subscript) or above.type == "delete_statement"
    )


def _speaks(value: Node, objects: set[str]) -> bool:
    if HELD.search(string_of(value)):
        return True
    node: Node | None = value
    while node is not None and node.type in (
        "boolean_operator",
        "parenthesized_expression",
        "conditional_expression",
        "await",
    ):
        node = next(iter(children(node)), None)
    if node is not None and node.type == "call" and called(node) in SAME:
        function = child(node, "function")
        on = child(function, "object") if function is not None else None
        node = on if on is not None else next(iter(arguments(node)[0]), None)
        while node is not None and node.type in ("boolean_operator", "parenthesized_expression"):
            node = next(iter(children(node)), None)
    return node is not None and node.type == "identifier" and string_of(node) in objects
