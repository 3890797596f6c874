"""What the interpreter itself makes of a docstring, from 3.13 on."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.languages.python.declarations.documentation import dedent_docstring
from reviewer.source import Span, Text

AT = Span("server.py", 1, 1, 1, 1)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("  Read a file.   ", "Read a file.   "),
        ("Read.\n\n    More.\n      Deeper.\n    ", "Read.\n\nMore.\n  Deeper.\n"),
        ("Read.\n\tMore.", "Read.\nMore."),
        ("Read.\r\n\r\n    More.", "Read.\r\n\r\n    More."),
        ("\n  Read.\n More.", "\n Read.\nMore."),
    ],
)
def test_only_the_margin_goes(written: str, kept: str) -> None:
    assert dedent_docstring(Text(written, AT)) == kept


@pytest.mark.skipif(sys.version_info < (3, 13), reason="older interpreters keep the indentation")
@given(st.text("a \t\n\r\f", max_size=30))
def test_it_equals_the_interpreter(written: str) -> None:
    spaces: dict[str, object] = {}
    exec(f"def tool():\n    {written!r}", spaces)
    assert dedent_docstring(Text(written, AT)) == spaces["tool"].__doc__
