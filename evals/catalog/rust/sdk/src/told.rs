//! What newer versions know of: texts that are joined, icons, numbers of any kind.

use rust_mcp_sdk::macros::{mcp_tool, JsonSchema};
use rust_mcp_sdk::tool_box;
use serde::{Deserialize, Serialize};
use serde_json::Number;

#[mcp_tool(
    name = concat!("joined_", "name"),
    description = concat!("A description ", "in two parts"),
    title = concat!("Joined ", "title"),
    icons = [(src = "https://icons.invalid/a.png", mime_type = "image/png", sizes = ["48x48"])]
)]
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct Joined {
    #[json_schema(minimum = 2, title = "Any number")]
    pub number: Number,
    pub perhaps: Option<Number>,
    pub far: serde_json::Number,
    #[json_schema(maximum = 8)]
    pub perhaps_far: Option<serde_json::Number>,
}

tool_box!(Told, [Joined]);
