"""What tools take: one model for each."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

HarbourId = Annotated[
    str,
    Field(
        min_length=4,
        max_length=32,
        pattern=r"^hb_[a-z0-9]+$",
        description="The harbour, as `harbour.list` names it in `id`.",
        examples=["hb_kiel01"],
    ),
]
BerthId = Annotated[
    str,
    Field(
        min_length=4,
        max_length=32,
        pattern=r"^be_[a-z0-9]+$",
        description="The berth, as `berth.search` names it in `id`.",
        examples=["be_a17"],
    ),
]
BookingId = Annotated[
    str,
    Field(
        min_length=4,
        max_length=40,
        pattern=r"^bk_[a-z0-9]+$",
        description="The booking, as `booking.list` names it in `id`.",
        examples=["bk_2f81c"],
    ),
]
LATEST = 4_102_444_800_000


class ToolInput(BaseModel):
    """What all inputs have in common: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class PageInput(ToolInput):
    """What every tool that lists things takes."""

    limit: int = Field(20, ge=1, le=100, description="How many to give at most, 1 to 100.", examples=[20])
    cursor: str | None = Field(
        None, min_length=1, max_length=256, description="`next_cursor` of the page before.", examples=["c2tpcDoyMA"]
    )


class EmptyInput(ToolInput):
    """Nothing is asked for."""

    model_config = ConfigDict(json_schema_extra={"examples": [{}]})


class HarbourListInput(PageInput):
    """Which harbours to list."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"sea": "baltic", "limit": 10}]})

    sea: Literal["baltic", "north", "mediterranean"] | None = Field(
        None, description="Only harbours on this sea; all if left out.", examples=["baltic"]
    )


class HarbourGetInput(ToolInput):
    """Which harbour to show."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"harbour_id": "hb_kiel01"}]})

    harbour_id: HarbourId


class BerthSearchInput(PageInput):
    """What the berth has to offer, and when."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "harbour_id": "hb_kiel01",
                    "length_m": 11.5,
                    "supplies": ["power", "water"],
                    "arrival_ms": 1_781_510_400_000,
                    "departure_ms": 1_781_683_200_000,
                }
            ]
        }
    )

    harbour_id: HarbourId
    length_m: float = Field(gt=0, le=120, description="Length of the boat in metres, up to 120.", examples=[11.5])
    draught_m: float | None = Field(None, gt=0, le=12, description="Its draught in metres, up to 12.", examples=[1.9])
    supplies: list[Literal["power", "water", "fuel"]] = Field(
        default_factory=list, max_length=3, description="What the berth must have.", examples=[["power", "water"]]
    )
    arrival_ms: int = Field(ge=0, le=LATEST, description="Arrival, epoch in ms.", examples=[1_781_510_400_000])
    departure_ms: int = Field(ge=0, le=LATEST, description="Departure, epoch in ms.", examples=[1_781_683_200_000])


class BerthGetInput(ToolInput):
    """Which berth to show."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"berth_id": "be_a17"}]})

    berth_id: BerthId


class BookingListInput(PageInput):
    """Which bookings to list."""

    model_config = {"json_schema_extra": {"examples": [{"state": "confirmed", "limit": 5}]}}

    harbour_id: HarbourId | None = Field(None, description="Only bookings in this harbour.", examples=["hb_kiel01"])
    state: Literal["requested", "confirmed", "cancelled"] | None = Field(
        None, description="Only bookings in this state.", examples=["confirmed"]
    )


class BookingCreateInput(ToolInput):
    """What to book."""

    model_config = {
        "json_schema_extra": {
            "examples": [
                {
                    "berth_id": "be_a17",
                    "boat_name": "Meltemi",
                    "arrival_ms": 1_781_510_400_000,
                    "departure_ms": 1_781_683_200_000,
                    "priority": "normal",
                }
            ]
        }
    }

    berth_id: BerthId
    boat_name: str = Field(min_length=1, max_length=80, description="The boat's name.", examples=["Meltemi"])
    arrival_ms: int = Field(ge=0, le=LATEST, description="Arrival, epoch in ms.", examples=[1_781_510_400_000])
    departure_ms: int = Field(ge=0, le=LATEST, description="Departure, epoch in ms.", examples=[1_781_683_200_000])
    priority: Literal["low", "normal", "high"] = Field(
        "normal", description="How soon the harbour has to answer.", examples=["normal"]
    )
    remark: str | None = Field(
        None, min_length=1, max_length=500, description="A word to the harbour master.", examples=["We arrive late."]
    )


class BookingUpdateInput(ToolInput):
    """Which booking to change, and into what; what is left out stays as it is."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"booking_id": "bk_2f81c", "boat_name": "Bora"}]})

    booking_id: BookingId
    boat_name: str | None = Field(
        None, min_length=1, max_length=80, description="The boat's new name.", examples=["Bora"]
    )
    departure_ms: int | None = Field(
        None, ge=0, le=LATEST, description="The new departure, epoch in ms.", examples=[1_781_769_600_000]
    )


class BookingDeleteInput(ToolInput):
    """Which booking to give up."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"booking_id": "bk_2f81c"}]})

    booking_id: BookingId
