"""Descriptions that a judge found wanting → better ones by a model, offered only if they hold.

An offer holds if the rules of the review find nothing in it that they did not find in the old text, and if the same judge, asked
anew all that is asked of the tool, finds met what was not, and nothing unmet that was. All else is dropped, with the reason.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Any

from reviewer import engine
from reviewer.caching import cache
from reviewer.facts import Project, Tool
from reviewer.fixes.model import FixPlanner, Rewrite
from reviewer.judge import Answer, AskedQuestion, Judge, Judged, Unanswered
from reviewer.judge.offers import NOBODY_ASKED, Draft, Offer, Refused, WantedDescription, WritesDescriptions
from reviewer.judge.question_requests import find_name
from reviewer.judge.rubrics import load_rubric
from reviewer.records import dataclass
from reviewer.report.model import Finding, Report, SectionReport, digest_finding
from reviewer.rules.shared.fixes import plan_rewrite
from reviewer.source import Text

QuestionKey = tuple[str, str]
"""What tells the questions about one tool apart: the rule, and what it asks about within the tool."""


class Heard:
    """A judge, and all that it answered."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.pairs: list[tuple[AskedQuestion, Answer]] = []

    def __call__(self, asked: Sequence[AskedQuestion]) -> Sequence[Answer]:
        """Answer questions, and take them down."""
        answers = self.judge(asked)
        self.pairs += zip(asked, answers, strict=True)
        return answers


@dataclass(frozen=True, slots=True)
class Review:
    """What a review was made of, so that it can be made again with another text.

    `tried` holds the projects with other texts: facts live as long as what was found of them is kept. `reign` tells where the
    rules of which profile hold.
    """

    project: Project
    chosen: list[engine.ActiveRule]
    checked: engine.Checked
    lines: engine.ReadLines
    reign: engine.ScopeOf | None = None
    tried: list[Project] = field(default_factory=list)

    def repeat(self, project: Project, judge: Judge) -> tuple[SectionReport, ...]:
        """Make it again of a project with another text."""
        self.tried.append(project)
        return engine.examine(project, self.chosen, self.checked, judge, self.lines, reign=self.reign)


@dataclass(slots=True)
class _Trial:
    """A tool with a new text: `project` has it in its place, `asked` is all that is to be judged of it."""

    wanted: WantedDescription
    draft: Draft
    tool: Tool
    project: Project
    asked: list[AskedQuestion]


def rewrite_descriptions(report: Report, review: Review, heard: Heard) -> Report:
    """Have descriptions written where findings say that they are wanting, and give the report with those that hold."""
    refused: list[Refused] = []
    review = replace(review, lines=cache(review.lines))  # each trial looks at the same files
    wanted = list(_iter_alone(_iter_rewritable_tools(report, review.project, heard), review.project, refused))
    trials = list(_iter_trials(wanted, report, review, heard, refused))
    answers = iter(heard.judge([asked for trial in trials for asked in trial.asked]) if trials else ())
    offers: list[tuple[_Trial, Offer]] = []
    for trial in trials:
        judged = [(asked, next(answers)) for asked in trial.asked]
        why = _find_unmet(trial, judged, heard)
        if why is None:
            offers.append((trial, _build_offer(trial, judged)))
        else:
            refused.append(_refuse(trial.wanted.tool, why))
    return _show(report, offers, tuple(refused))


def _iter_alone(
    every: Iterable[WantedDescription], project: Project, refused: list[Refused]
) -> Iterator[WantedDescription]:
    """Yield those whose text is that of no other tool."""
    texts = Counter(tool.said.span for tool, _ in _list_tools_with_siblings(project) if tool.said is not None)
    for each in every:
        if each.tool.said is not None and texts[each.tool.said.span] == 1:
            yield each
        else:
            refused.append(_refuse(each.tool, "another tool has the same text"))


def _iter_trials(
    wanted: Sequence[WantedDescription], report: Report, review: Review, heard: Heard, refused: list[Refused]
) -> Iterator[_Trial]:
    """Have descriptions written, and give those that rules find nothing new in."""
    writer: object = heard.judge
    if not isinstance(writer, WritesDescriptions) or not wanted:
        return
    for each, made in zip(wanted, writer.write_drafts(wanted), strict=True):
        trial = _try_draft(each, made, report, review, heard) if isinstance(made, Draft) else made.why
        if isinstance(trial, _Trial):
            yield trial
        elif made is not NOBODY_ASKED:
            refused.append(_refuse(each.tool, trial))


def _iter_rewritable_tools(report: Report, project: Project, heard: Heard) -> Iterator[WantedDescription]:
    """Yield the tools with unsuppressed findings that another description might fix."""
    judged = [each for each in report.counting if each.decided is not None]
    for tool, siblings in _list_tools_with_siblings(project):
        failed = tuple(
            (asked, answer)
            for asked, answer in heard.pairs
            if asked.question.tool is tool and isinstance(answer, Judged) and _is_of_text(asked)
            if any(_is_found_by(each, asked, answer) for each in judged)
        )
        if failed:
            yield WantedDescription(tool, failed, siblings)


def _list_tools_with_siblings(project: Project) -> Iterable[tuple[Tool, tuple[Tool, ...]]]:
    """Return every tool once, with those that are listed beside it."""
    return {id(tool): (tool, server.tools) for server in project.servers for tool in server.tools}.values()


def _is_of_text(asked: AskedQuestion) -> bool:
    """Return whether a question speaks of the description, and not of the name or a parameter."""
    said = asked.question.tool.said
    return said is not None and (said.span.holds(asked.question.span) or bool(asked.question.siblings))


def _is_found_by(finding: Finding, asked: AskedQuestion, answer: Answer) -> bool:
    return (
        finding.decided is not None
        and finding.decided.judged is answer
        and finding.rule is asked.rule
        and asked.question.span.holds(finding.span)
    )


def _try_draft(wanted: WantedDescription, draft: Draft, report: Report, review: Review, heard: Heard) -> _Trial | str:
    """Review with a new text in the place of the old one; give what is to be judged of it, or what speaks against it."""
    old = wanted.tool
    assert old.said is not None
    new = replace(old, description=Text(draft.text, old.said.span))
    project = _replace_tool(review.project, old, new)
    before = {(id(asked.question.tool), _get_key(asked)): answer for asked, answer in heard.pairs}
    noted: list[AskedQuestion] = []

    def note_questions(
        asked: Sequence[AskedQuestion],
    ) -> list[Answer]:  # suppressions stay of use: what was found is found again
        noted.extend(asked)
        owners = (old if each.question.tool is new else each.question.tool for each in asked)
        return [
            before.get((id(tool), _get_key(each)), Unanswered("")) for tool, each in zip(owners, asked, strict=True)
        ]

    sections = review.repeat(project, note_questions)
    known = Counter(digest_finding(each) for part in report.sections for each in part.findings if each.decided is None)
    for finding in (each for part in sections for each in part.findings if each.decided is None):
        known[digest_finding(finding)] -= 1
        if known[digest_finding(finding)] < 0:
            return f"`{finding.rule.slug}` has a finding on it that it did not have before"
    return _Trial(wanted, draft, new, project, list(_iter_questions(old, new, noted, heard)))


def _replace_tool(project: Project, old: Tool, new: Tool) -> Project:
    servers = (
        replace(server, tools=_swap(server.tools, old, new)) if any(each is old for each in server.tools) else server
        for server in project.servers
    )
    return replace(project, servers=tuple(servers))


def _swap(tools: tuple[Tool, ...], old: Tool, new: Tool) -> tuple[Tool, ...]:
    return tuple(new if each is old else each for each in tools)


def _iter_questions(old: Tool, new: Tool, noted: Sequence[AskedQuestion], heard: Heard) -> Iterator[AskedQuestion]:
    """Yield all that is asked of a new text: what was asked of the old one, what rules ask now, and of others about it."""
    own = {_get_key(each): each for each in noted if each.question.tool is new}
    for each, _ in heard.pairs:
        question = each.question
        if question.tool is old and _get_key(each) not in own:
            at = new.said if question.at is old.said and new.said is not None else question.at
            siblings = _swap(question.siblings, old, new)
            own[_get_key(each)] = AskedQuestion(each.rule, replace(question, at=at, tool=new, siblings=siblings))
    yield from own.values()
    for each in noted:
        question = each.question
        if question.tool is not new and question.about and any(it is new for it in question.siblings):
            # It names this one. The tool is copied, so that it is asked beside this text alone, not beside those of others.
            yield AskedQuestion(each.rule, replace(question, tool=replace(question.tool)))


def _get_key(asked: AskedQuestion) -> QuestionKey:
    return asked.rule.slug, asked.question.about


def _find_unmet(trial: _Trial, judged: Sequence[tuple[AskedQuestion, Answer]], heard: Heard) -> str | None:
    """Say what a judge has against a new text; None if it holds."""
    failed = {_get_key(asked) for asked, _ in trial.wanted.failed}
    unmet = {
        (find_name(asked.question.tool), _get_key(asked))
        for asked, answer in heard.pairs
        if isinstance(answer, Judged) and answer.verdict == "not_met"
    }
    for asked, answer in judged:
        slug, own = asked.rule.slug, asked.question.tool is trial.tool
        if isinstance(answer, Unanswered):
            return f"it was not judged: {answer.why}"
        if own and _get_key(asked) in failed and answer.verdict != "met":
            return f"judged again, it still does not meet `{slug}`"
        if answer.verdict == "not_met" and (find_name(asked.question.tool), _get_key(asked)) not in unmet:
            return f"judged again, it no longer meets `{slug}`"
    return None


def _build_offer(trial: _Trial, judged: Sequence[tuple[AskedQuestion, Answer]]) -> Offer:
    tool, draft = trial.wanted.tool, trial.draft
    assert tool.said is not None
    models = [answer.model for _, answer in judged if isinstance(answer, Judged)]
    meets = tuple(dict.fromkeys(load_rubric(asked.rule.slug).shown for asked, _ in trial.wanted.failed))
    place = tool.said.span
    return Offer(find_name(tool), place, draft.text, draft.claims, draft.prompt, draft.model, models[0], meets)


def _refuse(tool: Tool, why: str) -> Refused:
    return Refused(find_name(tool), tool.said.span if tool.said is not None else tool.span, why)


def _show(report: Report, offers: Sequence[tuple[_Trial, Offer]], refused: tuple[Refused, ...]) -> Report:
    """Return the offer that fixes each finding."""

    def add_offer(finding: Finding) -> Finding:
        for trial, offer in offers:
            if any(_is_found_by(finding, *each) for each in trial.wanted.failed):
                return replace(finding, offer=offer, fix_plan=_fix_planner(trial, offer))
        return finding

    sections: Any = (replace(part, findings=tuple(map(add_offer, part.findings))) for part in report.sections)
    return replace(report, sections=tuple(sections), refused=refused)


def _fix_planner(trial: _Trial, offer: Offer) -> FixPlanner:
    title = "use the description that a model wrote"
    return plan_rewrite(
        title, Rewrite("description", offer.span, value=offer.text, key=str(trial.wanted.tool.said)), safe=False
    )
