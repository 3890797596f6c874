//! The tools.

pub mod confirm;
pub mod text;
