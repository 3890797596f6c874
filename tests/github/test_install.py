"""What the action installs is what its lock says, whatever lies in the cache."""

import os
import subprocess
from hashlib import sha256
from pathlib import Path
from shutil import copy
from zipfile import ZipFile

import pytest

from tests.github.runner import Runner

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
WHEEL = "locked_thing-1.0-py3-none-any.whl"


def wheel(folder, said):
    """Write a wheel of one module, and give its digest."""
    about = "locked_thing-1.0.dist-info"
    folder.mkdir(exist_ok=True)
    with ZipFile(folder / WHEEL, "w") as written:
        written.writestr("locked_thing.py", f"said = {said!r}\n")
        written.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: locked-thing\nVersion: 1.0\n")
        written.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        written.writestr(
            f"{about}/RECORD", f"locked_thing.py,,\n{about}/METADATA,,\n{about}/WHEEL,,\n{about}/RECORD,,\n"
        )
    return sha256((folder / WHEEL).read_bytes()).hexdigest()


@pytest.fixture
def runner(tmp_path):
    """An action whose lock names one wheel, which lies in a folder that stands for the index."""
    action, temp, work = (tmp_path / name for name in ("action", "temp", "work"))
    for each in (action / "locks", action / "reviewer", temp, work):
        each.mkdir(parents=True)
    copy(ROOT / "action.yml", action)
    (action / "reviewer/__main__.py").write_text("import locked_thing, sys\nprint(locked_thing.said, *sys.argv[1:])\n")
    digest = wheel(tmp_path / "index", "as locked")
    for name in ("review", "judge"):
        (action / f"locks/{name}.txt").write_text(f"# {name}\nlocked-thing==1.0 \\\n    --hash=sha256:{digest}\n")
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    variables = {**own, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path / "index"), "PIP_CONFIG_FILE": os.devnull}
    replaced = {"setup": {}, "kept": {}, "review": {"exit-code": "0"}}
    return Runner(action / "action.yml", work, temp, {"action_path": str(action)}, variables, replaced)


def said(runner, *arguments):
    command = runner.outputs["install"]["command"]
    done = subprocess.run([command, *arguments], capture_output=True, text=True, check=False, cwd=runner.workspace)
    return done.stdout.strip() or done.stderr


def test_what_the_lock_says_is_installed_and_kept(runner):
    assert runner.run() == 0, runner.log
    assert said(runner, "a b", "$c") == "as locked a b $c"
    assert (runner.temp / "mcp-review-wheels" / WHEEL).exists()


def test_what_is_kept_is_not_downloaded_again(runner, tmp_path):
    assert runner.run() == 0, runner.log
    (tmp_path / "index" / WHEEL).unlink()
    assert runner.run() == 0, runner.log
    assert said(runner) == "as locked"


def test_a_cache_that_somebody_else_filled_changes_nothing(runner):
    wheel(runner.temp / "mcp-review-wheels", "somebody else's")
    assert runner.run() == 0, runner.log
    assert said(runner) == "as locked"


def test_an_index_that_gives_something_else_is_refused(runner, tmp_path):
    wheel(tmp_path / "index", "somebody else's")
    assert runner.run() != 0
    assert "command" not in runner.outputs["install"]


def test_nothing_of_the_checkout_is_imported(runner):
    for name in ("locked_thing", "reviewer", "sitecustomize", "pip", "sysconfig"):
        (runner.workspace / f"{name}.py").write_text("print('owned')\n")
    assert runner.run() == 0, runner.log
    assert said(runner) == "as locked"


def test_a_judge_has_a_lock_of_its_own(runner):
    keys = set()
    for judge in ("none", "anthropic"):
        runner.run(judge=judge)
        lock = Path(runner.outputs["lock"]["file"])
        keys.add(runner.outputs["lock"]["key"])
        assert lock.stem == ("review" if judge == "none" else "judge")
    assert len(keys) == 2
