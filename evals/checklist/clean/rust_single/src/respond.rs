//! The one way out.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{json, Value};

static NEXT: AtomicU64 = AtomicU64::new(1);

/// Filters the fields, bounds the size and adds the request id.
pub fn respond(action: &str, value: Value, fields: Option<&[String]>) -> Value {
    let mut value = select(value, fields);
    if value.to_string().len() > 8192 {
        value = json!({
            "ids": ids(&value),
            "_overflow": true,
            "_overflow_action": "snippet.get",
            "action": action,
        });
    }
    value["_meta"] = json!({ "request_id": NEXT.fetch_add(1, Ordering::SeqCst).to_string() });
    value
}

fn select(mut value: Value, fields: Option<&[String]>) -> Value {
    if let Some(fields) = fields.filter(|fields| !fields.iter().any(|field| field == "*")) {
        for row in value["items"].as_array_mut().into_iter().flatten() {
            if let Some(map) = row.as_object_mut() {
                map.retain(|key, _| fields.contains(key));
            }
        }
    }
    value
}

fn ids(value: &Value) -> Vec<Value> {
    value["items"].as_array().map(|rows| rows.iter().map(|row| row["id"].clone()).collect()).unwrap_or_default()
}
