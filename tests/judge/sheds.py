"""The shed: where tools hang on hooks, as a crate of which tests write the methods."""

from pathlib import Path

CARGO = '[package]\nname = "shed"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nrmcp = "0.8"\n'

SHED = """
pub struct Shed { tool_router: rmcp::handler::server::router::tool::ToolRouter<Self> }

#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct Named { name: String }

#[tool_router]
impl Shed {
"""
"""The server, up to its tools."""


def put(folder: Path, files: dict[str, str]) -> Path:
    """Write files into a folder, which is returned."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder
