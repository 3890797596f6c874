"""The tools of the server: one for each job of an agent that writes or judges an MCP server."""

import json
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import partial
from typing import Any

import anyio
from mcp.server.mcpserver import Context

from reviewer.records import dataclass
from reviewer.serve import arguments as taken
from reviewer.serve import listings
from reviewer.serve.answers import wrap_tool
from reviewer.serve.jobs import Job
from reviewer.serve.listings import WantedFindings
from reviewer.serve.pages import (
    DEFAULT_LIMIT,
    MOST_ANSWER,
    PAGE,
    AskedRows,
    Cursors,
    PageRow,
    Whole,
    encode_question,
    fit_rows,
    measure_length,
)
from reviewer.serve.roots import Roots
from reviewer.serve.worker_pool import WorkerPool

ToolContext = Context[Any, Any]


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document, where its page begins, and what a cursor into it is sealed with."""

    document: dict[str, Any]
    name: str
    start: int
    question: str


@dataclass(frozen=True, slots=True)
class ServedTools:
    """What the tools share: where they may look, who does the work, and the seal of cursors."""

    roots: Roots
    pool: WorkerPool = field(default_factory=WorkerPool)
    cursors: Cursors = field(default_factory=Cursors)

    @wrap_tool
    async def review_server(
        self,
        context: ToolContext,
        path: taken.PathTaken,
        profile: taken.ProfileArgument = None,
        section: taken.SectionNumber = None,
        rule: taken.RuleFilter = None,
        severity: taken.SeverityArgument = None,
        tool: taken.ToolName = None,
        fields: taken.FindingFields = None,
        limit: taken.FindingLimit = DEFAULT_LIMIT,
        cursor: taken.CursorArgument = None,
    ) -> taken.ReviewResult:
        """Review a server; see `descriptions.REVIEW`."""
        asked = AskedRows(limit, cursor, tuple(fields or ()))
        wanted = WantedFindings(section, await _collect_slugs(rule) if rule is not None else None, severity, tool)
        about = listings.encode_review_question(path, profile, wanted, asked.fields)
        found = await self._build_found(context, self._build_job("review", path, profile), about, cursor)
        return self._report(found, asked, wanted, path, profile)

    @wrap_tool
    async def list_server_tools(
        self,
        context: ToolContext,
        path: taken.PathTaken,
        tool: taken.ToolName = None,
        fields: taken.ToolFields = None,
        limit: taken.ToolLimit = DEFAULT_LIMIT,
        cursor: taken.CursorArgument = None,
    ) -> taken.Listed:
        """List the tools of a server; see `descriptions.CATALOG`."""
        asked = AskedRows(limit, cursor, tuple(fields or ()))
        about = encode_question("catalog", path, tool, *asked.fields)
        found = await self._build_found(context, self._build_job("catalog", path), about, cursor)
        around: PageRow = {"unreadable": listings.summarize_rows(found.document["unreadable"])}
        rows = listings.select_tools(found.document, tool)
        shown, page = self._collect_page(found, rows, asked, partial(listings.point_to_tool, path), around)
        return {"tools": shown, "unreadable": around["unreadable"], "page": page}

    @wrap_tool
    async def list_questions(
        self,
        context: ToolContext,
        path: taken.PathTaken,
        profile: taken.ProfileArgument = None,
        limit: taken.RequestLimit = DEFAULT_LIMIT,
        cursor: taken.CursorArgument = None,
    ) -> taken.Questions:
        """List the questions for a judge; see `descriptions.QUESTIONS`."""
        asked = AskedRows(limit, cursor, entire=("user",))
        about = encode_question("questions", path, profile)
        found = await self._build_found(context, self._build_job("questions", path, profile), about, cursor)
        around = listings.build_questions_envelope(found.document, first=found.start == 0)
        whole = partial(listings.point_to_request, path)
        shown, page = self._collect_page(found, found.document["requests"], asked, whole, around)
        return {**around, "requests": shown, "page": page}  # type: ignore[typeddict-item]

    @wrap_tool
    async def answer_questions(
        self,
        context: ToolContext,
        path: taken.PathTaken,
        export: taken.ExportName,
        verdicts: taken.Verdicts,
        profile: taken.ProfileArgument = None,
        model: taken.ModelName = "unknown",
        limit: taken.FindingLimit = DEFAULT_LIMIT,
    ) -> taken.ReviewResult:
        """Merge verdicts into a review; see `descriptions.ANSWERS`."""
        given = {"version": 1, "export": export, "model": model, "replies": listings.group_verdicts(verdicts)}
        job = self._build_job("answers", path, profile, json.dumps(given))
        wanted = WantedFindings()
        found = await self._build_found(context, job, listings.encode_review_question(path, profile, wanted, ()), None)
        return self._report(found, AskedRows(limit), wanted, path, profile)

    @wrap_tool
    async def list_rules(
        self,
        section: taken.SectionNumber = None,
        profile: taken.ProfileArgument = None,
        fields: taken.RuleFields = None,
        limit: taken.RuleLimit = DEFAULT_LIMIT,
        cursor: taken.CursorArgument = None,
    ) -> taken.RuleList:
        """List the rules; see `descriptions.RULES`."""
        asked = AskedRows(limit, cursor, tuple(fields or ()))
        found = self._open_static_cursor(encode_question("rules", section, profile, *asked.fields), cursor)
        rows = await anyio.to_thread.run_sync(listings.select_rules, section, profile)
        shown, page = self._collect_page(found, rows, asked, listings.point_to_rule)
        return {"rules": shown, "page": page}

    @wrap_tool
    async def explain_rule(
        self, rule: taken.RuleName, limit: taken.RuleLimit = 5, cursor: taken.CursorArgument = None
    ) -> taken.RulePages:
        """Explain a rule; see `descriptions.EXPLAIN`."""
        found = self._open_static_cursor(encode_question("explain", rule), cursor)
        rows = await anyio.to_thread.run_sync(listings.render_rule_pages, rule)
        shown, page = self._collect_page(
            found, rows, AskedRows(limit, cursor, entire=("page",)), listings.point_to_rule
        )
        return {"rules": shown, "page": page}

    def _build_job(self, kind: Any, path: str, profile: str | None = None, replies: str = "") -> Job:
        place = self.roots.place(path)
        return Job(kind, str(place.path), str(place.root), place.named, profile, replies)

    async def _build_found(self, context: ToolContext, job: Job, about: str, cursor: str | None) -> FoundDocument:
        """Open a cursor, or have a document made."""
        if cursor is not None:
            name, start = self.cursors.open(cursor, about)
            return FoundDocument(self.pool.recall_document(name), name, start, about)

        async def tell(done: float, whole: float, words: str) -> None:
            await context.report_progress(done, whole, words)  # silent where the client gave no token

        made = await self.pool.request_document(job, tell)
        return FoundDocument(made.document, made.name, 0, about)

    def _open_static_cursor(self, about: str, cursor: str | None) -> FoundDocument:
        """Open a cursor into what no source changes."""
        name, start = self.cursors.open(cursor, about) if cursor is not None else ("rules", 0)
        return FoundDocument({}, name, start, about)

    def _report(
        self, found: FoundDocument, asked: AskedRows, wanted: WantedFindings, path: str, profile: str | None
    ) -> taken.ReviewResult:
        around, numbers, rows = listings.split_findings(found.document, wanted)
        whole = partial(listings.point_to_finding, path, profile)
        shown, page = self._collect_page(found, rows, asked, whole, around)
        sections = {each["number"]: each for each in around["report"]["sections"]}
        for number, row in zip(numbers[found.start :], shown, strict=False):
            sections[number]["findings"].append(row)
        return {**around, "page": page}  # type: ignore[typeddict-item]

    def _collect_page(
        self,
        found: FoundDocument,
        rows: Sequence[PageRow],
        asked: AskedRows,
        whole: Callable[[PageRow, str], Whole],
        around: PageRow | None = None,
    ) -> tuple[list[PageRow], taken.Page]:
        shown = fit_rows(rows, found.start, asked, MOST_ANSWER - PAGE - measure_length(around or {}), whole)
        end = found.start + len(shown)
        further = self.cursors.seal(found.name, end, found.question) if end < len(rows) else None
        return shown, {"total": len(rows), "returned": len(shown), "next_cursor": further}


async def _collect_slugs(rule: str) -> tuple[str, ...]:
    return await anyio.to_thread.run_sync(listings.resolve_slugs, rule)
