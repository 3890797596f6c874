"""A selection as text, as Markdown and as JSON v1."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from typing_extensions import TypedDict

from reviewer.render.as_json import as_json
from reviewer.render.markdown import render_code
from reviewer.render.plain import escape_hidden
from reviewer.selection.choosing import ToolChoice
from reviewer.selection.comparing import SelectionComparison, compare_results
from reviewer.selection.running import AS_IT_IS, WITHOUT, SelectionResults
from reviewer.selection.scores import ChoiceOutcome, Result
from reviewer.selection.shares import Share
from reviewer.text.excerpts import format_count

MOST = 10
"""Pairs, tools and reasons that text and Markdown show; JSON has all."""

NO_TOOL = "no tool"


class ShareV1(TypedDict):
    """So many of so many, and the bounds between which the true share lies in 95 of 100 cases."""

    count: int
    of: int
    low: float
    high: float


class SelectionChoiceV1(TypedDict):
    """What was chosen for a task. `tool` is empty if no tool was; `unanswered` says why there is no choice."""

    task: str
    tool: str | None
    arguments: dict[str, Any] | None
    right: bool | None
    valid: bool | None
    invalid: str | None
    different: list[str] | None
    unanswered: str | None


class ConfusionV1(TypedDict):
    """How often a tool is taken for another; `taken_for` is empty where none was chosen."""

    tool: str
    taken_for: str
    times: int


class ToolV1(TypedDict):
    """How often a tool was chosen for its tasks."""

    tool: str
    right_tool: ShareV1


class ResultV1(TypedDict):
    """The choices with the descriptions as they are, each without its own, or with others. Shares are of what was answered."""

    variant: str
    models: list[str]
    right_tool: ShareV1
    valid_call: ShareV1
    right_arguments: ShareV1
    confusions: list[ConfusionV1]
    tools: list[ToolV1]
    choices: list[SelectionChoiceV1]


class SelectionComparisonV1(TypedDict):
    """The results of the same tasks at a base and now."""

    base: str
    before: ShareV1
    now: ShareV1
    lost: list[str]
    won: list[str]
    chance: float
    fell: bool
    confusions: list[ConfusionV1]


class SelectionTaskV1(TypedDict):
    """A task, with the tool and the arguments that are right."""

    id: str
    task: str
    tool: str
    arguments: dict[str, Any]
    also: list[str]
    by: str


class BesideV1(TypedDict):
    """A server whose tools are listed beside the others, with the names that choices have for them."""

    server: str
    tools: list[str]


class RejectedV1(TypedDict):
    """A task that does not count, empty where none was written, and why."""

    tool: str
    task: str
    why: str


class SelectionV1(TypedDict):
    """A selection. `beside` are other servers whose tools are listed too; with `names_hidden` labels stood for all names."""

    version: Literal[1]
    tools: list[str]
    beside: list[BesideV1]
    names_hidden: bool
    untested: list[str]
    tasks: list[SelectionTaskV1]
    rejected: list[RejectedV1]
    results: list[ResultV1]
    compared: SelectionComparisonV1 | None


def render_json(selection: SelectionResults) -> str:
    """Render all of it."""
    return as_json(build_selection_v1(selection))


def build_selection_v1(selection: SelectionResults) -> SelectionV1:
    """Turn a selection into its wire format."""
    return {
        "version": 1,
        "tools": [each.name for each in selection.tools],
        "beside": [{"server": name, "tools": tools} for name, tools in selection.others.items()],
        "names_hidden": selection.hidden,
        "untested": selection.untested,
        "tasks": [
            {
                "id": each.id,
                "task": each.text,
                "tool": each.tool,
                "arguments": each.arguments,
                "also": list(each.also),
                "by": each.by,
            }
            for each in selection.tasks
        ],
        "rejected": [{"tool": each.tool, "task": each.text, "why": each.why} for each in selection.rejected],
        "results": [_build_result(each) for each in selection.results],
        "compared": _build_compared(selection.compared, selection.base) if selection.compared is not None else None,
    }


def _build_result(result: Result) -> ResultV1:
    return {
        "variant": result.variant,
        "models": result.models,
        "right_tool": _build_share(result.right),
        "valid_call": _build_share(result.valid),
        "right_arguments": _build_share(result.exact),
        "confusions": _list_confusions(result.confusions),
        "tools": [{"tool": tool, "right_tool": _build_share(share)} for tool, share in result.by_tool.items()],
        "choices": [_build_choice(each) for each in result.outcomes],
    }


def _build_choice(outcome: ChoiceOutcome) -> SelectionChoiceV1:
    made = outcome.choice
    said = outcome.validity
    known = said is not None and said.said != "unknown"
    return {
        "task": outcome.task.id,
        "tool": made.tool if isinstance(made, ToolChoice) else None,
        "arguments": made.arguments if isinstance(made, ToolChoice) else None,
        "right": outcome.is_right if isinstance(made, ToolChoice) else None,
        "valid": said.said == "valid" if said is not None and known else None,
        "invalid": said.why if said is not None and said.said == "invalid" else None,
        "different": list(outcome.different) if outcome.different is not None else None,
        "unanswered": None if isinstance(made, ToolChoice) else made.why,
    }


def _build_compared(given: SelectionComparison, base: str) -> SelectionComparisonV1:
    before, now = given.shares
    return {
        "base": base,
        "before": _build_share(before),
        "now": _build_share(now),
        "lost": list(given.lost),
        "won": list(given.won),
        "chance": round(given.chance, 4),
        "fell": given.fell,
        "confusions": _list_confusions(given.confusions),
    }


def _list_confusions(found: Any) -> list[ConfusionV1]:
    return [{"tool": tool, "taken_for": other, "times": times} for tool, other, times in found]


def _build_share(share: Share) -> ShareV1:
    low, high = share.interval
    return {"count": share.count, "of": share.of, "low": round(low, 4), "high": round(high, 4)}


def render_text(selection: SelectionResults) -> str:
    """Render what a maintainer wants to know first."""
    return "\n".join(_iter_lines(selection, lambda name: f"`{escape_hidden(name)}`")) + "\n"


def render_markdown(selection: SelectionResults) -> str:
    """Render it as a list with a table."""
    head, *rest = _iter_lines(selection, lambda name: render_code(name), markdown=True)
    return "\n".join([f"### {head}", "", *rest]) + "\n"


Quote = Callable[[str], str]
"""Writes a name that strangers chose."""


def _iter_lines(selection: SelectionResults, quote: Quote, *, markdown: bool = False) -> Iterator[str]:
    who = ", ".join(sorted({name for each in selection.results for name in each.models})) or "no model"
    tools, tasks = format_count(len(selection.tools), "tool"), format_count(len(selection.tasks), "task")
    if selection.others:
        crowd = sum(len(each) for each in selection.others.values())
        tools += f" plus {crowd} of {format_count(len(selection.others), 'other server')}"
    named = ", names hidden" if selection.hidden else ""
    yield f"selection: {tools}, {tasks}{named}, chosen by {escape_hidden(who)}"
    yield from _iter_table_rows(selection.results, markdown=markdown)
    bullet = "- " if markdown else ""
    for each in _iter_remarks(selection, quote):
        said = each.lstrip(" ")
        yield each.removesuffix(said) + bullet + said


def _iter_table_rows(results: tuple[Result, ...], *, markdown: bool) -> Iterator[str]:
    rows: list[tuple[str, ...]] = [("descriptions", "right tool", "valid call", "right arguments")]
    rows += [(each.variant, *(render_share(one) for one in (each.right, each.valid, each.exact))) for each in results]
    if markdown:
        first, *others = ("| " + " | ".join(row) + " |" for row in rows)
        yield from (first, "| --- | --- | --- | --- |", *others, "")
        return
    widths = [max(len(row[place]) for row in rows) for place in range(4)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def render_share(share: Share) -> str:
    """Write a share with its interval."""
    if share.value is None:
        return "-"
    low, high = share.interval
    return f"{share.count} of {share.of} ({share.value:.0%}, {low * 100:.0f} to {high * 100:.0f})"


def _iter_remarks(selection: SelectionResults, quote: Quote) -> Iterator[str]:
    whose = {tool: server for server, tools in selection.others.items() for tool in tools}
    now = next((each for each in selection.results if each.variant == AS_IT_IS), None)
    if selection.compared is not None:
        yield from _iter_changes(selection.compared, selection.base, quote, whose)
    elif now is not None:
        yield from _iter_first([_render_confusion(*each, quote, whose) for each in now.confusions], "pair")
    for result in selection.results:
        if now is not None and result.variant != AS_IT_IS:
            yield from _iter_variant_changes(now, result, quote)
        for why, count in result.unanswered.most_common(MOST):
            yield f"{format_count(count, 'choice')} unanswered ({result.variant}): {escape_hidden(why)}"
    if selection.untested:
        named = ", ".join(quote(name) for name in selection.untested[:MOST])
        more = f" and {len(selection.untested) - MOST} more" if len(selection.untested) > MOST else ""
        yield f"without a task: {named}{more}"
    for why, count in selection.unmade.most_common(MOST):
        yield f"no tasks for {format_count(count, 'tool')}: {escape_hidden(why)}"
    dropped = [each for each in selection.rejected if each.text]
    if dropped:
        yield f"{format_count(len(dropped), 'task')} thrown away; JSON says why"


def _iter_changes(given: SelectionComparison, base: str, quote: Quote, whose: Mapping[str, str]) -> Iterator[str]:
    before, now = given.shares
    chance = f"; {len(given.lost)} lost, {len(given.won)} won (p = {given.chance:.2f})" if given.lost else ""
    yield f"right tool {before.count} → {now.count} of {now.of} since {escape_hidden(base)}{chance}"
    yield from _iter_first([_render_confusion(*each, quote, whose) for each in given.confusions], "pair")


def _render_confusion(tool: str, other: str, times: int, quote: Quote, whose: Mapping[str, str]) -> str:
    often = f" {times} times" if times > 1 else ""
    if not other:
        return f"no tool is chosen for {quote(tool)}{often}"
    of = f" of {escape_hidden(whose[other])}" if other in whose else ""
    return f"{quote(tool)} is taken for {quote(other)}{of}{often}"


def _iter_variant_changes(now: Result, other: Result, quote: Quote) -> Iterator[str]:
    """Say what another variant changes, on the tasks that both have, and for which tools."""
    pair = compare_results(now, other)
    before, after = pair.shares
    yield f"{other.variant}: right tool {before.count} → {after.count} of {after.of}"
    had: Mapping[str, Share] = pair.before.by_tool
    moved = [(tool, had[tool], share) for tool, share in pair.now.by_tool.items() if share.count != had[tool].count]
    word = "without its description" if other.variant == WITHOUT else other.variant
    yield from _iter_first(
        [f"  {quote(tool)} {one.count} → {two.count} of {two.of} {word}" for tool, one, two in moved], "tool"
    )


def _iter_first(lines: list[str], noun: str) -> Iterator[str]:
    yield from lines[:MOST]
    if len(lines) > MOST:
        yield f"  and {format_count(len(lines) - MOST, f'further {noun}')}"


RENDERERS = {"text": render_text, "markdown": render_markdown, "json": render_json}
