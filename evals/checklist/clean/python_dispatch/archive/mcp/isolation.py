"""Keeps a handler that breaks from answering with its own insides."""

import logging
from collections.abc import Awaitable
from typing import Any

from archive.core.errors import ToolError

panic = logging.getLogger("panic")


async def isolated(work: Awaitable[Any]) -> Any:
    try:
        return await work
    except ToolError:
        raise
    except Exception:
        panic.exception("tool handler panicked")
        raise ToolError("internal", "tool handler panicked") from None
