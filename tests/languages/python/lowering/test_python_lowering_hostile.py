"""Source that is broken, deep or long: lowered without a failure, in work that grows with its length."""

import pytest
from effort import calls as effort
from python_lowered import module, nodes

from reviewer.budget import REASONS, UNBOUNDED, Budget, Resource, spending
from reviewer.code import ir
from reviewer.languages.lowering import CHAINED, CUT, NESTED
from reviewer.languages.nodes import parse

LONG = {
    "a sum": lambda n: "x = " + " + ".join(["a"] * n),
    "a sum of calls": lambda n: "x = " + " + ".join(["a()"] * n),
    "parentheses": lambda n: "x = " + "(" * n + "a" + ")" * n,
    "methods": lambda n: "x" + ".f()" * n,
    "fields": lambda n: "y = x" + ".f" * n,
    "elements": lambda n: "y = x" + "[0]" * n,
    "elements of calls": lambda n: "y = x" + "[a()]" * n,
    "elif": lambda n: "if a: pass\n" + "elif b: c()\n" * n,
    "elif of several parts": lambda n: "if a: pass\n" + "elif b and c: d()\n" * n,
    "and": lambda n: "x = " + " and ".join(["a"] * n),
    "if and": lambda n: "if " + " and ".join(["a()"] * n) + ": pass",
    "if or": lambda n: "if " + " or ".join(["a"] * n) + ": pass",
    "not": lambda n: "if " + "not " * n + "a: pass",
    "comparisons": lambda n: "x = " + " < ".join(["a()"] * n),
    "texts": lambda n: "x = " + "f'{a()}' 'b' " * n,
    "assignments in arguments": lambda n: "f(" + "(a := 1), a, " * n + ")",
    "arguments": lambda n: "f(" + "a.b, g(), " * n + ")",
    "entries": lambda n: "x = {" + "a.b: g(), " * n + "}",
    "keys": lambda n: "x[" + "a.b, g(), " * n + "]",
    "loops of a comprehension": lambda n: "x = [a" + " for a in b" * n + "]",
    "conditions of a comprehension": lambda n: "x = [a for a in b" + " if c or d" * n + "]",
    "cases": lambda n: "match x:\n" + " case [1, a]: b()\n" * n,
    "alternatives": lambda n: "match x:\n case " + " | ".join(["A(1)"] * n) + ": pass\n",
    "a long pattern": lambda n: "match x:\n case [" + "a, " * n + "]: pass\n",
    "targets": lambda n: ", ".join(f"a{i}" for i in range(n)) + " = " + ", ".join(f"a{i}" for i in range(n)),
    "targets in a row": lambda n: "a = " * n + "x",
    "managers": lambda n: "with " + ", ".join(["a()"] * n) + ": pass",
    "decorators": lambda n: "@a.b()\n" * n + "def f(): pass",
    "defaults": lambda n: "def f(" + ", ".join(f"a{i}=g()" for i in range(n)) + "): pass",
    "functions": lambda n: "def f(a):\n    def g(): return a\n    return g\n" * n,
    "methods of a class": lambda n: "class A:\n" + "    def f(self): return a\n" * n,
    "catches": lambda n: "try: pass\n" + "except A: a()\n" * n,
    "broken calls": lambda n: "f(a, b c d)\n" * n,
    "broken parentheses": lambda n: "x = )\n" * n,
}
DEEP = {
    "lists": lambda n: "x = " + "[" * n + "a" + "]" * n,
    "dictionaries": lambda n: "x = " + "{1: " * n + "a" + "}" * n,
    "calls in arguments": lambda n: "x = " + "f(" * n + "a" + ")" * n,
    "sums": lambda n: "x = " + "(a + b + " * n + "c" + ")" * n,
    "conditions": lambda n: "if " + "a and (b or (" * n + "c" + "))" * n + ": pass",
    "conditions as values": lambda n: "x = " + "a and (b or (" * n + "c" + "))" * n,
    "conditional expressions": lambda n: "x = " + "a if b else " * n + "c",
    "signs": lambda n: "x = " + "-" * n + "a",
    "awaits": lambda n: "x = " + "await " * n + "a()",
    "lambdas": lambda n: "x = " + "lambda: " * n + "a",
    "ifs": lambda n: "".join(" " * i + "if a:\n" for i in range(n)) + " " * n + "b()",
    "loops and tests of several parts": lambda n: (
        "".join(" " * i + ("while a and b:\n" if i % 2 else "if a and b and c:\n") for i in range(n)) + " " * n + "b()"
    ),
    "functions": lambda n: "".join(" " * i + "def f(a):\n" for i in range(n)) + " " * n + "return a",
    "classes": lambda n: "".join(" " * i + "class A:\n" for i in range(n)) + " " * n + "a = b",
    "patterns": lambda n: "match x:\n case " + "[" * n + "a" + "]" * n + ": pass\n",
    "patterns of classes": lambda n: "match x:\n case " + "A(" * n + "a" + ")" * n + ": pass\n",
    "targets": lambda n: "(" * n + "a" + ",)" * n + " = x",
    "texts": lambda n: "x = " + "f'{" * n + "a" + "}'" * n,
    "yields": lambda n: "def f():\n x = " + "(yield " * n + "1" + ")" * n,
}
BROKEN = [
    "", "\ufeffx = 1", "x = \0", "if", "if a", "if a:", "def", "def f(", "def f(a, =1): pass", "class", "class A(:", "x = ", "x = [", "f(",
    "f(a b)", "f(**)", "f(a=)", "x[", "x[::::]", "x.", "x..y", "@", "@a", "@a\nx = 1", "for", "for a", "for a in", "for in b: pass",
    "while", "with", "with a as", "with a as : pass", "try", "try: pass", "except: pass", "else: pass", "raise from", "import",
    "from import a", "from a import", "import a as", "lambda", "lambda x", "x = lambda: ", "a if b", "a if b else", "not", "a and",
    "a <", "a < < b", "match x:", "match x:\n case", "match x:\n case :", "match x:\n case {a: }: pass", "match x:\n case A(b=): pass",
    "match x:\n case *a: pass", "match x:\n case 1 | : pass", "del", "assert", "return", "yield", "await", "f'{'", "f'{}'", "f'{a!}'", "f'{a:{'",
    "'", '"""', "x = 'a", "\\", "a := 1", "(a := )", "a += ", "a += b = c", "*a", "*a = b", "**a", "x = *", "global", "nonlocal a", "break",
    "continue", "def f(a, (b, c)): return b", "print 'a', b", "exec a in b", "x = `a`", "a <> b", "[for a in b]", "[a for in b]", "{a: b for}",
    "async", "async def", "await = 1", "def f(a, a): pass", "def f(*, **): pass", "\tx\n y", "x = 1 +\\\n2", "if a:\n# b\nelse:\n# c\n",
]  # fmt: skip


def work(source: str) -> int:
    return effort(lambda: list(ir.iter_codes(module(source))))


@pytest.mark.slow
@pytest.mark.parametrize("make", LONG.values(), ids=LONG)
def test_work_grows_with_the_length(make):
    work(make(10))
    assert work(make(400)) < 2.5 * work(make(200))


@pytest.mark.parametrize("make", DEEP.values(), ids=DEEP)
def test_work_grows_with_the_depth_and_no_more(make):
    work(make(10))
    assert work(make(400)) < 2.5 * work(make(200))


@pytest.mark.slow
@pytest.mark.parametrize("make", [*LONG.values(), *DEEP.values()], ids=[*LONG, *DEEP])
def test_what_comes_of_it_is_not_deep(make):
    outer = module(make(3_000))
    for code in ir.iter_codes(outer):
        assert bodies_deep(code.body) <= 6 * NESTED
        for statement in ir.iter_statements(code.body):
            assert expressions_deep(statement) <= 2 * CUT * CHAINED


def bodies_deep(body: ir.Body) -> int:
    deepest, pending = 0, [(body, 1)]
    while pending:
        part, depth = pending.pop()
        deepest = max(deepest, depth)
        pending += [(inner, depth + 1) for each in part for inner in ir.iter_bodies(each)]
    return deepest


def expressions_deep(node: ir.Statement) -> int:
    deepest, pending = 0, [(each, 1) for each in ir.iter_operands(node)]
    while pending:
        part, depth = pending.pop()
        deepest = max(deepest, depth)
        pending += [(inner, depth + 1) for inner in ir.iter_operands(part)]
    return deepest


def test_ten_thousand_parentheses_are_none():
    assigned = next(each for each in nodes(module("x = " + "(" * 10_000 + "7" + ")" * 10_000)))
    assert isinstance(assigned, ir.Assign)
    assert isinstance(assigned.value, ir.Constant)


@pytest.mark.parametrize("make", [LONG["a sum"], LONG["methods"], LONG["elif"]], ids=["sum", "methods", "elif"])
def test_a_long_chain_is_lowered_to_its_end(make):
    assert not any(isinstance(each, ir.Unknown) for each in nodes(module(make(5_000))))


@pytest.mark.slow
@pytest.mark.parametrize("make", DEEP.values(), ids=DEEP)
def test_what_is_too_deep_is_unknown(make):
    outer = module(make(3_000))
    reasons = {each.reason for each in nodes(outer) if isinstance(each, ir.Unknown)}
    assert reasons
    assert reasons == {"nested too deeply"} or parse(outer.source, "python").has_error


@pytest.mark.parametrize("source", BROKEN)
def test_broken_source(source):
    for text in (source, f"def f():\n    {source}", f"x = [{source}]"):
        list(nodes(module(text)))


@pytest.mark.parametrize("cut", range(0, 400, 7))
def test_source_that_ends_early(cut):
    source = """\
@a.b(c=1)
async def f(a, *, b: int = g(), **c) -> str:
    with a as b, c(): x, *y = [i for i in b if i and not c or d]
    match a:
        case {"k": [1, *_], **r} if r: return f"{a!r:>{b}}"
    try: await a[1:b](lambda q: q)
    except* (A, B) as e: raise e from None
    while (n := g()) < 1 <= x: n += 1 if a else 2
    else: del a.b
class A(B, m=C): x: int = 1
"""
    list(nodes(module(source[:cut])))


def budget(visits: int) -> Budget:
    bounds: dict[Resource, float] = dict.fromkeys(REASONS, float("inf"))
    return Budget({**bounds, "visits": visits})


@pytest.mark.parametrize("visits", [0, 50, 100, 250])
def test_what_the_budget_does_not_afford_is_unknown(visits):
    with spending(budget(visits)):
        outer = module("import a\n" + "a = b(c)\n" * 200 + "def f():\n    return (x := 1)\n")
        found = list(nodes(outer))
    reasons = {each.reason for each in found if isinstance(each, ir.Unknown)}
    assert reasons == {"the code takes too long to follow"}
    assert sum(isinstance(each, ir.Call) for each in found) <= visits / 3


def test_what_is_spent_is_what_is_lowered():
    held = budget(1_000_000)
    with spending(held):
        outer = module("def f():\n" + "    a = b(c)\n" * 1_000)
        _ = outer.body
        assert 1_000_000 - held.count_remaining("visits") <= 200
        _ = outer.body[0].value.code.body
        assert 3_000 <= 1_000_000 - held.count_remaining("visits") <= 5_000


def test_outside_of_a_review_there_is_no_bound():
    assert UNBOUNDED.count_remaining("visits") == float("inf")
    assert not any(isinstance(each, ir.Unknown) for each in nodes(module("a = b(c)\n" * 200)))
