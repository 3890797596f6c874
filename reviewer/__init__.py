"""Reviews the source of MCP servers without running it.

>>> import reviewer
>>> report = reviewer.review("path/to/server")

What stands in `__all__` is the public API, which docs/api.md describes; everything else may move between releases.
"""

from reviewer.config import Flags
from reviewer.files.discovery import CannotReviewError
from reviewer.judge.settings import Appointment
from reviewer.progress import Progress, Stage
from reviewer.report.model import Finding, Maturity, Report, SectionReport, Verdict
from reviewer.reviewing import review
from reviewer.rules import Rule, Section, Severity
from reviewer.source import Opaque, Span
from reviewer.version import __version__

__all__ = [
    "Appointment",
    "CannotReviewError",
    "Finding",
    "Flags",
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
