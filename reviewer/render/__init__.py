"""A report → text in one of the formats. Each renderer reads a Report and nothing else."""

from collections.abc import Callable
from importlib import import_module

from reviewer.report.model import Report


def _of(module: str, function: str = "render") -> Callable[[Report], str]:
    """Return a renderer that is loaded when it is first of use."""
    return lambda report: str(getattr(import_module(f"{__name__}.{module}"), function)(report))


RENDERERS: dict[str, Callable[[Report], str]] = {
    "text": _of("text"),
    "concise": _of("concise"),
    "json": _of("json"),
    "sarif": _of("sarif"),
    "sarif-github": _of("sarif", "render_for_github"),
    "github": _of("github"),
    "markdown": _of("markdown"),
    "gitlab": _of("gitlab"),
    "junit": _of("junit"),
    "rdjson": _of("rdjson"),
    "html": _of("html"),
}
"""What each format is rendered with."""

STATISTICS: dict[str, Callable[[Report], str]] = {
    "text": _of("statistics", "render_text"),
    "json": _of("statistics", "render_json"),
}
"""What counts of the findings by rule are rendered with."""

QUOTING = frozenset({"sarif", "sarif-github", "rdjson", "html"})
"""The formats that need the lines of each finding's place."""

FIXING = frozenset({"json", "markdown", "sarif", "sarif-github", "rdjson", "html"})
"""The formats that show what fixes a finding."""

NAMING = frozenset({"markdown", "html"})
"""The formats that name what was reviewed, and when."""
