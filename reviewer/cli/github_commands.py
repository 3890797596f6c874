"""The command line's words about GitHub: `mcp-review github ...` posts a report that was written as JSON."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from reviewer.cli.streams import write_stdout
from reviewer.files.discovery import CannotReviewError
from reviewer.installation.extras import require
from reviewer.rules import Severity

github_app = typer.Typer(
    rich_markup_mode=None,
    help="Post a report on GitHub. It is written by `--format json --output FILE`; GITHUB_TOKEN authenticates.",
)

ReportArgument = Annotated[Path, typer.Argument(help="The report, JSON v1.", show_default=False)]
NameOption = Annotated[str, typer.Option(help="Distinguishes this review from others on the same pull request.")]
RepositoryOption = Annotated[
    str | None, typer.Option(help="OWNER/NAME (default: GITHUB_REPOSITORY).", show_default=False)
]
PullOption = Annotated[
    int | None, typer.Option(help="The pull request's number (default: the event's).", show_default=False)
]
HeadOption = Annotated[
    str | None, typer.Option(help="The reviewed commit, with --pull; a report on an older commit is not posted.")
]
EventOption = Annotated[
    Path | None, typer.Option(help="The event's payload (default: GITHUB_EVENT_PATH).", show_default=False)
]
PatienceOption = Annotated[
    float, typer.Option(help="Seconds for all calls together, including waits for GitHub's rate limits.")
]
CommentOnOption = Annotated[
    Severity, typer.Option("--comment-on", help="The lowest severity to comment on; other findings are only counted.")
]
MostOption = Annotated[int, typer.Option(min=0, help="The maximum number of open comments on lines.")]

WITHOUT_COMMENT = (
    "the findings are in the job summary and the annotations; to comment on pull requests from forks, keep the report as an"
    " artifact, and have a second workflow (`on: workflow_run`) post it by `mcp-review github comment`"
)


@github_app.command()
def comment(
    report: ReportArgument,
    name: NameOption = "mcp-review",
    repository: RepositoryOption = None,
    pull: PullOption = None,
    head: HeadOption = None,
    event: EventOption = None,
    patience: PatienceOption = 300.0,
    comment_on: CommentOnOption = Severity.WARNING,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the comment without posting it.")] = False,
) -> int:
    """Keep one comment on the pull request that says what is introduced and what is fixed."""
    require("github", "github")
    from reviewer.github import sticky, texts
    from reviewer.report import reader

    _validate_repository_name(name)
    read, given = reader.read(report), _build_environment(repository, pull, head, event, patience)
    if dry_run:
        write_stdout(texts.format_comment(read, name, given.build_whereabouts(head), comment_on) + "\n")
        return 0

    def post(client: Any, found: Any) -> str:
        body = texts.format_comment(read, name, given.build_whereabouts(found.head), comment_on)
        return sticky.post(client, found, name, body, worth=texts.is_worth_commenting(read, comment_on))

    return _post_for_workflow(given, post)


@github_app.command()
def review(
    report: ReportArgument,
    name: NameOption = "mcp-review",
    repository: RepositoryOption = None,
    pull: PullOption = None,
    head: HeadOption = None,
    event: EventOption = None,
    patience: PatienceOption = 300.0,
    comment_on: CommentOnOption = Severity.WARNING,
    most: MostOption = 30,
) -> int:
    """Comment on the lines of the pull request that findings are introduced on, and resolve what is gone."""
    require("github", "github")
    from reviewer.github import threads
    from reviewer.github.events import Pull
    from reviewer.report import reader

    _validate_repository_name(name)
    read, given = reader.read(report), _build_environment(repository, pull, head, event, patience)
    own = isinstance(
        given.find_asked(), Pull
    )  # another run wrote it otherwise, maybe a stranger's: no code is taken from that

    def post(client: Any, found: Any) -> str:
        return threads.post(client, found, read, name, most, comment_on, suggest=own)

    return _post_for_workflow(given, post)


@github_app.command()
def upload(
    sarif: Annotated[Path, typer.Argument(help="What --format sarif-github wrote.", show_default=False)],
    repository: RepositoryOption = None,
    patience: PatienceOption = 300.0,
) -> int:
    """Upload a SARIF report to code scanning, for the commit and branch of GITHUB_SHA and GITHUB_REF."""
    require("github", "github")
    from reviewer.github import scanning

    given = _build_environment(repository, patience=patience)
    commit, ref = (given.variables.get(name, "") for name in ("GITHUB_SHA", "GITHUB_REF"))
    if not (commit and ref):
        raise CannotReviewError("which commit? set GITHUB_SHA and GITHUB_REF, as a workflow does")
    packed = scanning.pack_sarif(sarif)

    def upload_scan() -> str:
        with given.build_client() as client:
            return scanning.upload(client, given.resolve_repository(), commit, ref, packed)

    return _post_if_allowed(upload_scan)


def _build_environment(repository: str | None, *given: Any, **named: Any) -> Any:
    from reviewer.github.environment import Environment

    return Environment(os.environ, repository, *given, **named)


def _post_for_workflow(given: Any, post: Callable[[Any, Any], str]) -> int:
    """Post on the pull request that the workflow is about, if there is one."""
    if given.find_asked() is None:
        return _tell_on_stderr("this event belongs to no pull request: nothing to comment on")

    def post_on_pull() -> str:
        with given.build_client() as client:
            found = given.find_pull(client)
            return post(client, found) if found is not None else "no open pull request has this commit as its head"

    return _post_if_allowed(post_on_pull)


def _post_if_allowed(post: Callable[[], str]) -> int:
    """Post, and say what was done. That the token may not is no failure: so it is for every change from a fork."""
    from reviewer.github.client import FORBIDDEN, RefusedError

    try:
        return _tell_on_stderr(post())
    except RefusedError as error:
        if error.status != FORBIDDEN:
            raise
        return _tell_on_stderr(f"this token may not post here ({error}): {WITHOUT_COMMENT}")


def _tell_on_stderr(line: str) -> int:
    from reviewer.cli.streams import tell

    tell(line)
    return 0


def _validate_repository_name(name: str) -> None:
    from reviewer.github.texts import is_name

    if not is_name(name):
        raise CannotReviewError("--name takes up to 64 letters, digits, dots, underscores and single hyphens")
