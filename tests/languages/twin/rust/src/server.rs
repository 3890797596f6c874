//! The twin of `../../python`: the same server, declared in Rust.

const PAGE: &[ParamSpec] = &[
    ParamSpec { name: "limit", ty: "integer", required: false, description: "At most so many" },
    ParamSpec { name: "cursor", ty: "string", required: false, description: "Where to go on" },
];

pub struct ActionSpec {
    pub name: &'static str,
    pub description: &'static str,
    pub destructive: bool,
    pub params: &'static [ParamSpec],
    pub returns: &'static str,
}

pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "note.list", description: "List notes", destructive: false, params: PAGE, returns: "Note[]" },
    ActionSpec { name: "note.delete", description: "Delete a note", destructive: true, params: &[], returns: "null" },
];

#[derive(Serialize)]
pub struct Note {
    pub id: String,
    pub body: String,
    #[truncate]
    pub log: String,
}

pub fn respond(action: &str, value: Value) -> Value {
    value
}

pub async fn dispatch(action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "note.list" => Ok(respond(action, json!([]))),
        "note.delete" => forget(params),
        _ => Err(ToolError::Unknown),
    }
}

#[derive(Deserialize, JsonSchema)]
pub struct Search {
    /// What to look for
    text: String,
    /// At most so many
    limit: Option<i64>,
}

#[tool_router]
impl Twin {
    // mcp-review: ignore[tool-name-style] kept for old clients
    #[tool(name = "noteSearch", description = "Search notes")]
    async fn note_search(&self, Parameters(search): Parameters<Search>) -> String {
        respond("note.search", search.text)
    }

    /// Tell whether the server answers.
    #[tool(title = "Health", annotations(read_only_hint = true))]
    async fn health(&self) -> String {
        "ok".into()
    }
}

#[tool_handler]
impl ServerHandler for Twin {}

async fn main() -> Result<()> {
    Twin.serve(stdio()).await?;
    Ok(())
}
