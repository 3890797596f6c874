//! The list of tools, written by hand.

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

fn object(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(map) => map,
        _ => unreachable!("a schema is an object"),
    }
}

pub fn all() -> Vec<Tool> {
    let recipes = Tool::new(
        "search_recipes",
        "recipes: Find recipes by words in their title.\n\
         When to use: the user wants to cook and has no recipe yet.\n\
         Parameters:\n\
         - words (optional): what the title holds.\n\
         - fields, limit, cursor: standard pagination/projection.\n\
         Limitations: looks at titles only.",
        object(json!({
            "type": "object",
            "properties": {
                "words": { "type": "string", "description": "What the title holds" },
                "fields": { "type": "array", "items": { "type": "string" }, "description": "The fields to keep" },
                "limit": { "type": "integer", "description": "At most so many" },
                "cursor": { "type": "string", "description": "The next_cursor of the page before" }
            }
        })),
    );
    let pantry = Tool::new(
        "empty_pantry",
        "pantry: Forget everything that is in the pantry.\n\
         When to use: the user moves out.\n\
         Parameters:\n\
         - fields (optional): the fields to keep.\n\
         Limitations: cannot be undone.",
        object(json!({
            "type": "object",
            "properties": {
                "fields": { "type": "array", "items": { "type": "string" }, "description": "The fields to keep" }
            }
        })),
    )
    .annotate(ToolAnnotations::new().destructive(true).idempotent(true));
    vec![recipes, pantry]
}
