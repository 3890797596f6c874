"""Code of 90 KB that nests, and comments or continued lines one after another: bounded work, and one line that names what was not read."""

from pathlib import Path

import pytest

from reviewer import review
from reviewer.budget import Budget, ExhaustedError, spending
from reviewer.code import calls
from reviewer.config import Flags
from reviewer.languages.bounds import DEEP, MOST_BELOW, MOST_RESCANNED, is_nested_too_deeply, is_rescanned_too_often
from reviewer.languages.nodes import find_descendants, find_parent, iter_ancestors, parse, parse_range
from reviewer.report.model import Report
from reviewer.source import Source

PYTHON = """from mcp.server.fastmcp import FastMCP
mcp = FastMCP("demo")
{above}
@mcp.tool()
def count_words(text: str) -> str:
    \"\"\"Count words.\"\"\"
    {body}
    return text
"""
RUST = """#[tool_router]
impl S {{
    #[tool(description = "Count words.")]
    fn count_words(&self, Parameters(p): Parameters<P>) -> String {{
        {body}
        p.text
    }}
}}
#[derive(Deserialize, JsonSchema)]
struct P {{ text: String }}
"""
CHAINS = {
    "or.py": "y = text" + " or text" * 12_000,
    "sum.py": "y = text" + " + text" * 13_000,
    "fields.py": "y = text" + ".a" * 45_000,
    "calls.py": "y = text" + ".a()" * 22_000,
    "or.rs": "let y = p" + " || p" * 18_000 + ";",
    "calls.rs": "let y = p" + ".a()" * 22_000 + ";",
    "elements.rs": "let y = p" + "[0]" * 30_000 + ";",
    "branches.rs": "if p { f() }" + " else if p { f() }" * 5_000,
}
CHAIN = "let y = std::process::Command::new(p.text){}.spawn();"


def reviewed(folder: Path, name: str, text: str) -> Report:
    (folder / name).write_text(text)
    return review(folder, Flags(isolated=True))


@pytest.mark.parametrize("name", CHAINS)
def test_a_file_that_nests_too_deep_is_named(tmp_path: Path, name: str) -> None:
    form = PYTHON if name.endswith(".py") else RUST
    report = reviewed(tmp_path, name, form.format(above="", body=CHAINS[name]))
    (named,) = report.unreviewed
    assert (named.span.path, named.reason) == (name, "code is nested too deeply; the file was not read")


def test_a_chain_that_people_write_is_read(tmp_path: Path) -> None:
    """The longest that was found in public code has 426 nodes in nodes."""
    report = reviewed(tmp_path, "server.rs", RUST.format(body="let y = p" + ".a(1)" * 300 + ";"))
    assert (report.tools, report.unreviewed) == (1, ())


def test_few_deep_nodes_are_read_and_many_are_not() -> None:
    chain = "x" + ".a" * 1_000
    assert not is_nested_too_deeply(parse(Source("a.py", chain.encode()), "python"))
    many = "\n".join([chain] * (2 * MOST_BELOW // (1_000 - DEEP) ** 2))
    assert is_nested_too_deeply(parse(Source("b.py", many.encode()), "python"))


@pytest.mark.parametrize("line", ["#a\n", "    # x = 1\n", "\n#\n", "\\\n", "  \\\r\n", "#a\n\\\n"])
def test_comments_and_continued_lines_without_end_are_named(tmp_path: Path, line: str) -> None:
    report = reviewed(tmp_path, "server.py", PYTHON.format(above=line * (90_000 // len(line)), body="pass"))
    (named,) = report.unreviewed
    assert named.reason == "too many comments or continued lines one after another; the file was not read"


def test_comments_and_continued_lines_between_statements_are_no_run() -> None:
    lines = 2 * int(MOST_RESCANNED**0.5)
    assert is_rescanned_too_often(b"#a\n" * lines)
    assert not is_rescanned_too_often((b"#a\n" * 100 + b"x = 1\n") * (lines // 100))
    assert is_rescanned_too_often(b"x = 1" + b"\\\n" * lines)
    assert not is_rescanned_too_often((b"x = 1 + \\\n" * 100 + b"1\n") * (lines // 100))


def test_a_parent_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    root = parse(Source("a.py", b"x" + b".a" * 400), "python")
    names = find_descendants(root, "python", "identifier")
    find_parent.cache_clear()
    for name in names:
        assert list(iter_ancestors(name))[-1] == root
    assert find_parent.cache_info().misses < 3 * len(names)


def test_climbing_takes_from_the_budget() -> None:
    deep = find_descendants(parse(Source("a.py", b"x" + b".a" * 400), "python"), "python", "identifier")[0]
    with spending(Budget({"visits": 300})), pytest.raises(ExhaustedError):
        list(iter_ancestors(deep))


def test_macros_in_macros_take_from_the_budget() -> None:
    root = parse(Source("a.rs", b"fn f() { m![" + b"a, " * 100 + b"] }"), "rust")
    (tokens,) = find_descendants(root, "rust", "token_tree")
    with spending(Budget({"visits": 300})), pytest.raises(ExhaustedError):
        parse_range(Source("a.rs", root.text or b""), "rust", tokens, tokens)


def test_the_calls_on_a_command_are_looked_through_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of twice as many calls in a chain it is twice the work, and not four times."""
    evaluated = []
    evaluate = calls.evaluate
    monkeypatch.setattr(calls, "evaluate", lambda *given: evaluated.append(given[-1]) or evaluate(*given))

    def effort(length: int) -> int:
        evaluated.clear()
        reviewed(tmp_path, "server.rs", RUST.format(body=CHAIN.format(".arg(p.text)" * length)))
        return len(evaluated)

    few = effort(100)
    assert 100 < few < effort(200) < 2.5 * few
