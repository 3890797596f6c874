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
from reviewer.languages.needles import mentions
from reviewer.languages.python.modules import Module, Modules
from reviewer.patterns import pattern
from reviewer.records import dataclass
from reviewer.source import Span
from reviewer.storage import Manifest

SCRIPT = pattern(r"""^[ \t]*["']?[\w.-]+["']?[ \t]*=[ \t]*["']?([\w.]+):[\w.]+""", re.MULTILINE)
"""`name = package.module:function`, as entry_points.txt, pyproject.toml, setup.cfg and setup.py have it."""
SECTIONS = pattern(
    r"^\[(?:console_scripts|project\.scripts|project\.gui-scripts|tool\.poetry\.scripts)\]$(.*?)(?=^\[|\Z)",
    re.MULTILINE | re.DOTALL,
)
PLUGIN = pattern(r"""^[ \t]*["']?[\w.-]+["']?[ \t]*=[ \t]*["']?([\w.]+)(?::[\w.]+)?["']?[ \t]*$""", re.MULTILINE)
PLUGINS = pattern(
    r"^\[(?:project\.entry-points\.[^\]\n]+|tool\.poetry\.plugins\.[^\]\n]+)\]$(.*?)(?=^\[|\Z)",
    re.MULTILINE | re.DOTALL,
)
"""What a package offers to others, which load it by the name of a group: the server's own extensions among them."""
IMPORT = pattern(
    rb"^(?P<indent>[ \t]*)(?:from[ \t]+(?P<origin>\.*[\w.]*)[ \t]+import[ \t]+"
    rb"(?P<names>\((?:[^()#]++|#[^\n]*+\n)*+\)|(?:\\\r?\n|[^\n#])*)|import[ \t]+(?P<plain>(?:\\\r?\n|[^\n#])*))",
    re.MULTILINE,
)
BY_NAME = pattern(rb"""\bimport_module\(\s*(?:f?["'](?P<name>[\w.]*)|(?P<other>[^)]))""")
SEARCH = pattern(rb"\b(?:iter_modules|walk_packages)\(")
"""What imports the modules of a package by the names it finds."""
BY_PATH = pattern(rb"\b(?:spec_from_file_location|run_path|SourceFileLoader)\(")
"""What loads a file by its path, from wherever it is told to."""
BETWEEN = pattern(rb"#[^\n]*|\\\r?\n")
"""What stands between the names of an import that goes over several lines."""
TEST = pattern(rb"^(?P<indent>[ \t]*)(?:if|elif)[ \t]+(?P<test>[^\n]*?)[ \t]*:[ \t]*(?:#[^\n]*)?$", re.MULTILINE)


@dataclass(eq=False)
class Reach:
    """Tells for each module whether a start of the server imports it. `dynamic` are those that code imports by name."""

    modules: Modules
    manifests: dict[str, Manifest]
    dynamic: set[str] = field(default_factory=set)
    _conditions: dict[str, tuple[Condition, ...]] | None = None

    def conditions(self, module: Module) -> tuple[Condition, ...]:
        """Give the conditions under which a module is imported; none if it always is, or if no entry point is known."""
        if self._conditions is None:
            self._conditions = self._spread()
        if not self._conditions or module.path in self._conditions:
            return self._conditions.get(module.path, ())
        text = f"where `{module.path}` is imported, which no entry point does"
        return (Condition(text, module.span(module.root), never=not self._loads_files),)

    @cached_property
    def _loads_files(self) -> bool:
        """Whether what is imported loads files by their paths, so that nobody can tell which are never loaded."""
        return any(mentions(self.modules.by_path[path].source.data, BY_PATH) for path in self._conditions or ())

    def _spread(self) -> dict[str, tuple[Condition, ...]]:
        reached: dict[str, tuple[Condition, ...]] = {}
        waiting: list[tuple[Module, tuple[Condition, ...]]] = [(module, ()) for module in self._entries()]
        if not waiting:
            return {}
        waiting += [(self.modules.by_path[path], ()) for path in sorted(self.dynamic)]
        while waiting:
            module, conditions = waiting.pop()
            known = reached.get(module.path)
            if known is not None and (not known or conditions):
                continue
            reached[module.path] = conditions
            for target, test in _imports(self.modules, module):
                waiting.append((target, conditions or test))
            waiting += [(target, conditions) for target in _by_name(self.modules, module)]
        return reached

    def _entries(self) -> Iterator[Module]:
        """Find the modules that the project's scripts start; where it declares none, those that may be run."""
        texts = [text for file in self.manifests.values() if (text := _text(file)) is not None]
        declared = [each for text in texts for each in self._named(text, SECTIONS, SCRIPT)]
        if declared:
            yield from declared
            yield from (each for text in texts for each in self._named(text, PLUGINS, PLUGIN))
            yield from (each for each in self.modules.by_path.values() if each.parts[-1:] == ("__main__",))

    def _named(self, text: str, sections: re.Pattern[str], entry: re.Pattern[str]) -> Iterator[Module]:
        """Yield the modules of the project that entries in some sections of a manifest name."""
        for section in sections.findall(text):
            for dotted in entry.findall(section):
                module = self.modules.named(dotted)
                if module is not None:
                    yield module


def _text(file: Manifest) -> str | None:
    """Return the text of a manifest that declares entry points; None if it is another, or cannot be read."""
    if file.name not in ("entry_points.txt", "pyproject.toml", "setup.cfg"):
        return None
    try:
        return file.read_text("utf-8", "replace").replace("\r\n", "\n")
    except OSError:
        return None


def imported(modules: Modules, starts: Iterable[Module], dynamic: Iterable[str] = ()) -> set[str]:
    """Name the files of some modules and of all that they may import; `dynamic` are those that code imports by name."""
    reached: set[str] = set()
    waiting = [*starts, *(modules.by_path[path] for path in dynamic)]
    while waiting:
        module = waiting.pop()
        if module.path not in reached:
            reached.add(module.path)
            waiting += (target for target, _ in _imports(modules, module))
            waiting += (*modules.above(module), *_by_name(modules, module))
    return reached


def _imports(modules: Modules, module: Module) -> Iterator[tuple[Module, tuple[Condition, ...]]]:
    """Give what a module imports, its packages included, each with the condition of the `if` around the import."""
    data = module.source.data
    imports = list(IMPORT.finditer(data))
    tests = list(TEST.finditer(data)) if any(found["indent"] for found in imports) else []
    for found in imports:
        test = _test_around(module, found, tests)
        if test is None:
            continue
        for target in _targets(modules, module, found):
            yield target, test
            yield from ((package, test) for package in modules.above(target))


def _by_name(modules: Modules, module: Module) -> Iterator[Module]:
    """Give what a module may import by name: what a literal begins with, or all modules beside and below it."""
    data = module.source.data
    names = [found["name"] for found in BY_NAME.finditer(data)] if mentions(data, BY_NAME) else []
    for name in names:
        dotted = name.decode(errors="replace").strip(".") if name is not None else ""
        target = modules.named(dotted) if dotted else None
        if target is not None:
            yield target
        yield from modules.within(target if target is not None and target.is_package else module)
    if not names and mentions(data, SEARCH):
        yield from modules.within(module)


def _targets(modules: Modules, module: Module, found: "re.Match[bytes]") -> Iterator[Module]:
    if found["plain"] is not None:
        for part in BETWEEN.sub(b"", found["plain"]).decode(errors="replace").split(","):
            target = modules.resolve(part.split(" as ")[0].strip() or "?", module)
            if target is not None:
                yield target
        return
    dotted = found["origin"].decode(errors="replace")
    bare = dotted.lstrip(".")
    level = len(dotted) - len(bare)
    origin = modules.relative(level, bare, module) if level else modules.resolve(bare or "?", module)
    if origin is None:
        return
    yield origin
    if origin.is_package:
        listed = BETWEEN.sub(b"", found["names"]).decode(errors="replace").strip("()")
        names = {each.split()[0] for each in listed.split(",") if each.split()}
        yield from (each for each in modules.below(origin) if each.parts[-1] in names or "*" in names)


def _test_around(
    module: Module, found: "re.Match[bytes]", tests: "list[re.Match[bytes]]"
) -> tuple[Condition, ...] | None:
    """Give the test of the innermost `if` around an import; None if it is for type checkers only."""
    indent = len(found["indent"].expandtabs())
    if indent == 0:
        return ()
    before = bisect_right(tests, found.start(), key=lambda each: each.end())
    for each in reversed(tests[:before]):
        outer = len(each["indent"].expandtabs())
        if outer < indent and not _left(module.source.data[each.end() : found.start()], outer):
            if b"TYPE_CHECKING" in each["test"]:
                return None
            if b"__name__" in each["test"]:
                return ()
            line = module.source.data.count(b"\n", 0, each.start()) + 1
            text = " ".join(each["test"].decode(errors="replace").split())[:80]
            return (Condition(f"if {text}", Span(module.path, line, 1, line, 1)),)
    return ()


def _left(between: bytes, outer: int) -> bool:
    """Tell whether code leaves a block: a line that is indented no deeper than the block's head."""
    lines = (line for line in BytesIO(between) if line.strip() and not line.lstrip().startswith(b"#"))
    return any(len(line.expandtabs()) - len(line.expandtabs().lstrip()) <= outer for line in lines)
