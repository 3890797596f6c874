"""Documents, images and manifests beside the source → the commands that start a Python program which is not there.

Read as plain text, and only if a rule asks. A module or a file is told as missing only where the folder is there that should hold
it.
"""

import re
from collections.abc import Iterator
from functools import cached_property

from reviewer.facts import BrokenStart, Project
from reviewer.files.discovery import NEVER, Tree
from reviewer.languages.installing import iter_broken_installs
from reviewer.languages.markdown import FENCE
from reviewer.source import Span, Text, build_text
from reviewer.text.patterns import pattern
from reviewer.text.toml import parse_toml

PYTHON = r"(?:\b(?:python(?:3(?:\.\d+)?)?|uv run)\b[\"',\s]+|[\"'])"
"""What Python is started by in commands, or the string that a list of words begins with."""

# `python -m`, as in a shell or as entries of a list in JSON or a Dockerfile.
MODULE = pattern(PYTHON + r"-m[\"',\s]+(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?![\w./-])")
FILE = pattern(
    r"\b(?:python(?:3(?:\.\d+)?)?|uv run|(?:fast)?mcp (?:run|dev|install))[\"',\s]+"
    r"(?P<name>[A-Za-z_][\w.-]*/(?:[\w.-]+/)*[\w-]+\.py)(?![\w/])"
)
"""Commands with the module or the file that they run. A file without a folder is one of the reader's own as often as not."""

# Files in which a platform finds how to start a server: containers, Heroku, Smithery.
MANIFESTS = pattern(r"(?:[\w-]+\.)?(?:Dockerfile|Containerfile)(?:\.[\w-]+)?|Procfile|smithery\.ya?ml")
EXCUSED = pattern(
    r"\b(?:old|legacy|removed|deprecated|planned|formerly|no longer|instead of|not yet|to be (?:created|written|added)|todo)\b",
    re.IGNORECASE,
)
"""Words of a line, or of a heading above it, that tell of a program which is not there any more, or not yet."""

STANDING = pattern(r"(?:my|your)[-_]", re.IGNORECASE)
"""How a name begins that stands for one which the reader has: `Servers/my_server.py` in a client's settings."""

MOST_ENTRIES = 20_000
"""Files of a project.

In larger ones nothing is reported, because a file that was not looked at may be the one that is missing.
"""

LONGEST = 2**18
"""Characters of a document in which commands are looked for."""


def iter_broken_starts(tree: Tree, project: Project) -> Iterator[BrokenStart]:
    """Yield the documented start commands that name what the project lacks, or cannot work by themselves."""
    if project.servers:
        yield from iter_broken_installs(tree)
    if not any(server.language == "python" for server in project.servers) or tree.broken:
        return
    files = StartFiles(tree)
    if not files.all:
        return
    for path, text in iter_start_documents(tree):
        yield from _iter_in_text(path, text[:LONGEST], files)
    for path in tree.manifests:
        if path.endswith("pyproject.toml"):
            yield from _iter_in_pyproject(path, tree, files)


def iter_start_documents(tree: Tree) -> Iterator[tuple[str, str]]:
    """Yield the documents and manifests that say how the project is installed and started, with their texts."""
    yield from tree.iter_documents(beside=True)
    yield from _iter_manifests(tree)


class StartFiles:
    """The files of a project."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    @cached_property
    def all(self) -> frozenset[str]:
        """Their paths; none if they are too many, or cannot all be listed."""
        found, waiting = set[str](), [""]
        while waiting:
            folder = waiting.pop()
            try:
                entries = self._tree.storage.list_folder(folder)
            except OSError:
                return frozenset()
            if any(each.kind == "link" for each in entries):
                return frozenset()
            waiting += (f"{folder}{each.name}/" for each in entries if each.kind == "folder" and each.name not in NEVER)
            found |= {f"{folder}{each.name}" for each in entries if each.kind == "file"}
            if len(found) > MOST_ENTRIES:
                return frozenset()
        return frozenset(found)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Their paths without what follows the first dot of their names, with those of folders."""
        found = set[str]()
        for each in self.all:
            folder, _, name = each.rpartition("/")
            found.add(f"{folder}/{name.partition('.')[0]}".lstrip("/"))
            parts = folder.split("/")
            found |= {"/".join(parts[: at + 1]) for at in range(len(parts))}
        return frozenset(found - {""})

    def find_packages(self, name: str) -> list[str]:
        """Return the folders of a name with modules in them."""
        return [each for each in self._modules if each == name or each.endswith(f"/{name}")]

    @cached_property
    def _modules(self) -> frozenset[str]:
        """The folders that hold modules."""
        return frozenset(each.rpartition("/")[0] for each in self.all if each.endswith(".py"))

    def explain_missing(self, module: str) -> str:
        """Return why a module cannot be run, where its package is there; empty if it can, or if that is not known."""
        top, *rest = module.split(".")
        found = self.find_packages(top)
        if not found:
            return ""
        paths = ["/".join((each, *rest)) for each in found]
        there = [each for each in paths if each in self.stems]
        if not there:
            return f"`{top}` has no module `{'.'.join(rest)}`"
        is_package = all(f"{each}.py" not in self.all and each in self.folders for each in there)
        if is_package and not any(f"{each}/__main__" in self.stems for each in there):
            return f"`{module}` is a package without `__main__.py`"
        return ""

    @cached_property
    def folders(self) -> frozenset[str]:
        """The folders that hold files."""
        return frozenset(each.rpartition("/")[0] for each in self.all)


def _iter_manifests(tree: Tree) -> Iterator[tuple[str, str]]:
    try:
        names = [
            each.name for each in tree.storage.list_folder("") if each.kind == "file" and MANIFESTS.fullmatch(each.name)
        ]
    except OSError:
        return
    yield from ((name, text) for name in names if (text := tree.find_text(name)))


def _iter_in_text(path: str, text: str, files: StartFiles) -> Iterator[BrokenStart]:
    heading = ""
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("#") and path.endswith(".md"):
            heading = line
        if EXCUSED.search(line) or EXCUSED.search(heading):
            continue
        if FENCE.match(line):
            continue  # what follows is code for a file to be written: a guide's "```python ropes/new.py"
        for found in MODULE.finditer(line):
            why = files.explain_missing(found["name"])
            if why:
                yield BrokenStart(_build_text(path, number, found), why)
        for found in FILE.finditer(line):
            folder, _, name = found["name"].removeprefix("./").rpartition("/")
            is_near = any(each == folder or each.endswith(f"/{folder}") for each in files.folders)
            if is_near and not STANDING.match(name) and not any(each.rpartition("/")[2] == name for each in files.all):
                yield BrokenStart(_build_text(path, number, found), f"`{folder}/` has no `{name}`")


def _build_text(path: str, number: int, found: re.Match[str]) -> Text:
    start, end = found.span("name")
    return Text(found["name"], Span(path, number, start + 1, number, end + 1))


def _iter_in_pyproject(path: str, tree: Tree, files: StartFiles) -> Iterator[BrokenStart]:
    """Yield the scripts of a project whose module is not there, or does not have the function."""
    try:
        text = tree.manifests[path].read_text("utf-8", "replace")
        project = parse_toml(text).get("project", {})
    except (OSError, ValueError):
        return
    scripts = project.get("scripts", {}) if isinstance(project, dict) else {}
    for target in scripts.values() if isinstance(scripts, dict) else ():
        module, _, function = target.partition(":") if isinstance(target, str) else ("", "", "")
        top, *rest = module.strip().split(".")
        paths = ["/".join((each, *rest)) for each in files.find_packages(top)] if top.isidentifier() else []
        if not paths:
            continue
        there = [each for each in paths if each in files.stems]
        why = "" if there else f"`{top}` has no module `{'.'.join(rest)}`"
        held = [source for each in there for source in _collect_sources(each, tree)]
        name = function.partition("[")[0].strip().partition(".")[0]  # `package:main [extra]` asks for an extra
        if held and len(held) == len(there) and name and not any(_may_have(each, name) for each in held):
            why = f"`{module}` has no `{name}`"
        at = text.find(target)
        if why and at >= 0:
            yield BrokenStart(build_text(path, text, at, at + len(target)), why)


def _collect_sources(module: str, tree: Tree) -> list[bytes]:
    found = (tree.sources.get(each) for each in (f"{module}.py", f"{module}/__init__.py"))
    return [each.data for each in found if each is not None]


def _may_have(source: bytes, name: str) -> bool:
    """Return whether a module may have something of a name: that stands there, or all of another module, or a run makes it."""
    return re.search(rb"\b" + re.escape(name.encode()) + rb"\b|import \*|__getattr__|globals\(", source) is not None
