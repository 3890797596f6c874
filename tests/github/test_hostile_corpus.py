"""No text of the corpus breaks out of a comment: hostile and benign reports read alike, but for what stands in their words."""

import re
import sys
from pathlib import Path

import pytest

from reviewer.github.texts import (
    LONGEST_COMMENT,
    LONGEST_PATH,
    CommentMark,
    Whereabouts,
    format_comment,
    format_line_comment,
    parse_finding_mark,
)

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "evals" / "formats"))

from hostile import benign, corpus, made
from shapes import of_markdown

PLACES = {
    "with links": Whereabouts("https://github.com/o/r", "a" * 40, "https://github.com/o/r/actions/runs/5"),
    "without": Whereabouts(),
}


def shape(text):
    """Return the shape of a comment; the addresses of its links are its own."""
    text = text.replace("https://github.com/o/r/actions/runs/5", "").replace(
        "github.com/o/r/", "github.com/owner/name/"
    )
    return of_markdown(re.sub("(?<!a)a{12}(?!a)", "", text))


@pytest.mark.slow
@pytest.mark.parametrize("case", corpus(), ids=lambda case: case.kind)
def test_hostile_text_changes_no_shape(case):
    report = made(case.text)
    twin = benign(report)
    for at in PLACES.values():
        written = format_comment(report, "mcp-review", at)
        assert len(written) <= LONGEST_COMMENT
        linked = not at.commit or len(case.text) < LONGEST_PATH // 2
        if linked and "left out here" not in written:
            assert shape(written) == shape(format_comment(twin, "mcp-review", at))
    for hostile, plain in zip(report.findings, twin.findings, strict=True):
        written = format_line_comment(hostile, "mcp-review")
        assert of_markdown(written) == of_markdown(format_line_comment(plain, "mcp-review"))
        assert parse_finding_mark("mcp-review", written) == CommentMark(hostile.fingerprint)
