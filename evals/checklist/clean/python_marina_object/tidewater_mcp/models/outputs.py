"""What tools give: no more than somebody needs to go on."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

BookingState = Literal["requested", "confirmed", "cancelled"]


class AccountResult(BaseModel):
    """Whose token it is."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"id": "us_77", "name": "Ada Harms", "can_book": True}]})

    id: str = Field(description="The account.", examples=["us_77"])
    name: str = Field(description="Who it belongs to.", examples=["Ada Harms"])
    can_book: bool = Field(description="Whether it may book.", examples=[True])


class HarbourResult(BaseModel):
    """One harbour."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"id": "hb_kiel01", "name": "Kiel", "sea": "baltic", "berths": 310, "phone": "+49 431 1234"}]
        }
    )

    id: str = Field(description="The harbour.", examples=["hb_kiel01"])
    name: str = Field(description="Its name.", examples=["Kiel"])
    sea: str = Field(description="The sea it lies on.", examples=["baltic"])
    berths: int = Field(description="How many berths it has.", examples=[310])
    phone: str | None = Field(None, description="The harbour master's number.", examples=["+49 431 1234"])


class HarbourListItem(BaseModel):
    """A harbour in a list."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"id": "hb_kiel01", "name": "Kiel"}]})

    id: str = Field(description="The harbour.", examples=["hb_kiel01"])
    name: str = Field(description="Its name.", examples=["Kiel"])


class HarbourListResult(BaseModel):
    """A page of harbours."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"items": [{"id": "hb_kiel01", "name": "Kiel"}], "next_cursor": None}]}
    )

    items: list[HarbourListItem] = Field(description="The harbours.", examples=[[{"id": "hb_kiel01", "name": "Kiel"}]])
    next_cursor: str | None = Field(None, description="Where the next page begins.", examples=["c2tpcDoyMA"])


class BerthResult(BaseModel):
    """One berth."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"id": "be_a17", "name": "A 17", "length_m": 14.0, "depth_m": 3.2, "price_cents": 3400, "url": None}
            ]
        }
    )

    id: str = Field(description="The berth.", examples=["be_a17"])
    name: str = Field(description="What is painted on the pier.", examples=["A 17"])
    length_m: float = Field(description="The longest boat that fits, in metres.", examples=[14.0])
    depth_m: float = Field(description="The depth at low water, in metres.", examples=[3.2])
    price_cents: int = Field(description="What a night costs, in cents.", examples=[3400])
    url: str | None = Field(None, description="Its page.", examples=["https://tidewater.example/be_a17"])


class BerthListItem(BaseModel):
    """A berth in a list."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"id": "be_a17", "name": "A 17", "price_cents": 3400}]})

    id: str = Field(description="The berth.", examples=["be_a17"])
    name: str = Field(description="What is painted on the pier.", examples=["A 17"])
    price_cents: int = Field(description="What a night costs, in cents.", examples=[3400])


class BerthListResult(BaseModel):
    """A page of berths."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"items": [{"id": "be_a17", "name": "A 17", "price_cents": 3400}], "next_cursor": None}]
        }
    )

    items: list[BerthListItem] = Field(
        description="The berths, cheapest first.", examples=[[{"id": "be_a17", "name": "A 17", "price_cents": 3400}]]
    )
    next_cursor: str | None = Field(None, description="Where the next page begins.", examples=["c2tpcDoyMA"])


class BookingResult(BaseModel):
    """One booking."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "bk_2f81c",
                    "berth_id": "be_a17",
                    "boat_name": "Meltemi",
                    "state": "confirmed",
                    "arrival_ms": 1_781_510_400_000,
                    "departure_ms": 1_781_683_200_000,
                }
            ]
        }
    )

    id: str = Field(description="The booking.", examples=["bk_2f81c"])
    berth_id: str = Field(description="The berth.", examples=["be_a17"])
    boat_name: str = Field(description="The boat.", examples=["Meltemi"])
    state: BookingState = Field(description="Where it stands.", examples=["confirmed"])
    arrival_ms: int = Field(description="Arrival, epoch in ms.", examples=[1_781_510_400_000])
    departure_ms: int = Field(description="Departure, epoch in ms.", examples=[1_781_683_200_000])


class BookingListItem(BaseModel):
    """A booking in a list."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"id": "bk_2f81c", "boat_name": "Meltemi", "state": "confirmed"}]}
    )

    id: str = Field(description="The booking.", examples=["bk_2f81c"])
    boat_name: str = Field(description="The boat.", examples=["Meltemi"])
    state: BookingState = Field(description="Where it stands.", examples=["confirmed"])


class BookingListResult(BaseModel):
    """A page of bookings."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"items": [{"id": "bk_2f81c", "boat_name": "Meltemi", "state": "confirmed"}], "next_cursor": None}
            ]
        }
    )

    items: list[BookingListItem] = Field(
        description="The bookings, next arrival first.",
        examples=[[{"id": "bk_2f81c", "boat_name": "Meltemi", "state": "confirmed"}]],
    )
    next_cursor: str | None = Field(None, description="Where the next page begins.", examples=["c2tpcDoyMA"])


class DeletionResult(BaseModel):
    """What became of what was to be deleted."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"deleted": True}]})

    deleted: bool = Field(description="Whether it is gone.", examples=[True])
