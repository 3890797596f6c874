"""Rust that nobody writes: it is named, in bounded time, and the rest is read."""

import pytest
from effort import at_most

from reviewer.files.discovery import discover_files
from reviewer.languages.rust import read

ROUTER = '#[tool_router]\nimpl S {\n    #[tool(description = "Read")]\n    async fn read(&self) -> String { String::new() }\n}\n'


@pytest.mark.parametrize("opening", ["(", "[", "{ if a "])
def test_nesting(opening, tmp_path):
    closing = {"(": ")", "[": "]", "{ if a ": "}"}[opening]
    (tmp_path / "main.rs").write_text(ROUTER)
    (tmp_path / "deep.rs").write_text(
        "pub async fn run_with_client(action: &str, params: Value) -> Result<Value, E> {\n    match action {\n"
        f'        "item.list" => {opening * 5000}{closing * 5000},\n        other => Err(E(other)),\n    }}\n}}\n'
    )
    with at_most(5):
        project = read(discover_files(tmp_path))
    assert [str(tool.name) for server in project.servers for tool in server.tools] == ["read"]
    assert [(each.span.path, each.reason) for each in project.broken] == [
        ("deep.rs", "code is nested too deeply; the file was not read")
    ]
