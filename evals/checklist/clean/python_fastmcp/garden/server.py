"""The server and its tools."""

import os
from typing import Annotated, Any

from mcp.server.auth.settings import AuthSettings
from mcp.server.fastmcp import Context, FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import AnyHttpUrl, BaseModel, Field

from garden.answers import respond
from garden.pages import window
from garden.store import Beds
from garden.verifier import GardenTokens

mcp = FastMCP(
    "garden",
    host="0.0.0.0",
    token_verifier=GardenTokens(os.environ.get("GARDEN_KEY", "")),
    auth=AuthSettings(
        issuer_url=AnyHttpUrl("https://garden.example"), resource_server_url=AnyHttpUrl("https://garden.example/mcp")
    ),
)
beds = Beds()

Fields = Annotated[list[str] | None, Field(description="The fields to keep, all if absent")]
Limit = Annotated[int | None, Field(description="At most so many: 20 if absent, never over 100")]
Cursor = Annotated[str | None, Field(description="The next_cursor of the page before")]


class Confirm(BaseModel):
    confirm: bool = Field(description="Whether to go on")


@mcp.tool()
async def list_plants(
    bed: Annotated[int | None, Field(description="Only plants of this bed")] = None,
    fields: Fields = None,
    limit: Limit = None,
    cursor: Cursor = None,
) -> dict[str, Any]:
    """plants: List what grows in the garden, by name.

    When to use: the user asks what is planted, or names a plant whose id is not known.
    Parameters:
    - bed (optional): only plants of this bed.
    - fields, limit, cursor: standard pagination/projection.
    Limitations: knows planted beds only.
    """
    plants = beds.plants(bed)
    items, next_cursor = window(limit, cursor).cut([plant.model_dump() for plant in plants])
    return respond("list_plants", {"items": items, "next_cursor": next_cursor, "total": len(plants)}, fields)


@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))
async def read_sensor(
    sensor: Annotated[str, Field(description="The sensor's name")],
    fields: Fields = None,
) -> dict[str, Any]:
    """sensor: Tell how moist the soil is at one sensor.

    When to use: the user asks whether to water.
    Parameters:
    - sensor (required): the sensor's name.
    - fields (optional): the fields to keep.
    Limitations: a reading is up to ten minutes old.
    """
    reading = beds.reading(sensor)
    if reading is None:
        raise ToolError("no such sensor")
    return respond("read_sensor", reading.model_dump(), fields)


@mcp.tool(annotations=ToolAnnotations(destructiveHint=True, idempotentHint=True))
async def clear_schedule(context: Context, fields: Fields = None) -> dict[str, Any]:
    """schedule: Clear the watering schedule of all beds.

    When to use: the season is over.
    Parameters:
    - fields (optional): the fields to keep.
    Limitations: cannot be undone; the user is asked first.
    """
    answer = await context.elicit("Clear the whole schedule?", schema=Confirm)
    if answer.action != "accept" or not answer.data.confirm:
        raise ToolError("the user did not confirm")
    cleared = beds.clear_schedule()
    return respond("clear_schedule", {"cleared": cleared}, fields)


def main() -> None:
    mcp.run(transport="streamable-http" if os.environ.get("GARDEN_HTTP") else "stdio")


if __name__ == "__main__":
    main()
