"""The MCP server itself: the tools with what is said of them, over stdio or HTTP."""

from collections.abc import Callable
from typing import Any

from mcp.server import MCPServer
from mcp_types import ToolAnnotations

from reviewer.serve import descriptions
from reviewer.serve.answers import RequestGate
from reviewer.serve.tools import ServedTools
from reviewer.version import __version__

READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
TAKEN: dict[str, Callable[..., Any]] = {
    "review-server": ServedTools.review_server,
    "list-server-tools": ServedTools.list_server_tools,
    "list-questions": ServedTools.list_questions,
    "answer-questions": ServedTools.answer_questions,
    "list-rules": ServedTools.list_rules,
    "explain-rule": ServedTools.explain_rule,
}
"""Whose parameters a call of a tool may have; the SDK passes over others in silence."""


def build_server(tools: ServedTools) -> MCPServer:
    """Make the server. Its log goes to standard error, and is silent unless something is wrong."""
    made = MCPServer(
        "mcp-review",
        title="mcp-review",
        instructions=descriptions.INSTRUCTIONS,
        version=__version__,
        log_level="ERROR",
        subscriptions=False,  # the tools never change: nothing is promised of it
        middleware=[RequestGate(TAKEN)],
    )
    made.add_tool(
        tools.review_server, "review-server", "Review a server", description=descriptions.REVIEW, annotations=READS
    )
    made.add_tool(
        tools.list_server_tools,
        "list-server-tools",
        "List a server's tools",
        description=descriptions.CATALOG,
        annotations=READS,
    )
    made.add_tool(
        tools.list_questions,
        "list-questions",
        "List questions for a judge",
        description=descriptions.QUESTIONS,
        annotations=READS,
    )
    made.add_tool(
        tools.answer_questions,
        "answer-questions",
        "Merge a judge's answers",
        description=descriptions.ANSWERS,
        annotations=READS,
    )
    made.add_tool(tools.list_rules, "list-rules", "List the rules", description=descriptions.RULES, annotations=READS)
    made.add_tool(
        tools.explain_rule, "explain-rule", "Explain a rule", description=descriptions.EXPLAIN, annotations=READS
    )
    return made
