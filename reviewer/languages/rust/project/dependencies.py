"""Which version of a crate a file is compiled against, from the lock file or the manifest above it."""

import re
from collections.abc import Iterator
from typing import Any

from reviewer.files.storage import Manifest, read_manifest
from reviewer.text import toml

Version = tuple[int, ...]
"""Major and minor version, and the patch where it is known."""


def find_version(manifests: dict[str, Manifest], path: str, crate: str) -> Version | None:
    """Return the version of a crate, or None if nothing tells."""
    wanted = next(
        filter(None, (_find_required_version(file, crate) for file in _iter_above(manifests, path, "Cargo.toml"))), None
    )
    for file in _iter_above(manifests, path, "Cargo.lock"):
        locked = _collect_locked_versions(file, crate)
        fitting = [each for each in locked if wanted is None or _fits(each, wanted)]
        if fitting:
            return max(fitting)
    return wanted


def parse_version(text: str) -> Version | None:
    """Read what a caller says: `1.8.0`."""
    found = re.match(r"(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?", text)
    if found is None:
        return None
    return int(found[1]), int(found[2] or 0), *([int(found[3])] if found[3] is not None else [])


def _iter_above(manifests: dict[str, Manifest], path: str, name: str) -> Iterator[Manifest]:
    parts = path.split("/")[:-1]
    for end in range(len(parts), -1, -1):
        found = manifests.get("/".join((*parts[:end], name)))
        if found is not None:
            yield found


def _collect_locked_versions(file: Manifest, crate: str) -> list[Version]:
    pattern = rf'name = "{re.escape(crate)}"\s+version = "(\d{{1,9}})\.(\d{{1,9}})\.(\d{{1,9}})'
    return [tuple(int(part) for part in parts) for parts in re.findall(pattern, read_manifest(file))]


def _find_required_version(file: Manifest, crate: str) -> Version | None:
    try:
        manifest = toml.parse_toml(read_manifest(file))
    except ValueError:
        return None
    tables = [manifest.get("dependencies"), (manifest.get("workspace") or {}).get("dependencies")]
    tables += [each.get("dependencies") for each in _collect_tables(manifest.get("target"))]
    for table in tables:
        given = table.get(crate) if isinstance(table, dict) else None
        text = given.get("version") if isinstance(given, dict) else given
        found = re.search(r"(\d{1,9})(?:\.(\d{1,9}))?", text) if isinstance(text, str) else None
        if found is not None:
            return int(found[1]), int(found[2] or 0)
    return None


def _collect_tables(value: Any) -> list[dict[str, Any]]:
    return [each for each in value.values() if isinstance(each, dict)] if isinstance(value, dict) else []


def _fits(version: Version, wanted: Version) -> bool:
    """Return whether Cargo takes a version for a requirement."""
    return version[0] == wanted[0] and (version[1] == wanted[1] if wanted[0] == 0 else version[1] >= wanted[1])
