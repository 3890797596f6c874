//! The catalog of the domain.

use crate::action::{ActionSpec, ParamSpec, BY_ID, PAGE};

const SCHEMA_PARAMS: &[ParamSpec] =
    &[ParamSpec { name: "action", ty: "string", required: true, description: "Which action" }];

pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec {
        name: "help",
        description: "Show this catalog",
        destructive: false,
        idempotent: true,
        params: &[],
        returns: "Catalog",
    },
    ActionSpec {
        name: "schema",
        description: "Show what an action takes",
        destructive: false,
        idempotent: true,
        params: SCHEMA_PARAMS,
        returns: "Schema",
    },
    ActionSpec {
        name: "courier.list",
        description: "List couriers by name",
        destructive: false,
        idempotent: true,
        params: PAGE,
        returns: "Page<Courier>",
    },
    ActionSpec {
        name: "courier.get",
        description: "Give one courier",
        destructive: false,
        idempotent: true,
        params: BY_ID,
        returns: "Courier",
    },
    ActionSpec {
        name: "courier.remove",
        description: "Remove a courier and free the round",
        destructive: true,
        idempotent: false,
        params: BY_ID,
        returns: "Courier",
    },
];
