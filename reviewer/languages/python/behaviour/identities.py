"""The version that Python's SDKs report for a server: their own, if the server sets none."""

from collections.abc import Iterator

from reviewer.facts import Identity
from reviewer.languages.python.declarations.sdks import identify_framework, identify_generation, is_low_level
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import External, PyInstance, is_none
from reviewer.source import Text
from reviewer.text.patterns import pattern

SAID_LATER = (b"server_version=", b"_mcp_server.version", b".version =")
"""How else the version comes to clients: by the options of a low-level server's run, or set on a server that was made."""

REQUIRED = pattern(r".*requirements.*|.*\.lock")
"""Manifests that say what a script needs, and no version of its own."""


def iter_identities(run: Evaluator) -> Iterator[Identity]:
    """Yield where a server surely is made without a version that it can be given.

    Low-level servers, `MCPServer` and FastMCP of fastmcp take one (`Server.create_initialization_options` in mcp 1.0 to 2.0,
    `FastMCP.__init__` in fastmcp 2.9 to 3). FastMCP of mcp 1 takes none.
    """
    names = {name.rpartition("/")[2] for name in run.files.manifests if not name.endswith(".json")}
    is_script = bool(names) and all(REQUIRED.fullmatch(each) for each in names)
    if is_script or any(True for _ in run.modules.find_containing(SAID_LATER)):
        return
    for server in run.servers:
        if isinstance(server.made_by, External) and _takes_version(server) and not _has_version(server):
            source = run.modules.by_path[server.span.path].source
            text = source.data[slice(*source.reach(server.span))].decode("utf-8", "replace")
            yield Identity(Text(text, server.span), identify_framework(server) or "mcp", ("version",))


def _takes_version(server: PyInstance) -> bool:
    return identify_framework(server) == "fastmcp" or is_low_level(server) or identify_generation(server) == 2


def _has_version(server: PyInstance) -> bool:
    given = server.find_argument("version", 1 if is_low_level(server) else None)
    return server.open or "version" in server.attributes or (given is not None and not is_none(given))
