"""What a change alters about its own review, in words, for every format that people read."""

import posixpath
from collections.abc import Callable, Iterator, Sequence

from reviewer.render.plain import escape_hidden
from reviewer.report.model import Altered, LeftOut, Report, Setting, Suppression
from reviewer.report.relocation import find_path_from_here
from reviewer.text.excerpts import format_count

MOST = 10
"""Alterations of one kind that are shown; the rest is counted."""

Quote = Callable[[str], str]
"""Sets off what comes from the reviewed code."""

FormatPath = Callable[[str], str]
"""Returns the path of a reviewed file as it is shown."""


def describe_hidden(report: Report) -> str:
    """Return how many findings the change hides, as half a sentence; empty if none."""
    altered = _get_alterations(report)
    counts = (
        (altered.suppressed, "suppresses", "finding"),
        (report.accepted, "baselines", "finding"),
        (altered.left_out, "excludes", "file"),
    )
    said = [f"{verb} {format_count(count, noun)}" for count, verb, noun in counts if count]
    return f"this change {_join_words(said)}" if said else ""


def iter_alterations(report: Report, quote: Quote, locate: FormatPath | None = None) -> Iterator[str]:
    """Return a line for each alteration, and before those of the configuration whether they hold already.

    `locate` makes the paths that are shown of those of the reviewed files; without it they start from the top of the repository.
    """
    locate = locate or (lambda path: f"{report.folder}/{path}" if report.folder else path)
    altered = _get_alterations(report)
    base = quote(report.compared.base) if report.compared is not None else ""
    configured = len(altered.excluded) > len(altered.moved)
    if altered.source == "base" and (altered.settings or configured or altered.accepted):
        yield f"the configuration, ignore files and baseline of {base} apply here; the change alters them as follows"
    yield from _iter_first([_render_setting(each, quote) for each in altered.settings], "other configuration key")
    yield from _iter_first(
        [_render_suppression(each, locate, quote) for each in altered.suppressions], "other suppression"
    )
    yield from _iter_first([_render_left_out(each, locate, quote) for each in altered.excluded], "other file")
    entries = [f"{quote(each.rule)} in {quote(each.path)} is accepted by the baseline" for each in altered.accepted]
    yield from _iter_first(entries, "other finding")


def iter_plain_alterations(report: Report) -> Iterator[str]:
    """Return the same for a terminal: without marks, with paths from the current folder."""
    return iter_alterations(
        report, lambda said: f"`{escape_hidden(said)}`", lambda path: find_path_from_here(path, report.root)
    )


def _get_alterations(report: Report) -> Altered:
    return report.compared.altered if report.compared is not None else Altered()


def _iter_first(said: Sequence[str], rest: str) -> Iterator[str]:
    yield from said[:MOST]
    if len(said) > MOST:
        yield f"and {format_count(len(said) - MOST, rest)}"


def _render_setting(each: Setting, quote: Quote) -> str:
    if each.old is None:
        return f"configuration: {quote(each.key)} is set to {quote(each.new or '')}"
    if each.new is None:
        return f"configuration: {quote(each.key)} is no longer set; it was {quote(each.old)}"
    return f"configuration: {quote(each.key)} is changed from {quote(each.old)} to {quote(each.new)}"


def _render_suppression(each: Suppression, locate: FormatPath, quote: Quote) -> str:
    where = quote(f"{locate(each.span.path)}:{each.span.line}")
    hidden = f"hides {format_count(len(each.hides), 'finding')}" if each.hides else "hides nothing"
    why = f"; its reason: {quote(each.reason)}" if each.reason else "; it gives no reason"
    return f"{where} suppresses {quote(', '.join(each.rules[:MOST]))} and {hidden}{why}"


def _render_left_out(each: LeftOut, locate: FormatPath, quote: Quote) -> str:
    why = f" ({each.why})" if each.why else ""
    before = f"; {quote(locate(each.was))} was reviewed before" if each.was is not None else ""
    return f"{quote(posixpath.normpath(locate(each.path)))} is excluded{why}{before}"


def _join_words(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
