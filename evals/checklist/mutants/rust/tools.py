"""§5 of the checklist, in Rust: tools, their schemas and their descriptions."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

SERVER = "crates/app/src/mcp/server.rs"
DESCRIPTIONS = "crates/app/src/mcp/descriptions.rs"
TOOLS = """
        let tools = vec![
            Tool::new("parcel", descriptions::PARCEL, schema()),
            Tool::new("courier", descriptions::COURIER, schema()),
        ];
"""
OTHER = (DESCRIPTIONS, "pub const COURIER: &str", """
pub const PARCEL_LIST: &str = r#"parcel list: Lists parcels, newest first.

When to use: the user asks what is on its way.
Parameters:
- limit, cursor (optional): the page. Call {action:"help"} or {action:"schema"} of parcel for more.
Limitations: 60 calls a minute."#;

pub const COURIER: &str
""".rstrip())
ALSO = ("description-without-help", "description-drift", "schema-not-canonical", "tool-name-style", "list-without-cursor", "list-returns-everything", "catalog-and-dispatch-differ")
FIELDS_ROW = '            "fields": { "type": "array", "items": { "type": "string" }, "description": "The fields to keep" },\n'

SEVERAL = [
    mutant("several-tools-per-domain", "rust_dispatch", "domain and operation", (SERVER, TOOLS, """
        let tools = vec![
            Tool::new("parcel", descriptions::PARCEL, schema()), ⚑
            Tool::new("parcel_list", descriptions::PARCEL_LIST, schema()), ⚑
            Tool::new("courier", descriptions::COURIER, schema()),
        ];
"""), OTHER, also=ALSO),
    mutant("several-tools-per-domain", "rust_dispatch", "names in constants", (SERVER, TOOLS, """
        let tools = vec![
            Tool::new(PARCEL, descriptions::PARCEL, schema()), ⚑
            Tool::new(PARCELS, descriptions::PARCEL_LIST, schema()), ⚑
            Tool::new("courier", descriptions::COURIER, schema()),
        ];
"""), (SERVER, "#[derive(Clone)]\npub struct Depot {", 'const PARCEL: &str = "parcel"; ⚑\nconst PARCELS: &str = "listParcels"; ⚑\n\n#[derive(Clone)]\npub struct Depot {'), OTHER, also=ALSO),
    mutant("several-tools-per-domain", "rust_dispatch", "dots, pushed", (SERVER, TOOLS, """
        let mut tools = Vec::new();
        tools.push(Tool::new("parcel.list", descriptions::PARCEL_LIST, schema())); ⚑
        tools.push(Tool::new("parcel.get", descriptions::PARCEL, schema())); ⚑
        tools.push(Tool::new("courier", descriptions::COURIER, schema()));
"""), OTHER, also=(*ALSO, "tool-name-refused")),
    mutant("several-tools-per-domain", "rust_router", "two functions of a router", ("src/server.rs", "    /// alert: Dismiss a warning of severe weather for good.", """
    /// station: Tell all about one station.
    /// When to use: the user asks where a station is.
    /// Parameters:
    /// - station (required): the id that list_stations gives.
    /// Limitations: none known.
    #[tool(name = "get_station")]
    async fn one(&self, Parameters(request): Parameters<GetForecast>) -> Result<CallToolResult, ErrorData> { ⚑
        let found = self.store.stations(None).into_iter().find(|station| station.id == request.station);
        Ok(wrapped(Answers::new(request.fields).respond("get_station", json!({ "station": found }))))
    }

    /// alert: Dismiss a warning of severe weather for good.
""".rstrip()), at=("src/server.rs", "async fn list_stations"), also=("argument-never-read",)),
    mutant("several-tools-per-domain", "rust_router", "camel case", ("src/server.rs", "    /// alert: Dismiss a warning of severe weather for good.", """
    /// forecast: Tell how sure the forecast is.
    /// When to use: the user doubts it.
    /// Parameters:
    /// - station (required): the id that list_stations gives.
    /// Limitations: none known.
    #[tool(name = "forecastUpdate")] ⚑
    async fn sureness(&self, Parameters(request): Parameters<GetForecast>) -> Result<CallToolResult, ErrorData> {
        Ok(wrapped(Answers::new(request.fields).respond("forecastUpdate", json!({ "sure": true }))))
    }

    /// alert: Dismiss a warning of severe weather for good.
""".rstrip()), at=("src/server.rs", "async fn get_forecast"), also=(*ALSO, "argument-never-read")),
    mutant("several-tools-per-domain", "rust_listed", "second tool of the pantry", ("src/tools.rs", "    vec![recipes, pantry]", """
    let more = Tool::new(
        "fill_pantry",
        "pantry: Put something into the pantry.\\nWhen to use: the user has shopped.\\nParameters:\\n- words (required): what.\\nLimitations: none known.",
        object(json!({ "type": "object", "properties": { "words": { "type": "string", "description": "What was bought" } } })),
    );
    vec![recipes, pantry, more]
"""), at=("src/tools.rs", '"empty_pantry",')),
]

SCHEMA = [
    mutant("schema-not-canonical", "rust_dispatch", "a property too many",
           (SERVER, FIELDS_ROW, FIELDS_ROW + '            "verbose": { "type": "boolean", "description": "Whether to tell more" }, ⚑\n'), at=(SERVER, 'Tool::new("parcel"')),
    mutant("schema-not-canonical", "rust_dispatch", "fields are missing", (SERVER, FIELDS_ROW, ""), at=(SERVER, 'Tool::new("parcel"'), also=("fields-ignored",)),
    mutant("schema-not-canonical", "rust_dispatch", "action is optional", (SERVER, '"required": ["action"],', '"required": [], ⚑'), at=((SERVER, 'Tool::new("parcel"'), (SERVER, '"action": { "type"'), (SERVER, "let schema = json!({"))),
    mutant("schema-not-canonical", "rust_dispatch", "limit is a text", (SERVER, '"limit": { "type": "integer",', '"limit": { "type": "string", ⚑'), at=(SERVER, 'Tool::new("parcel"')),
    mutant("schema-not-canonical", "rust_dispatch", "cursor is a number", (SERVER, '"cursor": { "type": "string",', '"cursor": { "type": "integer", ⚑'), at=(SERVER, 'Tool::new("parcel"'), also=("cursor-not-opaque",)),
    mutant("schema-not-canonical", "rust_dispatch", "params renamed", (SERVER, '"params": { "type": "object",', '"arguments": { "type": "object", ⚑'), at=(SERVER, 'Tool::new("parcel"')),
    mutant("schema-not-canonical", "rust_dispatch", "one tool of another shape",
           (SERVER, 'Tool::new("courier", descriptions::COURIER, schema()),', 'Tool::new("courier", descriptions::COURIER, flat()), ⚑'),
           (SERVER, "impl Depot {\n    pub fn new", """
fn flat() -> Arc<JsonObject> {
    let value = json!({
        "type": "object",
        "required": ["action"],
        "properties": {
            "action": { "type": "string", "description": "subject.verb" },
            "id": { "type": "string", "description": "Which courier" },
        },
    });
    Arc::new(value.as_object().unwrap().clone())
}

impl Depot {
    pub fn new
""".rstrip())),
    mutant("schema-not-canonical", "rust_single", "struct with a field more",
           ("src/tool.rs", "    /// Where the page before ended.\n", "    /// Whether to tell more.\n    pub verbose: Option<bool>, ⚑\n    /// Where the page before ended.\n"), at=("src/tool.rs", "async fn snippet("), also=("argument-never-read",)),
    mutant("schema-not-canonical", "rust_single", "renamed by serde",
           ("src/tool.rs", "    pub cursor: Option<String>,", '    #[serde(rename = "pageToken")]\n    pub cursor: Option<String>,'), at=("src/tool.rs", "async fn snippet("), also=("parameter-name-style",)),
    mutant("schema-not-canonical", "rust_single", "flattened params",
           ("src/tool.rs", "    #[serde(default)]\n    pub params: serde_json::Map<String, Value>,", "    #[serde(flatten)]\n    pub params: Target,"),
           ("src/tool.rs", "#[derive(Debug, thiserror::Error)]", """
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
pub struct Target {
    /// Which snippet.
    pub id: Option<u64>,
}

#[derive(Debug, thiserror::Error)]
""".rstrip()), at=("src/tool.rs", "async fn snippet(")),
]

WITHOUT_HELP = [
    mutant("description-without-help", "rust_dispatch", "actions taken away", (DESCRIPTIONS, """

Actions:
- help: Show this catalog
- schema: Show what an action takes
- courier.list: List couriers by name
- courier.get: Give one courier
- courier.remove: Remove a courier and free the round
""", ""), at=(DESCRIPTIONS, "pub const COURIER")),
    mutant("description-without-help", "rust_dispatch", "another text in the listing",
           (SERVER, 'Tool::new("courier", descriptions::COURIER, schema()),', 'Tool::new("courier", SHORT, schema()), ⚑'),
           (SERVER, "#[derive(Clone)]\npub struct Depot {", """
const SHORT: &str = "courier: Know who carries which round.\\n\\ ⚑
When to use: the user asks who delivers.\\n\\
Parameters: action (required), params, fields, limit, cursor. Call {action:\\"help\\"} or {action:\\"schema\\"}.\\n\\
Limitations: 60 calls a minute.";

#[derive(Clone)]
pub struct Depot {
""".rstrip())),
    mutant("description-without-help", "rust_dispatch", "names promised", (DESCRIPTIONS, """
- help: Show this catalog
- schema: Show what an action takes
- courier.list: List couriers by name
- courier.get: Give one courier
- courier.remove: Remove a courier and free the round
""", "see the output of help"), at=(DESCRIPTIONS, "pub const COURIER")),
    mutant("description-without-help", "rust_single", "documentation without them", ("src/tool.rs", """
    /// Actions:
    /// - snippet.list: List snippets by title
    /// - snippet.get: Give one snippet with its body
    /// - snippet.delete: Delete a snippet for good
    /// Limitations: local only; snippet.delete asks the user first.
""", "    /// Limitations: local only."), at=("src/tool.rs", "/// snippet: Keep pieces")),
    mutant("description-without-help", "rust_single", "description of the attribute", ("src/tool.rs", "    #[tool]\n    async fn snippet(", """
    #[tool(description = "snippet: Keep pieces of code. When to use: the user wants to save code. Parameters: action, params. Call {action:\\"help\\"} and {action:\\"schema\\"}. Limitations: local only.")] ⚑
    async fn snippet(
""".rstrip()), also=("four-elements",)),
]

HARMLESS = [
    harmless("schema-not-canonical", "rust_dispatch", "nullable types and bounds", (SERVER, '"limit": { "type": "integer",', '"limit": { "type": ["integer", "null"], "minimum": 1,')),
    harmless("schema-not-canonical", "rust_single", "params as any value", ("src/tool.rs", "    pub params: serde_json::Map<String, Value>,", "    pub params: std::collections::HashMap<String, Value>,")),
    harmless("several-tools-per-domain", "rust_router", "another domain", ("src/server.rs", "    /// alert: Dismiss a warning of severe weather for good.", """
    /// climate: Tell the mean weather of a month.
    /// When to use: the user plans far ahead.
    /// Parameters:
    /// - station (required): the id that list_stations gives.
    /// Limitations: means of thirty years.
    #[tool]
    async fn climate(&self, Parameters(request): Parameters<GetForecast>) -> Result<CallToolResult, ErrorData> {
        Ok(wrapped(Answers::new(request.fields).respond("climate", json!({ "station": request.station, "days": request.days }))))
    }

    /// alert: Dismiss a warning of severe weather for good.
""".rstrip())),
    harmless("description-without-help", "rust_dispatch", "actions as a table", (DESCRIPTIONS, """
- help: Show this catalog
- schema: Show what an action takes
- courier.list: List couriers by name
- courier.get: Give one courier
- courier.remove: Remove a courier and free the round
""", """
  `help` - Show this catalog
  `schema` - Show what an action takes
  `courier.list` - List couriers by name
  `courier.get` - Give one courier
  `courier.remove` - Remove a courier and free the round
""")),
]

MUTANTS = [*SEVERAL, *SCHEMA, *WITHOUT_HELP, *HARMLESS]
