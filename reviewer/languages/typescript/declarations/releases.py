"""Which releases of the SDK and of zod a server runs with: as the caller says, or the lock file, or the manifest."""

import re
from typing import Any

from reviewer.languages.typescript.project.modules import Modules
from reviewer.schema.typescript.zod import MCP_FRAMEWORK as ZOD_OF_MCP_FRAMEWORK
from reviewer.schema.typescript.zod import ZodDialect
from reviewer.text.patterns import pattern

SDK, SDK_2, ZOD = "@modelcontextprotocol/sdk", "@modelcontextprotocol/server", "zod"
"""The packages whose releases decide which schema a shape becomes."""
NUMBER = pattern(r"(\d+)\.(\d+)")
"""The first two numbers of a release, or of a range of releases."""
NEWEST = ZodDialect(zod=(4, 1), sdk=(1, 29))
"""What is taken where nothing says a release."""
OF_3 = pattern(rb"from\s+[\"']zod/v3[\"']")
"""An import by which a file chooses zod 3, whichever release is installed: each has both."""
OF_4 = pattern(rb"from\s+[\"']zod/v4[\"']")
"""An import by which a file chooses zod 4."""


class Releases:
    """The releases that the packages of a project ask for."""

    def __init__(self, modules: Modules, said: dict[str, str]) -> None:
        self._modules, self._said = modules, said
        self._found: dict[str, ZodDialect] = {}

    def find_dialect(self, path: str) -> ZodDialect:
        """Return how schemas of a file are answered."""
        package = self._modules.find_package(path)
        folder = package[0] if package is not None else ""
        if folder not in self._found:
            self._found[folder] = self._determine_dialect(folder, package[1] if package is not None else {})
        dialect = self._found[folder]
        source = self._modules.by_path[path].source.data if path in self._modules.by_path else b""
        if OF_3.search(source) is not None:
            return dialect._replace(zod=(3, 25))
        return dialect._replace(zod=max(dialect.zod, (4, 0))) if OF_4.search(source) is not None else dialect

    def find_framework_dialect(self, framework: str, path: str) -> ZodDialect:
        """Return how a framework answers schemas of a file; that of the SDK without one."""
        dialect = self.find_dialect(path)
        package = self._modules.find_package(path)
        folder, manifest = package if package is not None else ("", {})
        release = self._find_version(framework, folder, _collect_ranges(manifest)) if framework else None
        match framework:
            case "fastmcp":  # as the converters give them, and from release 4 on without other keys
                is_strict = (release or (4, 0)) >= (4, 0)
                return dialect._replace(sdk=(1, 0), is_draft_2020=False, is_strict=is_strict, types_enums=False)
            case "tmcp":  # its adapter for zod 4 converts what comes out
                return dialect._replace(
                    sdk=(1, 0), is_draft_2020=False, io="output" if dialect.zod >= (4, 0) else "input"
                )
            case "xmcp":  # release 1 is built on release 2 of the SDK
                return dialect._replace(is_draft_2020=(release or (1, 0)) >= (1, 0))
            case "mcp-framework":
                return dialect._replace(sdk=(1, 0), is_draft_2020=False, library=ZOD_OF_MCP_FRAMEWORK)
        return dialect

    def _find_version(self, name: str, folder: str, asked: dict[str, str]) -> tuple[int, int] | None:
        said, wanted = self._said.get(name), asked.get(name)
        locked = self._modules.find_locked_version(name, folder, wanted or "") if said is None else None
        return _parse(said) or _parse(locked) or _parse(wanted)

    def _determine_dialect(self, folder: str, manifest: dict[str, Any]) -> ZodDialect:
        asked = _collect_ranges(manifest)
        # In a workspace, another package may have brought the other release of the SDK.
        has_second = SDK_2 in self._said or SDK_2 in asked or SDK not in asked
        second = self._find_version(SDK_2, folder, asked) if has_second else None
        zod = self._find_version(ZOD, folder, asked) or ((4, 1) if second is not None else None)
        return ZodDialect(
            zod=zod or NEWEST.zod,
            sdk=second or self._find_version(SDK, folder, asked) or NEWEST.sdk,
            is_draft_2020=second is not None,
        )


def _collect_ranges(manifest: dict[str, Any]) -> dict[str, str]:
    """Return which releases a package.json asks for, by package."""
    asked: dict[str, str] = {}
    for part in ("peerDependencies", "devDependencies", "dependencies"):
        told = manifest.get(part)
        asked |= {key: each for key, each in told.items() if isinstance(each, str)} if isinstance(told, dict) else {}
    return asked


def _parse(written: str | None) -> tuple[int, int] | None:
    found = NUMBER.search(written) if written is not None else None
    if found is not None:
        return int(found[1]), int(found[2])
    whole = re.search(r"\d+", written) if written is not None else None
    return (int(whole[0]), 0) if whole is not None else None
