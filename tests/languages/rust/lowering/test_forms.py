"""Each construct of Rust, and the code that it is lowered to."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from listing import listing

from reviewer.languages.nodes import parse
from reviewer.languages.rust.lowering import lower_function, lower_module
from reviewer.source import Source

FORMS = Path(__file__).parent / "forms"


def _cases() -> Iterator[object]:
    """Yield the title, the source and the listing of each form; an empty line is between these, two are between forms."""
    for path in sorted(FORMS.glob("*.txt")):
        for case in path.read_text("utf-8").strip().split("\n\n\n"):
            head, _, expected = case.strip().partition("\n\n")
            title, _, source = head.partition("\n")
            yield pytest.param(source, expected, id=f"{path.stem}: {title.removeprefix('# ')}")


@pytest.mark.parametrize(("source", "expected"), list(_cases()))
def test_form(source: str, expected: str) -> None:
    file = Source("lib.rs", source.encode())
    root = parse(file, "rust")
    function = next((each for each in root.named_children if each.type == "function_item"), None)
    is_module = expected.startswith("module") or function is None
    code = lower_module(file, root) if is_module or function is None else lower_function(file, function)
    assert listing(code) == expected
