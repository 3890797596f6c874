"""What a comment says, how much it may hold, and that reviewed text can neither break out of it nor do anything in it."""

import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from reviewer.github.texts import (
    LONGEST_COMMENT,
    CommentMark,
    Whereabouts,
    format_comment,
    format_comment_mark,
    format_finding_mark,
    format_line_comment,
    format_review_body,
    is_name,
    is_worth_commenting,
    parse_finding_mark,
)
from reviewer.report.model import Accepted, Altered, LeftOut, Setting, Suppression
from reviewer.rules import Severity, load
from reviewer.source import Span
from tests.github.conftest import finding, report

AT = Whereabouts("https://github.com/o/r", "a" * 40, "https://github.com/o/r/actions/runs/5")
HOSTILE = [
    "@octocat and @org/team, see https://evil.example and www.evil.example",
    "![x](https://evil.example/pixel.png) [click](javascript:alert(1)) <img src=x>",
    "fixes #12, closes GH-3, resolves o/r#4 and deadbeefcafe",
    "| a | b |\n|---|---|\n| c | d |",
    "`` ` `` | `@octocat` ```\n```suggestion\nrm -rf\n```",
    "</details></td></table><script>alert(1)</script>",
    f"\n\n{format_comment_mark('mcp-review')}",
    format_finding_mark("mcp-review", CommentMark("a" * 16)),
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
    """Yield the marks of a Markdown text in order, without what it says."""
    for token in MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(text):
        yield token.type if token.type != "html_block" else token.content
        for child in token.children or ():
            if child.type not in ("text", "text_special", "code_inline", "softbreak"):
                yield child.content if child.type == "html_inline" else child.attrs.get("href", child.type)


def spoken(text):
    """Yield what is text and not code: a host finds mentions and references there."""
    for token in MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(text):
        yield "".join(child.content for child in token.children or () if child.type in ("text", "text_special"))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_changes_no_mark(text):
    def written(said, path="server.py"):
        others = [finding(2, said, "unchanged"), finding(3)]
        return format_comment(report(finding(1, said, path=path), *others, fixed=[finding(4, said)]), "mcp-review", AT)

    assert list(tokens(written(text))) == list(tokens(written("plain")))
    said = "\n".join(spoken(written(text)))
    assert not re.search(r"@\w|#\d|GH-\d|https?:|www\.|\$|:tada:|[0-9a-f]{10}", said)
    assert [each for each in written(text).split("\n") if each == format_comment_mark("mcp-review")] == [
        each for each in written("plain").split("\n") if each == format_comment_mark("mcp-review")
    ]


@pytest.mark.parametrize("path", [*HOSTILE[:-1], "a) [b](c", "a|b.py", "a`b.py", "a b#L9?x=1.py", "ä/é.py"])
def test_hostile_paths_lead_into_the_repository(path):
    written = format_comment(report(finding(1, path=path or "x")), "mcp-review", AT)
    links = [each for each in tokens(written) if each.startswith("http")]
    assert all(each.startswith("https://github.com/o/r/") for each in links)
    assert list(tokens(written))[-1].strip() == format_comment_mark("mcp-review")
    assert "\n".join(tokens(written)).count("tr_open") == 2


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_on_a_line(text):
    plain = format_line_comment(finding(1, "plain", help="plain"), "mcp-review")
    written = format_line_comment(finding(1, text, help=text or "x"), "mcp-review")
    assert list(tokens(written)) == list(tokens(plain))
    assert parse_finding_mark("mcp-review", written) == CommentMark(f"{1:016x}")
    assert "```suggestion" not in [each.strip() for each in written.split("\n")]


def test_introduced_first_then_fixed_and_the_rest_counted():
    error = finding(9, "worst", severity=Severity.ERROR)
    given = report(finding(1, "first"), error, finding(2, "old", "unchanged"), fixed=[finding(4, "mended")])
    text = format_comment(given, "mcp-review", AT)
    assert text.startswith("### mcp-review: FAIL, 2 findings introduced, 1 fixed\n")
    assert text.index("worst") < text.index("first") < text.index("mended")
    assert "old" not in text
    assert "1 finding as before" in text
    assert f"[`server.py:9`](https://github.com/o/r/blob/{'a' * 40}/server.py#L9)" in text
    assert text.endswith(format_comment_mark("mcp-review"))


def test_nothing_introduced():
    given = report(finding(2, "old", "unchanged"))
    said = "This change introduces no finding of mcp-review and fixes none."
    assert format_comment(given, "mcp-review", AT) == f"{said}\n\n{format_comment_mark('mcp-review')}"
    assert not is_worth_commenting(given)
    assert is_worth_commenting(report(fixed=[finding(1)]))
    assert is_worth_commenting(report(finding(1, change=None), base=None))


def test_without_a_base_everything_is_told():
    text = format_comment(report(finding(1, "one", change=None), base=None), "mcp-review", Whereabouts())
    assert text.startswith("### mcp-review: PASS with warnings, 1 finding\n")
    assert "http" not in text


def test_what_is_lighter_is_counted():
    light = [finding(line, severity=Severity.SUGGESTION) for line in (1, 2)]
    given = report(*light, finding(3, "heavy"), fixed=[finding(4, "gone", severity=Severity.SUGGESTION)])
    text = format_comment(given, "mcp-review", AT, Severity.WARNING)
    assert text.startswith("### mcp-review: PASS with warnings, 1 finding introduced\n")
    assert text.count("| warning |") == 1
    assert "suggestion" not in text
    assert "\n2 lighter findings not shown here: see [the run](https://github.com/o/r/actions/runs/5).\n" in text
    assert format_comment(report(*light), "mcp-review", AT, Severity.WARNING).count("\n") == 2
    assert not is_worth_commenting(report(*light), Severity.WARNING)


def test_many_are_told_by_rule():
    few = format_comment(report(*(finding(line, f"say {line}") for line in range(1, 11))), "mcp-review", AT)
    assert few.count("| warning |") == 10
    many = format_comment(report(*(finding(line, f"say {line}") for line in range(1, 21))), "mcp-review", AT)
    assert many.count("| warning |") == 1
    assert "server.py#L3)<br>and 17 more | say 1 (and 19 more of this rule) | `tool-without-description`" in many
    assert "20 findings introduced" in many


def test_what_the_change_alters_about_its_review():
    setting = Setting("ignore", None, '["SEC"] @octocat `|`')
    hidden = Suppression(
        Span("server.py", 3, 1, 3, 9), ("tool-without-description",), "it is fine", ("a" * 16, "b" * 16)
    )
    given = report(
        altered=Altered(
            "base",
            (setting,),
            (hidden,),
            (LeftOut("left.py", "ignored by git"),),
            (Accepted("a.py", "tool-name-style", ""),),
        )
    )
    text = format_comment(given, "mcp-review", AT, Severity.ERROR)
    assert text.startswith("### mcp-review: PASS, nothing introduced; this change suppresses 2 findings\n")
    assert (
        "- the configuration, ignore files and baseline of `main` apply here; the change alters them as follows\n"
        in text
    )
    assert (
        "- `server.py:3` suppresses `tool-without-description` and hides 2 findings; its reason: `it is fine`\n" in text
    )
    assert "- `left.py` is excluded (ignored by git)\n" in text
    assert "- `tool-name-style` in `a.py` is accepted by the baseline\n" in text
    assert "@octocat" not in "\n".join(spoken(text))
    assert is_worth_commenting(given, Severity.ERROR)


def test_alterations_are_bounded():
    settings = tuple(Setting(f"rules.r{number}", None, '"off"') for number in range(50))
    text = format_comment(report(altered=Altered("head", settings)), "mcp-review", AT)
    assert text.count("configuration: ") == 10
    assert "\n- and 40 other configuration keys\n" in text


@pytest.mark.parametrize("said", ["x" * 900, "ä" * 900, "😀" * 900, "|" * 900])
def test_cut_to_what_a_comment_may_hold(said):
    rules = [*load().values()]
    many = [replace(finding(line, said), rule=rule) for line, rule in enumerate(rules, 1)]
    given = report(*many, fixed=[finding(1)])
    text = format_comment(given, "mcp-review", AT)
    assert len(text.encode("utf-16-le")) // 2 <= LONGEST_COMMENT
    shown = text.count("| warning |")
    assert shown < len(rules)
    assert (
        f"\n{len(rules) + 1 - shown} more rows left out here: [the run](https://github.com/o/r/actions/runs/5)" in text
    )
    assert text.endswith(format_comment_mark("mcp-review"))


def test_names():
    for name in ("mcp-review", "server_2.x", "a"):
        assert is_name(name)
        for mark in (CommentMark("ab12"), CommentMark("ab12-2", "tool-name-style", "0a1b")):
            assert parse_finding_mark(name, f"x\n\n{format_finding_mark(name, mark)}\r\n") == mark
    for name in ("", "a b", "a-->", "a--b", "-a", "x" * 65, "é"):
        assert not is_name(name)


def test_what_stands_over_a_review():
    assert format_review_body(1, 0) == "mcp-review: 1 finding on lines of this change"
    assert format_review_body(30, 4).endswith("; 4 more in the comment or the job summary")
