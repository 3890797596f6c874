"""The guides for those who extend mcp-review: what they have somebody write works, and the places that they name are there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WRITTEN = re.compile(r"^(`{3,})\w+ ([^\n]+)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
"""A fence with the name of a file: what stands in it is written there, after what there is."""
GUIDES = ["CONTRIBUTING.md", "docs/architecture.md", "docs/add-a-rule.md", "docs/models.md", "docs/add-a-language.md"]
PARTS = [
    "reviewer",
    "prompts",
    "tests/mdtest.py",
    "tests/conftest.py",
    "tests/test_rules.py",
    "tests/test_every_rule.py",
]
"""What the tests of one rule need of a checkout."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "tests", "count"),
    [("add-a-rule.md", "title-repeats-name", 7), ("models.md", "library and kilns", 1)],
)
def test_what_a_guide_has_somebody_write_works(page, tests, count, tmp_path):
    (tmp_path / "tests").mkdir()
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copyfile
        copy(ROOT / part, tmp_path / part)
    files = WRITTEN.findall((ROOT / "docs" / page).read_text("utf-8"))
    assert files
    for _, name, text in files:
        before = (ROOT / name).read_text("utf-8") if (ROOT / name).exists() else ""
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(before + text, "utf-8")
    program = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(tmp_path), "-k", tests, "tests"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) >= count


DECISIONS = sorted(each.relative_to(ROOT).as_posix() for each in ROOT.glob("docs/decisions/*.md"))


@pytest.mark.parametrize("page", DECISIONS)
def test_the_places_that_a_decision_names_are_there(page):
    """A decision names modules by the end of their path."""
    text = (ROOT / page).read_text("utf-8")
    folders = (ROOT / "reviewer", ROOT / "tests", ROOT / ".ci")
    modules = [f"/{each.relative_to(ROOT)}" for folder in folders for each in folder.rglob("*.py")]
    for each in re.findall(r"`([\w/]+\.py)`", text):
        assert any(module.endswith(f"/{each}") for module in modules), each


@pytest.mark.parametrize("page", DECISIONS)
def test_a_decision_has_its_number_and_its_status(page):
    title, _, status, *_ = (ROOT / page).read_text("utf-8").splitlines()
    number = int(Path(page).name.partition("-")[0])
    assert title.startswith(f"# {number}. ")
    assert status.startswith("Status: ")


@pytest.mark.parametrize("page", GUIDES)
def test_the_places_that_a_guide_names_are_there(page):
    text = WRITTEN.sub("", (ROOT / page).read_text("utf-8"))
    named = re.findall(r"`((?:reviewer|tests|evals|prompts|docs|examples|skills|agents|commands|\.ci)/[^`\s]*)`", text)
    assert named
    for each in named:
        assert "<" in each or list(ROOT.glob(each.rstrip("/"))), each
