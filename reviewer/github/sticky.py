"""The one comment of a review on a pull request: found again by its mark and its author, and kept one."""

from collections.abc import Iterable, Sequence

from reviewer.github.client import Client, UnreachableError
from reviewer.github.events import Pull, has_moved_on
from reviewer.github.texts import format_comment_mark
from reviewer.records import dataclass

MOST_ATTEMPTS = 4
"""How often what others change meanwhile is looked at anew."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a pull request."""

    number: int
    author: str
    body: str


@dataclass(frozen=True, slots=True)
class CommentPlan:
    """What to do: `create` a comment, `update` the one of this number, `delete` doubles. None of it: all is well."""

    create: bool = False
    update: int | None = None
    delete: tuple[int, ...] = ()


def pick_own_comments(comments: Iterable[Comment], login: str, name: str) -> list[Comment]:
    """Pick the comments of this review, oldest first. A mark in somebody else's comment is not ours."""
    mark = format_comment_mark(name)
    found = [each for each in comments if each.author == login and each.body.rstrip().endswith(mark)]
    return sorted(found, key=lambda each: each.number)


def plan(ours: Sequence[Comment], body: str, *, worth: bool) -> CommentPlan:
    """Plan what makes the oldest of our comments the only one, and say `body`. A first comment must be `worth` it."""
    if not ours:
        return CommentPlan(create=worth)
    oldest, *doubles = ours
    update = None if _is_same(oldest.body, body) else oldest.number
    return CommentPlan(update=update, delete=tuple(each.number for each in doubles))


def post(client: Client, pull: Pull, name: str, body: str, *, worth: bool) -> str:
    """Make the comment say `body`, and tell what was done.

    Where the pull request has moved on to another commit nothing is said: the review of that one will. Two reviews at once may
    both create a comment; each looks again then, and leaves the oldest.
    """
    login = client.fetch_login()
    created, done = False, "comment unchanged"
    for _ in range(MOST_ATTEMPTS):
        if has_moved_on(client, pull):
            return _withdraw(client, pull, login, name)
        ours = pick_own_comments(_list_comments(client, pull), login, name)
        wanted = plan(ours, body, worth=worth and not created)  # a list may be older than what was just posted
        if wanted == CommentPlan():
            return done if ours or created else "nothing to comment"
        if wanted.create:
            _create(client, pull, login, name, body)
            created, done = True, "comment posted"
        elif wanted.update is not None:
            done = "comment updated" if _update(client, pull, wanted.update, body) else done
        for number in wanted.delete:
            _delete(client, pull, number)
    raise UnreachableError("the comment does not keep its text: something else changes it")


def _withdraw(client: Client, pull: Pull, login: str, name: str) -> str:
    """Take away a double that was posted while the pull request moved on: what is older belongs to the newer review."""
    for each in pick_own_comments(_list_comments(client, pull), login, name)[1:]:
        _delete(client, pull, each.number)
    return "the pull request has moved on to another commit: nothing posted about this one"


def _list_comments(client: Client, pull: Pull) -> list[Comment]:
    listed = client.iter_entries(f"{pull.path}/issues/{pull.number}/comments")
    return [
        Comment(int(each["id"]), (each.get("user") or {}).get("login", ""), each.get("body") or "") for each in listed
    ]


def _create(client: Client, pull: Pull, login: str, name: str, body: str) -> None:
    def has_landed() -> bool | None:
        return True if pick_own_comments(_list_comments(client, pull), login, name) else None

    client.call("POST", f"{pull.path}/issues/{pull.number}/comments", {"body": body}, has_landed)


def _update(client: Client, pull: Pull, number: int, body: str) -> bool:
    """Change a comment; False if somebody deleted it meanwhile."""
    return client.call_unless_gone("PATCH", f"{pull.path}/issues/comments/{number}", {"body": body})


def _delete(client: Client, pull: Pull, number: int) -> None:
    client.call_unless_gone("DELETE", f"{pull.path}/issues/comments/{number}")


def _is_same(one: str, other: str) -> bool:
    return one.replace("\r\n", "\n").strip() == other.replace("\r\n", "\n").strip()
