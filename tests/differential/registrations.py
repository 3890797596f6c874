"""Strategies for the ways in which a function becomes a tool."""

import re
from collections.abc import Callable

from hypothesis import strategies as st

from differential.modules import Function, Options


def _decorator(each: Function) -> str:
    return f"@server.tool({', '.join(each.arguments)})\n{each.text}"


def _called(each: Function) -> str:
    return f"{each.text}server.tool({', '.join(each.arguments)})({each.name})\n"


def _added(each: Function) -> str:
    return f"{each.text}server.add_tool({', '.join([each.name, *each.arguments])})\n"


def _in_register(each: Function) -> str:
    body = _indented(_decorator(each).replace("@server", "@target"))
    return f"def register_{each.name}(target):\n{body}\nregister_{each.name}(server)\n"


def _own_decorator(each: Function) -> str:
    return (
        "def traced(fn):\n    @functools.wraps(fn)\n"
        "    def inner(*args, **kwargs):\n        return fn(*args, **kwargs)\n"
        f"    return server.tool({', '.join(each.arguments)})(inner)\n@traced\n{each.text}"
    )


def _own_factory(each: Function) -> str:
    return (
        "def registered(**options):\n    def take(fn):\n        @functools.wraps(fn)\n"
        "        async def inner(*args, **kwargs):\n            return fn(*args, **kwargs)\n"
        "        server.tool(**options)(inner)\n        return fn\n    return take\n"
        f"@registered({', '.join(each.arguments)})\n{each.text}"
    )


def _wrapped_inside(each: Function) -> str:
    return (
        "def logged(fn):\n    @functools.wraps(fn)\n"
        "    def inner(*args, **kwargs):\n        return fn(*args, **kwargs)\n"
        f"    return inner\n@server.tool({', '.join(each.arguments)})\n@logged\n{each.text}"
    )


def _looped(each: Function) -> str:
    more = "" if any(part.startswith("name=") for part in each.arguments) else " ping"
    loop = f"for each in ({each.name},{more}):\n    server.tool({', '.join(each.arguments)})(each)\n"
    return f"{each.text}def ping():\n    pass\n{loop}"


def _looped_over_pairs(each: Function) -> str:
    pair = f"({each.name}, dict({', '.join(each.arguments)}))"
    return f"{each.text}for fn, options in [{pair}]:\n    server.tool(**options)(fn)\n"


def _method(each: Function) -> str:
    text = re.sub(r"^((?:async )?def \w+\()", r"\1self, ", each.text).replace("(self, )", "(self)")
    return f"class Holder:\n{_indented(text)}\nserver.tool({', '.join(each.arguments)})(Holder().{each.name})\n"


def _conditional(each: Function) -> str:
    return f"ENABLED = True\nif ENABLED:\n{_indented(_decorator(each))}"


def _partial(each: Function) -> str:
    return f"{each.text}add = functools.partial(server.tool, {', '.join(each.arguments)})\nadd()({each.name})\n"


FORMS = {
    "decorator": _decorator,
    "called": _called,
    "register function": _in_register,
    "own decorator": _own_decorator,
    "own factory": _own_factory,
    "wrapped inside": _wrapped_inside,
    "loop": _looped,
    "loop over pairs": _looped_over_pairs,
    "method": _method,
    "condition": _conditional,
    "partial": _partial,
}


def _indented(text: str) -> str:
    """Indent code by four, but not the inner lines of its strings, whose text would change."""
    lines, inside = [], False
    for line in text.splitlines():
        lines.append(line if inside or not line else f"    {line}")
        inside ^= (line.count('"""') + line.count("'''")) % 2 == 1
    return "\n".join(lines) + "\n"


BEYOND_PLAIN = frozenset(
    [
        *("f-string with a spec", "slice", "constr", "conint", "Enum call", "AliasChoices", "partial", "conditional"),
        *("Config class", "alias_generator", "join over comprehension", "loop over pairs", "splat", "merged"),
        "Annotated CallToolResult",
    ]
)
"""Constructs that need not be readable, as long as the reading says so."""


def registrations(options: Options) -> st.SearchStrategy[Callable[[Function], str]]:
    """Draw the way in which a function becomes a tool."""
    forms = FORMS | ({"add_tool": _added} if options.framework == "mcp" else {})
    return st.sampled_from(options.offered(forms))
