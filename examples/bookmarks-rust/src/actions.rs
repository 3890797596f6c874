//! The catalog of actions.

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
