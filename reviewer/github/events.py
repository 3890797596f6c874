"""What started a workflow → the pull request that it speaks of."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from reviewer.files.discovery import CannotReviewError
from reviewer.records import dataclass
from reviewer.text.patterns import pattern

if TYPE_CHECKING:
    from reviewer.github.client import Client

MOST_BYTES = 32 * 2**20
"""GitHub sends events of 25 MB at most."""

_REPOSITORY = pattern(r"[A-Za-z0-9-]+/[A-Za-z0-9._-]+")
"""What GitHub allows in names of accounts and repositories. It becomes part of an address, where a `?` would lead elsewhere."""

_SHA = pattern(r"[0-9a-f]{40}|[0-9a-f]{64}")
"""SHA-1, or SHA-256 of repositories that have it. It becomes part of addresses and links."""


@dataclass(frozen=True, slots=True)
class Pull:
    """A pull request of a repository (`owner/name`). `head` is the commit that was reviewed, None if the caller does not know."""

    repository: str
    number: int
    head: str | None = None

    @property
    def path(self) -> str:
        """The path of the repository in the API."""
        return f"/repos/{self.repository}"


@dataclass(frozen=True, slots=True)
class WorkflowRun:
    """A workflow that ended, of a commit on a branch of a repository that may be a fork (`origin`, its id)."""

    repository: str
    head: str
    owner: str
    branch: str
    origin: int


def read_event(payload: Path, repository: str) -> Pull | WorkflowRun | None:
    """Read an event's payload. Gives None if the event is about no pull request. Raises CannotReviewError if it cannot be read.

    The payload is GitHub's own, yet branch names in it are a stranger's.
    """
    event = _load_event(payload)
    require_repository_name(repository)
    try:
        if isinstance(event.get("pull_request"), dict):
            pull = event["pull_request"]
            return Pull(repository, int(pull["number"]), _get_sha(pull["head"]["sha"]))
        if isinstance(event.get("workflow_run"), dict):
            run = event["workflow_run"]
            origin = run["head_repository"]
            return WorkflowRun(
                repository,
                _get_sha(run["head_sha"]),
                str(origin["owner"]["login"]),
                str(run["head_branch"]),
                int(origin["id"]),
            )
    except (KeyError, TypeError, ValueError) as error:
        raise CannotReviewError(f"{payload}: not a GitHub event: unexpected {type(error).__name__}") from None
    return None


def require_repository_name(repository: str) -> None:
    """Raise CannotReviewError unless this is `owner/name`."""
    if not _REPOSITORY.fullmatch(repository):
        raise CannotReviewError("which repository? give --repository OWNER/NAME, or set GITHUB_REPOSITORY")


def find_pull_of_run(client: "Client", run: WorkflowRun) -> Pull | None:
    """Find the open pull request whose head is the very commit that a workflow ran on; None if there is none, or no longer.

    Nothing that the workflow itself says is asked: it may be a stranger's.
    """
    found = client.iter_entries(
        f"/repos/{run.repository}/pulls?state=open&head={quote(f'{run.owner}:{run.branch}', safe='')}"
    )
    numbers = [int(each["number"]) for each in found if _belongs_to_run(each, run)]
    return Pull(run.repository, min(numbers), run.head) if numbers else None


def has_moved_on(client: "Client", pull: Pull) -> bool:
    """Return whether the pull request has another head by now than the one that was reviewed."""
    if pull.head is None:
        return False
    now = client.call("GET", f"{pull.path}/pulls/{pull.number}")
    return not isinstance(now, dict) or now.get("head", {}).get("sha") != pull.head


def _belongs_to_run(pull: Mapping[str, Any], run: WorkflowRun) -> bool:
    head = pull.get("head") or {}
    return head.get("sha") == run.head and (head.get("repo") or {}).get("id") == run.origin


def _load_event(payload: Path) -> dict[str, Any]:
    try:
        if payload.stat().st_size > MOST_BYTES:
            raise CannotReviewError(f"{payload}: too large for a GitHub event")
        event = json.loads(payload.read_bytes())
    except OSError as error:
        raise CannotReviewError(f"{payload}: cannot be read: {(error.strerror or '').lower()}") from None
    except (ValueError, RecursionError):
        raise CannotReviewError(f"{payload}: not a GitHub event: not JSON") from None
    if not isinstance(event, dict):
        raise CannotReviewError(f"{payload}: not a GitHub event: not an object")
    return event


def _get_sha(value: Any) -> str:
    if not (isinstance(value, str) and _SHA.fullmatch(value)):
        raise ValueError("no commit")
    return value
