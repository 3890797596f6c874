"""The codes of what can go wrong."""

from enum import StrEnum


class IssueCode(StrEnum):
    """What kind of failure it is, for whoever decides what to do next."""

    VALIDATION_ERROR = "VALIDATION_ERROR"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    NOT_FOUND = "NOT_FOUND"
    CONFLICT = "CONFLICT"
    RATE_LIMIT = "RATE_LIMIT"
    TRANSIENT = "TRANSIENT"
    INTERNAL = "INTERNAL"
