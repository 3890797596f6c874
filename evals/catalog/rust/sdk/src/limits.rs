//! What `#[json_schema(..)]` adds to a field.

use rust_mcp_sdk::macros::{mcp_tool, JsonSchema};
use rust_mcp_sdk::tool_box;
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct Part {
    #[json_schema(minimum = 1)]
    pub count: u8,
}

#[mcp_tool(
    name = "limits",
    description = "Takes what is limited",
    title = "Limits",
    meta = "{\"since\": \"0.5\", \"steady\": true}"
)]
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct Limited {
    #[json_schema(title = "A word", description = "Beats the comment", format = "email", min_length = 1, max_length = 9)]
    /// Is beaten
    pub word: String,
    #[json_schema(default = "none", min_length = 2, format = "uri")]
    pub perhaps: Option<String>,
    #[json_schema(minimum = -5, maximum = 5, default = 3, format = "int32")]
    pub whole: i32,
    #[json_schema(minimum = 0, maximum = 10, default = 1.5)]
    pub broken: f64,
    #[json_schema(minimum = 0, title = "Perhaps whole")]
    pub perhaps_whole: Option<u32>,
    #[json_schema(default = true, title = "Yes or no", minimum = 1)]
    pub yes: bool,
    #[json_schema(min_length = 1, max_length = 3, title = "Several")]
    pub several: Vec<String>,
    #[json_schema(min_length = 1, max_length = 3, default = "all")]
    /// Perhaps several
    pub perhaps_several: Option<Vec<String>>,
    #[json_schema(title = "Its part", description = "One part", minimum = 4)]
    pub part: Part,
    #[json_schema(title = "Perhaps a part", format = "part")]
    pub perhaps_part: Option<Part>,
    #[json_schema(title = "Several parts", description = "All of them")]
    pub parts: Vec<Part>,
    #[json_schema(title = "A letter", minimum = 1)]
    pub letter: char,
    #[json_schema(title = "A pair")]
    pub pair: (u8, u8),
}

tool_box!(Limits, [Limited]);
