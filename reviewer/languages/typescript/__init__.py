"""TypeScript and JavaScript source → facts, by evaluating the code that declares tools symbolically. Nothing of it runs."""

from collections.abc import Iterator
from dataclasses import replace

from reviewer.facts import Ignore, Project
from reviewer.failures import contained, iter_until_failure
from reviewer.files.discovery import Tree, is_aside
from reviewer.languages import ignores
from reviewer.languages.nodes import (
    NOT_UNDERSTOOD,
    choose_script_grammar,
    find_descendants,
    find_first_error,
    iter_next_siblings,
    locate_text,
)
from reviewer.languages.typescript import behaviour
from reviewer.languages.typescript.declarations.conventions import find_by_convention
from reviewer.languages.typescript.declarations.releases import Releases
from reviewer.languages.typescript.declarations.sdk import SIGNS, Survey
from reviewer.languages.typescript.declarations.servers import ServerReader
from reviewer.languages.typescript.declarations.uncalled import evaluate_modules
from reviewer.languages.typescript.evaluation.project_evaluator import ProjectEvaluator, cut_opaque
from reviewer.languages.typescript.project.modules import Modules, ScriptModule
from reviewer.progress import Progress, ignore_progress
from reviewer.source import Opaque

IGNORED = b"mcp-review:"
BUNDLE = "a bundle of many files, which is not read; review the source that it was built from"


def read(tree: Tree, sdk: dict[str, str] | None = None, progress: Progress = ignore_progress) -> Project:
    """Read every server in TypeScript or JavaScript in the tree. `sdk` are versions that the caller says, by package."""
    modules, found = Modules(tree), Survey()
    run = ProjectEvaluator(modules, found.answer_call)
    evaluate_modules(run, found, progress)
    find_by_convention(run, found)
    servers = ServerReader(run, found, Releases(modules, sdk or {})).read()
    project = Project(servers=servers)
    with contained("not reviewed: what the code does"):
        project = behaviour.read(run, modules, found, servers)
    parsed = [each for each in modules.iter_own() if SIGNS.search(each.source.data) is not None]
    return replace(
        project,
        ignores=tuple(each for module in modules.iter_own() for each in _iter_ignores(module)),
        broken=(
            *(opaque for module in parsed for opaque in _collect_broken(module)),
            *(cut_opaque(place) for place in run.cut.values()),
            *(() if servers else _iter_bundles(modules)),
        ),
    )


def _iter_ignores(module: ScriptModule) -> Iterator[Ignore]:
    if IGNORED not in module.source.data:
        return iter(())
    failing = "suppressions were not read"
    return iter_until_failure(lambda: _iter_suppressions(module), failing, module.source.find_line_span(1))


def _iter_suppressions(module: ScriptModule) -> Iterator[Ignore]:
    """Yield the comments that suppress findings: of the line they end, or of the statement they stand over."""
    for node in find_descendants(module.root, choose_script_grammar(module.path), "comment"):
        comment = locate_text(module.source, node)
        told = ignores.parse(comment)
        if told is None:
            continue
        line = module.source.data[: node.start_byte].rpartition(b"\n")[2]
        covers = comment.span
        if not line.strip():
            following = next((each for each in iter_next_siblings(node) if each.type != "comment"), None)
            covers = module.locate(following) if following is not None else covers
        yield Ignore(told[0], told[1], comment.span, covers)


def _iter_bundles(modules: Modules) -> Iterator[Opaque]:
    """Yield the files that may hold a server and that no person wrote: its source is elsewhere."""
    for each in modules.bundles:
        if not is_aside(each.path) and SIGNS.search(each.data) is not None:
            yield Opaque(BUNDLE, each.find_line_span(1))


def _collect_broken(module: ScriptModule) -> list[Opaque]:
    error = find_first_error(module.root)
    return [Opaque(NOT_UNDERSTOOD, module.locate(error))] if error is not None else []
