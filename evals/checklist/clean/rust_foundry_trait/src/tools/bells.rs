//! Tools over bells.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::{json, Value};
use tokio::process::Command;

use crate::books::Bell;
use crate::tools::{require_str, Tool, ToolContext};

const SHOWN: usize = 40;
const MOST: usize = 50;

pub struct SearchBells;

#[async_trait(?Send)]
impl Tool for SearchBells {
    fn name(&self) -> &str {
        "search_bells"
    }

    fn description(&self) -> &str {
        "Search the bells that were cast by a word of their names. Gives name, pitch and weight of at most 50 bells."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "word": { "type": "string", "description": "A word of the bell's name", "maxLength": 80 }
            },
            "required": ["word"]
        })
    }

    async fn call(&self, input: Value, ctx: &ToolContext) -> anyhow::Result<Value> {
        let word = require_str(&input, "word")?;
        let hits = ctx.books.search(word);
        let total = hits.len();
        let shown: Vec<Value> = hits.iter().take(MOST).map(listed).collect();
        if total > MOST {
            return Ok(json!({ "bells": shown, "total": total, "hint": "more bells match: take a longer `word`" }));
        }
        Ok(json!({ "bells": shown, "total": total }))
    }
}

fn listed(bell: &Bell) -> Value {
    json!({ "name": shortened(&bell.name), "pitch": bell.pitch, "weight": bell.weight })
}

fn shortened(name: &str) -> String {
    name.chars().take(SHOWN).collect()
}

pub struct CastBell;

#[async_trait(?Send)]
impl Tool for CastBell {
    fn name(&self) -> &str {
        "cast_bell"
    }

    fn description(&self) -> &str {
        "Cast a bell of a given pitch and weight in the foundry, and enter it into the books. Takes some minutes."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "name": { "type": "string", "description": "The name that the bell gets", "maxLength": 80 },
                "pitch": { "type": "string", "description": "Its pitch, as note and octave such as c-2", "maxLength": 8 },
                "weight": { "type": "string", "description": "Its weight in kilograms", "maxLength": 8 }
            },
            "required": ["name", "pitch", "weight"]
        })
    }

    fn is_write(&self, _input: &Value) -> bool {
        true
    }

    async fn call(&self, input: Value, ctx: &ToolContext) -> anyhow::Result<Value> {
        let name = require_str(&input, "name")?;
        let pitch = require_str(&input, "pitch")?;
        let weight: u64 = require_str(&input, "weight")?.parse()?;
        let parts: Vec<&str> = pitch.split('-').collect();
        let [note, octave] = parts[..] else {
            anyhow::bail!("`pitch` is written as note and octave, such as c-2");
        };
        poured(weight).await?;
        cooled(ctx).await?;
        ctx.books.add(Bell { name: name.to_owned(), pitch: format!("{note}{octave}"), weight });
        Ok(json!({ "cast": name, "weight": weight }))
    }
}

async fn poured(weight: u64) -> anyhow::Result<()> {
    let mut command = Command::new("foundry-forge");
    command.arg("--pour").arg(weight.to_string()).kill_on_drop(true);
    let status = command.status().await?;
    anyhow::ensure!(status.success(), "the forge stands still");
    Ok(())
}

async fn cooled(ctx: &ToolContext) -> anyhow::Result<()> {
    for _ in 0..60 {
        if ctx.ct.is_cancelled() {
            anyhow::bail!("the casting was called off");
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    Ok(())
}
