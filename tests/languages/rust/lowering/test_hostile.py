"""Source that nests or repeats as nobody writes: it is lowered in time that grows with its length, or left unknown."""

import sys

import pytest

from reviewer.budget import BOUNDS, Budget, spending
from reviewer.code import ir
from reviewer.languages.nodes import parse
from reviewer.source import Source
from tests.languages.rust.lowering.properties import module

pytestmark = pytest.mark.slow

CHAINS = {
    "brackets": lambda n: "(" * n + "1" + ")" * n + ";",
    "sums": lambda n: "+".join(["a"] * n) + ";",
    "sums of calls": lambda n: "let s = 1; " + "+".join(["s", "b(s)"] * n) + ";",
    "calls": lambda n: "x" + ".f()" * n + ";",
    "waits": lambda n: "x" + ".f().await?" * n + ";",
    "fields": lambda n: "x" + ".f" * n + ";",
    "negations": lambda n: "!" * n + "x;",
    "else if": lambda n: "if a { b() }" + " else if c && e { d() }" * n,
    "and": lambda n: "if " + " && ".join(["a"] * n) + " { x() } else { y() }",
    "or": lambda n: "if " + " || ".join(["a && b"] * n) + " { x() } else { y() }",
    "or as a value": lambda n: "let x = " + " || ".join(["a"] * n) + ";",
    "chains of let": lambda n: "if " + " && ".join(["let Some(a) = b"] * n) + " { x() }",
    "arms": lambda n: "match x { " + "".join(f"{i} => f({i})," for i in range(n)) + " }",
    "alternatives": lambda n: "match x { " + "|".join(f"Some({i})" for i in range(n)) + " => 1, _ => 2 }",
    "arguments": lambda n: "f(" + ",".join(["a.b, g(a)"] * n) + ");",
    "entries": lambda n: "json!({" + ",".join(f'"a{i}": g({i})' for i in range(n)) + "});",
    "places": lambda n: 'let x = 1; format!("' + "{x}{}" * n + '",' + ",".join(["g()"] * n) + ");",
    "closures that see more and more": lambda n: "".join(f"let a{i} = || a{i - 1};" for i in range(n)),
    "macros": lambda n: "f!(@ a);" * n,
    "broken": lambda n: "if match { ( [ | ! " * n,
}
"""What is long: by its length, a body of a function."""
NESTED = {
    "calls": ("f(", "1", ")"),
    "blocks": ("{", "1", "}"),
    "ifs": ("if a {", "", "}"),
    "loops": ("loop {", "", "}"),
    "arrays": ("[", "1", "]"),
    "closures": ("|| {", "1", "}"),
    "functions": ("fn g() {", "", "}"),
    "arms": ("match x { a => ", "1", "}"),
    "patterns": ("let (", "a", ",) = x;"),
    "macros": ("f!(", "1", ")"),
    "texts": ('format!("{0}{0}", ', "1", ")"),
    "JSON": ('json!({"a": ', "1", "})"),
    "conditions": ("if (a && (b || ", "c", ")) {}"),
    "matches": ("if matches!(x, A if ", "b", ") {}"),
    "selects": ("select!{ a = async { ", "1", " } => { 1 } }"),
    "returns": ("return ", "1", ""),
    "structs": ("S { a: ", "1", "}"),
}
"""What is in itself again: its beginning, what is innermost, and its end."""


def _statements(text: str) -> tuple[int, set[str]]:
    """Return how many statements there are in a function's body, and why what is unknown is."""
    source = Source("lib.rs", f"fn f() {{ {text} }}".encode())
    count, reasons = 0, set()
    for code in ir.iter_codes(module(source)):
        count += sum(1 for _ in ir.iter_statements(code.body))
        reasons |= {each.reason for each in code.unknown}
    return count, reasons


@pytest.mark.parametrize("name", CHAINS)
def test_long_code_is_lowered_in_full(name: str) -> None:
    short, reasons = _statements(CHAINS[name](100))
    long, more = _statements(CHAINS[name](2_000))
    assert long <= 21 * max(short, 1)
    assert more == reasons


@pytest.mark.parametrize("name", CHAINS)
def test_work_grows_with_the_length(name: str) -> None:
    def visits(n: int) -> float:
        source = Source("lib.rs", f"fn f() {{ {CHAINS[name](n)} }}".encode())
        with spending(Budget.from_size(10**9)) as budget:
            parse(source, "rust")
            before = budget.count_remaining("visits")
            for code in ir.iter_codes(module(source)):
                _ = code.body
            return before - budget.count_remaining("visits")

    assert visits(2_000) <= 11 * visits(200) + 1000


@pytest.mark.parametrize("name", NESTED)
def test_deep_code_is_left_unknown(name: str) -> None:
    opening, innermost, closing = NESTED[name]
    limit = sys.getrecursionlimit()
    count, _ = _statements(opening * 2_000 + innermost + closing * 2_000)
    assert count < 5_000
    assert sys.getrecursionlimit() == limit


def test_no_expression_is_deep() -> None:
    source = Source("lib.rs", f"fn f() {{ let x = {'+'.join(['a'] * 5_000)}; }}".encode())
    for code in ir.iter_codes(module(source)):
        for statement in ir.iter_statements(code.body):
            assert sum(1 for _ in ir.iter_expressions(statement)) < 200


def test_what_the_budget_does_not_afford_is_unknown() -> None:
    source = Source("lib.rs", f"fn f() {{ {'g(1); ' * 1_000} }}".encode())
    root = parse(source, "rust")
    assert root.child_count
    with spending(Budget({**dict.fromkeys(BOUNDS, 10_000), "visits": 1_000})):
        code = next(each for each in ir.iter_codes(module(source)) if each.name == "f")
        calls = sum(isinstance(each, ir.Call) for each in ir.iter_statements(code.body))
    assert 0 < calls < 1_000
    assert {each.reason for each in code.unknown} == {"the code takes too long to follow"}
