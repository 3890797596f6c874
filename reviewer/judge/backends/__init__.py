"""The ways to a model: requests in, each with its reply out. Nothing here raises for what a model or a network does."""

from reviewer.judge.judging import Backend
from reviewer.judge.prices import CostBudget
from reviewer.judge.requests import Notify, Sends
from reviewer.judge.settings import JudgeSettings


def build_backend(judge_settings: JudgeSettings, cost_budget: CostBudget, tell: Notify, seed: str) -> Backend:
    """Make the backend that settings of a judge names, for requests made of `seed`.

    Raises CannotReviewError if a file it needs cannot be read.
    """
    match judge_settings.name:
        case "anthropic" | "bedrock" | "vertex" | "claude-cli":
            return lambda question_requests: build_sender(judge_settings, cost_budget, tell, seed)(question_requests)
        case "replay" if judge_settings.verdicts is not None:
            from reviewer.judge.backends.replay import build_replay_backend

            return build_replay_backend(judge_settings.verdicts)
        case "host":
            from reviewer.judge.backends.replay import leave_unanswered

            return leave_unanswered
    raise ValueError(f"{judge_settings.name} asks no model")


def build_sender(judge_settings: JudgeSettings, cost_budget: CostBudget, tell: Notify, seed: str) -> Sends:
    """Make what sends requests of any kind; what it loads takes a second, so it is made when there is something to send."""
    if judge_settings.name == "claude-cli":
        from reviewer.judge.backends.claude_cli import build_cli_sender

        return build_cli_sender(judge_settings, cost_budget)
    if judge_settings.batch or judge_settings.resume is not None:
        from reviewer.judge.backends.batch import build_batch_sender

        return build_batch_sender(judge_settings, cost_budget, tell, seed)
    from reviewer.judge.backends.api import build_api_sender

    return build_api_sender(judge_settings, cost_budget)
