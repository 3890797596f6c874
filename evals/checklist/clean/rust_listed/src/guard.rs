//! Every answer leaves through here.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Map, Value, json};

use crate::schema::Asked;

static CALLS: AtomicU64 = AtomicU64::new(1);
const BUDGET: usize = 8_192;

pub fn respond(action: &str, value: Value, asked: &Asked) -> Value {
    let selected = select(value, asked.fields.as_ref());
    let answer = fit(action, selected);
    with_meta(answer)
}

fn select(value: Value, fields: Option<&Vec<String>>) -> Value {
    match (fields, value) {
        (Some(fields), Value::Object(map)) if !fields.contains(&"*".to_string()) => {
            let mut kept = Map::new();
            for (key, inner) in map {
                match inner {
                    Value::Array(rows) if key == "items" => {
                        let rows = rows.into_iter().map(|row| select(row, Some(fields))).collect();
                        kept.insert(key, Value::Array(rows));
                    }
                    inner if fields.contains(&key) || key == "next_cursor" || key == "total" => {
                        kept.insert(key, inner);
                    }
                    _ => {}
                }
            }
            Value::Object(kept)
        }
        (_, value) => value,
    }
}

fn fit(action: &str, value: Value) -> Value {
    if value.to_string().len() <= BUDGET {
        return value;
    }
    let mut short = value;
    drop_large(&mut short);
    short["_overflow"] = json!(true);
    short["_overflow_action"] = json!(action);
    short
}

fn drop_large(value: &mut Value) {
    if let Some(map) = value.as_object_mut() {
        map.remove("notes");
        map.remove("steps");
        for inner in map.values_mut() {
            drop_large(inner);
        }
    } else if let Some(rows) = value.as_array_mut() {
        rows.iter_mut().for_each(drop_large);
    }
}

fn with_meta(mut value: Value) -> Value {
    let id = format!("call-{}", CALLS.fetch_add(1, Ordering::Relaxed));
    if let Some(map) = value.as_object_mut() {
        let mut meta = Map::new();
        meta.insert("request_id".into(), id.into());
        map.insert("_meta".into(), meta.into());
    }
    value
}
