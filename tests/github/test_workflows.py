"""The action and the workflows that people copy hold to GitHub's schemas and to what zizmor asks of them."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent
WORKFLOWS = sorted([*(ROOT / "examples/workflows").glob("*.yml"), *(ROOT / ".github/workflows").glob("*.yml")])
BIN = Path(sys.executable).parent


def passes(*command):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "files"),
    [("vendor.github-actions", [ROOT / "action.yml"]), ("vendor.github-workflows", WORKFLOWS)],
    ids=["action", "workflows"],
)
def test_schema(schema, files):
    passes(sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *files)


def test_security():
    passes(BIN / "zizmor", "--offline", "--persona", "auditor", ROOT / "action.yml", *WORKFLOWS)


def test_what_people_copy_is_short():
    assert len((ROOT / "examples/workflows/review.yml").read_text().splitlines()) < 15


def test_the_docs_show_the_workflow_and_name_every_input():
    docs = (ROOT / "docs/github-action.md").read_text()
    assert f"```yaml\n{(ROOT / 'examples/workflows/review.yml').read_text()}```" in docs
    for name in yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]:
        assert f"`{name}`" in docs


def test_every_input_is_used_and_every_used_one_declared():
    import re

    text = (ROOT / "action.yml").read_text()
    declared = set(yaml.safe_load(text)["inputs"])
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == declared


def test_no_expression_stands_in_a_script():
    for step in yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
