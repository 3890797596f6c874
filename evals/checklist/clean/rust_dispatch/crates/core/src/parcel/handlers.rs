//! The dispatch by action name.

use serde_json::{json, Value};

use crate::action::{action_schema, help_payload};
use crate::page::Page;
use crate::parcel::actions::ACTIONS;
use crate::parcel::client::ParcelClient;
use crate::respond::respond;
use crate::ToolError;

pub async fn run(client: &ParcelClient, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "help" => Ok(respond(action, help_payload("parcel", ACTIONS))),
        "schema" => Ok(respond(action, action_schema(ACTIONS, &params)?)),
        _ => run_with_client(client, action, params).await,
    }
}

pub async fn run_with_client(client: &ParcelClient, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "parcel.list" => {
            let page = Page::read(&params)?;
            let items = client.parcels(&page).await?;
            let next_cursor = page.next(items.len(), "booked_at")?;
            Ok(respond(action, json!({ "items": items, "next_cursor": next_cursor, "total": null })))
        }
        "parcel.get" => {
            let parcel = client.parcel(id_of(&params)?).await?;
            Ok(respond(action, serde_json::to_value(parcel)?))
        }
        "parcel.get_label" => {
            let label = client.label(id_of(&params)?).await?;
            Ok(respond(action, json!(label)))
        }
        "parcel.create" => {
            let recipient = params.get("recipient").and_then(Value::as_str).ok_or(ToolError::missing("recipient"))?;
            let weight = params.get("weight_grams").and_then(Value::as_u64).ok_or(ToolError::missing("weight_grams"))?;
            let weight = u32::try_from(weight).map_err(|_| ToolError::invalid("weight_grams"))?;
            let parcel = client.book(recipient, weight).await?;
            Ok(respond(action, serde_json::to_value(parcel)?))
        }
        "parcel.delete" => {
            let parcel = client.delete(id_of(&params)?).await?;
            Ok(respond(action, json!({ "deleted": parcel.id })))
        }
        unknown => Err(ToolError::unknown(unknown)),
    }
}

fn id_of(params: &Value) -> Result<&str, ToolError> {
    params.get("id").and_then(Value::as_str).ok_or_else(|| ToolError::missing("id"))
}
