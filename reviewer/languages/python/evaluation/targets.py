"""Targets of assignments: a name, an attribute, an element, or several of them."""

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, list_children
from reviewer.languages.python.declarations import handlers
from reviewer.languages.python.evaluation import models
from reviewer.languages.python.evaluation.containers import has_room
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.iterations import list_bare_elements, list_elements, stretch
from reviewer.languages.python.evaluation.values import (
    Const,
    Method,
    PyFunction,
    PyInstance,
    PyItems,
    PyMapping,
    PyScope,
    PyUnknown,
    PyValue,
)
from reviewer.source import Text


def bind(run: Evaluator, target: Node, value: PyValue, scope: PyScope) -> None:
    """Bind a target: a name, an attribute, an element, or several of them."""
    match target.type:
        case "identifier" if not target.is_missing:
            bound = decode_node(target)
            run.bind(scope.elsewhere.get(bound, scope), bound, value)
        case "attribute":
            receiver, name = find_child(target, "object"), find_child(target, "attribute")
            holder = run.evaluate(receiver, scope) if receiver is not None else None
            if name is not None and isinstance(holder, PyInstance | PyFunction):
                run.write(holder, decode_node(name), value)
        case "subscript":
            receiver = find_child(target, "value")
            key = find_child(target, "subscript")
            holder = models.open_schema(run, run.evaluate(receiver, scope)) if receiver is not None else None
            if isinstance(holder, PyMapping) and key is not None:
                _keep_annotations(run, receiver, holder, scope)
                under = run.evaluate(key, scope)
                _note_replaced(run, holder, under, value)
                holder.put(under, value, run.conditions)
            elif isinstance(holder, PyItems) and key is not None:
                _assign_item(run, holder, key, value, scope)
            elif isinstance(holder, Method) and key is not None:
                handlers.keep(run, holder, run.evaluate(key, scope), value, scope.module)
        case "pattern_list" | "tuple_pattern" | "list_pattern" | "tuple":
            parts = list_children(target)
            items = list_bare_elements(value)
            reason = value.reason if isinstance(value, PyUnknown) else "a part of a value"
            for index, part in enumerate(parts):
                known = items is not None and len(items) == len(parts)
                bind(run, part, items[index] if known and items else run.build_unknown(reason, part, scope), scope)


def _keep_annotations(run: Evaluator, receiver: Node | None, holder: PyMapping, scope: PyScope) -> None:
    """Note the annotations of a function that are about to be changed: they are made when they are asked for."""
    if receiver is not None and receiver.type == "attribute" and decode_node(receiver).endswith(".__annotations__"):
        owner = run.evaluate(list_children(receiver)[0], scope)
        if isinstance(owner, PyFunction):
            run.write(owner, "__annotations__", holder)


def _note_replaced(run: Evaluator, holder: PyMapping, key: PyValue, value: PyValue) -> None:
    """Note that an object takes the place of one of another class, of which some other place says the same name."""
    before = holder.find_entry(key) if isinstance(key, Const) and isinstance(key.value, str) else None
    if before is None or run.conditions != holder.under or not isinstance(key, Const):
        return
    name, old = before
    if isinstance(old, PyInstance) and isinstance(value, PyInstance) and old.made_by is not value.made_by:
        if isinstance(name, Const) and name.span != key.span:
            run.replaced.append((Text(str(key.value), name.span), Text(str(key.value), key.span)))


def _assign_item(run: Evaluator, holder: PyItems, key: Node, value: PyValue, scope: PyScope) -> None:
    """Execute `held[1] = x` and `held[:] = xs`; where a run must tell which or what, no element is known any more."""
    cut = stretch(run, key, scope) if key.type == "slice" else None
    index = run.evaluate(key, scope) if key.type != "slice" else None
    fixed = run.conditions == holder.under and not holder.open
    given = list_elements(value) if cut is not None else None
    try:
        if fixed and cut is not None and given is not None and has_room(run, holder, len(given)):
            holder.items[cut] = given
        elif fixed and isinstance(index, Const) and isinstance(index.value, int):
            holder.items[index.value] = value
        else:
            holder.items = [run.build_unknown("an element that only a run can tell", key, scope) for _ in holder.items]
            holder.open = True
    except (IndexError, ValueError):  # the run ends here
        return
