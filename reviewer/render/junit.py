"""JUnit XML: a test suite for each section, a failed case for each violation.

Source: the schemas of Ant's and of Jenkins' dialect. Both hold, so there is neither a file nor a line but in names and texts, and
the time is one that no clock gave: two reviews of the same source are the same text.
"""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from reviewer.failures import Unreviewed
from reviewer.render.plain import escape_hidden
from reviewer.render.reasons import build_locator, explain_finding
from reviewer.render.text import render_server_line, render_summary
from reviewer.report.model import Finding, Open, Report, SectionReport
from reviewer.rules import Section, Severity


def render(report: Report) -> str:
    """Render the sections: suggestions pass, with their text in the suite's output; what does not count is skipped."""
    root = Element("testsuites")
    for number, part in enumerate(report.sections):
        _write_suite(root, number, part, report)
    if report.unreviewed or report.unread_parts:
        _write_unreviewed(root, report)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _write_suite(root: Element, number: int, part: SectionReport, report: Report) -> None:
    name = f"§{part.section.number} {part.section.title}"
    suite = SubElement(root, "testsuite", {"name": name, "package": "mcp-review", "id": str(number)})
    properties = SubElement(suite, "properties")
    told = {"profile": report.profile, "summary": render_summary(report), "status": part.status}
    told |= _render_servers(report) if number == 0 else {}
    for key, value in told.items():
        SubElement(properties, "property", {"name": key, "value": escape_hidden(value)})
    for finding in part.findings:
        _write_finding(suite, finding, report)
    for question in part.waiting:
        _write_question(suite, question, report)
    if part.status == "not-applicable":
        _write_skipped(_write_case(suite, name, part.section), f"not applicable: {escape_hidden(part.reason or '')}")
    elif not len(suite.findall("testcase")):
        _write_case(suite, name, part.section)
    suite.attrib |= _format_counts(suite)
    suggested = [each for each in part.findings if each.severity is Severity.SUGGESTION and each.status == "reported"]
    SubElement(suite, "system-out").text = "\n".join(_render_told(each, report) for each in suggested)
    SubElement(suite, "system-err")


def _render_servers(report: Report) -> dict[str, str]:
    """Return the texts about each of several servers, by place."""
    places = {each: f"server {escape_hidden(report.place(each.span))}:{each.span.line}" for each in report.servers}
    return {place: render_server_line(each, report) for each, place in places.items()}


def _write_unreviewed(root: Element, report: Report) -> None:
    """Write a suite with an error for each part that was not reviewed, and a skipped case for each that was not read."""
    suite = SubElement(root, "testsuite", {"name": "Not reviewed", "package": "mcp-review", "id": str(len(root))})
    SubElement(suite, "properties")
    for each in (*report.unreviewed, *report.unread_parts):
        named = escape_hidden(f"{report.place(each.span)}:{each.span.line}")
        case = SubElement(suite, "testcase", {"name": named, "classname": "mcp-review.unreviewed", "time": "0"})
        if isinstance(each, Unreviewed):
            SubElement(case, "error", {"message": escape_hidden(each.reason), "type": each.error or "bound"})
        else:
            _write_skipped(case, f"not read: {escape_hidden(each.reason)}")
    suite.attrib |= _format_counts(suite)
    SubElement(suite, "system-out")
    SubElement(suite, "system-err")


def _format_counts(suite: Element) -> dict[str, str]:
    cases = suite.findall("testcase")
    counts = {"tests": len(cases), "errors": len(suite.findall("testcase/error"))}
    counts |= {"failures": len(suite.findall("testcase/failure")), "skipped": len(suite.findall("testcase/skipped"))}
    fixed = {"hostname": "localhost", "timestamp": "1970-01-01T00:00:00", "time": "0"}
    return {name: str(count) for name, count in counts.items()} | fixed


def _write_case(suite: Element, name: str, section: Section) -> Element:
    return SubElement(suite, "testcase", {"name": name, "classname": f"mcp-review.{section.folder}", "time": "0"})


def _render_name(each: Finding | Open, report: Report) -> str:
    return escape_hidden(f"{each.rule.slug} {report.place(each.span)}:{each.span.line}:{each.span.column}")


def _write_finding(suite: Element, finding: Finding, report: Report) -> None:
    case = _write_case(suite, _render_name(finding, report), finding.rule.section)
    if finding.status != "reported":
        _write_skipped(case, finding.status if finding.status == "suppressed" else "in the baseline")
    elif finding.change == "unchanged":
        _write_skipped(case, "unchanged")
    elif finding.severity is not Severity.SUGGESTION:
        failure = SubElement(
            case, "failure", {"message": escape_hidden(finding.message), "type": finding.severity.value}
        )
        failure.text = _render_told(finding, report)


def _write_question(suite: Element, question: Open, report: Report) -> None:
    case = _write_case(suite, _render_name(question, report), question.rule.section)
    _write_skipped(case, f"not judged: {escape_hidden(question.why or 'no judge was asked')}")


def _write_skipped(case: Element, why: str) -> None:
    SubElement(case, "skipped", {"message": why})


def _render_told(finding: Finding, report: Report) -> str:
    told = f"{report.place(finding.span)}:{finding.span.line} {explain_finding(finding, build_locator(report))}"
    return escape_hidden(told) + (f"\n{escape_hidden(finding.help)}" if finding.help else "")
