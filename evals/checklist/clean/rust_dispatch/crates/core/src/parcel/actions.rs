//! The catalog of the domain.

use crate::action::{ActionSpec, ParamSpec, BY_ID, PAGE};

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
        params: &[ParamSpec { name: "action", ty: "string", required: true, description: "Which action" }],
        returns: "Schema",
    },
    ActionSpec {
        name: "parcel.list",
        description: "List parcels, newest first",
        destructive: false,
        idempotent: true,
        params: PAGE,
        returns: "Page<Parcel>",
    },
    ActionSpec {
        name: "parcel.get",
        description: "Give one parcel with its history",
        destructive: false,
        idempotent: true,
        params: BY_ID,
        returns: "Parcel",
    },
    ActionSpec {
        name: "parcel.get_label",
        description: "Give the whole label of a parcel",
        destructive: false,
        idempotent: true,
        params: BY_ID,
        returns: "Label",
    },
    ActionSpec {
        name: "parcel.create",
        description: "Book a parcel and print its label",
        destructive: false,
        idempotent: false,
        params: &[
            ParamSpec { name: "recipient", ty: "string", required: true, description: "Who gets it" },
            ParamSpec { name: "weight_grams", ty: "integer", required: true, description: "What it weighs" },
        ],
        returns: "Parcel",
    },
    ActionSpec {
        name: "parcel.delete",
        description: "Delete a parcel that was not handed over yet",
        destructive: true,
        idempotent: true,
        params: BY_ID,
        returns: "Parcel",
    },
];
