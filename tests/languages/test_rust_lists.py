"""Lists of tools that other crates' macros and builders make, and tools that a project's own traits and constructors make."""

import pytest
from test_rust_tools import project, tools

from reviewer.facts import Schema
from reviewer.source import Opaque

NESTED = """\
use mcplease::traits::WithExamples;
/// Burns a book
///
/// for good
#[derive(Serialize, Deserialize, schemars::JsonSchema, clap::Args)]
#[serde(rename = "burn_book")]
pub struct Burn {
    /// Which one
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    count: u8,
    names: Vec<String>,
    cover: Option<Cover>,
    page: Page,
    table: Option<HashMap<String, u8>>,
}
/// Of what
#[derive(Serialize, Deserialize, schemars::JsonSchema)]
enum Cover { Cloth, Paper }
#[derive(Serialize, Deserialize, schemars::JsonSchema)]
struct Page { number: i32, hint: Option<bool> }
impl WithExamples for Burn {}
"""


def documents(found):
    return {name: tool.input_schema.document for name, tool in found.items()}


class TestMcplease:
    def test_tools(self, tmp_path):
        found = tools(
            tmp_path,
            tools='use crate::state::Shelf;\nmcplease::tools!(\n    Shelf,\n    (Burn, burn, "burn_book"),\n    (Run, run_test, "run")\n);',
            tools__burn=NESTED,
            tools__run_test="""\
            /// Runs
            #[derive(schemars::JsonSchema)]
            #[serde(rename = "run")]
            pub struct Run {}
            impl WithExamples for Run { fn examples() -> Vec<Example<Self>> { vec![Example { description: "a", item: Self {} }] } }
            """,
        )
        assert {name: str(tool.description) for name, tool in found.items()} == {
            "burn_book": "Burns a book\n\nfor good",
            "run": "Runs",
        }
        assert documents(found) == {
            "burn_book": {
                "type": "object",
                "properties": {
                    "id": {"type": "string", "description": "Which one"},
                    "count": {"type": "integer"},
                    "names": {"type": "array", "items": {"type": "string"}},
                    "cover": {"type": "string", "enum": ["Cloth", "Paper"], "description": "Of what"},
                    "page": {
                        "type": "object",
                        "properties": {"number": {"type": "integer"}, "hint": {"type": "boolean"}},
                        "required": ["number"],
                    },
                    "table": {"type": "object", "properties": {}},
                },
                "required": ["count", "names", "page"],
                "examples": [],
            },
            "run": {"type": "object", "properties": {}},
        }

    def test_what_is_not_in_sight_and_what_cannot_be_sent(self, tmp_path):
        found = project(
            tmp_path,
            tools='use mcplease::tools;\ntools!(Shelf, (Burn, burn, "burn"), (Lend, lend, "lend"));',
            tools__lend="/// Lends\n#[derive(JsonSchema)]\npub struct Lend { size: f64 }",
        )
        (server,) = found.servers
        assert [each.reason for each in server.unreadable] == [
            'the tool `(Burn, burn, "burn")` is not declared in the reviewed files'
        ]
        assert [hole.path for hole in server.tools[0].input_schema.holes] == ["properties.size"]

    def test_another_macro_of_that_name(self, tmp_path):
        assert project(tmp_path, tools='tools!(Shelf, (Burn, burn, "burn"));', tools__burn=NESTED).servers == ()


class TestSetupTools:
    def test_tools(self, tmp_path):
        found = tools(
            tmp_path,
            main="""\
            use mcp_utils::server_prelude::*;
            #[mcp_tool(name = "lend", description = "Lends")]
            #[derive(JsonSchema)]
            pub struct Lend { id: String }
            setup_tools!(pub Tools, [
                text(Lend),
            ]);
            """,
        )
        assert documents(found) == {
            "lend": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
        }

    @pytest.mark.parametrize("derived", ["schemars::JsonSchema", "::schemars::JsonSchema", "JsonSchema"])
    def test_schemas_that_schemars_makes_for_a_function_of_the_project(self, tmp_path, derived):
        found = tools(
            tmp_path,
            main=f"""\
            use schemars::JsonSchema;
            trait Described: schemars::JsonSchema {{
                fn json_schema() -> Map<String, Value> {{
                    let mut map = schema_for!(Self).to_value(); map.remove("$schema"); map.remove("title"); map
                }}
            }}
            #[mcp_tool(name = "lend", description = "Lends")]
            #[derive(Debug, {derived})]
            pub struct Lend {{ id: Option<u8> }}
            tool_box!(Tools, [Lend]);
            """,
        )
        number = {"type": ["integer", "null"], "format": "uint8", "minimum": 0, "maximum": 255}
        assert documents(found) == {"lend": {"type": "object", "properties": {"id": number}}}

    def test_a_list_under_a_condition(self, tmp_path):
        found = tools(
            tmp_path,
            main="""\
            #[mcp_tool(name = "lend", description = "Lends")]
            #[derive(JsonSchema)]
            pub struct Lend {}
            #[cfg(feature = "lending")]
            tool_box!(Tools, [Lend]);
            """,
        )
        assert [each.text for each in found["lend"].conditions] == ['#[cfg(feature = "lending")]']


TOWER = """\
use tower_mcp::{{Tool, ToolBuilder, extract::{{Json, State}}, NoParams}};
/// What to lend
#[derive(Deserialize, JsonSchema)]
struct Book {{ id: String }}
async fn lend(book: Book) -> Result<CallToolResult> {{ Ok(CallToolResult::text(book.id)) }}
pub fn build(state: Arc<Shelf>) -> Tool {{
    ToolBuilder::new("lend").description("Lends " ).title("Lend"){calls}.build()
}}
"""
BOOK = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Book",
    "description": "What to lend",
    "type": "object",
    "properties": {"id": {"type": "string"}},
    "required": ["id"],
}
NO_PARAMS = {"$schema": BOOK["$schema"], "title": "NoParams", "type": "object"}


class TestTower:
    @pytest.mark.parametrize(
        ("calls", "document"),
        [
            (".handler(|book: Book| async move { Ok(book) })", BOOK),
            (".handler(lend)", BOOK),
            (
                ".extractor_handler(state, |State(s): State<Arc<Shelf>>, Json(b): Json<Book>| async move { Ok(b) })",
                BOOK,
            ),
            (
                ".extractor_handler(state, |State(s): State<Arc<Shelf>>| async move { Ok(s) })",
                {"type": "object", "additionalProperties": True},
            ),
            (
                ".handler({ let shelf = state.clone(); move |book: Book| { let shelf = shelf.clone(); lend(book) } })",
                BOOK,
            ),
            (".no_params_handler({ let shelf = state.clone(); move || count(shelf.clone()) })", NO_PARAMS),
            (".handler(|_: NoParams| async move { Ok(1) })", NO_PARAMS),
            (".no_params_handler(|| async { Ok(1) })", NO_PARAMS),
            ('.input_schema(json!({"type": "object"})).handler(lend)', {"type": "object"}),
        ],
    )
    def test_what_a_handler_takes(self, tmp_path, calls, document):
        tool = tools(tmp_path, main=TOWER.format(calls=calls))["lend"]
        assert (tool.description, tool.title, tool.input_schema.document) == ("Lends ", "Lend", document)

    @pytest.mark.parametrize(
        "calls", [".handler(make())", ".handler({ start(); })", ".raw_handler(|args: Value| async { Ok(args) })", ""]
    )
    def test_what_is_not_known(self, tmp_path, calls):
        assert isinstance(tools(tmp_path, main=TOWER.format(calls=calls))["lend"].input_schema, Opaque)

    def test_the_code_of_a_closure_in_a_block(self, tmp_path):
        calls = ".handler({ let shelf = state.clone(); move |book: Book| shelf.lend(book) })"
        handler = tools(tmp_path, main=TOWER.format(calls=calls))["lend"].handler
        assert handler is not None

    def test_hints(self, tmp_path):
        made = TOWER.format(calls=".read_only_safe().handler(lend)")
        assert tools(tmp_path, main=made)["lend"].annotations == {
            "readOnlyHint": True,
            "idempotentHint": True,
            "destructiveHint": False,
        }
        (tmp_path / "Cargo.lock").write_text('[[package]]\nname = "tower-mcp"\nversion = "0.6.0"\n')
        assert isinstance(tools(tmp_path, main=made)["lend"].annotations, Opaque)


OWN = """\
pub trait Tool { const NAME: &'static str; const TITLE: &'static str; const DESCRIPTION: &'static str; type RequestArgs; }
impl<T: Tool> Dynamic for T {
    fn tool(&self) -> rmcp::model::Tool { rmcp::model::Tool::new(T::NAME, T::DESCRIPTION, made::<T::RequestArgs>()).with_title(T::TITLE) }
}
"""
LEND = """\
/// What to lend
#[derive(JsonSchema)]
pub struct Book { /** Which one */ id: Option<String>, count: u8 }
pub struct Lend;
impl Tool for Lend {
    const NAME: &'static str = "lend";
    const TITLE: &'static str = "Lend";
    const DESCRIPTION: &'static str = "Lends";
    type RequestArgs = Book;
}
"""


class TestAssociatedTypes:
    def lend(self, folder, made):
        registered = "fn all() -> Vec<Box<dyn Dynamic>> { vec![Box::new(Lend)] }\n"
        return tools(
            folder, tool=OWN + f"fn made<T: JsonSchema>() -> Map<String, Value> {{ {made} }}\n", lend=LEND + registered
        )["lend"]

    def test_as_schemars_gives_it(self, tmp_path):
        tool = self.lend(tmp_path, "let whole = schema_for!(T).to_value(); whole.as_object().cloned().unwrap()")
        assert (tool.title, tool.input_schema.document["title"]) == ("Lend", "Book")

    def test_without_some_keys(self, tmp_path):
        tool = self.lend(
            tmp_path, 'let mut map = schema_for!(T).to_value(); map.remove("$schema"); map.remove("title"); map'
        )
        assert tool.input_schema.document.keys() == {"description", "type", "properties", "required"}

    def test_changed_by_code(self, tmp_path):
        tool = self.lend(
            tmp_path, 'let mut map = schema_for!(T); for each in map.get_mut("properties") { fix(each) } map'
        )
        assert isinstance(tool.input_schema, Schema)
        assert tool.input_schema.document == {
            "type": "object",
            "required": ["count"],
            "properties": {"id": {"description": "Which one"}, "count": {}},
        }
        assert [hole.path for hole in tool.input_schema.holes] == ["properties.id.type", "properties.count.type"]


class TestConstructors:
    def test_a_list_that_a_constructor_fills(self, tmp_path):
        found = project(
            tmp_path,
            main="""\
            // an MCP server
            struct Server { tools: Vec<Tool> }
            impl Server {
                fn new() -> Self {
                    let tools = vec![Tool { name: "lend".to_string(), description: "Lends".into(), input_schema: json!({"type": "object"}) }];
                    Self { tools }
                }
                fn answer(&self, method: &str) -> Value {
                    match method { "tools/list" => self.list(), _ => Value::Null }
                }
                fn list(&self) -> Value { json!({ "tools": self.tools }) }
            }
            fn main() { let server = Server::new(); server.run() }
            """,
        )
        assert [[str(tool.name) for tool in server.tools] for server in found.servers] == [["lend"]]


class TestIterations:
    SOURCE = """\
    fn definition(name: &str, rows: &[(&str, &str, &str)]) -> Value {{
        let properties{typed} = rows.iter().map(|(key, kind, told)| (key.to_string(), json!({{"type": kind, "description": told}}))).collect{fish}();
        let asked = json!(rows.iter().map(|(key, _, _)| key).collect::<Vec<_>>());
        json!({{"name": name, "inputSchema": {{"type": "object", "properties": properties, "required": asked}}}})
    }}
    fn all_tools() -> Vec<Value> {{ vec![definition("lend", &[("id", "string", "Which"), ("days", "integer", "How long")])] }}
    fn answer(method: &str) -> Value {{ match method {{ "tools/list" => json!({{"tools": all_tools()}}), _ => Value::Null }} }}
    """

    def test_a_schema_that_is_mapped_from_rows(self, tmp_path):
        found = project(tmp_path, main=self.SOURCE.format(typed="", fish="::<Map<String, Value>>"))
        (tool,) = found.servers[0].tools
        assert tool.input_schema.document == {
            "type": "object",
            "properties": {
                "id": {"type": "string", "description": "Which"},
                "days": {"type": "integer", "description": "How long"},
            },
            "required": ["id", "days"],
        }

    def test_pairs_whose_type_stands_elsewhere_are_unread(self, tmp_path):
        found = project(tmp_path, main=self.SOURCE.format(typed=": Map<String, Value>", fish=""))
        (tool,) = found.servers[0].tools
        assert [hole.path for hole in tool.input_schema.holes] == ["properties"]


class TestBeginnings:
    @pytest.mark.parametrize(
        ("begun", "reasons"),
        [
            ("self.shelf.all().to_vec()", ["`self.shelf.all().to_vec()` gives tools that are known at run time only"]),
            (
                "self.kept_tools().to_vec()",
                ["`self.kept_tools().to_vec()` gives tools that are known at run time only"],
            ),
            ("self.own_tools()", []),
            ("self.no_tools()", []),
            ("Vec::new()", []),
        ],
    )
    def test_what_a_list_begins_with(self, tmp_path, begun, reasons):
        found = project(
            tmp_path,
            main=f"""\
            impl ServerHandler for Shelf {{
                async fn list_tools(&self) -> Result<ListToolsResult, E> {{
                    let mut tools = {begun};
                    tools.push(Tool::new("lend", "Lends", schema()));
                    Ok(ListToolsResult::with_all_items(tools))
                }}
            }}
            impl Shelf {{
                fn kept_tools(&self) -> &[Tool] {{ &self.kept }}
                fn no_tools(&self) -> Vec<Tool> {{ Vec::new() }}
                fn own_tools(&self) -> Vec<Tool> {{ vec![Tool::new("burn", "Burns", schema())] }}
            }}
            """,
        )
        (server,) = found.servers
        assert "lend" in [str(tool.name) for tool in server.tools]
        assert [each.reason for each in server.unreadable] == reasons


class TestEnrollments:
    SOURCE = """\
    struct Tool {{ name: String, description: String, input_schema: Value, run: Run }}
    impl Registry {{
        fn register<F>(&mut self, name: &str, description: &str, input_schema: Value, run: F) {{
            let tool = Tool {{ name: name.to_string(), description: description.to_string(), input_schema, run: Arc::new(run) }};
            self.tools.insert(name.to_string(), tool);
        }}
        fn list_tools(&self) -> Vec<Value> {{
            let mut all = Vec::new();
            for tool in self.tools.values() {{
                {schema}
                all.push(json!({{"name": tool.name, "description": tool.description, "inputSchema": {given}}}));
            }}
            all
        }}
    }}
    fn fill(registry: &mut Registry, house: &House) {{
        registry.register("lend", "Lend a book", json!({{"type": "object", "properties": {{"id": {{"type": "string"}}}}}}), lend);
        if house.open() {{
            registry.register("burn", "Burn a book", json!({{"type": "object"}}), burn);
        }}
        registry.register(house.name(), "Anything", json!({{"type": "object"}}), any);
        registry.register("lend", "of another kind");
    }}
    fn answer(method: &str, registry: &Registry) -> Value {{
        match method {{ "tools/list" => json!({{"tools": registry.list_tools()}}), _ => Value::Null }}
    }}
    """

    def test_tools_are_read_where_they_are_registered(self, tmp_path):
        (server,) = project(tmp_path, main=self.SOURCE.format(schema="", given="tool.input_schema")).servers
        lend, burn = server.tools
        assert (lend.name, lend.description, lend.span.line) == ("lend", "Lend a book", 17)
        assert [str(each.name) for each in lend.parameters] == ["id"]
        assert (burn.name, [each.text for each in burn.conditions]) == ("burn", ["if house.open()"])
        assert [each.span.line for each in server.unreadable] == [21]

    def test_a_schema_that_the_listing_changes_is_as_it_leaves_it(self, tmp_path):
        change = 'let mut schema = tool.input_schema.clone(); schema.insert("house".into(), json!({}));'
        (server,) = project(tmp_path, main=self.SOURCE.format(schema=change, given="schema")).servers
        assert [str(tool.name) for tool in server.tools] == ["lend", "burn"]
        lend, burn = (tool.input_schema for tool in server.tools)
        assert (burn.document, lend.document.get("house")) == ({"type": "object", "house": {}}, {})


class TestFilesThatAreCalledTests:
    def test_a_tool_that_runs_tests(self, tmp_path):
        text = (
            'pub struct Run;\nimpl Tool for Run { fn name(&self) -> &str { "run" } }\nfn all() { add(Box::new(Run)) }\n'
        )
        own = "#[cfg(test)]\nmod tests { #[test] fn works() {} }\n"
        assert list(tools(tmp_path, tools__test=text + own)) == ["run"]

    def test_tests(self, tmp_path):
        text = 'use super::*;\n#[test]\nfn works() {}\nstruct Run;\nimpl Tool for Run { fn name(&self) -> &str { "run" } }\nfn all() { add(Box::new(Run)) }\n'
        assert project(tmp_path, run_test=text).servers == ()
