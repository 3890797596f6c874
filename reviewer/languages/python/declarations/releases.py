"""Which release of a framework a file runs with: said by the caller, locked, installed, or the newest that is allowed.

Needs no installation: locks, environments and requirements are read as files.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any

from reviewer.files.storage import Manifest
from reviewer.records import dataclass
from reviewer.schema.python.dialects import RELEASES, Framework, PythonDialect, Version, choose_dialect
from reviewer.text import toml
from reviewer.text.numerals import parse_integer
from reviewer.text.patterns import pattern

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet


@dataclass(eq=False)
class Releases:
    """Finds versions for the files of one tree. `given` are those that the caller says, by distribution.

    `list_installed` names what lies in a folder of an environment under the root, nothing if there is none.
    """

    list_installed: Callable[[str], list[str]]
    manifests: dict[str, Manifest]
    given: dict[str, str] = field(default_factory=dict)
    _found: dict[tuple[str, str], Version | None] = field(default_factory=dict)
    _texts: dict[Manifest, str] = field(default_factory=dict)
    _states: dict[tuple[Manifest, str], Version | None] = field(default_factory=dict)
    _lists: dict[Manifest, list[str]] = field(default_factory=dict)
    _pythons: dict[str, Version | None] = field(default_factory=dict)

    def resolve_dialect(self, framework: Framework, path: str, *, generation: int | None = None) -> PythonDialect:
        """Return the dialect that holds in a file; `generation` is the major version that its imports show."""
        version = self.find_version(framework, path)
        if generation is not None and version is not None and version[0] != generation:
            version = None
        if version is None and generation is not None:
            version = (generation, 999)
        return choose_dialect(framework, version, _parse(self.given.get("python", "")) or self._find_python(path))

    def find_version(self, name: Framework, path: str) -> Version | None:
        """Return the version of a distribution for a file, or None if nothing tells."""
        if name in self.given:
            return _parse(self.given[name])
        folder = path.rpartition("/")[0]
        if (name, folder) not in self._found:
            self._found[name, folder] = self._determine_version(name, folder)
        return self._found[name, folder]

    def find_newest_version(self, name: Framework, path: str) -> Version | None:
        """Return the newest release that may be installed for a file: what is locked may be newer for who installs the
        package."""
        found = self.find_version(name, path)
        allowed = (
            None
            if name in self.given
            else self._find_allowed_version(name, list(self._iter_around(path.rpartition("/")[0])))
        )
        return max(found, allowed) if found is not None and allowed is not None else found

    def _determine_version(self, name: Framework, folder: str) -> Version | None:
        files = list(self._iter_around(folder))
        for readers in (LOCKS, PINS):
            for file in files:
                found = self._find_stated_version(file, name, readers)
                if found is not None:
                    return found
        return self._find_installed_version(name, folder) or self._find_allowed_version(name, files)

    def _find_stated_version(
        self, file: Manifest, name: str, readers: dict[str, Callable[[str, str], Version | None]]
    ) -> Version | None:
        """Return the version that one lock file or list of pins states, read once."""
        read = readers.get(classify_manifest(file.name))
        if read is None:
            return None
        if (file, name) not in self._states:
            text = self._get_text(file)
            self._states[file, name] = read(text, name) if name in text else None
        return self._states[file, name]

    def _read_requirements(self, file: Manifest) -> list[str]:
        """Return the requirements in one file, read once."""
        if file not in self._lists:
            read = REQUIREMENTS.get(classify_manifest(file.name))
            self._lists[file] = list(read(self._get_text(file))) if read is not None else []
        return self._lists[file]

    def _find_allowed_version(self, name: Framework, files: list[Manifest]) -> Version | None:
        """Return the newest release that the nearest requirement of it allows."""
        for file in files:
            for text in self._read_requirements(file):
                allowed = parse_bounds(text, name)
                if allowed is not None:
                    return _find_newest(name, allowed)
        return None

    def _iter_around(self, folder: str) -> Iterator[Manifest]:
        """Yield the manifests of a folder and those above it, nearest first, then those of distributions beside it."""
        parts = folder.split("/") if folder else []
        for end in range(len(parts), -1, -1):
            above = "/".join(parts[:end])
            yield from (file for name, file in self.manifests.items() if name.rpartition("/")[0] == above)
        yield from (file for name, file in self.manifests.items() if ".dist-info/" in name or ".egg-info/" in name)

    def _find_installed_version(self, name: str, folder: str) -> Version | None:
        """Return the version of a distribution in an environment inside the tree; None if there is none."""
        parts = folder.split("/") if folder else []
        for end in range(len(parts), -1, -1):
            for environment in (".venv", "venv"):
                found = self._find_in_environment(name, "/".join((*parts[:end], environment, "lib")))
                if found is not None:
                    return _parse(found)
        return None

    def _find_in_environment(self, name: str, libraries: str) -> str | None:
        """Return the version in the name of a distribution's folder, in the libraries of an environment; None if there
        is none.
        """
        pythons = (each for each in self.list_installed(libraries) if each.startswith("python3"))
        listed = (each for python in pythons for each in self.list_installed(f"{libraries}/{python}/site-packages"))
        start = f"{name}-"
        found = (each for each in listed if each.startswith(start) and each.endswith(".dist-info"))
        return next((each.removeprefix(start) for each in found), None)

    def _find_python(self, path: str) -> Version | None:
        """Return the oldest Python that the project runs on, if it says so."""
        folder = path.rpartition("/")[0]
        if folder not in self._pythons:
            self._pythons[folder] = self._find_oldest(folder)
        return self._pythons[folder]

    def _find_oldest(self, folder: str) -> Version | None:
        for file in self._iter_around(folder):
            text = self._get_text(file)[:HEAD]
            found = re.search(r"(?m)^requires-python\s*=\s*[\"'].*?>=\s*([\d.]+)", text, re.IGNORECASE)
            found = found or re.search(r"(?mi)^Requires-Python:.*?>=\s*([\d.]+)", text)
            if found is not None:
                return _parse(found[1])
        return None

    def _get_text(self, file: Manifest) -> str:
        if file not in self._texts:
            try:
                self._texts[file] = file.read_text("utf-8", "replace")
            except OSError:
                self._texts[file] = ""
        return self._texts[file]


def classify_manifest(name: str) -> str:
    """Return of which kind a manifest is, by its name."""
    return "requirements" if name.startswith("requirements") else name


def _parse(text: str) -> Version | None:
    """Read the leading numbers of a version."""
    found = re.match(r"\s*v?(\d{1,9}(?:\.\d{1,9})*)(?!\d)", text)
    return tuple(int(part) for part in found[1].split(".")) if found is not None else None


def read_toml(text: str) -> dict[str, Any]:
    """Return the contents of a TOML file; empty if it is not valid."""
    try:
        return toml.parse_toml(text)
    except ValueError:
        return {}


def _find_locked_version(text: str, name: str) -> Version | None:
    """Read uv.lock, poetry.lock and pdm.lock, which list packages alike; without a TOML parser, for they are long."""
    found = re.search(rf'(?m)^name = "{re.escape(name)}"\s+version = "([^"]+)"', text)
    return _parse(found[1]) if found is not None else None


def _find_pipfile(text: str, name: str) -> Version | None:
    try:
        version = json.loads(text)["default"][name]["version"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return _parse(version.removeprefix("==")) if isinstance(version, str) else None


def _find_pinned_version(text: str, name: str) -> Version | None:
    found = re.search(rf"(?mi)^{re.escape(name)}(?:\[[^\]]*\])?\s*===?\s*([\d.]+)", text)
    return _parse(found[1]) if found is not None else None


HEAD = 4000
"""Characters of a file in which the Python that it requires is looked for."""
LOCKS: dict[str, Callable[[str, str], Version | None]] = {
    "uv.lock": _find_locked_version,
    "poetry.lock": _find_locked_version,
    "pdm.lock": _find_locked_version,
    "Pipfile.lock": _find_pipfile,
}
PINS: dict[str, Callable[[str, str], Version | None]] = {"requirements": _find_pinned_version}


def _get_inner(table: Any, *keys: str) -> Any:
    """Follow keys through tables; None where one is missing or is no table."""
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table


def _iter_texts(listed: Any) -> Iterator[str]:
    yield from (each for each in listed if isinstance(each, str)) if isinstance(listed, list) else ()


def _iter_for_pyproject(text: str) -> Iterator[str]:
    yield from iter_requirements(text, "pyproject.toml")
    document = read_toml(text)
    for groups in (_get_inner(document, "project", "optional-dependencies"), document.get("dependency-groups")):
        for group in groups.values() if isinstance(groups, dict) else ():
            yield from _iter_texts(group)


def iter_requirements(text: str, path: str) -> Iterator[str]:
    """Yield the requirements installed with a project, without extras and groups, from `pyproject.toml` or another
    list.
    """
    if not path.endswith("pyproject.toml"):
        yield from _iter_for_requirements(text)
        return
    document = read_toml(text)
    yield from _iter_texts(_get_inner(document, "project", "dependencies"))
    poetry = _get_inner(document, "tool", "poetry", "dependencies")
    for name, version in poetry.items() if isinstance(poetry, dict) else ():
        bound = version.get("version") if isinstance(version, dict) else version
        if isinstance(bound, str):
            yield f"{name}{_format_poetry(bound)}"


def _format_poetry(bound: str) -> str:
    """Write poetry's `^1.2` and `~1.2` as the standard's specifiers."""
    found = re.fullmatch(r"([\^~])\s*(\d{1,9})(?:\.(\d{1,9}))?((?:\.\d+)*)", bound)
    if found is None:
        return bound if bound[:1] in "<>=~!" else "" if bound == "*" else f"=={bound}"
    major, minor = parse_integer(found[2]), parse_integer(found[3] or "0")
    lower = bound[1:].strip()
    narrow = found[3] is not None and (found[1] == "~" or major == 0)
    return f">={lower},<{major}.{minor + 1}" if narrow else f">={lower},<{major + 1}"


def _iter_for_metadata(text: str) -> Iterator[str]:
    yield from re.findall(r"(?m)^Requires-Dist:\s*(.+?)\s*$", text)


def _iter_for_requirements(text: str) -> Iterator[str]:
    yield from (line.partition(" #")[0].strip() for line in text.splitlines() if line[:1].isalpha())


REQUIREMENTS: dict[str, Callable[[str], Iterator[str]]] = {
    "pyproject.toml": _iter_for_pyproject,
    "METADATA": _iter_for_metadata,
    "PKG-INFO": _iter_for_metadata,
    "requirements": _iter_for_requirements,
}


def parse_bounds(text: str, name: str) -> "SpecifierSet | None":
    """Return the bounds of a requirement, if it is of this distribution."""
    if not text.lower().startswith(name):
        return None
    from packaging.specifiers import SpecifierSet

    try:
        plain = PLAIN.fullmatch(text)
        told, bounds = (plain["name"], SpecifierSet(plain["bounds"])) if plain else _parse_requirement(text)
    except ValueError:
        return None
    return bounds if told.lower().replace("_", "-").removesuffix("-slim") == name else None


PLAIN = pattern(
    r"(?P<name>[A-Za-z0-9]+(?:[._-]+[A-Za-z0-9]+)*)[ ]*(?:\[[A-Za-z0-9_-]+(?:,[ ]*[A-Za-z0-9_-]+)*\])?[ ]*"
    r"(?P<bounds>(?:(?:[<>=!]=|~=|[<>])[ ]*[0-9][0-9A-Za-z.*]*(?:[ ]*,[ ]*(?=[<>=!~])|$))*)"
)
"""A requirement as nearly all are: a name, perhaps extras, and versions. To load the parser of all forms takes a hundredth of a
second, as much as all else that is known of releases."""


def _parse_requirement(text: str) -> "tuple[str, SpecifierSet]":
    """Return the name and the bounds of a requirement of any form. Raises ValueError if it is none."""
    from packaging.requirements import Requirement

    found = Requirement(text)
    return found.name, found.specifier


def _find_newest(name: Framework, allowed: "SpecifierSet") -> Version | None:
    """Return the newest known release within bounds, or the version that the bounds name."""
    try:
        known = [release for release in RELEASES[name].split() if release in allowed]
    except ValueError:
        return None
    named = [part.version for part in allowed if part.operator in ("==", "===", "~=", "<=", ">=")]
    chosen = known[-1] if known else named[0] if named else None
    return _parse(chosen) if chosen is not None else None
