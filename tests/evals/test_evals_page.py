"""The page of the evals names each script, and each script says what it does and needs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EVALS = ROOT / "evals"
CALLED = {"agent/entry_point.py"}
"""What another script has run, not a person."""

SCRIPTS = sorted(
    each.relative_to(EVALS).as_posix()
    for each in EVALS.rglob("*.py")
    if "clean" not in each.parts and 'if __name__ == "__main__"' in each.read_text("utf-8")
)


def test_the_page_names_each_script_and_no_other():
    named = re.findall(r"^\| `([^`]+)` \|", (EVALS / "README.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(named) == [each for each in SCRIPTS if each not in CALLED]


@pytest.mark.slow
@pytest.mark.parametrize("script", [each for each in SCRIPTS if each not in CALLED])
def test_each_script_says_what_it_does(script):
    asked = [sys.executable, EVALS / script, "--help"]
    # The server mode sets it for its workers, and does so in the process of its tests: a script would not find what lies beside it.
    around = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run(asked, env={**around, "PYTHONPATH": str(ROOT)}, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout
