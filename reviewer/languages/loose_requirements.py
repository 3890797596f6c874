"""Manifests of Python projects → requirements of an SDK that let in a release without what the code imports.

Read as plain text, and only if a rule asks. What a lock file holds counts where the documents install by that lock alone.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from reviewer.facts import LooseRequirement, Project
from reviewer.files.discovery import Tree
from reviewer.languages.python.declarations.releases import (
    LOCKS,
    PINS,
    classify_manifest,
    iter_requirements,
    parse_bounds,
    read_toml,
)
from reviewer.languages.start_commands import iter_start_documents
from reviewer.records import dataclass
from reviewer.schema.python.dialects import RELEASES, Framework
from reviewer.source import Opaque, Source, Span, Text, build_text
from reviewer.text.patterns import pattern

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet


@dataclass(frozen=True, slots=True)
class BreakingRelease:
    """What a major release of an SDK has no longer. `source` is its documentation, or the wheels that were compared."""

    sdk: Framework
    major: int
    modules: tuple[str, ...]
    names: dict[str, tuple[str, ...]]
    """By module, the names that are no longer there."""
    source: str


BREAKS = (
    BreakingRelease(
        "mcp",
        2,
        ("mcp.server.fastmcp", "mcp.server.websocket", "mcp.client.websocket", "mcp.shared.session", "mcp.shared.progress"),
        {
            "mcp": ("McpError",),
            "mcp.server": ("FastMCP",),
            "mcp.client.streamable_http": ("streamablehttp_client",),
            "mcp.shared.exceptions": ("McpError",),
            "mcp.shared.context": ("RequestContext",),
        },
        "https://py.sdk.modelcontextprotocol.io/v2/migration/ and the wheels of 1.30.0 and 2.3.0",
    ),
    BreakingRelease(
        "fastmcp",
        3,
        ("fastmcp.tools.tool_manager", "fastmcp.prompts.prompt_manager", "fastmcp.resources.resource_manager"),
        {"fastmcp.tools": ("ToolManager",), "fastmcp.prompts": ("PromptManager",), "fastmcp.resources": ("ResourceManager",)},
        "the wheels of 2.14.7 and 3.4.10",
    ),
    BreakingRelease(
        "fastmcp",
        4,
        ("fastmcp.server.proxy", "fastmcp.server.openapi", "fastmcp.server.sampling", "fastmcp.server.tasks"),
        {},
        "the wheels of 3.4.10 and 4.1.2",
    ),
)  # fmt: skip

# The class as mcp 1 offers it, by its three modules; its decorators are gone in mcp 2.
LOW_LEVEL = pattern(rb"^from mcp\.server(?:\.lowlevel(?:\.server)?)? import\b[^\n]*\bServer\b", re.MULTILINE)
HANDLED = pattern(
    rb"^[ \t]*@?\w+(?:\.\w+)*\.(?:(?P<by>list_tools|call_tool)\(|(?P<in>request_handlers)\[)", re.MULTILINE
)
"""How the low-level server of mcp 1 is told what answers; since mcp 2 it is told so when it is made."""


class Need(NamedTuple):
    """An SDK that is made with another: since a major release it needs a major one of that, and an older one before."""

    sdk: Framework
    since: int
    needed: Framework
    major: int


NEEDS = (Need("fastmcp", 4, "mcp", 2),)
"""By `Requires-Dist` of fastmcp 3 and 4."""

HOLDING = frozenset(
    "openai-agents google-adk strands-agents pydantic-ai pydantic-ai-slim crewai semantic-kernel litellm autogen-ext".split()
)
"""Other distributions that need an SDK, and may hold it back. What has `mcp` in its name may as well."""

BOUND = pattern(r"constraint-dependencies|override-dependencies|^\s*mcp\s*=\s*\{", re.MULTILINE)
"""What in a manifest holds a distribution elsewhere than at its requirement."""

UNLOCKED = pattern(
    r"\b(?:uvx|pipx|uv tool (?:run|install)|(?:uv )?pip3? install)\b(?P<told>[^\n`]*(?:\n\s*\"args\"[^\]]*)?)"
)
"""Commands that install what is required, and take no lock file."""

OWN = r"(?<!\S)[\"']?\.(?:\[|/?[\"']?(?:\s|$))|git\+https?:"
"""The project itself, as such a command names it by its place."""


def iter_loose_requirements(tree: Tree, project: Project) -> Iterator[LooseRequirement]:
    """Yield the requirements by which a fresh installation gets an SDK that the servers' own files cannot be run with."""
    tools = [tool for server in project.servers for tool in server.tools]
    spans = (*(each.span for each in project.servers), *(each.span for each in tools))
    paths = dict.fromkeys(each.path for each in spans if each.path.endswith(".py"))
    own = [tree.sources[path] for path in paths if path in tree.sources]
    if any(LOW_LEVEL.search(each.data) for each in own):  # another file may be handed the server, to register the tools
        own += [each for path, each in tree.sources.items() if path not in paths and _registers_tools(each)]
    found: dict[Span, LooseRequirement] = {}
    for source in own:
        for broken, missing in _iter_missing_imports(source):
            manifest = _find_manifest_of(source.path, tree, broken.sdk)
            text = manifest.find_admitting_requirement(broken.sdk, broken.major) if manifest is not None else None
            if text is not None:
                release = f"{broken.sdk} {broken.major}"
                found.setdefault(text.span, LooseRequirement(text, release, missing, source.path))
    yield from found.values()


def _registers_tools(source: Source) -> bool:
    """Return whether a file tells a low-level server of mcp 1 what answers."""
    return LOW_LEVEL.search(source.data) is not None and HANDLED.search(source.data) is not None


def _iter_missing_imports(source: Source) -> Iterator[tuple[BreakingRelease, str]]:
    """Yield for each major release that lacks something what a file imports of it when it is loaded, whatever happens."""
    for each in BREAKS:
        modules = "|".join(map(re.escape, each.modules))
        found = re.search(rf"^(?:from|import)[ ]+({modules})\b".encode(), source.data, re.MULTILINE)
        if found is not None:
            yield each, f"module `{found[1].decode()}`"
            continue
        for module, names in each.names.items():
            taken = "|".join(names)
            head = rf"^from {re.escape(module)} import\b(?:[^\n(]*|[ ]*\([^)]*)\b({taken})\b"
            found = re.search(head.encode(), source.data, re.MULTILINE)
            if found is not None:
                yield each, f"`{found[1].decode()}` in `{module}`"
                break
        else:
            used = HANDLED.search(source.data) if each.sdk == "mcp" and LOW_LEVEL.search(source.data) else None
            if used is not None:
                yield each, f"`{(used['by'] or used['in']).decode()}` of `Server`"


def _find_manifest_of(path: str, tree: Tree, sdk: Framework) -> "RequirementManifest | None":
    """Return the nearest manifest above a file that requires an SDK, or another that needs it."""
    parts = path.split("/")[:-1]
    for end in range(len(parts), -1, -1):
        for name in ("pyproject.toml", "requirements.txt"):
            place = "/".join((*parts[:end], name))
            if place in tree.manifests:
                found = RequirementManifest(place, tree)
                if any(each in found.sdks for each in (sdk, *(need.sdk for need in NEEDS))):
                    return found
    return None


def _find_text(path: str, tree: Tree) -> str | None:
    """Return the text of a manifest, also of one that git ignores; empty if there is none, None if it cannot be read."""
    if path not in tree.manifests:
        found = tree.look_up(path)
        return None if isinstance(found, Opaque) else found or ""
    try:
        return tree.manifests[path].read_text("utf-8", "replace")
    except OSError:
        return None


@dataclass(frozen=True)
class RequirementManifest:
    """What one manifest says of the SDKs that are installed with a project."""

    path: str
    tree: Tree

    @cached_property
    def text(self) -> str:
        """All of it; empty if it cannot be read."""
        return _find_text(self.path, self.tree) or ""

    @cached_property
    def _required(self) -> list[str]:
        return list(iter_requirements(self.text, self.path))

    @cached_property
    def sdks(self) -> "dict[str, tuple[str, SpecifierSet]]":
        """The requirements of SDKs, each with its bounds."""
        found = ((sdk, each, parse_bounds(each, sdk)) for each in self._required for sdk in RELEASES)
        return {sdk: (each, allowed) for sdk, each, allowed in found if allowed is not None}

    def find_admitting_requirement(self, sdk: Framework, major: int) -> Text | None:
        """Return the requirement by which a major release of an SDK is installed; None if it is not, or that is
        unknown.
        """
        if BOUND.search(self.text) or any(self._may_hold(each) for each in self._required):
            return None
        told: str = sdk
        for other, since, needed, needs in NEEDS:
            if sdk == needed and major >= needs and other in self.sdks and not self._allows(other, since):
                return None
            if sdk == needed and sdk not in self.sdks:
                told, major = other, since
            if sdk == other and major >= since and needed in self.sdks and not self._allows(needed, needs):
                return None
        if told not in self.sdks or not self._allows(told, major) or self._is_locked(sdk, major):
            return None
        return self._locate_requirement(self.sdks[told][0])

    def _may_hold(self, requirement: str) -> bool:
        found = re.match(r"[\w.-]+", requirement)
        name = found[0].lower().replace("_", "-") if found is not None else ""
        return name in HOLDING or ("mcp" in name and name not in RELEASES) or "@" in requirement.partition(";")[0]

    def _allows(self, sdk: str, major: int) -> bool:
        """Return whether the newest release that is allowed is that major one, or one after it."""
        allowed = [each for each in RELEASES[sdk].split() if each in self.sdks[sdk][1]]  # type: ignore[index]
        return bool(allowed) and int(allowed[-1].partition(".")[0]) >= major

    def _is_locked(self, sdk: str, major: int) -> bool:
        """Return whether a lock or a list of pins holds an older release, and no document installs without it."""
        folder = self.path.rpartition("/")[0]
        names = (*LOCKS, "requirements.txt")
        places = dict.fromkeys(f"{each}/{name}".lstrip("/") for each in (folder, "") for name in names)
        held = [each for each in places if self._pins_release(each, sdk, major)]
        return bool(held) and not any(self._is_installed(text, held) for _, text in iter_start_documents(self.tree))

    def _pins_release(self, path: str, sdk: str, major: int) -> bool:
        read = {**LOCKS, **PINS}.get(classify_manifest(path.rpartition("/")[2]))
        text = _find_text(path, self.tree)
        version = read(text, sdk) if read is not None and text is not None else None
        return text is None or (version is not None and version[0] < major)

    def _is_installed(self, text: str, held: list[str]) -> bool:
        """Return whether a text says to install the project, or what its manifest requires, without what is held."""
        own = re.compile(OWN if self.path.endswith(".toml") else re.escape(self.path))
        name = str(read_toml(self.text).get("project", {}).get("name", "")) if self.path.endswith(".toml") else ""
        parts = map(re.escape, re.split(r"[-_.]+", name))
        named = re.compile(rf"(?<![\w.-]){'[-_.]+'.join(parts)}(?![\w./-])" if name else r"(?!)", re.IGNORECASE)
        commands = [each["told"] for each in UNLOCKED.finditer(text)]
        return self.path not in held and any(own.search(each) or named.search(each) for each in commands)

    def _locate_requirement(self, requirement: str) -> Text:
        """Return where a requirement stands, or the name of its distribution if it is written otherwise."""
        name = re.match(r"[\w-]+", requirement)
        said = requirement if requirement in self.text else name[0] if name is not None else ""
        found = re.search(rf"(?m)^(?!\s*(?:name|#)).*?(?<![\w./-])({re.escape(said)})(?![\w-])", self.text)
        start = found.start(1) if found is not None else 0
        return Text(requirement, build_text(self.path, self.text, start, start + len(said)).span)
