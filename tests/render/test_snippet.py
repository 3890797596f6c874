"""What stands under a finding on a terminal: its line of source, the span underlined, the remedy; whatever the source holds."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from reports import finding

from reviewer.render.cells import cut, measure_width
from reviewer.render.plain import HIDDEN, escape_hidden
from reviewer.render.snippet import iter_snippet_lines
from reviewer.source import Span

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "evals" / "formats"))

from hostile import corpus


def shown(line: str, column: int, end_column: int, columns: int | None = 80, help_: str = "") -> list[str]:
    """Return the lines under a finding at a stretch of one line."""
    span = Span("a.py", 7, column, 7, end_column)
    return list(iter_snippet_lines(replace(finding(7), span=span, excerpt=(line,), help=help_), columns))


def marked(lines: list[str]) -> str:
    """Return what is underlined, where each character takes one cell."""
    source, carets = lines
    return "".join(char for char, mark in zip(source, carets.ljust(len(source)), strict=False) if mark == "^")


def test_the_span_is_underlined():
    assert shown("def read(path):", 5, 9) == ["    7 | def read(path):", "      |     ^^^^"]


def test_a_span_of_several_lines_is_underlined_to_the_end_of_the_first():
    several = replace(finding(7), span=Span("a.py", 7, 5, 9, 2), excerpt=("def read(  ", "    path,", ")"), help="")
    assert list(iter_snippet_lines(several, 80)) == ["    7 | def read(", "      |     ^^^^^"]


def test_the_remedy_stands_below_and_is_wrapped_on_a_terminal_only():
    remedy = "Say what it does, when to use it, and what limits it has."
    assert shown("x", 1, 2, None, remedy)[2] == f"      = help: {remedy}"
    assert shown("x", 1, 2, 50, remedy)[2:] == [
        "      = help: Say what it does, when to use it,",
        "              and what limits it has.",
    ]


def test_a_tab_and_wide_letters_keep_the_underline_below_the_span():
    assert shown("\tread(path)", 2, 6) == ["    7 |     read(path)", "      |     ^^^^"]
    assert shown("x\tread", 3, 7) == ["    7 | x   read", "      |     ^^^^"]
    assert shown('"日本語" + name', 9, 13) == ['    7 | "日本語" + name', "      |            ^^^^"]
    assert shown('name = "日本"', 8, 12) == ['    7 | name = "日本"', "      |        ^^^^^^"]
    assert shown("e\u0301 = name", 6, 10) == ["    7 | e\u0301 = name", "      |     ^^^^"]


def test_what_is_hidden_is_written_out_and_underlined_whole():
    assert shown("a\u202eb", 2, 3) == ["    7 | a\\u{202e}b", "      |  ^^^^^^^^"]


@pytest.mark.parametrize("columns", [40, 80, None])
@pytest.mark.parametrize("before", [0, 30, 500, 100_000])
@pytest.mark.parametrize("length", [1, 20, 300])
@pytest.mark.parametrize("letter", ["a", "\t", "語", "\u202e"])
def test_a_long_line_is_cut_around_the_span(columns, before, length, letter):
    line = letter * before + "X" * length + letter * 400
    source, carets = shown(line, before + 1, before + 1 + length, columns)
    assert measure_width(source) <= (columns or 160)
    assert measure_width(carets) <= (columns or 160)
    seen = marked([source, carets]) if letter != "語" else "X"
    assert seen.startswith("X")
    assert not seen.strip("X…")
    assert source.endswith("…")


def test_a_place_beyond_the_line_and_a_line_that_is_empty_harm_nothing():
    assert shown("ab", 90, 95) == ["    7 | ab", "      |   ^"]
    assert shown("   ", 1, 2) == []
    assert list(iter_snippet_lines(replace(finding(7), excerpt=(), help=""), 80)) == []


@pytest.mark.parametrize("case", corpus(), ids=lambda case: case.kind)
def test_hostile_source_stays_behind_the_gutter(case):
    lines = [each for line in case.text.split("\n") for each in shown(line, 1, len(line) + 1)]
    for each in [*lines, *shown("x", 1, 2, help_=case.text)]:
        assert each.startswith(("    7 | ", "      | ", "      = help: ", " " * 14))
        assert escape_hidden(each) == each


def test_text_is_cut_by_its_cells():
    assert cut("abc", 3) == "abc"
    assert cut("abcd", 3) == "ab…"
    assert cut("日本語", 5) == "日本…"
    assert cut("日本語", 4) == "日…"
    assert not HIDDEN & {"Mn"}  # combining marks are shown, and take no cell
