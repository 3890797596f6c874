"""Reviews the source of MCP servers without running it.

>>> import reviewer
>>> report = reviewer.review("path/to/server")

What stands in `__all__` is the public API, which docs/api.md describes; everything else may move between releases.
"""

from reviewer.config import Flags
from reviewer.files.discovery import CannotReviewError
from reviewer.judge.settings import JudgeSettings
from reviewer.progress import Progress, Stage
from reviewer.report.model import Finding, Maturity, Report, SectionReport, Verdict
from reviewer.reviewing import review
from reviewer.rules import Rule, Section, Severity
from reviewer.source import Opaque, Span
from reviewer.version import __version__

__all__ = [
    "CannotReviewError",
    "Finding",
    "Flags",
    "JudgeSettings",
    "Maturity",
    "Opaque",
    "Progress",
    "Report",
    "Rule",
    "Section",
    "SectionReport",
    "Severity",
    "Span",
    "Stage",
    "Verdict",
    "__version__",
    "review",
]

Appointment = JudgeSettings
"""The name of `JudgeSettings` up to 0.1, kept for callers for one release."""
