//! Prints what `tools/list` answers, by list, for every way of declaring tools that rust-mcp-sdk knows.

#![allow(dead_code)]

#[cfg(feature = "since-1-0")]
mod anything;
#[cfg(feature = "since-0-7")]
mod kinds;
#[cfg(feature = "since-0-7")]
mod limits;
mod plain;
#[cfg(feature = "since-0-8")]
mod told;

use serde_json::{json, Value};

/// Gives a list of tools as it goes over the wire.
fn wire<T: serde::Serialize>(tools: T) -> Value {
    serde_json::to_value(tools).expect("tools are JSON")
}

fn main() {
    #[allow(unused_mut)]
    let mut answers = json!({ "Plain": wire(plain::Plain::tools()) });
    #[cfg(feature = "since-0-7")]
    {
        answers["Kinds"] = wire(kinds::Kinds::tools());
        answers["Limits"] = wire(limits::Limits::tools());
    }
    #[cfg(feature = "since-0-8")]
    {
        answers["Told"] = wire(told::Told::tools());
    }
    #[cfg(feature = "since-1-0")]
    {
        answers["Anything"] = wire(anything::Anything::tools());
    }
    println!("{}", serde_json::to_string_pretty(&answers).expect("answers are JSON"));
}
