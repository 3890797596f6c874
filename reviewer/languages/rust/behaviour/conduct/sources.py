"""Where a value comes from: from what the call was given, from outside (files, the environment, the network), or elsewhere."""

import re
from collections.abc import Mapping

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour.conduct.code import Code
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, receiver
from reviewer.source import Text

DEPTH = 8
"""Steps from a value to where it comes from."""

PEELED = frozenset(
    {
        "reference_expression",
        "parenthesized_expression",
        "try_expression",
        "await_expression",
        "type_cast_expression",
        "unary_expression",
    }
)
SAME = frozenset(
    "as_str as_deref as_ref as_mut clone cloned copied to_string to_owned into trim trim_start trim_end unwrap expect "
    "unwrap_or unwrap_or_default ok_or ok_or_else as_object as_array as_u64 as_i64 as_f64 as_bool get get_mut pointer "
    "as_bytes chars bytes lines split splitn rsplit split_whitespace iter into_iter next last first collect parse "
    "strip_prefix strip_suffix to_lowercase to_uppercase map_err context with_context take as_slice to_vec nth rev "
    "skip map and_then ok filter json text error_for_status stdout to_str as_object_mut as_array_mut split_once "
    "file_name file_stem extension".split()
)
"""Methods whose result is what they are called on, or a part of it."""

PARSING = frozenset(
    "from_value from_str from_slice from_reader from_utf8 from_utf8_lossy parse_str parse_from_str from_str_radix new parse "
    "decode from_hex parse_from_rfc3339 Some Ok from try_from".split()
)
"""Functions whose result is what they are given, in another form."""

OUTSIDE = re.compile(
    r"^(?:std::)?(?:env::var(?:_os)?|fs::(?:read\w*|File::open|metadata|canonicalize|symlink_metadata)|net::\w+::connect)$"
    r"|^tokio::fs::(?:read\w*|metadata|canonicalize|File::open|try_exists)$|^File::open$|^read_to_string$|^reqwest::(?:blocking::)?get$"
    r"|^env::var(?:_os)?$|^fs::(?:read\w*|metadata|canonicalize)$|^TcpStream::connect$"
)
FETCHING = frozenset({"send", "execute"})


class Sources:
    """Tells where the values of some code come from; `given` are the names that hold what the call was given."""

    def __init__(self, code: Code, given: Mapping[str, Text]) -> None:
        self._code = code
        self._given = given

    def input(self, node: Node | None, depth: int = 0) -> Text | None:
        """Give where the call's own arguments hold a value, or None if it does not surely come from them."""
        if node is None or depth > DEPTH:
            return None
        if node.type == "identifier":
            return self._of_name(node, depth)
        if node.type in PEELED or node.type in ("field_expression", "index_expression"):
            inner = child(node, "value") or next(
                (part for part in node.named_children if part.type != "mutable_specifier"), None
            )
            return self.input(inner, depth + 1)
        if node.type == "call_expression":
            on = receiver(node)
            if on is not None:
                return self.input(on, depth + 1) if called(node) in SAME or _reads(node) else None
            given = arguments_of(node)
            keyed = len(given) > 1 and any(part.type == "string_literal" for part in given[1:])
            return self.input(given[0], depth + 1) if given and (keyed or called(node) in PARSING) else None
        return None

    def _of_name(self, name: Node, depth: int) -> Text | None:
        found = origin(name)
        whole = self._code.node
        if found is None or (
            string_of(name) in self._given and found.values and found.values[0].start_byte < whole.start_byte
        ):
            return self._given.get(string_of(name))  # a parameter, of a function or of a closure
        ways = [self.input(value, depth + 1) for value in found.values]
        return ways[0] if ways and all(way is not None for way in ways) else None

    def outside(self, node: Node | None, depth: int = 0) -> Text | None:
        """Give the call by which a value surely comes from outside of the program."""
        if node is None or depth > DEPTH:
            return None
        if node.type == "identifier":
            found = origin(node)
            ways = [self.outside(value, depth + 1) for value in found.values] if found is not None else []
            return ways[0] if ways and all(way is not None for way in ways) else None
        if node.type in PEELED or node.type in ("field_expression", "index_expression"):
            inner = child(node, "value") or next(
                (part for part in node.named_children if part.type != "mutable_specifier"), None
            )
            return self.outside(inner, depth + 1)
        if node.type == "call_expression":
            return self._of_call(node, depth)
        return None

    def _of_call(self, call: Node, depth: int) -> Text | None:
        on = receiver(call)
        if on is None:
            if OUTSIDE.match(path_of(call)) is not None:
                return self._code.text(call)
            given = arguments_of(call)
            return self.outside(given[0], depth + 1) if called(call) in PARSING and given else None
        if called(call) in FETCHING and requests(on):
            return self._code.text(call)
        return self.outside(on, depth + 1) if called(call) in SAME else None


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


def requests(on: Node) -> bool:
    """Tell whether a chain of calls makes an HTTP request: `client.get(url).header(..)`."""
    current: Node | None = on
    while current is not None and current.type == "call_expression":
        if called(current) in ("get", "post", "put", "patch", "delete", "request", "head"):
            return True
        current = receiver(current)
    return False


def _reads(call: Node) -> bool:
    """Tell whether a method reads a part by a literal key: `args.str("path")`."""
    given = arguments_of(call)
    return (
        len(given) == 1
        and given[0].type == "string_literal"
        and (called(call) or "").startswith(("get", "req", "opt", "str"))
    )
