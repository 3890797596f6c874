"""Patterns that are compiled late behave as compiled ones do, and none is wrong."""

import gc
import importlib
import pkgutil
import re
import subprocess
import sys

import pytest

import reviewer
from reviewer.text import patterns


@pytest.mark.slow
def test_every_pattern_compiles():
    for each in pkgutil.walk_packages(reviewer.__path__, "reviewer."):
        importlib.import_module(each.name)
    gc.unfreeze()  # what was there when the tests were collected is frozen (conftest.py), and would not be listed
    late = [each for each in gc.get_objects() if type(each) is patterns._Pattern]
    assert len(late) > 500
    assert {type(each.pattern) for each in late} == {str, bytes}


def test_a_pattern_is_compiled_when_it_is_first_used_and_once(monkeypatch):
    compiled = []
    real = re.compile
    monkeypatch.setattr(re, "compile", lambda *given: compiled.append(given) or real(*given))
    found = patterns.pattern(r"\bb\w+", re.IGNORECASE)
    assert not compiled
    assert [found.findall("a Bee"), found.findall("bee")] == [["Bee"], ["bee"]]
    assert compiled == [(r"\bb\w+", re.IGNORECASE)]


@pytest.mark.slow
def test_no_module_compiles_a_pattern_when_it_is_loaded():
    """But for that by which each configuration is looked through before it is read."""
    watched = """
import re, sys
compiled, real = [], re.compile
re.compile = lambda *given, **flags: compiled.append(sys._getframe(1).f_globals["__name__"]) or real(*given, **flags)
from reviewer import cli
from reviewer.languages import python, rust
from reviewer.rules import load
list(load().values())
print(*[name for name in compiled if name.startswith("reviewer.") and name != "reviewer.text.toml"])
"""
    done = subprocess.run([sys.executable, "-c", watched], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
