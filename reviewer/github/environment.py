"""What a GitHub workflow tells the commands that run in it, by environment variables."""

from collections.abc import Mapping
from pathlib import Path

from reviewer.files.discovery import CannotReviewError
from reviewer.github.client import PATIENCE, Client
from reviewer.github.events import Pull, WorkflowRun, find_pull_of_run, read_event, require_repository_name
from reviewer.github.texts import Whereabouts
from reviewer.records import dataclass
from reviewer.text.patterns import pattern

_ADDRESS = pattern(r"https?://[A-Za-z0-9.:\[\]-]+")
"""It is set by whoever runs the job and becomes part of links; what has a path or a query is no GitHub server."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The variables of a workflow, and what the caller says instead of them: `repository`, `pull`, `head`, `event`."""

    variables: Mapping[str, str]
    repository: str | None = None
    pull: int | None = None
    head: str | None = None
    event: Path | None = None
    patience: float = PATIENCE

    def build_client(self) -> Client:
        """Make a client that posts as the owner of GITHUB_TOKEN. Raises CannotReviewError if there is none."""
        api = self.variables.get("GITHUB_API_URL") or "https://api.github.com"
        token = (self.variables.get("GITHUB_TOKEN") or self.variables.get("GH_TOKEN") or "").strip()
        return Client(api, token, self.variables.get("GITHUB_GRAPHQL_URL") or "", self.patience)

    def resolve_repository(self) -> str:
        """Name the repository. Raises CannotReviewError if nothing does."""
        repository = self.repository or self.variables.get("GITHUB_REPOSITORY", "")
        require_repository_name(repository)
        return repository

    def find_asked(self) -> Pull | WorkflowRun | None:
        """Return the pull request, or the run of one, that the caller or the event speaks of; None if of none.

        Raises CannotReviewError if neither says anything, or nothing that can be read.
        """
        if self.pull is not None:
            return Pull(self.resolve_repository(), self.pull, self.head)
        payload = self.event or (Path(path) if (path := self.variables.get("GITHUB_EVENT_PATH")) else None)
        if payload is None:
            raise CannotReviewError("which pull request? give --pull NUMBER, or an event by --event FILE")
        return read_event(payload, self.resolve_repository())

    def find_pull(self, client: Client) -> Pull | None:
        """Find the pull request; None if the event is about none, or it is closed or has moved on."""
        asked = self.find_asked()
        return find_pull_of_run(client, asked) if isinstance(asked, WorkflowRun) else asked

    def build_whereabouts(self, commit: str | None = None) -> Whereabouts:
        """Return where links lead. What is no address is left out."""
        server = self.variables.get("GITHUB_SERVER_URL") or "https://github.com"
        repository = self.repository or self.variables.get("GITHUB_REPOSITORY", "")
        if not _ADDRESS.fullmatch(server) or not repository:
            return Whereabouts(commit=commit)
        require_repository_name(repository)
        address = f"{server}/{repository}"
        run = self.variables.get("GITHUB_RUN_ID", "")
        return Whereabouts(address, commit, f"{address}/actions/runs/{run}" if run.isdigit() else "")
