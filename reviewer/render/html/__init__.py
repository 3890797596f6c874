"""The report as one page that loads nothing: sections, findings with their source, maturity, and filters."""

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from xml.etree.ElementTree import Element

from reviewer.render.html.chart import render_chart
from reviewer.render.html.findings import References, render_errors, render_fixed, render_section, render_unread
from reviewer.render.html.markup import build_raw_element, format_count, serialize_document, tag
from reviewer.render.html.summary import render_filters, render_header, render_navigation
from reviewer.report.model import Report

MANY = 300
"""Findings from which on a browser lays out only those in sight: heights are estimates then."""


def render(report: Report) -> str:
    """Render the page."""
    style, script = (files(__package__).joinpath(name).read_text("utf-8") for name in ("page.css", "page.js"))
    return serialize_document(tag("html", _render_head(report, style, script), _render_body(report, script), lang="en"))


def _render_head(report: Report, style: str, script: str) -> Element:
    named = [", ".join(report.provenance.named)] if report.provenance is not None and report.provenance.named else []
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=build_policy(style, script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag(
            "title",
            " · ".join(
                [f"{report.verdict.value}: {format_count(report.violations, 'violation')}", *named, "mcp-review"]
            ),
        ),
        build_raw_element("style", style),
    )


def build_policy(style: str, script: str) -> str:
    """Allow this very style and script, and nothing else: no request, form, frame or base."""
    allowed = f"style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _hash(own: str) -> str:
    return f"sha256-{b64encode(sha256(own.encode()).digest()).decode()}"


def _render_body(report: Report, script: str) -> Element:
    refer = References(report)
    return tag(
        "body",
        tag("a", "Skip to the findings", class_="skip", href="#findings"),
        render_header(report),
        render_navigation(report),
        tag(
            "main",
            render_errors(report),
            render_filters(report, refer),
            render_fixed(report),
            tag("div", [render_section(part, refer) for part in report.sections], id="findings", tabindex=-1),
            render_chart(report, refer),
            render_unread(report.broken, refer),
        ),
        tag(
            "footer",
            tag("p", "Written by mcp-review from the source alone; nothing of it was run."),
            tag("p", "This page loads nothing and sends nothing."),
        ),
        build_raw_element("script", script),
        class_="long" if sum(len(part.findings) for part in report.sections) > MANY else None,
    )
