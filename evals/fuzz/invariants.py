"""What holds of every output, whatever was reviewed."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from typing import Any

from pydantic import TypeAdapter

from reviewer.render.json import ReportV1
from reviewer.report.model import Report
from reviewer.rules import SECTIONS


class BrokenOutputError(Exception):
    """An output that its readers would refuse or misread; the message names the format and the fault."""


HEADINGS = {
    *(f"=== §{each.number}: {each.title} ===" for each in SECTIONS),
    "=== Fixed ===",
    "=== Alterations of the review ===",
    "=== Not read ===",
    "=== Not reviewed ===",
    "=== Servers ===",
    "=== Proposed descriptions ===",
}
BREAKS = re.compile("[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029\x00\x1b]")
"""What some reader takes for the end of a line, or a terminal for a command."""

COMMAND = re.compile(r"::(?:error|warning|notice|debug|group|endgroup)(?: [^\n]*?)?::[^\n]*")


def check(name: str, rendered: str, report: Report) -> None:
    """Raise BrokenOutputError if a rendered report is not what its format promises."""
    written = rendered.encode("utf-8", "backslashreplace").decode("utf-8")  # as it is written to files
    try:
        CHECKS[name](written, report)
    except BrokenOutputError:
        raise
    except Exception as error:
        raise BrokenOutputError(f"{name}: {type(error).__name__}: {error}") from error


def _insist(name: str, holds: bool, fault: str) -> None:
    if not holds:
        raise BrokenOutputError(f"{name}: {fault}")


@cache
def _report_v1() -> TypeAdapter[Any]:
    return TypeAdapter(ReportV1)


def _json(written: str, report: Report) -> None:
    _report_v1().validate_json(written, strict=True)
    document = json.loads(written, object_pairs_hook=_once, parse_constant=_no_constant)
    found = [each for part in document["sections"] for each in part["findings"]]
    _insist("json", all(_is_place(each) for each in found), "a place before the first line or column")
    _insist("json", len(document["sections"]) == len(report.sections), "another number of sections")


def _is_place(finding: dict[str, Any]) -> bool:
    return 1 <= finding["line"] <= finding["end_line"] and finding["column"] >= 1 and finding["end_column"] >= 1


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    _insist("json", len(pairs) == len({key for key, _ in pairs}), "a key stands twice")
    return dict(pairs)


def _no_constant(name: str) -> None:
    raise BrokenOutputError(f"json: {name} is no JSON")


def _any_json(written: str, _report: Report) -> None:
    json.loads(written, object_pairs_hook=_once, parse_constant=_no_constant)


def _sarif(written: str, _report: Report) -> None:
    document = json.loads(written, object_pairs_hook=_once, parse_constant=_no_constant)
    for run in document["runs"]:
        for result in run["results"]:
            for place in result["locations"]:
                region = place["physicalLocation"].get("region", {"startLine": 1})
                _insist("sarif", region["startLine"] >= 1 <= region.get("startColumn", 1), "a region before the file")
                uri = place["physicalLocation"]["artifactLocation"]["uri"]
                _insist("sarif", re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri) is not None, f"address {uri}")


def _text(written: str, _report: Report) -> None:
    _insist("text", BREAKS.search(written) is None, "a character that ends a line, or commands a terminal")
    headings = [line for line in written.split("\n") if line.startswith("=== ")]
    _insist("text", set(headings) <= HEADINGS and len(headings) == len(set(headings)), "a forged heading")


def _lines(written: str, report: Report) -> None:
    _insist("concise", BREAKS.search(written) is None, "a character that ends a line, or commands a terminal")


def _commands(written: str, _report: Report) -> None:
    _insist("github", BREAKS.search(written) is None, "a character that ends a line, or commands a terminal")
    for line in written.split("\n"):
        forged = line.lstrip().startswith("::") and COMMAND.fullmatch(line) is None
        _insist("github", not forged and "##[" not in line, f"a forged command: {line[:80]}")


def _markdown(written: str, _report: Report) -> None:
    _insist("markdown", BREAKS.search(written) is None, "a character that ends a line, or commands a terminal")


def _xml(written: str, _report: Report) -> None:
    ET.fromstring(written.encode("utf-8"))


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        _insist("html", not any(name.startswith("on") for name, _ in attrs), "an attribute that is a script")
        self.opened.append(tag)


def _html(written: str, _report: Report) -> None:
    page = _Page()
    page.feed(written)
    page.close()
    _insist("html", page.opened.count("body") <= 1 and page.opened.count("html") == 1, "a page within the page")


CHECKS: dict[str, Callable[[str, Report], None]] = {
    "text": _text,
    "concise": _lines,
    "json": _json,
    "sarif": _sarif,
    "sarif-github": _sarif,
    "github": _commands,
    "markdown": _markdown,
    "gitlab": _any_json,
    "junit": _xml,
    "rdjson": _any_json,
    "html": _html,
}


def check_catalog(written: str) -> None:
    """Raise BrokenOutputError if a catalog is no JSON that every reader takes."""
    try:
        json.loads(written, parse_constant=_no_constant)
        written.encode("utf-8")
    except ValueError as error:
        raise BrokenOutputError(f"catalog: {type(error).__name__}: {error}") from error


def check_command(code: int, _out: bytes, said: str) -> None:
    """Raise BrokenOutputError if a run of the command ends as none may."""
    _insist("command", code in (0, 1, 2), f"exit code {code}")
    _insist("command", "Traceback" not in said, "a traceback")
    _insist("command", code != 2 or said.startswith("mcp-review: "), "exit code 2 without a word")
