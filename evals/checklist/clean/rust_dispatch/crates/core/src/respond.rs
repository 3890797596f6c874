//! The one way out: every answer is projected, bounded and signed here.

use std::future::Future;

use serde_json::{json, Map, Value};

const BUDGET: usize = 8 * 1024;
const BULKY: &[&str] = &["label", "description", "notes", "payload"];

/// What `respond` has to know of the call.
#[derive(Clone, Default)]
pub struct Context {
    pub request_id: String,
    pub fields: Option<Vec<String>>,
}

tokio::task_local! {
    static CONTEXT: Context;
}

/// Runs `work` so that `respond` sees `context`.
pub async fn scoped<F: Future>(context: Context, work: F) -> F::Output {
    CONTEXT.scope(context, work).await
}

/// Projects, bounds and signs the answer to `action`.
pub fn respond(action: &str, value: Value) -> Value {
    let context = CONTEXT.try_with(Context::clone).unwrap_or_default();
    let mut answer = projected(value, context.fields.as_deref());
    if answer.to_string().len() > BUDGET {
        answer = bounded(action, answer);
    }
    if let Value::Object(map) = &mut answer {
        map.insert("_meta".to_owned(), json!({ "request_id": context.request_id }));
    }
    answer
}

fn projected(value: Value, fields: Option<&[String]>) -> Value {
    let Some(fields) = fields else { return value };
    if fields.iter().any(|field| field == "*") {
        return value;
    }
    match value {
        Value::Object(mut map) if map.contains_key("items") => {
            if let Some(Value::Array(items)) = map.remove("items") {
                let kept = items.into_iter().map(|item| projected(item, Some(fields))).collect();
                map.insert("items".to_owned(), Value::Array(kept));
            }
            Value::Object(map)
        }
        Value::Object(map) => Value::Object(map.into_iter().filter(|(key, _)| fields.contains(key)).collect()),
        other => other,
    }
}

fn bounded(action: &str, value: Value) -> Value {
    let mut map: Map<String, Value> = match without_bulk(value) {
        Value::Object(map) => map,
        other => Map::from_iter([("value".to_owned(), other)]),
    };
    map.insert("_overflow".to_owned(), Value::Bool(true));
    map.insert("_overflow_action".to_owned(), json!(detail_of(action)));
    Value::Object(map)
}

fn without_bulk(value: Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.into_iter().map(without_bulk).collect()),
        Value::Object(map) => Value::Object(
            map.into_iter()
                .filter(|(key, _)| !BULKY.contains(&key.as_str()))
                .map(|(key, inner)| (key, without_bulk(inner)))
                .collect(),
        ),
        other => other,
    }
}

/// The action that gives one thing in full.
fn detail_of(action: &str) -> &'static str {
    match action.split('.').next() {
        Some("courier") => "courier.get",
        _ => "parcel.get",
    }
}
