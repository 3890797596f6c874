"""The ways to a model: requests in, each with its reply out. Nothing here raises for what a model or a network does."""

from collections.abc import Callable

from reviewer.judge.judging import Backend
from reviewer.judge.prices import CostBudget
from reviewer.judge.requests import Sends
from reviewer.judge.settings import Appointment

Tell = Callable[[str], None]
"""Takes a line for the user."""


def make(appointment: Appointment, cost_budget: CostBudget, tell: Tell, seed: str) -> Backend:
    """Make the backend that settings of a judge names, for requests made of `seed`.

    Raises CannotReviewError if a file it needs cannot be read.
    """
    match appointment.name:
        case "anthropic" | "bedrock" | "vertex" | "claude-cli":
            return lambda question_requests: sending(appointment, cost_budget, tell, seed)(question_requests)
        case "replay" if appointment.verdicts is not None:
            from reviewer.judge.backends.replay import replay

            return replay(appointment.verdicts)
        case "host":
            from reviewer.judge.backends.replay import unheard

            return unheard
    raise ValueError(f"{appointment.name} asks no model")


def sending(appointment: Appointment, cost_budget: CostBudget, tell: Tell, seed: str) -> Sends:
    """Make what sends requests of any kind; what it loads takes a second, so it is made when there is something to send."""
    if appointment.name == "claude-cli":
        from reviewer.judge.backends.claude_cli import claude_cli

        return claude_cli(appointment, cost_budget)
    if appointment.batch or appointment.resume is not None:
        from reviewer.judge.backends.batch import batch

        return batch(appointment, cost_budget, tell, seed)
    from reviewer.judge.backends.api import api

    return api(appointment, cost_budget)
