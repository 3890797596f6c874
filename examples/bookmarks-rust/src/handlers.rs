//! The dispatch by action name.

use serde_json::{json, Value};

use crate::actions::{help, schema};
use crate::client::Client;
use crate::respond::respond;
use crate::{Request, ToolError};

pub async fn run_with_client(client: &Client, action: &str, request: &Request) -> Result<Value, ToolError> {
    let fields = request.fields.as_deref();
    match action {
        "help" => Ok(respond(action, help(), None)),
        "schema" => {
            let wanted = request.params.as_ref().and_then(|params| params["action"].as_str());
            Ok(respond(action, schema(wanted), None))
        }
        "bookmark.list" => {
            let limit = request.limit.unwrap_or(20).clamp(1, 100);
            let (items, next_cursor) = client.list(limit, request.cursor.as_deref()).await?;
            Ok(respond(action, json!({ "items": items, "next_cursor": next_cursor, "total": null }), fields))
        }
        "bookmark.get" => {
            let id = request.params.as_ref().and_then(|params| params["id"].as_str());
            let bookmark = client.get(id).await?;
            Ok(respond(action, json!(bookmark), fields))
        }
        unknown => Err(ToolError::UnknownAction { action: unknown.to_string() }),
    }
}
