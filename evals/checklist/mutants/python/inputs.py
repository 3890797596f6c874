"""§16 and what belongs to it, in Python: what tools take, what they are called, and what is said of both."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

MARINA = "python_marina_object"
INPUTS = "tidewater_mcp/models/inputs.py"
ACCOUNTS = "tidewater_mcp/accounts.py"
HARBOURS = "tidewater_mcp/harbours.py"
BERTHS = "tidewater_mcp/berths.py"
BOOKINGS = "tidewater_mcp/bookings.py"
GET = "async def harbour_get(input: HarbourGetInput) -> HarbourResult:"
GET_BODY = "client.fetch(f\"/harbours/{input.harbour_id}\")"
DELETE = "async def booking_delete(input: BookingDeleteInput) -> DeletionResult:"
GET_MODEL = "    model_config = ConfigDict(json_schema_extra={\"examples\": [{\"harbour_id\": \"hb_kiel01\"}]})\n\n    harbour_id: HarbourId\n"
BOAT = '    boat_name: str = Field(min_length=1, max_length=80, description="The boat\'s name.", examples=["Meltemi"])\n'
REMARK = '        None, min_length=1, max_length=500, description="A word to the harbour master.", examples=["We arrive late."]\n'
DRAUGHT = 'description="Its draught in metres, up to 12.", examples=[1.9])'
PRIORITY = 'priority: Literal["low", "normal", "high"] = Field(\n        "normal", description="How soon the harbour has to answer.", examples=["normal"]\n    )'
SEA = 'sea: Literal["baltic", "north", "mediterranean"] | None = Field(\n        None, description="Only harbours on this sea; all if left out.", examples=["baltic"]\n    )'
STATE = 'state: Literal["requested", "confirmed", "cancelled"] | None = Field(\n        None, description="Only bookings in this state.", examples=["confirmed"]\n    )'

NOT_ONE_MODEL = [
    mutant("input-not-one-model", MARINA, "a bare id", (HARBOURS, GET, "async def harbour_get(harbour_id: str) -> HarbourResult:  # ⚑"), (HARBOURS, GET_BODY, 'client.fetch(f"/harbours/{harbour_id}")'),
           also=("string-without-length", "parameter-without-description", "field-without-example")),
    mutant("input-not-one-model", MARINA, "two models", (HARBOURS, GET, "async def harbour_get(input: HarbourGetInput, page: HarbourListInput) -> HarbourResult:  # ⚑"), also=("argument-never-read",)),
    mutant("input-not-one-model", MARINA, "another name", (HARBOURS, GET, "async def harbour_get(request: HarbourGetInput) -> HarbourResult:  # ⚑"), (HARBOURS, GET_BODY, 'client.fetch(f"/harbours/{request.harbour_id}")')),
    mutant("input-not-one-model", MARINA, "no argument", (ACCOUNTS, "async def account_get(input: EmptyInput) -> AccountResult:", "async def account_get() -> AccountResult:  # ⚑")),
    mutant("input-not-one-model", MARINA, "a dict", (BOOKINGS, DELETE, "async def booking_delete(input: dict[str, str]) -> DeletionResult:  # ⚑"), (BOOKINGS, '"DELETE", f"/bookings/{input.booking_id}"', '"DELETE", f"/bookings/{input[\'booking_id\']}"'),
           also=("parameter-without-description", "field-without-example", "model-without-example", "string-without-length", "object-left-open")),
    mutant("input-not-one-model", MARINA, "an alias of a text", (INPUTS, "class EmptyInput(ToolInput):", "Wanted = str\n\n\nclass EmptyInput(ToolInput):"), (ACCOUNTS, "import EmptyInput", "import Wanted"), (ACCOUNTS, "account_get(input: EmptyInput) -> AccountResult:", "account_get(input: Wanted) -> AccountResult:  # ⚑"),
           also=("parameter-without-description", "field-without-example", "string-without-length", "argument-never-read")),
    mutant("input-not-one-model", MARINA, "no annotation", (ACCOUNTS, "account_get(input: EmptyInput) -> AccountResult:", "account_get(input) -> AccountResult:  # ⚑"),
           also=("parameter-without-description", "field-without-example", "string-without-length", "argument-never-read")),
    mutant("input-not-one-model", MARINA, "an optional one beside", (BERTHS, "async def berth_get(input: BerthGetInput) -> BerthResult:", "async def berth_get(input: BerthGetInput, verbose: bool = False) -> BerthResult:  # ⚑"),
           also=("parameter-without-description", "field-without-example", "argument-never-read")),
    mutant("input-not-one-model", MARINA, "several at once", (BERTHS, "async def berth_get(input: BerthGetInput) -> BerthResult:", "async def berth_get(input: list[BerthGetInput]) -> BerthResult:  # ⚑"), (BERTHS, "client.fetch(f\"/berths/{input.berth_id}\")", "client.fetch(f\"/berths/{input[0].berth_id}\")"),
           also=("parameter-without-description", "field-without-example", "array-without-length")),
    harmless("input-not-one-model", MARINA, "quoted", (HARBOURS, GET, 'async def harbour_get(input: "HarbourGetInput") -> HarbourResult:')),
    harmless("input-not-one-model", MARINA, "by its module", (HARBOURS, "from .models.inputs import HarbourGetInput, HarbourListInput", "from .models import inputs\nfrom .models.inputs import HarbourListInput"), (HARBOURS, GET, "async def harbour_get(input: inputs.HarbourGetInput) -> HarbourResult:")),
    harmless("input-not-one-model", MARINA, "under another name, with a context", (HARBOURS, "from .models.inputs import HarbourGetInput, HarbourListInput", "from mcp.server.fastmcp import Context\nfrom .models.inputs import HarbourGetInput as Wanted, HarbourListInput"), (HARBOURS, GET, "async def harbour_get(ctx: Context, input: Wanted) -> HarbourResult:")),
    harmless("input-not-one-model", MARINA, "may be left out", (ACCOUNTS, "account_get(input: EmptyInput) -> AccountResult:", "account_get(input: EmptyInput | None = None) -> AccountResult:")),
]

WITHOUT_EXAMPLE = [
    mutant("field-without-example", MARINA, "left out", (INPUTS, DRAUGHT, 'description="Its draught in metres, up to 12.")'), at=(INPUTS, "draught_m: float | None = Field(")),
    mutant("field-without-example", MARINA, "empty list", (INPUTS, DRAUGHT, 'description="Its draught in metres, up to 12.", examples=[])'), at=(INPUTS, "draught_m: float | None = Field(")),
    mutant("field-without-example", MARINA, "empty text", (INPUTS, 'examples=["We arrive late."]', 'examples=[""]'), at=(INPUTS, "remark: str | None = Field("), also=("example-not-valid",)),
    mutant("field-without-example", MARINA, "only null", (INPUTS, 'examples=["We arrive late."]', "examples=[None]"), at=(INPUTS, "remark: str | None = Field(")),
    mutant("field-without-example", MARINA, "of an enum", (INPUTS, 'description="How soon the harbour has to answer.", examples=["normal"]', 'description="How soon the harbour has to answer."'), at=(INPUTS, 'priority: Literal["low", "normal", "high"] = Field(')),
    mutant("field-without-example", MARINA, "of a shared type", (INPUTS, '        description="The booking, as `booking.list` names it in `id`.",\n        examples=["bk_2f81c"],\n', '        description="The booking, as `booking.list` names it in `id`.",\n'), at=((INPUTS, 'json_schema_extra={"examples": [{"booking_id": "bk_2f81c", "boat_name": "Bora"}]})\n\n    booking_id'), (INPUTS, '"examples": [{"booking_id": "bk_2f81c"}]})\n\n    booking_id'))),
    mutant("field-without-example", MARINA, "a new field of the base", (INPUTS, "    limit: int = Field(20,", '    reverse: bool = Field(False, description="Whether to begin at the end.")  # ⚑\n    limit: int = Field(20,')),
    mutant("field-without-example", MARINA, "said in the text only", (INPUTS, 'description="The boat\'s name.", examples=["Meltemi"])', 'description="The boat\'s name, e.g. Meltemi.")'), at=(INPUTS, 'boat_name: str = Field(min_length=1, max_length=80, description="The boat\'s name, e.g. Meltemi.")')),
    harmless("field-without-example", MARINA, "in the schema's extra", (INPUTS, DRAUGHT, 'description="Its draught in metres, up to 12.", json_schema_extra={"examples": [1.9]})')),
    harmless("field-without-example", MARINA, "from a constant", (INPUTS, DRAUGHT, 'description="Its draught in metres, up to 12.", examples=DRAUGHTS)'), (INPUTS, "LATEST = 4", "DRAUGHTS = [1.9]\nLATEST = 4")),
    harmless("field-without-example", MARINA, "a zero", (INPUTS, 'description="How many to give at most, 1 to 100.", examples=[20]', 'description="How many to give at most, 1 to 100.", examples=[20, 1]')),
    harmless("field-without-example", MARINA, "a model within", (INPUTS, "class BerthSearchInput(PageInput):", """
class Boat(ToolInput):
    draught_m: float | None = Field(None, gt=0, le=12, description="Its draught in metres, up to 12.", examples=[1.9])


class BerthSearchInput(PageInput):
"""), (INPUTS, "    draught_m: float | None = Field(None, gt=0, le=12, description=\"Its draught in metres, up to 12.\", examples=[1.9])\n    supplies", '    boat: Boat = Field(default_factory=Boat, description="What is known of the boat.")\n    supplies'), (BERTHS, "input.draught_m", "input.boat.draught_m")),
]

MODEL_WITHOUT_EXAMPLE = [
    mutant("model-without-example", MARINA, "left out", (INPUTS, GET_MODEL, "    harbour_id: HarbourId\n"), at=(INPUTS, "class HarbourGetInput(ToolInput):")),
    mutant("model-without-example", MARINA, "empty", (INPUTS, '{"examples": [{"harbour_id": "hb_kiel01"}]}', '{"examples": []}'), at=(INPUTS, "class HarbourGetInput(ToolInput):")),
    mutant("model-without-example", MARINA, "another keyword", (INPUTS, '{"examples": [{"harbour_id": "hb_kiel01"}]}', '{"samples": [{"harbour_id": "hb_kiel01"}]}'), at=(INPUTS, "class HarbourGetInput(ToolInput):")),
    mutant("model-without-example", MARINA, "in the docstring only", (INPUTS, '    """Which berth to show."""\n\n    model_config = ConfigDict(json_schema_extra={"examples": [{"berth_id": "be_a17"}]})\n', '    """Which berth to show, as in {"berth_id": "be_a17"}."""\n'), at=(INPUTS, "class BerthGetInput(ToolInput):")),
    mutant("model-without-example", MARINA, "config under another name", (INPUTS, '    model_config = ConfigDict(json_schema_extra={"examples": [{"berth_id": "be_a17"}]})\n', '    config = ConfigDict(json_schema_extra={"examples": [{"berth_id": "be_a17"}]})\n'), at=(INPUTS, "class BerthGetInput(ToolInput):")),
    mutant("model-without-example", MARINA, "only unknown fields refused", (INPUTS, 'model_config = {"json_schema_extra": {"examples": [{"state": "confirmed", "limit": 5}]}}', 'model_config = {"extra": "forbid"}'), at=(INPUTS, "class BookingListInput(PageInput):")),
    mutant("model-without-example", MARINA, "a new model", (INPUTS, "class BookingDeleteInput(ToolInput):", 'class BookingGiveUpInput(ToolInput):  # ⚑\n    """Which booking to give up."""\n\n    booking_id: BookingId\n\n\nclass BookingDeleteInput(ToolInput):'), (BOOKINGS, "BookingDeleteInput, BookingListInput", "BookingGiveUpInput, BookingListInput"), (BOOKINGS, DELETE, "async def booking_delete(input: BookingGiveUpInput) -> DeletionResult:")),
    harmless("model-without-example", MARINA, "from a constant", (INPUTS, 'ConfigDict(json_schema_extra={"examples": [{"harbour_id": "hb_kiel01"}]})', "ConfigDict(json_schema_extra={\"examples\": HARBOURS})"), (INPUTS, "LATEST = 4", 'HARBOURS = [{"harbour_id": "hb_kiel01"}]\nLATEST = 4')),
    harmless("model-without-example", MARINA, "a class of settings", (INPUTS, '    model_config = ConfigDict(json_schema_extra={"examples": [{"harbour_id": "hb_kiel01"}]})\n\n    harbour_id: HarbourId\n', '    harbour_id: HarbourId\n\n    class Config:\n        json_schema_extra = {"examples": [{"harbour_id": "hb_kiel01"}]}\n')),
    harmless("model-without-example", MARINA, "inherited", (INPUTS, GET_MODEL, '    model_config = ConfigDict(json_schema_extra={"examples": [{"harbour_id": "hb_kiel01"}]})\n\n    harbour_id: HarbourId\n\n\nclass HarbourShowInput(HarbourGetInput):\n    """Which harbour to show."""\n'), (HARBOURS, "import HarbourGetInput, HarbourListInput", "import HarbourListInput, HarbourShowInput"), (HARBOURS, GET, "async def harbour_get(input: HarbourShowInput) -> HarbourResult:")),
    harmless("model-without-example", MARINA, "an empty model", (INPUTS, '    model_config = ConfigDict(json_schema_extra={"examples": [{}]})\n', "    pass\n")),
]

NOT_VALID = [
    mutant("example-not-valid", MARINA, "a field renamed", (INPUTS, '{"examples": [{"harbour_id": "hb_kiel01"}]}', '{"examples": [{"id": "hb_kiel01"}]}'), at=(INPUTS, "class HarbourGetInput(ToolInput):")),
    mutant("example-not-valid", MARINA, "a required field left out", (INPUTS, '                    "boat_name": "Meltemi",\n', ""), at=(INPUTS, "class BookingCreateInput(ToolInput):")),
    mutant("example-not-valid", MARINA, "no value of the enum", (INPUTS, '"priority": "normal",', '"priority": "urgent",'), at=(INPUTS, "class BookingCreateInput(ToolInput):")),
    mutant("example-not-valid", MARINA, "out of bounds", (INPUTS, "at most, 1 to 100.\", examples=[20]", "at most, 1 to 100.\", examples=[500]"), at=(INPUTS, "limit: int = Field(20, ge=1, le=100")),
    mutant("example-not-valid", MARINA, "a number as text", (INPUTS, DRAUGHT, 'description="Its draught in metres, up to 12.", examples=["1.9"])'), at=(INPUTS, "draught_m: float | None = Field(None")),
    mutant("example-not-valid", MARINA, "elements in the place of a list", (INPUTS, 'examples=[["power", "water"]]', 'examples=["power", "water"]'), at=(INPUTS, "supplies: list[Literal[")),
    mutant("example-not-valid", MARINA, "another pattern", (INPUTS, 'examples=["bk_2f81c"],\n    ),', 'examples=["2F81C"],\n    ),'), at=((INPUTS, '[{"booking_id": "bk_2f81c", "boat_name": "Bora"}]})\n\n    booking_id'), (INPUTS, '"examples": [{"booking_id": "bk_2f81c"}]})\n\n    booking_id'))),
    mutant("example-not-valid", MARINA, "a default below the least", (INPUTS, "limit: int = Field(20, ge=1", "limit: int = Field(0, ge=1"), at=(INPUTS, "limit: int = Field(0, ge=1"), also=("limit-default-differs",)),
    mutant("example-not-valid", MARINA, "a default that is no value", (INPUTS, '        "normal", description="How soon', '        "medium", description="How soon'), at=(INPUTS, 'priority: Literal["low", "normal", "high"] = Field(')),
    mutant("example-not-valid", MARINA, "an unknown field", (INPUTS, '{"sea": "baltic", "limit": 10}', '{"sea": "baltic", "size": 10}'), at=(INPUTS, "class HarbourListInput(PageInput):")),
    harmless("example-not-valid", MARINA, "several that fit", (INPUTS, DRAUGHT, 'description="Its draught in metres, up to 12.", examples=[1.9, 2, None])')),
    harmless("example-not-valid", MARINA, "a part of the fields", (INPUTS, '{"sea": "baltic", "limit": 10}', '{"sea": "north"}, {}')),
    harmless("example-not-valid", MARINA, "bounds met", (INPUTS, "at most, 1 to 100.\", examples=[20]", "at most, 1 to 100.\", examples=[1, 100]")),
]

NOT_ENUMERATED = [
    mutant("values-not-enumerated", MARINA, "quoted with or", (INPUTS, SEA, 'sea: str | None = Field(\n        None, max_length=20, description="The sea: \'baltic\', \'north\' or \'mediterranean\'.", examples=["baltic"]\n    )'), at=(INPUTS, "sea: str | None = Field(")),
    mutant("values-not-enumerated", MARINA, "one of", (INPUTS, SEA, 'sea: str | None = Field(\n        None, max_length=20, description="Only on this sea, one of baltic, north, mediterranean.", examples=["baltic"]\n    )'), at=(INPUTS, "sea: str | None = Field(")),
    mutant("values-not-enumerated", MARINA, "with bars", (INPUTS, SEA, 'sea: str | None = Field(\n        None, max_length=20, description="Only on this sea (baltic|north|mediterranean)", examples=["baltic"]\n    )'), at=(INPUTS, "sea: str | None = Field(")),
    mutant("values-not-enumerated", MARINA, "allowed values", (INPUTS, STATE, 'state: str | None = Field(\n        None, max_length=20, description="State of the booking. Allowed values: `requested`, `confirmed`, `cancelled`.", examples=["confirmed"]\n    )'), at=(INPUTS, "state: str | None = Field(")),
    mutant("values-not-enumerated", MARINA, "must be either", (INPUTS, STATE, 'state: str | None = Field(\n        None, max_length=20, description="Must be either \\"requested\\" or \\"confirmed\\".", examples=["confirmed"]\n    )'), at=(INPUTS, "state: str | None = Field(")),
    mutant("values-not-enumerated", MARINA, "a sentence of it", (INPUTS, PRIORITY, 'priority: str = Field(\n        "normal", max_length=9, description="\'low\', \'normal\' (the default), or \'high\'", examples=["normal"]\n    )'), at=(INPUTS, "priority: str = Field(")),
    mutant("values-not-enumerated", MARINA, "from a constant", (INPUTS, PRIORITY, 'priority: str = Field(\n        "normal", max_length=9, description=PRIORITIES, examples=["normal"]\n    )'), (INPUTS, "LATEST = 4", 'PRIORITIES = "How soon it matters: one of " + ", ".join(["low", "normal", "high"]) + "."\nLATEST = 4'), at=(INPUTS, "priority: str = Field(")),
    harmless("values-not-enumerated", MARINA, "a pattern", (INPUTS, SEA, 'sea: str | None = Field(\n        None, pattern="^(baltic|north|mediterranean)$", description="The sea: \'baltic\', \'north\' or \'mediterranean\'.", examples=["baltic"]\n    )')),
    harmless("values-not-enumerated", MARINA, "examples only", (INPUTS, 'description="A word to the harbour master."', 'description="A word to the harbour master, such as \'late\' or \'early\'."')),
    harmless("values-not-enumerated", MARINA, "an enumeration", (INPUTS, PRIORITY, 'priority: Priority = Field(\n        Priority.NORMAL, description="One of low, normal, high.", examples=["normal"]\n    )'), (INPUTS, "class BookingCreateInput(ToolInput):", 'class Priority(StrEnum):\n    LOW = "low"\n    NORMAL = "normal"\n    HIGH = "high"\n\n\nclass BookingCreateInput(ToolInput):'), (INPUTS, "from typing import Annotated, Literal", "from enum import StrEnum\nfrom typing import Annotated, Literal")),
    harmless("values-not-enumerated", MARINA, "of something else", (INPUTS, 'description="The boat\'s new name."', 'description="The boat\'s new name; kept if the booking is \'confirmed\' or \'cancelled\' already."')),
]

MUTANTS = [*NOT_ONE_MODEL, *WITHOUT_EXAMPLE, *MODEL_WITHOUT_EXAMPLE, *NOT_VALID, *NOT_ENUMERATED]
