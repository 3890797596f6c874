"""The paths of called functions, as they are written and with what `use` says."""

import re

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour.conduct.code import Code


def path_of(call: Node) -> str:
    """Give the path of a called function as it is written, without type arguments: `std::fs::read`."""
    function = child(call, "function")
    if function is not None and function.type == "generic_function":
        function = child(function, "function")
    return re.sub(r"\s|::<[^>]*>", "", string_of(function)) if function is not None else ""


def full_path(code: Code, call: Node) -> str:
    """Give the path of a called function with what `use` says of its first name."""
    path = path_of(call)
    first, _, rest = path.partition("::")
    used = code.items.uses(code.path).names.get(first)
    whole = "::".join(used) if used is not None else first
    return f"{whole}::{rest}" if rest else whole
