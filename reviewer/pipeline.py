"""A path → a Report: every arrow of the data flow, in order."""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reviewer import config, engine, languages
from reviewer.budget import Budget, ExhaustedError, spending
from reviewer.caching import cache
from reviewer.config import Flags, FoundConfiguration, Settings, settle_each, settle_outcome
from reviewer.detection import Detection, Homes, detect_profiles
from reviewer.facts import Project
from reviewer.facts.tools import UNLISTED
from reviewer.failures import Unreviewed, collected, contained
from reviewer.files.discovery import (
    DOCUMENTS,
    INSTEAD,
    LARGEST,
    NAMES,
    SUFFIXES,
    TESTS,
    CannotReviewError,
    Tree,
    build_file_tree,
    discover_files,
    is_aside,
)
from reviewer.files.storage import Storage
from reviewer.installation.extras import require
from reviewer.judge import GivesGrades, Judge, Recalls
from reviewer.judge.settings import JudgeSettings
from reviewer.kept_reviews import KeptReview, Place, find_kept_review
from reviewer.languages import unread, unread_tools, vendored
from reviewer.maturity import count_judged, score_project
from reviewer.progress import Progress, ignore_progress
from reviewer.records import dataclass
from reviewer.report.groups import group_by_cause
from reviewer.report.model import Finding, Maturity, Report, SectionReport, ServerReport, Setting
from reviewer.report.relocation import find_path_from_here, find_way, relocate_places
from reviewer.source import Opaque, Span, Text
from reviewer.text.excerpts import format_count
from reviewer.text.patterns import pattern

if TYPE_CHECKING:
    from reviewer.compare.changes import ReviewSide, Since
    from reviewer.inputs.live_target import LiveTarget
    from reviewer.suggestions.descriptions import Heard


@dataclass(frozen=True, slots=True)
class ProjectReading:
    """What was read under a path, the configuration that holds there, and the lines of each file that was read.

    `tree` holds the files, if there are any: a live server has none; `folder` is where the path lies in its repository, empty
    if it is the top, or in none. `budget` is what is left for all that is read of it from now on. `kept` is what a review of
    the same came to: then nothing but files was read, and the project is empty. `place` is where it will be kept.
    """

    project: Project
    found: FoundConfiguration
    lines: engine.ReadLines = lambda _path: []
    tree: Tree | None = None
    folder: str = ""
    budget: Budget = field(default_factory=lambda: Budget.from_size(0))
    kept: KeptReview | None = None
    place: Place | None = None

    @property
    def broken(self) -> tuple[Opaque, ...]:
        """What could not be read so far: some files are read only when a rule asks for what stands in them."""
        named = {each.span.path for each in self.project.broken}
        later = self.tree.gaps.items() if self.tree is not None else ()
        return (*self.project.broken, *(gap for path, gap in later if path not in named))

    @property
    def files(self) -> frozenset[str]:
        """The files that were read, and those of which it is said that they were not."""
        return frozenset(
            (*(self.tree.sources if self.tree is not None else ()), *(each.span.path for each in self.broken))
        )

    def read_code(self, span: Span) -> str:
        """Return the lines of a place as they stand in the source."""
        return "\n".join(self.lines(span.path)[span.line - 1 : span.end_line])


@dataclass(frozen=True, slots=True)
class Oversight:
    """Where the files of a change are read, and the configuration that holds there if it is not the change's own."""

    found: FoundConfiguration | None
    storage: Storage


def read(
    path: Path, flags: Flags | None = None, progress: Progress = ignore_progress, oversight: Oversight | None = None
) -> ProjectReading:
    """Read the servers under `path`, or find what a review of them came to.

    Raises CannotReviewError if there is nothing to review.
    """
    flags = flags or Flags()
    found = oversight.found if oversight else None
    found = found or config.find_configuration(path if path.is_dir() else path.parent, flags)
    if path.suffix in DOCUMENTS and path.is_file():
        from reviewer.inputs import documents

        tree = Tree(path.parent)
        tree.sources[path.name] = documents.load(path)
        kept, place = find_kept_review(tree, found, flags)
        reading = _build_kept_reading(tree, found, kept) if kept else read_tree(tree, found, flags, path)
        return replace(reading, folder=find_folder(path), place=place)
    own, storage = found.configuration, oversight.storage if oversight else None
    tree = discover_files(path, own.exclude, tests=own.include_tests, progress=progress, storage=storage)
    kept, place = find_kept_review(tree, found, flags)
    if kept is not None:
        return replace(_build_kept_reading(tree, found, kept), folder=find_folder(path))
    reading = read_tree(tree, found, flags, path, progress)
    if is_nothing(reading.project) and not has_gaps(reading.project):
        raise CannotReviewError(_describe_nothing_found(path, tree, reading))
    others = (each.opaque for each in unread.find_servers(tree))
    placed = {path for path, _ in engine.list_named_owners(reading.project)}
    broken = (
        *reading.project.broken,
        *others,
        *vendored.iter_notes(tree, placed),
        *unread_tools.iter_notes(reading.project),
    )
    return replace(reading, folder=find_folder(path), project=replace(reading.project, broken=broken), place=place)


def _build_kept_reading(tree: Tree, found: FoundConfiguration, kept: KeptReview) -> ProjectReading:
    return ProjectReading(Project(), found, _build_line_reader(tree), tree, kept=kept)


def read_text(path: Path, data: bytes, flags: Flags) -> ProjectReading:
    """Read one file as `read` does, but with a text that need not be on the disk.

    Raises CannotReviewError if there is nothing to review.
    """
    found = config.find_configuration(path.parent, flags)
    tree = build_file_tree(path, data)
    reading = read_tree(tree, found, flags, path)
    if is_nothing(reading.project) and not has_gaps(reading.project):
        raise CannotReviewError(_describe_nothing_found(path, tree, reading))
    return replace(reading, folder=find_folder(path))


def read_tree(
    tree: Tree, found: FoundConfiguration, flags: Flags, named: Path | str, progress: Progress = ignore_progress
) -> ProjectReading:
    """Read the servers in a tree, of which there may be none, or the tool definitions that it consists of.

    Raises CannotReviewError for code that leads too deep, and for a document that holds no tools.
    """
    budget = Budget.from_size(tree.size)
    with bounded(named), spending(budget), collected() as failures:
        if tree.document is not None:
            from reviewer.inputs import definitions

            project = definitions.read_source(tree.document, str(named))
        else:
            project = languages.read(tree, {**found.configuration.sdk, **flags.sdk}, progress)
    project = replace(project, broken=(*project.broken, *failures.all, *found.unopened))
    return ProjectReading(project, found, _build_line_reader(tree), tree, budget=budget)


def _build_line_reader(tree: Tree) -> engine.ReadLines:
    def read_lines(name: str) -> list[str]:
        return split_lines(tree.sources[name].data) if name in tree.sources else []

    return read_lines


def find_folder(path: Path) -> str:
    """Return where the folder of a path lies in its repository, or below the current folder if it is in none."""
    root = (path if path.is_dir() else path.parent).resolve()
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None) or Path().resolve()
    return root.relative_to(top).as_posix() if top in root.parents else ""


def is_nothing(project: Project) -> bool:
    """Return whether there is no server to review."""
    return not (project.servers or project.catalogs or project.guards)


def has_gaps(project: Project) -> bool:
    """Return whether something was left unreviewed, which the report then names: no tool may be found because of it."""
    return any(isinstance(each, Unreviewed) for each in project.broken)


def split_lines(data: bytes) -> list[str]:
    """Return the lines of a file."""
    return data.decode("utf-8", "replace").split("\n")


@contextmanager
def bounded(path: Path | str) -> Iterator[None]:
    """Say in one line that code leads deeper than Python's own stack, or is more work than a review may do."""
    try:
        yield
    except ExhaustedError as error:
        raise CannotReviewError(f"{path}: {error.reason}; exclude the file in question") from None
    except BaseException as error:
        # A native library panics where the stack ends within it; that is no Exception, and its type cannot be imported.
        if not isinstance(error, RecursionError) and type(error).__name__ != "PanicException":
            raise
        raise CannotReviewError(
            f"{path}: code that leads too deep to be followed; exclude the file in question"
        ) from None


def read_live(
    target: "LiveTarget",
    flags: Flags,
    path: Path | None = None,
    *,
    in_ci: bool = False,
    progress: Progress = ignore_progress,
) -> ProjectReading:
    """Ask a live server for its tools; with a path, read its source and compare the two.

    Raises CannotReviewError if the server does not answer, there is nothing to review under the path, or what speaks with
    servers is not installed.
    """
    require("live", "--live")
    from reviewer.compare.drift import find_drifts
    from reviewer.inputs import live

    reading = (
        read(
            path, replace(flags, cached=False), progress
        )  # what the server answers is no part of what is kept by files
        if path is not None
        else ProjectReading(Project(), config.find_configuration(Path(), flags))
    )
    with collected() as failures:
        answer = live.read(target, in_ci)
    answer = replace(answer, broken=(*answer.broken, *failures.all))
    if path is None:
        return ProjectReading(answer, reading.found)
    with bounded(path):
        found = find_drifts(reading.project, answer)
    broken = (*reading.project.broken, *answer.broken)
    return replace(reading, project=replace(reading.project, drifts=found, broken=broken))


def _describe_nothing_found(path: Path, tree: Tree, reading: ProjectReading) -> str:
    other = unread.explain_unread(tree)
    if other:
        return f"{path}: no MCP server found: {other}"
    searched = [name for name in tree.sources if not is_aside(name)]
    left, language = _describe_left_out(tree, speaking=bool(searched)), unread.find_main_language(tree)
    if left and not searched:
        return f"{path}: no MCP server found: {left}"
    counts = Counter(NAMES[SUFFIXES[os.path.splitext(name)[1]]] for name in searched)
    files = " and ".join(format_count(count, f"{each} file") for each, count in sorted(counts.items()))
    absent = f"no Python, Rust or TypeScript file {'that can be read' if reading.broken else 'there'}"
    looked = f"{files or absent}{f', and {language} is not read yet' if language else ''}"
    broken = "".join(
        f"; {find_path_from_here(each.span.path, tree.root)}: {relocate_places(each.reason, reading.files, find_way(tree.root))}"
        for each in reading.broken[:1]
    )
    return (
        f"{path}: no MCP server found ({looked}; looked for FastMCP, MCPServer, McpServer and Server objects, rmcp and"
        " rust-mcp-sdk tools, Tool implementations, action catalogs and answers to `tools/list`"
        f"{broken}){f'; {left}' if left else ''}"
    )


def _describe_left_out(tree: Tree, *, speaking: bool) -> str:
    """Say which sources are left out, and how they are reviewed; empty if none is, or if none speaks of MCP and should."""
    left = [
        each
        for each in tree.iter_excluded_sources()
        if not speaking or b"mcp" in tree.read_bytes(each[0], LARGEST).lower()
    ]
    if not left:
        return ""
    (first, why), more = left[0], len(left) - 1
    named = f"{find_path_from_here(first, tree.root)}{f' and {more} more' if more else ''} {'are' if more else 'is'} left out"
    remedy = "set `include-tests = true`" if why == TESTS else "name that folder itself"
    return f"{named} ({why}); {remedy} to review {'them' if more else 'it'}"


@dataclass(frozen=True, slots=True)
class Before:
    """What a reading is compared with: how it is named, and how to read it.

    `is_same` tells whether everything that was read by now is the same on both sides, `oversees` whether the base decides what is
    reviewed, and how.
    """

    since: "Since"
    read: Callable[[], ProjectReading]
    is_same: Callable[[], bool]
    oversees: bool = False


def run_rules(
    reading: ProjectReading,
    flags: Flags,
    opener: "JudgeOpener | None" = None,
    before: Before | None = None,
    progress: Progress = ignore_progress,
) -> tuple[Report, Settings]:
    """Check what was read against the rules that the settings choose; with a base, say what was introduced since.

    Who judges is what the settings appoint, unless `opener` opens another. The settings hold for both sides.
    What a review of the same came to is taken if that was found.
    Raises CannotReviewError if there is a server and nothing of it can be read: a clean report over nothing is no review.
    """
    if reading.kept is not None:
        return _recall(reading, reading.kept, flags)
    _require_tools(reading)
    ruling, before = _decide_profiles(reading, flags, before)
    settings, reign = settle_each(reading.found, flags, ruling.profiles), ruling.build_reign(ruling.profiles)
    with (
        bounded("this server"),
        spending(reading.budget),
        (opener or open_judge)(settings.judge, reading.read_code) as judge,
        collected() as failures,
    ):
        checked = engine.Checked()  # some facts are read only when a rule asks for them
        earlier = None
        with contained("the base of the comparison was not reviewed"):
            earlier = _review_base(reading, settings, checked, before, judge, ruling) if before is not None else None
        heard = _collect_heard(judge) if settings.judge.rewrites and judge is not None else None
        sections = engine.examine(
            reading.project, settings.chosen, checked, heard or judge, reading.lines, progress, settings.left_out, reign
        )
        scored = Maturity(None, None, "not computed")
        if flags.scores:
            with contained("the maturity score was not computed"):
                scored = score_project(reading.project, checked, progress)
                grading: object = judge
                if isinstance(grading, GivesGrades):
                    scored = count_judged(scored, (each for part in sections for each in part.findings), grading.grades)
        broken = (*reading.broken, *failures.all, *failures.notes)
        report = Report(
            settings.profile,
            ruling.because,
            sections,
            sum(len(server.tools) for server in reading.project.servers),
            broken,
            scored,
            folder=reading.folder,
            root=reading.tree.root if reading.tree is not None else None,
            unread=_list_unread(reading, earlier, before),
            unwatched=before.since.unwatched if before is not None else (),
            files=reading.files,
            servers=_describe_servers(ruling, reading),
        )
        if before is not None and earlier is not None:
            from reviewer.compare.changes import compare_reports
            from reviewer.compare.comparability import digest_grounds

            side = replace(_build_side(sections, reading), broken=broken)
            report = compare_reports(report, earlier, side, before.since)
            report = replace(
                report, checked=digest_grounds(settings, reading.found, flags, sections, before.since.scope)
            )
        if heard is not None:
            from reviewer.suggestions.descriptions import Review, rewrite_descriptions

            review = Review(reading.project, settings.chosen, checked, reading.lines, reign)
            with contained("the proposed descriptions were not written"):
                report = rewrite_descriptions(report, review, heard)
    report = group_by_cause(replace(report, broken=(*reading.broken, *failures.all, *failures.notes)))
    if reading.place is not None:
        reading.place.keep(KeptReview(report, tuple(settings.slugs)), reading.budget)
    return report, settings


def _recall(reading: ProjectReading, kept: KeptReview, flags: Flags) -> tuple[Report, Settings]:
    """Return the report that was kept, as if it had been made now, and the settings without the rules, which have run."""
    root = reading.tree.root if reading.tree is not None else None
    settings = replace(settle_outcome(reading.found, flags), profile=kept.report.profile, ran=kept.ran)
    return replace(kept.report, root=root, folder=reading.folder), settings


def _collect_heard(judge: Judge) -> "Heard":
    from reviewer.suggestions.descriptions import Heard

    return Heard(judge)


def _review_base(
    reading: ProjectReading,
    settings: Settings,
    checked: engine.Checked,
    before: Before,
    judge: Judge | None,
    ruling: Detection,
) -> "ReviewSide":
    """Review the base. Where nothing that was read differs it is what is reviewed, and is not read twice."""
    engine.examine(reading.project, settings.chosen, checked)  # reads all that will be read
    if before.is_same():
        return _review_side(reading, settings, checked, judge, ruling)
    with bounded(f"the base {before.since.base}"):
        return _review_side(before.read(), settings, engine.Checked(), judge, ruling)


def _build_side(sections: tuple[SectionReport, ...], reading: ProjectReading) -> "ReviewSide":
    from reviewer.compare.changes import ReviewSide

    project = reading.project
    return ReviewSide(sections, reading.lines, engine.list_named_owners(project), reading.broken, project.ignores)


def _list_unread(reading: ProjectReading, earlier: "ReviewSide | None", before: Before | None) -> tuple[str, ...]:
    """Name the files of which not all was read: those that were left out, and those that are broken, or were not at the base.

    So are those of the base whose code the change moved to where nothing is read.
    """
    sources = reading.tree.sources if reading.tree is not None else {}
    known = {(each.span.path, each.reason) for each in earlier.broken} if earlier is not None else set()
    broken = (each.span.path for each in reading.broken if (each.span.path, each.reason) not in known)
    missing = (each.span.path for each in reading.broken if each.span.path not in sources)
    moved = (
        (path for each in before.since.altered.moved for path in (each.was, each.path)) if before is not None else ()
    )
    return tuple(
        sorted({*(reading.tree.skipped if reading.tree is not None else ()), *broken, *missing, *filter(None, moved)})
    )


def _review_side(
    reading: ProjectReading, settings: Settings, checked: engine.Checked, judge: Judge | None, ruling: Detection
) -> "ReviewSide":
    recalling = judge.build_base_judge(reading.read_code) if isinstance(judge, Recalls) else None
    with spending(reading.budget), collected() as failures:
        reign = detect_profiles(reading.project).with_profiles_of(ruling).build_reign(ruling.profiles)
        sections = engine.examine(reading.project, settings.chosen, checked, recalling, reading.lines, reign=reign)
    side = _build_side(sections, reading)
    return replace(side, broken=(*side.broken, *failures.all, *failures.notes))


LONGEST_EXCERPT = 10
"""Lines of a place that a report shows."""


def add_excerpts(report: Report, reading: ProjectReading) -> Report:
    """Return for each finding the first lines of its place, as they stand in the source."""

    def add_excerpt(finding: Finding) -> Finding:
        span = finding.span
        return replace(finding, excerpt=tuple(lines(span.path)[span.line - 1 : span.end_line][:LONGEST_EXCERPT]))

    lines = cache(reading.lines)
    sections = (replace(part, findings=tuple(map(add_excerpt, part.findings))) for part in report.sections)
    return replace(report, sections=tuple(sections))


JudgeOpener = Callable[[JudgeSettings, Callable[[Span], str]], AbstractContextManager[Judge | None]]
"""Opens a judge, or none, who may look at the source for as long as the context lasts."""


def open_judge(
    judge_settings: JudgeSettings,
    code: Callable[[Span], str],
    tell: Callable[[str], None] = lambda _line: None,
    *,
    shows: bool = False,
) -> AbstractContextManager[Judge | None]:
    """Open the judge that is appointed. Raises CannotReviewError if the settings cannot be kept."""
    settled = judge_settings.resolve_auto()
    if settled.name == "none":
        return nullcontext()
    from reviewer.judge.session import build_session  # loads what checks replies, a tenth of a second

    return build_session(settled, tell, shows=shows)(code)


def score_definitions(reading: ProjectReading) -> Maturity:
    """Score the tool definitions that were read. Raises CannotReviewError if there is a server and no tool of it can be read."""
    _require_tools(reading)
    with bounded("this server"), spending(reading.budget):
        return score_project(reading.project)


def _require_tools(reading: ProjectReading) -> None:
    project = reading.project
    if any(server.tools for server in project.servers) or project.catalogs or project.guards or has_gaps(project):
        return
    hidden = [opaque for server in project.servers for opaque in server.unreadable]
    where, why = (hidden[0].span, hidden[0].reason) if hidden else (project.servers[0].span, "it declares none")
    place = reading.tree.root / where.path if reading.tree is not None else where.path
    remedy = f"; {INSTEAD}" if reading.tree is not None else ""
    why = "" if why == UNLISTED else f": {why}"
    raise CannotReviewError(f"{place}:{where.line}: no tool of this MCP server can be read{why}{remedy}")


def _decide_profiles(reading: ProjectReading, flags: Flags, before: Before | None) -> tuple[Detection, Before | None]:
    """Decide which profile holds for each server: the one that is asked for, else the one that its code calls for."""
    found, configured = detect_profiles(reading.project), reading.found.configuration.profile
    if flags.profile:
        return found.with_profile(flags.profile, "--profile"), before
    if configured:
        return found.with_profile(
            configured, f"set in {reading.found.file.name}" if reading.found.file else "set"
        ), before
    return _detect_profiles_before(found, before) if before is not None and before.oversees else (found, before)


def _detect_profiles_before(found: Detection, before: Before) -> tuple[Detection, Before]:
    """Detect the profiles at the base, if there is a server; a change of one is an alteration of the review."""
    project = Project() if before.is_same() else before.read().project
    then, at_base = detect_profiles(project), f", at the base {before.since.base}"
    if is_nothing(project):
        return found, before
    kept = found.with_profiles_of(then, at_base)
    if len(then.profiles) == 1 and found.profiles != then.profiles:
        kept = found.with_profile(then.profiles[0], then.because + at_base)
    if [each.profile for each in kept.fits] == [each.profile for each in found.fits]:
        return found, before
    altered = before.since.altered
    old, new = (f'"{", ".join(each.profiles)}"' for each in (kept, found))
    setting = Setting("profile (detected)", old, new)
    since = replace(before.since, altered=replace(altered, settings=(*altered.settings, setting)))
    return kept, replace(before, since=since)


IMPORTING = pattern(rb"^[ \t]*(?:from|import|(?:pub )?use)\b([^;\n]*)", re.MULTILINE)
"""A line that imports, with what it names."""


def _find_shared_files(
    files: dict[int, set[str]], loose: set[str], reading: ProjectReading
) -> defaultdict[int, frozenset[str]]:
    """Return for each server the files near to none that its own import: what a library does, each of its servers does."""
    found: defaultdict[int, frozenset[str]] = defaultdict(frozenset)
    if not loose or reading.tree is None:
        return found
    imported = {number: _collect_imports(own, reading.tree) for number, own in files.items()}
    for path in sorted(loose):
        module = path.rpartition(".")[0].removesuffix("/__init__").removesuffix("/mod").rpartition("/")[2]
        folder = path.rpartition("/")[0].removesuffix("/src").rpartition("/")[2].replace("-", "_") or module
        naming = re.compile(rb"\b(?:" + b"|".join(re.escape(name.encode()) for name in (module, folder)) + rb")\b")
        for number, lines in imported.items():
            if naming.search(lines[path[path.rfind(".") :]]):
                found[number] |= {path}
    return found


def _collect_imports(paths: set[str], tree: Tree) -> defaultdict[str, bytes]:
    """Return the imports of a server's files, a line each, by the files' suffixes."""
    lines: defaultdict[str, list[bytes]] = defaultdict(list)
    for path in paths & tree.sources.keys():
        lines[path[path.rfind(".") :]] += IMPORTING.findall(tree.sources[path].data)
    return defaultdict(bytes, {kind: b"\n".join(dict.fromkeys(found)) for kind, found in lines.items()})


def _describe_servers(ruling: Detection, reading: ProjectReading) -> tuple[ServerReport, ...]:
    """Return the report of each server, with its verdict, where several are reviewed; else none."""
    listed = [each for each in ruling.fits if each.server.tools]
    if len(listed) < 2:
        return ()
    homes, files = Homes([each.server for each in listed]), defaultdict(set)
    for path in reading.files:
        for number in homes.find_servers(path):
            files[number].add(path)
    shared = _find_shared_files(files, set(reading.files).difference(*files.values()), reading)
    return tuple(
        ServerReport(
            str(each.server.name) if isinstance(each.server.name, Text) else "",
            each.server.span,
            each.profile,
            each.because,
            frozenset(str(tool.name) for tool in each.server.tools if isinstance(tool.name, Text)),
            frozenset(files[number]) | shared[number],
            shared=shared[number],
        )
        for number, each in enumerate(listed)
    )
