"""Patterns that are compiled late behave as compiled ones do, and none is wrong."""

import re
import subprocess
import sys

from reviewer import patterns
from reviewer.rules import load


def test_every_pattern_of_the_rules_compiles():
    load()
    modules = [module for name, module in sys.modules.items() if name.startswith("reviewer.rules")]
    late = [each for module in modules for each in vars(module).values() if isinstance(each, patterns._Pattern)]
    assert len(late) > 50
    for each in late:
        assert each.search("some text") is None or each.groups >= 0


def test_a_pattern_is_compiled_when_it_is_first_used_and_once(monkeypatch):
    compiled = []
    real = re.compile
    monkeypatch.setattr(re, "compile", lambda *given: compiled.append(given) or real(*given))
    found = patterns.pattern(r"\bb\w+", re.IGNORECASE)
    assert not compiled
    assert [found.findall("a Bee"), found.findall("bee")] == [["Bee"], ["bee"]]
    assert compiled == [(r"\bb\w+", re.IGNORECASE)]


def test_rules_compile_no_pattern_when_they_are_loaded():
    watched = """
import re, sys
compiled, real = [], re.compile
re.compile = lambda *given, **flags: compiled.append(sys._getframe(1).f_globals["__name__"]) or real(*given, **flags)
from reviewer.rules import load
load()
print(*[name for name in compiled if name.startswith("reviewer.rules")])
"""
    done = subprocess.run([sys.executable, "-c", watched], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
