//! The cider press, which reports by a program of its own.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tokio::process::Command;

use super::errors::RecoverableError;
use super::{Tool, ToolContext};

pub struct PressReport {
    program: &'static str,
}

impl PressReport {
    pub fn new(program: &'static str) -> Self {
        Self { program }
    }
}

#[async_trait::async_trait]
impl Tool for PressReport {
    fn name(&self) -> &str {
        "press_report"
    }

    fn description(&self) -> &str {
        "Run the cider press's own report for one year."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "required": ["year"],
            "properties": {
                "year": { "type": "integer", "description": "The year to report on" },
                "timeout_secs": { "type": "integer", "description": "Seconds to wait (default 30, at most 120)" }
            }
        })
    }

    fn is_write(&self, _input: &Value) -> bool {
        true
    }

    async fn call(&self, input: Value, context: &ToolContext) -> Result<Value> {
        let fields = input.as_object().context("no arguments were given")?;
        let year = fields.get("year").and_then(Value::as_u64).context("`year` is no number")?;
        let seconds = fields.get("timeout_secs").and_then(Value::as_u64).unwrap_or(30).clamp(1, 120);
        let child = Command::new(self.program)
            .arg("--report")
            .arg(year.to_string())
            .kill_on_drop(true)
            .output();
        tokio::select! {
            done = tokio::time::timeout(Duration::from_secs(seconds), child) => {
                let output = done.context("the press takes too long")?.context("the press does not start")?;
                Ok(json!({ "report": String::from_utf8_lossy(&output.stdout) }))
            }
            () = context.cancelled.cancelled() => {
                Err(RecoverableError::with_hint("the report was cancelled", "Ask again when the press is free.").into())
            }
        }
    }
}
