"""Comments on lines of a pull request: one for each finding, never two, and gone when the finding is."""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from reviewer.github.client import FORBIDDEN, Client, RefusedError
from reviewer.github.events import Pull, has_moved_on
from reviewer.github.patches import find_commentable_lines
from reviewer.github.texts import (
    CommentMark,
    find_suggestion,
    format_line_comment,
    format_review_body,
    parse_finding_mark,
    select_counting_findings,
)
from reviewer.records import dataclass
from reviewer.render.reasons import build_locator
from reviewer.report.model import Finding, Report
from reviewer.rules import Severity, load

MOST = 30
"""Comments on lines that stand open at a time: more are not read."""

UNPROCESSABLE = 422
"""How GitHub refuses a comment on a line that is not in the diff, and with one such comment the whole review."""

THREADS = """query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviewThreads(first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { id isResolved isOutdated path comments(first: 1) { totalCount nodes { databaseId body viewerDidAuthor } } }
    } } } }"""

RESOLVE = "mutation ($id: ID!) { resolveReviewThread(input: {threadId: $id}) { thread { isResolved } } }"


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread that this review began on a line: its comment's number, its finding, and whether somebody answered.

    `path` is its file, from the repository's top; `outdated` whether its line was changed since.
    """

    id: str
    comment: int
    mark: CommentMark
    resolved: bool = False
    answered: bool = False
    path: str = ""
    outdated: bool = False

    @property
    def fingerprint(self) -> str:
        """What its finding is told again by."""
        return self.mark.fingerprint


@dataclass(frozen=True, slots=True)
class ThreadPlan:
    """What to do: findings to `post`, how many are `left` without a comment, threads to `resolve`, doubles to `delete`."""

    post: tuple[Finding, ...] = ()
    left: int = 0
    resolve: tuple[Thread, ...] = ()
    delete: tuple[Thread, ...] = ()


def plan(
    report: Report,
    threads: Sequence[Thread],
    lines: Mapping[str, frozenset[int]],
    most: int = MOST,
    least: Severity = Severity.SUGGESTION,
) -> ThreadPlan:
    """Plan a comment for each introduced finding at least as severe as `least` that is on a line of the diff and has none.

    The worst come first. A thread that somebody answered is left to people. One that was resolved is not begun again.
    """
    first: dict[str, Thread] = {}
    for thread in sorted(threads, key=lambda each: each.comment):
        first.setdefault(thread.fingerprint, thread)
    doubles = [each for each in threads if each is not first[each.fingerprint] and not each.answered]
    kept = [each for each in first.values() if not each.resolved]
    gone = [each for each in kept if is_gone(report, each, lines)]
    new = [each for each in select_counting_findings(report, least) if each.fingerprint not in first]
    fitting = [each for each in new if each.span.line in lines.get(report.place(each.span), ())]
    room = max(0, most - (len(kept) - len(gone)))
    return ThreadPlan(
        tuple(fitting[:room]),
        len(new) - len(fitting[:room]),
        tuple(each for each in gone if not each.answered),
        tuple(doubles),
    )


def is_gone(report: Report, thread: Thread, changed: Container[str] = ()) -> bool:
    """Return whether the finding of a thread is gone because its code was changed, and for no other reason.

    Not if it is suppressed or in the baseline, if its rule did not run as it did then or waits for a judge, if its file or a part
    of the review was left out, or if a judge decides and the line is what it was. What is none of the `changed` files
    of the pull request any more may have gone to where nothing is reviewed, if the change has files there.
    """
    mark, path = thread.mark, _find_inside(report, thread.path)
    findings = (each for part in report.sections for each in part.findings)
    if any(each.fingerprint == mark.fingerprint for each in findings) or report.unreviewed:
        return False
    if not mark.grounds or report.checked.get(mark.rule) != mark.grounds:
        return False
    if path is None or report.skips(path):
        return False
    if thread.path not in changed and report.unwatched:
        return False
    return thread.outdated or not (mark.judged or load()[mark.rule].judged)


def _find_inside(report: Report, path: str) -> str | None:
    """Return a path from the reviewed folder, None if it leads elsewhere."""
    above = f"{report.folder}/" if report.folder else ""
    return path.removeprefix(above) if path and path.startswith(above) else None


def post(
    client: Client,
    pull: Pull,
    report: Report,
    name: str,
    most: int = MOST,
    least: Severity = Severity.SUGGESTION,
    *,
    suggest: bool = True,
) -> str:
    """Comment on lines as planned, and tell what was done; a report of a stranger's may `suggest` nothing."""
    if has_moved_on(client, pull):
        return "the pull request has moved on to another commit: no line of this one is commented on"
    lines = find_commentable_lines(client.iter_entries(f"{pull.path}/pulls/{pull.number}/files"))
    wanted = plan(report, _list_threads(client, pull, name), lines, most, least)
    posted = _post(client, pull, report, wanted, name, lines if suggest else {}) if wanted.post else 0
    resolved = sum(_resolve(client, pull, each) for each in wanted.resolve)
    for thread in (*wanted.delete, *(_collect_doubles(client, pull, report, name) if posted else ())):
        _delete(client, pull, thread)
    left = wanted.left + len(wanted.post) - posted
    return f"lines: {posted} commented on, {left} findings without a comment, {resolved} resolved"


def _list_threads(client: Client, pull: Pull, name: str) -> list[Thread]:
    return [thread for node in _iter_nodes(client, pull) for thread in _iter_own_threads(node, name)]


def _iter_nodes(client: Client, pull: Pull) -> Iterator[dict[str, Any]]:
    owner, _, repository = pull.repository.partition("/")
    after = None
    while True:
        data = client.query(THREADS, owner=owner, name=repository, number=pull.number, after=after)
        page = ((data.get("repository") or {}).get("pullRequest") or {}).get("reviewThreads") or {}
        yield from page.get("nodes") or ()
        info = page.get("pageInfo") or {}
        if not info.get("hasNextPage") or info.get("endCursor") in (None, after):
            return
        after = info["endCursor"]


def _iter_own_threads(node: Mapping[str, Any], name: str) -> Iterator[Thread]:
    """Read a thread that we began. A mark in somebody else's comment is not ours."""
    comments = node["comments"]
    for comment in comments["nodes"]:
        mark = parse_finding_mark(name, comment["body"] or "")
        if comment["viewerDidAuthor"] and mark is not None and comment["databaseId"]:
            answered, path = comments["totalCount"] > 1, node.get("path") or ""
            outdated = bool(node.get("isOutdated"))
            yield Thread(node["id"], comment["databaseId"], mark, node["isResolved"], answered, path, outdated)


def _post(
    client: Client, pull: Pull, report: Report, wanted: ThreadPlan, name: str, lines: Mapping[str, frozenset[int]]
) -> int:
    """Post all comments as one review, which notifies once; if GitHub refuses one of them, one by one. Gives how many."""
    comments = {each.fingerprint: _collect_comment(each, report, name, lines) for each in wanted.post}
    review = {
        "event": "COMMENT",
        "body": format_review_body(len(comments), wanted.left),
        "comments": list(comments.values()),
    }

    def has_landed() -> bool | None:
        return any(each.fingerprint in comments for each in _list_threads(client, pull, name)) or None

    try:
        client.call(
            "POST", f"{pull.path}/pulls/{pull.number}/reviews", {**review, **_collect_commit(client, pull)}, has_landed
        )
    except RefusedError as error:
        if error.status != UNPROCESSABLE:
            raise
        return sum(_post_one(client, pull, mark, each, name) for mark, each in comments.items())
    return len(comments)


def _post_one(client: Client, pull: Pull, mark: str, comment: dict[str, Any], name: str) -> bool:
    def has_landed() -> bool | None:
        return any(each.fingerprint == mark for each in _list_threads(client, pull, name)) or None

    body = {**comment, **_collect_commit(client, pull)}
    try:
        client.call("POST", f"{pull.path}/pulls/{pull.number}/comments", body, has_landed)
    except RefusedError as error:
        if error.status != UNPROCESSABLE:
            raise
        return False
    return True


def _collect_comment(
    finding: Finding, report: Report, name: str, lines: Mapping[str, frozenset[int]]
) -> dict[str, Any]:
    """Write a comment on the line of a finding, or on the lines that a suggestion replaces."""
    path = report.place(finding.span)
    suggested = find_suggestion(finding, path, lines)
    body = format_line_comment(
        finding, name, suggested, report.checked.get(finding.rule.slug, ""), build_locator(report)
    )
    if suggested is None:
        return {"path": path, "line": finding.span.line, "side": "RIGHT", "body": body}
    first, last = suggested.first, suggested.last
    begin = {"start_line": first, "start_side": "RIGHT"} if first < last else {}
    return {"path": path, "line": last, "side": "RIGHT", **begin, "body": body}


def _collect_commit(client: Client, pull: Pull) -> dict[str, str]:
    """Name the commit that comments stand on: the reviewed one, or the pull request's own head."""
    head = pull.head or client.call("GET", f"{pull.path}/pulls/{pull.number}")["head"]["sha"]  # type: ignore[index]
    return {"commit_id": head}


def _resolve(client: Client, pull: Pull, thread: Thread) -> bool:
    """Resolve a thread; delete its comment where the token may not, for that takes a right to write contents."""
    try:
        client.query(RESOLVE, id=thread.id)
    except RefusedError as error:
        if error.status != FORBIDDEN:
            return False  # it is gone, and so is what it spoke of
        _delete(client, pull, thread)
    return True


def _collect_doubles(client: Client, pull: Pull, report: Report, name: str) -> tuple[Thread, ...]:
    """Find what another review posted at the same time."""
    return plan(report, _list_threads(client, pull, name), {}).delete


def _delete(client: Client, pull: Pull, thread: Thread) -> None:
    client.call_unless_gone("DELETE", f"{pull.path}/pulls/comments/{thread.comment}")
