"""The files that a tool's call runs through, as far as their names tell: where handlers stand, and the modules these name."""

import re

from reviewer.languages.pages import ELSEWHERE
from reviewer.languages.rust.items import Items, once
from reviewer.languages.rust.modules import ROOTS
from reviewer.languages.rust.sightings import marks, sighted

HANDLING = marks(
    rb"match\s[^{};]*action",
    rb"if\s[^{};]*action[^{};]*\"[^{};]*\{",
    rb"\btool_(?:router|box|handler)\b",
    rb"Tool(?:Base|Handler)?(?:<[^{;\n]*>)?\s+for\s",
    rb"fn\s+(?:respond|call_tool|dispatch\w*|run_with_client)\b",
)
ROUNDS = 2
PATHS = re.compile(rb"\b(\w++)\s*+::|::\s*(\w+)|::\s*\{([^{}]*)\}")


@once
def files(items: Items) -> list[str]:
    """Name the files that hold handlers, and those that these name as modules, two rounds far."""
    known = {path for path in sighted(items, HANDLING) if not _is_elsewhere(path)}
    fresh = known
    for _ in range(ROUNDS):
        named = {word for path in fresh for word in _modules_named(items.sources[path].data)}
        fresh = {
            path for path in items.sources if path not in known and _stem(path) in named and not _is_elsewhere(path)
        }
        known |= fresh
    return [path for path in items.sources if path in known]


def _modules_named(data: bytes) -> set[str]:
    found = PATHS.findall(data)
    listed = (word for _, _, names in found if names for word in re.findall(rb"\w+", names))
    words = {*(before for before, _, _ in found), *(after for _, after, _ in found), *listed}
    return {word.decode() for word in words}


def _is_elsewhere(path: str) -> bool:
    parts = path.removesuffix(".rs").split("/")
    return not ELSEWHERE.isdisjoint(parts) or "api" in (*parts[:-1], *parts[-1].split("_"))


def _stem(path: str) -> str:
    *folders, file = path.split("/")
    stem = file.removesuffix(".rs")
    return (
        stem
        if stem not in ROOTS
        else next((name for name in reversed(folders) if name != "src"), stem).replace("-", "_")
    )
