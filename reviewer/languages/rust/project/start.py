"""Where a Rust process begins that may serve."""

import re
from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from reviewer.behaviour.serving import startup
from reviewer.behaviour.serving.process_start import ProcessStart
from reviewer.behaviour.serving.transports import ACTS, iter_served
from reviewer.behaviour.values.callers import HIGHEST
from reviewer.code.events import Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.ir import Code, Site
from reviewer.code.run import RunBounds
from reviewer.facts import Act, Lazy, Server, Transport, TransportKind
from reviewer.languages.nodes import find_child
from reviewer.languages.rust.behaviour.tracing import get_program
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.name_resolution import (
    find_calls,
    find_enclosing_function,
    find_receiver,
    resolve_callees,
)
from reviewer.text import toml
from reviewer.text.patterns import pattern

# Code among documents shows how a server is begun, and begins none.
NOT_SERVED = frozenset({"docs", "doc"})
BY_HAND = (
    (rb"\bstdin\(\)", (rb"\br(?:mcp|ust_mcp_\w+)\b|\bserve\w*\(|\"(?:jsonrpc|tools/call)\"",)),
    (rb"\broute\b", (rb"\bSse\b|event-stream", rb"(?i:messages?\b)")),
)
"""What serves without a transport of an SDK, with what stands beside it in the file: the standard input, event streams."""

PRINTING = pattern(rb"\bprintln!|\bprint!|\bstdout\b|tracing_subscriber|\bfmt\b")
"""What stands in a file that prints or begins a log."""

DEFAULT = pattern(
    r"default_value(?:_t)?\s*=\s*([^\n]*)\n(?:\s*(?:#\[|///)[^\n]*\n)*\s*(?:pub(?:\([^)]*\))?\s+)?(\w+)\s*:"
)
"""An option of clap with its default, and the field that takes it."""

USED = frozenset({"identifier", "type_identifier"})
"""What a name is that is no field, and stands in no text or comment."""

SDK = pattern(rb"\br(mcp|ust_mcp_sdk)\b")
"""What a file speaks of to which another package may hand its server."""

BOUNDS = RunBounds(depth=4)
"""What serves is reached from `main` in few calls; where it is not, the function that serves is run by itself."""

CRATE = "rust-mcp-sdk"


def iter_transports(items: RustItems, servers: tuple[Server, ...] = ()) -> Iterator[Transport]:
    """Yield the transports of a project."""
    start = RustStart(items)
    for transport, code, at in iter_served(start, servers):
        yield replace(transport, prints=start.collect_prints(code, at)) if transport.kind == "stdio" else transport


class RustStart(ProcessStart):
    """Where the processes of a project begin that may serve."""

    def __init__(self, items: RustItems) -> None:
        self._items = items
        self.program = get_program(items)
        serving = (path.split(".") for path in self.program.models.find_paths_acting(frozenset(ACTS)))
        names = {next((part for part in path if part[:1].isupper()), path[-1]).encode() for path in serving}
        self._named = rb"\b(?:" + b"|".join(sorted(names)) + rb")\b"

    def collect_options(self) -> dict[str, list[str]]:
        """Return the defaults of the options of a command line, by the names of their fields."""
        found: dict[str, list[str]] = {}
        for path in self._items.find_matching(re.compile(rb"default_value")):
            for text, name in DEFAULT.findall(self._items.sources[path].data.decode("utf-8", "replace")):
                found.setdefault(name, []).append(text.strip(' ")]'))
        return found

    def may_serve(self, path: str, other: str) -> bool:
        """Return whether files are of one package, or the first speaks of an SDK, to which a server of another may be handed."""
        folders = {self._items.find_package_folder(each) for each in (path, other)}
        return len(folders) == 1 or SDK.search(self._items.sources[path].data) is not None

    def release(self, library: str, path: str) -> tuple[int, ...] | None:
        """Return the release of a crate that is locked, or that a requirement of one before 1.0 allows at most."""
        found = self._items.find_version(path, library)
        return found if found is not None and (len(found) > 2 or found[0] == 0) else None

    def mentions(self, pattern: re.Pattern[bytes]) -> bool:
        """Return whether anything in the code of the project matches."""
        return bool(self._items.find_matching(pattern))

    def offers(self, kind: TransportKind, path: str) -> bool:
        """Return whether the SDK is built with SSE: by default, or by its feature where the defaults are off."""
        folder = self._items.find_package_folder(path)
        manifest = self._items.manifests.get(f"{folder}/Cargo.toml".lstrip("/")) if folder is not None else None
        try:
            table = toml.parse_toml(manifest.read_text("utf-8", "replace")) if manifest is not None else {}
        except (OSError, ValueError):
            return True
        given = table.get("dependencies", {}).get(CRATE)
        if not isinstance(given, dict) or given.get("default-features", True) or "workspace" in given:
            return True
        return kind in given.get("features", ())

    def collect_prints(self, code: Code, at: Site) -> Lazy[Act]:
        """Return the prints before a call that serves, read on demand."""
        return Lazy(lambda: self._iter_prints(code, at))

    def _iter_prints(self, code: Code, at: Site) -> Iterator[Act]:
        leading = (each for each in self.traces if self._items.find_matching(PRINTING) and code in each.collect_codes())
        found = (startup.collect_printed_before(each, self.program, code.source.path, at) or () for each in leading)
        yield from {act.text.span: act for acts in found for act in acts}.values()

    def _iter_traces(self) -> Iterator[Trace]:
        found: dict[tuple[str, int], tuple[RustItem, int]] = {}
        pending = [(each, 0) for each in self._iter_sites()]
        while pending:
            site, height = pending.pop(0)
            key = (site.path, site.node.start_byte)
            if height <= HIGHEST and key not in found:
                found[key] = (site, height)
                pending += [(each, height + 1) for each in self._iter_callers(site)]
        reached: set[tuple[str, int]] = set()
        for key, (site, _) in sorted(found.items(), key=lambda each: -each[1][1]):
            if key not in reached:
                code = self.program.find_code_at(site.path, site.node)
                trace = Interpreter(self.program, BOUNDS, self.program.summaries).start(code, {})
                reached |= {(each.source.path, each.at.start) for each in trace.collect_codes()}
                yield trace

    def _iter_sites(self) -> Iterator[RustItem]:
        """Yield the functions in which something stands that may serve, also by a name of its own in a file."""
        renamed = re.compile(self._named + rb"\s+as\s+(\w+)|\btype\s+(\w+)[^=;]*=[^;]*?" + self._named)
        for path in self._items.find_matching(re.compile(self._named)):
            others = [name for pair in renamed.findall(self._items.sources[path].data) for name in pair if name]
            names = re.compile(b"|".join([self._named, *(rb"\b" + each + rb"\b" for each in others)]))
            yield from self._iter_around(path, names)
        for words, beside in BY_HAND:
            for path in self._items.find_matching(re.compile(words)):
                if all(re.search(each, self._items.sources[path].data) for each in beside):
                    yield from self._iter_around(path, re.compile(words))

    def _iter_callers(self, site: RustItem) -> Iterator[RustItem]:
        """Yield the functions of the same package that call a function."""
        folder = self._items.find_package_folder(site.path)
        for call, path in self._iter_calls(site) if site.name not in ("main", "new") else ():
            function = _find_outermost(call)
            if function is not None and function != site.node and self._items.find_package_folder(path) == folder:
                yield RustItem(path, function, self._items.sources[path])

    def _iter_calls(self, site: RustItem) -> Iterator[tuple[Node, str]]:
        """Yield the calls of a function in the project, each with its file."""
        for path in self._items.find_matching(
            re.compile(rb"\b" + re.escape(site.name.encode()) + rb"\s*(::<[^;]*>)?\(")
        ):
            for each in find_calls(self._items, site.name, path):
                if not is_in_test(each):
                    found = resolve_callees(self._items, each, path)
                    is_method = (
                        find_receiver(each) is not None
                        and not found
                        and len(self._items.find_functions(site.name)) == 1
                    )
                    if is_method or any(target.node == site.node and target.path == site.path for target in found):
                        yield each, path

    def _iter_around(self, path: str, names: re.Pattern[bytes]) -> Iterator[RustItem]:
        """Yield the functions of a file in whose bodies one of some names stands."""
        if NOT_SERVED & set(path.split("/")[:-1]):
            return
        source = self._items.sources[path]
        for hit in names.finditer(source.data):
            node = self._items.parse_root(path).descendant_for_byte_range(hit.start(), hit.start() + 1)
            is_called = source.data[hit.end() : hit.end() + 1] == b"("
            is_used = node is not None and node.type in USED | ({"field_identifier"} if is_called else set())
            function = _find_outermost(node) if node is not None and is_used else None
            body = find_child(function, "body") if function is not None and not is_in_test(function) else None
            if function is not None and body is not None and body.start_byte <= hit.start():
                yield RustItem(path, function, source)


def _find_outermost(node: Node) -> Node | None:
    found, above = None, find_enclosing_function(node)
    while above is not None:
        found, above = above, find_enclosing_function(above)
    return found
