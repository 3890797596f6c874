//! How agents reach the depot.

pub mod auth;
pub mod descriptions;
pub mod elicitation;
pub mod http;
pub mod isolation;
pub mod request;
pub mod server;
