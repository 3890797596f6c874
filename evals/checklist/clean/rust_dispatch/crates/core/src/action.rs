//! The rows of an action catalog, and what `help` and `schema` make of them.

use serde_json::{json, Value};

use crate::ToolError;

pub struct ParamSpec {
    pub name: &'static str,
    pub ty: &'static str,
    pub required: bool,
    pub description: &'static str,
}

pub struct ActionSpec {
    pub name: &'static str,
    pub description: &'static str,
    pub destructive: bool,
    pub idempotent: bool,
    pub params: &'static [ParamSpec],
    pub returns: &'static str,
}

/// What every list takes.
pub const PAGE: &[ParamSpec] = &[
    ParamSpec { name: "limit", ty: "integer", required: false, description: "At most so many: 20 if absent, never over 100" },
    ParamSpec { name: "cursor", ty: "string", required: false, description: "The next_cursor of the page before" },
];

/// What every action on one thing takes.
pub const BY_ID: &[ParamSpec] = &[ParamSpec { name: "id", ty: "string", required: true, description: "Which one" }];

/// The catalog as a client reads it.
pub fn help_payload(domain: &str, actions: &[ActionSpec]) -> Value {
    let rows: Vec<Value> = actions
        .iter()
        .map(|spec| json!({ "action": spec.name, "description": spec.description, "destructive": spec.destructive }))
        .collect();
    json!({ "domain": domain, "actions": rows })
}

/// The parameters of one action.
pub fn action_schema(actions: &[ActionSpec], params: &Value) -> Result<Value, ToolError> {
    let name = params.get("action").and_then(Value::as_str).ok_or(ToolError::missing("action"))?;
    let spec = actions.iter().find(|spec| spec.name == name).ok_or_else(|| ToolError::unknown(name))?;
    let params: Vec<Value> = spec
        .params
        .iter()
        .map(|param| json!({ "name": param.name, "type": param.ty, "required": param.required }))
        .collect();
    Ok(json!({ "action": spec.name, "params": params, "returns": spec.returns }))
}
