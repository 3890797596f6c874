"""Which files are the modules that are compiled for tests only."""

import re
from collections.abc import Iterator

ROOTS = frozenset({"lib", "main", "mod"})
TEST_MODULE = re.compile(
    rb"#\[cfg\((?:all\()?test\b[^\]]*\]\s*(?:#\[path\s*=\s*\"([^\"]+)\"\]\s*)?(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;"
)


def files_of_tests(path: str, data: bytes) -> Iterator[str]:
    """Name the files of modules that are declared as `#[cfg(test)] mod name;`."""
    if b"cfg(" not in data or b"test" not in data:
        return
    folder, _, file = path.rpartition("/")
    stem = file.removesuffix(".rs")
    base = folder + "/" if folder else ""
    for found in TEST_MODULE.finditer(data):
        if found[1] is not None:
            yield base + found[1].decode("utf-8", "replace")
        else:
            yield f"{base if stem in ('lib', 'main', 'mod') else f'{base}{stem}/'}{found[2].decode()}.rs"


def is_among(path: str, files: tuple[str, ...]) -> bool:
    """Tell whether a file is one of some modules, or of a module below one."""
    return any(path == file or path.startswith(file.removesuffix(".rs") + "/") for file in files)
