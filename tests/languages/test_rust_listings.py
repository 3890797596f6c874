"""Tools that functions list, registries hold and boxes name; and source that is broken."""

import textwrap
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_rust_tools import only, project

from reviewer.facts import Schema
from reviewer.files.discovery import discover_files
from reviewer.languages.rust import read
from reviewer.source import Opaque


class TestListings:
    @pytest.mark.parametrize(
        ("ways", "known"),
        [('"list_books" | "find_book"', True), ('"list_books"', True), ("other if other.len() > 4", False)],
    )
    def test_annotations_by_the_name_that_a_function_is_handed(self, ways, known, tmp_path):
        found = project(
            tmp_path,
            main="""\
            pub struct Tool { name: &'static str, description: &'static str, input_schema: Value, annotations: Option<Value> }

            fn tool(name: &'static str, description: &'static str, input_schema: Value) -> Tool {
                Tool {
                    name,
                    description,
                    input_schema,
                    annotations: Some(json!({ "readOnlyHint": matches!(name, WAYS) })),
                }
            }

            pub fn tools() -> Vec<Tool> {
                vec![tool("list_books", "List the books", json!({})), tool("lend_book", "Lend a book", json!({}))]
            }

            fn answer(method: &str) -> Value {
                match method {
                    "tools/list" => json!({ "tools": tools() }),
                    _ => Value::Null,
                }
            }
            """.replace("WAYS", ways),
        )
        (server,) = found.servers
        if known:
            assert [each.annotations for each in server.tools] == [{"readOnlyHint": True}, {"readOnlyHint": False}]
        else:
            assert all(isinstance(each.annotations, Opaque) for each in server.tools)

    def test_a_router_of_the_crate_before_rmcp(self, tmp_path):
        found = project(
            tmp_path,
            main="""\
            use mcp_core::{Content, Tool, ToolError};
            use mcp_server::router::{CapabilitiesBuilder, RouterService};
            use mcp_server::{ByteTransport, Router, Server};

            #[derive(Clone)]
            struct Shelf;

            impl Router for Shelf {
                fn list_tools(&self) -> Vec<Tool> {
                    vec![Tool::new(
                        "lend".to_string(),
                        "Lend a book".to_string(),
                        json!({"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}),
                    )]
                }

                fn call_tool(&self, tool_name: &str, arguments: Value) -> Pin<Box<dyn Future<Output = Answer> + Send>> {
                    let title = arguments["title"].as_str().unwrap_or_default().to_string();
                    Box::pin(async move { Ok(vec![Content::text(title)]) })
                }
            }
            """,
        )
        (server,) = found.servers
        (lend,) = server.tools
        assert (lend.name, lend.description) == ("lend", "Lend a book")
        assert [(str(each.name), each.required) for each in lend.parameters] == [("title", True)]

    def test_a_router_of_something_else(self, tmp_path):
        main = (
            'impl Router for Shelf { fn list_tools(&self) -> Vec<Tool> { vec![Tool::new("lend", "Lend", schema())] } }'
        )
        assert not any(each.tools for each in project(tmp_path, main=main).servers)

    def test_tools_made_by_hand(self, tmp_path):
        found = project(
            tmp_path,
            main="""\
            const TOLD: &str = "Lend a book";
            impl ServerHandler for Shelf {
                async fn list_tools(&self, r: Option<P>, c: C) -> Result<ListToolsResult, E> {
                    let mut tools = vec![
                        Tool::new("lend", TOLD, schema()).annotate(ToolAnnotations::new().read_only(true)),
                        #[cfg(unix)]
                        Tool::new_with_raw("burn", None, Arc::new(JsonObject::new())),
                    ];
                    if self.writable {
                        tools.push(Tool { name: "bind".into(), description: Some("Bind".into()), input_schema: make(), ..Default::default() });
                    }
                    tools.push(made("count"));
                    Ok(ListToolsResult::with_all_items(tools))
                }
            }
            fn made(name: &str) -> Tool {
                Tool::new(name.to_string(), "Counts", serde_json::from_value(json!({"type": "object"})).unwrap())
            }
            fn schema() -> Arc<JsonObject> {
                let value = json!({
                    "type": "object",
                    "properties": {"title": {"type": "string", "description": "which", "enum": titles()}},
                    "required": ["title"],
                });
                Arc::new(value.as_object().unwrap().clone())
            }
            """,
        )
        (server,) = found.servers
        lend, burn, bind, count = server.tools
        assert (lend.name, lend.description, lend.span.line) == ("lend", "Lend a book", 5)
        assert lend.annotations == {"readOnlyHint": True}
        assert [(str(each.name), each.description, each.required) for each in lend.parameters] == [
            ("title", "which", True)
        ]
        assert [hole.path for hole in lend.input_schema.holes] == ["properties.title.enum"]
        assert (burn.description, burn.conditions[0].text) == (None, "#[cfg(unix)]")
        assert isinstance(bind.input_schema, Opaque)
        assert bind.conditions[0].text == "if self.writable"
        assert (count.name, count.description, count.span.line) == ("count", "Counts", 12)

    @pytest.mark.parametrize(
        ("value", "made"),
        [
            ("DEFINITIONS", "Tool::new(each.name, each.told, (each.schema)())"),
            (
                "table::all()",
                "{ let schema = (each.schema)(); Tool { name: each.name.into(), description: each.told, schema } }",
            ),
            ("DEFINITIONS", "listed(each)"),
        ],
    )
    def test_a_table_of_structs_of_any_name(self, tmp_path, value, made):
        source = f"""
        impl ServerHandler for Shelf {{
            async fn list_tools(&self) -> R {{
                Ok(ListToolsResult {{ tools: {value}.iter().map(|each| {made}).collect(), next_cursor: None }})
            }}
        }}
        fn listed(row: &Definition) -> Tool {{ Tool::new(row.name, row.told, (row.schema)()) }}
        """
        table = """
        pub static DEFINITIONS: &[Definition] = &[
            Definition { name: "lend", told: "Lend", schema: of_lend },
            Definition { name: "count", told: COUNT, schema: of_count },
        ];
        const COUNT: &str = "Count";
        pub fn all() -> &'static [Definition] { DEFINITIONS }
        pub struct Definition { pub name: &'static str, pub told: &'static str, pub schema: fn() -> Value }
        """
        (server,) = project(
            tmp_path, main=f"mod table;\nuse crate::table::{{DEFINITIONS, Definition}};\n{source}", table=table
        ).servers
        assert server.unreadable == ()
        assert [(tool.name, tool.description) for tool in server.tools] == [("lend", "Lend"), ("count", "Count")]

    def test_a_loop_over_what_a_run_holds_is_unreadable(self, tmp_path):
        found = project(
            tmp_path,
            main="""\
            impl ServerHandler for Shelf {
                async fn list_tools(&self) -> R {
                    let mut tools = Vec::new();
                    for each in self.registry.services() {
                        tools.push(Tool::new(each.name, each.description, schema.clone()));
                    }
                    Ok(tools)
                }
            }
            """,
        )
        (server,) = found.servers
        assert server.tools == ()
        assert "each.name" in server.unreadable[0].reason
        assert server.unreadable[0].span.line == 5

    def test_json_on_the_way_of_tools_list(self, tmp_path):
        found = project(
            tmp_path,
            main="""\
            fn answer(method: &str) -> Value {
                match method {
                    "tools/list" => json!({ "tools": definitions() }),
                    _ => json!({}),
                }
            }
            fn definitions() -> Value {
                json!([
                    {"name": "lend", "description": concat!("Lend ", "it"), "inputSchema": {"type": "object"}},
                    {"name": NAME, "description": "Burn", "inputSchema": {"type": "object"}}
                ])
            }
            """,
        )
        (server,) = found.servers
        assert [(str(tool.name), tool.description, tool.span.line) for tool in server.tools] == [("lend", "Lend it", 9)]
        assert "NAME" in server.unreadable[0].reason
        assert server.framework == ""

    def test_tools_that_a_run_adds_are_unreadable(self, tmp_path):
        (server,) = project(
            tmp_path,
            main="""\
            impl ServerHandler for Shelf {
                async fn list_tools(&self) -> R {
                    let mut tools = self.tool_router.list_all();
                    tools.extend(self.upstream.tools().await?);
                    Ok(tools)
                }
            }
            #[tool_router]
            impl Shelf { #[tool] fn lend(&self) {} }
            """,
        ).servers
        assert [str(tool.name) for tool in server.tools] == ["lend"]
        assert [(each.span.line, "upstream" in each.reason) for each in server.unreadable] == [(4, True)]

    def test_struct_literals_behind_an_if_on_the_method(self, tmp_path):
        (server,) = project(
            tmp_path,
            main="""\
            fn answer(method: &str) -> Value {
                if method == "tools/list" { return json!({ "tools": definitions() }); }
                json!({})
            }
            fn definitions() -> Vec<ToolDefinition> {
                vec![ToolDefinition { name: "lend".into(), description: LEND.into(), input_schema: json!({}) }]
            }
            const LEND: &str = "Lend";
            """,
        ).servers
        assert [(str(tool.name), tool.description, tool.span.line) for tool in server.tools] == [("lend", "Lend", 6)]
        assert server.span.line == 2

    def test_filled_maps_are_followed(self, tmp_path):
        tool = only(
            tmp_path,
            """
            impl ServerHandler for Shelf {
                async fn list_tools(&self) -> R {
                    let mut schema = Map::new();
                    schema.insert("type".to_string(), json!("object"));
                    Ok(vec![Tool::new("lend", "Lend", Arc::new(schema))])
                }
            }
            """,
        )
        assert tool.input_schema.document == {"type": "object"}


class TestRegistries:
    SOURCE = """\
    pub trait Tool { fn name(&self) -> &str; fn description(&self) -> &str; fn input_schema(&self) -> Value; }
    impl Tool for Lend {
        fn name(&self) -> &str { "lend" }
        fn description(&self) -> &str { LEND }
        fn input_schema(&self) -> Value { json!({"type": "object", "properties": {"title": {}}, "required": []}) }
    }
    impl Tool for Burn { fn name(&self) -> &str { "burn" } fn description(&self) -> &str { "Burn" } }
    impl Tool for Forgotten { fn name(&self) -> &str { "forgotten" } }
    impl Tool for Probe { fn name(&self) -> &str { "probe" } }
    const LEND: &str = "Lend";
    fn tools() -> Vec<Arc<dyn Tool>> {
        let mut tools: Vec<Arc<dyn Tool>> = vec![Arc::new(Lend), #[cfg(unix)] Arc::new(Burn::new())];
        if probing() { tools.push(Arc::new(Probe)); }
        tools
    }
    impl ServerHandler for Shelf {
        async fn list_tools(&self) -> R {
            Ok(self.tools.iter().map(|t| Tool::new(t.name(), t.description(), t.input_schema())).collect())
        }
    }
    """

    def test_what_is_registered_is_served(self, tmp_path):
        (server,) = project(tmp_path, main=self.SOURCE).servers
        assert server.unreadable == ()
        found = {str(tool.name): tool for tool in server.tools}
        assert list(found) == ["lend", "burn", "probe"]
        assert (found["lend"].description, found["lend"].span.line) == ("Lend", 2)
        assert [(str(each.name), each.required) for each in found["lend"].parameters] == [("title", False)]
        assert [each.text for each in found["burn"].conditions] == ["#[cfg(unix)]"]
        assert [each.text for each in found["probe"].conditions] == ["if probing()"]

    def test_an_adapter_passes_on_the_tools_of_another_trait(self, tmp_path):
        source = (
            self.SOURCE
            + """
    pub mod inner {
        pub trait Tool { fn name(&self) -> &str; }
        pub struct Count;
        impl Tool for Count { fn name(&self) -> &str { "count" } }
        pub fn all() -> Vec<Box<dyn Tool>> { vec![Box::new(Count)] }
    }
    struct Adapter { of: Box<dyn crate::inner::Tool> }
    impl crate::Tool for Adapter { fn name(&self) -> &str { self.of.name() } }
    fn adapted() { if wanted() { tools.push(Box::new(Adapter { of: it })) } }
    """
        )
        (server, *_) = project(tmp_path, main=source).servers
        assert {str(tool.name): [each.text for each in tool.conditions] for tool in server.tools}["count"] == [
            "if wanted()"
        ]

    def test_an_adapter_with_a_type_parameter_passes_on_the_tools_of_its_bound(self, tmp_path):
        source = """
        pub trait TypedTool { const NAME: &'static str; const DESCRIPTION: &'static str; const CHANGES: bool = false; }
        pub trait Tool { fn name(&self) -> &str; fn description(&self) -> &str; fn input_schema(&self) -> Value; }
        struct Wrapped<T> { inner: T }
        impl<T> Tool for Wrapped<T> where T: TypedTool {
            fn name(&self) -> &str { <T as TypedTool>::NAME }
            fn description(&self) -> &str { T::DESCRIPTION }
            fn input_schema(&self) -> Value { json!({"type": "object"}) }
        }
        struct Lend;
        impl TypedTool for Lend { const NAME: &'static str = "lend"; const DESCRIPTION: &'static str = "Lend it."; }
        struct Burn;
        impl TypedTool for Burn {
            const NAME: &'static str = "burn";
            const DESCRIPTION: &'static str = "Burn it.";
            const CHANGES: bool = true;
            async fn run(&self) { std::fs::remove_file("x").ok(); }
        }
        impl Shelf {
            fn with(mut self, tool: impl TypedTool) -> Self { self.tools.push(Box::new(Wrapped { inner: tool })); self }
        }
        fn shelf() -> Shelf { Shelf::new().with(Lend).with(Burn) }
        fn listed(tool: &Box<dyn Tool>) -> rmcp::model::Tool {
            rmcp::model::Tool::new(tool.name().to_owned(), tool.description().to_owned(), Arc::default())
        }
        impl ServerHandler for Shelf {
            async fn list_tools(&self) -> Result<ListToolsResult, ErrorData> {
                Ok(ListToolsResult::with_all_items(self.tools.iter().map(listed).collect()))
            }
        }
        """
        (server,) = project(tmp_path, main=source).servers
        assert {str(tool.name): tool.by_contract for tool in server.tools} == {"lend": True, "burn": True}
        assert server.unreadable == ()
        assert [str(tool.handler.write_mark) for tool in server.tools if tool.handler] == ["CHANGES"]

    def test_what_two_transports_answer_by_hand_is_one_server(self, tmp_path):
        answering = """
        fn answer(method: &str, tools: &[Box<dyn Tool>]) -> Value {
            match method { "tools/list" => listed(tools), _ => Value::Null }
        }
        fn listed(tools: &[Box<dyn Tool>]) -> Value {
            let all: Vec<ToolInfo> = tools
                .iter()
                .map(|t| ToolInfo { name: t.name().to_string(), description: t.description().to_string() })
                .collect();
            json!({"tools": all})
        }
        """
        source = self.SOURCE.partition("impl ServerHandler")[0]
        (server,) = project(tmp_path, main=source, lines=answering, web=answering).servers
        assert server.unreadable == ()
        assert [str(tool.name) for tool in server.tools] == ["lend", "burn", "probe"]


class TestBoxes:
    def test_a_handler_that_answers_with_the_box_adds_nothing(self, tmp_path):
        found = project(
            tmp_path,
            main="""\
            #[mcp_tool(name = "lend", description = "Lend it")]
            pub struct Lend {}
            tool_box!(Tools, [Lend]);
            impl ServerHandler for Shelf {
                async fn handle_list_tools_request(&self, r: R, s: S) -> Result<ListToolsResult, E> {
                    Ok(ListToolsResult { tools: Tools::tools(), meta: None, next_cursor: None })
                }
            }
            impl ServerHandler for Other {
                async fn handle_list_tools_request(&self, r: R, s: S) -> Result<ListToolsResult, E> {
                    Ok(ListToolsResult { tools: Elsewhere::tools(), meta: None, next_cursor: None })
                }
            }
            """,
        )
        assert [str(tool.name) for server in found.servers for tool in server.tools] == ["lend"]
        assert [each.span.line for server in found.servers for each in server.unreadable] == [10]

    def test_structs_in_the_order_of_the_box(self, tmp_path):
        found = project(
            tmp_path,
            main="""\
            #[mcp_tool(name = "lend", description = concat!("Lend", " it"), read_only_hint = true)]
            #[derive(JsonSchema)]
            pub struct Lend {
                /// Which.
                title: String,
                days: Option<u32>,
            }
            #[mcp_tool(name = "burn", description = "Burn")]
            pub struct Burn {}
            #[mcp_tool(name = "dead", description = "Not in the box")]
            pub struct Dead {}
            tool_box!(Tools, [Burn, Lend]);
            """,
        )
        (server,) = found.servers
        assert server.framework == "rust-mcp-sdk"
        assert [str(tool.name) for tool in server.tools] == ["burn", "lend"]
        lend = server.tools[1]
        assert (lend.description, lend.annotations) == ("Lend it", {"readOnlyHint": True})
        assert lend.input_schema.document == {
            "type": "object",
            "properties": {
                "title": {"type": "string", "description": "Which."},
                "days": {"type": ["integer", "null"]},
            },
            "required": ["title"],
        }


VALID = textwrap.dedent(TestRegistries.SOURCE) + textwrap.dedent("""\
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", tag = "t")]
    enum Mode { #[serde(rename = "x")] A, B { n: Vec<u8> }, C(Other) }
    struct Other { #[serde(default = "d", flatten)] a: Option<HashMap<String, Mode>>, b: [u8; 3], c: (i8, Box<Other>) }
    #[tool_router]
    impl Shelf {
        /// Doc
        #[tool(name = "n", annotations(title = "T"))]
        async fn n(&self, Parameters(p): Parameters<Other>) -> Json<Mode> { Ok(x) }
    }
    #[mcp_tool(name = "m")]
    struct M { a: Option<Mode> }
    tool_box!(All, [M, N]);
    fn answer() { match m { "tools/list" => json!({"tools": [{"name": format!("a"), "inputSchema": {"p": [1, null]}}]}), } }
    """)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_broken_source_is_never_an_error(tmp_path, data):
    text = VALID
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 40)))
        text = (
            text[:start]
            + data.draw(st.sampled_from(["", "(", "}", '"', "#[", "é", "::", "<", "json!", "\x00", "r#"]))
            + text[end:]
        )
    (Path(tmp_path) / "main.rs").write_text(text)
    for server in read(discover_files(tmp_path)).servers:
        for tool in server.tools:
            for schema in (tool.input_schema, tool.output_schema):
                if isinstance(schema, Schema):
                    assert schema.document is not None


def test_deep_source_is_never_an_error(tmp_path):
    deep = "(" * 3000 + "1" + ")" * 3000
    (tmp_path / "main.rs").write_text(
        f"impl ServerHandler for S {{ fn list_tools() {{ Tool::new({deep}, {deep}, {deep}) }} }}\n" + "mod a {" * 2000
    )
    read(discover_files(tmp_path))


ROWS = """
    ToolMetadata { name: "feed_horse", description: "Feed one horse.", schema: json!({ "type": "object", "required": ["stall"], "properties": { "stall": { "type": "integer" } } }) },
    ToolMetadata { name: "walk_horse", description: "Walk one horse.", schema: json!({ "type": "object", "properties": {} }) },
"""
STABLE = """
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};
use rmcp::{model::{object, ListToolsResult, Tool}, ErrorData as McpError, ServerHandler};

pub struct ToolMetadata { pub name: &'static str, pub description: &'static str, pub schema: Value }

METADATA

#[async_trait]
pub trait ToolHandler: Send + Sync {
    fn name(&self) -> &'static str;
    async fn execute(&self, input: Value) -> Result<Value, Failure>;
}

pub struct Feeding;
#[async_trait]
impl ToolHandler for Feeding {
    fn name(&self) -> &'static str { "feed_horse" }
    async fn execute(&self, input: Value) -> Result<Value, Failure> { feed(input["stall"].as_u64()).await }
}

pub struct Walking;
#[async_trait]
impl ToolHandler for Walking {
    fn name(&self) -> &'static str { "walk_horse" }
    async fn execute(&self, _input: Value) -> Result<Value, Failure> { walk().await }
}

pub struct Stable { handlers: Vec<Arc<dyn ToolHandler>> }

impl Stable {
    pub fn new() -> Self { Self { handlers: vec![Arc::new(Feeding), Arc::new(Walking)] } }
}

impl ServerHandler for Stable {
    async fn list_tools(&self, _: Option<Page>, _: Context) -> Result<ListToolsResult, McpError> {
        LISTED
        Ok(ListToolsResult { tools, ..Default::default() })
    }
}
"""
OF_ROW = "Tool::new(row.name, row.description, Arc::new(object(row.schema.clone())))"


class TestHandlersBesideWhatDescribesThem:
    @pytest.mark.parametrize(
        ("metadata", "listed"),
        [
            (
                "pub fn rows() -> Vec<ToolMetadata> { vec![ROWS] }",
                "let tools = rows().iter().map(|row| OF_ROW).collect();",
            ),
            (
                "static TABLE: LazyLock<Vec<ToolMetadata>> = LazyLock::new(|| vec![ROWS]);",
                "let tools = TABLE.iter().map(|row| OF_ROW).collect();",
            ),
            (
                """pub struct Registry { rows: Vec<ToolMetadata> }
                impl Registry {
                    pub fn full() -> Self { let mut made = Self { rows: Vec::new() }; ADDED made }
                    fn add(&mut self, row: ToolMetadata) { self.rows.push(row); }
                }""",
                "let tools = Registry::full().rows.iter().map(|row| OF_ROW).collect();",
            ),
        ],
    )
    def test_a_tool_is_listed_once_with_its_handler(self, metadata, listed, tmp_path):
        added = "".join(f"made.add({row.strip().rstrip(',')});" for row in ROWS.strip().splitlines())
        main = STABLE.replace("METADATA", metadata).replace("LISTED", listed)
        main = main.replace("ADDED", added).replace("ROWS", ROWS).replace("OF_ROW", OF_ROW)
        (server,) = project(tmp_path, main=main).servers
        assert [(str(each.name), str(each.description)) for each in server.tools] == [
            ("feed_horse", "Feed one horse."),
            ("walk_horse", "Walk one horse."),
        ]
        assert all(each.handler is not None and each.handler.name == "execute" for each in server.tools)


PARSED = '{ "type": "object", "required": ["stall"], "properties": { "stall": { "type": "integer" } } }'


@pytest.mark.parametrize(
    ("items", "schema"),
    [
        ("", f'serde_json::from_str(r#"{PARSED}"#).expect("it is JSON")'),
        (f'const HORSE: &str = r#"{PARSED}"#;', "Arc::new(serde_json::from_str::<JsonObject>(HORSE).unwrap())"),
        ("fn parsed(text: &str) -> JsonObject { serde_json::from_str(text).unwrap() }", f'parsed(r#"{PARSED}"#)'),
        ("", 'serde_json::from_str(r#"{ "type": "object" "#).unwrap()'),
    ],
)
def test_a_schema_that_is_parsed_of_a_text(items, schema, tmp_path):
    tool = only(
        tmp_path,
        f"""
{items}
impl ServerHandler for Stable {{
    async fn list_tools(&self, _: Option<Page>, _: Context) -> Result<ListToolsResult, McpError> {{
        let tools = vec![Tool::new("feed_horse", "Feed one horse.", {schema})];
        Ok(ListToolsResult {{ tools, ..Default::default() }})
    }}
}}
""",
    )
    if PARSED in items + schema:
        assert isinstance(tool.input_schema, Schema)
        assert [str(each.name) for each in tool.parameters] == ["stall"]
    else:
        assert isinstance(tool.input_schema, Opaque)
        assert "no JSON" in tool.input_schema.reason
