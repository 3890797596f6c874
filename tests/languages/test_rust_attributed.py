"""Tools of the SDKs whose attribute over an impl block serves its functions."""

import pytest
from test_rust_tools import project

from reviewer.files.discovery import discover_files
from reviewer.languages.rust import read
from reviewer.source import Opaque


def served(folder, text):
    (server,) = project(folder, main=text).servers
    return server


@pytest.mark.parametrize(
    ("head", "mark", "framework"),
    [
        (
            "use mcp_attr::server::{mcp_server, McpServer};\n#[mcp_server]\nimpl McpServer for Shelf",
            "#[tool]",
            "mcp-attr",
        ),
        ('use turbomcp::prelude::*;\n#[server(name = "shelf")]\nimpl Shelf', '#[tool("Lends.")]', "turbomcp"),
        ('#[turbomcp::server(name = "shelf")]\nimpl Shelf', "#[tool]", "turbomcp"),
        ("use mcpkit::prelude::*;\n#[mcp_server]\nimpl Shelf", '#[tool(description = "Lends.")]', "mcpkit"),
    ],
)
def test_names_descriptions_and_what_is_not_read(tmp_path, head, mark, framework):
    server = served(
        tmp_path,
        f"""{head} {{
            /// Lends.
            {mark}
            #[allow(unused)]
            async fn lend(&self, book: String) -> Result<String> {{ Ok(book) }}
            fn other(&self) {{}}
        }}""",
    )
    (tool,) = server.tools
    assert (str(tool.name), str(tool.description), server.framework) == ("lend", "Lends.", framework)
    assert tool.handler.name == "lend"
    assert isinstance(tool.input_schema, Opaque)
    assert framework in tool.input_schema.reason


def test_given_names_and_hints(tmp_path):
    server = served(
        tmp_path,
        """
        use mcpkit::prelude::*;
        #[mcp_server]
        impl Shelf {
            #[tool(name = "book_lend", description = "Lends", read_only = true, destructive = false)]
            async fn lend(&self) -> ToolOutput { ToolOutput::text("") }
        }
        """,
    )
    assert str(server.tools[0].name) == "book_lend"
    assert server.tools[0].annotations == {"readOnlyHint": True, "destructiveHint": False}


def test_what_stands_first_is_a_name_for_mcp_attr(tmp_path):
    server = served(
        tmp_path,
        'use mcp_attr::server::mcp_server;\n#[mcp_server]\nimpl S { #[tool("book_lend")] async fn lend(&self) -> R { r() } }',
    )
    assert (str(server.tools[0].name), server.tools[0].description) == ("book_lend", None)


def test_what_turbomcp_puts_into_a_description(tmp_path):
    server = served(
        tmp_path,
        '#[turbomcp::server]\nimpl S { #[tool(description = "Lends", usage = "At noon")] async fn lend(&self) -> R { r() } }',
    )
    assert isinstance(server.tools[0].description, Opaque)


@pytest.mark.parametrize("head", ["use axum_macros::server;\n#[server]", "#[leptos::server]", "#[mcp_server]"])
def test_attributes_of_others(tmp_path, head):
    found = project(tmp_path, main=f"{head}\nimpl S {{ #[tool] async fn lend(&self) -> R {{ r() }} }}").servers
    assert found == ()


def test_a_server_by_hand_in_another_package(tmp_path):
    answering = """
    fn answer(method: &str) -> Value {
        match method {
            "tools/list" => json!({"tools": [{"name": "NAME", "inputSchema": {"type": "object"}}]}),
            _ => Value::Null,
        }
    }
    """
    for name, text in {
        "one": "use mcpkit::mcp_server;\n#[mcp_server]\nimpl S { #[tool] async fn lend(&self) -> R { r() } }\n"
        + answering.replace("NAME", "passed_on"),
        "two": answering.replace("NAME", "burn"),
    }.items():
        (tmp_path / name / "src").mkdir(parents=True)
        (tmp_path / name / "Cargo.toml").write_text(f'[package]\nname = "{name}"\n')
        (tmp_path / name / "src" / "main.rs").write_text(text)
    found = read(discover_files(tmp_path)).servers
    assert {str(server.name): [str(tool.name) for tool in server.tools] for server in found} == {
        "one": ["lend"],
        "two": ["burn"],
    }
