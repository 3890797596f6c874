//! Parcels, from label to doorstep.

pub mod actions;
pub mod client;
pub mod handlers;
pub mod types;
