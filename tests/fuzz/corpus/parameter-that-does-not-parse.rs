use rmcp::{tool, tool_router};

pub struct Notes;

fn respond((text: String, whole: bool) -> String {
    text
}

#[tool_router]
impl Notes {
    #[tool(description = "Keeps a note.")]
    fn keep(&self) -> String {
        respond("kept", true)
    }
}
