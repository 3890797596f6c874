"""The library as others use it: typed, and as its page describes it."""

import importlib.metadata
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import reviewer
from reviewer.handbook.api_page import PROMISED, format_type

ROOT = Path(__file__).parents[1]
SNIPPETS = [
    (path, snippet)
    for path in ("README.md", "docs/api.md")
    for snippet in re.findall(r"^```python\n(.*?)^```$", (ROOT / path).read_text("utf-8"), re.M | re.S)
    if snippet.startswith("import ")
]


def test_every_public_name_is_on_the_page():
    assert set(PROMISED) == set(reviewer.__all__) - {"__version__"}
    assert all(hasattr(reviewer, name) for name in reviewer.__all__)


def test_the_version_is_one():
    plugin = json.loads((ROOT / ".claude-plugin/plugin.json").read_text("utf-8"))
    assert reviewer.__version__ == plugin["version"] == importlib.metadata.version("mcp-review")


@pytest.mark.slow
def test_mypy_accepts_the_examples_as_a_user_of_the_package(tmp_path):
    assert len(SNIPPETS) == 3
    for number, (_, snippet) in enumerate(SNIPPETS):
        (tmp_path / f"example_{number}.py").write_text(snippet, "utf-8")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "import reviewer\n\nfor finding in reviewer.review('.').findings:\n    finding.span.line.upper()\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", tmp_path / "cache", tmp_path],
        capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path,
    )  # fmt: skip
    # A package without type hints would be accepted whatever is done with it: the wrong line shows that ours has some.
    assert done.stdout.splitlines()[0] == 'wrong.py:4: error: "int" has no attribute "upper"  [attr-defined]'
    assert done.stdout.splitlines()[1].startswith("Found 1 error in 1 file")


@pytest.mark.slow
@pytest.mark.parametrize(("path", "snippet"), SNIPPETS)
def test_the_examples_run(path, snippet, tmp_path):
    server = ROOT / "examples/notes-python"
    done = subprocess.run(
        [sys.executable, "-c", snippet.replace("path/to/server", str(server))],
        capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.returncode == int("sys.exit(1)" in snippet)
    assert done.stdout


@pytest.mark.parametrize(
    ("annotation", "shown"),
    [
        (int | None, "int | None"),
        (tuple[reviewer.Finding, ...], "tuple[Finding, ...]"),
        (dict[str, Path], "dict[str, Path]"),
        ("Report", "Report"),
    ],
)
def test_types_are_shown_as_one_reads_them(annotation, shown):
    assert format_type(annotation) == shown


def test_the_hints_are_in_the_package():
    assert (Path(reviewer.__file__).parent / "py.typed").is_file()
