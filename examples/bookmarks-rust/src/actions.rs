//! The catalog of actions.

use serde_json::{json, Value};

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
    pub params: &'static [ParamSpec],
    pub returns: &'static str,
}

const PAGE: &[ParamSpec] = &[
    ParamSpec { name: "limit", ty: "integer", required: false, description: "At most so many, 20 if absent, clamped to 100" },
    ParamSpec { name: "cursor", ty: "string", required: false, description: "The next_cursor of the page before" },
];

pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec {
        name: "bookmark.list",
        description: "List bookmarks, newest first",
        destructive: false,
        params: PAGE,
        returns: "Bookmark[]",
    },
    ActionSpec {
        name: "bookmark.get",
        description: "Give one bookmark with its page's text",
        destructive: false,
        params: &[ParamSpec { name: "id", ty: "string", required: true, description: "The bookmark's id" }],
        returns: "Bookmark",
    },
];

/// Gives the actions with what they do.
pub fn help() -> Value {
    let rows: Vec<Value> = ACTIONS.iter().map(|row| json!({ "action": row.name, "does": row.description })).collect();
    json!({ "actions": rows })
}

/// Gives what an action takes, nothing for one that there is not.
pub fn schema(wanted: Option<&str>) -> Value {
    let row = ACTIONS.iter().find(|row| Some(row.name) == wanted);
    let params: Vec<Value> = row
        .map_or(&[][..], |row| row.params)
        .iter()
        .map(|param| json!({ "name": param.name, "type": param.ty, "required": param.required }))
        .collect();
    json!({ "action": wanted, "params": params })
}
