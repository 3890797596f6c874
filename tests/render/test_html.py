"""The page as a document: whole, self-contained, and with no element that reviewed text could add."""

import re
import sys
from functools import cache
from pathlib import Path

import pytest
from reports import finding, full, known, many

from reviewer.render import QUOTING, RENDERERS
from reviewer.render.html import build_policy, render
from reviewer.render.html.excerpt import WIDTH, render_excerpt
from reviewer.render.html.markup import render_prose, serialize_document, tag
from reviewer.report.model import Report, SectionReport
from reviewer.rules import SECTIONS
from reviewer.source import Span

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "evals" / "formats"))

from hostile import corpus
from pages import Page

HOSTILE = [
    *(each.text for each in corpus()),
    "</title></head><body onload=alert(1)>",
    "' autofocus onfocus='alert(1)",
    "--> ]]> <![CDATA[ <x>",
    "</pre></code></li></ul></main>",
    "&lt;b&gt; &amp;amp; &#60;i&#62; &notit;",
    "<template><slot>",
    "half \ud800 character \udfff",
    "a ` lone backtick",
    "`` two `code` `",
]


@cache
def twin():
    return Page(render(full())).fixed()


@pytest.mark.parametrize("word", HOSTILE)
def test_hostile_text_adds_no_element_and_no_attribute_and_hidden_characters_are_seen(word):
    page = render(full(word))
    assert Page(page).fixed() == twin()
    page.encode()
    assert [char for char in set(page) if not char.isprintable() and char != "\n"] == []


def test_text_that_looks_like_markup_is_shown_as_it_is():
    words = "".join(Page(render(full("<b>&amp;</b>"))).words)
    assert "tool <b>&amp;</b> is <b>&amp;</b>" in words


def test_the_policy_allows_the_pages_own_style_and_script_and_nothing_else():
    page = render(full())
    style, script = (re.findall(f"<{kind}>(.*?)</{kind}>", page, re.DOTALL) for kind in ("style", "script"))
    assert len(style) == len(script) == 1
    assert build_policy(style[0], script[0]).split("; ")[0] == "default-src 'none'"
    assert f'content="{build_policy(style[0], script[0])}"' in page
    assert "unsafe" not in build_policy(style[0], script[0])
    assert "style=" not in page.replace(style[0], "").replace(script[0], "")


def test_links_to_the_host_lead_to_lines_of_the_commit_and_tell_it_nothing():
    page = render(known("<b>'\"&"))
    led = set(re.findall(r'<a href="([^"#][^"]*)" rel="noreferrer">', page))
    assert led == {
        "https://github.com/owner/name",
        f"https://github.com/owner/name/commit/{'a' * 40}",
        *(f"https://github.com/owner/name/blob/{'a' * 40}/%3Cb%3E%27%22%26.py#L{line}" for line in range(1, 10)),
    }
    assert page.count("https://") == page.count('rel="noreferrer"')


def test_nothing_is_loaded_from_elsewhere():
    page = render(full())
    assert not re.search(r"https?:|//[a-z]|url\(|@import|src=|<link", page.replace("//", "//"))
    assert all(each.startswith("#") for each in re.findall(r'href="([^"]*)"', page))


def test_what_a_page_says():
    words = " ".join("".join(Page(render(full("note"))).words).split())
    for said in (
        "Verdict: FAIL",
        "Profile core: because note",
        "Since note: 2 introduced, 1 fixed, 2 unchanged",
        "not applicable: no note",
        "not judged: 1 question",
        "1 error, 1 warning, 1 suggestion",
        "1 error, 1 warning, not judged: 2 questions",
        "suppressed",
        "in the baseline",
        "judged by note",
        "because note",
        "2 questions without an answer",
        "80/100 (mature)",
        "withheld, hidden note",
        "(unreadable name)",
        "note.py:1 broken note",
        "mcp-review explain tool-without-description",
    ):
        assert said in words, said


def test_sections_stand_in_their_order():
    numbers = re.findall(r'<section id="s(\d+)"', render(full()))
    assert numbers == [str(each.number) for each in SECTIONS]


def test_each_id_stands_once_and_each_link_leads_somewhere():
    page = render(full())
    ids = re.findall(r' id="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]*)"', page)) <= set(ids)
    assert set(re.findall(r'aria-labelledby="([^"]*)"', page)) <= set(ids)


def test_a_report_without_a_finding_is_a_page_too():
    page = render(Report("core", "the default", (SectionReport(SECTIONS[0], "ok"),), 0))
    assert "<title>PASS: 0 violations · mcp-review</title>" in page
    assert "maturity" in page


def test_a_shared_help_is_said_once():
    assert render(many(3)).count("mend tool") == 3
    same = tuple(finding(line, help="mend it") for line in (1, 2, 3))
    part = SectionReport(SECTIONS[9], "violations", same)
    assert render(Report("core", "the default", (part,), 1)).count("mend it") == 1


def test_what_is_new_and_what_is_worst_stands_first():
    places = re.findall(r'<code class="place">(word\.py:\d+)</code>', render(full()).partition('id="s10"')[2])
    assert places[:5] == ["word.py:1", "word.py:2", "word.py:3", "word.py:4", "word.py:5"]


@pytest.mark.parametrize(
    ("span", "lines", "marked"),
    [
        (Span("a.py", 3, 5, 3, 8), ("def run(x):",), ["run"]),
        (Span("a.py", 3, 5, 4, 8), ("def run(", "    x, y)"), ["run(", "x, "]),
        (Span("a.py", 3, 2, 3, 3), ("\tx\ty",), ["x"]),
        (Span("a.py", 3, 1, 3, 1), ("nothing",), []),
        (Span("a.py", 3, 90, 3, 99), ("short",), []),
        (Span("a.py", 3, 1, 5, 2), ("if x:", "", "    y"), ["if x:", "y"][:1]),
    ],
)
def test_the_flawed_part_is_marked(span, lines, marked):
    shown = serialize_document(render_excerpt(span, lines))
    assert re.findall("<mark>(.*?)</mark>", shown)[: len(marked)] == marked
    assert re.findall(r'data-line="(\d+)"', shown) == [str(span.line + at) for at in range(len(lines))]


def test_of_a_long_line_the_part_around_the_mark_is_shown():
    line = "x" * 5000 + "flaw" + "y" * 5000
    shown = serialize_document(render_excerpt(Span("a.py", 1, 5001, 1, 5005), (line,)))
    assert "<mark>flaw</mark>" in shown
    assert len(shown) < WIDTH + 300
    assert shown.count("…") == 2


def test_of_a_long_place_the_rest_is_counted():
    assert "… 15 more lines" in serialize_document(render_excerpt(Span("a.py", 1, 1, 25, 3), ("x",) * 10))


def test_code_in_messages():
    assert serialize_document(tag("p", render_prose("a `b` c"))) == "<!DOCTYPE html>\n<p>a <code>b</code> c</p>\n"
    assert serialize_document(tag("p", render_prose("a ` b"))) == "<!DOCTYPE html>\n<p>a ` b</p>\n"
    assert serialize_document(tag("p", render_prose("`a`b` c"))) == "<!DOCTYPE html>\n<p><code>a`b</code> c</p>\n"
    assert serialize_document(tag("p", render_prose("`b`"))) == "<!DOCTYPE html>\n<p><code>b</code></p>\n"


def test_the_source_of_each_place_is_asked_for():
    assert "html" in QUOTING
    assert RENDERERS["html"](full()) == render(full())
