//! Tools over the founders' notes.

use std::sync::Mutex;

use async_trait::async_trait;
use serde_json::{json, Value};

use crate::tools::{require_str, Tool, ToolContext};

static READ: Mutex<Vec<String>> = Mutex::new(Vec::new());

pub struct ReadNote;

#[async_trait(?Send)]
impl Tool for ReadNote {
    fn name(&self) -> &str {
        "read_note"
    }

    fn description(&self) -> &str {
        "Read a founder's note by its name. Gives the first lines of its text."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "name": { "type": "string", "description": "The name of the note", "maxLength": 80 }
            },
            "required": ["name"]
        })
    }

    async fn call(&self, input: Value, ctx: &ToolContext) -> anyhow::Result<Value> {
        let name = require_str(&input, "name")?;
        let text = ctx.books.note(name).await?;
        let mut read = READ.lock().unwrap();
        read.push(name.to_owned());
        let lines: Vec<&str> = text.lines().take(100).collect();
        Ok(json!({ "name": name, "lines": lines, "read": read.len() }))
    }
}

pub struct KeepNote;

#[async_trait(?Send)]
impl Tool for KeepNote {
    fn name(&self) -> &str {
        "keep_note"
    }

    fn description(&self) -> &str {
        "Keep a note under a name, in the stead of an older one. Gives back how long it is."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "name": { "type": "string", "description": "The name of the note", "maxLength": 80 },
                "text": { "type": "string", "description": "What is noted", "maxLength": 4000 }
            },
            "required": ["name", "text"]
        })
    }

    fn is_write(&self, _input: &Value) -> bool {
        true
    }

    async fn call(&self, input: Value, ctx: &ToolContext) -> anyhow::Result<Value> {
        let name = require_str(&input, "name")?;
        let text = require_str(&input, "text")?;
        ctx.books.keep_note(name, text).await?;
        Ok(json!({ "kept": name, "characters": text.chars().count() }))
    }
}
