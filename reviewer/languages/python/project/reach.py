"""Which modules a start of the server imports: from its entry points, along every import, or only under a condition.

Read from the text of the files, for most of them are parsed for nothing else.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import cached_property
from io import BytesIO

from reviewer.facts import Condition
from reviewer.files.storage import Manifest
from reviewer.languages.prefilter import mentions
from reviewer.languages.python.project.modules import Modules, PyModule
from reviewer.records import dataclass
from reviewer.source import Span
from reviewer.text.patterns import pattern

SCRIPT = pattern(r"""^[ \t]*["']?[\w.-]+["']?[ \t]*=[ \t]*["']?([\w.]+):([\w.]+)""", re.MULTILINE)
"""`name = package.module:function`, as entry_points.txt, pyproject.toml, setup.cfg and setup.py have it."""
# Scripts as entry_points.txt, PEP 621 and Poetry declare them.
SECTIONS = pattern(
    r"^\[(?:console_scripts|project\.scripts|project\.gui-scripts|tool\.poetry\.scripts)\]$(.*?)(?=^\[|\Z)",
    re.MULTILINE | re.DOTALL,
)
# An entry point may name a module alone, while a script names a function.
PLUGIN = pattern(r"""^[ \t]*["']?[\w.-]+["']?[ \t]*=[ \t]*["']?([\w.]+)(?::[\w.]+)?["']?[ \t]*$""", re.MULTILINE)
PLUGINS = pattern(
    r"^\[(?:project\.entry-points\.[^\]\n]+|tool\.poetry\.plugins\.[^\]\n]+)\]$(.*?)(?=^\[|\Z)",
    re.MULTILINE | re.DOTALL,
)
"""What a package offers to others, which load it by the name of a group: the server's own extensions among them."""
# At any indentation, over several lines in brackets or by backslashes, with comments between. Possessive, so that
# brackets which are never closed take linear time.
IMPORT = pattern(
    rb"^(?P<indent>[ \t]*)(?:from[ \t]+(?P<origin>\.*[\w.]*)[ \t]+import[ \t]+"
    rb"(?P<names>\((?:[^()#]++|#[^\n]*+\n)*+\)|(?:\\\r?\n|[^\n#])*)|import[ \t]+(?P<plain>(?:\\\r?\n|[^\n#])*))",
    re.MULTILINE,
)
# What stands first in the text is the package: an f-string goes on with what only a run tells.
BY_NAME = pattern(rb"""\bimport_module\(\s*(?:f?["'](?P<name>[\w.]*)|(?P<other>[^)]))""")
SEARCH = pattern(rb"\b(?:iter_modules|walk_packages)\(")
"""What imports the modules of a package by the names it finds."""
BY_PATH = pattern(rb"\b(?:spec_from_file_location|run_path|SourceFileLoader)\(")
"""What loads a file by its path, from wherever it is told to."""
BY_CHOICE = pattern(
    rb"\b(?:import_module|__import__|exec_module|load_module|import_string|(?:iter_)?entry_points|runpy|FileSystemProvider)\b"
    rb"|\bexec\("
)
"""What else may load a module that no import names: by its name, by its file, or because another package offers it."""
STARTING = pattern(
    rb"^(?:mcp|server|app|application)\b[^=\n]*=(?!=)|__main__|\.run(?:_\w+)?\(|\b(?:FastMCP|MCPServer|Server)\(|_app\(|\b(?:Starlette|FastAPI|Flask|Typer)\(|\bclick\.|argparse",
    re.MULTILINE,
)
"""What stands in a file that may be started as it is, by `python FILE`, `fastmcp run FILE` or `uvicorn`."""
QUOTED = pattern(rb"""["']([\w./:-]{1,200})["']""")
"""A text that may be the name of a module, or the way to its file."""
MANIFESTS = ("pyproject.toml", "setup.cfg", "setup.py")
"""Files that make a folder a project of its own, with scripts of its own."""
BETWEEN = pattern(rb"#[^\n]*|\\\r?\n")
"""What stands between the names of an import that goes over several lines."""
# An import that is indented more than a test belongs to it, up to the next line that is indented less.
TEST = pattern(rb"^(?P<indent>[ \t]*)(?:if|elif)[ \t]+(?P<test>[^\n]*?)[ \t]*:[ \t]*(?:#[^\n]*)?$", re.MULTILINE)


@dataclass(eq=False)
class ImportReach:
    """Tells for each module whether a start of the server imports it. `dynamic` are those that code imports by name."""

    modules: Modules
    manifests: dict[str, Manifest]
    dynamic: set[str] = field(default_factory=set)
    _conditions: dict[str, tuple[Condition, ...]] | None = None

    def collect_conditions(self, module: PyModule) -> tuple[Condition, ...]:
        """Return the conditions under which a module is imported; none if it always is, or if no entry point is known."""
        if self._conditions is None:
            self._conditions = self._spread()
        if not self._conditions or module.path in self._conditions:
            return self._conditions.get(module.path, ())
        text = f"where `{module.path}` is imported, which no entry point does"
        self._conditions[module.path] = (Condition(text, module.locate(module.root), never=self._is_lost(module)),)
        return self._conditions[module.path]

    def _is_lost(self, module: PyModule) -> bool:
        """Return whether surely no start of the server imports a module: all starts are known, and all that they load."""
        known, words = self._started
        name = module.parts[-1].encode() if module.parts else b""
        return bool(name) and module.path not in known and name not in words and self._declares_scripts(module)

    @cached_property
    def _started(self) -> tuple[set[str], set[bytes]]:
        """The files that any start may import, and the words by which they name modules, in imports and in texts.

        The files are all of them where something is loaded that no import names.
        """
        runnable = (each for each in self.modules.by_path.values() if each.mentions(STARTING))
        reached = collect_reachable_files(self.modules, (*self._iter_entry_points(), *runnable), self.dynamic)
        # A package without an `__init__.py` is reached as well, and has no file.
        loaded = [module for path in reached if (module := self.modules.by_path.get(path)) is not None]
        if any(each.mentions(sign) for each in loaded for sign in (BY_PATH, BY_CHOICE, SEARCH)):
            return {*self.modules.by_path}, set()
        return reached, {word for each in loaded for word in _iter_named_modules(each)}

    def _declares_scripts(self, module: PyModule) -> bool:
        """Return whether the project that a file lies in declares scripts, all of them of modules that are here."""
        own = self._format_project(module.path)
        texts = [
            text
            for path, file in self.manifests.items()
            if self._format_project(path) == own and (text := _find_text(file))
        ]
        named = [
            dotted for text in texts for section in SECTIONS.findall(text) for dotted, _ in SCRIPT.findall(section)
        ]
        return bool(named) and all(self.modules.find_by_name(dotted) is not None for dotted in named)

    def _format_project(self, path: str) -> str:
        """Return the folder of the project that a file lies in, with a slash at its end; empty for the root."""
        names = (name.rpartition("/") for name in self.manifests)
        folders = (f"{folder}/" for folder, _, name in names if folder and name in MANIFESTS)
        return max((each for each in folders if path.startswith(each)), key=len, default="")

    def _spread(self) -> dict[str, tuple[Condition, ...]]:
        reached: dict[str, tuple[Condition, ...]] = {}
        waiting: list[tuple[PyModule, tuple[Condition, ...]]] = [(module, ()) for module in self._iter_entry_points()]
        if not waiting:
            return {}
        waiting += [(self.modules.by_path[path], ()) for path in sorted(self.dynamic)]
        while waiting:
            module, conditions = waiting.pop()
            known = reached.get(module.path)
            if known is not None and (not known or conditions):
                continue
            reached[module.path] = conditions
            for target, test in _collect_imports(self.modules, module):
                waiting.append((target, conditions or test))
            waiting += [(target, conditions) for target in _iter_by_name(self.modules, module)]
        return reached

    def _iter_entry_points(self) -> Iterator[PyModule]:
        """Find the modules that the project's scripts start; where it declares none, those that may be run."""
        texts = [text for file in self.manifests.values() if (text := _find_text(file)) is not None]
        declared = [each for text in texts for each in self._iter_section_modules(text, SECTIONS, SCRIPT)]
        if declared:
            yield from declared
            yield from (each for text in texts for each in self._iter_section_modules(text, PLUGINS, PLUGIN))
            yield from (each for each in self.modules.by_path.values() if each.parts[-1:] == ("__main__",))

    def _iter_section_modules(self, text: str, sections: re.Pattern[str], entry: re.Pattern[str]) -> Iterator[PyModule]:
        """Yield the modules of the project that entries in some sections of a manifest name."""
        for section in sections.findall(text):
            for found in entry.finditer(section):
                module = self.modules.find_by_name(found[1])
                if module is not None:
                    yield module


def collect_script_functions(modules: Modules, manifests: Iterable[Manifest]) -> frozenset[tuple[str, str]]:
    """Return the functions that a project's scripts call, each with the file of its module."""
    texts = (text for each in manifests if (text := _find_text(each)) is not None)
    named = (pair for text in texts for section in SECTIONS.findall(text) for pair in SCRIPT.findall(section))
    return frozenset(
        (module.path, function) for dotted, function in named if (module := modules.find_by_name(dotted)) is not None
    )


def _find_text(file: Manifest) -> str | None:
    """Return the text of a manifest that declares entry points; None if it is another, or cannot be read."""
    if file.name not in ("entry_points.txt", "pyproject.toml", "setup.cfg"):
        return None
    try:
        return file.read_text("utf-8", "replace").replace("\r\n", "\n")
    except OSError:
        return None


def collect_reachable_files(modules: Modules, starts: Iterable[PyModule], dynamic: Iterable[str] = ()) -> set[str]:
    """Name the files of some modules and of all that they may import; `dynamic` are those that code imports by name."""
    reached: set[str] = set()
    waiting = [*starts, *(modules.by_path[path] for path in dynamic)]
    while waiting:
        module = waiting.pop()
        if module.path not in reached:
            reached.add(module.path)
            waiting += (target for target, _ in _collect_imports(modules, module))
            waiting += (*modules.list_enclosing_packages(module), *_iter_by_name(modules, module))
    return reached


def _collect_imports(modules: Modules, module: PyModule) -> list[tuple[PyModule, tuple[Condition, ...]]]:
    """Return the imports of a module, its packages included, each with the condition of the `if` around it."""
    if module not in modules.imports:
        modules.imports[module] = list(_iter_imported(modules, module))
    return modules.imports[module]


def _iter_imported(modules: Modules, module: PyModule) -> Iterator[tuple[PyModule, tuple[Condition, ...]]]:
    data = module.source.data
    imports = list(IMPORT.finditer(data))
    tests = list(TEST.finditer(data)) if any(found["indent"] for found in imports) else []
    for found in imports:
        test = _test_around(module, found, tests)
        if test is None:
            continue
        for target in _iter_targets(modules, module, found):
            yield target, test
            yield from ((package, test) for package in modules.list_enclosing_packages(target))


def _iter_named_modules(module: PyModule) -> Iterator[bytes]:
    """Yield each word of an import that is not for type checkers only, and each part of a quoted text that may name a module."""
    data = module.source.data
    tests = list(TEST.finditer(data))
    for found in IMPORT.finditer(data):
        if _test_around(module, found, tests) is not None:
            yield from re.findall(rb"\w+", found[0])
    for quoted in QUOTED.findall(data):
        yield from re.findall(rb"\w+", quoted)


def _iter_by_name(modules: Modules, module: PyModule) -> Iterator[PyModule]:
    """Yield the modules that a module may import by name: those that begin with a literal, or all next to and below it."""
    data = module.source.data
    names = [found["name"] for found in BY_NAME.finditer(data)] if mentions(data, BY_NAME) else []
    for name in names:
        dotted = name.decode(errors="replace").strip(".") if name is not None else ""
        target = modules.find_by_name(dotted) if dotted else None
        if target is not None:
            yield target
        yield from modules.list_package_modules(target if target is not None and target.is_package else module)
    if not names and mentions(data, SEARCH):
        yield from modules.list_package_modules(module)


def _iter_targets(modules: Modules, module: PyModule, found: "re.Match[bytes]") -> Iterator[PyModule]:
    if found["plain"] is not None:
        for part in BETWEEN.sub(b"", found["plain"]).decode(errors="replace").split(","):
            target = modules.resolve(part.split(" as ")[0].strip() or "?", module)
            if target is not None:
                yield target
        return
    dotted = found["origin"].decode(errors="replace")
    bare = dotted.lstrip(".")
    level = len(dotted) - len(bare)
    origin = modules.resolve_relative(level, bare, module) if level else modules.resolve(bare or "?", module)
    if origin is None:
        return
    yield origin
    if origin.is_package:
        listed = BETWEEN.sub(b"", found["names"]).decode(errors="replace").strip("()")
        names = {each.split()[0] for each in listed.split(",") if each.split()}
        yield from (each for each in modules.list_submodules(origin) if each.parts[-1] in names or "*" in names)


def _test_around(
    module: PyModule, found: "re.Match[bytes]", tests: "list[re.Match[bytes]]"
) -> tuple[Condition, ...] | None:
    """Return the test of the innermost `if` around an import; None if it is for type checkers only."""
    indent = len(found["indent"].expandtabs())
    if indent == 0:
        return ()
    before = bisect_right(tests, found.start(), key=lambda each: each.end())
    for each in reversed(tests[:before]):
        outer = len(each["indent"].expandtabs())
        if outer < indent and not _is_left(module.source.data[each.end() : found.start()], outer):
            if b"TYPE_CHECKING" in each["test"]:
                return None
            if b"__name__" in each["test"]:
                return ()
            line = module.source.data.count(b"\n", 0, each.start()) + 1
            text = " ".join(each["test"].decode(errors="replace").split())[:80]
            return (Condition(f"if {text}", Span(module.path, line, 1, line, 1)),)
    return ()


def _is_left(between: bytes, outer: int) -> bool:
    """Return whether code leaves a block: a line that is indented no deeper than the block's head."""
    lines = (line for line in BytesIO(between) if line.strip() and not line.lstrip().startswith(b"#"))
    return any(len(line.expandtabs()) - len(line.expandtabs().lstrip()) <= outer for line in lines)
