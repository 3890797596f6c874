"""What is written in Rust in the place of what was found."""

import pytest

from tests.fixes.conftest import swapped

ROUTER = """use rmcp::{tool, tool_handler, tool_router, ServerHandler, handler::server::wrapper::Parameters};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Id {
    /// The rope.
    id: String,
}

#[derive(Clone)]
struct Ropes;

#[tool_router]
impl Ropes {
    /// Delete a rope for good. Use it when it is worn out.
    #[tool]
    async fn delete_rope(&self, Parameters(id): Parameters<Id>) -> String {
        id.id
    }
}

#[tool_handler]
impl ServerHandler for Ropes {}

#[tokio::main]
async fn main() {
    Ropes.serve(rmcp::transport::stdio()).await.unwrap();
}
"""

HINTS = [
    ("#[tool]", "#[tool(annotations(destructive_hint = true))]"),
    ('#[tool(title = "x")]', '#[tool(title = "x", annotations(destructive_hint = true))]'),
    (
        '#[tool(\n        title = "x",\n    )]',
        '#[tool(\n        title = "x",\n        annotations(destructive_hint = true),\n    )]',
    ),
    (
        "#[tool(annotations(idempotent_hint = true))]",
        "#[tool(annotations(idempotent_hint = true, destructive_hint = true))]",
    ),
]


@pytest.mark.parametrize(("bad", "good"), HINTS)
def test_a_hint_that_the_name_gives(fix, bad, good):
    before, after = (swapped(ROUTER, ("#[tool]", text)) for text in (bad, good))
    assert fix(before, "tool-without-destructive-hint", name="main.rs") == after


def test_a_hint_that_the_name_contradicts_is_unsafe(fix):
    bad, good = (
        swapped(ROUTER, ("#[tool]", f"#[tool(annotations(destructive_hint = {x}))]")) for x in ("false", "true")
    )
    assert fix(bad, "destructive-not-marked", name="main.rs") == bad
    assert fix(bad, "destructive-not-marked", name="main.rs", unsafe=True) == good


PRINTS = [
    ('println!("gone {}", id.id)', 'eprintln!("gone {}", id.id)'),
    ('std::print!("gone")', 'std::eprint!("gone")'),
    ('writeln!(std::io::stdout(), "gone").ok()', 'writeln!(std::io::stderr(), "gone").ok()'),
]


@pytest.mark.parametrize(("bad", "good"), PRINTS)
def test_what_is_printed_under_stdio(fix, bad, good):
    before, after = (swapped(ROUTER, ("        id.id\n", f"        {text};\n        id.id\n")) for text in (bad, good))
    assert fix(before, "prints-to-stdout", name="main.rs") == after


def test_hidden_characters_in_documentation(fix):
    assert fix(swapped(ROUTER, ("a rope for", "a \u200brope for")), "hidden-characters", name="main.rs") == ROUTER


LISTED = """use rmcp::{model::*, object, ServerHandler};

struct Ropes;

impl ServerHandler for Ropes {
    async fn list_tools(&self, _: Option<PaginatedRequestParam>) -> Result<ListToolsResult, ErrorData> {
        let rope = Tool::new(
            "delete_rope",
            "Deletes a rope. Use it when it is worn out.",
            object!({
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "opts": {"type": "object", "properties": {"hard": {"type": "boolean"}}}
                },
                "required": ["id"]
            }),
        );
        Ok(ListToolsResult { tools: vec![rope], next_cursor: None })
    }
}
"""

SCHEMAS = [
    ("required-not-defined", '"required": ["id"]', '"required": ["id", "ghost"]', '"required": ["id"]'),
    ("schema-not-valid", '"required": ["id"]', '"required": ["id", "id"],', '"required": ["id"],'),
    ("schema-not-valid", '"id": {"type": "string"}', '"id": {"type": "String"}', '"id": {"type": "string"}'),
    (
        "object-left-open",
        '{"hard": {"type": "boolean"}}}',
        '{"hard": {"type": "boolean"}}}',
        '{"hard": {"type": "boolean"}}, "additionalProperties": false}',
    ),
]


@pytest.mark.parametrize(("slug", "place", "bad", "good"), SCHEMAS)
def test_a_schema_that_is_written_out(fix, slug, place, bad, good):
    before, after = (swapped(LISTED, (place, text)) for text in (bad, good))
    assert fix(before, slug, unsafe=True, name="main.rs") == after
