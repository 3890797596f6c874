"""The decorator that every tool carries, next to its function."""

import logging
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, get_type_hints

from .mapping import map_exception
from .response import ToolResponse

P = ParamSpec("P")
R = TypeVar("R")

log = logging.getLogger(__name__)


def handle_tool_errors(function: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[ToolResponse[R]]]:
    """Put what a tool gives, or what it raises, into the envelope.

    The annotation is changed with it, so that the output schema that clients see is the envelope's.
    """
    hints = get_type_hints(function, include_extras=True)
    function.__annotations__ = {**hints, "return": ToolResponse[hints.get("return", Any)]}

    @wraps(function)
    async def enveloped(*args: P.args, **kwargs: P.kwargs) -> ToolResponse[R]:
        try:
            return ToolResponse(ok=True, result=await function(*args, **kwargs), issues=[])
        except Exception as error:
            log.warning("%s failed", function.__name__, exc_info=True)
            return ToolResponse(ok=False, result=None, issues=[map_exception(error)])

    return enveloped
