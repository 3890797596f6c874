"""Payloads that a tool gives as they came: the JSON of a response, a domain object dumped in full."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.behaviour.exits import returned
from reviewer.languages.python.behaviour.following import arguments, assigned, called, callee, receiver
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.functions import fields
from reviewer.languages.python.values import Class, Function, Scope, TypeForm, Value
from reviewer.source import Text

NAMES = 4
"""How many names are followed from a value to what it is bound to."""
DUMPS = frozenset({"model_dump", "model_dump_json", "dict", "to_dict", "as_dict", "asdict", "vars", "__dict__"})
TEXTS = frozenset({"dumps", "str", "dict", "list", "deepcopy", "copy"})
"""What gives on what it is given, in another form."""
LOADS = frozenset({"loads", "safe_load"})
BODIES = frozenset({"text", "content", "body"})
SHAPED = frozenset({"include", "exclude"})
INWARD = ("domain", "dto", "entity", "entities", "vendor", "payload", "raw", "response", "resp", "upstream", "api")
"""What is called so is of the inner or the foreign side, and no answer."""


def echoes(run: Evaluator, function: Function) -> Iterator[Text]:
    """Find the returned expressions that hand a payload on as it came."""
    body = child(function.node, "body")
    for value in returned(body) if body is not None else ():
        for part in _parts(value):
            if _Echo(run, function.scope, part).holds():
                yield Text(string_of(part), function.scope.module.span(part))


def _parts(value: Node) -> Iterator[Node]:
    """Give a returned expression, or what it lays around: values of a dict, elements, arguments of a class that is made."""
    match value.type:
        case "parenthesized_expression" | "await":
            yield from _parts(children(value)[0]) if children(value) else ()
        case "conditional_expression" if len(children(value)) == 3:
            yield from (part for each in (children(value)[0], children(value)[2]) for part in _parts(each))
        case "boolean_operator" | "list" | "tuple" | "list_comprehension" | "generator_expression":
            several = children(value) if value.type in ("list", "tuple", "boolean_operator") else children(value)[:1]
            yield from (part for each in several for part in _parts(each))
        case "dictionary":
            for pair in children(value):
                held = child(pair, "value") if pair.type == "pair" else next(iter(children(pair)), None)
                yield from _parts(held) if held is not None else ()
        case "call" if called(value)[:1].isupper():
            positional, keywords = arguments(value)
            given = [part for part in (*positional, *keywords.values()) if "splat" not in part.type]
            yield from (part for each in given for part in _parts(each))
        case _:
            yield value


class _Echo:
    """Tells of one expression whether it is a payload as it came; at most a few names are followed."""

    def __init__(self, run: Evaluator, scope: Scope, node: Node, names: int = 0) -> None:
        self.run, self.scope, self.node, self.names = run, scope, node, names

    def holds(self) -> bool:
        """Tell it."""
        node = self.node
        if node.type in ("await", "parenthesized_expression"):
            return bool(children(node)) and self._of(children(node)[0]).holds()
        if node.type == "identifier":
            given = assigned(string_of(node), node) if self.names < NAMES else None
            return given is not None and self._followed(given)
        if node.type == "attribute":
            return string_of(child(node, "attribute") or node) == "__dict__" and self._is_inward(child(node, "object"))
        return node.type == "call" and self._is_call()

    def _of(self, node: Node) -> "_Echo":
        return _Echo(self.run, self.scope, node, self.names + 1)

    def _followed(self, given: Node) -> bool:
        """Follow a name to a call, or to what a list or a dict is made of."""
        return any(self._of(part).holds() for part in _parts(given))

    def _is_call(self) -> bool:
        name, on = called(self.node), receiver(self.node)
        positional, keywords = arguments(self.node)
        if name == "json" and on is not None and not positional:
            return True
        if name in LOADS and positional:
            return positional[0].type == "attribute" and string_of(positional[0]).rpartition(".")[2] in BODIES
        if name in DUMPS and not SHAPED & keywords.keys():
            held = on if on is not None and not positional else next(iter(positional), None)
            return held is not None and self._is_inward(held)
        return name in TEXTS and len(positional) == 1 and self._of(positional[0]).holds()

    def _is_inward(self, held: Node | None, names: int = 0) -> bool:
        """Tell whether a value is of a class of the project that is not made to be an answer, or called so."""
        if held is None or held.type not in ("identifier", "call", "await"):
            return False
        if held.type == "await":
            return self._is_inward(next(iter(children(held)), None), names)
        if held.type == "call":
            cls = self._class_of(held)
            return cls is not None and bool(fields(cls)) and _is_inner(cls)
        given = assigned(string_of(held), held) if names < NAMES else None
        if given is not None:
            return self._is_inward(given, names + 1)
        return False

    def _class_of(self, call: Node) -> Class | None:
        """Give the class of the project that a call makes, or says to give."""
        function = child(call, "function")
        if function is None or "(" in string_of(function):
            return None
        value = self.run.value(function, self.scope)
        if isinstance(value, Class):
            return value
        place = callee(self.run, call, self.scope)
        returns = child(place.node, "return_type") if place is not None else None
        if place is None or returns is None:
            return None
        inner = place.function.scope if place.function is not None else self.run.scope_of(place.module)
        return _class(self.run.value(returns, inner))


def _class(value: Value) -> Class | None:
    """Give the class that an annotation names, also beside None."""
    if isinstance(value, TypeForm):
        return next((found for each in value.arguments if (found := _class(each)) is not None), None)
    return value if isinstance(value, Class) else None


def _is_inner(cls: Class) -> bool:
    """Tell whether a class is called, or lies, on the inner or the foreign side."""
    lies = {part.lower().strip("_") for part in cls.scope.module.parts}
    named = cls.name.lower()
    return bool(lies & set(INWARD)) or any(named.endswith(word) for word in ("dto", "entity", "payload", "domain"))
