"""Reviews the source of MCP servers without running it.

>>> import reviewer
>>> report = reviewer.review("path/to/server")
"""

from reviewer.config import Flags
from reviewer.files import CannotReviewError
from reviewer.flow import review
from reviewer.judge.appointment import Appointment
from reviewer.report import Finding, Report, SectionReport, Verdict
from reviewer.rules import Severity

__all__ = [
    "Appointment",
    "CannotReviewError",
    "Finding",
    "Flags",
    "Report",
    "SectionReport",
    "Severity",
    "Verdict",
    "review",
]
