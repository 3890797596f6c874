"""Whether the descriptions that a model writes hold: offered or dropped, and why, of our own cases and of real servers.

    python evals/judge/rewriting.py export WORK [SERVER...] -o questions.json   write what is open: to be judged, or to be written
    python evals/judge/rewriting.py import WORK ANSWERS                         take in what an agent answered
    python evals/judge/rewriting.py score WORK                                  count, and keep: evals/judge/rewrites.json
    python evals/judge/rewriting.py report [--write evals/results/judge-cost.md]   write the counts into the page

WORK is a folder of the run's own: verdicts, drafts and our own cases as a server lie there. It takes three rounds of export
and import: one agent judges the descriptions that stand, another one writes new ones, and the first, or a third, judges those.
Which of these an export asks for goes by what was answered before; the files are those of `mcp-review judge export --rewrites`.
"""

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from statistics import median
from typing import Any

from material import HERE, filled, pairs

from reviewer.config import Flags
from reviewer.judge.documents import read_document
from reviewer.judge.exchange import HostRepliesV1, QuestionExport
from reviewer.judge.importing import QuestionImport
from reviewer.judge.settings import JudgeSettings
from reviewer.pipeline import read, run_rules
from reviewer.report.model import Report

RESULT = HERE / "rewrites.json"
CASES = "description-contradicts-code"
"""The set of pairs that have code; their failing twins are one server."""

MARKS = (
    "<!-- rewrites: written by `python evals/judge/rewriting.py report --write evals/results/judge-cost.md` -->",
    "<!-- end of rewrites -->",
)
REASONS = {
    "nothing to say from the source": "what is missing does not occur",
    "a quote or claim that is not there": "a quote does not|a claim ",
    "a sentence without a quote": "a new sentence has no quote",
    "a name, number or address that was not shown": "the text says what was not shown",
    "a rule finds something new": "has a finding on it that",
    "judged again, still not met": "it still does not meet",
    "judged again, no longer met": "it no longer meets",
    "its text is shared": "another tool has the same text",
}
"""Why nothing is offered, by what the reason says."""


OPEN = "did not answer it"
"""What a reason says of what nobody has answered yet."""


def flags() -> Flags:
    """Review as `mcp-review judge` does, with descriptions written anew."""
    return Flags(judge=JudgeSettings("host", rewrites=True))


def own_server() -> str:
    """Write our own cases as one module: a tool for each, with its code."""
    tools = [_tool(filled(pair, pair["fail"])) for pair in pairs()[CASES]]
    head = "from typing import Annotated\n\nfrom mcp.server.fastmcp import FastMCP\nfrom pydantic import Field\n\n"
    return f'{head}mcp = FastMCP("cases")\n\n\n' + "\n\n".join(tools)


def _tool(case: dict[str, Any]) -> str:
    arguments = ", ".join(
        f"{name}: Annotated[str, Field(description={each.get('description', '')!r})]"
        for name, each in case.get("arguments", {}).items()
    )
    first, _, body = case["code"].partition("\n")
    opening = "async def" if first.startswith("async") else "def"
    said = f"@mcp.tool(name={case['tool']!r}, description={case['text']!r})"
    name = re.sub(r"\W", "_", case["tool"])
    return f"{said}\n{opening} {name}({arguments}):\n{body}"


def servers(work: Path) -> list[Path]:
    """Return the folders of the run, our own cases first, and keep what is remembered among them."""
    os.environ["MCP_REVIEW_CACHE"] = str(work / "cache")
    named = json.loads((work / "servers.json").read_text("utf-8"))
    return [work / "cases", *map(Path, named)]


def begin(work: Path, given: list[Path]) -> None:
    """Make the folder of a run, with the servers that it is about."""
    if given or not (work / "servers.json").exists():
        (work / "cases").mkdir(parents=True, exist_ok=True)
        (work / "cases" / "server.py").write_text(own_server(), "utf-8")
        (work / "servers.json").write_text(json.dumps([str(each.resolve()) for each in given]), "utf-8")


def export(work: Path, output: Path) -> int:
    """Write what is open of all servers as one document."""
    seed, whole = token_hex(16), None
    for server in servers(work):
        taking = QuestionExport(lambda _line: None, seed)
        run_rules(read(server, flags()), flags(), taking.open_judge)
        document: Any = taking.build_document()
        if whole is None:
            whole = document
            continue
        whole["system"] = whole["system"] or document["system"]
        whole["requests"] += document["requests"]
        whole["rewrites"]["system"] = whole["rewrites"]["system"] or document["rewrites"]["system"]
        whole["rewrites"]["requests"] += document["rewrites"]["requests"]
    assert whole is not None
    output.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"{output}: {len(whole['requests'])} to judge, {len(whole['rewrites']['requests'])} to write")
    return 0


def take(work: Path, file: Path) -> int:
    """Take in answers, server by server: each finds its own among them."""
    replies = read_document(HostRepliesV1, file)
    for server in servers(work):
        report, _ = run_rules(read(server, flags()), flags(), QuestionImport(replies, lambda _line: None).open_judge)
        open_ = len(report.unanswered)
        keep(work, server.name, report)
        print(f"{server.name}: {len(report.offers)} offered, {len(report.refused)} not, {open_} questions open")
    return 0


def kept(work: Path) -> dict[str, str]:
    """Return why drafts did not hold, by server and tool."""
    file = work / "dropped.json"
    found: dict[str, str] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return found


def keep(work: Path, name: str, report: Report) -> None:
    """Keep why drafts do not hold, which no later review knows: what is not judged is not remembered."""
    dropped = {f"{name}/{each.tool}": each.why for each in report.refused if OPEN not in each.why}
    (work / "dropped.json").write_text(json.dumps({**kept(work), **dropped}), "utf-8")


def outcomes(name: str, report: Report, dropped: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Yield what became of each tool: the rubrics that its description failed, and why nothing is offered."""
    for offer in report.offers:
        mended = [each.rule.slug for each in report.counting if each.offer is offer]
        words = len(offer.text.split())
        models = {"writer": offer.writer, "judge": offer.judge}
        yield {"server": name, "tool": offer.tool, "mended": mended, "why": None, "words": words, **models}
    for refused in report.refused:
        yield {
            "server": name,
            "tool": refused.tool,
            "mended": [],
            "why": kind(dropped.get(f"{name}/{refused.tool}", refused.why)),
        }


def kind(why: str) -> str:
    """Return the kind of a reason: its words may be those of strangers."""
    return next((name for name, said in REASONS.items() if re.search(said, why)), "the reply does not hold")


def score(work: Path) -> int:
    """Count what is offered, by what is remembered."""
    every, tools = [], 0
    for server in servers(work):
        report, _ = run_rules(read(server, flags()), flags())
        tools += report.tools
        every += outcomes(server.name, report, kept(work))
    RESULT.write_text(json.dumps({"tools": tools, "outcomes": every}, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(table(json.loads(RESULT.read_text("utf-8"))))
    return 0


def table(result: dict[str, Any]) -> str:
    """Write the counts."""
    every = result["outcomes"]
    offered = [each for each in every if each["why"] is None]
    reasons = Counter(each["why"] for each in every if each["why"] is not None)
    mended = sum(len(each["mended"]) for each in offered)
    models = ", ".join(
        sorted({f"written by {each['writer'].lower()}, judged by {each['judge'].lower()}" for each in offered})
    )
    words = f"median {median(each['words'] for each in offered):g} words; " if offered else ""
    lines = [
        f"Of {result['tools']} tools of {len({each['server'] for each in every})} servers, including our own cases, {len(every)}"
        f" had a description in which the judge found a fault. New ones were {models}:",
        "",
        "| outcome | tools |",
        "| --- | --- |",
        f"| offered ({words}{mended} findings fixed) | {len(offered)} |",
        *(f"| dropped: {why} | {count} |" for why, count in reasons.most_common()),
    ]
    return "\n".join(lines)


def report(write: Path | None) -> int:
    """Write the counts between the marks of a page, or print them."""
    text = table(json.loads(RESULT.read_text("utf-8")))
    if write is None:
        print(text)
        return 0
    before, _, rest = write.read_text("utf-8").partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    write.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{after}", "utf-8")
    return 0


def main() -> int:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("export")
    one.add_argument("work", type=Path)
    one.add_argument("servers", type=Path, nargs="*")
    one.add_argument("-o", "--output", type=Path, required=True)
    other = commands.add_parser("import")
    other.add_argument("work", type=Path)
    other.add_argument("answers", type=Path)
    commands.add_parser("score").add_argument("work", type=Path)
    commands.add_parser("report").add_argument("--write", type=Path)
    given = parser.parse_args()
    match given.command:
        case "export":
            begin(given.work, given.servers)
            return export(given.work, given.output)
        case "import":
            return take(given.work, given.answers)
        case "score":
            return score(given.work)
    return report(given.write)


if __name__ == "__main__":
    sys.exit(main())
