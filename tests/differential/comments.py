"""Comments wherever Python takes them: a module means the same with them."""

import io
import tokenize

OPENING, CLOSING = frozenset("([{"), frozenset(")]}")


def commented(source: str) -> str:
    """Put a comment behind every comma and opening bracket, and before the first statement of a block."""
    lines = source.splitlines(keepends=True)
    for row, column in reversed(list(_places(source))):
        line = lines[row - 1]
        indent = line[: len(line) - len(line.lstrip())]
        further = "" if column == len(indent) else "    "
        lines[row - 1] = f"{line[:column]}{further[:2]}# noqa\n{indent}{further}{line[column:].lstrip(' ')}"
    return "".join(lines)


def _places(source: str):
    depth = formatted = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        name = tokenize.tok_name[token.type]
        formatted += (name == "FSTRING_START") - (name == "FSTRING_END")
        if formatted:
            continue
        if name == "INDENT":
            yield token.end
        if token.type == tokenize.OP:
            depth += (token.string in OPENING) - (token.string in CLOSING)
            if depth and (token.string in OPENING or token.string == ","):
                yield token.end
