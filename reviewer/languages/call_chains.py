"""Traces of functions that mention some names, found by the words of the source, with or without callers."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from reviewer.behaviour.values.callers import HIGHEST, Started
from reviewer.code.events import Trace
from reviewer.code.run import RunBounds
from reviewer.languages.nodes import find_child, iter_ancestors

COMMON = 4
"""Functions of one name. More are methods that every class has, and a call of the name says nothing of them."""

MAX_CALLER_DEPTH = 3
"""How many callers are climbed from a function. A hook leads to a timer, and that to what tells clients."""

CALLING = RunBounds(statements=1_500)
"""How far a caller is run, in about 50 ms. Where that does not suffice, the function that it calls is run by itself."""


class SearchedFiles(NamedTuple):
    """The files of a project, and what their functions do."""

    holding: Callable[[Iterable[bytes]], Iterable[str]]
    """Names the files that hold one of some words."""
    data: Callable[[str], bytes]
    root: Callable[[str], Node]
    functions: frozenset[str]
    """The types of nodes that declare functions."""
    trace: Callable[[str, Node], Trace]
    trace_partly: Callable[[str, Node], Trace]
    """The same, with calls followed no further than `CALLING`."""
    is_run: Callable[[Node], bool]
    """Whether a function, or a file, is code of the program and no test."""
    is_entered: Callable[[str, Node], bool]
    """Whether code may call a function without its name."""


FunctionOffset = tuple[str, int]


def iter_starts(
    files: SearchedFiles, names: Iterable[str], answering: Iterable[Trace], acts: frozenset[str] | None
) -> Iterator[Started]:
    """Yield traces that may reach a call, or a text, of some names: first those of functions that answer clients.

    A function that none of these reaches is run as if it were called. If it does one of some acts, or `acts` is None, it is run
    from its callers.
    """
    reached: set[FunctionOffset] = set()
    for trace in answering:
        reached |= _collect_places(trace)
        yield Started(trace, answers=True)
    for place, function in _collect_mentioning_functions(
        files, [name.encode() for name in names], is_part=True
    ).items():
        if place not in reached:
            trace = files.trace(place[0], function)
            reached |= _collect_places(trace)
            is_asked = acts is None or not acts.isdisjoint(trace.acts)
            above = _find_callers(files, place[0], function) if is_asked else None
            partial_traces = _trace_callers(files, place, above or ())
            for at, partial in partial_traces:
                yield Started(partial, is_reached=_is_reached(files, *at))
            if not partial_traces:
                is_called = above is None or bool(above) or files.is_entered(place[0], function)
                is_reached = above is None or (is_called and _is_reached(files, place[0], function))
                yield Started(trace, is_called=is_called, is_reached=is_reached)


def _trace_callers(
    files: SearchedFiles, place: FunctionOffset, above: Iterable[tuple[str, Node]], height: int = MAX_CALLER_DEPTH
) -> list[tuple[tuple[str, Node], Trace]]:
    """Return the traces of the callers of a function, beginning with the outermost that is seen to lead to it."""
    found: list[tuple[tuple[str, Node], Trace]] = []
    for at in above:
        partial = files.trace_partly(*at)
        if place in _collect_places(partial):
            higher = _find_callers(files, *at) if height > 1 and at[1].type in files.functions else None
            found += _trace_callers(files, place, higher or (), height - 1) or [(at, partial)]
    return found


def _is_reached(files: SearchedFiles, path: str, function: Node) -> bool:
    """Return whether something may call a function that is itself called, by what is said of names."""
    seen: set[FunctionOffset] = set()
    pending = [(path, function, 0)]
    while pending:
        file, node, depth = pending.pop()
        if (file, node.start_byte) in seen:
            continue
        seen.add((file, node.start_byte))
        above = _find_callers(files, file, node) if node.type in files.functions else None
        if above is None or depth == HIGHEST or files.is_entered(file, node):
            return True
        pending += [(*each, depth + 1) for each in above]
    return False


def _collect_places(trace: Trace) -> set[FunctionOffset]:
    return {(each.source.path, each.at.start) for each in trace.collect_codes()}


def _find_callers(files: SearchedFiles, path: str, function: Node) -> list[tuple[str, Node]] | None:
    """Return the functions, or files, that say the name of a function, or that one without a name is in; None if many have it."""
    name = find_child(function, "name")
    if name is None:
        holder = next((each for each in iter_ancestors(function) if each.type in files.functions), None)
        return [(path, holder)] if holder is not None else None
    word = name.text or b""
    defined = re.compile(rb"\b(?:def|fn)[ \t]+%s\b" % re.escape(word))
    if sum(len(defined.findall(files.data(each))) for each in files.holding([word])) >= COMMON:
        return None
    return [
        (file, each)
        for (file, _), each in _collect_mentioning_functions(
            files, [word], is_part=False, is_method=_is_method(function)
        ).items()
        if each != function
    ]


def _is_part_of_path(node: Node) -> bool:
    """Return whether a name is reached by what it belongs to, or stands in the body of that: `self.loop`, `Bell::ring`."""
    around = node.parent
    if around is None or around.type == "token_tree":
        return True
    if around.type in ("attribute", "scoped_identifier"):
        return node == around.named_children[-1]
    kinds = (*BODIES, *FUNCTIONS)
    inner = next((each for each in iter_ancestors(node) if each.type in kinds), None)
    return inner is not None and inner.type in BODIES


# What methods are declared in.
BODIES = ("class_definition", "impl_item", "trait_item")
# What has variables of its own.
FUNCTIONS = ("function_definition", "function_item", "closure_expression", "lambda")


def _is_method(function: Node) -> bool:
    """Return whether a function is declared in a class, an `impl` or a trait, and in no other function."""
    around = next((each for each in iter_ancestors(function) if each.type in (*BODIES, *FUNCTIONS)), None)
    return around is not None and around.type in BODIES


def _collect_mentioning_functions(
    files: SearchedFiles, words: list[bytes], *, is_part: bool, is_method: bool = False
) -> dict[FunctionOffset, Node]:
    """Return the innermost functions that say some words, or the files that say them outside of functions.

    No comment does, and no declaration; a text does that is the word, or if it only has to be part of it.
    """
    found: dict[FunctionOffset, Node] = {}
    pattern = re.compile(rb"\b(?:%s)\b" % b"|".join(map(re.escape, words)))
    for path in files.holding(words):
        for hit in pattern.finditer(files.data(path)):
            node = files.root(path).descendant_for_byte_range(*hit.span())
            if node is None or "comment" in node.type or not (is_part or node.text == hit[0]):
                continue
            if is_method and node.type == "identifier" and not _is_part_of_path(node):
                continue  # a variable of that name, or a function of a module: a method is reached by what it belongs to
            function = next((each for each in iter_ancestors(node) if each.type in files.functions), files.root(path))
            if find_child(function, "name") != node and files.is_run(function):
                found.setdefault((path, function.start_byte), function)
    return found
