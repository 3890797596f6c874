//! Enums.

use rust_mcp_sdk::macros::{mcp_tool, JsonSchema};
use rust_mcp_sdk::tool_box;
use serde::{Deserialize, Serialize};

/// How it looks
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// Bright
    Bright,
    #[serde(rename = "very-dark")]
    Dark,
    #[json_schema(title = "In between", description = "Neither bright nor dark")]
    Dim,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct Size {
    pub width: u32,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub enum Shape {
    None,
    Round(f64),
    Sized(Size),
    Named(String, Option<u8>),
    #[json_schema(title = "Square")]
    Square {
        /// Its side
        side: i32,
        look: Option<Look>,
    },
}

#[mcp_tool(name = "look", description = "Takes enums")]
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct Looking {
    pub look: Look,
    /// How it may look
    pub perhaps: Option<Look>,
    #[json_schema(default = "Bright", title = "How it looks else")]
    /// How it looks else
    pub other: Option<Look>,
    pub several: Vec<Look>,
    #[json_schema(description = "Its shape", default = "None")]
    pub shape: Shape,
    pub shapes: Option<Vec<Shape>>,
}

tool_box!(Kinds, [Looking]);
