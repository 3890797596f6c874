"""No text of the reviewed source breaks out of any format, told by a reader of each format."""

import sys
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path

import pytest

from reviewer.render import RENDERERS
from reviewer.render.plain import is_plain

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "evals" / "formats"))

from hostile import benign, corpus, made
from shapes import SHAPES


@cache
def twins():
    return {name: shape(RENDERERS[name](benign(made("x")))) for name, shape in SHAPES.items()}


def test_every_format_has_a_shape():
    assert set(SHAPES) == set(RENDERERS)


@pytest.mark.slow
@pytest.mark.parametrize("case", corpus(), ids=lambda case: case.kind)
def test_hostile_text_changes_no_shape(case):
    report = made(case.text)
    usual = "\n" not in case.text and is_plain([case.text])  # no line more, and nothing hidden in what is suggested
    twin = twins() if usual else {n: shape(RENDERERS[n](benign(report))) for n, shape in SHAPES.items()}
    for name, shape in SHAPES.items():
        assert shape(RENDERERS[name](report)) == twin[name], name


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("markdown", "- {}\n"),
        ("github", "::error file=a,line=1::{}\n"),
        ("github", "error at {}\n"),
        ("junit", "<a>{}</a>"),
        ("json", '{{"a": "{}"}}'),
        ("html", "<p title='{0}'>{0}</p>"),
    ],
)
def test_a_renderer_that_escapes_nothing_is_caught(name, written):
    caught = 0
    for case in corpus():
        try:
            caught += SHAPES[name](written.format(case.text)) != SHAPES[name](written.format("plain words"))
        except (ValueError, ET.ParseError):
            caught += 1
    assert caught > 10
