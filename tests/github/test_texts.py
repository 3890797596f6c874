"""What a comment says, how much it may hold, and that reviewed text can neither break out of it nor do anything in it."""

import re

import pytest
from markdown_it import MarkdownIt

from reviewer.github.texts import (
    LONGEST_COMMENT,
    Whereabouts,
    comment,
    comment_mark,
    finding_mark,
    is_name,
    marked_finding,
    of_review,
    on_line,
    worth_saying,
)
from reviewer.rules import Severity
from tests.github.conftest import finding, report

AT = Whereabouts("https://github.com/o/r", "a" * 40, "https://github.com/o/r/actions/runs/5")
HOSTILE = [
    "@octocat and @org/team, see https://evil.example and www.evil.example",
    "![x](https://evil.example/pixel.png) [click](javascript:alert(1)) <img src=x>",
    "fixes #12, closes GH-3, resolves o/r#4 and deadbeefcafe",
    "| a | b |\n|---|---|\n| c | d |",
    "`` ` `` | `@octocat` ```\n```suggestion\nrm -rf\n```",
    "</details></td></table><script>alert(1)</script>",
    f"\n\n{comment_mark('mcp-review')}",
    finding_mark("mcp-review", "a" * 16),
    "--> <!-- -->",
    "\\`\\| &#64;octocat &lt;b&gt; :tada: $x$ $$y$$",
    "\u202egnp.exe\u2066 zero\u200bwidth \x1b[2K \r\n# heading\n- item\n1. one\n> quote\n---",
    "a" * 5000,
    "",
    "`",
    "[ref]: https://evil.example\n[ref]",
    "[^1] ~~struck~~ **bold** _it_ <https://evil.example>",
    "mailto:someone@example.com someone@example.com",
]


def tokens(text):
    """Give the marks of a Markdown text in order, without what it says."""
    for token in MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(text):
        yield token.type if token.type != "html_block" else token.content
        for child in token.children or ():
            if child.type not in ("text", "text_special", "code_inline", "softbreak"):
                yield child.content if child.type == "html_inline" else child.attrs.get("href", child.type)


def spoken(text):
    """Give what is text and not code: a host finds mentions and references there."""
    for token in MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(text):
        yield "".join(child.content for child in token.children or () if child.type in ("text", "text_special"))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_changes_no_mark(text):
    def written(said, path="server.py"):
        others = [finding(2, said, "unchanged"), finding(3)]
        return comment(report(finding(1, said, path=path), *others, fixed=[finding(4, said)]), "mcp-review", AT)

    assert list(tokens(written(text))) == list(tokens(written("plain")))
    said = "\n".join(spoken(written(text)))
    assert not re.search(r"@\w|#\d|GH-\d|https?:|www\.|\$|:tada:|[0-9a-f]{10}", said)
    assert [each for each in written(text).split("\n") if each == comment_mark("mcp-review")] == [
        each for each in written("plain").split("\n") if each == comment_mark("mcp-review")
    ]


@pytest.mark.parametrize("path", [*HOSTILE[:-1], "a) [b](c", "a|b.py", "a`b.py", "a b#L9?x=1.py", "ä/é.py"])
def test_hostile_paths_lead_into_the_repository(path):
    written = comment(report(finding(1, path=path or "x")), "mcp-review", AT)
    links = [each for each in tokens(written) if each.startswith("http")]
    assert all(each.startswith("https://github.com/o/r/") for each in links)
    assert list(tokens(written))[-1].strip() == comment_mark("mcp-review")
    assert "\n".join(tokens(written)).count("tr_open") == 2


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_on_a_line(text):
    plain = on_line(finding(1, "plain", help="plain"), "mcp-review")
    written = on_line(finding(1, text, help=text or "x"), "mcp-review")
    assert list(tokens(written)) == list(tokens(plain))
    assert marked_finding("mcp-review", written) == f"{1:016x}"
    assert "```suggestion" not in [each.strip() for each in written.split("\n")]


def test_introduced_first_then_fixed_and_the_rest_counted():
    error = finding(9, "worst", severity=Severity.ERROR)
    given = report(finding(1, "first"), error, finding(2, "old", "unchanged"), fixed=[finding(4, "mended")])
    text = comment(given, "mcp-review", AT)
    assert text.startswith("### mcp-review: FAIL, 2 findings introduced, 1 fixed\n")
    assert text.index("worst") < text.index("first") < text.index("mended")
    assert "old" not in text
    assert "1 finding as before" in text
    assert f"[`server.py:9`](https://github.com/o/r/blob/{'a' * 40}/server.py#L9)" in text
    assert text.endswith(comment_mark("mcp-review"))


def test_nothing_introduced():
    given = report(finding(2, "old", "unchanged"))
    assert comment(given, "mcp-review", AT).startswith("### mcp-review: PASS, nothing introduced\n")
    assert not worth_saying(given)
    assert worth_saying(report(fixed=[finding(1)]))
    assert worth_saying(report(finding(1, change=None), base=None))


def test_without_a_base_everything_is_told():
    text = comment(report(finding(1, "one", change=None), base=None), "mcp-review", Whereabouts())
    assert text.startswith("### mcp-review: PASS with warnings, 1 finding\n")
    assert "http" not in text


@pytest.mark.parametrize("said", ["x" * 900, "ä" * 900, "😀" * 900, "|" * 900])
def test_cut_to_what_a_comment_may_hold(said):
    given = report(*(finding(line, said) for line in range(1, 400)), fixed=[finding(1)])
    text = comment(given, "mcp-review", AT)
    assert len(text.encode("utf-16-le")) // 2 <= LONGEST_COMMENT
    shown = text.count("| warning |")
    assert f"\n{400 - shown} more rows left out here: [the run](https://github.com/o/r/actions/runs/5)" in text
    assert text.endswith(comment_mark("mcp-review"))


def test_names():
    for name in ("mcp-review", "server_2.x", "a"):
        assert is_name(name)
        assert marked_finding(name, f"x\n\n{finding_mark(name, 'ab12')}\r\n") == "ab12"
    for name in ("", "a b", "a-->", "a--b", "-a", "x" * 65, "é"):
        assert not is_name(name)


def test_what_stands_over_a_review():
    assert of_review(1, 0) == "mcp-review: 1 finding on lines of this change"
    assert of_review(30, 4).endswith("; 4 more in the comment or the job summary")
