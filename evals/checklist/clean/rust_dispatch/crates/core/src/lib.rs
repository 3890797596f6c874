//! What the depot does, without a word about how it is served.

pub mod action;
pub mod courier;
pub mod error;
pub mod page;
pub mod parcel;
pub mod respond;
pub mod truncate;

pub use error::ToolError;
pub use respond::respond;
