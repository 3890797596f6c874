"""A report → text in one of the formats. Each renderer reads a Report and nothing else."""

from collections.abc import Callable
from importlib import import_module

from reviewer.report.model import Report


def _load_renderer(module: str, function: str = "render") -> Callable[[Report], str]:
    """Return a renderer that is loaded when it is first of use."""
    return lambda report: str(getattr(import_module(f"{__name__}.{module}"), function)(report))


RENDERERS: dict[str, Callable[[Report], str]] = {
    "text": _load_renderer("text"),
    "concise": _load_renderer("concise"),
    "json": _load_renderer("json"),
    "sarif": _load_renderer("sarif"),
    "sarif-github": _load_renderer("sarif", "render_for_github"),
    "github": _load_renderer("github"),
    "markdown": _load_renderer("markdown"),
    "gitlab": _load_renderer("gitlab"),
    "junit": _load_renderer("junit"),
    "rdjson": _load_renderer("rdjson"),
    "html": _load_renderer("html"),
}
"""What each format is rendered with."""

STATISTICS: dict[str, Callable[[Report], str]] = {
    "text": _load_renderer("statistics", "render_text"),
    "json": _load_renderer("statistics", "render_json"),
}
"""What counts of the findings by rule are rendered with."""

QUOTING = frozenset({"sarif", "sarif-github", "rdjson", "html"})
"""The formats that need the lines of each finding's place."""

FIXING = frozenset({"json", "markdown", "sarif", "sarif-github", "rdjson", "html"})
"""The formats that show what fixes a finding."""

SCORING = frozenset({"text", "json", "markdown", "html"})
"""The formats that show how mature the tools are."""

NAMING = frozenset({"markdown", "html"})
"""The formats that name what was reviewed, and when."""
