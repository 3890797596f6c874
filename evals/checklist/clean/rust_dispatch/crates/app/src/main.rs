//! The depot, served to agents.

mod mcp;

use clap::{Parser, ValueEnum};
use depot_core::courier::client::CourierClient;
use depot_core::parcel::client::ParcelClient;
use rmcp::transport::stdio;
use rmcp::ServiceExt;

use crate::mcp::server::Depot;

#[derive(Clone, Copy, ValueEnum)]
enum Serve {
    Stdio,
    Http,
}

#[derive(Parser)]
struct Arguments {
    #[arg(long, value_enum, default_value = "stdio")]
    serve: Serve,
    #[arg(long, default_value = "0.0.0.0:8080")]
    listen: String,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let pool = sqlx::SqlitePool::connect("sqlite://depot.db").await?;
    let depot = Depot::new(ParcelClient::new(pool), CourierClient::default());
    match arguments.serve {
        Serve::Stdio => {
            let service = depot.serve(stdio()).await?;
            service.waiting().await?;
        }
        Serve::Http => mcp::http::serve(depot, &arguments.listen).await?,
    }
    Ok(())
}
