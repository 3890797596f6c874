"""Tools about bookings."""

from .app import mcp
from .client import TidewaterClient
from .errors import handle_tool_errors
from .exceptions import InvalidRequestError
from .models.inputs import BookingCreateInput, BookingDeleteInput, BookingListInput, BookingUpdateInput
from .models.outputs import BookingListResult, BookingResult, DeletionResult
from .models.projection import to_booking, to_booking_item


@mcp.tool(
    name="booking.list",
    title="List bookings",
    description=(
        "List the account's bookings on Tidewater when you need a booking's ID or its state. "
        "Gives at most 100 at a time, next arrival first."
    ),
    annotations={"readOnlyHint": True, "openWorldHint": True},
)
@handle_tool_errors
async def booking_list(input: BookingListInput) -> BookingListResult:
    """Give a page of bookings."""
    async with TidewaterClient.get() as client:
        found = await client.fetch(
            "/bookings", harbour=input.harbour_id, state=input.state, limit=input.limit, cursor=input.cursor
        )
    return BookingListResult(items=[to_booking_item(each) for each in found["rows"]], next_cursor=found.get("next"))


@mcp.tool(
    name="booking.create",
    title="Book a berth",
    description=(
        "Book a berth on Tidewater when the user has chosen one that `berth.search` gave. "
        "The harbour may still refuse: look at `state`."
    ),
    annotations={"readOnlyHint": False, "destructiveHint": False, "openWorldHint": True},
)
@handle_tool_errors
async def booking_create(input: BookingCreateInput) -> BookingResult:
    """Book a berth."""
    if input.departure_ms <= input.arrival_ms:
        raise InvalidRequestError("The departure is not after the arrival.")
    async with TidewaterClient.get() as client:
        made = await client.send(
            "POST",
            "/bookings",
            {
                "berth": input.berth_id,
                "boat": input.boat_name,
                "from": input.arrival_ms,
                "to": input.departure_ms,
                "priority": input.priority,
                "remark": input.remark,
            },
        )
    return to_booking(made)


@mcp.tool(
    name="booking.update",
    title="Change a booking",
    description="Change the boat or the departure of a booking on Tidewater when the user's plans have changed.",
    annotations={"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True, "openWorldHint": True},
)
@handle_tool_errors
async def booking_update(input: BookingUpdateInput) -> BookingResult:
    """Change a booking."""
    if input.boat_name is None and input.departure_ms is None:
        raise InvalidRequestError("Nothing is to be changed.")
    changes = {"boat": input.boat_name, "to": input.departure_ms}
    async with TidewaterClient.get() as client:
        changed = await client.send(
            "PATCH",
            f"/bookings/{input.booking_id}",
            {key: value for key, value in changes.items() if value is not None},
        )
    return to_booking(changed)


@mcp.tool(
    name="booking.delete",
    title="Give a booking up",
    description=(
        "Delete a booking on Tidewater for good when the user gives it up. "
        "Cannot be undone, and the berth is free for others at once."
    ),
    annotations={"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": True},
)
@handle_tool_errors
async def booking_delete(input: BookingDeleteInput) -> DeletionResult:
    """Give a booking up."""
    async with TidewaterClient.get() as client:
        await client.send("DELETE", f"/bookings/{input.booking_id}")
    return DeletionResult(deleted=True)
