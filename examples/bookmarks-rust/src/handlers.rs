//! The dispatch by action name.

use serde_json::{json, Value};

use crate::client::Client;
use crate::respond::respond;
use crate::ToolError;

pub async fn run_with_client(
    client: &Client,
    action: &str,
    params: Value,
    fields: Option<&[String]>,
) -> Result<Value, ToolError> {
    match action {
        "bookmark.list" => {
            let limit = params["limit"].as_u64().unwrap_or(20).clamp(1, 100);
            let (items, next_cursor) = client.list(limit, params["cursor"].as_str()).await?;
            Ok(respond(action, json!({ "items": items, "next_cursor": next_cursor, "total": null }), fields))
        }
        "bookmark.get" => {
            let bookmark = client.get(params["id"].as_str()).await?;
            Ok(respond(action, json!(bookmark), fields))
        }
        unknown => Err(ToolError::UnknownAction { action: unknown.to_string() }),
    }
}
