"""Tools for honey."""

from typing import Annotated, Any

from mcp.types import ToolAnnotations
from pydantic import Field

from apiary.app import mcp
from apiary.store import JARS

SHOWN = 25


@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))
def list_jars(
    kind: Annotated[str | None, Field(description="Only jars of this kind of honey")] = None,
    limit: Annotated[int | None, Field(description="How many jars; 25 by default", ge=1, le=50)] = None,
) -> dict[str, Any]:
    """List the jars in the cellar."""
    size = limit or SHOWN
    jars = [jar for jar in JARS if kind in (None, jar["kind"])]
    return {"jars": jars[:size], "total": len(jars)}


@mcp.tool(annotations=ToolAnnotations(readOnlyHint=False, destructiveHint=False))
def fill_jar(
    kind: Annotated[str, Field(description="The kind of the honey")],
    grams: Annotated[int | None, Field(description="How much the jar holds (default: 500)")] = None,
) -> dict[str, Any]:
    """Fill a jar and write it down."""
    if grams is None:
        grams = 500
    jar = {"batch": len(JARS) + 1, "kind": kind, "grams": grams}
    JARS.append(jar)
    return {"filled": jar}
