"""Types that double, circle or never end, and comments without end: read within the budget, and named where that ends."""

from pathlib import Path

import pytest

from reviewer.budget import Budget, spending
from reviewer.facts import Schema, Tool
from reviewer.files.discovery import discover_files
from reviewer.languages import rust
from reviewer.languages.rust.syntax import comments
from reviewer.schema.rust.generator import SHARE

TOOL = '#[tool(description = "Gets a thing.")]\n    fn get(&self, p: Parameters<{}>) -> String {{ String::new() }}'
SERVER = "{types}\n#[tool_router]\nimpl S {{\n    {tool}\n}}\n#[tool_handler]\nimpl ServerHandler for S {{}}\n"
DERIVED = "#[derive(Deserialize, JsonSchema)]\n"
LEVELS = 30


def tower(level: str, last: str, levels: int = LEVELS) -> str:
    return "".join(level.format(at=at, next=at + 1) for at in range(levels)) + last.format(at=levels)


STRUCT = DERIVED + "struct A{at} {{ x: String }}\n"
ENDLESS = {
    "fields": tower(DERIVED + "struct A{at} {{ l: A{next}, r: A{next} }}\n", STRUCT),
    "flattened": tower(DERIVED + "struct A{at} {{ #[serde(flatten)] l: A{next}, #[serde(flatten)] r: A{next} }}\n", STRUCT),
    "inlined": tower(DERIVED + "#[schemars(inline)]\nstruct A{at} {{ l: A{next}, r: A{next} }}\n", STRUCT),
    "inlined enums": tower(DERIVED + "#[schemars(inline)]\nenum A{at} {{ L(A{next}), R(A{next}) }}\n", STRUCT),
    "defaulted": tower(
        "#[derive(Deserialize, Serialize, JsonSchema, Default)]\n#[serde(default)]\nstruct A{at} {{ l: A{next}, r: A{next} }}\n", STRUCT
    ),
    "tuples": tower("type A{at} = (A{next}, A{next});\n", "type A{at} = String;\n"),
    "lists and maps": tower("type A{at} = HashMap<String, (A{next}, Vec<A{next}>)>;\n", "type A{at} = String;\n"),
    "generics": "type A0 = B0<String>;\n" + tower("type B{at}<T> = B{next}<(T, T)>;\n", "type B{at}<T> = Vec<T>;\n"),
    "generic structs": "type A0 = B0<String>;\n"
    + tower(DERIVED + "struct B{at}<T> {{ l: B{next}<(T, T)>, r: B{next}<Vec<T>> }}\n", DERIVED + "struct B{at}<T> {{ x: T }}\n"),
    "growing generics": "type A0 = B<String>;\n" + DERIVED + "struct B<T> { l: Option<Box<B<Vec<T>>>>, r: Option<Box<B<(T, T)>>>, t: T }\n",
    "a circle of names": "type A0 = A1;\ntype A1 = A0;\n",
    "a name of itself": "type A0 = A0;\n",
    "a thousand names": tower("type A{at} = A{next};\n", "type A{at} = String;\n", 1000),
    "a thousand structs": tower(DERIVED + "struct A{at} {{ l: A{next} }}\n", STRUCT, 1000),
    "a thousand flattened": tower(DERIVED + "struct A{at} {{ #[serde(flatten)] l: A{next} }}\n", STRUCT, 1000),
    "a thousand references": f"type A0 = {'&' * 1000}String;\n",
    "a thousand lists": f"type A0 = {'Vec<' * 1000}String{'>' * 1000};\n",
}  # fmt: skip


def one_tool(folder: Path, types: str) -> Tool:
    (folder / "main.rs").write_text(SERVER.format(types=types, tool=TOOL.format("A0")))
    (server,) = rust.read(discover_files(folder)).servers
    (tool,) = server.tools
    return tool


def spent_on(folder: Path, types: str) -> int:
    """Return what it takes to read a server of one tool, in nodes."""
    budget = Budget.from_size(0)
    before = budget.count_remaining("nodes")
    with spending(budget):
        assert isinstance(one_tool(folder, types).input_schema, Schema)
    return before - budget.count_remaining("nodes")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ENDLESS)
def test_the_work_is_bounded_and_what_is_not_read_is_named(kind: str, tmp_path: Path) -> None:
    budget = Budget.from_size(0)
    before = budget.count_remaining("nodes")
    with spending(budget):
        tool = one_tool(tmp_path, ENDLESS[kind])
        assert isinstance(tool.input_schema, Schema)
        document, holes = tool.input_schema.document, tool.input_schema.holes
    spent, plain = before - budget.count_remaining("nodes"), spent_on(tmp_path, "type A0 = String;\n")
    assert spent - plain <= 2 * SHARE, "once for the arguments, once for the schema"
    assert len(str(document)) < 2_000_000
    doubled = kind in ("flattened", "inlined", "inlined enums", "tuples", "lists and maps")
    assert not doubled or any("too large" in each.opaque.reason for each in holes)


def test_an_honest_schema_takes_little(tmp_path: Path) -> None:
    fields = "".join(f"f{number}: Option<Vec<String>>, " for number in range(50))
    budget = Budget.from_size(0)
    before = budget.count_remaining("nodes")
    with spending(budget):
        tool = one_tool(tmp_path, f"{DERIVED}struct A0 {{ {fields} }}\n")
        assert isinstance(tool.input_schema, Schema)
        assert not tool.input_schema.holes
    assert before - budget.count_remaining("nodes") < SHARE / 5


@pytest.mark.slow
def test_comments_in_thousands_are_looked_through_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 2000
    (tmp_path / "main.rs").write_text(
        SERVER.format(types="// mcp-review: ignore[tool-name-style] why\n" * count, tool=TOOL.format("A0"))
    )
    looks = []
    for name in ("iter_next_siblings", "iter_previous_siblings"):
        original = getattr(comments, name)
        monkeypatch.setattr(
            comments, name, lambda node, original=original: (looks.append(1) or each for each in original(node))
        )
    project = rust.read(discover_files(tmp_path))
    assert len(project.ignores) == count
    assert len({each.covers for each in project.ignores}) == 1
    assert len(looks) < 5 * count


CIRCLE = """
pub use hives::weigh;

#[tool_router]
impl Hives {
    #[tool(description = "Weigh a hive")]
    async fn weigh_hive(&self) -> String { weigh() }
}
"""


def test_a_crate_that_uses_its_own_name_in_a_circle_is_read_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "hives"\nversion = "1.0.0"\n', "utf-8")
    (tmp_path / "src" / "lib.rs").write_text(CIRCLE, "utf-8")
    (tool,) = rust.read(discover_files(tmp_path)).servers[0].tools
    assert tool.handler is not None
    assert tuple(tool.handler.acts.select_kinds("panics")) == ()
