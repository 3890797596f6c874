"""The work of a review grows with the code, and not with its square."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from reviewer import review

SPEC = spec_from_file_location("growth", Path(__file__).parents[2] / "evals/speed/growth.py")
assert SPEC is not None
assert SPEC.loader is not None
growth = module_from_spec(SPEC)
SPEC.loader.exec_module(growth)


def _calls(folder: Path) -> int:
    """Return how many functions a review of a folder calls: the same on every machine."""
    count = 0

    def note(frame: FrameType, event: str, given: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        review(folder)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.slow
@pytest.mark.parametrize("kind", growth.KINDS)
def test_twice_the_code_is_twice_the_work(kind: str, tmp_path: Path) -> None:
    counts = []
    for size in (5, 30, 60, 120):  # the first one also does what is done once in a process
        for name, text in growth.KINDS[kind][0](size).items():
            path = tmp_path / str(size) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        counts.append(_calls(tmp_path / str(size)))
    less, more = counts[2] - counts[1], counts[3] - counts[2]
    assert more / less < 2.6, f"{counts}: 2 is linear, 4 is quadratic"
