"""What the action installs is locked: with hashes, for every platform and Python, and for the requirements of today."""

import importlib.util
import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent.parent
PLATFORMS = {
    "linux": {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    "macos": {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    "windows": {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")

spec = importlib.util.spec_from_file_location("lock", ROOT / ".ci/lock.py")
lock = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lock)


def entries(name):
    """Yield the requirements of a lock, each with how many hashes it has."""
    text = lock.file(name).read_text("utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        if not line.startswith("#"):
            requirement, *hashes = re.split(r" +--hash=", line.strip())
            assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in hashes)
            yield Requirement(requirement), len(hashes)


def test_they_are_of_the_requirements_of_today():
    assert lock.stale() == [], "run python .ci/lock.py"


def test_other_requirements_make_them_stale(monkeypatch):
    monkeypatch.setattr(lock, "asked", lambda extras: ["something>=1", *extras])
    assert lock.stale() == ["review", "judge"]


@pytest.mark.parametrize("name", ["review", "judge"])
@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("python", PYTHONS)
def test_each_requirement_is_met_everywhere(name, platform, python):
    environment = {**PLATFORMS[platform], "python_version": python, "python_full_version": f"{python}.0"}
    pinned = {}
    for each, hashes in entries(name):
        if each.marker is None or each.marker.evaluate(environment):
            (version,) = each.specifier
            assert version.operator == "=="
            assert hashes > 0
            assert each.name not in pinned
            pinned[each.name] = version.version
    for wanted in map(Requirement, lock.asked(lock.EXTRAS[name])):
        assert wanted.specifier.contains(pinned[wanted.name]), wanted


def test_a_review_installs_nothing_of_a_judge():
    assert {each.name for each, _ in entries("judge")} > {each.name for each, _ in entries("review")}
    assert "anthropic" not in {each.name for each, _ in entries("review")}
    assert "mcp" not in {each.name for each, _ in entries("judge")}


def test_no_registry_is_named():
    assert "://" not in "".join(lock.file(name).read_text("utf-8") for name in lock.EXTRAS)
