//! Weather, served to agents.

mod answers;
mod pages;
mod requests;
mod server;
mod store;
mod tools;
mod types;
mod web;

use rmcp::ServiceExt;

use crate::server::Weather;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let weather = Weather::new(store::Store::open()?);
    if std::env::args().any(|argument| argument == "--http") {
        return web::serve(weather).await;
    }
    let transport = (tokio::io::stdin(), tokio::io::stdout());
    weather.serve(transport).await?.waiting().await?;
    Ok(())
}
