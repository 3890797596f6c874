"""What requests cost: estimated before they are sent, counted after, held within a bound. Prices stand in `prices.toml`."""

import re
import tomllib
from dataclasses import field
from importlib.resources import files
from typing import NamedTuple

from reviewer.caching import cache
from reviewer.judge.replies import Usage
from reviewer.judge.requests import ModelRequest
from reviewer.records import dataclass

CHARACTERS = 3.0
"""Characters of a request that make a token, on the safe side for today's tokenizers."""

OUTPUT = 90
"""Tokens of one verdict with its quote and its reason, and what is thought of it at low effort."""

CACHE_WRITE = 1.25
"""What a token that is put into the provider's cache for five minutes costs, in tokens that are not."""

BATCH = 0.5
"""What a request in a batch costs, in requests that are answered at once."""


class Price(NamedTuple):
    """US dollars per million tokens, for prompts of at most `longest` tokens."""

    input: float
    output: float
    cache_read: float
    longest: float = float("inf")


@cache
def load_prices() -> dict[str, Price]:
    """Read the prices of all models that have one."""
    table = tomllib.loads(files("reviewer.judge").joinpath("prices.toml").read_text("utf-8"))
    return {model: Price(**each) for model, each in table["models"].items()}


def find_price(model: str) -> Price | None:
    """Return a model's price, by its id with or without a date; None if it is not known."""
    return load_prices().get(re.sub(r"-\d{8}$", "", model))


def compute_cost(model: str, usage: Usage, share: float = 1.0) -> float | None:
    """Return the cost of tokens in US dollars; None if the model's price is unknown."""
    known = find_price(model)
    if known is None or usage.input + usage.cache_read + usage.cache_write > known.longest:
        return None
    spent = usage.input * known.input + usage.output * known.output
    spent += usage.cache_read * known.cache_read + usage.cache_write * known.input * CACHE_WRITE
    return share * spent / 1_000_000


def estimate(request: ModelRequest) -> Usage:
    """Guess the tokens of a request from its length, as if nothing of it were cached."""
    return Usage(round((len(request.system) + len(request.user)) / CHARACTERS) + 400, OUTPUT * request.length)


@dataclass(slots=True)
class CostBudget:
    """The money for one run. The money spent and the estimate for open requests stay within `most` US dollars.

    A model without a known price is not held back: the caller that sets the budget ensures that there is one.
    """

    model: str
    most: float | None = None
    share: float = 1.0
    spent: float = 0.0
    _under_way: dict[str, float] = field(default_factory=dict)

    def allows(self, request: ModelRequest) -> bool:
        """Put the price of a request aside; false if that would be too much."""
        cost = compute_cost(self.model, estimate(request), self.share) or 0.0
        if self.most is not None and self.spent + sum(self._under_way.values()) + cost > self.most:
            return False
        self._under_way[request.key] = cost
        return True

    def pay(self, request: ModelRequest, usage: Usage) -> None:
        """Pay for a request that came back; what it really cost is known if the usage says so."""
        aside = self._under_way.pop(request.key, 0.0)
        used = usage.input + usage.output + usage.cache_read + usage.cache_write
        self.spent += usage.dollars if usage.dollars is not None else aside if used else 0.0

    @property
    def refusal(self) -> str:
        """Why a request is not sent, completing "unanswered: …"."""
        return f"--max-cost {self.most:g} is used up"
