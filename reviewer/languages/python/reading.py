"""The files of a tree → the Python servers in them, what their code does, and what of it could not be read."""

from collections.abc import Iterator
from dataclasses import fields, replace

from reviewer.budget import REASONS
from reviewer.facts import Ignore, Project
from reviewer.failures import Unreviewed, contained, iter_until_failure
from reviewer.files.discovery import Tree
from reviewer.languages.nodes import NOT_UNDERSTOOD, find_first_error
from reviewer.languages.python import behaviour
from reviewer.languages.python.declarations import by_hand, listings, providers, survey
from reviewer.languages.python.declarations.former import without_former
from reviewer.languages.python.declarations.releases import Releases
from reviewer.languages.python.declarations.servers import ServerReader, without_lost
from reviewer.languages.python.evaluation.amounts import TOO_LARGE
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.project_evaluator import ProjectEvaluator
from reviewer.languages.python.project import comments
from reviewer.languages.python.project.modules import Modules, PyModule
from reviewer.languages.python.project.reach import ImportReach
from reviewer.progress import Progress, Stage, ignore_progress, iter_with_progress
from reviewer.source import Opaque, Text


def read_servers(tree: Tree, sdk: dict[str, str] | None = None, progress: Progress = ignore_progress) -> Project:
    """Read every Python server in the tree. `sdk` are versions that the caller says, by distribution."""
    modules = Modules(
        tree.select_suffix(".py"),
        is_project=any("/" not in name for name in tree.manifests if not name.endswith(".json")),
        root=tree.root,
    )
    seeds = _collect_seeds(modules)
    seeds += survey.note_users(modules, seeds)
    run = ProjectEvaluator(modules, tree)
    reach = ImportReach(modules, tree.manifests, run.dynamic)
    reader = ServerReader(run, Releases(tree.list_installed, tree.manifests, sdk or {}), reach, progress)
    run.read_tool = reader.read_registration
    for module in iter_with_progress(seeds, Stage.READING_PYTHON_FILES, progress):
        run.start()
        run.evaluate_module(module)
    survey.enter_uncalled(run, seeds)
    providers.search(run)
    listings.resolve(run)
    seeds += [each for each in by_hand.resolve(run) if each not in seeds]
    servers, lost = without_lost(without_former(run, reader.read()))
    project = Project(servers=servers)
    with contained("not reviewed: what the code does"):
        project = behaviour.read(run, seeds, servers)
    parsed = [module for module in modules.by_path.values() if module.is_parsed]
    return replace(
        project,
        registration_pitfalls=(*project.registration_pitfalls, *lost),
        ignores=tuple(ignore for module in parsed for ignore in _iter_ignores(module)),
        broken=(
            *(opaque for module in parsed for opaque in _collect_broken(module)),
            *_cut(run),
            *_iter_oversized_parts(project),
        ),
    )


def _cut(run: Evaluator) -> Iterator[Opaque]:
    """Name where bounds ended evaluations; in a file that declares tools or servers more of them may be missing."""
    declaring = {each.module.path for each in run.registrations} | {each.span.path for each in run.servers}
    for (path, resource), at in run.cut.items():
        kind = Unreviewed if resource == "steps" and path in declaring else Opaque
        yield kind(f"{REASONS[resource]}; what is declared later may be missing", at)


def _iter_oversized_parts(project: Project) -> Iterator[Opaque]:
    """Name the parts of tools that are too large to be made: nothing but their size keeps them from being reviewed."""
    for tool in (tool for server in project.servers for tool in server.tools):
        for part in fields(tool):
            value = getattr(tool, part.name)
            if isinstance(value, Opaque) and value.reason == TOO_LARGE:
                name = f"`{tool.name}`" if isinstance(tool.name, Text) else "a tool"
                yield Opaque(f"the {part.name.replace('_', ' ')} of {name} is {TOO_LARGE}", value.span)


def _iter_ignores(module: PyModule) -> Iterator[Ignore]:
    return iter_until_failure(
        lambda: comments.iter_suppressions(module), "suppressions were not read", module.source.find_line_span(1)
    )


def _collect_seeds(modules: Modules) -> list[PyModule]:
    return [module for module in modules.by_path.values() if module.may_declare]


def _collect_broken(module: PyModule) -> list[Opaque]:
    error = find_first_error(module.root)
    return [Opaque(NOT_UNDERSTOOD, module.locate(error))] if error is not None else []
