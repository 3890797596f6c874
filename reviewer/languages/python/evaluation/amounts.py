"""How large the values are that an evaluation makes: what one may be, and what one takes of the review's budget."""

import sys
from typing import TypeGuard

from reviewer.languages.python.evaluation.values import Const, PyInstance, PyItems, PyMapping, PyUnknown, PyValue

LONGEST = 1_000_000
"""Characters or bytes of a text: no description, schema or document that a client takes comes near."""
TOO_LARGE = "a value that is too large to be made here"
"""Why a value is unknown that only its size keeps from being known."""
WIDEST = 14_000
"""Bits of an integer. Python refuses to write one of more than 4,300 digits, which are 14,285 bits."""
LARGEST = 100_000
"""Elements of a container: more than 100 KB of source can list."""
ELEMENT = 64
"""Bytes, about, of an element of a container: its place, and most often a value that is made with it."""
FREE = 256
"""Bytes. A smaller value costs the step that makes it and nothing beside, so that tools are read after hostile values."""
OBJECT = 100
"""Bytes, about, of any other value."""


def is_sendable(text: str) -> bool:
    """Return whether a text can be written as UTF-8: one with a lone surrogate cannot, and no server can send it."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_too_large(value: PyValue) -> bool:
    """Return whether a value is larger than any that tells something of a tool."""
    match value:
        case Const(value=str() | bytes() as text):
            return len(text) > LONGEST
        case Const(value=int() as number):
            return number.bit_length() > WIDEST
        case PyItems(items=items):
            return len(items) > LARGEST
        case PyMapping(entries=entries):
            return len(entries) > LARGEST
        case _:
            return False


def is_too_long(value: PyValue) -> TypeGuard[PyUnknown]:
    """Return whether a value was given up because it is too large."""
    return isinstance(value, PyUnknown) and value.reason == TOO_LARGE


def estimate_size(value: PyValue) -> int:
    """Return the bytes that a value takes, about, without the values that it holds."""
    match value:
        case Const(value=plain):
            return OBJECT + sys.getsizeof(plain)
        case PyItems(items=items):
            return OBJECT + ELEMENT * len(items)
        case PyMapping(entries=entries):
            return OBJECT + ELEMENT * len(entries)
        case PyInstance(args=args, keywords=keywords, attributes=attributes):
            return OBJECT + ELEMENT * (len(args) + len(keywords) + len(attributes))
        case _:
            return OBJECT
