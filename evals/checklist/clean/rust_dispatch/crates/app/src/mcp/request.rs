//! What a tool call asks for.

use depot_core::respond::Context;
use depot_core::ToolError;
use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    pub action: String,
    #[serde(default)]
    pub params: Map<String, Value>,
    pub fields: Option<Vec<String>>,
    pub limit: Option<i64>,
    pub cursor: Option<String>,
}

impl Request {
    pub fn read(arguments: Option<Map<String, Value>>) -> Result<Self, ToolError> {
        let arguments = Value::Object(arguments.unwrap_or_default());
        serde_json::from_value(arguments).map_err(|_| ToolError::invalid("arguments"))
    }

    /// What `respond` has to know.
    pub fn context(&self) -> Context {
        Context { request_id: Uuid::new_v4().to_string(), fields: self.fields.clone() }
    }

    /// The action's own parameters, with the page that was asked for beside them.
    pub fn into_params(self) -> Value {
        let mut params = self.params;
        if let Some(limit) = self.limit {
            params.insert("limit".to_owned(), limit.max(1).into());
        }
        if let Some(cursor) = self.cursor {
            params.insert("cursor".to_owned(), cursor.into());
        }
        Value::Object(params)
    }
}
