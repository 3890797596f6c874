"""What each construct is lowered to, as the pages beside this file say."""

import re
from pathlib import Path

import pytest
from python_lowered import body

SECTION = re.compile(
    r"^## (?P<title>[^\n]+)\n```python\n(?P<source>.*?)\n```\n```\n(?P<listing>.*?)\n```$", re.M | re.S
)
CASES = [
    pytest.param(found["source"], found["listing"], id=f"{page.stem}: {found['title']}")
    for page in sorted(Path(__file__).parent.glob("*.md"))
    for found in SECTION.finditer(page.read_text("utf-8"))
]


@pytest.mark.parametrize(("source", "expected"), CASES)
def test_listing(source, expected):
    assert body(source) == expected


def test_all_sections_are_read():
    pages = Path(__file__).parent.glob("*.md")
    assert len(CASES) == sum(page.read_text("utf-8").count("\n## ") for page in pages)
