"""From exceptions to issues: the one place that knows both."""

import httpx

from tidewater_mcp.exceptions import (
    AccessDeniedError,
    AlreadyTakenError,
    InvalidRequestError,
    NotThereError,
    TidewaterError,
    TooManyCallsError,
    UnavailableError,
)

from .codes import IssueCode
from .response import ToolIssue


def map_exception(error: Exception) -> ToolIssue:
    """Say what went wrong without telling anything of our insides."""
    if isinstance(error, TooManyCallsError):
        pause = int(error.pause_s * 1000) if error.pause_s is not None else None
        return ToolIssue(
            code=IssueCode.RATE_LIMIT,
            message="Too many calls.",
            hint="Wait, then call again.",
            retry_after_ms=pause,
        )
    if isinstance(error, AccessDeniedError):
        return ToolIssue(code=IssueCode.PERMISSION_DENIED, message="The token does not allow this.")
    if isinstance(error, NotThereError):
        return ToolIssue(code=IssueCode.NOT_FOUND, message="There is no such thing.", hint="Look the ID up again.")
    if isinstance(error, AlreadyTakenError):
        return ToolIssue(code=IssueCode.CONFLICT, message="The berth is taken in that time.")
    if isinstance(error, InvalidRequestError):
        return ToolIssue(code=IssueCode.VALIDATION_ERROR, message=str(error))
    if isinstance(error, (UnavailableError, httpx.TimeoutException, httpx.TransportError)):
        return ToolIssue(code=IssueCode.TRANSIENT, message="Tidewater does not answer.", hint="Try again later.")
    if isinstance(error, TidewaterError):
        return ToolIssue(code=IssueCode.INTERNAL, message="Tidewater refused the call.")
    return ToolIssue(code=IssueCode.INTERNAL, message="Internal error.")
