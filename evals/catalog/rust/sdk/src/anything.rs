//! Values of any kind.

use rust_mcp_sdk::macros::{mcp_tool, JsonSchema};
use rust_mcp_sdk::tool_box;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[mcp_tool(name = "anything", description = "Takes anything")]
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct Any {
    /// Anything at all
    pub value: Value,
    #[json_schema(title = "Perhaps anything")]
    pub perhaps: Option<Value>,
    pub several: Vec<Value>,
}

tool_box!(Anything, [Any]);
