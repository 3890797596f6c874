"""Leftover ways of registering: nothing calls them, and what they register is served in another way."""

import re
import sys
from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from reviewer.facts import Condition, Server, Tool
from reviewer.files.storage import read_manifest
from reviewer.languages.nodes import decode_node, find_child, iter_ancestors
from reviewer.languages.python.behaviour.name_resolution import iter_own_modules
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import External, PyFunction
from reviewer.languages.python.project.modules import PyModule
from reviewer.source import Text


def without_former(run: Evaluator, servers: tuple[Server, ...]) -> tuple[Server, ...]:
    """Leave out the tools of functions that nothing calls or names, where most of their names are served otherwise.

    Most of them, because one name may well be that of another server's tool. What registers for another project is
    named nowhere either, but then nothing else serves what it registers.
    """
    offered: dict[Condition, set[str]] = {}
    served: set[str] = set()
    for tool in (each for server in servers for each in server.tools if isinstance(each.name, Text)):
        under = _collect_uncalled_conditions(run, tool)
        for each in under:
            offered.setdefault(each, set()).add(str(tool.name))
        if not under and not any(each.never for each in tool.conditions):
            served.add(str(tool.name))
    former = {
        each
        for each, names in offered.items()
        if 2 * len(names & served) > len(names) and not _is_named(run, run.uncalled[each])
    }
    return tuple(_without(run, servers, former)) if former else servers


def _collect_uncalled_conditions(run: Evaluator, tool: Tool) -> list[Condition]:
    return [each for each in tool.conditions if each in run.uncalled]


def _without(run: Evaluator, servers: tuple[Server, ...], former: set[Condition]) -> Iterator[Server]:
    for server in servers:
        kept = tuple(each for each in server.tools if former.isdisjoint(_collect_uncalled_conditions(run, each)))
        if kept or not server.tools:
            yield replace(server, tools=kept) if len(kept) < len(server.tools) else server


def _is_named(run: Evaluator, function: PyFunction) -> bool:
    """Return whether anything may call a function: what speaks of it by its name, in code, in a text or in a manifest."""
    name = function.name.encode()
    word = re.compile(rb"(?<!def )\b%s\b" % re.escape(name))
    for module in iter_own_modules(run, name):
        for hit in word.finditer(module.source.data):
            node = module.root.descendant_for_byte_range(*hit.span())
            if node is not None and _may_call(run, module, node, function):
                return True
    entry = re.compile(rf"[:.]{re.escape(function.name)}\b")
    return any(entry.search(read_manifest(each)) for each in run.files.manifests.values())


def _may_call(run: Evaluator, module: PyModule, node: Node, function: PyFunction) -> bool:
    """Return whether a place where a name stands may speak of a function."""
    above = node.parent
    if node.type in ("string", "string_content"):
        return re.fullmatch(rf"[\"']?([\w.]+[.:])?{re.escape(function.name)}[\"']?", decode_node(node)) is not None
    if node.type != "identifier" or above is None:
        return False
    if above.type == "attribute" and find_child(above, "attribute") == node:
        return not _is_outside(run, module, find_child(above, "object"))
    if above.type == "keyword_argument" and find_child(above, "name") == node:
        return False
    is_method = any(each.type == "class_definition" for each in iter_ancestors(function.node))
    return not is_method or module is function.scope.module  # a method has a name of its own only in its class


def _is_outside(run: Evaluator, module: PyModule, on: Node | None) -> bool:
    """Return whether a method is one of the standard library: `atexit.register`. Another library may call back."""
    if on is None:
        return False
    found = run.evaluate(on, run.evaluate_module(module))
    dotted = found.path if isinstance(found, External) else decode_node(on)
    return dotted.partition(".")[0] in sys.stdlib_module_names
