"""One comment, ours, found on any page, written only when it changes, whatever others do meanwhile."""

import pytest

from reviewer.github import sticky
from reviewer.github.client import RefusedError, UnreachableError
from reviewer.github.sticky import Comment, CommentPlan, pick_own_comments, plan
from reviewer.github.texts import format_comment_mark
from tests.github.loopback import BOT, does_and_hangs, fails

MARK = format_comment_mark("mcp-review")
BODY = f"two findings\n\n{MARK}"
COMMENTS, COMMENT = "/repos/o/r/issues/7/comments", "/repos/o/r/issues/comments/"


@pytest.fixture
def say(client, pull):
    return lambda body=BODY, worth=True: sticky.post(client, pull, "mcp-review", body, worth=worth)


class TestPlan:
    def test_a_first_comment_must_be_worth_it(self):
        assert plan([], BODY, worth=True) == CommentPlan(create=True)
        assert plan([], BODY, worth=False) == CommentPlan()

    def test_an_old_one_is_changed_even_if_nothing_is_left(self):
        assert plan([Comment(1, BOT, "old")], BODY, worth=False) == CommentPlan(update=1)

    def test_the_same_text_is_left(self):
        assert plan([Comment(1, BOT, BODY.replace("\n", "\r\n") + "\n")], BODY, worth=True) == CommentPlan()

    def test_the_oldest_stays(self):
        ours = [Comment(1, BOT, BODY), Comment(5, BOT, BODY), Comment(9, BOT, BODY)]
        assert plan(ours, BODY, worth=True) == CommentPlan(delete=(5, 9))

    @pytest.mark.parametrize(
        ("author", "body"),
        [
            ("stranger", BODY),
            (BOT, "no mark"),
            (BOT, f"{MARK}\nnot at the end"),
            (BOT, f"x\n\n{format_comment_mark('other')}"),
            ("", BODY),
        ],
    )
    def test_what_is_not_ours(self, author, body):
        assert pick_own_comments([Comment(1, author, body)], BOT, "mcp-review") == []


@pytest.mark.slow
def test_posted_once_and_then_left(github, say):
    assert say() == "comment posted"
    assert say() == "comment unchanged"
    assert github.bodies() == [BODY]
    assert github.writes() == [("POST", COMMENTS)]


def test_updated_in_place_beyond_the_first_page(github, say):
    for number in range(150):
        github.say(f"talk {number}", "somebody")
    ours = github.say(f"old\n\n{MARK}")
    github.say("after", "somebody")
    assert say() == "comment updated"
    assert github.bodies() == [BODY]
    assert github.writes() == [("PATCH", f"{COMMENT}{ours['id']}")]


def test_a_strangers_mark_is_left_alone(github, say):
    github.say(BODY, "stranger")
    assert say() == "comment posted"
    assert [each["user"]["login"] for each in github.comments] == ["stranger", BOT]


def test_a_comment_whose_author_is_gone(github, say):
    github.comments.append({"id": 1, "body": None, "user": None})
    assert say() == "comment posted"


@pytest.mark.slow
def test_nothing_to_say_posts_nothing_and_mends_what_stands(github, say):
    assert say("all well", worth=False) == "nothing to comment"
    assert github.comments == []
    say()
    assert say(f"all well\n\n{MARK}", worth=False) == "comment updated"
    assert github.bodies() == [f"all well\n\n{MARK}"]


@pytest.mark.slow
def test_deleted_between_looking_and_writing(github, say):
    github.say(f"old\n\n{MARK}")

    def deletes(handler):
        github.comments.clear()
        return False

    github.before = lambda method, _: deletes if method == "PATCH" else None
    assert say() == "comment posted"
    assert github.bodies() == [BODY]


@pytest.mark.slow
def test_a_comment_that_landed_unheard_is_not_posted_again(github, say):
    github.before = lambda method, path: does_and_hangs if (method, path) == ("POST", COMMENTS) else None
    assert say() == "comment posted"
    assert github.bodies() == [BODY]
    assert github.writes() == [("POST", COMMENTS)]


def test_a_failure_while_posting_is_tried_again(github, say):
    github.before = lambda method, _: fails(500) if method == "POST" and len(github.writes()) == 1 else None
    assert say() == "comment posted"
    assert github.bodies() == [BODY]


def test_a_list_that_lags_behind(github, say):
    def lags(handler):
        handler.send(200, [])
        return True

    github.before = lambda method, path: lags if (method, path) == ("GET", COMMENTS) else None
    assert say() == "comment posted"
    assert github.bodies() == [BODY]


class TestTwoAtOnce:
    """The other review's comment appears between our looking and our writing."""

    def other(self, github, body, then=lambda: None):
        def meanwhile(handler):
            github.before = lambda *_: None
            github.say(body)
            then()
            return False

        github.before = lambda method, path: meanwhile if (method, path) == ("POST", COMMENTS) else None

    def test_the_older_comment_stays(self, github, say):
        self.other(github, BODY)
        assert say() == "comment posted"
        assert github.bodies() == [BODY]
        assert github.comments[0]["id"] == 1001

    def test_the_newer_commit_wins(self, github, say):
        newer = f"newer\n\n{MARK}"
        self.other(github, newer, lambda: setattr(github, "head", "b" * 40))
        assert "moved on" in say()
        assert github.bodies() == [newer]

    def test_an_older_commit_says_nothing(self, github, say):
        github.head = "b" * 40
        assert "moved on" in say()
        assert github.writes() == []


@pytest.mark.slow
def test_something_that_always_changes_it_back(github, say):
    github.say(f"old\n\n{MARK}")

    def changes_back(handler):
        for each in github.comments:
            each["body"] = f"theirs\n\n{MARK}"
        return False

    github.before = lambda method, path: changes_back if (method, path) == ("GET", COMMENTS) else None
    with pytest.raises(UnreachableError, match="something else changes it"):
        say()


def test_a_token_that_may_only_read(github, say):
    github.may_write = False
    with pytest.raises(RefusedError) as refused:
        say()
    assert refused.value.status == 403
    assert github.comments == []
