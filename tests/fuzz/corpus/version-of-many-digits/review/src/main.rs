use rmcp::{tool, tool_router};

#[tool_router]
impl Notes {
    /// Keeps a note.
    #[tool]
    async fn keep(&self) -> String {
        String::new()
    }
}
