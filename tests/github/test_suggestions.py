"""Suggested lines in comments: only what is safe and stands in the diff, in a block that no text can close."""

import pytest
from markdown_it import MarkdownIt

from reviewer.github import threads
from reviewer.github.texts import (
    CommentMark,
    find_suggestion,
    format_finding_mark,
    format_line_comment,
    parse_finding_mark,
)
from tests.github.conftest import finding, fixing, report

ALL = {"server.py": frozenset(range(1, 50))}
FENCES = "```suggestion\nrm -rf\n```\n````\n~~~\n</details>@octocat <!-- x -->"


def test_a_block_stands_before_the_mark():
    one = fixing("    x = 2", first=3)
    body = format_line_comment(one, "mcp-review", find_suggestion(one, "server.py", ALL))
    assert "\n\n```suggestion\n    x = 2\n```\n\n<sub>" in body
    assert parse_finding_mark("mcp-review", body) == CommentMark(one.fingerprint)


@pytest.mark.parametrize("text", [FENCES, "`" * 70, format_finding_mark("mcp-review", CommentMark("b" * 16))])
def test_no_text_breaks_out(text):
    one = fixing(*text.split("\n"), last=7)
    body = format_line_comment(one, "mcp-review", find_suggestion(one, "server.py", ALL))
    blocks = [each for each in MarkdownIt().parse(body) if each.type == "fence"]
    assert [(each.info, each.content) for each in blocks] == [("suggestion", text + "\n")]
    assert parse_finding_mark("mcp-review", body) == CommentMark(one.fingerprint)


@pytest.mark.parametrize("text", ["x\u202e", "x\r", "\x1b[2K", "zero\u200bwidth", "x" * 30_000])
def test_what_does_not_show_all_that_is_in_it_is_not_suggested(text):
    assert find_suggestion(fixing(text), "server.py", ALL) is None


def test_only_safe_ones_within_the_diff():
    assert find_suggestion(fixing("x", safe=False), "server.py", ALL) is None
    assert find_suggestion(fixing("x", first=2, last=4), "server.py", {"server.py": frozenset({2, 4})}) is None
    assert find_suggestion(fixing("x", path="other.py"), "server.py", ALL) is None
    assert find_suggestion(fixing("x"), "server.py", {}) is None
    assert find_suggestion(finding(1), "server.py", ALL) is None


def test_a_comment_stands_on_all_lines_that_are_replaced(github, client, pull):
    patch = "@@ -1,3 +1,4 @@\n one\n-two\n+zwei\n+drei\n four"
    github.files = [{"filename": "server.py", "patch": patch}]
    given = report(fixing("x", "y", first=2, last=3), finding(1))
    threads.post(client, pull, given, "mcp-review")
    bodies = {each["lines"]: each["body"] for each in github.threads}
    assert set(bodies) == {(None, 1), (2, 3)}
    assert "```suggestion\nx\ny\n```" in bodies[2, 3]


def test_a_report_of_another_run_suggests_nothing(github, client, pull):
    github.files = [{"filename": "server.py", "patch": "@@ -1 +1 @@\n+one"}]
    threads.post(client, pull, report(fixing("x")), "mcp-review", suggest=False)
    assert ["suggestion" in each["body"] for each in github.threads] == [False]
