"""The steps from an expression to the ones around it that give the same value."""

from tree_sitter import Node

from reviewer.languages.nodes import around, child, parent_of, string_of
from reviewer.languages.rust.behaviour.intake.frames import AROUND, Frame
from reviewer.languages.rust.behaviour.origins import binds
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called
from reviewer.languages.rust.literals import string_value

SAME = frozenset(
    "clone cloned as_ref as_mut as_object as_object_mut unwrap expect unwrap_or_default ok_or ok_or_else ok map_err "
    "context with_context to_owned borrow as_deref as_deref_mut into take unwrap_or unwrap_or_else by_ref".split()
)
"""Methods that give the input itself."""

ARGUMENTS = "arguments"
BINDING = {"closure_expression": "parameters", "for_expression": "pattern"}
"""What binds names anew for what stands in it, and its field that holds them."""
TAKING = frozenset({"get", "get_mut", "remove", "pointer"})
WRAPPERS = frozenset("Some Ok Object Borrowed Owned".split())


def outward(node: Node, above: Node, frame: Frame) -> Node | None:
    """Give the expression around one that has its value too."""
    if above.type in AROUND or (above.type == "block" and above != frame.body and above.named_children[-1] == node):
        return above
    if above.type in ("if_expression", "else_clause") and node.type in ("block", "if_expression"):
        return above
    if above.type == "match_arm" and child(above, "value") == node and above.parent is not None:
        return above.parent.parent
    call = call_of(above) if above.type == "field_expression" and child(above, "value") == node else None
    if call is not None and string_of(child(above, "field") or above) in SAME:
        return call
    call = above.parent if above.type == "arguments" else None
    return call if call is not None and called(call) in WRAPPERS else None


def is_envelope(node: Node) -> bool:
    """Tell whether an expression takes the arguments out of a call: `request.arguments`, `params["arguments"]`."""
    if node.type == "field_expression":
        return string_of(child(node, "field") or node) == ARGUMENTS and call_of(node) is None
    if node.type == "index_expression":
        return string_value(node.named_children[-1]) == ARGUMENTS
    given = arguments_of(node) if node.type == "call_expression" and called(node) in TAKING else []
    return bool(given) and string_value(given[0]) == ARGUMENTS


def call_of(access: Node) -> Node | None:
    """Give the call of the method that an access names."""
    above = access.parent
    if above is not None and above.type == "generic_function":
        access, above = above, parent_of(above)
    called_ = above is not None and above.type == "call_expression" and child(above, "function") == access
    return above if called_ else None


def is_rebound(name: Node) -> bool:
    """Tell whether a closure or a loop around a name binds it anew."""
    wanted = string_of(name)
    for above in around(name):
        if above.type == "function_item":
            break
        if above.type in BINDING and binds(child(above, BINDING[above.type]), wanted):
            return True
    return False


def macro_around(token: Node) -> Node | None:
    """Give the macro that a token stands in."""
    macro = token.parent
    while macro is not None and macro.type != "macro_invocation":
        macro = parent_of(macro)
    return macro
