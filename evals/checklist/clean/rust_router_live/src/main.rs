//! A workshop whose tools come and go, served to agents.

mod announcing;
mod pages;
mod reporting;
mod requests;
mod server;
mod settings;
mod shelves;

use rmcp::ServiceExt;

use crate::server::Workshop;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let workshop = Workshop::new(settings::Settings::from_env());
    workshop.serve((tokio::io::stdin(), tokio::io::stdout())).await?.waiting().await?;
    Ok(())
}
