//! The dispatch by action name; each action has a function of its own.

use serde_json::{json, Value};

use crate::action::{action_schema, help_payload};
use crate::courier::actions::ACTIONS;
use crate::courier::client::CourierClient;
use crate::page::Page;
use crate::respond::respond;
use crate::ToolError;

pub async fn run(client: &CourierClient, action: &str, params: Value) -> Result<Value, ToolError> {
    if action == "help" {
        return Ok(respond(action, help_payload("courier", ACTIONS)));
    }
    if action == "schema" {
        return Ok(respond(action, action_schema(ACTIONS, &params)?));
    }
    run_with_client(client, action, params).await
}

pub async fn run_with_client(client: &CourierClient, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "courier.list" => list(client, action, &params).await,
        "courier.get" => get(client, action, &params).await,
        "courier.remove" => remove(client, action, &params).await,
        unknown => Err(ToolError::unknown(unknown)),
    }
}

async fn list(client: &CourierClient, action: &str, params: &Value) -> Result<Value, ToolError> {
    let page = Page::read(params)?;
    let items = client.slice(page.offset as usize, page.limit as usize).await;
    let next_cursor = page.next(items.len(), "name")?;
    let total = client.count().await;
    Ok(respond(action, json!({ "items": items, "next_cursor": next_cursor, "total": total })))
}

async fn get(client: &CourierClient, action: &str, params: &Value) -> Result<Value, ToolError> {
    let id = params.get("id").and_then(Value::as_str).ok_or(ToolError::missing("id"))?;
    let courier = client.courier(id).await?;
    Ok(respond(action, serde_json::to_value(courier)?))
}

async fn remove(client: &CourierClient, action: &str, params: &Value) -> Result<Value, ToolError> {
    let id = params.get("id").and_then(Value::as_str).ok_or(ToolError::missing("id"))?;
    let courier = client.remove(id).await?;
    Ok(respond(action, json!({ "removed": courier.id })))
}
