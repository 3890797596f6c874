"""Numbers of the reviewed code and texts, which may be larger than what Python reads, writes or takes for a float."""

LARGEST = 10**300
"""What stands for any larger number: nothing is bounded so far out, and a float still holds it."""
DIGITS = 301
"""The digits of the largest one."""


def parse_integer(said: str) -> int:
    """Return the integer that a text says in decimal digits, with a sign or without; LARGEST, or its negative, for one beyond.

    Raises ValueError for a text that is no integer.
    """
    digits = said.strip().lstrip("+-")
    if len(digits) <= DIGITS:
        return clamp_integer(int(said))
    if not digits.isdecimal():
        raise ValueError("no integer")
    return -LARGEST if said.strip().startswith("-") else LARGEST


def clamp_integer(number: int) -> int:
    """Return a number, or the nearest that a float holds."""
    return max(-LARGEST, min(number, LARGEST))


def clamp_to_float(number: float) -> float:
    """Return a number as a float; one beyond what a float holds as the largest."""
    return float(clamp_integer(number) if isinstance(number, int) else number)
