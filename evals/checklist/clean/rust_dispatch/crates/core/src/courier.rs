//! The people who carry parcels.

pub mod actions;
pub mod client;
pub mod handlers;
pub mod types;
