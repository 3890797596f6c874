"""The MCP server itself: the tools with what is said of them, over stdio or HTTP."""

from importlib.metadata import version

from mcp.server import MCPServer
from mcp_types import ToolAnnotations

from reviewer.serve import descriptions
from reviewer.serve.answers import Gate
from reviewer.serve.tools import Tools

READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
NAMES = frozenset(
    "review_server list_server_tools list_questions answer_questions list_rules explain_rule".split(),
)


def server(tools: Tools) -> MCPServer:
    """Make the server. Its log goes to standard error, and is silent unless something is wrong."""
    made = MCPServer(
        "mcp-review",
        title="mcp-review",
        instructions=descriptions.INSTRUCTIONS,
        version=version("mcp-review"),
        log_level="ERROR",
        middleware=[Gate(NAMES)],
    )
    made.add_tool(tools.review_server, title="Review a server", description=descriptions.REVIEW, annotations=READS)
    made.add_tool(
        tools.list_server_tools, title="List a server's tools", description=descriptions.CATALOG, annotations=READS
    )
    made.add_tool(
        tools.list_questions, title="List questions for a judge", description=descriptions.QUESTIONS, annotations=READS
    )
    made.add_tool(
        tools.answer_questions, title="Merge a judge's answers", description=descriptions.ANSWERS, annotations=READS
    )
    made.add_tool(tools.list_rules, title="List the rules", description=descriptions.RULES, annotations=READS)
    made.add_tool(tools.explain_rule, title="Explain a rule", description=descriptions.EXPLAIN, annotations=READS)
    return made
