//! A bell foundry: what was cast, from which patterns, and a forge that casts more.

mod books;
mod server;
mod tools;

use rmcp::transport::stdio;
use rmcp::ServiceExt;

use crate::server::Foundry;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let foundry = Foundry::open("/srv/foundry")?;
    tracing::info!("the foundry is open");
    let service = foundry.serve(stdio()).await?;
    service.waiting().await?;
    Ok(())
}
