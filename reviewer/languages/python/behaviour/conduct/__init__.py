"""What happens when a tool is called: its own function and those of the project that it calls, act by act."""

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from reviewer.behaviour.effects import KINDS, effects
from reviewer.code.ir import Site
from reviewer.facts import Act, ActKind, Acts, Lazy
from reviewer.languages.nodes import child
from reviewer.languages.python.behaviour.conduct.graph import LARGEST, Deed, Finder, Unit, Way, unit_at, ways
from reviewer.languages.python.behaviour.conduct.waiting import holds, waits
from reviewer.languages.python.behaviour.following import enclosing
from reviewer.languages.python.behaviour.responses.catching import Clause, of_layers
from reviewer.languages.python.behaviour.tracing import program_of, trace_of
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Function

FINDERS: tuple[tuple[Finder, frozenset[ActKind]], ...] = ((waits, frozenset({"waits"})),)
"""What finds acts, each with the kinds that it finds."""

ANSWERS: frozenset[ActKind] = frozenset({"succeeds in error"})
"""What is done by what answers a failure, and is no matter of the block that failed."""


def of_function(run: Evaluator, function: Function) -> Acts:
    """Give what a tool's function does."""
    shown = function.original()
    body = child(shown.node, "body")
    rescues = Lazy(lambda: of_layers(run, function))
    return of_block(run, shown.scope.module, body, rescues) if body is not None else Acts()


def of_block(run: Evaluator, module: Module, body: Node, rescues: Iterable[Clause] = ()) -> Acts:
    """Give what a block does that answers a tool or an action; `rescues` answer for it where it fails."""
    found = Lazy(lambda: _ways(run, module, body))

    def acts(kinds: frozenset[ActKind]) -> Iterator[Act]:
        if kinds & KINDS:
            yield from _effects(run, module, body, kinds)
        yield from _acts(run, found, [find for find, finds in FINDERS if finds & kinds])
        if kinds & ANSWERS:
            for each in rescues:
                yield from _effects(run, each.module, each.node, kinds & ANSWERS)

    return Acts(acts)


def _effects(run: Evaluator, module: Module, body: Node, kinds: frozenset[ActKind]) -> Iterator[Act]:
    function = enclosing(body)
    if function is not None and function.type == "function_definition":
        within = Site(body.start_byte, body.end_byte)
        for act in effects(trace_of(run, module, function), program_of(run), kinds, within):
            if act.kind != "prints" or not _runs_elsewhere(run, act):
                yield act


def _runs_elsewhere(run: Evaluator, act: Act) -> bool:
    """Return whether nothing can import the module of an act, and it serves nothing itself: as the plugin of an editor does."""
    module = run.modules.by_path.get(act.text.span.path)
    return module is not None and not module.parts[-1].isidentifier() and b".run(" not in module.source.data


def _ways(run: Evaluator, module: Module, body: Node) -> Iterator[Way]:
    run.start()
    return ways(unit_at(run, module, body))


def _acts(run: Evaluator, ways: Lazy[Way], finders: list[Finder]) -> Iterator[Act]:
    run.start()
    told: set[tuple[str, str, int]] = set()
    for way in ways:
        for deed in (deed for find in finders for deed in _deeds(way.unit, find)):
            key = (deed.kind, way.unit.module.path, deed.node.start_byte)
            if key not in told and way.comes_to(deed.node) and _counts(way, deed):
                told.add(key)
                through = tuple(unit.text_of(call.node) for unit, call in way.through)
                yield Act(deed.kind, way.unit.text_of(deed.node), through, deed.about)


def _deeds(unit: Unit, find: Finder) -> list[Deed]:
    """Read a unit once, however many tools lead there."""
    if find not in unit.deeds:
        unit.deeds[find] = list(find(unit)) if len(unit.text) <= LARGEST else []
    return unit.deeds[find]


def _counts(way: Way, deed: Deed) -> bool:
    """Tell whether something that a unit does holds on this way to it."""
    match deed.kind:
        case "blocks":
            return way.on_loop
        case "waits":
            return holds(way)
    return True
