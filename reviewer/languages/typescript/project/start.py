"""Where a process of a TypeScript server begins: with the bodies of modules, which are run, and what they hold then."""

import re
from collections.abc import Iterator
from dataclasses import field, replace

from tree_sitter import Node

from reviewer.behaviour.serving import startup
from reviewer.behaviour.serving.process_start import ProcessStart
from reviewer.behaviour.serving.transports import ACTS, iter_served
from reviewer.behaviour.values.callers import HIGHEST
from reviewer.code import values
from reviewer.code.events import Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.ir import Code, Site
from reviewer.code.parts import show_value
from reviewer.code.run import Activation, RunBounds
from reviewer.code.state import State
from reviewer.code.summaries import Summaries
from reviewer.facts import Act, Lazy, Server, Transport
from reviewer.languages.nodes import iter_ancestors
from reviewer.languages.typescript.lowering.functions import CLASSES
from reviewer.languages.typescript.lowering.scopes import FUNCTIONS
from reviewer.languages.typescript.project.modules import Modules, ScriptModule
from reviewer.languages.typescript.project.program import TypeScriptProgram
from reviewer.records import dataclass
from reviewer.text.patterns import pattern

BOUNDS = RunBounds(depth=6)
"""What serves is reached from a module in few calls; where it is not, the function that serves is run by itself."""

PRINTING = pattern(rb"\bconsole\.(?!error\b|warn\b)|\bstdout\b|\bpino\b|\bwinston\b")
"""What stands in a file that prints or makes a log."""

LOADED = pattern(rb"\b(?:import|require)\(\s*[\"']([^\"']+)[\"']\s*\)")
"""A module that is imported by a call."""

MADE = frozenset({"new_expression", "call_expression", "await_expression"})
"""The expressions that make an object of which there is one, and which later statements may change."""


def iter_transports(program: TypeScriptProgram, servers: tuple[Server, ...]) -> Iterator[Transport]:
    """Yield the transports of a project."""
    start = TypeScriptStart(program)
    for transport, code, at in iter_served(start, servers):
        yield replace(transport, prints=start.collect_prints(code, at)) if transport.kind == "stdio" else transport


@dataclass(eq=False)
class StartProgram(TypeScriptProgram):
    """The project when it is started: what a module makes is what its body makes when it is run."""

    held: dict[str, dict[str, values.Value]] = field(default_factory=dict)

    def _get_constant(self, module: ScriptModule, name: str, node: Node, given: Node | None) -> values.Value:
        """Return the value that a name of a module has when its body has been run."""
        if given is None or given.type in MADE:
            if module.path not in self.held:
                self.hold(module)
            found = self.held[module.path].get(name)
            if found is not None:
                return found
        return super()._get_constant(module, name, node, given)

    def hold(self, module: ScriptModule) -> None:
        """Run the body of a module for what its names are then. What it does is not kept: functions that it calls do not know
        the names yet.
        """
        held = self.held.setdefault(module.path, {})
        run, state, summaries = Interpreter(self, BOUNDS, Summaries()), State(), self.summaries
        self.summaries = Summaries()
        _, after = run.run_body(Activation(module.code), module.code, state)
        self.summaries = summaries
        for variable, value in (after or state).variables.items():
            held[variable.name] = show_value(value, after or state)


class TypeScriptStart(ProcessStart):
    """Where the processes of a project begin that may serve."""

    program: StartProgram

    def __init__(self, program: TypeScriptProgram) -> None:
        self._modules: Modules = program.modules
        self.program = StartProgram(program.modules, codes=program.codes)
        names = {path.rpartition(".")[2].encode() for path in self.program.models.find_paths_acting(frozenset(ACTS))}
        self._signs = re.compile(rb"\b(?:" + b"|".join(sorted(map(re.escape, names - METHODS))) + rb")\b|" + STARTING)

    def mentions(self, pattern: re.Pattern[bytes]) -> bool:
        """Return whether anything in the code of the project matches."""
        return any(pattern.search(each.source.data) is not None for each in self._modules.iter_own())

    def collect_prints(self, code: Code, at: Site) -> Lazy[Act]:
        """Return the prints around a call that serves, read on demand."""
        return Lazy(lambda: self._iter_prints(code, at))

    def _iter_prints(self, code: Code, at: Site) -> Iterator[Act]:
        if not self.mentions(PRINTING):
            return
        leading = [each for each in self.traces if code in each.collect_codes()]
        found = [startup.collect_printed_around(each, self.program, code.source.path, at) or [] for each in leading]
        for module in self._collect_imported([each.code.source.path for each in leading]):
            if PRINTING.search(module.source.data) is not None:
                trace = Interpreter(self.program, BOUNDS, self.program.summaries).start(module.code, {}, State())
                found.append(startup.collect_printed(trace, self.program, by_known=True))
        yield from {act.text.span: act for acts in found for act in acts}.values()

    def _collect_imported(self, paths: list[str]) -> list[ScriptModule]:
        """Return the modules whose bodies run before those of others, which import them."""
        found = dict.fromkeys(paths)
        for path in (pending := list(found)):
            module = self._modules.by_path[path]
            others = (self._modules.resolve(name, path) for name in _iter_imported(module))
            new = [each.path for each in others if each is not None and each.path not in found]
            found |= dict.fromkeys(new)
            pending += new
        return [self._modules.by_path[each] for each in found if each not in paths]

    def _iter_traces(self) -> Iterator[Trace]:
        serving = [each for each in self._modules.iter_own() if self._signs.search(each.source.data) is not None]
        heights = dict.fromkeys((each.path for each in serving), 0)
        importers = self._collect_importers() if serving else {}
        for height in range(HIGHEST):
            for path in [path for path, known in heights.items() if known == height]:
                heights |= dict.fromkeys(importers.get(path, set()) - heights.keys(), height + 1)
        reached: set[tuple[str, int]] = set()
        for path in sorted(heights, key=lambda each: -heights[each]):
            yield from self._trace(self._modules.by_path[path].code, reached)
        for module in serving:
            for node in self._iter_around(module):
                if (module.path, node.start_byte) not in reached:
                    yield from self._trace(self.program.find_code_at(module.path, node), reached)

    def _trace(self, code: Code, reached: set[tuple[str, int]]) -> Iterator[Trace]:
        if code.kind == "module":
            self.program.hold(self._modules.by_path[code.source.path])
        trace = Interpreter(self.program, BOUNDS, self.program.summaries).start(code, {}, State())
        reached |= {(each.source.path, each.at.start) for each in trace.collect_codes()}
        yield trace

    def _iter_around(self, module: ScriptModule) -> Iterator[Node]:
        """Yield the outermost functions of a module in which something stands that may serve."""
        found: dict[int, Node] = {}
        for hit in self._signs.finditer(module.source.data):
            node = module.root.descendant_for_byte_range(*hit.span())
            above = (
                [each for each in iter_ancestors(node) if each.type in FUNCTIONS - CLASSES] if node is not None else []
            )
            if above:
                found[above[-1].start_byte] = above[-1]
        yield from found.values()

    def _collect_importers(self) -> dict[str, set[str]]:
        """Return the paths of the modules that import each module."""
        found: dict[str, set[str]] = {}
        for module in self._modules.iter_own():
            for name in (*_iter_imported(module), *_iter_loaded(module)):
                other = self._modules.resolve(name, module.path)
                if other is not None and other is not module:
                    found.setdefault(other.path, set()).add(module.path)
        return found


METHODS = frozenset({b"start"})
"""Methods that serve and of whose names many other things are called."""

STARTING = rb"\btransportType\b"
"""What stands where such a method is told what to serve."""


def _iter_imported(module: ScriptModule) -> Iterator[str]:
    yield from (each.module for each in module.imports.values())
    yield from module.bare_imports
    yield from (each.of.module for each in module.exports.values() if each.of is not None)
    yield from module.stars


def _iter_loaded(module: ScriptModule) -> Iterator[str]:
    return (each[1].decode("utf-8", "replace") for each in LOADED.finditer(module.source.data))
