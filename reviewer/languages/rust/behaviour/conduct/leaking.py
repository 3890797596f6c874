"""Texts of errors that name where a server's files lie."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Act
from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust import tokens
from reviewer.languages.rust.behaviour.conduct.reach import Stretch
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.callees import called, last_segment

MAKING = frozenset({"anyhow", "bail", "ensure", "eyre", "format_err", "whatever"})
FAILING = re.compile(
    r"^(?:map_err|with_context|context|ok_or|ok_or_else|or_else|wrap_err|wrap_err_with|Err|error|unwrap_or_else|internal_error|invalid_params|msg|tool_error|error_result)$"
)
RAISING = re.compile(r"Error|Recoverable")
ROOTED = re.compile(
    r"canonicalize\s*\(|\babsolutize|\bcurrent_dir\s*\(|\bhome_dir\s*\(|\bdata_dir\s*\(|\bconfig_dir\s*\(|\bcache_dir\s*\(|\btemp_dir\s*\(|"
    r"\b(?:\w+_)?(?:root|base|home|workspace|project|data|base_dir|root_dir|work_dir|workdir|vault|repo)(?:_path|_dir)?(?:\(\))?\s*\)?\s*\.\s*join\s*\(|"
    r"\bresolve\w*\s*\("
)
ABSOLUTE = re.compile(
    r"(?:^|[._])(?:abs|absolute|full|canonical|resolved|real)(?:_?path|_?file|_?dir)?$|(?:^|\.)(?:\w+_)?(?:root|root_dir|base_dir|home_dir|data_dir|db_path|config_path|project_root|workspace_root)$"
)
SHOWING = re.compile(r"([\w.]+?)\s*\.\s*(?:display\s*\(\s*\)|to_string_lossy\s*\(\s*\))")
HELD = re.compile(r"\{(\w+)(:[^{}]*)?\}")
CHAIN = re.compile(r"\{(\w*):#\??\}")


def leaks_path(stretch: Stretch) -> Iterator[Act]:
    """Find the texts of errors that show an absolute path, or the whole chain of an error; `about` is the path's expression."""
    for macro in stretch.code.of("macro_invocation"):
        name = last_segment(child(macro, "macro") or macro)
        if name not in MAKING and not (name == "format" and _fails(stretch, macro)):
            continue
        shown = next(_shown(stretch, macro), None)
        if shown is not None:
            yield Act("leaks path", stretch.code.text(macro), about=stretch.code.text(shown))


def _fails(stretch: Stretch, macro: Node) -> bool:
    """Tell whether a text becomes that of an error."""
    for each in stretch.code.around(macro):
        if each.type == "call_expression":
            name = called(each) or ""
            path = stretch.path_of(each)
            if FAILING.match(name) is not None or RAISING.search(path.rpartition("::")[0]) is not None:
                return re.search(r"tracing|log::", path) is None
        if each.type in ("let_declaration", "function_item", "match_arm"):
            return False
        if each.type == "block" and each.parent is not None and each.parent.type not in ("closure_expression",):
            return False
    return False


def _shown(stretch: Stretch, macro: Node) -> Iterator[Node]:
    """Find what a text shows that is an absolute path, or a chain of errors."""
    tree = next((part for part in macro.named_children if part.type == "token_tree"), None)
    if tree is None:
        return
    literal = next(
        (part for part in tree.named_children if part.type in ("string_literal", "raw_string_literal")), None
    )
    written = string_of(literal) if literal is not None else ""
    if CHAIN.search(written) is not None and _is_chain(stretch, macro, written):
        yield macro
    for part in tokens.split(tokens.inner(tree)):
        text = "".join(string_of(each) for each in part)
        named = SHOWING.search(text)
        debug = re.fullmatch(r"&?([\w.]+)", text) if "?}" in written else None
        hit = named or debug
        if hit is not None and _is_absolute(stretch, part[0], hit[1], certain=named is not None):
            yield part[0]
    for name, _ in HELD.findall(written):
        if literal is not None and ABSOLUTE.search(name) is not None:
            yield literal


def _is_chain(stretch: Stretch, macro: Node, written: str) -> bool:
    """Tell whether `{e:#}` writes an error with all that brought it about."""
    data = stretch.items.sources[stretch.code.path].data
    named = CHAIN.search(written)
    name = named[1] if named is not None else ""
    errors = re.search(r"^(?:e|err|error|cause|source|why|\w+_err|\w+_error)?$", name) is not None
    return errors and b"anyhow" in data and re.search(r"json|value", string_of(macro)) is None


def _is_absolute(stretch: Stretch, node: Node, name: str, *, certain: bool) -> bool:
    if ABSOLUTE.search(name) is not None:
        return certain or "path" in name or "root" in name or "dir" in name
    if "." in name or not certain:
        return False
    for identifier in stretch.code.of("identifier"):
        if string_of(identifier) == name and identifier.start_byte <= node.start_byte:
            found = origin(identifier)
            made = [string_of(value) for value in found.values] if found is not None else []
            if any(ROOTED.search(each) is not None for each in made):
                return True
    value = next(_lets(stretch, name, node), None)
    return value is not None and ROOTED.search(string_of(value)) is not None


def _lets(stretch: Stretch, name: str, node: Node) -> Iterator[Node]:
    for each in reversed(stretch.code.of("let_declaration")):
        pattern, value = child(each, "pattern"), child(each, "value")
        if each.end_byte <= node.start_byte and pattern is not None and value is not None:
            if re.search(rf"\b{re.escape(name)}\b", string_of(pattern)) is not None:
                yield value
                return
