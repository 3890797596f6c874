"""What holds of the lowered code of all Rust in this repository."""

import re
from collections import Counter
from pathlib import Path

import pytest
from listing import listing

from reviewer.code import ir
from reviewer.languages.nodes import parse
from reviewer.languages.rust.lowering import lower_function
from reviewer.source import Source
from tests.languages.rust.lowering.properties import calls_lowered, calls_written, module, unbound

ROOT = Path(__file__).parents[4]
FILES = sorted(
    path
    for folder in ("examples", "evals", "tests")
    for path in (ROOT / folder).rglob("*.rs")
    if "target" not in path.parts
)
FENCE = re.compile(r"^```rust[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = sorted((ROOT / "tests/rules").rglob("*.md"))
LOWERED = frozenset({"token_tree", "ERROR", "tuple_pattern", "MISSING", "no argument"})
"""Why something may be unknown in code of ours: a macro of tokens, broken source, a field counted from a tuple's end."""


def _holds(source: Source) -> None:
    root = parse(source, "rust")
    codes = list(ir.iter_codes(module(source)))
    lowered = calls_lowered(codes)
    assert {place: count for place, count in lowered.items() if count > 1} == {}
    if not root.has_error:
        written = Counter(calls_written(root))
        assert {source.data[start:end] for start, end in written - lowered} == set()
    for code in codes:
        assert unbound(code) == []
        assert {each.reason for each in code.unknown} <= LOWERED
        for statement in ir.iter_statements(code.body):
            assert 0 <= statement.at.start <= statement.at.end <= len(source.data)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files(path: Path) -> None:
    _holds(Source(path.name, path.read_bytes()))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_fences_of_a_page(page: Path) -> None:
    for number, fence in enumerate(FENCE.finditer(page.read_text("utf-8"))):
        _holds(Source(f"{number}.rs", fence[1].encode()))


def test_a_call_has_its_source() -> None:
    source = Source("lib.rs", b'fn f() { g(1).h(2)?; log!("{}", i(3)); }')
    codes = list(ir.iter_codes(module(source)))
    calls = [each for code in codes for each in ir.iter_statements(code.body) if isinstance(each, ir.Call)]
    assert [codes[0].extract_text(each.at) for each in calls] == ["g(1)", "g(1).h(2)", "i(3)", 'log!("{}", i(3))']


def test_a_body_is_lowered_when_it_is_asked_for() -> None:
    source = Source("lib.rs", b"fn f() { a.b..c(1, } fn g(n: u8) -> bool { true }")
    code = lower_function(source, parse(source, "rust").named_children[-1])
    assert (code.name, [each.name for each in code.parameters], code.returns and code.returns.text) == (
        "g",
        ["n"],
        "bool",
    )
    assert code._body is None


def test_a_method_knows_its_type() -> None:
    source = Source("lib.rs", b"impl<T> Store for Shelf<T> { async fn put(&self) {} }")
    method = parse(source, "rust").descendant_for_byte_range(30, 30)
    while method is not None and method.type != "function_item":
        method = method.parent
    assert method is not None
    code = lower_function(source, method)
    assert (code.owner, code.is_async, code.parameters[0].kind) == ("Shelf", True, "receiver")


def test_a_closure_is_lowered_for_itself() -> None:
    source = Source("lib.rs", b"fn f() { route(async |a: u8| a + b); }")
    node = parse(source, "rust").descendant_for_byte_range(15, 33)
    assert node is not None
    code = lower_function(source, node)
    assert (code.kind, code.is_async) == ("closure", True)
    assert listing(code) == "async closure (a):\n    return (a + b)"
