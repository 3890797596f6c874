"""Iterators over lists that are known before any run: `rows.iter().map(|(name, text)| ..).collect::<Map<_, _>>()`."""

from dataclasses import replace

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.rust.evaluation.folder import Folder
from reviewer.languages.rust.evaluation.values import ExpressionPlace, Folded
from reviewer.languages.rust.project.def_use import bind_names, list_arguments
from reviewer.source import Opaque, Text

ELEMENTS = 300
"""Elements of a list that are read one by one; a longer list is unknown.

The largest server in the catalog of measured ones has 119 tools.
"""

# `map` on what these give goes over a list; on anything else it may be that of an `Option`.
ITERATING = ("iter", "into_iter")


def evaluate_map(folder: Folder, function: Node, call: Node, place: ExpressionPlace) -> list[Folded] | None:
    """Read what `.iter().map(|each| ..)` makes of each element; None if the list or the elements' names are not known."""
    value, arguments = find_child(function, "value"), list_arguments(call)
    closure = arguments[0] if len(arguments) == 1 and arguments[0].type == "closure_expression" else None
    given, body = find_child(closure, "parameters"), find_child(closure, "body")
    if (
        decode_node(find_child(function, "field") or call) != "map"
        or not _iterates(value)
        or given is None
        or body is None
    ):
        return None
    known = folder.fold(value, place)
    if not isinstance(known, list) or len(known) > ELEMENTS or len(given.named_children) != 1:
        return None
    made = []
    for each in known:
        names = bind_names(given.named_children[0], each)
        if names is None:
            return None
        made.append(folder.fold(body, replace(place, names={**place.names, **names})))
    return made


def _iterates(value: Node | None) -> bool:
    """Return whether a call gives an iterator; an `Option` has a `map` too."""
    function = find_child(value, "function")
    return function is not None and decode_node(find_child(function, "field") or function) in ITERATING


def evaluate_collect(folder: Folder, function: Node, place: ExpressionPlace) -> Folded:
    """Read `.collect::<T>()` where its type tells a map of pairs from a list; None if it is neither."""
    inner, types = find_child(function, "function"), find_child(function, "type_arguments")
    chain = find_child(inner, "value")
    if inner is None or types is None or chain is None or decode_node(find_child(inner, "field") or inner) != "collect":
        return None
    step = find_child(chain, "function")
    made = evaluate_map(folder, step, chain, place) if step is not None else None
    if made is None or "Map" not in decode_node(types):
        return made
    pairs = [each for each in made if isinstance(each, list) and len(each) == 2 and isinstance(each[0], Text)]
    if len(pairs) < len(made):
        unread = next((each[0] for each in made if isinstance(each, list) and each), None)
        return unread if isinstance(unread, Opaque) else None
    return dict(pairs)


def join_texts(folder: Folder, list_: Node, call: Node, place: ExpressionPlace) -> Folded:
    """Read `lines.join("\\n")` where each line is known."""
    held, between = folder.fold(list_, place), [folder.fold(each, place) for each in list_arguments(call)]
    if not isinstance(held, list) or len(between) != 1:
        return folder.build_unknown(call, place)
    if not all(isinstance(each, Text) for each in (*held, *between)):
        return folder.build_unknown(call, place)
    return Text(str(between[0]).join(map(str, held)), folder.get_span(call, place))
