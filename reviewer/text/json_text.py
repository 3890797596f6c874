"""JSON text → values, with one clause that says what is wrong with it; for files that others wrote."""

import json
from typing import Any, NoReturn


def parse_json(text: str) -> Any:
    """Parse JSON as npm does: a byte order mark before it is no part of it.

    Raises ValueError, in one clause, for what is none or leads too deep.
    """
    try:
        return json.loads(text.removeprefix("\ufeff"), parse_constant=_refuse)
    except RecursionError:
        raise ValueError("not valid here: nested too deep") from None
    except (json.JSONDecodeError, _NotJsonError) as error:
        raise ValueError(f"not valid JSON: {error}") from None
    except ValueError:  # the only other one there is: Python converts no number of so many digits
        raise ValueError("not valid here: a number of thousands of digits") from None


class _NotJsonError(ValueError):
    """The text has a constant that Python's parser takes and JSON does not have."""


def _refuse(constant: str) -> NoReturn:
    raise _NotJsonError(constant)
