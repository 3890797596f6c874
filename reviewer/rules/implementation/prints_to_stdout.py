'''Servers on stdio write only protocol messages to standard output.

On stdio, standard output is the connection to the client. Any other text there is a message that the client cannot parse: some
clients show an error, some disconnect. All places of one server are reported once.

Bad:

```python
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def fire(minutes: int) -> str:
    """Fire the kiln."""
    print("firing", minutes)  # flaw
    return "done"

mcp.run(transport="stdio")
```

Good:

```python
import sys

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def fire(minutes: int) -> str:
    """Fire the kiln."""
    print("firing", minutes, file=sys.stderr)
    return "done"

mcp.run(transport="stdio")
```
'''

from collections.abc import Iterator

from reviewer.facts import Project, Transport
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import find_nearest_stdio, format_way, iter_acts
from reviewer.rules.shared.fixes import plan_stderr_print
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Write it to standard error or to the log; on stdio, standard output is reserved for the protocol."


@rule(
    Severity.ERROR,
    cites=("MCP 2026-07-28 basic/transports/stdio",),
    when=lambda project: any(each.kind == "stdio" for each in project.transports),
    absent="nothing is served on stdio",
    fixes=("safe", "unsafe"),
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each print to standard output, in tools or around them, of a server that uses stdio."""
    for transport in project.transports:
        for act in transport.prints if transport.kind == "stdio" else ():
            used = shorten_code(transport.text)
            message = f"`{shorten_code(act.text)}` writes to standard output, which `{used}` uses for the protocol"
            fix_plan = plan_stderr_print(act.text.span, safe=not act.through)
            yield Flaw(act.text, message, HELP, fix_plan=fix_plan, cause=_format_server_of(project, transport))
    for tool in (tool for server in project.servers for tool in server.tools if tool.code is not None):
        near = find_nearest_stdio(project, tool.span.path)
        if near is not None and tool.code is not None:
            for act in iter_acts(tool.code, "prints"):
                said = f"`{shorten_code(act.text)}` writes to standard output, which is reserved for the protocol"
                fix_plan = plan_stderr_print(act.text.span, safe=not act.through)
                yield Flaw(
                    act.text,
                    f"{said}{format_way(act, tool.code)}",
                    HELP,
                    tool,
                    fix_plan,
                    cause=_format_server_of(project, near),
                )


def _format_server_of(project: Project, transport: Transport) -> str:
    """Name the outermost folder of those around a transport that hold one of stdio: what is below is one server."""
    paths = [each.text.span.path for each in project.transports if each.kind == "stdio"]
    folders = (path[: path.rfind("/") + 1] for path in paths)
    return f"below {min((each for each in folders if transport.text.span.path.startswith(each)), key=len)}"
