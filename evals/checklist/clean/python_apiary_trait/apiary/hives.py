"""Tools for hives and visits."""

from typing import Annotated, Any

from mcp.server.fastmcp.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from apiary.app import mcp
from apiary.pages import page
from apiary.store import HIVES, VISITS

READS = ToolAnnotations(readOnlyHint=True)


@mcp.tool(annotations=READS)
def list_hives(
    stand: Annotated[str | None, Field(description="Only hives of this stand")] = None,
    limit: Annotated[int, Field(description="How many hives (default 20, max 100)")] = 20,
    offset: Annotated[int, Field(description="How many hives to pass over")] = 0,
) -> dict[str, Any]:
    """List the hives of the apiary."""
    found = [hive for hive in HIVES if stand in (None, hive["stand"])]
    return page(found, limit, offset, "Ask for one stand with stand=meadow, or go on with offset.")


@mcp.tool(annotations=READS)
def read_hive(
    hive: Annotated[int, Field(description="The number of the hive")],
    visits: Annotated[bool, Field(description="Whether to tell of its visits (default true)")] = True,
) -> dict[str, Any]:
    """Read what is known of one hive."""
    known = next((each for each in HIVES if each["id"] == hive), None)
    if known is None:
        raise ToolError(f"there is no hive {hive}; list_hives names them")
    seen = [each for each in VISITS if each["hive"] == hive] if visits else []
    return {"hive": known, "visits": seen}


@mcp.tool(annotations=READS)
def find_visits(
    words: Annotated[str, Field(description="What the note of the visit holds")],
    max_results: Annotated[int, Field(description="How many visits, at most 40")] = 10,
) -> dict[str, Any]:
    """Find visits by the words of their notes."""
    found = [each for each in VISITS if words in each["note"]]
    kept = found[: min(max_results, 40)]
    answer: dict[str, Any] = {"visits": kept, "total": len(found)}
    if len(kept) < len(found):
        answer["hint"] = "Give more words, or raise max_results for the rest."
    return answer
