//! Snippets of code, over stdio.

mod actions;
mod handlers;
mod respond;
mod store;
mod tool;
mod types;

use rmcp::{transport::stdio, ServiceExt};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let service = tool::Snippets::default().serve(stdio()).await?;
    service.waiting().await?;
    Ok(())
}
