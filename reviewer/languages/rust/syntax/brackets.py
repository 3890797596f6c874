"""How deep brackets stand in brackets, told by the bytes alone."""

DEEPEST = 120
"""Brackets in brackets. Code that people write stays below 40."""
BRACKETS = bytes.maketrans(b"[{]}", b"(())")
NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"()[]{}")


def is_nested_too_deeply(data: bytes) -> bool:
    """Return whether brackets stand in brackets deeper than anybody writes: each round takes out the innermost pairs."""
    brackets = data.translate(BRACKETS, NO_BRACKETS)
    for _ in range(DEEPEST):
        fewer = brackets.replace(b"()", b"")
        if len(fewer) == len(brackets):
            return False
        brackets = fewer
    return True
