"""Files of a package that are never compiled: no `mod`, `#[path]` or `include!` names them."""

import re
from collections.abc import Iterable, Iterator, Mapping

from reviewer.files.storage import Manifest
from reviewer.source import Source
from reviewer.text.patterns import pattern

# On any line that is no comment, since a `#[cfg]` may stand before it on the same one.
DECLARED = pattern(rb"^(?!\s*//).*?\bmod\s+(?:r#)?(\w+)\s*;", re.MULTILINE)
# Below a module that is written within a file, the files of its modules lie one folder deeper.
NESTED = pattern(rb"\bmod\s+(?:r#)?\w+\s*\{")
NAMED = pattern(rb"[\"'](?:[^\"'\n]*/)?([^\"'/\n]*\.rs)[\"']")
"""A file that is named: `#[path = "kiln_unix.rs"]`, `include!("table.rs")`, and `path = "src/server.rs"` of a manifest."""

MADE = pattern(rb"\bmod\s+\$|\bautomod\b|\bpaste!")
"""Code that declares modules in a way that is not followed."""


def find_undeclared_files(
    sources: Mapping[str, Source], manifests: Mapping[str, Manifest], left_out: Iterable[str] = ()
) -> frozenset[str]:
    """Return the files in the `src` folders of packages that are no part of a crate, of packages of which all is seen."""
    packages: dict[str, list[str]] = {}
    for path in sources:
        folder, found, _ = f"/{path}".rpartition("/src/")
        if found and f"{folder}/Cargo.toml".lstrip("/") in manifests:
            packages.setdefault(f"{folder}/".lstrip("/"), []).append(path)
    open_ = {folder for folder in packages if any(each.startswith(f"{folder}src/") for each in left_out)}
    return frozenset(
        each
        for folder, paths in packages.items()
        if folder not in open_
        for each in _iter_undeclared_files(folder, paths, sources, manifests[f"{folder}Cargo.toml"])
    )


def _iter_undeclared_files(
    folder: str, paths: list[str], sources: Mapping[str, Source], manifest: Manifest
) -> Iterator[str]:
    try:
        texts = [manifest.read_text("utf-8", "replace").encode()]
    except OSError:
        return
    texts += [source.data for path, source in sources.items() if path.startswith(folder)]
    named = {each.decode("utf-8", "replace") for text in texts for each in NAMED.findall(text)}
    crates = [f"{folder}src/main.rs", f"{folder}src/lib.rs"]
    begun = [
        each
        for each in paths
        if each in crates or each.startswith(f"{folder}src/bin/") or each.rpartition("/")[2] in named
    ]
    if not begun or any(MADE.search(sources[each].data) for each in paths):
        return
    reached: set[str] = set()
    while begun:
        path = begun.pop()
        if path not in reached:
            reached.add(path)
            begun += _iter_declared_files(path, sources[path].data, paths)
    yield from (each for each in paths if each not in reached)


def _iter_declared_files(path: str, data: bytes, paths: list[str]) -> Iterator[str]:
    """Yield the files of the modules that a file declares: beside it or below it, as its name and its place may say."""
    names = {each.decode() for each in DECLARED.findall(data)}
    if not names:
        return
    folder, above = path.rpartition("/")[0] + "/", path.removesuffix(".rs") + "/"
    is_nested = NESTED.search(data) is not None
    for each in paths:
        module = each.removesuffix("/mod.rs").removesuffix(".rs")
        around, _, name = module.rpartition("/")
        if name in names and (f"{around}/" in (folder, above) or (is_nested and each.startswith(folder))):
            yield each
