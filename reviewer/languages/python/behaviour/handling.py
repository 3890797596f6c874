"""The modules that a tool's call runs through, as far as names tell: those that declare, and those that these import."""

import re
from collections.abc import Iterable

from reviewer.behaviour.paging.pages import ELSEWHERE
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.project.modules import PyModule
from reviewer.text.patterns import pattern

# Two rounds reach what a tool's own module imports, and what that imports in turn.
PASSES = 2
# From the text, since most files are parsed for nothing else. Indented ones count: tools import within functions.
IMPORT = pattern(rb"^[ \t]*(?:from\s+([.\w]+)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+([^\n]*))", re.MULTILINE)


def find_handler_modules(run: Evaluator, seeds: Iterable[PyModule]) -> list[PyModule]:
    """Return the modules that declare tools, and those that they import by name, two rounds far."""
    known = {module.path: module for module in seeds if not ELSEWHERE.intersection(module.parts)}
    fresh = list(known.values())
    for _ in range(PASSES):
        named = {word for module in fresh for word in _collect_imported_names(module.source.data)}
        fresh = [
            module
            for path, module in run.modules.by_path.items()
            if path not in known
            and module.parts[-1:]
            and module.parts[-1] in named
            and not ELSEWHERE.intersection(module.parts)
            and not module.is_aside
        ]
        known |= {module.path: module for module in fresh}
    return list(known.values())


def _collect_imported_names(data: bytes) -> set[str]:
    words = (word for found in IMPORT.findall(data) for part in found for word in re.findall(rb"\w+", part))
    return {word.decode("utf-8", "replace") for word in words}
