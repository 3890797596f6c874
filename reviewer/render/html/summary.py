"""The top of the page: the verdict, what was counted, the way to the sections, and the filters."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC
from xml.etree.ElementTree import Element

from reviewer.render.html.findings import SIGNS, References
from reviewer.render.html.markup import Part, format_count, link, render_aside, tag
from reviewer.report.model import BaseComparison, Maturity, Report, SectionReport, ServerReport, Status
from reviewer.report.provenance import Provenance
from reviewer.rules import Severity
from reviewer.version import __version__

MARKS = {"FAIL": "✕", "INCOMPLETE": "?", "PASS with warnings": "!", "PASS": "✓"}
TONES = {"FAIL": "fail", "INCOMPLETE": "fail", "PASS with warnings": "warned", "PASS": "pass"}


def render_header(report: Report) -> Element:
    """Say the verdict, why this profile, and the counts."""
    verdict = report.verdict.value
    said = f"{format_count(report.violations, 'violation')}, {format_count(report.sections_ok, 'section')} OK"
    return tag(
        "header",
        tag("p", "mcp-review", class_="maker"),
        tag(
            "h1",
            tag("span", MARKS[verdict], class_="mark", aria_hidden="true"),
            render_aside("Verdict: "),
            verdict,
            class_=f"verdict {TONES[verdict]}",
        ),
        tag("p", said, class_="said"),
        _render_subject(report.provenance) if report.provenance is not None else None,
        _render_gaps(report) if report.unreviewed else None,
        tag("p", "Profile ", tag("strong", report.profile), f": {report.because}", class_="profile"),
        tag("dl", list(_render_figures(report)), class_="figures"),
        _render_changes(report) if report.compared is not None else None,
        _render_servers(report) if report.servers else None,
    )


def _render_servers(report: Report) -> Element:
    """List several servers, each with its own verdict."""
    rows = [tag("li", list(_render_server(each, report))) for each in report.servers]
    return tag(
        "section",
        tag("h2", format_count(len(rows), "server"), id="tservers"),
        tag("ul", rows),
        aria_labelledby="tservers",
        class_="servers",
    )


def _render_server(server: ServerReport, report: Report) -> Iterator[Part]:
    outcome = report.summarize_server(server)
    place = tag("code", f"{server.span.path}:{server.span.line}", class_="place")
    yield tag("strong", outcome.verdict.value)
    yield from (" ", tag("code", server.name)) if server.name else ()
    yield from (", ", format_count(outcome.grave, "violation"), f", profile {server.profile} ({server.because}) ")
    yield link(place, report.link(server.span))


def _render_gaps(report: Report) -> Element:
    count = format_count(len(report.unreviewed), "part")
    return tag("p", f"Not reviewed: {count}, named at the end of the page.", class_="said")


def _render_subject(given: Provenance) -> Element:
    """Name what was reviewed, where it is from, when, and by which version."""
    rows: list[tuple[str, list[Part]]] = (
        [("reviewed", [tag("code", each) for each in given.named])] if given.named else []
    )
    if given.repository:
        rows.append(("repository", [link(tag("code", given.repository), given.home)]))
    if given.commit:
        rows.append(("commit", [link(tag("code", given.commit[:12]), given.commit_link)]))
    at = tag("time", given.moment, datetime=given.time.astimezone(UTC).isoformat(timespec="seconds"))
    rows += [("at", [at]), ("by", [f"mcp-review {__version__}"])]
    return tag(
        "dl", [tag("div", tag("dt", name), tag("dd", _join_parts(what))) for name, what in rows], class_="subject"
    )


def _join_parts(what: Sequence[Part]) -> list[Part]:
    return [part for each in what for part in (", ", each)][1:]


def _render_figures(report: Report) -> Iterator[Element]:
    for severity in Severity:
        count = report.count(severity)
        yield _render_figure(
            f"{severity.value}{'' if count == 1 else 's'}", f"{count:,}", severity.value if count else "none"
        )
    yield _render_figure("tool" if report.tools == 1 else "tools", f"{report.tools:,}")
    yield _render_figure("sections OK", f"{report.sections_ok} of {len(report.sections)}")
    waiting = sum(len(part.waiting) for part in report.sections)
    if waiting:
        yield _render_figure("not judged", f"{waiting:,}")
    yield _render_figure("maturity", *_describe_score(report.maturity))


def _render_figure(name: str, value: str, kind: str = "", note: str = "") -> Element:
    return tag(
        "div", tag("dt", name), tag("dd", value, tag("small", f" {note}") if note else None), class_=kind or None
    )


def _describe_score(scored: Maturity) -> tuple[str, str, str]:
    if scored.score is None:
        return "withheld", "none", ""
    return str(scored.score), "", f"of 100, {scored.level}"


def _render_changes(report: Report) -> Part:
    compared = report.compared or BaseComparison("")
    counts = Counter(each.change for each in report.findings)
    return tag(
        "p",
        "Since ",
        tag("code", compared.base),
        ": ",
        tag("strong", f"{counts['introduced']:,} introduced"),
        ", ",
        tag("a", f"{len(compared.fixed):,} fixed", href="#fixed") if compared.fixed else "0 fixed",
        f", {counts['unchanged']:,} unchanged",
        class_="changes",
    )


def render_navigation(report: Report) -> Element:
    """List the sections with how each stands."""
    rows: list[Part] = [tag("li", _render_section_link(part)) for part in report.sections]
    if report.maturity.tools:
        score = "–" if report.maturity.score is None else str(report.maturity.score)
        row = tag("a", tag("span", "Maturity", class_="name"), tag("span", score, class_="state"), href="#maturity")
        rows.append(tag("li", row, class_="apart"))
    return tag("nav", tag("h2", "Sections"), tag("ol", rows), aria_label="Sections")


def _render_section_link(part: SectionReport) -> Element:
    text, heard, kind = _describe_state(part)
    return tag(
        "a",
        tag("span", f"§{part.section.number}", class_="number"),
        tag("span", part.section.title, class_="name"),
        tag("span", tag("span", text, aria_hidden="true"), render_aside(f": {heard}"), class_=f"state {kind}"),
        href=f"#s{part.section.number}",
    )


def _describe_state(part: SectionReport) -> tuple[str, str, str]:
    """Return how a section stands in a few signs, in words, and its kind."""
    reported = part.reported
    if reported:
        worst = min((each.severity for each in reported), key=list(Severity).index)
        heard = f"{format_count(len(reported), 'finding')}, worst is {worst.value}"
        return f"{SIGNS[worst]} {len(reported):,}", heard, worst.value
    if part.status == "ok":
        return "✓", "OK", "ok"
    if part.status == "not-judged":
        return "?", f"not judged, {part.reason}", "quiet"
    return "–", "not applicable", "quiet"


def render_filters(report: Report, refer: References) -> Element:
    """Make the controls. Without a script they are not shown, and nothing is left out."""
    every = [each for part in report.sections for each in part.findings]
    severities = Counter(each.severity.value for each in report.findings)
    statuses = Counter(each.status for each in every)
    found = {each.tool for each in every if each.tool is not None}
    numbers = [part.section for part in report.sections if part.findings]
    return tag(
        "form",
        tag(
            "div",
            _render_checkboxes(
                "Severity", "severity", [(each.value, severities[each.value], True) for each in Severity]
            ),
            _render_checkboxes("Status", "status", [(each, statuses[each], each == "reported") for each in _STATUSES])
            if set(statuses) - {"reported"}
            else None,
            _render_checkboxes(
                "Change",
                "change",
                [("introduced", sum(each.change == "introduced" for each in report.findings), False)],
            )
            if report.compared is not None
            else None,
            class_="row",
        ),
        tag(
            "div",
            _render_choice(
                "Section", "section", [(str(each.number), f"§{each.number} {each.title}") for each in numbers]
            ),
            _render_choice("Tool", "tool", [(str(refer.number(each)), each) for each in sorted(found)]),
            _render_labelled(
                "Text", tag("input", type="search", name="text", id="text", autocomplete="off", spellcheck="false")
            ),
            tag("button", "Reset", type="reset"),
            class_="row",
        ),
        tag("p", role="status", class_="shown"),
        class_="filters",
        role="search",
        aria_label="Filter the findings",
        hidden=True,
    )


_STATUSES: tuple[Status, ...] = ("reported", "suppressed", "baseline")
"""In the order of the boxes; only the first is ticked when the page opens."""


def _render_checkboxes(legend: str, name: str, values: list[tuple[str, int, bool]]) -> Element:
    """Make a group of boxes to tick, each with how many findings it stands for."""
    labels = [
        tag(
            "label",
            tag("input", type="checkbox", name=name, value=value, checked=ticked),
            f"{value} ",
            tag("small", f"{count:,}"),
        )
        for value, count, ticked in values
    ]
    return tag("fieldset", tag("legend", legend), labels)


def _render_choice(label: str, name: str, values: list[tuple[str, str]]) -> Element:
    options = [tag("option", text, value=value) for value, text in values]
    return _render_labelled(label, tag("select", tag("option", "all", value=""), options, name=name, id=name))


def _render_labelled(label: str, control: Element) -> Element:
    return tag("div", tag("label", label, for_=control.get("id")), control, class_="field")
