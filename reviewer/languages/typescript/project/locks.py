"""Lock files: which release of a package is installed for a folder of the project."""

import posixpath
import re
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from reviewer.languages.typescript.project.manifests import iter_above, parse_commented_json
from reviewer.text.patterns import pattern


class LockRequest(NamedTuple):
    """A package of which the release is asked, and who depends on it: a package.json and its folder, from the lock file on."""

    package: str
    folder: str
    owner: str
    """The name of that package.json."""
    wanted: str
    """The releases that it asks for, empty if it does not name the package."""


class Lock(Protocol):
    """What a lock file says."""

    @abstractmethod
    def find_version(self, request: LockRequest) -> str | None:
        """Return the release that is installed, None if that is not said. Raises ValueError if it cannot be read."""


class NpmLock(Lock):
    """A package-lock.json: each package by the folder into which it is installed."""

    def __init__(self, text: str) -> None:
        document = _check_table(parse_commented_json(text))
        self._packages, self._former = _get_table(document, "packages"), _get_table(document, "dependencies")

    def find_version(self, request: LockRequest) -> str | None:
        """Return the release in the nearest node_modules, where Node.js looks for it."""
        for folder in iter_above(request.folder):
            place = posixpath.join(folder, "node_modules", request.package)
            found = _read_version(_get_table(self._packages, place).get("version"))
            if found is not None:
                return found
        return _read_version(_get_table(self._former, request.package).get("version"))  # as npm wrote before release 7


IMPORTERS = pattern(r"^importers:[ \t]*\n((?:[ \t].*\n|\n)*)", re.MULTILINE)
"""The part of a pnpm-lock.yaml with what each folder of a workspace asks for; what else stands in it is many times larger."""
IMPORTER = pattern(r"^  (?! )(.+):[ \t]*\n((?:    .*\n|\n)*)", re.MULTILINE)
"""What one folder asks for. Each is parsed by itself: libyaml takes two seconds for a megabyte."""
SOLE = pattern(r"^(?:dependencies|devDependencies|optionalDependencies):[ \t]*\n(?:[ \t].*\n|\n)*", re.MULTILINE)
"""The same of a project that is no workspace, as pnpm wrote it before release 9."""
LARGEST_PART = 2**18
"""Characters of YAML that are parsed: a folder that asks for a thousand packages has a fifth of it.

40 servers had up to 3,151.
"""


class PnpmLock(Lock):
    """A pnpm-lock.yaml: what each folder of the workspace asks for, with the release that it gets."""

    def __init__(self, text: str) -> None:
        text = text.replace("\r\n", "\n") + "\n"
        if "lockfileVersion:" not in text:
            raise ValueError("no lock file of pnpm")
        part = None
        for found in IMPORTERS.finditer(text):
            part = found[1]  # that of the last document: pnpm puts one before it with what it needs itself
        self._importers = {found[1].strip("'\""): found[2] for found in IMPORTER.finditer(part or "")}
        if part is None:
            self._importers["."] = "".join(found[0] for found in SOLE.finditer(text))

    def find_version(self, request: LockRequest) -> str | None:
        """Return the release that is installed for the folder."""
        importer = _parse_yaml(self._importers.get(request.folder or ".", ""))
        for part in ("dependencies", "devDependencies", "optionalDependencies"):
            found = _get_table(importer, part).get(request.package)
            if found is not None:
                return _read_version(found.get("version") if isinstance(found, dict) else found)
        return None


ENTRY = pattern(r'^(?![ #])(.+):[ \t]*\n(?:(?!  version[: ])[ \t].*\n)*  version:? "?([^"\n]+)"?[ \t]*$', re.MULTILINE)
"""A package in a yarn.lock, in the form of release 1 or of the later ones, which is YAML: what is asked for, and the release."""
YARN = pattern(r"^(?:# yarn lockfile v1|__metadata:)", re.MULTILINE)
"""What stands at the head of a yarn.lock."""
BY_NAME = pattern(r"(@?[^@]+)@(?:npm:)?(.+)")
"""What is asked for in a yarn.lock, from the name of the package on; later releases of yarn say that it is from npm."""


class YarnLock(Lock):
    """A yarn.lock: each package by the releases of it that are asked for."""

    def __init__(self, text: str) -> None:
        text = text.replace("\r\n", "\n") + "\n"
        if YARN.search(text) is None and text.strip():
            raise ValueError("no lock file of yarn")
        self._asked: dict[str, dict[str, str]] = defaultdict(dict)
        for entry in ENTRY.finditer(text):
            version = _read_version(entry[2])
            for each in entry[1].replace('"', "").split(", "):
                named = BY_NAME.fullmatch(each)
                if named is not None and version is not None:
                    self._asked[named[1]][named[2]] = version

    def find_version(self, request: LockRequest) -> str | None:
        """Return the release for what is asked for; where that is overridden, the only one that is installed."""
        found = self._asked.get(request.package, {})
        wanted = request.wanted.removeprefix("npm:")
        return found.get(wanted) or _choose_sole(found.values())


class BunLock(Lock):
    """A bun.lock: each package by its name, or by that of a package that has another release of it, and its name."""

    def __init__(self, text: str) -> None:
        self._packages = _get_table(_check_table(parse_commented_json(text)), "packages")

    def find_version(self, request: LockRequest) -> str | None:
        """Return the release that the package of the folder gets."""
        for place in (f"{request.owner}/{request.package}", request.package):
            found = self._packages.get(place)
            if isinstance(found, list) and found and isinstance(found[0], str):
                return _read_version(found[0].rpartition("@")[2])
        return None


CONFLICT = pattern(r"^<{7} ", re.MULTILINE)
"""What git leaves in a file of which two commits have different forms."""


def parse_lock(name: str, text: str) -> Lock:
    """Read a lock file. Raises ValueError, in one clause, for what is none."""
    if CONFLICT.search(text) is not None:
        raise ValueError("it has a merge conflict")
    return LOCKS[name](text)


LOCKS: dict[str, Callable[[str], Lock]] = {
    "package-lock.json": NpmLock,
    "npm-shrinkwrap.json": NpmLock,
    "pnpm-lock.yaml": PnpmLock,
    "yarn.lock": YarnLock,
    "bun.lock": BunLock,
}
"""The lock files, in the order in which one is chosen where several lie in a folder and no package.json says by whom it is
installed."""
MANAGERS = {"pnpm": "pnpm-lock.yaml", "yarn": "yarn.lock", "bun": "bun.lock"}
"""The lock files of those that `packageManager` of a package.json may name."""


def iter_lock_names(manager: object) -> Iterator[str]:
    """Yield the names of lock files, first that of a package manager, as `packageManager` names it."""
    own = MANAGERS.get(manager.partition("@")[0]) if isinstance(manager, str) else None
    yield from ((own,) if own is not None else ())
    yield from (each for each in LOCKS if each != own)


def _read_version(version: object) -> str | None:
    """Return a release; None for what is linked, or lies in the project itself: yarn gives that the release 0.0.0-use.local."""
    is_release = isinstance(version, str) and version[:1].isdecimal() and not version.startswith("0.0.0-use.local")
    return str(version) if is_release else None


def _choose_sole(versions: Any) -> str | None:
    found = set(versions)
    return found.pop() if len(found) == 1 else None


def _get_table(table: Any, key: str) -> dict[str, Any]:
    found = table.get(key) if isinstance(table, dict) else None
    return found if isinstance(found, dict) else {}


def _check_table(document: Any) -> dict[str, Any]:
    if not isinstance(document, dict):
        raise ValueError("no object")
    return document


def _parse_yaml(text: str) -> Any:
    """Parse YAML, whose values are all texts: nothing is merged, and no alias is copied. Raises ValueError for what is none."""
    import yaml

    if len(text) > LARGEST_PART:
        raise ValueError(f"more than {LARGEST_PART // 2**10} KB for one folder")
    try:
        return yaml.load(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # which makes texts alone
    except RecursionError:
        raise ValueError("nested too deep") from None
    except yaml.YAMLError:
        raise ValueError("not valid YAML") from None
