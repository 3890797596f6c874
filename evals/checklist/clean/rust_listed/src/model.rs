//! What is kept.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Recipe {
    pub id: u64,
    pub title: String,
    pub servings: u8,
    pub image_url: Option<String>,
    #[truncate::truncate(full_action = "recipe")]
    pub notes: String,
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Step {
    pub minutes: u16,
    #[truncate::truncate]
    pub text: String,
}

/// Read from the file only; never sent.
#[derive(Debug, Deserialize)]
pub struct Import {
    pub source: String,
    pub raw: String,
}
