"""Why a judge found something: what is wanting in words, the model's own sentence, and both quotes with their places."""

from collections.abc import Callable

from reviewer.report.model import Finding, Report
from reviewer.source import Span

FormatSpan = Callable[[Span], str]
"""Shows a place."""

MOST_QUOTED = 160
"""Characters of a quote in a line of text: about two lines of a terminal. JSON, SARIF and HTML hold all of it."""


def locate_place(span: Span) -> str:
    """Show a place as it is known within the reviewed folder."""
    return f"`{span.path}:{span.line}`"


def build_locator(report: Report) -> FormatSpan:
    """Return a function that shows the places of a report relative to the folder it was made in."""
    return lambda span: f"`{report.place(span)}:{span.line}`"


def explain_decision(finding: Finding, locate: FormatSpan = locate_place) -> str:
    """Return why a judge found a finding; empty if it was found by a check."""
    decision = finding.decided
    if decision is None:
        return ""
    judged = decision.judged
    named = f" ({', '.join(f'`{each}`' for each in judged.names)})" if judged.names else ""
    said = [": ".join(filter(None, ("; ".join(decision.failing) + named, judged.why.rstrip("."))))]
    said += [f"it says `{cut(judged.quote)}`"] if judged.quote else []
    if judged.evidence:
        where = f"{locate(decision.evidence)} has" if decision.evidence is not None else "compare"
        said.append(f"{where} `{cut(judged.evidence)}`")
    return "; ".join(filter(None, said))


def explain_finding(finding: Finding, locate: FormatSpan = locate_place) -> str:
    """Return the message of a finding, with why a judge found it, as one line of text."""
    why = explain_decision(finding, locate)
    return f"{finding.message}: {why}" if why else finding.message


def cut(quote: str) -> str:
    """Return a quote in one line, and no longer than is quoted in a line."""
    line = " ".join(quote.split())
    return line if len(line) <= MOST_QUOTED else f"{line[:MOST_QUOTED]}…"
