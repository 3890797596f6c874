"""Captured servers, and what the two validators find on them, in one form."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from reviewer.config import Flags, build_configuration, settle
from reviewer.engine import examine
from reviewer.facts import Project, Tool
from reviewer.inputs import definitions, documents
from reviewer.report.model import Finding
from reviewer.source import Span

Json = dict[str, Any]


class Seen(NamedTuple):
    """A finding of either: the tool by its index, the code, the keys from the tool to the part; `()` is the tool as a whole.

    Only the part's argument counts for the comparison, not the keyword within it.
    """

    tool: int
    code: str
    part: tuple[str, ...]


@dataclass(frozen=True)
class Case:
    """One server's tools as it answered them."""

    name: str
    tools: list[Json]
    oracle: ModuleType
    published: Json | None = None
    """The recorded scores by tool, where there are any."""


@dataclass(frozen=True)
class Difference:
    """Something that one of the two finds and the other does not. Departures look at its properties."""

    seen: Seen
    case: Case
    ours: bool

    @property
    def code(self) -> str:
        """The rule's code."""
        return self.seen.code

    @property
    def tool(self) -> Json:
        """The tool's definition."""
        return self.case.tools[self.seen.tool]

    @property
    def tools(self) -> list[Json]:
        """All tools of the server."""
        return self.case.tools

    @property
    def words(self) -> Json:
        """The word lists of the original."""
        return self.case.oracle.W  # type: ignore[no-any-return]

    @property
    def nested(self) -> bool:
        """Whether it stands at something below a top-level argument, where the original never looks."""
        return len(self.seen.part) > 3

    @property
    def name(self) -> str:
        """The name of the property it stands at (of the array, for its elements); empty if at none."""
        keys = self.seen.part
        named = [keys[index + 1] for index, key in enumerate(keys[:-1]) if key == "properties"]
        return named[-1] if named else ""

    @property
    def schema(self) -> Json:
        """The schema it stands at, as written; empty if at none."""
        found: Any = self.tool
        for key in self.seen.part:
            found = (
                found[int(key)] if isinstance(found, list) else found.get(key, {}) if isinstance(found, dict) else {}
            )
        return found if isinstance(found, dict) and self.name else {}

    @property
    def description(self) -> str:
        """The tool's description."""
        return str(self.tool.get("description") or "")

    def __str__(self) -> str:
        who = "ours  " if self.ours else "theirs"
        where = ".".join(self.seen.part)
        return f"{who} {self.code} {self.case.name} {self.tool.get('name')} {where} {json.dumps(self.schema)[:200]}"


def load(shared: Path) -> Iterator[Case]:
    """Yield every captured server in the shared folder."""
    oracle = _oracle(shared / "conformance")
    for file in sorted(shared.glob("conformance/*.expected.json")):
        document = json.loads(file.read_text("utf-8"))
        yield Case(file.name.removesuffix(".expected.json"), document["tools"], oracle, document["expected"])
    for file in sorted(shared.glob("truth/*/*.json")):
        tools = [tool for tool in json.loads(file.read_text("utf-8")).get("tools") or [] if "inputSchema" in tool]
        if tools:
            yield Case(file.stem, tools, oracle)


@cache
def _oracle(folder: Path) -> ModuleType:
    sys.path.insert(0, str(folder))
    import oracle46

    return oracle46  # type: ignore[no-any-return]


def theirs(case: Case) -> set[Seen]:
    """Return what the original finds."""
    marked = [dict(tool, source={"raw": tool}) for tool in case.tools]
    return {
        Seen(index, code, _argument(_keys(path or "", tool)))
        for index, tool in enumerate(marked)
        for code, _, path in case.oracle.check(tool, marked)
    }


def _keys(path: str, tool: Json) -> tuple[str, ...]:
    """Split a path, whose argument may hold dots itself."""
    prefix = "inputSchema.properties."
    if path.startswith(prefix):
        names = (tool.get("inputSchema") or {}).get("properties") or {}
        rest = path.removeprefix(prefix)
        return ("inputSchema", "properties", rest if rest in names else rest.removesuffix(".description"))
    return ()


def ours(case: Case, profile: str = "validator-46") -> set[Seen]:
    """Return what our rules find under a profile."""
    project = facts(case)
    tools = project.servers[0].tools
    owners = {tool.span: index for index, tool in enumerate(tools)}
    found = set()
    for each in findings(project, profile):
        index = next(index for span, index in owners.items() if span.holds(each.span))
        part = _argument(_places(tools[index]).get(each.span, ()))
        found |= {Seen(index, code, part) for code in each.rule.codes}
    return found


def facts(case: Case) -> Project:
    """Read a server's tools as our own command reads them from a file."""
    document = documents.parse_document(json.dumps({"tools": case.tools}, indent=1).encode(), "tools.json")
    project = definitions.build_project(document)
    assert project is not None
    return project


def findings(project: Project, profile: str) -> list[Finding]:
    """Return what is found under a profile."""
    chosen = settle(build_configuration(), Flags(profile=profile), profile).chosen
    return [each for section in examine(project, chosen) for each in section.findings]


def _places(tool: Tool) -> dict[Span, tuple[str, ...]]:
    places = tool.input_schema.places if hasattr(tool.input_schema, "places") else {}
    return {span: ("inputSchema", *keys) for keys, span in places.items() if keys}


def _argument(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Cut the keys after the innermost property or element of an array; what stands at no argument stands at the tool."""
    last = max(
        (
            index + (2 if key in ("properties", "prefixItems") else 1)
            for index, key in enumerate(keys)
            if key in ("properties", "items", "additionalProperties", "prefixItems")
            and (key != "properties" or index + 1 < len(keys))
        ),
        default=0,
    )
    return keys[:last]
