"""An agent's report beside the command's own: sections, findings, questions, calls."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from reviewer.render.markdown import render_code
from reviewer.rules import SECTIONS

BEGIN = "<!-- trial: written by `python evals/agent/run.py compare TRIAL --write evals/results/agents.md` -->\n"
END = "<!-- end of trial -->"
NOTES = "Notes of the reviewer"
NOTHING = "mcp-review is not installed: nothing was reviewed"
SKILL_BYTES = (Path(__file__).resolve().parents[2] / "skills/mcp-tool-checklist/SKILL.md").stat().st_size
BYTES_OF_A_TOKEN = 4
MOST = 12
"""Lines of each kind that the document shows of one agent."""
TITLES = {section.number: section.title for section in SECTIONS}
_HEADING = re.compile(r"=== (?:§(?P<number>\d+): )?(?P<title>.+) ===")
_FINDING = re.compile(r"(?P<place>\S.*?:\d+:\d+) (?:error|warning|suggestion) \S+ (?P<said>.+?)(?: \(judged\))?")
_TOGETHER = re.compile(r"not applicable: .*")
_WAITING = re.compile(r"not judged: (\d+) questions?(?:; no violations.*)?")


@dataclass(frozen=True)
class Reported:
    """A report as text says it: the sections named, with findings as place and message; open questions; last line; notes."""

    sections: dict[int, str] = field(default_factory=dict)
    findings: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    waiting: int = 0
    verdict: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Agents:
    """What one agent made of a server. `lost` are findings by its own verdicts that its report does not have."""

    name: str
    alone: Reported
    after: Reported
    report: Reported
    text: str
    calls: tuple[dict[str, object], ...]
    minutes: float | None
    tokens: str
    untouched: bool

    @property
    def least(self) -> int:
        """Tokens that surely went by: the skill, what the command said and was given, and the report, a token each four bytes."""
        said = sum(int(str(call.get("bytes", 0))) for call in self.calls)
        return round((SKILL_BYTES + said + len(self.text.encode())) // BYTES_OF_A_TOKEN, -3)

    @property
    def kept(self) -> Counter[tuple[int, str, str]]:
        """Findings of the command that the agent reports."""
        return self.alone.findings & self.report.findings

    @property
    def dropped(self) -> Counter[tuple[int, str, str]]:
        """Findings of the command that it does not report, in these words and this section."""
        return self.alone.findings - self.report.findings

    @property
    def judged(self) -> Counter[tuple[int, str, str]]:
        """Findings by its own verdicts, which held, that it reports."""
        return (self.after.findings - self.alone.findings) & self.report.findings

    @property
    def lost(self) -> Counter[tuple[int, str, str]]:
        """Findings by its own verdicts that it does not report."""
        return (self.after.findings - self.alone.findings) - self.report.findings

    @property
    def added(self) -> Counter[tuple[int, str, str]]:
        """What it reports as findings and the command does not, after its verdicts either."""
        return self.report.findings - (self.alone.findings | self.after.findings)


def reported(text: str) -> Reported:
    """Read a report, also one that stands in Markdown."""
    sections: dict[int, str] = {}
    findings: Counter[tuple[int, str, str]] = Counter()
    waiting, verdict, notes, where = 0, "", [], None
    for line in (each.strip() for each in text.splitlines()):
        if heading := _HEADING.fullmatch(line):
            where = int(heading["number"]) if heading["number"] else heading["title"]
            if isinstance(where, int):
                sections[where] = heading["title"]
        elif _TOGETHER.fullmatch(line):
            sections |= {
                int(number): TITLES[int(number)] for number in re.findall(r"§(\d+)\b", line) if int(number) in TITLES
            }
        elif "Verdict: " in line and " violation" in line:
            verdict, where = line, None
        elif where == NOTES and line and not line.startswith("```"):
            notes.append(line)
        elif isinstance(where, int) and (found := _WAITING.fullmatch(line)):
            waiting += int(found[1])
        elif isinstance(where, int) and (found := _FINDING.fullmatch(line)):
            findings[where, found["place"], found["said"]] += 1
    return Reported(sections, findings, waiting, verdict, tuple(notes))


def agents(folder: Path, measured: Path, after: str, *, untouched: bool) -> Agents:
    """Compare the report in an agent's folder with what was measured before, and with the command's report after it."""
    file, calls, tokens = folder / "report.md", measured / "calls", folder / "tokens"
    text = file.read_text("utf-8", "replace") if file.exists() else ""
    called = tuple(json.loads(line) for line in calls.read_text("utf-8").splitlines()) if calls.exists() else ()
    minutes = (file.stat().st_mtime - min(each["at"] for each in called)) / 60 if called and file.exists() else None
    counted = tokens.read_text().strip() if tokens.exists() else ""
    alone = reported((measured / "alone").read_text("utf-8"))
    return Agents(folder.name, alone, reported(after), reported(text), text, called, minutes, counted, untouched)


def document(rows: Iterable[Agents], *, whole: bool = True) -> str:
    """Write the comparison in Markdown: a row for each agent, then what it dropped and added.

    The `whole` also has what its verdicts found and what it noted. Nobody has checked that, so it is not published of strangers.
    """
    rows = list(rows)
    head = (
        "| server | sections named | kept | dropped | from its verdicts | of these lost | added | questions answered |"
    )
    head += " last line | notes | calls | server changed | minutes | tokens |"
    lines = [head, "|" + " --- |" * 14, *map(_row, rows)]
    for each in rows:
        found = list(_details(each, whole=whole))
        lines += ["", *found] if found else []
    return "\n".join(lines)


def _row(each: Agents) -> str:
    named = sum(TITLES.get(number) == title for number, title in each.report.sections.items())
    asked, held = each.alone.waiting, each.alone.waiting - each.after.waiting
    same = "the command's" if each.report.verdict == each.after.verdict else render_code(each.report.verdict or "none")
    cells = [
        render_code(each.name),
        "nothing was reviewed, it says"
        if NOTHING in each.text and not each.report.sections
        else f"{named} of {len(TITLES)}",
        f"{each.kept.total()} of {each.alone.findings.total()}",
        str(each.dropped.total()),
        str((each.judged + each.lost).total()),
        str(each.lost.total()),
        str(each.added.total()),
        f"{held} of {asked}",
        same,
        str(len(each.report.notes)),
        str(len(each.calls)),
        "no" if each.untouched else "**yes**",
        f"{each.minutes:.0f}" if each.minutes is not None else "not counted",
        each.tokens if each.tokens.replace(",", "").isdigit() else f"at least {each.least:,}",
    ]
    return f"| {' | '.join(cells)} |"


def _details(each: Agents, *, whole: bool) -> Iterable[str]:
    kinds = {"dropped": each.dropped, "lost": each.lost, "added": each.added}
    kinds |= {"from its verdicts": each.judged} if whole else {}
    listed = {name: [f"§{number} {place} {said}" for number, place, said in found] for name, found in kinds.items()}
    listed["notes"] = list(each.report.notes) if whole else []
    if any(listed.values()):
        yield f"{render_code(each.name)}:"
        yield ""
    for name, found in listed.items():
        yield from (f"- {name}: {render_code(line)}" for line in found[:MOST])
        if len(found) > MOST:
            yield f"- {name}: {len(found) - MOST} more"


def write(page: Path, text: str) -> None:
    """Put the comparison into the page, between its marks."""
    before, begin, rest = page.read_text("utf-8").partition(BEGIN)
    if not begin:
        raise SystemExit(f"{page}: there is no place for it: {BEGIN.strip()}")
    page.write_text(before + begin + text + "\n" + "".join(rest.partition(END)[1:]), "utf-8")
