"""One envelope for what every tool answers, success or not."""

from .codes import IssueCode
from .handler import handle_tool_errors
from .mapping import map_exception
from .response import ToolIssue, ToolResponse

__all__ = ["IssueCode", "ToolIssue", "ToolResponse", "handle_tool_errors", "map_exception"]
