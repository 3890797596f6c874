"""Crashes, hangs, memory and silent deaths of a watched process are told, and reduced to what causes them."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "evals" / "fuzz"))

import fuzzers
from cases import Case
from reducing import minimal
from watching import Watch

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the watch reads /proc")


def made(number: int) -> Case:
    return Case("review", {"n": str(number).encode()})


def told(attempt, count: int = 3):
    """Run cases 0 to `count`, of which number 1 is at fault; give its faults by number, and the tally."""

    def attempting(case: Case, _every_format: bool) -> str:
        return attempt() if case.files["n"] == b"1" else "refused"

    watch = Watch(made, seconds=0.5, attempt=attempting)
    found = [(number, fault.kind, fault.what) for number, fault in watch.run(range(count))]
    return found, watch.tally


def loop() -> str:
    while True:
        pass


def wait() -> str:
    reading, _ = os.pipe()
    return str(os.read(reading, 1))


def fill() -> str:
    return "x" * (2 << 30)


def leave() -> str:
    os.abort()


def fail() -> str:
    raise KeyError("x")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("attempt", "fault"),
    [
        (fail, (1, "crash", "KeyError")),
        (fill, (1, "memory", "")),
        (leave, (1, "death", "")),
        (loop, (1, "hang", "")),
        (wait, (1, "hang", "")),
    ],
)
def test_a_fault_is_told_and_the_next_cases_run(attempt, fault) -> None:
    found, tally = told(attempt)
    assert found == [fault]
    assert (tally.inputs, tally.refused) == (3, 2)


def test_what_is_left_of_a_case_is_what_causes_the_fault() -> None:
    parts = [bytes([each]) for each in b"abcdefghijklm"]
    assert b"".join(minimal(parts, lambda kept: b"c" in kept and b"k" in kept)) == b"ck"


@pytest.mark.parametrize("name", fuzzers.FUZZERS)
def test_a_number_gives_the_same_case_each_time(name: str) -> None:
    assert fuzzers.case(name, 7) == fuzzers.case(name, 7)
    assert len({fuzzers.case(name, number).size for number in range(20)}) > 5
