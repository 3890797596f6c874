"""What goes to the standard output, by which a server on stdio speaks with its client."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, children, of_kinds, parent_of, string_of
from reviewer.languages.python.behaviour.conduct.graph import Call, Deed, Unit
from reviewer.languages.python.behaviour.following import is_parameter
from reviewer.languages.python.literals import string_value

PRINTING = re.compile(
    r"builtins\.print|rich\.print|rich\.console\.Console\(\)\.(?:print|log|rule|print_json|out)|pprint\.pp(?:rint)?"
    r"|sys\.(?:__)?stdout(?:__)?(?:\.buffer)?\.write(?:lines)?|click\.(?:echo|secho)|typer\.(?:echo|secho)"
)
NAMES = frozenset("print log rule print_json out pprint pp write writelines echo secho".split())
HANDLERS = re.compile(r"logging\.StreamHandler|logging\.basicConfig|loguru\.logger\.add")
STDOUT = re.compile(r"sys\.(?:__)?stdout(?:__)?")
SIGNS = re.compile(rb"print|stdout|echo|onsole|pp\(|RichHandler")
MOVED = re.compile(rb"redirect_stdout|sys\.stdout\s*=|builtins\.print\s*=|os\.dup2\(")
"""What gives the standard output to somebody else."""

ASKED_FOR = re.compile(r"^(?!not\b).*(?:debug|verbos|trac(?:e|ing)\b)", re.IGNORECASE)
"""A condition that a developer sets."""


def prints(unit: Unit) -> Iterator[Deed]:
    """Find what is printed."""
    if not unit.module.mentions(SIGNS) or unit.module.mentions(MOVED):
        return
    if not unit.module.parts[-1].isidentifier() and b".run(" not in unit.module.source.data:
        return  # nothing can import it: it runs in another process, as the plugin of an editor does
    for call in unit.calls:
        if call.is_named(NAMES) and PRINTING.fullmatch(unit.path(call.function)) is not None:
            if not (_goes_elsewhere(unit, call) or _is_asked_for(unit, call.node)):
                yield Deed("prints", call.node)


def _is_asked_for(unit: Unit, node: Node) -> bool:
    """Tell whether something is printed only for whoever looks for faults: `if VERBOSE:`, and no argument that anybody gives."""
    inner, above = node, node.parent
    while above is not None and above.id != unit.body.id:
        test = child(above, "condition") if above.type in ("if_statement", "elif_clause") else None
        if test is not None and child(above, "consequence") == inner and ASKED_FOR.search(string_of(test)) is not None:
            return not any(is_parameter(string_of(part), node) for part in of_kinds(test, "python", "identifier"))
        inner, above = above, parent_of(above)
    return False


def _goes_elsewhere(unit: Unit, call: Call) -> bool:
    """Tell whether a call names another stream than the standard output, or one that cannot be told."""
    if {"err", "stderr"} & call.keywords.keys():
        return string_of(call.keywords.get("err") or call.keywords["stderr"]) != "False"
    if any(part.type == "dictionary_splat" for part in call.positional):
        return True
    stream = call.keywords.get("file") or call.keywords.get("stream")
    if stream is not None:
        return STDOUT.fullmatch(unit.path(stream)) is None and string_of(stream) != "None"
    return "Console()" in unit.path(call.function) and not _is_plain_console(unit, call)


def _is_plain_console(unit: Unit, call: Call) -> bool:
    """Tell whether a console of `rich` surely writes to the standard output: made where that can be seen, without a stream."""
    owner = child(call.function, "object")
    made = re.search(
        rf"(?m)^\s*(?:self\.)?{re.escape(string_of(owner).rpartition('.')[2])}\b[^=\n]*=\s*(?:\w+\.)*Console\(([^)]*)\)",
        unit.module.source.data.decode("utf-8", "replace"),
    ) if owner is not None else None  # fmt: skip
    return made is not None and "stderr" not in made[1] and "file" not in made[1]


def logs_to_stdout(unit: Unit) -> Iterator[Deed]:
    """Find where logging is set up to write to the standard output."""
    if (b"stdout" not in unit.text and b"RichHandler" not in unit.text) or unit.module.mentions(MOVED):
        return
    for call in unit.calls:
        if call.is_named(LOGGING) and _is_to_stdout(unit, call):
            yield Deed("prints", call.node)
    for part in unit.nodes("pair"):
        key, value = child(part, "key"), child(part, "value")
        if key is None or value is None or string_value(key) != "stream" or not _is_handler(part):
            continue
        if string_value(value) == "ext://sys.stdout" or STDOUT.fullmatch(unit.path(value)) is not None:
            yield Deed("prints", value)


LOGGING = frozenset({"StreamHandler", "basicConfig", "add", "RichHandler"})


def _is_to_stdout(unit: Unit, call: Call) -> bool:
    """Tell whether a handler of a log writes to the standard output, as that of `rich` does on its own."""
    path = unit.path(call.function)
    if path == "rich.logging.RichHandler":
        return "console" not in call.keywords
    first = call.positional[0] if call.positional and call.name != "basicConfig" else None
    stream = call.keywords.get("stream") or call.keywords.get("sink") or first
    return (
        HANDLERS.fullmatch(path) is not None and stream is not None and STDOUT.fullmatch(unit.path(stream)) is not None
    )


def _is_handler(pair: Node) -> bool:
    """Tell whether a pair stands in the configuration of a stream handler of `logging`."""
    held = pair.parent
    return held is not None and any(
        b"StreamHandler" in (part.text or b"")
        for part in children(held)
        if string_of(child(part, "key") or part) in ('"class"', "'class'", '"()"')
    )
