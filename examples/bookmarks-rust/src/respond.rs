//! The one way out: every answer passes it.

use serde_json::{json, Value};

/// Bytes above which an answer is stripped.
const BUDGET: usize = 8 * 1024;

/// What is taken out of an answer that is too large; ids, titles and addresses stay.
const BULKY: &[&str] = &["page_text"];

/// Filters the fields, bounds the size and adds the request id.
pub fn respond(action: &str, value: Value, fields: Option<&[String]>) -> Value {
    let mut value = value;
    if let (Some(fields), Some(map)) = (fields, value.as_object_mut()) {
        map.retain(|key, _| fields.iter().any(|field| field == key || field == "*"));
    }
    if value.to_string().len() > BUDGET {
        value = stripped(value);
        value["_overflow"] = json!(true);
        value["_overflow_action"] = json!("bookmark.get");
    }
    value["_meta"] = json!({ "request_id": crate::request_id(action) });
    value
}

/// Takes the large texts out of an object and of what it holds.
fn stripped(value: Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.into_iter().map(stripped).collect()),
        Value::Object(map) => Value::Object(
            map.into_iter()
                .filter(|(key, _)| !BULKY.contains(&key.as_str()))
                .map(|(key, inner)| (key, stripped(inner)))
                .collect(),
        ),
        other => other,
    }
}
