//! Photographs of the trees, in a folder beside the book.

use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::{Tool, ToolContext};

const MOST: u64 = 30;

pub struct ListPhotos;

#[async_trait::async_trait]
impl Tool for ListPhotos {
    fn name(&self) -> &str {
        "list_photos"
    }

    fn description(&self) -> &str {
        "List the photographs that were taken of the trees."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "limit": { "type": "integer", "maximum": 30, "description": "How many photographs, 10 by default" }
            }
        })
    }

    async fn call(&self, input: Value, context: &ToolContext) -> Result<Value> {
        let limit = asked(&input);
        let folder = context.store.folder().join("photos");
        let names = tokio::task::spawn_blocking(move || names_in(&folder)).await??;
        let total = names.len();
        let shown: Vec<_> = names.into_iter().take(limit).collect();
        let truncated = total > shown.len();
        Ok(json!({ "photos": shown, "total": total, "truncated": truncated }))
    }
}

fn asked(input: &Value) -> usize {
    let given = input.get("limit").and_then(Value::as_u64);
    std::cmp::min(given.unwrap_or(10), MOST) as usize
}

fn names_in(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}
