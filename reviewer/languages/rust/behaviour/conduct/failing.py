"""How failures are answered: nothing found as an error, a failure of the work as one of the protocol, an error as a success."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Act
from reviewer.languages.nodes import child, of_kinds, string_of
from reviewer.languages.rust.behaviour import outcomes
from reviewer.languages.rust.behaviour.conduct.reach import Stretch
from reviewer.languages.rust.behaviour.conduct.types import name_of
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, last_segment, qualifier, receiver

EMPTY = re.compile(
    r"^\(?\s*(?:(?P<a>[\w.]+?)\s*\.\s*is_empty\s*\(\s*\)|(?P<b>[\w.]+?)\s*\.\s*len\s*\(\s*\)\s*(?:==\s*0|<\s*1)|0\s*==\s*(?P<c>[\w.]+?)\s*\.\s*len\s*\(\s*\))\s*\)?$"
)
SEEKING = re.compile(
    r"\b(?:search|list|find_all|find_\w+s|query|scan|grep|collect|filter|fetch_all|glob|walk|select|lookup_all|matching|query_map|read_dir|retrieve)\w*\s*(?:::<[^()]*>)?\s*\("
)
FOUND = re.compile(
    r"^(?:\w*_)?(?:results?|hits|matches|items|rows|entries|found|records|documents|docs|candidates|files|symbols|references|nodes|lines|notes|tasks|issues|messages|events)$"
)
PROTOCOL = frozenset({"McpError", "ErrorData", "RpcError", "JsonRpcError"})
INTERNAL = re.compile(r"internal_error|INTERNAL_ERROR|parse_error|PARSE_ERROR|-32603")
MADE = frozenset({"internal_error", "parse_error"})
REFUSING = re.compile(
    r"(?:return\s+)?(?:Ok\s*\(\s*)?(?:Err\s*\(|(?:\w+::)*bail!|(?:\w+::)*CallToolResult::error|error_result\s*\(|tool_error\s*\()"
)
ASKING = re.compile(
    r"invalid(?!_request)|missing|required|must\b|\bparam|argument|empty (?:query|string)|not configured|unsupported|unknown",
    re.IGNORECASE,
)
"""Words of an error that speaks of what the call was given."""

ONE = re.compile(r"not[ _]?found|no such|unknown|does ?n[o']t exist", re.IGNORECASE)
"""Words of an error that speaks of one thing that was asked for."""

SAYS_ERROR = re.compile(
    r"^\W*(?:[rb]#*)?\W*(?:an?\s+)?(?:error|failed|failure|could ?n[o']t|cannot|unable|exception)\b", re.IGNORECASE
)
KEYED = re.compile(r"^\W*json!?\s*[(\[{]\s*\{\s*\"error\"\s*:")
FAILING = re.compile(
    r"\bis_error\b|CallToolResult::error|\berror_result\b|\btool_error\b|structured_error|error_response|\bErr\s*\(|bail!|\?\s*$|"
    r"\b\w*Error\s*(?:::|\{)|to_tool_result|into_error|to_error|as_error"
)
FAILED = re.compile(r"\s*(?:\w+::)*Err\s*\(")
ANSWER = re.compile(r"CallToolResult|Result\s*<\s*(?:String|Value|serde_json::Value|Json)|^String$|^Value$|Content")


def fails_empty(stretch: Stretch) -> Iterator[Act]:
    """Find where a list or a search that gave nothing is answered with an error."""
    for each in stretch.code.of("if_expression"):
        condition, taken = child(each, "condition"), child(each, "consequence")
        asked = EMPTY.match(string_of(condition)) if condition is not None else None
        refusal = _refusal(taken) if taken is not None and asked is not None else None
        if asked is not None and condition is not None and refusal is not None:
            name = asked["a"] or asked["b"] or asked["c"]
            if _is_found(stretch, condition, name):
                several = ONE.search(string_of(refusal)) is None
                about = stretch.code.text(condition) if several else None
                yield Act("fails empty", stretch.code.text(refusal), about=about)


def _refusal(block: Node) -> Node | None:
    """Give the error that a block does nothing but give back."""
    parts = [part for part in block.named_children if not part.type.endswith("_comment")]
    last = parts[-1] if parts else None
    if (
        last is None
        or len(parts) > 3
        or REFUSING.match(string_of(last)) is None
        or ASKING.search(string_of(last)) is not None
    ):
        return None
    return last


def _is_found(stretch: Stretch, condition: Node, name: str) -> bool:
    """Tell whether a name holds what a search or a list gave, and nothing that the call was given."""
    for each in of_kinds(condition, "rust", "identifier"):
        if string_of(each) != name.partition(".")[0]:
            continue
        if stretch.sources.input(each) is not None:
            return False
        found = origin(each)
        if found is None or "." in name:
            return False
        made = [string_of(value) for value in found.values]
        of = stretch.types.of(each)
        if of is not None and name_of(of.text) in ("String", "str", "Cow", "PathBuf", "Path", "OsString"):
            return False
        listed = of is not None and name_of(of.text) in (
            "Vec",
            "HashMap",
            "BTreeMap",
            "HashSet",
            "BTreeSet",
            "VecDeque",
        )
        seeking = any(SEEKING.search(each) is not None for each in made)
        pushed = FOUND.match(name) is not None and any(
            re.match(r"(?:Vec|vec!|HashSet|BTreeSet)", each) for each in made
        )
        return (seeking and (listed or name.endswith("s"))) or (FOUND.match(name) is not None and (listed or pushed))
    return False


def fails_protocol(stretch: Stretch) -> Iterator[Act]:
    """Find where a tool makes an error of the protocol for a failure of its work."""
    for call in stretch.calls:
        path = stretch.path_of(call).split("::")
        if len(path) < 2 or not (path[-2] in PROTOCOL or _is_protocol(stretch, call)):
            continue
        given = " ".join(string_of(part) for part in arguments_of(call)[:1])
        if called(call) in MADE or (called(call) == "new" and INTERNAL.search(given) is not None):
            yield Act("fails protocol", stretch.code.text(call))


def _is_protocol(stretch: Stretch, call: Node) -> bool:
    name = qualifier(call) or ""
    used = stretch.items.uses(stretch.code.path).names.get(name, ())
    return "rmcp" in used and used[-1:] in (("Error",), ("ErrorData",))


def succeeds_in_error(stretch: Stretch) -> Iterator[Act]:
    """Find where the text of an error is given back as a success."""
    for arm in stretch.code.of("match_arm"):
        pattern, value = child(arm, "pattern"), child(arm, "value")
        if pattern is not None and value is not None and FAILED.match(string_of(pattern)) is not None:
            match = arm.parent.parent if arm.parent is not None else None
            if match is not None and _is_answer(stretch, match):
                yield from _successes(stretch, value, pattern)
    if _answers(stretch):
        for each in stretch.code.of("return_expression"):
            failed = _failed(stretch, each)
            if failed is not None and each.named_children:
                yield from _successes(stretch, each.named_children[0], failed)
    for call in stretch.calls:
        if called(call) in ("unwrap_or_else", "map_or_else") and arguments_of(call) and _is_answer(stretch, call):
            closure = arguments_of(call)[0]
            body, given = child(closure, "body"), child(closure, "parameters")
            if closure.type == "closure_expression" and body is not None and given is not None and given.named_children:
                yield from _successes(stretch, body, given)


def _answers(stretch: Stretch) -> bool:
    """Tell whether what a function gives back is an answer of the tool."""
    given = child(stretch.function, "return_type")
    return not stretch.called and given is not None and ANSWER.search(string_of(given)) is not None


def _failed(stretch: Stretch, node: Node) -> Node | None:
    """Give the pattern by which a place is reached only with an error: `Err(e) => ..`, `if let Err(e) = ..`."""
    inner = node
    for each in stretch.code.around(node):
        pattern = child(each, "pattern") if each.type == "match_arm" else None
        if each.type == "if_expression" and inner == child(each, "consequence"):
            condition = child(each, "condition")
            pattern = (
                child(condition, "pattern") if condition is not None and condition.type == "let_condition" else None
            )
        if pattern is not None and FAILED.match(string_of(pattern)) is not None:
            return pattern
        if each.type in ("closure_expression", "async_block", "for_expression", "while_expression"):
            return None
        inner = each
    return None


def _successes(stretch: Stretch, value: Node, pattern: Node) -> Iterator[Act]:
    names = [
        string_of(each)
        for each in of_kinds(pattern, "rust", "identifier")
        if string_of(each)[:1].islower() or string_of(each).startswith("_")
    ]
    for tail in outcomes.tails(value):
        text = string_of(tail)
        if FAILING.search(text) is None and _speaks_of_error(tail, text, names):
            yield Act("succeeds in error", stretch.code.text(tail))


def _speaks_of_error(tail: Node, text: str, names: list[str]) -> bool:
    named = any(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text) for name in names)
    if KEYED.match(text) is not None or re.search(r"json!\s*\(\s*\{\s*\"error\"\s*:", text) is not None:
        return re.search(r"\"(?:ok|success)\"\s*:", text) is None
    literals = re.findall(r"\"((?:[^\"\\]|\\.)*)\"", text)
    said = any(SAYS_ERROR.match(each) is not None for each in literals[:1])
    plain = any(re.match(rf"{re.escape(name)}\s*\.\s*to_string\(\)$", text) for name in names)
    return (said and (named or any("{" in each for each in literals))) or plain


def _is_answer(stretch: Stretch, node: Node) -> bool:
    """Tell whether an expression is what the handler answers with: its last value, what it returns."""
    if not _answers(stretch):
        return False
    inner = node
    for each in stretch.code.around(node):
        if each.type == "return_expression":
            return True
        if each.type in (
            "let_declaration",
            "closure_expression",
            "arguments",
            "assignment_expression",
            "let_condition",
        ):
            return each.type == "arguments" and _wraps(each)
        if each.type in ("block", "async_block"):
            parts = [part for part in each.named_children if not part.type.endswith("_comment")]
            if (
                not parts
                or parts[-1] != inner
                or (inner.type == "expression_statement" and string_of(inner).endswith(";"))
            ):
                return False
        inner = each
    return True


def _wraps(arguments: Node) -> bool:
    call = arguments.parent
    return (
        call is not None and receiver(call) is None and last_segment(child(call, "function") or call) in ("Ok", "Json")
    )
