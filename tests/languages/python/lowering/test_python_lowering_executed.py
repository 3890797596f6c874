"""Lowered code does what Python does: the same calls in the same order, and the same result."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from python_executed import run
from python_lowered import module


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


def world(log):
    """Return the names that a piece of code may use: `t(value, …)` notes that it was called, and returns the value."""

    def t(*values, **named):
        log.append([repr(each) for each in (*values, *named.items()) if not callable(each)])
        return values[0] if values else None

    return {"t": t, "o": SimpleNamespace(a=1, b=[3, 4, 5], m=t), "d": {"k": 1, "l": [1, 2]}, "Point": Point}


def outcome(work, log):
    names = world(log)
    try:
        work(names)
    except Exception as error:
        return type(error), log
    result = names.get("result")
    return repr(result(1, 0, [2, 3])) if callable(result) else repr(result), log


def same(source):
    compiled = compile(source, "m.py", "exec")
    expected = outcome(lambda names: exec(compiled, names), [])
    assert outcome(lambda names: run(module(source), names), []) == expected, source


PROGRAMS = [
    "result = [t(1), o.a, t(2)]",
    "result = t(o.a, t(setattr(o, 'a', 5)), o.a)",
    "result = o.m(o.b[0], t(o.b.pop(0)), o.b[0], *o.b, k=o.b[0], **{'l': t(3)})",
    "x = 1\nresult = (x, (x := t(2)), x, (x := t(3)))",
    "result = [1 < t(2) < t(3), 3 < t(2) < t(1), not 1 < t(0) <= t(4)]",
    "result = [t(0) or t(2) or t(3), t(1) and t(0) and t(5), t(1) and t(0) or t(3)]",
    "result = [not (t(1) and t(0)), not t(0), not not t(3)]",
    "result = [t(1) if t(0) else t(2), t(1) if t(1) and t(0) else t(3)]",
    "result = [[a, b] for a in t([1, 2]) for b in t([a, 3]) if a < b if t(b) != 3 or a == 2]",
    "result = ({a: t(a) for a in [1, 2] if t(a) and a > 1}, {a for a in 'xyx'}, sum(a for a in [1, 2]))",
    "result = [last := a for a in [1, 2]], last",
    "result = [f() for f in [lambda a=a: a for a in [1, 2]]]",
    "a, (b, *c), *e = [1, [2, 3, 4], 5, 6]\na, b = b, a\nresult = a, b, c, e",
    "x = [1, 2, 3]\ni = 0\ni, x[i] = 2, 9\nx[t(0)], x[t(1)] = x[t(1)], x[t(0)]\nresult = x",
    "x = [1, 2, 3, 4]\nx[t(0)] += t(5)\nx[1:3] = t([7])\ndel x[t(0)]\no.a -= t(2)\nresult = x, o.a",
    "a = b = t([1])\na = a + [2]\nresult = a, b",
    "n = 0\nwhile (n := n + 1) < 5 and t(n) != 3: pass\nelse: n = 99\nresult = n",
    "n = 0\nwhile n < 3:\n    n += 1\n    if n == 2: continue\n    t(n)\nelse: n = 99\nresult = n",
    "for a in [1, 2, 3]:\n    if a == 2: break\n    t(a)\nelse: t('else')\nfor a in []: pass\nelse: t('none')\nresult = a",
    "def f():\n    try:\n        t(1)\n        return t(2)\n    except ValueError: t(3)\n    else: t(4)\n    finally: t(5)\nresult = f()",
    "try:\n    t(1)\n    raise ValueError('x')\nexcept (KeyError, ValueError) as e: result = str(e)\nelse: t(4)\nfinally: t(5)",
    "for a in [1, 2]:\n    try:\n        if a == 1: continue\n        raise KeyError(a)\n    except KeyError: break\n    finally: t(a)\nresult = a",
    "import contextlib\nwith contextlib.suppress(KeyError), contextlib.nullcontext(t(1)) as a: raise KeyError\nresult = a",
    "assert t(1), t(2)\nassert t(0) or t(0), t(3)",
    "def f(a, /, b=t(2), *c, k=t(3), **m): return a, b, c, k, m\nresult = f(1), f(1, 5, 6, 7, k=8, z=9)",
    "def deco(n):\n    t(n)\n    return lambda f: t(lambda: (n, f()))\n@deco(t(1))\n@deco(2)\ndef f(a=t(3)): return a\nresult = f()",
    "class A:\n    n = t(1)\n    m = n + 1\n    def f(self, p=m): return p, self.n\n    ns = [q for q in [n, m]]\nresult = A().f(), A.ns",
    "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n        return n\n    return [n, g(), n, g(), n]\nresult = f()",
    "n = 1\ndef f():\n    global n\n    n += 1\n    return n\nresult = [n, f(), n, f(), n]",
    "n = 1\ndef f():\n    try: return n\n    except UnboundLocalError: return 'unbound'\n    n = 2\nresult = f()",
    "result = f\"{t('a')!r:>5}|{1.234:.2f}|{{}}|{t(1) + 1}\" 'x' f'{o.a = }'",
    "def result(a, b, c):\n    if a and (b or not c) and not (a and b): return 1\n    elif a or b: return 2\n    return 3",
    "def result(a, b, c):\n    if not (a or b): return 1\n    if 0 < a <= t(1) < 3 and c: return 2\n    return 3",
    "x = {'a': t(1), **d, 'k': t(2)}\nresult = x, [*x, *t([1])], (*t('ab'), 3)",
    "del d['k'], o.a\nresult = d, hasattr(o, 'a')",
    "x = [*t([1]), *o.b]\nresult = t(*x or [5], *o.b if o.a else x)",
]

SUBJECTS = ["1", "None", "True", "'a'", "[1, 2]", "(1, 2, 3)", "[]", "{'k': 1}", "{'k': [1, 2], 'z': 3}", "Point(1, 2)", "Point(0, [1, 'b'])", "-2.5", "o", "'ab'"]  # fmt: skip
CASES = """
def match(s, u):
    match s:
        case 1 if u: return 'guarded'
        case None | False: return 'none'
        case True: return 'true'
        case 'a' | 'b' | -2.5: return 'literal'
        case {'k': [a, *b], **c}: return a, b, c
        case {'k': 1 | 2 as a}: return a
        case Point(0, [a, str(b)]) | Point(x=a, y=2 as b): return a, b
        case []: return 'empty'
        case [1, *_, 3] as a: return a
        case (a, b): s, u = b, a
        case str(a) if len(a) > 1: return a
        case o.a | Point(): return 'value'
        case a: return 'else'
    return s, u
"""


@pytest.mark.parametrize("source", PROGRAMS)
def test_a_program(source):
    same(source)


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("guard", [0, 1])
def test_a_match(subject, guard):
    same(f"{CASES}\nresult = match({subject}, {guard})")


ATOMS = st.sampled_from(["0", "1", "2", "x", "o.a", "o.b[1]", "t(0)", "t(1)", "t(x)", "''", "t(o.a)"])


def compound(inner):
    return st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or"]), inner),
        st.builds("({} and {} or {})".format, inner, inner, inner),
        st.builds("({} {} {})".format, inner, st.sampled_from(["==", "!="]), inner),
        st.builds("({} == {} != {})".format, inner, inner, inner),
        st.builds("(not {})".format, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("t({}, {}, k={})".format, inner, inner, inner),
        st.builds("[{}, {}]".format, inner, inner),
        st.builds("(x := {})".format, inner),
        st.builds("[{} for y in [0, 1] if {} if {}]".format, inner, inner, inner),
        st.builds("t(setattr(o, 'a', {}))".format, inner),
    )


EXPRESSIONS = st.recursive(ATOMS, compound, max_leaves=12)


@pytest.mark.slow
@given(EXPRESSIONS)
def test_an_expression(expression):
    same(f"x = 1\nresult = {expression}")


@pytest.mark.slow
@given(EXPRESSIONS, EXPRESSIONS)
def test_a_condition(first, second):
    same(
        f"x, n = 1, 0\nif {first}: t('a')\nelif {second}: t('b')\nelse: t('c')\n"
        f"while n < 2 and {second}:\n    n += 1\n    t('d')\n    if {first}: break\nelse: t('e')\nresult = x, n"
    )
