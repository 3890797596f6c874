//! The dispatch by action name.

use base64::prelude::*;
use serde_json::{json, Value};

use crate::actions::ACTIONS;
use crate::respond::respond;
use crate::store::Store;
use crate::tool::{Request, ToolError};

pub async fn run_with_client(store: &Store, action: &str, request: &Request) -> Result<Value, ToolError> {
    let fields = request.fields.as_deref();
    match action {
        "help" => {
            let rows: Vec<Value> = ACTIONS.iter().map(|row| json!({ "name": row.name, "does": row.description })).collect();
            Ok(respond(action, json!({ "actions": rows }), fields))
        }
        "schema" => {
            let wanted = request.params["action"].as_str().unwrap_or_default();
            let row = ACTIONS.iter().find(|row| row.name == wanted).ok_or_else(|| ToolError::Unknown(wanted.into()))?;
            let names: Vec<&str> = row.params.iter().map(|param| param.name).collect();
            Ok(respond(action, json!({ "params": names, "returns": row.returns }), fields))
        }
        "snippet.list" => {
            let limit = request.limit.unwrap_or(20).clamp(1, 100) as usize;
            let offset = request.cursor.as_deref().map(offset_of).transpose()?.unwrap_or(0);
            let items = store.from(offset, limit);
            let next_cursor = (items.len() == limit).then(|| cursor_of(offset + limit));
            let page = json!({ "items": items, "next_cursor": next_cursor, "total": null });
            Ok(respond(action, page, fields))
        }
        "snippet.get" => {
            let id = request.params["id"].as_u64().ok_or(ToolError::Missing("id"))?;
            let snippet = store.find(id).ok_or(ToolError::Missing("snippet"))?;
            Ok(respond(action, json!(snippet), fields))
        }
        "snippet.delete" => {
            let id = request.params["id"].as_u64().ok_or(ToolError::Missing("id"))?;
            store.remove(id);
            Ok(respond(action, json!({ "deleted": id }), fields))
        }
        unknown => Err(ToolError::Unknown(unknown.to_string())),
    }
}

fn cursor_of(offset: usize) -> String {
    BASE64_STANDARD.encode(json!({ "offset": offset, "sort_key": "title" }).to_string())
}

fn offset_of(cursor: &str) -> Result<usize, ToolError> {
    let text = BASE64_STANDARD.decode(cursor).map_err(|_| ToolError::Missing("cursor"))?;
    let position: Value = serde_json::from_slice(&text).map_err(|_| ToolError::Missing("cursor"))?;
    position["offset"].as_u64().map(|offset| offset as usize).ok_or(ToolError::Missing("cursor"))
}
