"""The ways to a model: inquiries in, each with its reply out. Nothing here raises for what a model or a network does."""

from collections.abc import Callable

from reviewer.judge.appointment import Appointment
from reviewer.judge.judging import Backend
from reviewer.judge.prices import Purse
from reviewer.judge.requests import Sends

Tell = Callable[[str], None]
"""Takes a line for the user."""


def make(appointment: Appointment, purse: Purse, tell: Tell, seed: str) -> Backend:
    """Make the backend that an appointment names, for inquiries made of `seed`.

    Raises CannotReviewError if a file it needs cannot be read.
    """
    match appointment.name:
        case "anthropic" | "bedrock" | "vertex" | "claude-cli":
            return lambda inquiries: sending(appointment, purse, tell, seed)(inquiries)
        case "replay" if appointment.verdicts is not None:
            from reviewer.judge.backends.replay import replay

            return replay(appointment.verdicts)
        case "host":
            from reviewer.judge.backends.replay import unheard

            return unheard
    raise ValueError(f"{appointment.name} asks no model")


def sending(appointment: Appointment, purse: Purse, tell: Tell, seed: str) -> Sends:
    """Make what sends requests of any kind; what it loads takes a second, so it is made when there is something to send."""
    if appointment.name == "claude-cli":
        from reviewer.judge.backends.claude_cli import claude_cli

        return claude_cli(appointment, purse)
    if appointment.batch or appointment.resume is not None:
        from reviewer.judge.backends.batch import batch

        return batch(appointment, purse, tell, seed)
    from reviewer.judge.backends.api import api

    return api(appointment, purse)
