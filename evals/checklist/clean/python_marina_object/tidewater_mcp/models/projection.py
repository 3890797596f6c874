"""From what Tidewater answers to what tools give."""

from typing import Any

from .outputs import (
    BerthListItem,
    BerthResult,
    BookingListItem,
    BookingResult,
    HarbourListItem,
    HarbourResult,
)


def to_harbour(found: dict[str, Any]) -> HarbourResult:
    """Give one harbour in full."""
    return HarbourResult(
        id=found["id"],
        name=found["label"],
        sea=found["sea"],
        berths=found["berth_count"],
        phone=found.get("phone"),
    )


def to_harbour_item(found: dict[str, Any]) -> HarbourListItem:
    """Give a line of a list of harbours."""
    return HarbourListItem(id=found["id"], name=found["label"])


def to_berth(found: dict[str, Any]) -> BerthResult:
    """Give one berth in full."""
    return BerthResult(
        id=found["id"],
        name=found["sign"],
        length_m=found["max_length"],
        depth_m=found["depth"],
        price_cents=found["price"],
        url=found.get("link"),
    )


def to_berth_item(found: dict[str, Any]) -> BerthListItem:
    """Give a line of a list of berths."""
    return BerthListItem(id=found["id"], name=found["sign"], price_cents=found["price"])


def to_booking(found: dict[str, Any]) -> BookingResult:
    """Give one booking in full."""
    return BookingResult(
        id=found["id"],
        berth_id=found["berth"],
        boat_name=found["boat"],
        state=found["state"],
        arrival_ms=found["from"],
        departure_ms=found["to"],
    )


def to_booking_item(found: dict[str, Any]) -> BookingListItem:
    """Give a line of a list of bookings."""
    return BookingListItem(id=found["id"], boat_name=found["boat"], state=found["state"])
