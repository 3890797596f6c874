//! Structs with named fields of every type, as the first of these macros read them.

use rust_mcp_sdk::macros::{mcp_tool, JsonSchema};
use rust_mcp_sdk::tool_box;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// What is said of a struct is not told.
#[mcp_tool(name = "numbers", description = "Takes numbers")]
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct Numbers {
    pub a: i8,
    pub b: u16,
    /// A number of 32 bits
    pub c: i32,
    pub d: u64,
    pub e: u128,
    pub f: f32,
    pub g: f64,
    pub h: bool,
    pub i: Option<i64>,
    /// Perhaps a number
    pub j: Option<f64>,
}

#[mcp_tool(
    name = "words",
    description = "Takes words",
    read_only_hint = true,
    destructive_hint = false
)]
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Words {
    /// The first word
    ///
    ///   and what follows
    pub first_word: String,
    #[doc = " Said by an attribute "]
    pub second_word: std::string::String,
    #[serde(rename = "third")]
    pub third_word: Option<String>,
    #[serde(default, rename = "fourth", skip_serializing_if = "Option::is_none")]
    pub fourth_word: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "fifth")]
    pub fifth_word: Option<bool>,
    #[serde(rename(deserialize = "sixth"))]
    pub sixth_word: Option<bool>,
    /// # A heading
    /** In a block,
        over two lines */
    #[serde(default)]
    pub letter: char,
    pub r#type: String,
    pub far: std::option::Option<String>,
}

/// A thing in another
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct Inner {
    /// Its size
    pub size: u8,
    pub name: Option<String>,
}

#[mcp_tool(name = "groups", description = "Takes many things", idempotent_hint = true, open_world_hint = false)]
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct Groups {
    /// Several words
    pub words: Vec<String>,
    pub rows: Vec<Vec<u32>>,
    pub perhaps: Vec<Option<bool>>,
    /// What is inside
    pub inner: Inner,
    /// What may be inside
    pub optional: Option<Inner>,
    /// Several that are inside
    pub several: Option<Vec<Inner>>,
    pub table: HashMap<String, String>,
    /// Sorted
    pub sorted: Option<BTreeMap<String, u8>>,
    pub pair: (u8, String),
    pub fixed: [u8; 2],
    pub boxed: Box<Inner>,
    pub any: serde_json::Value,
    /// Anything or nothing
    pub anything: Option<serde_json::Value>,
}

#[mcp_tool(name = "nothing", description = "Takes nothing")]
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct Nothing {}

#[mcp_tool(name = "unlisted", description = "Is in no list")]
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct Unlisted {
    pub a: String,
}

tool_box!(Plain, [Words, Numbers, Groups, Nothing]);
