"""What a process of its own does for one call: reads, reviews, hands back JSON. It ends with the server, and within bounds."""

import gc
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

from reviewer.failures import CannotReviewError, describe_failure, format_how_to_report, is_debugging
from reviewer.progress import Progress
from reviewer.records import dataclass
from reviewer.serve.lifetime import bound
from reviewer.serve.relay import Writer

MOST_DOCUMENT = 32 * 2**20
"""Characters of JSON that one process hands back."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done under a path, named to the client as `named`. Nothing above `root` is read as configuration.

    `replies` are the verdicts of an agent, as JSON.
    """

    kind: Literal["review", "catalog", "questions", "answers"]
    path: str
    root: str
    named: str
    profile: str | None = None
    replies: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome: a document as JSON, or why there is none."""

    text: str = ""
    why: str | None = None
    too_large: bool = False


def prepare_process(server: int) -> None:
    """Bound this process once: what memory it takes, and that it outlives the server by no more than a moment."""
    gc.set_threshold(100_000, 20, 20)  # nearly all that a review makes lives until it ends
    bound(server)


def run_job(job: Job, server: int, place: str) -> Done:
    """Do a job for the server whose process it is, and never raise: what is raised would have to be pickled.

    Progress is reported through the file at `place`.
    """
    prepare_process(server)
    with closing(Writer(place)) as progress:
        return _build_done(job, progress)


def _build_done(job: Job, progress: Progress) -> Done:
    try:
        text = json.dumps(KINDS[job.kind](job, progress), ensure_ascii=True, separators=(",", ":"))
    except CannotReviewError as error:
        return Done(why=str(error).replace(job.path, job.named))
    except MemoryError:
        return Done(why="the review takes more memory than it may", too_large=True)
    except Exception as error:
        if is_debugging():
            raise
        fault = describe_failure(error, "nothing was reviewed")
        return Done(why=f"{fault.reason}; {format_how_to_report(fault.symptom)}")
    if len(text) > MOST_DOCUMENT:
        return Done(why=f"the answer is longer than {MOST_DOCUMENT // 2**20} MB", too_large=True)
    return Done(text)


def _read_project(job: Job, progress: Progress, **flags: Any) -> tuple[Any, Any]:
    from reviewer.config import Flags
    from reviewer.pipeline import read

    chosen = Flags(job.profile, within=Path(job.root), **flags)
    return read(Path(job.path), chosen, progress), chosen


def _collect_broken(broken: Any) -> list[dict[str, Any]]:
    return [{"path": each.span.path, "line": each.span.line, "reason": each.reason} for each in broken]


def _build_report(report: Any) -> dict[str, Any]:
    from reviewer.render.json import build_report_v1

    return {"report": build_report_v1(report), "because": report.because, "unreadable": _collect_broken(report.broken)}


def _review(job: Job, progress: Progress) -> dict[str, Any]:
    from reviewer.pipeline import run_rules
    from reviewer.reviewing import accept_baseline

    reading, flags = _read_project(job, progress)
    return _build_report(accept_baseline(*run_rules(reading, flags, progress=progress), reading, flags))


def _collect_catalog(job: Job, progress: Progress) -> dict[str, Any]:
    from reviewer.render.catalog import build_catalog_v1

    return build_catalog_v1(_read_project(job, progress)[0].project)


def _collect_questions(job: Job, progress: Progress) -> dict[str, Any]:
    from reviewer.judge.exchange import QuestionExport
    from reviewer.judge.settings import JudgeSettings
    from reviewer.pipeline import run_rules

    export = QuestionExport(_ignore_line)
    reading, flags = _read_project(job, progress, judge=JudgeSettings("host", remember=False), scores=False)
    report, _ = run_rules(reading, flags, export.open_judge, progress=progress)
    return {**export.build_document(), "unreadable": _collect_broken(report.broken)}


def _collect_answers(job: Job, progress: Progress) -> dict[str, Any]:
    from reviewer.judge.exchange import HostRepliesV1
    from reviewer.judge.importing import QuestionImport
    from reviewer.judge.settings import JudgeSettings
    from reviewer.pipeline import run_rules
    from reviewer.reviewing import accept_baseline

    notes: list[str] = []
    given = QuestionImport(HostRepliesV1.model_validate_json(job.replies), notes.append)
    reading, flags = _read_project(job, progress, judge=JudgeSettings("host", remember=False))
    report = accept_baseline(*run_rules(reading, flags, given.open_judge, progress=progress), reading, flags)
    return {**_build_report(report), "notes": notes}


def _ignore_line(_line: str) -> None:
    """Drop a line that an export prints while it is made."""


KINDS: dict[str, Callable[[Job, Progress], dict[str, Any]]] = {
    "review": _review,
    "catalog": _collect_catalog,
    "questions": _collect_questions,
    "answers": _collect_answers,
}
