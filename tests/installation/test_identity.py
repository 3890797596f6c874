"""A program that answers differently is told from this one."""

import os

import pytest

from reviewer.installation import identity
from reviewer.version import __version__


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A folder that stands for that of the program."""
    package = tmp_path / "reviewer"
    (package / "rules").mkdir(parents=True)
    (package / "rules" / "one.py").write_text("x = 1\n")
    monkeypatch.setattr(identity, "PACKAGE", package)
    monkeypatch.setattr(identity.sys, "path", [str(tmp_path)])
    return package


@pytest.fixture
def record(package):
    """What an installer writes in the end."""
    record = package.parent / f"mcp_review-{__version__}.dist-info" / "RECORD"
    record.parent.mkdir()
    record.write_text("reviewer/rules/one.py,sha256=aaaa,6\n")
    os.utime(package / "rules" / "one.py", (1, 1))
    return record


def alter(package):
    (package / "rules" / "one.py").write_text("x = 22\n")


def add(package):
    (package / "rules" / "words.txt").write_text("kiln\n")


def install_another(package):
    (package.parent / "pydantic-9.0.dist-info").mkdir()


def change_python(_package):
    identity.sys.version = "4.0"


@pytest.mark.parametrize("change", [alter, add, install_another, change_python])
def test_another_program_is_told(package, change, monkeypatch):
    monkeypatch.setattr(identity.sys, "version", "3.14")
    before = identity.digest_program()
    assert identity.digest_program() == before
    change(package)
    assert identity.digest_program() != before


@pytest.mark.parametrize("change", [alter, add])
def test_files_that_are_altered_after_the_installation_count(package, record, change):
    before = identity.digest_program()
    change(package)
    os.utime(record, (10, 10))
    assert identity.digest_program() != before


def test_one_that_is_installed_again_is_the_same(package, record):
    before = identity.digest_program()
    os.utime(package / "rules" / "one.py", (5, 5))
    os.utime(record, (6, 6))
    assert identity.digest_program() == before
    record.write_text("reviewer/rules/one.py,sha256=bbbb,6\n")
    assert identity.digest_program() != before
