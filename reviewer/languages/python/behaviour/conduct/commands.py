"""Commands that code runs: those that surely change something, and those that are whatever the caller says."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.commands import SHELLS, changing
from reviewer.languages.nodes import child, children, of_kinds, string_of
from reviewer.languages.python.behaviour.conduct.graph import Call, Deed, Unit
from reviewer.languages.python.behaviour.conduct.origins import given_to
from reviewer.languages.python.literals import string_value

RUNNING = re.compile(
    r"subprocess\.(?:run|call|check_call|check_output|getoutput|getstatusoutput|Popen)|os\.(?:system|popen|exec\w+|spawn\w+)"
    r"|asyncio(?:\.subprocess)?\.create_subprocess_(?:exec|shell)|anyio\.(?:run_process|open_process)|pexpect\.(?:run|spawn)"
)
NAMES = frozenset(
    "run call check_call check_output getoutput getstatusoutput Popen system popen create_subprocess_exec "
    "create_subprocess_shell run_process open_process spawn".split()
)


def runs(unit: Unit) -> Iterator[Deed]:
    """Find the commands that change something, those that the caller gives, and those that only the call here decides."""
    for call in unit.calls:
        if call.is_named(NAMES) and RUNNING.fullmatch(unit.path(call.function)) is not None:
            first = command_of(call)
            words = literal(unit, call) if first is not None else ()
            if changing(words):
                yield Deed("runs", call.node)
            elif first is not None and (is_free(unit, first) or (words and _takes_more(unit, call))):
                yield Deed("runs", call.node, words=words)


def decided(words: tuple[str, ...], through: tuple[tuple[Unit, Call], ...]) -> bool:
    """Tell whether a command changes something by what the calls that lead to it say, or is the caller's own."""
    is_open = not words
    for unit, call in reversed(through):
        given = [*call.positional, *call.keywords.values()]
        words = (*words, *(word for part in given for word in words_of(unit, part, 1)))
        if changing(words):
            return True
        if not any(is_free(unit, part) for part in given):
            return False
    return is_open and not words


def _takes_more(unit: Unit, call: Call) -> bool:
    """Tell whether a command goes on with what the function is given."""
    first = command_of(call)
    parts = call.positional if call.name.endswith("exec") else children(first) if first is not None else []
    return any(is_free(unit, part) for part in parts)


def command_of(call: Call) -> Node | None:
    """Give what is run."""
    return call.argument("args", 0) or call.keywords.get("cmd") or call.keywords.get("command")


def literal(unit: Unit, call: Call) -> tuple[str, ...]:
    """Give the words of a command that are written, up to the first that is not."""
    parts = (
        call.positional if call.name.endswith("exec") else [each for each in (command_of(call),) if each is not None]
    )
    return tuple(word for part in parts for word in words_of(unit, part, 0))


def words_of(unit: Unit, node: Node, depth: int) -> list[str]:
    """Give the words that are written in an expression."""
    if depth > 4:
        return []
    if node.type in ("string", "concatenated_string"):
        plain = string_value(node)
        if plain is not None:
            return plain.split() if " " in plain and depth == 0 else [plain]
        first = next(iter(of_kinds(node, "python", "string_content", "interpolation")), None)
        return string_of(first).split() if first is not None and first.type == "string_content" else []
    if node.type in ("list", "tuple"):
        return [word for part in children(node) for word in words_of(unit, part, depth + 1)]
    if node.type == "binary_operator":
        return [word for part in children(node) for word in words_of(unit, part, depth + 1)]
    given = given_to(string_of(node), node) if node.type == "identifier" else None
    if given is not None and given.id != node.id:
        return words_of(unit, given, depth if depth == 0 else depth + 1)
    return []


def is_free(unit: Unit, command: Node) -> bool:
    """Tell whether the whole command is what a parameter says: `run(command, shell=True)`, `["bash", "-c", command]`."""
    node: Node | None = command
    for _ in range(4):
        if node is None:
            return False
        if node.type in ("list", "tuple"):
            held = children(node)
            words = [string_value(part) for part in held if part.type == "string"]
            starts = bool(held) and (held[0].type == "list_splat" or held[0].type == "identifier")
            node = held[-1] if held and words and words[0] in SHELLS else held[0] if starts else None
        elif node.type == "list_splat":
            node = next(iter(children(node)), None)
        elif node.type == "call":
            given = child(node, "arguments")
            is_split = string_of(child(node, "function") or node).endswith("split")
            node = next(iter(children(given)), None) if is_split and given is not None else None
        elif node.type == "identifier":
            value = given_to(string_of(node), node)
            if value is None:
                return False
            if value.type == "type" or string_of(value) == string_of(node):
                return True
            node = value
        else:
            return False
    return False
