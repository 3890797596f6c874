"""How numbers change from round to round of a loop."""

import pytest
from traced import calls, trace

from reviewer.behaviour.progress.loops import LoopChange, LoopVariables, iter_loops_around
from reviewer.code.models import load_models
from reviewer.code.values import Interval

LOOPS = {
    "a counter": ("n = 0", "for x in xs:\n    n += 2\n    probe(n)", Interval(2, 2)),
    "one that may stay": ("n = 0", "for x in xs:\n    if x:\n        n += 1\n    probe(n)", None),
    "a number of its own": ("n = 0", "for x in xs:\n    probe(n)", Interval(0, 0)),
    "set back": ("", "for x in xs:\n    n = 0\n    n += 1\n    probe(n)", Interval(0, 0)),
    "numbered": ("", "for n, x in enumerate(xs, 1):\n    probe(n)", Interval(1, 1)),
    "counted beside": ("", "for x, n in zip(xs, itertools.count(5, 2)):\n    probe(n)", Interval(2, 2)),
    "down": ("", "for n in range(9, 0, -3):\n    probe(n)", Interval(-3, -3)),
    "from the end": ("", "for n in reversed(range(9)):\n    probe(n)", Interval(-1, -1)),
    "what is left": ("", "for n, x in enumerate(xs):\n    probe(10 - n)", Interval(-1, -1)),
    "of an object": ("box = Box()", "for x in xs:\n    box.add()\n    probe(box.n)", Interval(1, 1)),
    "in an entry": ("box = {'n': 0}", "for x in xs:\n    box['n'] += 1\n    probe(box['n'])", Interval(1, 1)),
    "around": ("n = 0", "for x in xs:\n    for y in x:\n        n += 1\n    probe(n)", None),
    "by a closure": (
        "n = 0\ndef add():\n    nonlocal n\n    n += 1",
        "for x in xs:\n    add()\n    probe(n)",
        Interval(1, 1),
    ),
    "of another": ("", "for x in xs:\n    probe(job.percent)", None),
    "handed on": ("n = 0", "for x in xs:\n    n += 1\n    told(n)", Interval(1, 1)),
}


def _code(before: str, loop: str) -> str:
    lines = [
        "import itertools",
        "def told(n):",
        "    probe(n)",
        "class Box:",
        "    def __init__(self):",
        "        self.n = 0",
    ]
    lines += ["    def add(self):", "        self.n += 1", "def tool(xs, job):"]
    return "\n".join([*lines, *(f"    {each}" for part in (before, loop) for each in part.splitlines())])


@pytest.mark.parametrize("name", LOOPS)
def test_change(name, tmp_path):
    before, loop, expected = LOOPS[name]
    found = trace(tmp_path, _code(before, loop))
    loop_variables = LoopVariables(found, load_models("python"))
    (probe,) = calls(found, "probe")
    around = next(iter_loops_around(probe))
    change = loop_variables.change(probe, probe.event.arguments[0], around.loop, ())
    assert change == (LoopChange(expected) if expected is not None else None)


def test_outer_rounds(tmp_path):
    """An inner count that begins anew says the same in each round of the outer loop."""
    found = trace(tmp_path, _code("", "for x in xs:\n    for n, y in enumerate(x):\n        probe(n)"))
    (probe,) = calls(found, "probe")
    inner, outer = iter_loops_around(probe)
    change = LoopVariables(found, load_models("python")).change(
        probe, probe.event.arguments[0], outer.loop, (inner.loop,)
    )
    assert change == LoopChange(Interval(0, 0))


def test_modulo_comes_back(tmp_path):
    found = trace(tmp_path, _code("", "for n, x in enumerate(xs):\n    probe(n % 10)"))
    (probe,) = calls(found, "probe")
    (around,) = iter_loops_around(probe)
    change = LoopVariables(found, load_models("python")).change(probe, probe.event.arguments[0], around.loop, ())
    assert change is not None
    assert change.comes_back
