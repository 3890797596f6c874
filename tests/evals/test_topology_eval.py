"""The topologies move code without changing what it means, and say where they cannot."""

import asyncio
import importlib
import sys
from pathlib import Path
from shutil import copytree

import pytest

EVAL = Path(__file__).parents[2] / "evals" / "checklist"
sys.path.insert(0, str(EVAL))

from mutation import CLEAN, load  # noqa: E402
from reviewing import servers  # noqa: E402
from syntax import parses  # noqa: E402
from topology import python_syntax, rust_syntax, trials  # noqa: E402
from topology.reshaping import function_at, reshape  # noqa: E402
from topology.shapes import CHAINS, OF_SERVERS, TOPOLOGIES, NotApplicableError, Target  # noqa: E402

EVERY = 9
"""Of the functions of the clean servers every so many is transformed, so that the test does not take minutes."""
LIBRARY = '''"""A library of books."""

import asyncio
from dataclasses import dataclass
from typing import Annotated

MOST = 3
TITLES = ["ash", "birch", "cedar", "dogwood"]


def shout(text: str) -> str:
    return text.upper() + "!"


def page(start: int = 0, *, size: Annotated[int, "of a page"] = 2) -> list[str]:
    """Give a page of titles."""
    size = min(size, MOST)
    return [shout(title) for title in TITLES[start : start + size]]


async def both(*words: str, **options: str) -> str:
    await asyncio.sleep(0)
    text = """two
  lines """ + "".join(words)
    return text + options["end"]


@dataclass
class Shelf:
    """A shelf."""

    held: int = 0

    def put(self, count: int) -> "Shelf":
        if count > MOST:
            raise ValueError("too many")
        self.held += count
        return self

    def size(self) -> int:
        return self.held


def double(count: int) -> int: return count * 2


def counted(most: int):
    yield from range(most)
'''
MOVING = [each for each in TOPOLOGIES if each not in OF_SERVERS]


def _targets(server: str) -> list[Target]:
    """Return every so many functions of a clean server."""
    found = []
    for path in sorted((CLEAN / server).rglob("*.*")):
        name = str(path.relative_to(CLEAN / server))
        if path.suffix == ".py":
            found += [
                Target(name, each.name) for each in python_syntax.functions(python_syntax.Module(CLEAN / server, name))
            ]
        elif path.suffix == ".rs":
            found += [
                Target(name, each.name) for each in rust_syntax.functions(rust_syntax.Source(CLEAN / server, name))
            ]
    return found[::EVERY]


@pytest.mark.slow
@pytest.mark.parametrize("server", servers())
def test_what_is_transformed_can_be_parsed(server: str, tmp_path: Path) -> None:
    done = 0
    for number, target in enumerate(_targets(server)):
        for topology in TOPOLOGIES:
            root = copytree(CLEAN / server, tmp_path / f"{number} {topology}")
            try:
                made = reshape(root, server, target, topology)
            except NotApplicableError:
                continue
            done += 1
            assert all((root / path).exists() for path in made)
            assert all(parses(path) for path in root.rglob("*") if path.is_file())
    assert done > len(MOVING)


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """Write a package of one module, whose name is new for each test."""
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "library.py").write_text(LIBRARY, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "package"]:
        del sys.modules[name]


@pytest.mark.parametrize("topology", MOVING)
@pytest.mark.parametrize("name", ["shout", "page", "both", "Shelf.put"])
def test_what_is_transformed_does_the_same(name: str, topology: str, library: Path) -> None:
    made = reshape(library, "python", Target("package/library.py", name), topology)
    assert bool(made) is (topology in CHAINS or topology == "third file")
    module = importlib.import_module("package.library")
    assert (module.page(), module.page(1, size=9)) == (["ASH!", "BIRCH!"], ["BIRCH!", "CEDAR!", "DOGWOOD!"])
    assert asyncio.run(module.both("a", "b", end=".")) == "two\n  lines ab."
    assert module.Shelf().put(2).put(1).size() == 3
    with pytest.raises(ValueError, match="too many"):
        module.Shelf().put(4)


@pytest.mark.parametrize("topology", MOVING[:-1])
@pytest.mark.parametrize("name", ["double", "counted", "nothing"])
def test_a_body_that_means_its_place_is_left_there(name: str, topology: str, library: Path) -> None:
    with pytest.raises(NotApplicableError):
        reshape(library, "python", Target("package/library.py", name), topology)


def test_a_method_takes_its_object_along(library: Path) -> None:
    reshape(library, "python", Target("package/library.py", "Shelf.put"), "chain of 2")
    text = (library / "package/put_steps.py").read_text("utf-8")
    assert 'def put_handed(owner: "Shelf", count: int) -> "Shelf":\n    return put_prepared(owner, count)' in text
    assert "    owner.held += count\n    return owner" in text
    assert "MOST = 3" in text
    assert "MOST" not in (library / "package/library.py").read_text("utf-8").partition("class Shelf")[2]


def test_tools_are_registered_by_a_loop(tmp_path: Path) -> None:
    root = copytree(CLEAN / "python_single", tmp_path / "python_single")
    reshape(root, "python_single", None, "loop")
    assert 'for function, options in (\n    (task, {"name": "task", "description": DESCRIPTION}),\n):' in (
        root / "tasks/server.py"
    ).read_text("utf-8")
    assert "HANDLERS[key] = function" in (root / "tasks/handlers.py").read_text("utf-8")
    root = copytree(CLEAN / "rust_foundry_trait", tmp_path / "rust_foundry_trait")
    reshape(root, "rust_foundry_trait", None, "loop")
    assert "Arc::new(notes::KeepNote) as Arc<dyn Tool>,\n" in (root / "src/tools/mod.rs").read_text("utf-8")


def test_a_guard_goes_to_a_package_that_is_not_there(tmp_path: Path) -> None:
    root = copytree(CLEAN / "python_dispatch", tmp_path / "python_dispatch")
    reshape(root, "python_dispatch", None, "guard absent")
    assert not (root / "archive/core/respond.py").exists()
    assert "from house_guards.respond import respond" in (root / "archive/letters/handlers.py").read_text("utf-8")
    root = copytree(CLEAN / "rust_single", tmp_path / "rust_single")
    reshape(root, "rust_single", None, "guard absent")
    assert "mod respond;" not in (root / "src/main.rs").read_text("utf-8")
    assert "use house_guards::respond::respond;" in (root / "src/handlers.rs").read_text("utf-8")
    with pytest.raises(NotApplicableError):
        reshape(root, "rust_foundry_trait", None, "guard absent")


TALLY = """//! Counts.

use std::collections::HashMap as Map;

pub struct Tally {
    seen: Map<String, u64>,
}

impl Tally {
    pub fn add(&mut self, word: &str) -> u64 {
        let count = self.seen.entry(word.to_owned()).or_insert(0);
        *count += STEP;
        *count
    }
}

const STEP: u64 = 2;

fn most(words: &[String], mut least: u64) -> Option<u64> {
    least += STEP;
    words.iter().map(|word| word.len() as u64).filter(|size| *size > least).max()
}
"""


def test_a_rust_body_goes_below_with_what_it_uses(tmp_path: Path) -> None:
    path = tmp_path / "src/tally.rs"
    path.parent.mkdir()
    path.write_text(TALLY, "utf-8")
    assert function_at(tmp_path, "src/tally.rs", 12) == Target("src/tally.rs", "Tally.add")
    assert reshape(tmp_path, "rust", Target("src/tally.rs", "Tally.add"), "chain of 2") == ["src/tally/add_steps.rs"]
    below = (tmp_path / "src/tally/add_steps.rs").read_text("utf-8")
    assert "use super::{STEP, Tally};" in below
    assert "pub(super) fn add_handed(owner: &mut Tally, word: &str) -> u64 {\n    add_prepared(owner, word)\n}" in below
    assert "let count = owner.seen.entry(word.to_owned()).or_insert(0);" in below
    assert "        add_handed(self, word)\n    }" in path.read_text("utf-8")


@pytest.mark.parametrize("topology", ["chain of 1", "method"])
def test_a_rust_parameter_is_assigned_to_where_the_body_is(topology: str, tmp_path: Path) -> None:
    (tmp_path / "tally.rs").write_text(TALLY, "utf-8")
    reshape(tmp_path, "rust", Target("tally.rs", "most"), topology)
    text = (tmp_path / "tally.rs").read_text("utf-8")
    assert "fn most(words: &[String], least: u64) -> Option<u64> {" in text
    assert any("mut least: u64" in each.read_text("utf-8") for each in tmp_path.rglob("*.rs"))


@pytest.mark.slow
def test_a_topology_is_tried_with_its_clean_server() -> None:
    chosen = [each for each in load() if each.rule == "limit-unbounded"]
    draws = trials.draws(chosen, ["chain of 1"], 1, 1)
    tried = trials.try_draws(draws, 1)
    assert [len(each) for each in tried] == [1] * len(draws)
    assert all(trial.twin is not None for group in tried for trial in group)
    loud = [seen for group in tried for trial in group for seen in trial.twin or () if seen.severity in trials.LOUD]
    assert not loud, "a suggestion of the whole server may stand elsewhere"
    assert "| chain of 1 | python | 1 | 1 | 0 | 0 | 0 |" in trials.table(draws, tried)
    assert [each["topology"] for each in trials.record(tried)] == ["chain of 1"] * len(draws)
