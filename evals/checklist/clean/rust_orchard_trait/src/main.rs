//! An orchard's book of trees and harvests, served over stdio.

mod server;
mod store;
mod tools;

use std::sync::Arc;

use rmcp::ServiceExt;
use rmcp::transport::stdio;

use crate::server::OrchardServer;
use crate::store::Store;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let store = Arc::new(Store::open("orchard.json").await?);
    let running = OrchardServer::new(store).serve(stdio()).await?;
    running.waiting().await?;
    Ok(())
}
