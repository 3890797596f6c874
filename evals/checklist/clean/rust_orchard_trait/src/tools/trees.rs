//! The trees of the orchard.

use anyhow::Result;
use serde_json::{Value, json};

use super::errors::RecoverableError;
use super::output::OutputGuard;
use super::params::{optional_u64, require_str, require_u64};
use super::{Tool, ToolContext};

pub struct ListTrees;

#[async_trait::async_trait]
impl Tool for ListTrees {
    fn name(&self) -> &str {
        "list_trees"
    }

    fn description(&self) -> &str {
        "List the trees of the orchard, row by row."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "row": { "type": "integer", "description": "Only the trees of this row" },
                "limit": { "type": "integer", "default": 50, "maximum": 200, "description": "How many trees" },
                "offset": { "type": "integer", "default": 0, "description": "How many trees to pass over" }
            }
        })
    }

    async fn call(&self, input: Value, context: &ToolContext) -> Result<Value> {
        let row = optional_u64(&input, "row");
        let book = context.store.book().await;
        let found: Vec<_> = book.trees.into_iter().filter(|tree| row.is_none_or(|row| tree.row == row)).collect();
        let guard = OutputGuard::from_input(&input);
        let (trees, overflow) = guard.cap_items(found, "Ask for one row with row=<number>, or go on with offset=<number>.");
        let mut answer = json!({ "trees": trees });
        if let Some(overflow) = &overflow {
            answer["overflow"] = OutputGuard::overflow_json(overflow);
        }
        Ok(answer)
    }
}

pub struct FindTrees;

#[async_trait::async_trait]
impl Tool for FindTrees {
    fn name(&self) -> &str {
        "find_trees"
    }

    fn description(&self) -> &str {
        "Find trees by the words of their kind, such as `pippin`."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "required": ["kind"],
            "properties": {
                "kind": { "type": "string", "description": "What the kind holds" },
                "max_results": { "type": "integer", "description": "How many trees (default 10, max 40)" }
            }
        })
    }

    async fn call(&self, input: Value, context: &ToolContext) -> Result<Value> {
        let kind = require_str(&input, "kind")?.to_lowercase();
        let most = input["max_results"].as_u64().unwrap_or(10).min(40) as usize;
        let book = context.store.book().await;
        let found: Vec<_> = book.trees.into_iter().filter(|tree| tree.kind.to_lowercase().contains(&kind)).collect();
        let total = found.len();
        let trees: Vec<_> = found.into_iter().take(most).collect();
        let mut answer = json!({ "trees": trees, "total": total });
        if total > most {
            answer["hint"] = json!("More trees than shown: name the kind more closely, or raise max_results.");
        }
        Ok(answer)
    }
}

pub struct ReadTree;

#[async_trait::async_trait]
impl Tool for ReadTree {
    fn name(&self) -> &str {
        "read_tree"
    }

    fn description(&self) -> &str {
        "Read all that is known of one tree."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "required": ["id"],
            "properties": { "id": { "type": "integer", "description": "The number of the tree" } }
        })
    }

    async fn call(&self, input: Value, context: &ToolContext) -> Result<Value> {
        let id = require_u64(&input, "id")?;
        match context.store.tree(id).await {
            Some(tree) => Ok(serde_json::to_value(tree)?),
            None => Err(RecoverableError::with_hint(
                format!("there is no tree {id}"),
                "Take an id that list_trees gives.",
            )
            .into()),
        }
    }
}

pub struct PlantTree;

#[async_trait::async_trait]
impl Tool for PlantTree {
    fn name(&self) -> &str {
        "plant_tree"
    }

    fn description(&self) -> &str {
        "Plant a tree and write it into the book."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "required": ["kind", "row"],
            "properties": {
                "kind": { "type": "string", "description": "The kind of the tree" },
                "row": { "type": "integer", "description": "The row that it stands in" },
                "year": { "type": "integer", "description": "The year of planting (defaults to 2024)" }
            }
        })
    }

    fn is_write(&self, _input: &Value) -> bool {
        true
    }

    async fn call(&self, input: Value, context: &ToolContext) -> Result<Value> {
        let kind = require_str(&input, "kind")?;
        let row = require_u64(&input, "row")?;
        let year = match input.get("year").and_then(Value::as_u64) {
            Some(year) => year,
            None => 2024,
        };
        let tree = context.store.plant(kind, row, year).await?;
        Ok(json!({ "planted": tree }))
    }
}

pub struct FellTree;

#[async_trait::async_trait]
impl Tool for FellTree {
    fn name(&self) -> &str {
        "fell_tree"
    }

    fn description(&self) -> &str {
        "Fell a tree: it is taken out of the book for good."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "required": ["id"],
            "properties": { "id": { "type": "integer", "description": "The number of the tree" } }
        })
    }

    fn is_write(&self, _input: &Value) -> bool {
        true
    }

    async fn call(&self, input: Value, context: &ToolContext) -> Result<Value> {
        let felled = context.store.fell(require_u64(&input, "id")?).await?;
        Ok(json!({ "felled": felled }))
    }
}
