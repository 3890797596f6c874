"""A project → the profile that the code of each of its servers calls for, and why."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from reviewer.facts import Catalog, Guard, Project, Schema, Server, Tool
from reviewer.files.discovery import SUFFIXES
from reviewer.records import dataclass
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern

FEWEST = 2
"""Tools of which it can be told that they keep to a guideline."""

DEFAULT = "core"
"""The profile of servers that show no guideline, and of files that servers of several profiles share."""


@dataclass(frozen=True, slots=True)
class ProfileFit:
    """A server with the profile that its code calls for, and what it was told by."""

    server: Server
    profile: str
    because: str

    @property
    def key(self) -> tuple[str, str]:
        """What tells the server again in another state of the code."""
        return str(self.server.name), self.server.span.path


class Homes:
    """Which servers a file belongs to: those whose own files it is among, else those that lie nearest to it."""

    def __init__(self, servers: Sequence[Server]) -> None:
        self._servers = servers
        self._own = [{each.span.path, *(tool.span.path for tool in each.tools)} for each in servers]
        self._found: dict[str, tuple[int, ...]] = {}

    def find_servers(self, path: str) -> tuple[int, ...]:
        """Return the numbers of the servers that a file belongs to: several where it cannot be told, or they share it."""
        if path not in self._found:
            self._found[path] = self._find_nearest(path)
        return self._found[path]

    def _find_nearest(self, path: str) -> tuple[int, ...]:
        owners = tuple(number for number, own in enumerate(self._own) if path in own)
        if owners:
            return owners
        language = SUFFIXES.get(os.path.splitext(path)[1])  # code of one language is no server's of another
        near = {  # no server's that has none of its folders, where several could have it
            number: max(_count_common_folders(path, each) for each in self._own[number])
            for number, server in enumerate(self._servers)
            if language is None or server.language == language
        }
        nearest = max(near.values(), default=0)
        best = tuple(number for number, each in near.items() if each == nearest)
        apart = len(best) > 1 and not near[best[0]] and all("/" in each for each in (path, *self._iter_files(best)))
        return () if apart else best

    def _iter_files(self, servers: Iterable[int]) -> Iterable[str]:
        return (each for number in servers for each in self._own[number])


def _count_common_folders(one: str, other: str) -> int:
    """Count the folders that two files have in common."""
    pairs = zip(one.split("/")[:-1], other.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


@dataclass(frozen=True, slots=True)
class Detection:
    """The profile of each server of a project, and of the code that is no server's: a catalog that no server lies near to."""

    fits: tuple[ProfileFit, ...]
    beside: tuple[str, str] | None = None

    @property
    def profiles(self) -> tuple[str, ...]:
        """The profiles that hold somewhere, each once; the default one, too, where there are several."""
        named = (*(each.profile for each in self.fits), *(self.beside or ())[:1])
        found = tuple(dict.fromkeys(named)) or (DEFAULT,)
        return found if len(found) == 1 else tuple(dict.fromkeys((*found, DEFAULT)))

    @property
    def because(self) -> str:
        """Why, in a few words."""
        if len(self.profiles) > 1:
            return "each server has its own"
        return next((each.because for each in self.fits), self.beside[1] if self.beside else NO_CATALOG)

    def with_profile(self, profile: str, because: str) -> "Detection":
        """Return the same servers with one profile for all."""
        return Detection(
            tuple(replace(each, profile=profile, because=because) for each in self.fits), (profile, because)
        )

    def with_profiles_of(self, other: "Detection", because: str = "") -> "Detection":
        """Return the same servers with the profiles that another state of the code gave them, and their own where it has none.

        `because` is what is added to the reason.
        """
        known = {each.key: each for each in other.fits}
        fits = (
            replace(each, profile=known[each.key].profile, because=known[each.key].because + because)
            if each.key in known
            else each
            for each in self.fits
        )
        return replace(self, fits=tuple(fits))

    def build_reign(self, profiles: Sequence[str]) -> "ServerScope | None":
        """Return where each of the given profiles holds; None if there is only one."""
        return (
            ServerScope(self.fits, self.beside[0] if self.beside else DEFAULT, profiles) if len(profiles) > 1 else None
        )


NO_CATALOG = "the default; nothing in the code calls for another"


def detect_profile(project: Project) -> tuple[str, str]:
    """Return the profile of a project as a whole, and what it was told by: the first that a server calls for."""
    found = detect_profiles(project)
    called_for = ((each.profile, each.because) for each in found.fits if each.profile != DEFAULT)
    return next(called_for, None) or found.beside or (DEFAULT, NO_CATALOG)


def detect_profiles(project: Project) -> Detection:
    """Return the profile of each server, told by what is the server's own."""
    homes = Homes(project.servers)
    fits = (
        ProfileFit(server, *(_detect_by_own_facts(project, number, homes) or (DEFAULT, NO_CATALOG)))
        for number, server in enumerate(project.servers)
    )
    return Detection(
        tuple(fits),
        _detect_by_answers(_list_facts_of(project.catalogs, None, homes), _list_facts_of(project.guards, None, homes)),
    )


def _list_facts_of(facts: Iterable[Any], number: int | None, homes: Homes) -> list[Any]:
    """Return the facts that belong to a server, by its number; None: to none."""
    return [each for each in facts if (number in (homes.find_servers(each.span.path) or (None,)))]


def _detect_by_own_facts(project: Project, number: int, homes: Homes) -> tuple[str, str] | None:
    server = project.servers[number]
    answers = _detect_by_answers(
        _list_facts_of(project.catalogs, number, homes), _list_facts_of(project.guards, number, homes)
    )
    return (
        answers
        or _detect_by_names(server)
        or (_detect_by_guard(project, number, homes) if _is_of_types(server) else None)
    )


def _detect_by_answers(catalogs: Sequence[Catalog], guards: Sequence[Guard]) -> tuple[str, str] | None:
    if catalogs:
        return "action-dispatch", f"action catalog at {_place(catalogs[0].span)}"
    if guards:
        return "action-dispatch", f"response guard `{guards[0].name}` at {_place(guards[0].span)}"
    return None


def _detect_by_names(server: Server) -> tuple[str, str] | None:
    """Return whether most tools of a server are named object.operation and take one `input` model."""
    dotted = [tool for tool in server.tools if isinstance(tool.name, Text) and _DOTTED.fullmatch(tool.name)]
    if len(dotted) < FEWEST or len(dotted) * 2 <= len(server.tools):
        return None
    keeping = [tool for tool in dotted if _takes_one_model(tool, server.language)]
    if len(keeping) * 2 <= len(server.tools):
        return None
    count = f"{len(keeping)} of {len(server.tools)} tools"
    return "object-operation", f"{count} are named object.operation and take one `input` model"


_DOTTED = pattern(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")
"""`object.operation` of the guidelines, as their checklist writes it."""


def _takes_one_model(tool: Tool, language: str) -> bool:
    """Return whether a tool takes one `input` model; in Rust, where all take one struct, by what that is called."""
    handler = tool.handler
    if handler is not None and handler.struct is not None:
        return handler.struct.endswith("Input")
    if (
        language == "rust"
    ):  # `schema_for!(GetInput)`, beside a function for all calls, gives the type's name as the title
        schema = tool.input_schema
        return isinstance(schema, Schema) and str(schema.document.get("title", "")).endswith("Input")
    takes = handler.takes if handler is not None else None
    return takes is not None and [str(each.name) for each in takes] == ["input"] and takes[0].model is True


def _is_of_types(server: Server) -> bool:
    """Return whether most tools of a server are types whose trait asks them for what the text on the Tool trait says."""
    kept = [tool for tool in server.tools if tool.type is not None and tool.code is not None and tool.by_contract]
    return len(kept) >= FEWEST and len(kept) * 2 > len(server.tools)


def _detect_by_guard(project: Project, number: int, homes: Homes) -> tuple[str, str] | None:
    """Return whether a server has a guard that says what it left out of a list, which sets such a server apart.

    Many a server has a trait for its tools and was never meant to keep to that text.
    """
    told = next(iter(_list_facts_of(project.remainders, number, homes)), None)
    if told is None:
        return None
    return (
        "tool-trait",
        f"its tools implement a trait, and `{told}` at {_place(told.span)} tells what a list leaves out",
    )


def _place(span: Span) -> str:
    return f"{span.path}:{span.line}"


class ServerScope:
    """Where the rules of which profile hold, among servers of several; `beside` is that of the code that is no server's."""

    def __init__(self, fits: Sequence[ProfileFit], beside: str, profiles: Sequence[str]) -> None:
        self._homes = Homes([each.server for each in fits])
        self._beside = beside if beside in profiles else DEFAULT
        self._profiles = [each.profile if each.profile in profiles else DEFAULT for each in fits]
        self._owned: dict[int, set[str]] = {}
        for each, profile in zip(fits, self._profiles, strict=True):
            for owner in (each.server, *each.server.tools):
                self._owned.setdefault(id(owner), set()).add(profile)

    def __call__(self, fact: Any, place: Span) -> str:
        """Return the profile that holds for a fact at a place: of a tool and a server it is their own, wherever they stand."""
        found = self._owned.get(id(fact)) if isinstance(fact, Tool | Server) else None
        found = found or {self._profiles[number] for number in self._homes.find_servers(place.path)} or {self._beside}
        return next(iter(found)) if len(found) == 1 else DEFAULT
