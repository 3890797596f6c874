"""Which objects are servers, and of which SDK: by the paths of the classes that make them."""

import re

from reviewer.languages.python.evaluation.values import External, PyInstance, PyValue
from reviewer.schema.python.dialects import Framework
from reviewer.text.patterns import pattern

# The modules that offer `FastMCP` (mcp 1) and `MCPServer` (mcp 2), by whichever of them a file imports it.
SDK_MODULES = tuple(
    "mcp.server mcp.server.fastmcp mcp.server.fastmcp.server mcp.server.mcpserver mcp.server.mcpserver.server".split()
)
# The same for `Server`, on which the two are built, and which lists no tools by itself.
LOWLEVEL_MODULES = ("mcp.server", "mcp.server.lowlevel", "mcp.server.lowlevel.server")

HIGH_LEVEL = frozenset(f"{module}.{name}" for module in SDK_MODULES for name in ("FastMCP", "MCPServer"))
"""FastMCP is called MCPServer from SDK 2 on; each under all modules that export it in some release."""

LOW_LEVEL = frozenset(f"{module}.Server" for module in LOWLEVEL_MODULES)
"""Named `Server` in SDK 1 and 2."""


def is_fastmcp(path: str) -> bool:
    """Return whether a path names the server class of the standalone fastmcp."""
    return path.startswith("fastmcp.") and path.endswith(".FastMCP")


# Libraries that wrap the SDK have `mcp` in their name; what they have for clients declares no tools.
FOREIGN = pattern(r"mcp(?!_?client)", re.IGNORECASE)

PROVIDERS = ("LocalProvider", "FileSystemProvider")
"""Classes of fastmcp that hold tools for the servers they are given to, and take them as a server does."""


def _is_provider(path: str, names: tuple[str, ...]) -> bool:
    return path.startswith("fastmcp.") and path.endswith(tuple(f".{name}" for name in names))


def is_provider(instance: PyInstance) -> bool:
    """Return whether an object holds tools for servers, without being one."""
    return any(_is_provider(path, PROVIDERS) for path in _list_external_classes(instance))


def is_folder_provider(instance: PyInstance) -> bool:
    """Return whether an object takes its tools from the files of a folder."""
    return any(_is_provider(path, PROVIDERS[1:]) for path in _list_external_classes(instance))


def _list_external_classes(instance: PyInstance) -> list[str]:
    """Name the classes from outside the project that an object is of."""
    return [instance.path] if isinstance(instance.made_by, External) else instance.made_by.list_external_bases()


def identify_framework(instance: PyInstance) -> Framework | None:
    """Name the distribution whose server or provider an object is: `mcp`, `fastmcp`; None if it is neither."""
    paths = _list_external_classes(instance)
    if any(is_fastmcp(path) or _is_provider(path, PROVIDERS) for path in paths):
        return "fastmcp"
    return "mcp" if any(path in HIGH_LEVEL or path in LOW_LEVEL for path in paths) else None


def identify_generation(instance: PyInstance) -> int | None:
    """Return the major version of the SDK that a server's class belongs to, where its path shows one."""
    paths = _list_external_classes(instance)
    if any(path.startswith("mcp.server.fastmcp") or path == "mcp.server.FastMCP" for path in paths):
        return 1
    return 2 if any(path.endswith(".MCPServer") for path in paths) else None


CONVERSATION = "mcp_review.Conversation"
"""What stands for a server that no SDK makes."""


def is_conversation(server: PyInstance) -> bool:
    """Return whether no SDK makes a server: it reads requests itself."""
    return server.path == CONVERSATION


def is_server(value: PyValue) -> bool:
    """Return whether a value is a server object, or a provider, which takes tools as a server does."""
    return isinstance(value, PyInstance) and identify_framework(value) is not None


def is_foreign(value: PyValue) -> bool:
    """Return whether a value is what a library of others gives that speaks of the protocol by its name."""
    path = value.path if isinstance(value, External | PyInstance) else ""
    return FOREIGN.search(path) is not None


def is_low_level(instance: PyInstance) -> bool:
    """Return whether a server's tools are listed by a handler of its own."""
    return any(path in LOW_LEVEL for path in _list_external_classes(instance))


INNER = frozenset({"_tool_manager", "local_provider", "_local_provider", "tool_manager"})
"""Attributes of a server that hold its tools."""
LOWER = frozenset({"_mcp_server", "_lowlevel_server"})
"""Attributes of a server that are the low-level server under it."""
# The places from which `Tool` is imported: `mcp.types` in mcp 1, `mcp_types` in mcp 2, and modules that import it
# themselves.
TOOL_OBJECTS = frozenset(
    {"mcp.types.Tool", "mcp.Tool", "mcp_types.Tool", "mcp.server.types.Tool", "mcp.server.lowlevel.types.Tool"}
)


def is_tool_object(value: PyValue) -> bool:
    """Return whether a value is a `Tool(...)` as the protocol has it."""
    return isinstance(value, PyInstance) and value.path in TOOL_OBJECTS


def is_made(value: PyValue | None) -> bool:
    """Return whether a value is what `Tool.from_function(...)` gives."""
    return isinstance(value, PyInstance) and value.path.endswith(".from_function")
