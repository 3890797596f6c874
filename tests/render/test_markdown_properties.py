"""Whatever a message holds, it stays within its cell, its item and its code: a parser of Markdown is asked."""

import re
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from reviewer.github.texts import (
    CommentMark,
    Whereabouts,
    format_comment,
    format_comment_mark,
    format_line_comment,
    parse_finding_mark,
)
from reviewer.render.markdown import LONGEST, render, render_code, render_item, render_prose
from reviewer.render.plain import escape_hidden
from reviewer.report.model import Maturity
from tests.github.conftest import finding, report

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "evals" / "formats"))

from shapes import HOSTS

GFM = MarkdownIt("gfm-like", {"html": True, "linkify": True})
AT = Whereabouts("https://github.com/o/r", "a" * 40, "https://github.com/o/r/actions/runs/5")

PIECES = st.sampled_from(
    [
        *("`", "``", "```", "respond(`", "`a`", "`b|c`", "|", "||", "\\|", "\\", "&#124;", "&amp;", "&", ";"),
        *(
            "<!--",
            "-->",
            "--",
            "<b>",
            "</details>",
            "<br>",
            "<",
            ">",
            "->",
            "<https://x.test>",
            "http://x.test",
            "www.x.test",
        ),
        *(
            "[a](b)",
            "![a](b)",
            "[",
            "](",
            ")",
            "(",
            "**",
            "*",
            "_a_",
            "__",
            "~~",
            "$x$",
            ":a:",
            ":",
            "!",
            "?",
            "'",
            '"',
        ),
        *(
            "@someone",
            "@",
            "#12",
            "o/r#1",
            "GH-1",
            "4882d93a",
            "x@y.test",
            "/close",
            "- ",
            "+ ",
            "1. ",
            "#",
            "---",
            "===",
        ),
        *(
            "word",
            "respond()",
            "f(g())",
            "é",
            "…",
            "§3",
            " ",
            "  ",
            "\n",
            "\t",
            "\r",
            "\u202e",
            "\u200b",
            "{",
            "}",
            "%",
        ),
    ]
)
SAID = st.one_of(st.lists(PIECES, max_size=12).map("".join), st.text(max_size=30))
ROW = "| a | b | c |\n|---|---|---|\n| x | {} | y |\n"
FRAMES = (ROW, "- **error** `server.py:3` {} (`rule`, §3)\n", "**error**: {}\n\n<sub>`rule`</sub>\n", "{}\n")


def shape(markdown):
    """Return the marks of a text in order, without the words and the code between them."""
    return [
        each
        for token in GFM.parse(markdown)
        for each in (
            token.content if token.type == "html_block" else token.type,
            *(
                (child.type, child.content if child.type == "html_inline" else child.attrGet("href"))
                for child in token.children or ()
                if child.type not in ("text", "text_special", "code_inline")
            ),
        )
    ]


def seen(markdown):
    """Return what each inline stretch shows."""
    return [
        "".join(child.content for child in token.children if child.type in ("text", "text_special", "code_inline"))
        for token in GFM.parse(markdown)
        if token.type == "inline"
    ]


def spoken(markdown):
    """Return what is no code, stretch by stretch: in it a host looks for what it makes links of."""
    for token in GFM.parse(markdown):
        if token.type == "inline":
            yield from "".join(
                child.content if child.type in ("text", "text_special") else "\0" for child in token.children
            ).split("\0")


def letters(shown):
    """Return a text without spaces and backticks: how code is fenced is no part of what is said."""
    return re.sub(r"[\s`]", "", shown)


@pytest.mark.slow
@pytest.mark.parametrize("frame", FRAMES)
@settings(max_examples=300, deadline=None)
@given(said=SAID)
@example(said="handler returns Value without `respond(`)…")
@example(said="`a|b` | `c`d` | <!-- x -->")
def test_a_message_stays_where_it_stands(frame, said):
    written = frame.format(render_prose(said))
    assert shape(written) == shape(frame.format("word" if escape_hidden(said).strip() else ""))
    assert letters(escape_hidden(said)) in letters("".join(seen(written)))
    usual = {host for host, looked in HOSTS.items() for each in spoken(frame.format("word")) if re.search(looked, each)}
    assert not [
        (host, each)
        for host, looked in HOSTS.items()
        for each in spoken(written)
        if host not in usual and re.search(looked, each)
    ]


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(shown=SAID)
def test_code_shows_in_a_cell_what_it_was_given(shown):
    told = seen(ROW.format(render_code(shown)))
    assert len(told) == 6
    assert told[4] == (escape_hidden(shown) or "(empty)") or not shown.strip(" ")


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(said=SAID, path=SAID.filter(bool))
def test_a_comment_has_one_row_for_a_finding_whatever_it_says(said, path):
    written = format_comment(report(finding(1, said or "x"), fixed=[finding(2, said or "x")]), "mcp-review", AT)
    plainly = format_comment(report(finding(1, "word"), fixed=[finding(2, "word")]), "mcp-review", AT)
    assert shape(written) == shape(plainly)
    assert written.endswith(f"\n{format_comment_mark('mcp-review')}")
    assert written.count("mcp-review: comment") == 1 + escape_hidden(said).count("mcp-review: comment")
    placed = format_comment(report(finding(1, "word", path=path)), "mcp-review", AT)
    assert [each for each in shape(placed) if isinstance(each, str)] == [
        each for each in shape(format_comment(report(finding(1, "word")), "mcp-review", AT)) if isinstance(each, str)
    ]


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(said=SAID)
def test_the_mark_of_a_comment_on_a_line_is_its_own(said):
    one = finding(1, said, help=said or "x")
    assert parse_finding_mark("mcp-review", format_line_comment(one, "mcp-review")) == CommentMark(f"{1:016x}")
    assert len(render_item(one, report(one)).split("\n")) == 2


def test_what_a_score_is_withheld_for_is_told_as_it_is_written():
    withheld = Maturity(None, None, "a part of `ReadNotes` cannot be read")
    written = render(report(finding(1), maturity=withheld))
    assert "\nMaturity: no score, a part of `ReadNotes` cannot be read. Profile: core" in written


def test_a_text_that_is_cut_within_its_code_is_closed():
    for said in ("`" + "a" * (2 * LONGEST) + "`", "word " * LONGEST + "`", "|" * (2 * LONGEST)):
        assert shape(ROW.format(render_prose(said))) == shape(ROW.format("word"))
