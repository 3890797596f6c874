"""The caches of `functools`, with the types of what they cache.

To the type checker a function that `functools.cache` wraps takes anything that can be hashed. So a tool's name that is not known
reached a function that splits texts, in three rules, and ended a review. What these wrap keeps its parameters.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

if TYPE_CHECKING:

    def cache(function: Callable[P, R], /) -> Callable[P, R]:
        """Return a function that computes each answer once."""

    def cache_latest(*, maxsize: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Return a decorator that keeps a function's latest `maxsize` answers."""

else:
    from functools import cache
    from functools import lru_cache as cache_latest

__all__ = ["cache", "cache_latest"]
