"""Which arguments a tool's code reads: of the object that holds those of a call, or of the parameters of its own function."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from tree_sitter import Node

from reviewer.behaviour.answer_size.hints import iter_hints
from reviewer.behaviour.arguments.argument_use import ArgumentUses
from reviewer.behaviour.arguments.readings import NOTHING, CodeReading, FoundUses, read_of
from reviewer.behaviour.failures.refusals import Refusals
from reviewer.code.events import Trace
from reviewer.code.ir import Site
from reviewer.code.values import Plain
from reviewer.facts import ArgumentUse, Lazy
from reviewer.languages.nodes import decode_node, find_child, list_children
from reviewer.languages.python.behaviour.name_resolution import (
    FunctionPlace,
    find_enclosing,
    iter_own_modules,
    list_decorators,
)
from reviewer.languages.python.behaviour.tracing import (
    get_program,
    trace_of,
    trace_of_call,
    trace_of_fields,
    trace_of_method,
)
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import PyFunction
from reviewer.languages.python.project.modules import PyModule
from reviewer.languages.python.types.functions import SignatureParameter, read_signature
from reviewer.source import Text
from reviewer.text.patterns import pattern

ABSENT = pattern(r"None$|(?:\w+\.)?Field\(\s*(?:default\s*=\s*)?(?:None|\.\.\.)\s*[,)]")
"""Defaults by which an argument is not given, and by which it must be."""

# A body of these and `...` is not written yet: that it reads no argument says nothing of the tool.
STUBS = frozenset("pass_statement raise_statement".split())
REGISTERING = pattern(r"@\s*(?:(?:\w+\.)+\w*tool\w*|tool)\b")
"""A decorator that only registers; any other may read arguments of its own."""

LOOKING = pattern(rb"kwargs\s*(?:\[|\.)|(?<!\*)\bkwargs\s*[,)]|\bbind(?:_partial)?\(|signature\(|arguments")
"""Code of a decorator that looks at the arguments of what it decorates."""

HIDDEN = pattern(rb"\b(?:locals|vars|eval|exec|inspect)\b")
"""What may read a name without saying it."""


class _Read(CodeReading):
    """What some code reads. `code` is looked through for hints."""

    def __init__(self, run: Evaluator, code: tuple[PyModule, Node] | None) -> None:
        super().__init__(lambda: get_program(run))
        self._run, self._code = run, code

    @property
    def hints(self) -> Sequence[Text]:
        """What it says to a client that gets less than there is."""
        return Lazy(self._iter_hints)

    def _iter_hints(self) -> Iterator[Text]:
        if self._code is not None:
            module, body = self._code
            function = find_enclosing(body) or module.root
            yield from iter_hints(get_program(self._run).find_code_at(module, function), Site(*body.byte_range))


class PythonCallReading(_Read):
    """What is read of the arguments of a call, where `dispatcher` takes those of all tools; `body` answers this one."""

    def __init__(
        self, run: Evaluator, module: PyModule, body: Node, dispatcher: FunctionPlace | None, tool: str
    ) -> None:
        super().__init__(run, (module, body))
        self._dispatcher, self._tool = dispatcher, tool

    @cached_property
    def _trace(self) -> Trace | None:
        return trace_of_call(self._run, self._dispatcher, self._tool) if self._dispatcher is not None else None

    @property
    def is_led(self) -> bool:
        """Return whether all is followed that the dispatcher hands the arguments to."""
        return self._found is not None and self._found.is_followed

    def leads_beyond(self, other: Trace) -> bool:
        """Return whether the dispatcher comes to code to which another call does not, and hands the arguments to none unseen.

        A tool that takes no argument reads none, so only that tells that its code was found.
        """
        trace = self._trace
        is_seen = trace is not None and self._found is not None and self._found.is_kept
        return is_seen and trace is not None and bool(set(trace.collect_codes()) - set(other.collect_codes()))

    @cached_property
    def _read(self) -> FoundUses:
        read, is_complete = read_of(self._found) if self._found is not None else NOTHING
        return read, bool(read) and is_complete


class PythonMethodReading(PythonCallReading):
    """What is read of the arguments of a call by the method that answers a tool, which is handed all of them in one object."""

    @cached_property
    def _trace(self) -> Trace | None:
        return trace_of_method(self._run, self._dispatcher, self._tool) if self._dispatcher is not None else None


class PythonFunctionReading(_Read):
    """What a function reads of those of its parameters that a client gives, by the `names` that clients use."""

    def __init__(self, run: Evaluator, function: PyFunction, names: Callable[[], Mapping[str, str]]) -> None:
        self._function, self._names = function.unwrap(), names
        self._is_wrapped = _is_wrapped(function)
        body = find_child(self._function.node, "body")
        super().__init__(run, (self._function.scope.module, body) if body is not None else None)

    @cached_property
    def _trace(self) -> Trace | None:
        body = find_child(self._function.node, "body")
        if body is None or _is_stub(body):
            return None
        return trace_of(self._run, self._function.scope.module, self._function.node)

    @cached_property
    def _read(self) -> FoundUses:
        node, module = self._function.node, self._function.scope.module
        body = find_child(node, "body")
        if body is None or self._trace is None:
            return NOTHING
        trace, fields = trace_of_fields(self._run, module, node)
        argument_uses = ArgumentUses(trace, self._program(), fields)
        taken, names = argument_uses.taken, self._names()
        found = []
        for each in read_signature(self._function):
            inner = {name: said for name, said in fields.items() if name.startswith(f"{each.name}.")}
            if each.name in names and not taken.keys().isdisjoint((each.name, *inner)):
                at = Text(names[each.name], module.locate(each.node))
                read = taken[each.name].build_argument_use(at) if each.name in taken else ArgumentUse(at)
                found.append(replace(read, defaults=()) if _is_given(each) else read)
                found += [_build_for_field(Text(name, at.span), said, argument_uses) for name, said in inner.items()]
            elif each.name in names and each.name in argument_uses.overlooked:
                found.append(
                    ArgumentUse(Text(names[each.name], module.locate(each.node)))
                )  # where control never comes, it seems
        is_hidden = HIDDEN.search(body.text or b"") is not None or self._is_wrapped or not self._is_bare(node)
        is_read_elsewhere = self._is_read_elsewhere(names.values(), found)
        return tuple(found), not (is_hidden or _is_sample(body, found) or is_read_elsewhere)

    def find_refusal(self, argument: str, value: Plain) -> Text | None:
        """Return where a call always fails in which an argument, by the name that clients use, is some value."""
        own = next((each for each, name in self._names().items() if name == argument), argument)
        return super().find_refusal(own, value)

    @cached_property
    def _refusals(self) -> Refusals | None:
        if self._trace is None:
            return None
        trace, _ = trace_of_fields(self._run, self._function.scope.module, self._function.node)
        return Refusals(trace, self._program())

    def _is_bare(self, node: Node) -> bool:
        """Return whether no decorator reads arguments of its own: each registers, or hands all on as it comes."""
        for each in list_children(node.parent) if node.parent is not None and list_decorators(node) else ():
            if each.type != "decorator" or REGISTERING.match(decode_node(each)):
                continue
            named = list_children(each)[0]
            named = find_child(named, "function") or named if named.type == "call" else named
            meant = self._run.evaluate(named, self._function.scope)
            code = meant.node.text or b"" if isinstance(meant, PyFunction) else b"kwargs["
            if LOOKING.search(code):
                return False
        return True

    def _is_read_elsewhere(self, names: Iterable[str], found: list[ArgumentUse]) -> bool:
        """Return whether a middleware may read an argument that the function does not."""
        read = {str(each.name) for each in found}
        unread = [name.encode() for name in names if name not in read and not (name.islower() and name.isalpha())]
        return any(
            b"iddleware" in module.source.data and any(name in module.source.data for name in unread)
            for module in (iter_own_modules(self._run, *unread) if unread else ())
        )


def _build_for_field(name: Text, said: Text | None, argument_uses: ArgumentUses) -> ArgumentUse:
    """Return the use of a field of a model that a parameter takes; `said` is where the model sets its default."""
    if name not in argument_uses.taken:
        return ArgumentUse(
            name, idle=name.rpartition(".")[2] not in argument_uses.overlooked and argument_uses.is_whole
        )
    found = argument_uses.taken[name].build_argument_use(name)
    return (
        found if said is None else replace(found, defaults=tuple(replace(each, text=said) for each in found.defaults))
    )


def _is_given(parameter: SignatureParameter) -> bool:
    """Return whether a parameter has a default of its own, so that nothing stands in for what a client does not send."""
    return parameter.default is not None and ABSENT.match(decode_node(parameter.default)) is None


def _is_wrapped(function: PyFunction) -> bool:
    """Return whether what is registered may read arguments before its function does: a wrapper that looks at them."""
    layer: PyFunction | None = function
    while layer is not None:
        looks = layer.wraps is not None and LOOKING.search(layer.node.text or b"") is not None
        is_changed = "__signature__" in layer.attributes or "__signature__" in layer.doubts
        if looks or (is_changed and not _hands_all_on(layer.node)):
            return True
        layer = layer.wraps
    return False


def _hands_all_on(function: Node) -> bool:
    """Return whether a function takes any arguments, and does nothing with them but hand all of them on."""
    taken = [
        decode_node(each).partition(":")[0].strip()
        for each in list_children(find_child(function, "parameters") or function)
    ]
    body = find_child(function, "body")
    if body is None or not taken or not all(each.startswith("*") and len(each.strip("*")) > 0 for each in taken):
        return False
    names = "|".join(re.escape(each.strip("*")) for each in taken)
    return re.search(rf"(?<![*\w.])(?:{names})\b", decode_node(body)) is None


def _is_sample(body: Node, found: list[ArgumentUse]) -> bool:
    """Return whether a function gives only what is written in it, as an example does."""
    parts = [part for part in list_children(body) if not _is_text(part)]
    return not found and all(part.type == "return_statement" for part in parts)


def _is_stub(body: Node) -> bool:
    """Return whether a function does nothing yet."""
    parts = [part for part in list_children(body) if not _is_text(part)]
    return all(part.type in STUBS or decode_node(part) == "..." for part in parts)


def _is_text(statement: Node) -> bool:
    only = list_children(statement)
    return (
        statement.type == "expression_statement"
        and len(only) == 1
        and only[0].type in ("string", "concatenated_string")
    )
