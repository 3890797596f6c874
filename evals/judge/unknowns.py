"""What an analysis could not tell, on real servers: how much of it a judge settles, and how often rightly.

    python evals/judge/unknowns.py list WORK SERVER...                       name the questions, with what they show, for a reader
    python evals/judge/unknowns.py export WORK [--part I/N] -o FILE          write what is open, a part of the servers at a time
    python evals/judge/unknowns.py import WORK ANSWERS...                    take in what agents answered
    python evals/judge/unknowns.py score WORK READING                        compare, and keep: evals/judge/unknowns.json

`run.py report` writes the page. WORK is a folder of the run's own, with the verdicts. Who could not decide by the first slice is
asked once more: export and import again. READING is what a person, or another agent, made of the same questions before a verdict
was looked at: a line of JSON each,
`{"id": .., "verdict": "met" | "not_met" | "not_applicable", "why": ..}`.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any

from accuracy import unknowns
from material import HERE, placed

from reviewer.config import Flags
from reviewer.files.discovery import CannotReviewError
from reviewer.judge import Answer, AskedQuestion, Judge, Judged, Unanswered
from reviewer.judge.documents import read_document
from reviewer.judge.exchange import HostRepliesV1, QuestionExport, export_requests
from reviewer.judge.importing import QuestionImport
from reviewer.judge.question_requests import CodeOf, QuestionRequest, build_view, find_name
from reviewer.judge.settings import JudgeSettings
from reviewer.pipeline import read, run_rules

RESULT = HERE / "unknowns.json"
JudgeOpener = Callable[[JudgeSettings, CodeOf], AbstractContextManager[Judge]]
Row = dict[str, Any]


def flags() -> Flags:
    """Review as `mcp-review judge` does."""
    return Flags(judge=JudgeSettings("host"))


def alone(opener: JudgeOpener, seen: Callable[[AskedQuestion, Answer, CodeOf], None]) -> JudgeOpener:
    """Open a judge who is asked what an analysis could not tell, and nothing else."""

    @contextmanager
    def opened(judge_settings: JudgeSettings, code: CodeOf) -> Iterator[Judge]:
        with opener(judge_settings, code) as judge:

            def judging(asked: Sequence[AskedQuestion]) -> Sequence[Answer]:
                unknown = [each for each in asked if each.question.rubric]
                answers = dict(zip(map(id, unknown), judge(unknown), strict=True)) if unknown else {}
                for each in unknown:
                    seen(each, answers[id(each)], code)
                return [answers.get(id(each), Unanswered("not asked here")) for each in asked]

            yield judging

    return opened


def unnoticed(_asked: AskedQuestion, _answer: Answer, _code: CodeOf) -> None:
    """Take no note."""


def servers(work: Path) -> list[Path]:
    """Return the servers of the run that raise such questions, and keep what is remembered in its folder."""
    os.environ["MCP_REVIEW_CACHE"] = str(work / "cache")
    return [Path(each) for each in json.loads((work / "servers.json").read_text("utf-8"))]


def named(server: Path, asked: AskedQuestion) -> str:
    """Name a question."""
    place = asked.question.span
    return f"{server.name}|{asked.rule.slug}|{find_name(asked.question.tool)}|{place.path}:{place.line}|{asked.question.about}"


def questions_asked(
    server: Path, seed: str, seen: Callable[[AskedQuestion, Answer, CodeOf], None] = unnoticed
) -> list[QuestionRequest]:
    """Return what is open of one server."""
    taking = QuestionExport(lambda _line: None, seed, graded=False)
    try:
        run_rules(read(server, flags()), flags(), alone(taking.open_judge, seen))
    except CannotReviewError as error:
        print(error, file=sys.stderr)
    return taking.question_requests


def listing(work: Path, given: list[Path]) -> int:
    """Write the questions of servers with what they show, and keep which servers raise any."""
    work.mkdir(parents=True, exist_ok=True)
    os.environ["MCP_REVIEW_CACHE"] = str(work / "cache")
    rows: list[Row] = []
    raising = []
    for server in given:
        before = len(rows)

        def seen(asked: AskedQuestion, _answer: Answer, code: CodeOf, server: Path = server) -> None:
            rows.append(
                {
                    "id": named(server, asked),
                    "rubric": asked.rubric,
                    "message": asked.question.message,
                    "shown": build_view([asked], code).seen,
                }
            )

        questions_asked(server, token_hex(16), seen)
        raising += [str(server.resolve())] if len(rows) > before else []
        print(f"{server.name}: {len(rows) - before}", flush=True)
    (work / "servers.json").write_text(json.dumps(raising, indent=1), "utf-8")
    (work / "looked-at.json").write_text(json.dumps([each.name for each in given]), "utf-8")
    (work / "questions.jsonl").write_text(
        "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in rows), "utf-8"
    )
    return 0


def export(work: Path, part: tuple[int, int], output: Path) -> int:
    """Write what is open of a part of the servers as one document."""
    seed = token_hex(16)
    chosen = servers(work)[part[0] :: part[1]]
    open_ = [each for server in chosen for each in questions_asked(server, seed)]
    output.write_text(json.dumps(export_requests(open_, seed), ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"{output}: {len(open_)} requests, {sum(len(each.posed) for each in open_)} questions")
    return 0


def take(work: Path, files: list[Path]) -> int:
    """Take in answers: each server finds its own among them."""
    every = [read_document(HostRepliesV1, file) for file in files]
    for server in servers(work):
        for replies in every:
            run_rules(
                read(server, flags()), flags(), alone(QuestionImport(replies, lambda _line: None).open_judge, unnoticed)
            )
    return 0


def score(work: Path, file: Path) -> int:
    """Compare what is remembered with a reading, and keep both."""
    lines = file.read_text("utf-8").splitlines()
    reading: dict[str, Row] = {row["id"]: row for row in map(json.loads, filter(str.strip, lines))}
    rows: list[Row] = []
    nothing = HostRepliesV1(version=1, export=token_hex(16), replies=[])
    for server in servers(work):

        def seen(asked: AskedQuestion, answer: Answer, _code: CodeOf, server: Path = server) -> None:
            name = named(server, asked)
            said = answer.verdict if isinstance(answer, Judged) else None
            told = (
                {"why": answer.why, "evidence": answer.evidence} if isinstance(answer, Judged) else {"why": answer.why}
            )
            own = reading.get(name, {})
            rows.append(
                {"id": name, "rubric": asked.rubric, "verdict": said, **told}
                | {"reading": own.get("verdict"), "read": own.get("why")}
            )

        run_rules(read(server, flags()), flags(), alone(QuestionImport(nothing, lambda _line: None).open_judge, seen))
    looked = json.loads((work / "looked-at.json").read_text("utf-8"))
    result = {"servers": looked, "model": "claude", "answers": rows}
    RESULT.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(unknowns(result))
    return 0


def main() -> int:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("list", "export", "import", "score"):
        commands.add_parser(name).add_argument("work", type=Path)
    commands.choices["list"].add_argument("servers", type=Path, nargs="+")
    commands.choices["export"].add_argument("--part", type=placed, default=(0, 1))
    commands.choices["export"].add_argument("-o", "--output", type=Path, required=True)
    commands.choices["import"].add_argument("answers", type=Path, nargs="+")
    commands.choices["score"].add_argument("reading", type=Path)
    given = parser.parse_args()
    match given.command:
        case "list":
            return listing(given.work, given.servers)
        case "export":
            return export(given.work, given.part, given.output)
        case "import":
            return take(given.work, given.answers)
    return score(given.work, given.reading)


if __name__ == "__main__":
    sys.exit(main())
