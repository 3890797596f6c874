//! Recipes over stdio.

mod book;
mod guard;
mod kitchen;
mod model;
mod paging;
mod schema;
mod tools;

use rmcp::{ServiceExt, transport};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let kitchen = kitchen::Kitchen::open("recipes.json").await?;
    let running = kitchen.serve(transport::io::stdio()).await?;
    running.waiting().await?;
    Ok(())
}
