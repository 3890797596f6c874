"""Comments on lines: on the diff only, once for each finding, taken back when it is gone, left where people talk."""

from dataclasses import replace

import pytest

from reviewer.failures import Unreviewed
from reviewer.github import threads
from reviewer.github.patches import parse_right_side
from reviewer.github.texts import CommentMark, format_finding_mark
from reviewer.github.threads import Thread, is_gone, plan
from reviewer.rules import Severity, load
from reviewer.source import Span
from tests.github.conftest import GROUNDS, RULE, finding, report
from tests.github.loopback import does_and_hangs

PATCH = (
    "@@ -1,3 +1,4 @@\n one\n-two\n+zwei\n+drei\n four\n@@ -20,0 +30,2 @@ def f():\n+x\n+y\n\\ No newline at end of file"
)
REVIEWS = "/repos/o/r/pulls/7/reviews"


@pytest.fixture
def comment(github, client, pull):
    github.files = [{"filename": "server.py", "patch": PATCH}, {"filename": "large.py"}]
    return lambda given, most=30: threads.post(client, pull, given, "mcp-review", most)


def body(fingerprint, name="mcp-review"):
    return f"text\n\n{format_finding_mark(name, CommentMark(fingerprint, RULE, GROUNDS))}"


def test_the_lines_of_a_patch():
    assert sorted(parse_right_side(PATCH)) == [1, 2, 3, 4, 30, 31]
    assert parse_right_side("") == frozenset()
    assert parse_right_side("@@ -0,0 +1 @@\n+only") == {1}
    assert parse_right_side("@@ -1 +0,0 @@\n-only") == frozenset()


class TestPlan:
    LINES = {"server.py": frozenset(range(1, 100))}  # noqa: RUF012

    def thread(self, number, fingerprint, resolved=False, answered=False):
        return Thread(f"T{number}", number, CommentMark(fingerprint, RULE, GROUNDS), resolved, answered, "server.py")

    def test_introduced_ones_on_lines_of_the_diff(self):
        unchanged, outside, elsewhere = finding(2, change="unchanged"), finding(200), finding(3, path="other.py")
        made = plan(report(finding(1), unchanged, outside, elsewhere), [], self.LINES)
        assert [each.span.line for each in made.post] == [1]
        assert made.left == 2

    def test_all_of_them_where_nothing_is_compared(self):
        made = plan(report(finding(1, change=None), finding(2, change=None), base=None), [], self.LINES)
        assert len(made.post) == 2

    def test_a_commented_finding_is_not_commented_on_again(self):
        one = finding(1)
        for resolved in (False, True):
            assert plan(report(one), [self.thread(9, one.fingerprint, resolved)], self.LINES).post == ()

    def test_what_is_gone_is_resolved_unless_people_talk(self):
        open_, done = self.thread(1, "a" * 16), self.thread(2, "b" * 16, resolved=True)
        answered = self.thread(3, "c" * 16, answered=True)
        assert plan(report(), [open_, done, answered], {}).resolve == (open_,)

    def test_a_finding_that_still_stands_is_not_resolved(self):
        one = finding(1, change="unchanged")
        assert plan(report(one), [self.thread(1, one.fingerprint)], self.LINES) == threads.ThreadPlan()

    def test_only_what_weighs_is_commented_on(self):
        light = finding(1, severity=Severity.SUGGESTION)
        assert plan(report(light, finding(2)), [], self.LINES, least=Severity.WARNING).post == (finding(2),)

    def test_younger_doubles_go(self):
        one = finding(1)
        older, younger = self.thread(1, one.fingerprint), self.thread(2, one.fingerprint)
        assert plan(report(one), [younger, older], self.LINES).delete == (younger,)

    def test_the_cap_counts_what_stands_open(self):
        standing = [finding(line) for line in (1, 2)]
        made = plan(
            report(*standing, *(finding(line) for line in range(3, 13))),
            [self.thread(each.span.line, each.fingerprint) for each in standing],
            self.LINES,
            most=5,
        )
        assert len(made.post) == 3
        assert made.left == 7


class TestGone:
    """A thread is resolved because its code was changed, and for no other reason."""

    def thread(self, path="server.py", mark=None, **more):
        return Thread("T1", 1, mark or CommentMark("a" * 16, RULE, GROUNDS), path=path, **more)

    def test_its_file_was_read_by_the_same_rule(self):
        assert is_gone(report(), self.thread())

    def test_its_file_was_deleted(self):
        assert is_gone(report(unread=("other.py", "tests/")), self.thread("was_there.py"))

    @pytest.mark.parametrize("status", ["suppressed", "baseline", "reported"])
    def test_it_is_hidden(self, status):
        hidden = replace(finding(1, fingerprint="a" * 16), status=status)
        assert not is_gone(report(hidden), self.thread())

    @pytest.mark.parametrize("unread", ["server.py", "src/"])
    def test_its_file_was_not_read(self, unread):
        assert not is_gone(report(unread=(unread,)), self.thread("src/server.py" if unread == "src/" else unread))

    def test_its_rule_did_not_run_or_waits_for_a_judge(self):
        assert not is_gone(report(checked={}), self.thread())

    def test_its_rule_ran_otherwise(self):
        assert not is_gone(report(checked={RULE: "b" * 12}), self.thread())

    def test_an_older_release_began_it(self):
        assert not is_gone(report(), self.thread(mark=CommentMark("a" * 16)))

    def test_a_part_was_not_reviewed(self):
        missing = Unreviewed("the rule failed", Span("other.py", 1, 1, 1, 1))
        assert not is_gone(report(broken=(missing,)), self.thread())

    def test_it_lies_outside_of_what_is_reviewed(self):
        assert not is_gone(report(folder="src"), self.thread("server.py"))
        assert is_gone(report(folder="src"), self.thread("src/server.py"))

    def test_its_file_may_have_gone_to_where_nothing_is_reviewed(self):
        moved = replace(report(), unwatched=("vendor/server.py",))
        assert not is_gone(moved, self.thread("was_there.py"), {"server.py"})
        assert is_gone(moved, self.thread("server.py"), {"server.py"})
        assert plan(moved, [self.thread("was_there.py")], {"server.py": frozenset()}).resolve == ()

    def test_a_judge_decides(self):
        judged = next(slug for slug, each in load().items() if each.judged)
        given, mark = report(checked={judged: GROUNDS}), CommentMark("a" * 16, judged, GROUNDS)
        assert not is_gone(given, self.thread(mark=mark))
        assert is_gone(given, self.thread(mark=mark, outdated=True))


def test_one_review_that_is_not_repeated(github, comment):
    given = report(finding(2), finding(30), finding(10))
    assert comment(given) == "lines: 2 commented on, 1 findings without a comment, 0 resolved"
    assert github.reviews == 1
    assert len(github.threads) == 2
    assert comment(given) == "lines: 0 commented on, 1 findings without a comment, 0 resolved"
    assert len(github.threads) == 2


def test_a_file_without_a_patch_takes_no_comment(github, comment):
    assert "0 commented on, 1 findings" in comment(report(finding(1, path="large.py")))
    assert github.writes() == []


def test_a_line_that_github_refuses_leaves_the_others(github, comment, monkeypatch):
    monkeypatch.setattr(
        "reviewer.github.threads.find_commentable_lines", lambda _: {"server.py": frozenset({1, 2, 10})}
    )
    given = report(finding(1), finding(10), finding(2))
    assert comment(given) == "lines: 2 commented on, 1 findings without a comment, 0 resolved"
    assert github.reviews == 0
    assert len(github.threads) == 2


@pytest.mark.slow
def test_a_review_that_landed_unheard_is_not_posted_again(github, comment):
    github.before = lambda method, path: does_and_hangs if (method, path) == ("POST", REVIEWS) else None
    comment(report(finding(1), finding(2)))
    assert github.reviews == 1
    assert len(github.threads) == 2


@pytest.mark.slow
def test_gone_findings_are_resolved_beyond_the_first_page(github, comment):
    for _ in range(130):
        github.begin("talk", "somebody")
    github.begin(body("a" * 16))
    assert comment(report()) == "lines: 0 commented on, 0 findings without a comment, 1 resolved"
    assert [each["resolved"] for each in github.threads].count(True) == 1
    assert comment(report()).endswith("0 resolved")


def test_without_the_right_to_resolve_the_comment_is_deleted(github, comment):
    github.may_resolve = False
    github.begin(body("a" * 16))
    github.begin(body("b" * 16), answers=2)
    assert comment(report()).endswith("1 resolved")
    assert [each["answers"] for each in github.threads] == [2]


def test_marks_of_strangers_and_of_other_reviews_are_left(github, comment):
    one = finding(1)
    github.begin(body("a" * 16), "stranger")
    github.begin(body("b" * 16, "other"))
    github.begin(body(one.fingerprint), "stranger")
    comment(report(one))
    assert [each["resolved"] for each in github.threads] == [False] * 4


def test_two_at_once_leave_one_comment(github, comment):
    one = finding(1)

    def meanwhile(handler):
        github.before = lambda *_: None
        github.begin(body(one.fingerprint))
        return False

    github.before = lambda method, path: meanwhile if (method, path) == ("POST", REVIEWS) else None
    comment(report(one))
    assert [each["body"] for each in github.threads] == [body(one.fingerprint)]


def test_an_older_commit_says_nothing(github, comment):
    github.head = "b" * 40
    assert "moved on" in comment(report(finding(1)))
    assert github.writes() == []
