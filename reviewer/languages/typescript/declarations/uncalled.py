"""Evaluates what declares tools: the modules with a part in it, and the functions in them whose callers are not seen."""

import re
from collections.abc import Iterator

from reviewer.code import ir
from reviewer.failures import contained
from reviewer.languages.typescript.declarations.sdk import DECLARING, SIGNS, Survey, find_any_server
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.values import (
    Cls,
    Env,
    Func,
    Obj,
    TsMade,
    TsPlace,
    TsUnknown,
    TsValue,
    strip_conditions,
)
from reviewer.languages.typescript.project.modules import Modules, ScriptModule
from reviewer.progress import Progress, Stage, iter_with_progress

NOBODY = "no call of its function was found"
HIGHEST = 4
"""How many callers are climbed from a function that declares tools."""

MOST_WAITING = 500
"""How many functions passed to unseen code are run for what they declare. 40 servers had up to 219."""


class _UncalledRuns:
    """Runs functions without a known caller; one that declares tools again for each of the surroundings that it was made in."""

    def __init__(self, run: Evaluator, found: Survey, paths: frozenset[str]) -> None:
        self._run, self._found, self._paths = run, found, paths
        self._declaring: dict[ir.Code, list[Env]] = {}

    def is_due(self, value: "Func | Cls") -> bool:
        """Return whether a function was not run yet, or declared tools when it was run as another closure."""
        if value.code not in self._run.entered:
            return True
        known = self._declaring.get(value.code)
        return known is not None and value.env not in known

    def enter(self, value: "Func | Cls") -> None:
        """Run a function with arguments that are not seen, and what it hands on; note whether that declared tools."""
        before, since = self._count(), len(self._run.waiting)
        with contained("a function was not evaluated", _place(value).span):
            _enter(self._run, value)
        self.run_waiting(since)
        if self._count() > before:
            self._declaring.setdefault(value.code, []).append(value.env)

    def _count(self) -> int:
        return len(self._found.registrations) + len(self._found.listings)

    def run_waiting(self, since: int = 0) -> None:
        """Run the functions that were passed to unseen code, from one of them on."""
        for _ in range(MOST_WAITING):
            if len(self._run.waiting) <= since:
                return
            function, conditions = self._run.waiting.pop(since)
            if function.code.source.path in self._paths and self.is_due(function):
                with self._run.with_conditions(conditions):
                    self.enter(function)


def evaluate_modules(run: Evaluator, found: Survey, progress: Progress) -> None:
    """Evaluate the modules that take part in declaring tools, and the functions in them without a known caller."""
    seeds = collect_seeds(run.modules)
    for module in iter_with_progress(seeds, Stage.READING_TYPESCRIPT_FILES, progress):
        with contained("a file was not evaluated", module.source.find_line_span(1)):
            run.evaluate_module(module)
    runs = _UncalledRuns(run, found, frozenset(each.path for each in seeds))
    runs.run_waiting()
    for value in _iter_uncalled(run, seeds):
        is_dead = bool(found.registrations or found.listings) and _takes_server(value)
        if runs.is_due(value) and not is_dead:
            runs.enter(value)


def collect_seeds(modules: Modules) -> list[ScriptModule]:
    """Return the modules that have a part in declaring tools, and those that import one of these."""
    own = list(modules.iter_own())
    seeds = {each.path: each for each in own if SIGNS.search(each.source.data) is not None}
    rest = [each for each in own if each.path not in seeds] if seeds else []
    grown = True
    while grown:
        grown = False
        for each in list(rest):
            imported = (one.module for one in each.imports.values())
            found = (modules.resolve(name, each.path) for name in (*imported, *each.bare_imports, *each.stars))
            if any(one is not None and one.path in seeds for one in found):
                seeds[each.path] = each
                rest.remove(each)
                grown = True
    return [each for each in own if each.path in seeds]


def _read_source(value: "Func | Cls") -> bytes:
    at = value.code.at
    return value.code.source.data[at.start : at.end]


def _iter_uncalled(run: Evaluator, seeds: list[ScriptModule]) -> Iterator["Func | Cls"]:
    """Yield the functions and classes of modules that lead to declarations, those first that lead to others.

    A closure that a module gives away holds what is around it: it comes before functions that are called with nothing known.
    """
    named = [
        (name, each)
        for module in seeds
        for name, value in _iter_named(run, module)
        for each in _iter_functions(value, module)
    ]
    yield from (each for _, each in named if _is_closure(each) and DECLARING.search(each.code.source.data) is not None)
    levels = [[(name, each) for name, each in named if DECLARING.search(_read_source(each)) is not None]]
    known = {each.code for _, each in levels[0]}
    for _ in range(HIGHEST):
        names = {name.encode() for name, _ in levels[-1] if name.isidentifier()}
        if not names:
            break
        calling = re.compile(rb"\b(?:" + b"|".join(sorted(names)) + rb")\b")
        level = [(name, each) for name, each in named if each.code not in known and calling.search(_read_source(each))]
        known |= {each.code for _, each in level}
        levels.append(level)
    for level in reversed(levels):
        yield from (each for _, each in level)


def _iter_named(run: Evaluator, module: ScriptModule) -> Iterator[tuple[str, TsValue]]:
    held = run.evaluate_module(module).held
    for name, variable in module.code.scope.variables.items():
        if variable in held:
            yield name, held[variable]


def _iter_functions(value: TsValue, module: ScriptModule, deep: int = 3) -> "Iterator[Func | Cls]":
    """Yield the functions that a value is or holds: those of the module, and closures that a call gave to it."""
    value = strip_conditions(value)
    if isinstance(value, Func | Cls):
        if value.code.source is module.source or _is_closure(value):
            yield value
    elif isinstance(value, Obj) and deep:
        for each in list(value.entries.values()):
            yield from _iter_functions(each, module, deep - 1)


def _is_closure(value: "Func | Cls") -> bool:
    """Return whether a function was made by a call of another."""
    return isinstance(value, Func) and value.env.around is not None


def _takes_server(value: "Func | Cls") -> bool:
    """Return whether a function receives a server: if the project creates one, no caller is needed to pass it."""
    code = value.code if isinstance(value, Func) else value.code.made
    return code is not None and any(isinstance(each, TsMade) for each in build_unseen_arguments(code))


def _enter(run: Evaluator, value: "Func | Cls") -> None:
    if isinstance(value, Func):
        run.call(value, build_unseen_arguments(value.code), value.place)
        return
    methods = [
        each for each in value.members.values() if isinstance(each, Func) and DECLARING.search(_read_source(each))
    ]
    own = value.code.made
    if all(each.code in run.entered for each in methods) and (own is None or own in run.entered):
        return
    made = run.make(value, build_unseen_arguments(own) if own is not None else [], _place(value))
    for each in methods:
        if each.code.role == "method" and each.code not in run.entered:
            bound = Func(each.code, each.env, None if each.code.is_static else made, each.home)
            run.call(bound, build_unseen_arguments(each.code), bound.place)


def _place(value: "Func | Cls") -> TsPlace:
    return TsPlace(value.code.source, value.code.at)


def build_unseen_arguments(code: ir.Code) -> list[TsValue]:
    """Return the arguments of a function without a known caller: a server, by the type of the parameter."""
    found: list[TsValue] = []
    for each in code.parameters:
        if each.kind != "receiver":
            server = find_any_server(each.type.text, code.source.data) if each.type is not None else None
            found.append(server if server is not None else TsUnknown(NOBODY))
    return found
