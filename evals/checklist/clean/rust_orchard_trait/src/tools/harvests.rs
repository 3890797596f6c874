//! What the trees gave: one tool that passes the call on by its action.

use anyhow::Result;
use serde::Deserialize;
use serde_json::{Value, json};

use super::errors::RecoverableError;
use super::output::OutputGuard;
use super::params::{optional_u64, require_str, require_u64};
use super::{Tool, ToolContext};
use crate::store::Harvest;

pub struct Harvests;

#[async_trait::async_trait]
impl Tool for Harvests {
    fn name(&self) -> &str {
        "harvests"
    }

    fn description(&self) -> &str {
        "Look at the harvests, or write one down."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "required": ["action"],
            "properties": {
                "action": { "type": "string", "enum": ["list", "record"], "description": "What to do" },
                "tree": { "type": "integer", "description": "The number of the tree" },
                "year": { "type": "integer", "description": "The year of the harvest" },
                "kilos": { "type": "number", "description": "How much the tree gave" },
                "limit": { "type": "integer", "default": 50, "description": "How many harvests (at most 200)" },
                "offset": { "type": "integer", "description": "How many harvests to pass over" }
            }
        })
    }

    fn is_write(&self, input: &Value) -> bool {
        input["action"] == "record"
    }

    async fn call(&self, input: Value, context: &ToolContext) -> Result<Value> {
        match require_str(&input, "action")? {
            "list" => ListHarvests.call(input, context).await,
            "record" => RecordHarvest.call(input, context).await,
            other => Err(RecoverableError::with_hint(format!("no action `{other}`"), "Give action=list or action=record.").into()),
        }
    }
}

struct ListHarvests;

#[async_trait::async_trait]
impl Tool for ListHarvests {
    fn name(&self) -> &str {
        "list_harvests"
    }

    fn description(&self) -> &str {
        "List the harvests."
    }

    fn input_schema(&self) -> Value {
        json!({ "type": "object", "properties": {} })
    }

    async fn call(&self, input: Value, context: &ToolContext) -> Result<Value> {
        let (tree, year) = (optional_u64(&input, "tree"), optional_u64(&input, "year"));
        let mut found = context.store.book().await.harvests;
        found.retain(|each| tree.is_none_or(|tree| each.tree == tree) && year.is_none_or(|year| each.year == year));
        let (harvests, overflow) = OutputGuard::from_input(&input)
            .cap_items(found, "Ask for one year with year=<number>, or for one tree with tree=<number>.");
        Ok(json!({ "harvests": harvests, "overflow": overflow.as_ref().map(OutputGuard::overflow_json) }))
    }
}

struct RecordHarvest;

#[derive(Deserialize)]
struct Recorded {
    tree: u64,
    year: u64,
    kilos: f64,
}

#[async_trait::async_trait]
impl Tool for RecordHarvest {
    fn name(&self) -> &str {
        "record_harvest"
    }

    fn description(&self) -> &str {
        "Write a harvest down."
    }

    fn input_schema(&self) -> Value {
        json!({ "type": "object", "properties": {} })
    }

    fn is_write(&self, _input: &Value) -> bool {
        true
    }

    async fn call(&self, input: Value, context: &ToolContext) -> Result<Value> {
        require_u64(&input, "tree")?;
        let Recorded { tree, year, kilos } = serde_json::from_value(input)?;
        context.store.gather(Harvest { tree, year, kilos }).await?;
        Ok(json!({ "recorded": true }))
    }
}
