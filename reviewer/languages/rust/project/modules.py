"""Where a file stands among the modules of its crate, and which modules are compiled for tests only."""

import re
from collections.abc import Iterator

from reviewer.text.patterns import pattern

# A file of these names is the module of its folder; any other is a module below it.
ROOTS = frozenset({"lib", "main", "mod"})
# A module in a file of its own that is built for tests only, with the `#[path]` that may say which file.
TEST_MODULE = pattern(
    rb"#\[cfg\((?:all\()?test\b[^\]]*\]\s*(?:#\[path\s*=\s*\"([^\"]+)\"\]\s*)?(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;"
)
# What marks code of tests. It only counts in files that are called tests, before anything is offered to others.
TESTING = pattern(rb"#\[\s*(?:\w+\s*::\s*)*(?:test|rstest)\b|cfg\(\s*(?:all\(\s*)?test\b")
OFFERED = pattern(rb"^(?:pub|impl)\b", re.MULTILINE)
"""What a file offers to others, as tests do not."""


def iter_test_files(path: str, data: bytes) -> Iterator[str]:
    """Name the files of modules that are declared as `#[cfg(test)] mod name;`, and a file itself that is called a test."""
    first = TESTING.search(data) if path.endswith(("_test.rs", "/test.rs")) else None
    if first is not None and OFFERED.search(data, 0, first.start()) is None:
        yield path
    if b"cfg(" not in data or b"test" not in data:
        return
    folder, _, file = path.rpartition("/")
    stem = file.removesuffix(".rs")
    base = folder + "/" if folder else ""
    for found in TEST_MODULE.finditer(data):
        if found[1] is not None:
            yield base + found[1].decode("utf-8", "replace")
        else:
            yield f"{base if stem in ROOTS else f'{base}{stem}/'}{found[2].decode()}.rs"


def is_among(path: str, files: tuple[str, ...]) -> bool:
    """Return whether a file is one of some modules, or of a module below one."""
    return any(path == file or path.startswith(file.removesuffix(".rs") + "/") for file in files)


def build_module_path(path: str) -> tuple[str, ...]:
    """Return a file's module path; the folder of its package stands for the crate's name."""
    *folders, file = [part for part in path.split("/") if part != "src"]
    stem = file.removesuffix(".rs")
    names = folders if stem in ROOTS else [*folders, stem]
    return tuple(name.replace("-", "_") for name in names)


def find_crate_folder(path: str) -> str:
    """Return the part of a file's path that leads to its crate's source."""
    return path.rpartition("src/")[0]


def build_crate_path(path: str) -> tuple[str, ...]:
    """Return a file's module path within its crate."""
    return build_module_path(path.rpartition("src/")[2])
