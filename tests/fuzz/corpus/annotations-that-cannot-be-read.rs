use rmcp::{tool, tool_router};
use serde_json::json;

#[tool_router]
impl Notes {
    /// Keeps a note.
    #[tool(annotations(title = json!({"a": [made()]})))]
    async fn keep(&self) -> String {
        String::new()
    }
}
