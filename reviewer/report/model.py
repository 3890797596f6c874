"""Findings, sections and the verdict: the plain data that every renderer reads. Not the wire format: that is `render.json`."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from reviewer.failures import Unreviewed
from reviewer.fixes.model import FixPlanner
from reviewer.judge import UNCHANGED, Judged
from reviewer.records import dataclass
from reviewer.report.provenance import Provenance
from reviewer.rules import Applicability, Rule, Section, Severity
from reviewer.source import Edit, Opaque, Span
from reviewer.text.excerpts import format_count
from reviewer.text.patterns import pattern

if TYPE_CHECKING:
    from reviewer.judge.grades import Grades
    from reviewer.judge.offers import Offer, Refused

Status = Literal["reported", "suppressed", "baseline"]
Change = Literal["introduced", "unchanged"]
SectionStatus = Literal["ok", "violations", "not-applicable", "not-judged"]


class Verdict(StrEnum):
    """The last word of a report. INCOMPLETE: no error was found, and something was not reviewed."""

    FAIL = "FAIL"
    INCOMPLETE = "INCOMPLETE"
    WARNINGS = "PASS with warnings"
    PASS = "PASS"


@dataclass(frozen=True, slots=True)
class Lines:
    """Whole lines of one file, counted from 1, and what stands in their place once a fix is applied.

    `before` is what stands there now, as far as that is known: a stored report does not tell.
    """

    path: str
    first: int
    last: int
    text: tuple[str, ...]
    before: tuple[str, ...] = field(default=(), compare=False)

    @property
    def numbers(self) -> range:
        """The lines that are replaced."""
        return range(self.first, self.last + 1)


@dataclass(frozen=True, slots=True)
class Fix:
    """The edits that fix a finding: they do not overlap, in source order. `title` completes "to fix it, …".

    `lines` are the same edits as whole lines, None if they are in several files.
    """

    title: str
    applicability: Applicability
    edits: tuple[Edit, ...]
    lines: Lines | None = None

    @property
    def option(self) -> str:
        """The options by which it is applied."""
        return "--fix" if self.applicability == "safe" else "--fix --unsafe"

    @property
    def suggested(self) -> Lines | None:
        """The lines that may be suggested to people, who apply them by a click; None if it is unsafe."""
        return self.lines if self.applicability == "safe" else None


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict by which a judge found a finding: in words what speaks against it, and where its evidence stands.

    `evidence` is None where the evidence has no place of its own, as a part of a schema that code makes.
    """

    judged: Judged
    failing: tuple[str, ...] = ()
    evidence: Span | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding: what a rule reported, with its rule, severity and fingerprint.

    `tool` is the tool or action that it is about. `fingerprint` stays the same if lines move. `decided` is the decision
    of the judge that found it, None if the rule itself did. `change` is whether it is new since the base of the
    comparison, None if nothing is compared. `excerpt` holds the lines of its place, at most the first ten. `related`
    are the other places of the same cause, and `cause` names that if the rule does; `parts` are all findings of the
    cause if this one represents them (`causes`). `key` identifies it instead of its message. `fix_plan` is the rule's
    plan to fix it, of which `fix` is made when it is shown or applied. `offer` is a new description by a model, which
    `fix` then inserts.
    """

    rule: Rule
    severity: Severity
    span: Span
    message: str
    help: str
    tool: str | None = None
    status: Status = "reported"
    fingerprint: str = ""
    decided: Decision | None = None
    change: Change | None = None
    excerpt: tuple[str, ...] = ()
    fix_plan: FixPlanner | None = field(default=None, compare=False, repr=False)
    fix: Fix | None = None
    offer: "Offer | None" = None
    related: tuple[Span, ...] = ()
    cause: str = field(default="", compare=False, repr=False)
    key: str = field(default="", compare=False, repr=False)
    parts: tuple["Finding", ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Open:
    """A question without an answer; `why` is None if no judge was asked."""

    rule: Rule
    span: Span
    tool: str | None
    why: str | None


@dataclass(frozen=True, slots=True)
class SectionReport:
    """One section. `reason` says why it is not applicable, or how many questions are `waiting` for a judge."""

    section: Section
    status: SectionStatus
    findings: tuple[Finding, ...] = ()
    reason: str | None = None
    waiting: tuple[Open, ...] = ()

    @property
    def reported(self) -> tuple[Finding, ...]:
        """The findings that are neither suppressed nor in the baseline."""
        return tuple(each for each in self.findings if each.status == "reported")

    @property
    def clean(self) -> bool:
        """Whether something was checked and nothing at all is reported, no suggestion either: then a report says OK."""
        return self.status == "ok" and not self.reported


@dataclass(frozen=True, slots=True)
class Cost:
    """What one rule takes from a tool's score: how often it found something, and the points that are lost by it."""

    rule: Rule
    severity: Severity
    count: int
    points: int


@dataclass(frozen=True, slots=True)
class ToolScore:
    """One tool's score, 0 to 100; None if a part of the tool cannot be read, which `withheld` says.

    Costs are sorted, highest first. `grades` are a judge's, None without one.
    """

    name: str
    span: Span
    score: int | None
    withheld: str | None
    costs: tuple[Cost, ...] = ()
    grades: "Grades | None" = None


@dataclass(frozen=True, slots=True)
class Maturity:
    """The score of all tools, 0 to 100, with its level; None, and why, if it is withheld.

    `judged` is the number of a judge's findings that the score counts.
    """

    score: int | None
    level: str | None
    withheld: str | None
    tools: tuple[ToolScore, ...] = ()
    judged: int = 0

    @property
    def graded(self) -> "list[Grades]":
        """The grades that a judge gave, of all tools that it graded."""
        return [each.grades for each in self.tools if each.grades is not None]


ConfigFrom = Literal["base", "head"]
"""Whose configuration and baseline hold for a comparison."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A key of the configuration that the change sets otherwise; its values as JSON, None where it is not set."""

    key: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Suppression:
    """A suppression comment that the change introduces, or that hides findings now; `hides` are their fingerprints."""

    span: Span
    rules: tuple[str, ...]
    reason: str | None
    hides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Accepted:
    """An entry that the change adds to the baseline; `tool` is empty if its finding stands in none."""

    path: str
    rule: str
    tool: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file or folder that is not reviewed because of the change, and why.

    `was` is the file of the base that was reviewed and whose code stands there now; None where the change's own configuration or
    ignore files leave a file out.
    """

    path: str
    why: str
    was: str | None = None


@dataclass(frozen=True, slots=True)
class Altered:
    """What a change alters about its own review.

    `source` says whose configuration and baseline hold. `excluded` is what the change leaves out of it.
    """

    source: ConfigFrom = "head"
    settings: tuple[Setting, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    excluded: tuple[LeftOut, ...] = ()
    accepted: tuple[Accepted, ...] = ()

    @property
    def suppressed(self) -> int:
        """The number of findings that the change suppresses."""
        return len({each for one in self.suppressions for each in one.hides})

    @property
    def moved(self) -> tuple[LeftOut, ...]:
        """The paths that the change moved out of the review, whichever configuration excludes them now."""
        return tuple(each for each in self.excluded if each.was is not None)

    @property
    def left_out(self) -> int:
        """The number of files that are not reviewed because of the change."""
        return len({each.path for each in (self.moved if self.source == "base" else self.excluded)})

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return bool(self.settings or self.suppressions or self.excluded or self.accepted)


@dataclass(frozen=True, slots=True)
class BaseComparison:
    """What the review is compared with: the base as the caller named it, and the findings that stood there and are gone.

    `commit` is the one that was read: where the history of the base and of what is reviewed parts. `broken` names what could
    not be read of it, and can now.
    """

    base: str
    fixed: tuple[Finding, ...] = ()
    commit: str = ""
    broken: tuple[Opaque, ...] = ()
    altered: Altered = Altered()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a report says of one of its servers: the findings of each severity, the verdict, and what that rests on.

    `grave` are the errors and warnings that count for the verdict, `sections` the numbers of those that they stand in.
    """

    tools: int
    errors: int
    warnings: int
    suggestions: int
    grave: int
    verdict: Verdict
    sections: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ServerReport:
    """One of several servers: its profile with the reason, and the files and tools that are its own.

    `shared` are those of its files that are of a library which it imports: what is told there is told of each of its users.
    A stored report does not name these: it has the outcome alone.
    """

    name: str
    span: Span
    profile: str
    because: str
    tools: frozenset[str]
    files: frozenset[str]
    told: Outcome | None = None
    shared: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Report:
    """A whole review. `because` says why the profile was chosen; `broken` names what could not be read.

    Where it is compared, verdict and exit code speak of what was introduced; the counts are of all that stands.
    `folder` is where the reviewed folder lies in its repository, with forward slashes; empty if it is the top, or in none.
    `root` is that folder as the caller named it, from which paths are relative; None if no files were read for the report.
    `refused` names the tools of which new descriptions were asked for and none is offered.
    `checked` names the rules that ran and left no question open, each with a digest of what decides its findings besides the
    code; `unread` the files and folders (with a slash at the end) of which not all was read; `unwatched` the files that the
    change makes or alters and that are not reviewed.
    `servers` are the reviewed ones where there are several. `files` are those that its texts may name. `provenance` is known
    where a report is written for people to pass on.
    """

    profile: str
    because: str
    sections: tuple[SectionReport, ...]
    tools: int
    broken: tuple[Opaque, ...] = ()
    maturity: Maturity = Maturity(None, None, "not computed")
    compared: BaseComparison | None = None
    folder: str = ""
    refused: "tuple[Refused, ...]" = ()
    root: Path | None = None
    checked: Mapping[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    unwatched: tuple[str, ...] = ()
    provenance: Provenance | None = None
    files: frozenset[str] = frozenset()
    servers: tuple[ServerReport, ...] = ()

    def narrow_to_server(self, server: ServerReport) -> "Report":
        """Return the report about one of its servers. Findings that several share are in the report of each."""
        others = {name for each in self.servers if each != server for name in each.tools} - server.tools

        def is_own(each: Finding | Open) -> bool:
            elsewhere = each.related if isinstance(each, Finding) else ()  # one cause, found in several servers
            if each.span.path in server.shared:
                return True
            return (each.span.path in server.files and each.tool not in others) or any(
                one.path in server.files for one in elsewhere
            )

        sections = tuple(
            replace(part, findings=tuple(filter(is_own, part.findings)), waiting=tuple(filter(is_own, part.waiting)))
            for part in self.sections
        )
        broken = tuple(each for each in self.broken if each.span.path in server.files)
        return replace(
            self, profile=server.profile, because=server.because, sections=sections, broken=broken, servers=()
        )

    def summarize_server(self, server: ServerReport) -> Outcome:
        """Return the outcome of one of its servers."""
        if server.told is not None:
            return server.told
        own = self.narrow_to_server(server)
        errors, warnings, suggestions = map(own.count, Severity)
        numbers = tuple(sorted({each.rule.section.number for each in own.grave}))
        return Outcome(len(server.tools), errors, warnings, suggestions, len(own.grave), own.verdict, numbers)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings that are neither suppressed nor in the baseline."""
        return tuple(each for part in self.sections for each in part.reported)

    @property
    def counting(self) -> tuple[Finding, ...]:
        """The findings that verdict and exit code speak of, and that people are shown: all, or those that were introduced."""
        return tuple(each for each in self.findings if each.change != "unchanged")

    @property
    def grave(self) -> tuple[Finding, ...]:
        """The errors and warnings among them."""
        return tuple(each for each in self.counting if each.severity is not Severity.SUGGESTION)

    @property
    def unreviewed(self) -> tuple[Unreviewed, ...]:
        """What was left unreviewed, on either side of a comparison."""
        before = self.compared.broken if self.compared is not None else ()
        return tuple(each for each in (*self.broken, *before) if isinstance(each, Unreviewed))

    @property
    def unread_parts(self) -> tuple[Opaque, ...]:
        """What was not read or not followed, for a reason that keeps nothing from being a PASS."""
        return tuple(each for each in self.broken if not isinstance(each, Unreviewed))

    @property
    def offers(self) -> "tuple[Offer, ...]":
        """The new descriptions that are offered for findings that count, each once."""
        found = (each.offer for each in self.counting if each.offer is not None)
        return tuple({id(each): each for each in found}.values())

    @property
    def unanswered(self) -> tuple[Open, ...]:
        """The questions that a judge was asked and did not answer."""
        waiting = (each for part in self.sections for each in part.waiting)
        return tuple(each for each in waiting if each.why not in (None, UNCHANGED))

    def place(self, span: Span) -> str:
        """Return the path of a file as its repository knows it: what hosts and their tools go by."""
        return f"{self.folder}/{span.path}" if self.folder else span.path

    def skips(self, path: str) -> bool:
        """Return whether a file, or not all of it, was left unread."""
        return any(path == each or (each.endswith("/") and path.startswith(each)) for each in self.unread)

    def link(self, span: Span) -> str | None:
        """Return the address of a place at the host of its repository, None if that is not known."""
        return self.provenance.link(self.place(span), span.line) if self.provenance and self.root is not None else None

    def count(self, severity: Severity) -> int:
        """Count the reported findings of one severity."""
        return sum(each.severity is severity for each in self.findings)

    @property
    def violations(self) -> int:
        """The number of errors and warnings."""
        return len(self.findings) - self.count(Severity.SUGGESTION)

    @property
    def sections_ok(self) -> int:
        """The number of sections in which something was checked and nothing is reported, no suggestion either."""
        return sum(part.clean for part in self.sections)

    @property
    def verdict(self) -> Verdict:
        """FAIL with an error, else PASS, with or without warnings; no PASS where something was not reviewed."""
        found = {each.severity for each in self.counting}
        if Severity.ERROR in found:
            return Verdict.FAIL
        if self.unreviewed:
            return Verdict.INCOMPLETE
        return Verdict.WARNINGS if Severity.WARNING in found else Verdict.PASS

    @property
    def accepted(self) -> int:
        """The number of findings that the change introduces and the baseline accepts."""
        findings = (each for part in self.sections for each in part.findings)
        return sum(each.status == "baseline" and each.change == "introduced" for each in findings)

    @property
    def hides(self) -> bool:
        """Whether the change hides anything: by a suppression, an entry of the baseline, or because it leaves a file out."""
        altered = self.compared.altered if self.compared is not None else Altered()
        return bool(altered.suppressed or self.accepted or altered.left_out)

    @property
    def open(self) -> bool:
        """Whether a question waits for an answer, asked or not; one that did not change since the base does not count."""
        return any(each.why != UNCHANGED for part in self.sections for each in part.waiting)

    def fails(self, least: Severity) -> bool:
        """Return whether a reported finding is at least as severe as `least`."""
        order = list(Severity)
        return any(order.index(each.severity) <= order.index(least) for each in self.counting)


def decide_status(findings: Iterable[Finding], waiting: tuple[Open, ...]) -> tuple[SectionStatus, str | None] | None:
    """Return the status of a section by its findings and open questions, and the reason; None if they say nothing of it."""
    if any(each.status == "reported" and each.severity is not Severity.SUGGESTION for each in findings):
        return "violations", None
    if waiting:
        return "not-judged", format_count(len(waiting), "question")
    return None


def add_fingerprints(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return for each finding its signature as fingerprint; equal ones are counted in their order."""
    seen: Counter[str] = Counter()
    signed = []
    for finding in findings:
        own = digest_finding(finding)
        seen[own] += 1
        signed.append(replace(finding, fingerprint=own if seen[own] == 1 else f"{own}-{seen[own]}"))
    return tuple(signed)


def digest_finding(finding: Finding) -> str:
    """Return a digest that identifies a finding without its place: by its rule's key, else by tool and message.

    Places, counts and sharers in the message do not count.
    """
    told = (str(finding.tool), MOVING.sub(_replace_measured, SHARED.sub("", finding.message)))
    key = (finding.rule.slug, *((finding.key,) if finding.key else told))
    return sha256("\0".join(key).encode("utf-8", "surrogatepass")).hexdigest()[:16]


MOVING = pattern(
    r"`[^`\s]+\.(?:py|rs)(?::\d+)?`|(?<![^\s`])[^\s`]+\.(?:py|rs|json|ya?ml|toml):\d+|(?P<kept>`[^`]*`)|\d+"
)
"""Places and numbers in a message; what it quotes is passed over."""


SHARED = pattern(
    r"(?: \((?:and \d+ more (?:tool|place)s?"
    r"|shared by \d+ other tools?(?:; also at \d+ other places?)?|also at \d+ other places?)\))+$"
)
"""How a message ends whose finding is several tools', or stands in several places; first as older reports say it."""


def _replace_measured(found: re.Match[str]) -> str:
    return found["kept"] or "#"
