//! The gardener's notes: long texts in files beside the book.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::errors::RecoverableError;
use super::params::{optional_bool, require_str};
use super::{Tool, ToolContext};

const SHOWN: usize = 400;

pub struct ReadNotes;

#[async_trait::async_trait]
impl Tool for ReadNotes {
    fn name(&self) -> &str {
        "read_notes"
    }

    fn description(&self) -> &str {
        "Read the gardener's notes of one season."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "required": ["season"],
            "properties": {
                "season": {
                    "type": "string",
                    "enum": ["spring", "summer", "autumn", "winter"],
                    "description": "Which of the four seasons"
                },
                "start": { "type": "integer", "description": "The first line (default: 1)" },
                "whole": { "type": "boolean", "default": false, "description": "Long lines in full" }
            }
        })
    }

    async fn call(&self, input: Value, context: &ToolContext) -> Result<Value> {
        let season = require_str(&input, "season")?;
        let Some(file) = file_of(season) else {
            return Err(RecoverableError::with_hint(format!("no season `{season}`"), "Give season=spring and the like.").into());
        };
        let first = input.get("start").and_then(|start| start.as_u64()).unwrap_or(1);
        let whole = optional_bool(&input, "whole").unwrap_or(false);
        let text = tokio::fs::read_to_string(context.store.folder().join(file)).await.context("the notes cannot be read")?;
        let lines: Vec<String> = text
            .lines()
            .skip(first.saturating_sub(1) as usize)
            .map(|line| if whole { line.to_owned() } else { shortened(line) })
            .collect();
        Ok(json!({ "season": season, "text": lines.join("\n") }))
    }
}

fn file_of(season: &str) -> Option<&'static str> {
    match season {
        "spring" => Some("spring.txt"),
        "summer" => Some("summer.txt"),
        "autumn" => Some("autumn.txt"),
        "winter" => Some("winter.txt"),
        _ => None,
    }
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line)),
        None => line.to_owned(),
    }
}
