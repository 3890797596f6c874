"""What reviewed text may look like in Markdown: code or plain words, never a link, a mention, a reference or markup."""

import pytest
from markdown_it import MarkdownIt

from reviewer.render.markdown import LONGEST, render_block, render_code, render_prose

GFM = MarkdownIt("gfm-like")


def kinds(markdown):
    return [child.type for token in GFM.parse(markdown) for child in [token, *(token.children or ())]]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("tool `read` has no description", "tool `read` has no description"),
        ("see (`a.b`), then `c`.", "see (`a.b`), then `c`."),
        ("§1 of tools/list, e.g. 20% or so: well-known!", "§1 of tools/list, e.g. 20% or so: well-known!"),
        ("`x` @someone `y`", "`x` `@someone` `y`"),
        ("fixes #12, GH-12 and owner/repo#1", "fixes `#12`, `GH-12` and `owner/repo#1`"),
        ("since 4882d93a", "since `4882d93a`"),
        ("(http://example.test/x)", "(`http://example.test/x`)"),
        ("www.example.test me@example.test", "`www.example.test` `me@example.test`"),
        (":tada: $x$ <b> [a](b) ![a](b) *a* _a_ ~~a~~ &amp; \\", None),
        ("a | b", "a &#124; b"),
        ("`a|b`", "`a`&#124;`b`"),
        ("`a``b`", "```a``b```"),
        ("`a`b` has no title", "``a`b`` has no title"),
        ("``a`b`` and `c`", "``a`b`` and `c`"),
        ("runs `ask('SELECT `id` FROM note')` and `x`", "runs ``ask('SELECT `id` FROM note')`` and `x`"),
        ("`a``", "``` `a`` ```"),
        ("returns Value without respond(), bypassing it", "returns Value without `respond()`, bypassing it"),
        ("returns Value without respond()…", "returns Value without `respond()`…"),
        ("(calls f(g()))", "(calls `f(g())`)"),
        ("no partner ` here", "no partner `` ` `` here"),
        ("a\nb\r\u202e", r"`a\nb\r\u{202e}`"),
    ],
)
def test_words_stay_words_and_the_rest_is_code(said, shown):
    written = render_prose(said)
    assert shown is None or written == shown
    assert set(kinds(f"- {written}")) <= {
        *("bullet_list_open", "list_item_open", "paragraph_open", "inline", "text", "text_special", "code_inline"),
        *("paragraph_close", "list_item_close", "bullet_list_close"),
    }


@pytest.mark.parametrize("name", ["a`b", "respond(`", "`x", "x`", "``", "a``b", "a` b", "`", "a|`b"])
def test_no_character_of_what_a_message_quotes_is_lost(name):
    (inline,) = [token for token in GFM.parse(render_prose(f"tool `{name}` has no title")) if token.type == "inline"]
    shown = "".join(child.content for child in inline.children)
    assert shown.startswith("tool ")
    assert shown.endswith(" has no title")
    assert shown.replace("`", "") == f"tool {name} has no title".replace("`", "")
    assert shown.count("`") >= name.count("`")


@pytest.mark.parametrize("shown", ["`", "``", "a`", "`a", " a ", " ", "a``b`c", "\\", "a\\|b", "|", "||", "a|", "|`|"])
def test_code_shows_what_it_was_given(shown):
    for markdown in (f"x {render_code(shown)} y", f"| h |\n| --- |\n| x {render_code(shown)} y |"):
        inline = [token for token in GFM.parse(markdown) if token.type == "inline"][-1]
        assert "".join(child.content for child in inline.children) == f"x {shown} y"


def test_a_long_text_is_cut_visibly():
    assert render_code("a" * (LONGEST + 5)) == f"`{'a' * LONGEST}… ({LONGEST + 5} characters)`"


def test_no_line_closes_a_block():
    shown = render_block(["````", "~~~", "\tx = '\u200b'"], "python", "  ")
    tokens = GFM.parse(f"- item\n\n{shown}\n")
    (fence,) = [token for token in tokens if token.type == "fence"]
    assert (fence.info, fence.content) == ("python", "````\n~~~\n    x = '\\u{200b}'\n")
