//! The catalog of actions.

pub struct ActionSpec {
    pub name: &'static str,
    pub description: &'static str,
    pub destructive: bool,
    pub idempotent: bool,
    pub params: &'static [ParamSpec],
    pub returns: &'static str,
}

pub struct ParamSpec {
    pub name: &'static str,
    pub ty: &'static str,
    pub required: bool,
    pub description: &'static str,
}

const LIMIT: ParamSpec = ParamSpec { name: "limit", ty: "integer", required: false, description: "At most so many" };
const CURSOR: ParamSpec = ParamSpec { name: "cursor", ty: "string", required: false, description: "Where to go on" };
const ID: ParamSpec = ParamSpec { name: "id", ty: "integer", required: true, description: "Which snippet" };

pub static ACTIONS: &[ActionSpec] = &[
    ActionSpec {
        name: "snippet.list",
        description: "List snippets by title",
        destructive: false,
        idempotent: true,
        params: &[LIMIT, CURSOR],
        returns: "Snippet[]",
    },
    ActionSpec {
        name: "snippet.get",
        description: "Give one snippet with its body",
        destructive: false,
        idempotent: true,
        params: &[ID],
        returns: "Snippet",
    },
    ActionSpec {
        name: "snippet.delete",
        description: "Delete a snippet for good",
        destructive: true,
        idempotent: true,
        params: &[ID],
        returns: "null",
    },
];
