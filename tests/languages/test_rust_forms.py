"""Other forms in which tools and their schemas are written: by types, by statements, by one method of a trait, by old macros."""

import pytest
from test_rust_tools import project, tools

from reviewer.source import Opaque

LISTED = """
impl ServerHandler for Shelf {{
    async fn list_tools(&self) -> Result<ListToolsResult, McpError> {{
        {before}
        Ok(ListToolsResult {{ tools: vec![Tool {{ name: "lend".into(), description: Some("Lends".into()), input_schema: {schema} }}] }})
    }}
}}
#[derive(Deserialize, JsonSchema)]
struct Loan {{ book: String }}
#[derive(Deserialize, JsonSchema)]
struct Page<T> {{ of: T }}
{beside}
"""
MADE = """
fn made<T: JsonSchema>() -> Arc<JsonObject> {
    let value = serde_json::to_value(&schema_for!(T)).unwrap_or_default();
    match value { Value::Object(map) => Arc::new(map), _ => Arc::new(Map::new()) }
}
fn turned(schema: RootSchema) -> JsonObject { match serde_json::to_value(schema) { Ok(Value::Object(map)) => map, _ => Map::new() } }
"""


def schema_of(folder, schema, before="", beside=""):
    return tools(folder, main=LISTED.format(schema=schema, before=before, beside=beside))["lend"].input_schema


class TestSchemasOfTypes:
    @pytest.mark.parametrize(
        ("schema", "properties"),
        [
            ("made::<Loan>()", {"book": {"type": "string"}}),
            ("turned(schemars::schema_for!(Loan))", {"book": {"type": "string"}}),
            ("turned(schemars::schema_for!(crate::Loan))", {"book": {"type": "string"}}),
            (
                "turned(schema_for!(Page<u8>))",
                {"of": {"type": "integer", "format": "uint8", "minimum": 0, "maximum": 255}},
            ),
        ],
    )
    def test_by_a_macro_and_through_functions(self, tmp_path, schema, properties):
        assert schema_of(tmp_path, schema, beside=MADE).document["properties"] == properties

    def test_a_function_that_makes_the_whole_tool(self, tmp_path):
        found = tools(
            tmp_path,
            main=MADE
            + """
            fn tool<T: JsonSchema>(name: &'static str) -> Tool {
                Tool { name: name.into(), description: None, input_schema: made::<T>() }
            }
            #[derive(JsonSchema)]
            struct Loan { book: String }
            impl ServerHandler for Shelf {
                async fn list_tools(&self) -> R { Ok(ListToolsResult { tools: vec![tool::<Loan>("lend")] }) }
            }
            """,
        )
        assert found["lend"].input_schema.document["properties"] == {"book": {"type": "string"}}


SHAPE = """
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shape {
    #[serde(rename = "type")]
    kind: &'static str,
    properties: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    required: Vec<String>,
    additional_properties: bool,
}
"""


class TestSchemasOfLiterals:
    def test_as_serde_writes_them(self, tmp_path):
        literal = 'Shape { kind: "object", properties: json!({"id": {"type": "string"}}), required: vec![REQUIRED], additional_properties: false }'
        asked = schema_of(tmp_path, literal.replace("REQUIRED", '"id".into()'), beside=SHAPE).document
        plain = schema_of(tmp_path, literal.replace("REQUIRED", ""), beside=SHAPE).document
        expected = {"type": "object", "properties": {"id": {"type": "string"}}, "additionalProperties": False}
        assert (asked, plain) == ({**expected, "required": ["id"]}, expected)

    @pytest.mark.parametrize("mark", ["#[serde(flatten)]", '#[serde(serialize_with = "own")]'])
    def test_what_serde_changes(self, tmp_path, mark):
        literal = "Shape { properties: json!({}) }"
        beside = f"#[derive(Serialize)]\nstruct Shape {{ {mark} properties: Value }}"
        assert isinstance(schema_of(tmp_path, literal, beside=beside), Opaque)

    def test_a_type_that_serde_does_not_derive(self, tmp_path):
        assert isinstance(schema_of(tmp_path, "Shape { kind: 1 }", beside="struct Shape { kind: u8 }"), Opaque)


class TestFilledSchemas:
    BEFORE = 'let mut made = json!({"type": "object", "properties": {}});'

    @pytest.mark.parametrize(
        ("statement", "document"),
        [
            ('made["required"] = json!([]);', {"type": "object", "properties": {}, "required": []}),
            (
                'made["properties"]["id"] = json!({"type": "string"});',
                {"type": "object", "properties": {"id": {"type": "string"}}},
            ),
        ],
    )
    def test_by_assignments(self, tmp_path, statement, document):
        assert schema_of(tmp_path, "made", before=self.BEFORE + statement).document == document

    @pytest.mark.parametrize(
        "statement",
        [
            "narrow(&mut made);",
            'if strict { made["required"] = json!([]); }',
            "made[key()] = json!(1);",
            "made = other();",
        ],
    )
    def test_changed_by_code(self, tmp_path, statement):
        assert isinstance(schema_of(tmp_path, "made", before=self.BEFORE + statement), Opaque)


class TestTraits:
    TRAIT = "pub trait Tool { fn info(&self) -> ToolInfo; async fn execute(&self, args: Value) -> Value; }\n"
    LEND = """
    pub struct Lend;
    impl Tool for Lend {
        fn info(&self) -> ToolInfo {
            ToolInfo { name: "lend".to_string(), description: "Lends".to_string(), input_schema: json!({"type": "object"}) }
        }
        async fn execute(&self, args: Value) -> Value { args["book"].clone() }
    }
    pub struct Burn;
    impl Tool for Burn {
        fn info(&self) -> ToolInfo { ToolInfo { name: "burn".into(), description: "Burns".into(), input_schema: json!({"type": "object"}) } }
        async fn execute(&self, args: Value) -> Value { args }
    }
    fn all() -> HashMap<String, Box<dyn Tool>> {
        let mut kept = HashMap::new();
        let lend = Lend {};
        kept.insert(lend.info().name, Box::new(lend));
        kept
    }
    """

    @pytest.mark.parametrize(
        "listed",
        [
            'for tool in self.tools.values() { let info = tool.info(); all.push(json!({"name": info.name, "inputSchema": info.input_schema})); }',
            "let all = self.tools.values().map(|tool| tool.info()).collect::<Vec<_>>();",
        ],
    )
    def test_one_method_that_tells_everything(self, tmp_path, listed):
        found = project(
            tmp_path,
            main=self.TRAIT
            + self.LEND
            + f"""
            impl Server {{
                fn answer(&self, method: &str) -> Value {{ match method {{ "tools/list" => self.list_tools(), _ => Value::Null }} }}
                fn list_tools(&self) -> Value {{ let mut all = Vec::new(); {listed} json!({{"tools": all}}) }}
            }}
            """,
        ).servers
        assert [[str(tool.name) for tool in server.tools] for server in found] == [["lend"]]
        assert found[0].tools[0].handler.name == "execute"
        assert found[0].unreadable == ()

    def test_types_that_each_give_several(self, tmp_path):
        found = tools(
            tmp_path,
            main="""
            trait Provider { async fn list_tools(&self) -> Vec<Tool>; }
            impl Provider for Shelf {
                async fn list_tools(&self) -> Vec<Tool> { vec![Tool { name: "lend".into(), input_schema: json!({"type": "object"}) }] }
            }
            impl Provider for Oven {
                async fn list_tools(&self) -> Vec<Tool> { vec![Tool { name: "burn".into(), input_schema: json!({"type": "object"}) }] }
            }
            fn answer(server: &Server, method: &str) -> Value {
                match method {
                    "tools/list" => {
                        let mut all = Vec::new();
                        for each in &server.providers { all.push(each.list_tools()); }
                        json!({"tools": all})
                    }
                    _ => Value::Null,
                }
            }
            """,
        )
        assert found.keys() == {"lend", "burn"}


def test_a_constructor_that_makes_its_own_type(tmp_path):
    found = tools(
        tmp_path,
        mcp="""
        struct ToolDef { name: String, description: String, input_schema: Value }
        impl ToolDef {
            fn new(name: &str, description: &str, input_schema: Value) -> Self {
                Self { name: name.to_string(), description: description.to_string(), input_schema }
            }
        }
        impl Kept {
            fn new() -> Self {
                let mut tools = Vec::new();
                tools.push(ToolDef::new("lend", "Lends", json!({"type": "object"})));
                Self { tools }
            }
        }
        """,
    )
    assert {name: (str(tool.description), tool.input_schema.document) for name, tool in found.items()} == {
        "lend": ("Lends", {"type": "object"})
    }


def test_functions_that_the_first_rmcp_collects_by_name(tmp_path):
    found = project(
        tmp_path,
        main="""
        impl Shelf {
            #[tool(description = "Lends")]
            async fn lend(&self, #[tool(aggr)] loan: Loan) -> String { loan.book }
            #[tool(description = "Burns")]
            async fn burn(&self) -> String { String::new() }
            #[tool(description = "Sells")]
            async fn sell(&self) -> String { String::new() }
        }
        #[derive(Deserialize, JsonSchema)]
        struct Loan { book: String }
        impl Shelf { tool_box!(Shelf { lend, burn }); }
        impl ServerHandler for Shelf { tool_box!(@derive); }
        """,
    )
    (server,) = found.servers
    assert [(str(tool.name), str(tool.description)) for tool in server.tools] == [("lend", "Lends"), ("burn", "Burns")]


SDK = """
#[mcp_tool(name = "lend", description = "Lends")]
#[derive(Deserialize, JsonSchema)]
pub struct Lend { book: String }
#[mcp_tool(name = "burn", description = "Burns")]
#[derive(Deserialize, JsonSchema)]
pub struct Burn {}
impl ServerHandler for Shelf {
    async fn handle_list_tools_request(&self, request: R, runtime: Arc<dyn McpServer>) -> Result<ListToolsResult, RpcError> {
        LISTED
    }
}
"""


@pytest.mark.parametrize(
    ("listed", "beside"),
    [
        ("Ok(ListToolsResult { tools: vec![Lend::tool()], meta: None, next_cursor: None })", ""),
        ("Ok(self.registry.all())", "fn fill(kept: &mut Kept) { kept.register(Lend::tool(), lend); }"),
    ],
)
def test_types_that_are_asked_for_their_tools(tmp_path, listed, beside):
    (server,) = project(tmp_path, main=SDK.replace("LISTED", listed) + beside).servers
    assert [str(tool.name) for tool in server.tools] == ["lend"]
    assert server.unreadable == ()


BUILDER = """
pub struct Tool { name: String, description: Option<String>, input_schema: Value, title: Option<String> }
impl Tool {
    pub fn new(name: &str) -> Self {
        Self { name: name.to_string(), description: None, input_schema: json!({"type": "object"}), title: None }
    }
    pub fn described(mut self, text: impl Into<String>) -> Self { self.description = Some(text.into()); self }
    pub fn taking(mut self, name: &str) -> Self { self.prepare(); self.input_schema["properties"][name] = json!({}); self }
    fn prepare(&mut self) { self.input_schema["properties"] = json!({}); }
}
impl Other { pub fn described(self, text: &str) -> Self { self } }
fn all() -> Vec<Tool> { vec![Tool::new("lend").described("Lends"), Tool::new("burn").taking("book")] }
fn answer(method: &str) -> Value {
    match method {
        "tools/list" => {
            let tools: Vec<Value> = all().into_iter().map(|each| json!({"name": each.name, "inputSchema": each.input_schema})).collect();
            json!({ "tools": tools })
        }
        _ => Value::Null,
    }
}
"""


def test_builders_of_the_project(tmp_path):
    (server,) = project(tmp_path, main=BUILDER).servers
    lend, burn = server.tools
    assert (str(lend.name), str(lend.description), lend.input_schema.document) == ("lend", "Lends", {"type": "object"})
    assert (str(burn.name), burn.description, isinstance(burn.input_schema, Opaque)) == ("burn", None, True)
    assert server.unreadable == ()


@pytest.mark.parametrize(
    ("given", "more"),
    [("Some(3), true", {"minimum": 3, "strict": True}), ("None, false", {"strict": False})],
)
def test_what_a_known_condition_puts_in(tmp_path, given, more):
    beside = """
    fn made(least: Option<u8>, strict: bool) -> Value {
        let mut made = json!({"type": "object"});
        if let Some(least) = least { made["minimum"] = json!(least); }
        if strict { made["strict"] = json!(true); } else { made["strict"] = json!(false); }
        made
    }
    """
    assert schema_of(tmp_path, f"made({given})", beside=beside).document == {"type": "object", **more}


def test_what_an_unknown_condition_puts_in(tmp_path):
    before = (
        'let mut made = json!({"type": "object"}); if let Some(least) = self.least { made["minimum"] = json!(least); }'
    )
    assert isinstance(schema_of(tmp_path, "made", before=before), Opaque)


MERGED = """
fn all() -> Vec<Tool> {
    let mut tools = vec![
        Tool { name: "lend".into(), description: "Lends".into(), input_schema: json!({"type": "object"}) },
        Tool { name: "burn".into(), description: "Burns".into(), input_schema: json!({"type": "object"}) },
    ];
    merge(&mut tools);
    tools
}
fn more() -> Vec<Tool> {
    vec![
        Tool { name: "lend".into(), description: "Lends well".into(), input_schema: json!({"type": "object"}) },
        Tool { name: "sell".into(), description: "Sells".into(), input_schema: json!({"type": "object"}) },
    ]
}
fn merge(tools: &mut Vec<Tool>) {
    for LOOP
}
fn answer(method: &str) -> Value { match method { "tools/list" => json!({ "tools": all() }), _ => Value::Null } }
"""


@pytest.mark.parametrize(
    ("loop", "described"),
    [
        ("new in more() { tools.push(new); }", ["Lends", "Burns", "Lends well", "Sells"]),
        (
            "new in more() { if !tools.iter().any(|each| each.name == new.name) { tools.push(new); } }",
            ["Lends", "Burns", "Sells"],
        ),
        (
            "new in more() { match tools.iter().position(|each| each.name == new.name) { "
            "Some(at) => tools[at] = new, None => tools.push(new) } }",
            ["Burns", "Lends well", "Sells"],
        ),
        (
            "mut new in more() { if let Some(at) = tools.iter().position(|each| each.name == new.name) { "
            'new.input_schema["required"] = json!([]); tools[at] = new; } else { tools.push(new); } }',
            ["Burns", None, "Sells"],
        ),
    ],
)
def test_tools_that_are_put_among_others(tmp_path, loop, described):
    (server,) = project(tmp_path, main=MERGED.replace("LOOP", loop)).servers
    found = [None if isinstance(tool.description, Opaque) else str(tool.description) for tool in server.tools]
    assert (found, server.unreadable) == (described, ())
