"""Where a Python process begins, and what modules hold then: they are run, not evaluated, so that a choice of a run is one."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from tree_sitter import Node

from reviewer.behaviour.serving import startup
from reviewer.behaviour.serving.process_start import ProcessStart
from reviewer.behaviour.serving.transports import ACTS, iter_served
from reviewer.behaviour.values.callers import HIGHEST
from reviewer.code import ir, values
from reviewer.code.call_boundary import is_shared
from reviewer.code.calls import build_trace
from reviewer.code.events import Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.members import build_library
from reviewer.code.parts import show_value
from reviewer.code.run import Activation
from reviewer.code.state import State
from reviewer.code.values import Made, build_constant
from reviewer.facts import Act, Lazy, Server, Transport
from reviewer.languages.nodes import decode_node, find_child, find_descendants_at, iter_ancestors
from reviewer.languages.python.behaviour.name_resolution import FunctionPlace, iter_own_modules
from reviewer.languages.python.behaviour.tracing import get_program, run_function, trace_of
from reviewer.languages.python.declarations.sdks import is_server
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import (
    Alternatives,
    Const,
    External,
    Partial,
    PyClass,
    PyFunction,
    PyGuarded,
    PyInstance,
    PyUnknown,
    PyValue,
    TypeForm,
    assume_default,
    to_text,
)
from reviewer.languages.python.project.modules import PyModule
from reviewer.languages.python.project.program import PythonProgram
from reviewer.languages.python.project.reach import collect_reachable_files
from reviewer.languages.python.types.functions import read_fields as declared_fields
from reviewer.records import dataclass
from reviewer.text.patterns import build_word_pattern, pattern

ASIDE = frozenset({"import_statement", "import_from_statement", "dotted_name", "aliased_import"})
"""What a name stands in that is not called there."""

DECLARING = pattern(rb"\b(?:option|Option|Argument|argument)\(")
"""What the body of a module declares that the functions in it are told by a command line."""

PRINTING = pattern(rb"print|stdout|echo|onsole|pp\(|RichHandler")
"""What stands in a file that prints."""

ANSWERING = pattern(
    rb"^[ \t]*@[\w.]+\.(?:resource|prompt|(?:list|read)_resources?|list_resource_templates|list_prompts|get_prompt)\b",
    re.M,
)
"""What makes a function answer a client that is no tool: MCP 2026-07-28 server/resources, server/prompts."""

METHODS = frozenset({b"run", b"run_async"})
"""Methods of servers of whose names many other things are called."""


def iter_transports(run: Evaluator, servers: tuple[Server, ...], seeds: list[PyModule]) -> Iterator[Transport]:
    """Yield the transports of a project; `seeds` are the modules that declare tools."""
    start = PythonStart(run)
    for transport, code, at in iter_served(start, servers):
        if transport.kind == "stdio":
            transport = replace(
                transport, prints=start.collect_prints(run.modules.by_path[code.source.path], at, seeds)
            )
        yield transport


@dataclass(eq=False)
class StartProgram(PythonProgram):
    """The project when it is started: what a module makes is what its body makes when it is run."""

    held: dict[str, dict[str, values.Value]] = field(default_factory=dict)
    modules: dict[str, Trace] = field(default_factory=dict)

    def resolve_name(self, name: ir.Global | ir.Import, code: ir.Code) -> values.Value | None:
        """Return the value of a name in a function."""
        module: PyModule | None = self.run.modules.by_path.get(code.source.path)
        attribute: str | None = name.path[0] if isinstance(name, ir.Global) else name.name
        if module is not None and isinstance(name, ir.Import):
            if f"{name.module}.{name.name}" in self.models.rows:
                return build_library(f"{name.module}.{name.name}")  # also in a project that holds the SDK
            module = self.resolve_origin(name, module)
        made = self._find_made_value(module, attribute) if module is not None and attribute is not None else None
        return made or super().resolve_name(name, code)

    def _find_made_value(self, module: PyModule, name: str) -> values.Value | None:
        """Return the value of a module's name; None for a definition, an import from a library or a constant."""
        found = self.run.evaluate_module(module).names.get(name)
        is_made = isinstance(found, PyInstance | PyUnknown | Alternatives | Partial | PyGuarded)
        if is_made and module.path not in self.held:
            self.run_module(module)
        return self.held[module.path].get(name) if is_made else None

    def find_member(self, owner: values.Thing, name: str) -> values.Value | None:
        """Return the member of a module, a class or an object; the environment may set settings to other values."""
        made = (
            self._find_made_value(owner.handle, name)
            if isinstance(owner, values.Module) and isinstance(owner.handle, PyModule)
            else None
        )
        found = made or super().find_member(owner, name)
        cls = owner.of.handle if isinstance(owner, values.Instance) and isinstance(owner.of, values.Class) else None
        if isinstance(cls, PyClass) and any(each.endswith("BaseSettings") for each in cls.list_external_bases()):
            parts = ((each, part) for each in cls.iter_lineage() for part in declared_fields(each) if part.name == name)
            for each, part in parts:
                kind = self.run.evaluate(part.annotation, each.scope) if part.annotation is not None else None
                return _build_one_of(("setting", cls, name), kind, found)
        return found

    def run_module(self, module: PyModule) -> Trace:
        """Return the trace of a module's body."""
        if module.path not in self.modules:
            held = self.held.setdefault(module.path, {})
            code = self.find_module_code(module)
            run, state = Interpreter(self, summaries=self.summaries), State()
            result, after = run.run_body(Activation(code), code, state)
            self.modules[module.path] = build_trace(run, code, result)
            for variable, value in (after or state).variables.items():
                held[variable.name] = _to_global(value, after or state)
        return self.modules[module.path]


def _to_global(value: values.Value, state: State) -> values.Value:
    """Return a value as functions see it that read it from a module."""
    return value if is_shared(value) else show_value(value, state)._replace(term=("global", value.term))


def _build_one_of(term: values.Term, kind: PyValue | None, default: values.Value | None) -> values.Value:
    """Return the value of a setting: one of the constants of a type, or anything; and the default without a setting."""
    listed = frozenset((str, text) for text in _iter_choices(kind))
    meaning = Made("default", (default,)) if default is not None else None
    return values.Value(term, constants=listed or None, meaning=meaning, unknown="a run is told it")


def _iter_choices(kind: PyValue | None) -> Iterator[str]:
    """Yield the texts that a type lets in: the members of a `Literal[..]` or of an enumeration."""
    match kind:
        case PyGuarded():
            yield from _iter_choices(kind.value)
        case TypeForm():
            is_literal = isinstance(kind.origin, External) and kind.origin.name == "Literal"
            for each in kind.arguments:
                if is_literal and isinstance(each, Const) and isinstance(each.value, str):
                    yield str(each.value)
                elif not is_literal:
                    yield from _iter_choices(each)
        case PyClass() if any(base.startswith("enum.") for base in kind.list_external_bases()):
            yield from (str(text) for each in kind.names.values() if (text := to_text(each)) is not None)


class PythonStart(ProcessStart):
    """Where the processes of a project begin that may serve."""

    def __init__(self, run: Evaluator) -> None:
        self._run = run
        self.program = StartProgram(run, codes=get_program(run).codes)
        names = {path.rpartition(".")[2].encode() for path in self.program.models.find_paths_acting(frozenset(ACTS))}
        plain, methods = (b"|".join(sorted(map(re.escape, each))) for each in (names - METHODS, METHODS))
        self._signs = re.compile(rb"(?<![\w\"'])(?:(?:" + plain + rb")|(?<=\.)(?:" + methods + rb"))\b(?=\s*[(),\n])")

    def list_lasting_values(self, trace: Trace) -> Iterable[values.Value]:
        """Return the values that a module holds when it has been run."""
        return self.program.held.get(trace.code.source.path, {}).values() if trace.code.kind == "module" else ()

    def mentions(self, pattern: re.Pattern[bytes]) -> bool:
        """Return whether anything in the code of the project matches."""
        return self._run.modules.mention(pattern)

    def run(self, function: values.Function) -> Trace:
        """Return the trace of a function for arguments of any value."""
        self._run.start()
        return super().run(function)

    def collect_prints(self, module: PyModule, at: ir.Site, seeds: Iterable[PyModule]) -> Lazy[Act]:
        """Return the prints before a call that serves, including those of modules in its folder or below that declare
        tools.
        """
        folder = module.path.rpartition("/")[0]
        near = [each for each in seeds if each.path.startswith(f"{folder}/" if folder else "")]
        return Lazy(lambda: self._iter_prints(module, at, near))

    def _iter_prints(self, module: PyModule, at: ir.Site, seeds: list[PyModule]) -> Iterator[Act]:
        found, first = list[Act](), [module]
        leading = (
            each for each in self.traces if any(code.source.path == module.path for code in each.collect_codes())
        )
        for trace in leading:
            before = startup.collect_printed_before(trace, self.program, module.path, at)
            found += before or ()
            first += [self._run.modules.by_path[trace.code.source.path]] if before is not None else []
        reached = collect_reachable_files(self._run.modules, dict.fromkeys(first), self._run.dynamic)
        for one in dict.fromkeys((*first, *seeds)):
            if one.path in reached and one.mentions(PRINTING):
                trace = self.program.run_module(one)
                before = startup.collect_printed_before(trace, self.program, module.path, at) if one in first else None
                found += startup.collect_printed(trace, self.program) if before is None else before
        for one in self._run.modules.find_protocol_modules():
            if one.path in reached and one.mentions(PRINTING):
                found += self._iter_answering_prints(one)
        yield from {act.text.span: act for act in reversed(found)}.values()

    def _iter_answering_prints(self, module: PyModule) -> Iterator[Act]:
        """Yield the prints of functions that return resources and prompts."""
        hits = (hit.span() for hit in ANSWERING.finditer(module.source.data))
        for each in find_descendants_at(module.root, "python", hits, "decorated_definition"):
            function = find_child(each, "definition")
            if function is not None and function.type == "function_definition":
                yield from startup.collect_printed_anywhere(trace_of(self._run, module, function), self.program)

    def _iter_traces(self) -> Iterator[Trace]:
        found: dict[FunctionPlace, int] = {}
        pending = [(each, 0) for each in self._iter_places()]
        while pending:
            place, height = pending.pop(0)
            if height <= HIGHEST and place not in found:
                found[place] = height
                pending += [(each, height + 1) for each in self._iter_callers(place)]
        reached: set[tuple[str, int]] = set()
        for place in sorted(found, key=lambda each: -found[each]):
            if (place.module.path, place.node.start_byte) not in reached or place.node.type == "module":
                trace = self._trace(place)
                reached |= {(each.source.path, each.at.start) for each in trace.collect_codes()}
                yield trace

    def _iter_places(self) -> Iterator[FunctionPlace]:
        """Yield the functions and modules in which something stands that may serve, and modules that declare options for it."""
        for module in self._collect_modules():
            hits = (hit.start() for hit in self._signs.finditer(module.source.data))
            found = {each: None for hit in hits if (each := self._find_around(module, hit, is_sign=True)) is not None}
            if found and DECLARING.search(module.source.data) is not None:
                yield FunctionPlace(module.root, module)
            yield from found

    def _collect_modules(self) -> list[PyModule]:
        """Return the modules that speak of the protocol, and those that speak of modules with servers."""
        stems = {
            each.span.path.removesuffix("/__init__.py").rpartition("/")[2].removesuffix(".py")
            for each in self._run.servers
        }
        words = [os.fsencode(each) for each in sorted(stems) if each]
        imports = re.compile(
            rb"^\s*(?:from|import)\b[^\n]*\b(?:" + b"|".join(map(re.escape, words)) + rb")\b", re.MULTILINE
        )
        near = [each for each in self._run.modules.find_containing(words) if each.mentions(imports)] if words else []
        found = {each.path: each for each in (*self._run.modules.find_protocol_modules(), *near)}
        return [each for each in found.values() if not each.is_aside and each.mentions(self._signs)]

    def _find_around(self, module: PyModule, start: int, *, is_sign: bool = False) -> FunctionPlace | None:
        """Return the outermost function that a name stands in, or the module; None if it calls nothing that serves."""
        name = module.root.descendant_for_byte_range(start, start + 1)
        above = name.parent if name is not None else None
        if name is None or above is None or name.type != "identifier" or above.type in ASIDE:
            return None
        if is_sign and name.text in METHODS and not self._may_serve(module, above):
            return None
        functions = [each for each in iter_ancestors(name) if each.type == "function_definition"]
        if functions and find_child(functions[-1], "name") == name:
            return None
        return FunctionPlace(functions[-1] if functions else module.root, module)

    def _may_serve(self, module: PyModule, method: Node) -> bool:
        """Return whether a method called `run` is a server's, or is told a transport."""
        on, call = find_child(method, "object"), method.parent
        if on is None or call is None:
            return False
        plain, _ = assume_default(self._run.evaluate(on, self._run.evaluate_module(module)))
        is_told = b"transport" in (call.text or b"") or b"**" in (call.text or b"")
        return is_server(plain) or is_told or (module.path, call.start_byte) in self._run.starts

    def _iter_callers(self, place: FunctionPlace) -> Iterator[FunctionPlace]:
        """Yield the functions and modules that speak of a function by its name, or of the class whose method it is."""
        if place.node.type == "module":
            return
        cls = next((each for each in iter_ancestors(place.node) if each.type == "class_definition"), None)
        name = decode_node(find_child(cls or place.node, "name") or place.node).encode()
        stem = os.fsencode(place.module.parts[-1]) if place.module.parts else b""
        taken = re.compile(
            rb"^\s*from\s[\w. ]*\b" + re.escape(stem) + rb"\s+import\b[^\n]*\b" + re.escape(name) + rb"\b", re.M
        )
        for module in iter_own_modules(self._run, name):
            data = module.source.data
            if module is not place.module and stem not in data:
                continue
            is_taken = (
                bool(stem) and module is not place.module and module.mentions(taken)
            )  # nothing need be evaluated for it
            others = (
                each[1] for each in build_word_pattern(name, rb"\s+as\s+(\w+)").finditer(data)
            )  # `import main as serve`
            for start in sorted(
                hit.start() for each in {name, *others} for hit in build_word_pattern(each).finditer(data)
            ):
                found = self._find_around(module, start)
                if found not in (None, place) and (is_taken or self._means(module, start, cls or place.node)):
                    yield found

    def _means(self, module: PyModule, start: int, definition: Node) -> bool:
        """Return whether a name stands for a function or a class, or for what decorators made of one."""
        name = module.root.descendant_for_byte_range(start, start + 1)
        above = name.parent if name is not None else None
        if name is None or above is None:
            return False
        is_attribute = above.type == "attribute" and find_child(above, "attribute") == name
        known = self._run.evaluate(above if is_attribute else name, self._run.evaluate_module(module))
        return known.node == definition if isinstance(known, PyFunction | PyClass) else isinstance(known, PyUnknown)

    def _trace(self, place: FunctionPlace) -> Trace:
        self._run.start()
        if place.node.type == "module":
            return self.program.run_module(place.module)
        code = self.program.find_code_at(place.module, place.node)
        taken = [(number, each) for number, each in enumerate(code.parameters) if each.kind != "receiver"]
        given = {
            each.variable: self._infer_given_value(("parameter", code, number), each, code) for number, each in taken
        }
        return run_function(self._run, place, given, Interpreter(self.program, summaries=self.program.summaries), {})

    def _infer_given_value(self, term: values.Term, parameter: ir.CodeParameter, code: ir.Code) -> values.Value:
        """Return the value of a parameter of the function with which a process begins."""
        module, default = self._run.modules.by_path[code.source.path], parameter.default
        written = (
            build_constant(default.value) if isinstance(default, ir.Constant) and default.value is not ... else None
        )
        if parameter.type is None:
            return _build_one_of(term, None, written)
        node = module.root.descendant_for_byte_range(parameter.type.at.start, parameter.type.at.end)
        kind = self._run.evaluate(node, self._run.evaluate_module(module)) if node is not None else None
        made = self.program.resolve_type(parameter.type, code)
        return _build_one_of(term, kind, written)._replace(things=(made,) if made is not None else ())
