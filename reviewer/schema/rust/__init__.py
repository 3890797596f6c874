"""Types of Rust → JSON Schema, as schemars, rmcp, rust-mcp-sdk and mcplease make it."""
