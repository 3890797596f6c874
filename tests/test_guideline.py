"""A server that keeps to the authoring guidelines is known by two tools, and passes."""

from pathlib import Path

import pytest

import reviewer

SERVER = """
from functools import wraps
from typing import Generic, Literal, TypeVar

from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel, Field

import kiln_api

mcp = FastMCP("potter")
T = TypeVar("T")


class Issue(BaseModel):
    code: Literal["INTERNAL", "RATE_LIMIT"] = Field(description="Kind of failure", examples=["INTERNAL"])
    message: str = Field(description="What to tell the user", examples=["Retry later"])
    retry_after_ms: int | None = Field(None, description="Milliseconds to wait", examples=[3000])


class ToolResponse(BaseModel, Generic[T]):
    ok: bool
    result: T | None = None
    issues: list[Issue] = []


def answering(tool):
    @wraps(tool)
    async def answered(input):
        try:
            return await tool(input)
        except Exception:
            return ToolResponse(ok=False, result=None, issues=[Issue(code="INTERNAL", message="the kiln failed")])

    return answered


class PotGetInput(BaseModel):
    pot_id: str = Field(description="Number that Kiln gave the pot", examples=["P-9"])
    model_config = {"json_schema_extra": {"examples": [{"pot_id": "P-9"}]}}


class PotSearchInput(BaseModel):
    glaze: Literal["celadon", "shino"] = Field(description="Glaze of the pots", examples=["shino"])
    model_config = {"json_schema_extra": {"examples": [{"glaze": "shino"}]}}


class PotItem(BaseModel):
    id: str = Field(description="Number that Kiln gave the pot", examples=["P-9"])


class PotResult(BaseModel):
    id: str = Field(description="Number that Kiln gave the pot", examples=["P-9"])
    status: Literal["raw", "fired"] = Field(description="How far it is", examples=["raw"])
    fired_ms: int | None = Field(None, description="When it was fired, as epoch milliseconds", examples=[1731710400000])


class PotSearchResult(BaseModel):
    items: list[PotItem] = Field(description="The pots", examples=[[{"id": "P-9"}]])


@mcp.tool(name="pot.get", title="Get pot", description="Fetch a pot of Kiln when its number is known.")
@answering
async def pot_get(input: PotGetInput) -> ToolResponse[PotResult]:
    pot = await kiln_api.pot(input.pot_id)
    return ToolResponse(ok=True, result=PotResult(id=pot.number, status=pot.state, fired_ms=pot.fired), issues=[])


@mcp.tool(name="pot.search", title="Search pots", description="Search pots of Kiln when no number is known.")
@answering
async def pot_search(input: PotSearchInput) -> ToolResponse[PotSearchResult]:
    pots = await kiln_api.pots(input.glaze)
    return ToolResponse(ok=True, result=PotSearchResult(items=[PotItem(id=each.number) for each in pots]), issues=[])
"""


@pytest.fixture
def server(tmp_path: Path) -> Path:
    (tmp_path / "server.py").write_text(SERVER)
    return tmp_path


def test_its_profile_is_told_by_two_tools(server: Path) -> None:
    assert reviewer.review(server).profile == "object-operation"


def test_it_passes_without_a_warning(server: Path) -> None:
    told = [each for section in reviewer.review(server).sections for each in section.findings]
    assert {str(each.severity) for each in told} <= {"suggestion"}, [each.message for each in told]


def test_a_field_that_its_tool_does_not_read_is_no_warning_as_the_text_itself_has_one(server: Path) -> None:
    unread = SERVER.replace("kiln_api.pots(input.glaze)", "kiln_api.pots()")
    (server / "server.py").write_text(unread)
    told = [each for section in reviewer.review(server).sections for each in section.findings]
    severities = {each.rule.slug: str(each.severity) for each in told}
    assert severities.get("argument-never-read") == "suggestion"
    assert "warning" not in severities.values()


RUST = """
#[derive(Deserialize, JsonSchema)]
struct PotGet%s { id: String }

#[derive(Deserialize, JsonSchema)]
struct PotFire%s { id: String }

#[tool_router]
impl Potter {
    /// Get a pot.
    #[tool(name = "pot.get")]
    async fn pot_get(&self, Parameters(input): Parameters<PotGet%s>) -> String { input.id }

    /// Fire a pot.
    #[tool(name = "pot.fire")]
    async fn pot_fire(&self, Parameters(input): Parameters<PotFire%s>) -> String { input.id }
}
"""


@pytest.mark.parametrize(("called", "profile"), [("Input", "object-operation"), ("Args", "core")])
def test_in_rust_the_name_of_the_struct_tells_of_an_input_model(tmp_path: Path, called: str, profile: str) -> None:
    (tmp_path / "server.rs").write_text(RUST.replace("%s", called))
    assert reviewer.review(tmp_path).profile == profile


TRAIT = """
use std::sync::Arc;

use serde_json::{json, Value};

#[async_trait::async_trait]
pub trait Tool: Send + Sync {
    fn name(&self) -> &str;
    fn description(&self) -> &str;
    fn input_schema(&self) -> Value;
    async fn call(&self, input: Value, shop: &Shop) -> anyhow::Result<Value>;
}

pub struct Rest { pub shown: usize, pub total: usize, pub hint: String }

pub struct ReadRecipe;

#[async_trait::async_trait]
impl Tool for ReadRecipe {
    fn name(&self) -> &str { "read_recipe" }
    fn description(&self) -> &str { "Read the recipe of the glaze in use." }
    fn input_schema(&self) -> Value { json!({"type": "object", "properties": {}}) }
    async fn call(&self, input: Value, shop: &Shop) -> anyhow::Result<Value> {
        let recipe = std::fs::read_to_string(&shop.recipe)?;
        Ok(json!({"recipe": recipe}))
    }
}

pub struct ShowKiln;

#[async_trait::async_trait]
impl Tool for ShowKiln {
    fn name(&self) -> &str { "show_kiln" }
    fn description(&self) -> &str { "Show how hot the kiln is." }
    fn input_schema(&self) -> Value { json!({"type": "object", "properties": {}}) }
    async fn call(&self, input: Value, shop: &Shop) -> anyhow::Result<Value> {
        Ok(json!({"degrees": shop.degrees()}))
    }
}

pub fn tools() -> Vec<Arc<dyn Tool>> { vec![Arc::new(ReadRecipe), Arc::new(ShowKiln)] }
"""


def test_a_file_that_is_read_in_an_asynchronous_tool_is_no_warning_as_the_text_on_the_tool_trait_has_one(
    tmp_path: Path,
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/lib.rs").write_text(TRAIT)
    report = reviewer.review(tmp_path)
    severities = {each.rule.slug: str(each.severity) for part in report.sections for each in part.findings}
    assert report.profile == "tool-trait"
    assert severities["blocking-call-in-async"] == "suggestion"
    assert "warning" not in severities.values()
