"""What a process of its own does for one call: reads, reviews, hands back JSON. It ends with the server, and within bounds."""

import gc
import json
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from reviewer.failures import CannotReviewError, failure, how_to_report, is_debugging

MOST_MEMORY = 4 * 2**30
"""Bytes of addresses that one process may take."""

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


def ready(server: int) -> None:
    """Bound this process once: what memory it takes, and that it outlives the server by no more than a moment."""
    _bounded(server)


def do(job: Job, server: int) -> Done:
    """Do a job for the server whose process it is, and never raise: what is raised would have to be pickled."""
    ready(server)
    try:
        text = json.dumps(KINDS[job.kind](job), ensure_ascii=True, separators=(",", ":"))
    except CannotReviewError as error:
        return Done(why=str(error).replace(job.path, job.named))
    except MemoryError:
        return Done(why="the review takes more memory than it may", too_large=True)
    except Exception as error:
        if is_debugging():
            raise
        fault = failure(error, "nothing was reviewed")
        return Done(why=f"{fault.reason}; {how_to_report(fault.symptom)}")
    if len(text) > MOST_DOCUMENT:
        return Done(why=f"the answer is longer than {MOST_DOCUMENT // 2**20} MB", too_large=True)
    return Done(text)


@cache
def _bounded(server: int) -> None:
    gc.set_threshold(100_000, 20, 20)  # as for the command line
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    threading.Thread(target=_end_with, args=(server,), daemon=True).start()


def _end_with(server: int) -> None:
    while os.getppid() == server:
        time.sleep(0.5)
    os._exit(1)


def _read(job: Job, **flags: Any) -> tuple[Any, Any]:
    from reviewer.config import Flags
    from reviewer.flow import read

    chosen = Flags(job.profile, within=Path(job.root), **flags)
    return read(Path(job.path), chosen), chosen


def _broken(broken: Any) -> list[dict[str, Any]]:
    return [{"path": each.span.path, "line": each.span.line, "reason": each.reason} for each in broken]


def _report(report: Any) -> dict[str, Any]:
    from reviewer.render.json import report_v1

    return {"report": report_v1(report), "because": report.because, "unreadable": _broken(report.broken)}


def _review(job: Job) -> dict[str, Any]:
    from reviewer.flow import reviewed

    reading, flags = _read(job)
    return _report(reviewed(reading, flags)[0])


def _catalog(job: Job) -> dict[str, Any]:
    from reviewer.render.catalog import catalog_v1

    return catalog_v1(_read(job)[0].project)


def _questions(job: Job) -> dict[str, Any]:
    from reviewer.flow import reviewed
    from reviewer.judge.appointment import Appointment
    from reviewer.judge.exchange import Export

    export = Export(_nobody)
    reading, flags = _read(job, judge=Appointment("host", remember=False))
    report, _ = reviewed(reading, flags, export.seat)
    return {**export.document(), "unreadable": _broken(report.broken)}


def _answers(job: Job) -> dict[str, Any]:
    from reviewer.flow import reviewed
    from reviewer.judge.appointment import Appointment
    from reviewer.judge.exchange import HostRepliesV1
    from reviewer.judge.importing import Import

    notes: list[str] = []
    given = Import(HostRepliesV1.model_validate_json(job.replies), notes.append)
    reading, flags = _read(job, judge=Appointment("host", remember=False))
    return {**_report(reviewed(reading, flags, given.seat)[0]), "notes": notes}


def _nobody(_line: str) -> None:
    """Tell nobody what an export says while it is made."""


KINDS: dict[str, Callable[[Job], dict[str, Any]]] = {
    "review": _review,
    "catalog": _catalog,
    "questions": _questions,
    "answers": _answers,
}
