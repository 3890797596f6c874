"""§16 of the authoring guidelines, in Python: what tools answer."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

MARINA = "python_marina_object"
HARBOURS = "tidewater_mcp/harbours.py"
BERTHS = "tidewater_mcp/berths.py"
BOOKINGS = "tidewater_mcp/bookings.py"
ACCOUNTS = "tidewater_mcp/accounts.py"
OUTPUTS = "tidewater_mcp/models/outputs.py"
PROJECTION = "tidewater_mcp/models/projection.py"
RESPONSE = "tidewater_mcp/errors/response.py"
DOMAIN = "tidewater_mcp/domain.py"

GET = "async def harbour_get(input: HarbourGetInput) -> HarbourResult:"
GIVEN = 'return to_harbour(await client.fetch(f"/harbours/{input.harbour_id}"))'
IMPORTED = "from .app import mcp\n"
PHONE = '    phone: str | None = Field(None, description="The harbour master\'s number.", examples=["+49 431 1234"])'
DELETED = '    deleted: bool = Field(description="Whether it is gone.", examples=[True])'
FREE_DEPTH = '    depth_m: float = Field(description="The depth at low water, in metres.", examples=[3.2])'
EXAMPLE = 'model_config = ConfigDict(json_schema_extra={"examples": [{"deleted": True}]})'
OUT = ("output-field-without-description", "output-field-without-example", "output-model-without-example")


def given(name: str, new: str, slug: str = "output-not-modelled", *more: tuple[str, str | None, str], also: tuple[str, ...] = ()):
    return mutant(slug, MARINA, name, (HARBOURS, GET, new + "  # ⚑"), *more, also=also)


NOT_MODELLED = [
    given("a dict", GET.replace("HarbourResult", "dict")),
    given("a dict of anything", GET.replace("HarbourResult", "dict[str, Any]"), "output-not-modelled", (HARBOURS, IMPORTED, "from typing import Any\n\n" + IMPORTED)),
    given("anything", GET.replace("HarbourResult", "Any"), "output-not-modelled", (HARBOURS, IMPORTED, "from typing import Any\n\n" + IMPORTED)),
    given("nothing said", GET.replace(" -> HarbourResult", "")),
    given("a text", GET.replace("HarbourResult", '"str | None"')),
    given("a list of dicts", GET.replace("HarbourResult", "list[dict[str, str]]")),
    given("a name for a dict", GET.replace("HarbourResult", "Found"), "output-not-modelled", (HARBOURS, IMPORTED, IMPORTED + "from .client import Found\n"), ("tidewater_mcp/client.py", "BASE =", "Found = dict[str, Any] | None\nBASE =")),
    given("nothing given", GET.replace("HarbourResult", "None")),
    harmless("output-not-modelled", MARINA, "none besides", (HARBOURS, GET, GET.replace("HarbourResult", "HarbourResult | None"))),
    harmless("output-not-modelled", MARINA, "in quotes", (HARBOURS, GET, GET.replace("HarbourResult", '"HarbourResult"'))),
    harmless("output-not-modelled", MARINA, "another name", (HARBOURS, GET, GET.replace("HarbourResult", "Found")), (HARBOURS, "from .models.projection import to_harbour,", "from .models.outputs import HarbourResult as Found\nfrom .models.projection import to_harbour,"), (HARBOURS, "HarbourListResult, HarbourResult", "HarbourListResult")),
    harmless("output-not-modelled", MARINA, "annotated", (HARBOURS, GET, GET.replace("HarbourResult", 'Annotated[HarbourResult, "one harbour"]')), (HARBOURS, IMPORTED, "from typing import Annotated\n\n" + IMPORTED)),
]

ECHOED = "vendor-payload-returned"
SENT = 'return to_harbour(await client.fetch(f"/harbours/{input.harbour_id}"))'
RAW = 'await client.http.get(f"/harbours/{input.harbour_id}")'
OPEN = [("tidewater_mcp/client.py", "self._http = httpx", "self.http = httpx"), ("tidewater_mcp/client.py", "await self._http.aclose", "await self.http.aclose"), ("tidewater_mcp/client.py", "await self._http.request", "await self.http.request")]


def echoed(name: str, new: str, *more: tuple[str, str | None, str], also: tuple[str, ...] = ()):
    return mutant(ECHOED, MARINA, name, (HARBOURS, SENT, new), *OPEN, *more, also=also)


DOMAIN_FILE = (DOMAIN, None, '"""What a harbour is to us."""\n\nfrom pydantic import BaseModel\n\n\nclass Harbour(BaseModel):\n    """A harbour."""\n\n    id: str\n    label: str\n    owner: str\n\n\ndef known(found: dict[str, str]) -> Harbour:\n    """Read a harbour."""\n    return Harbour.model_validate(found)\n')
IMPORT_DOMAIN = (HARBOURS, IMPORTED, IMPORTED + "from .domain import known\n")
VENDOR = [
    echoed("json of the response", f"return ({RAW}).json()  # ⚑"),
    echoed("by a name", f"response = {RAW}\n        found = response.json()\n        return found  # ⚑"),
    echoed("in a dict", f'return {{"harbour": ({RAW}).json()}}  # ⚑'),
    echoed("loaded from its text", f"response = {RAW}\n        return json.loads(response.text)  # ⚑", (HARBOURS, IMPORTED, "import json\n\n" + IMPORTED)),
    echoed("as a text", f"return json.dumps(({RAW}).json())  # ⚑", (HARBOURS, IMPORTED, "import json\n\n" + IMPORTED)),
    echoed("a domain object in full", 'harbour = known(await client.fetch(f"/harbours/{input.harbour_id}"))\n        return harbour.model_dump()  # ⚑', DOMAIN_FILE, IMPORT_DOMAIN),
    echoed("as an attribute's dict", 'harbour = known(await client.fetch(f"/harbours/{input.harbour_id}"))\n        return harbour.__dict__  # ⚑', DOMAIN_FILE, IMPORT_DOMAIN),
    echoed("one of two ways", f'return ({RAW}).json() if input.harbour_id else None  # ⚑'),
    harmless(ECHOED, MARINA, "unpacked into the model", (HARBOURS, SENT, f"return HarbourResult(**({RAW}).json())"), *OPEN),
    harmless(ECHOED, MARINA, "read by the model", (HARBOURS, SENT, f"return HarbourResult.model_validate(({RAW}).json())"), *OPEN),
    harmless(ECHOED, MARINA, "projected", (HARBOURS, SENT, f"found = ({RAW}).json()\n        return to_harbour(found)"), *OPEN),
    harmless(ECHOED, MARINA, "a domain object between", (HARBOURS, SENT, 'harbour = known(await client.fetch(f"/harbours/{input.harbour_id}"))\n        return to_harbour(harbour.model_dump())'), DOMAIN_FILE, IMPORT_DOMAIN),
]


def field(slug: str, name: str, new: str, *, old: str = PHONE, also: tuple[str, ...] = (), more: tuple[tuple[str, str | None, str], ...] = ()):
    return mutant(slug, MARINA, name, (OUTPUTS, old, new), *more, also=also)


def shown(name: str, kind: str, value: str) -> str:
    kind = kind if kind.endswith(("Any", "None")) else f"{kind} | None"
    return f'    {name}: {kind} = Field(None, description="What it is in metres.", examples=[{value}])'


RAW_FIELD = "vendor-field-in-output"
ANY = (OUTPUTS, "from typing import Literal", "from typing import Any, Literal")
VENDOR_FIELDS = [
    field(RAW_FIELD, "raw", PHONE + "\n" + shown("raw", "dict[str, Any]", "{}") + "  # ⚑", more=(ANY,)),
    field(RAW_FIELD, "a payload that may be missing", PHONE + "\n" + shown("payload", "dict[str, Any] | None", "{}") + "  # ⚑", more=(ANY,)),
    field(RAW_FIELD, "a text of it", PHONE + "\n" + shown("raw_json", "str", '"{}"') + "  # ⚑"),
    field(RAW_FIELD, "a response of any kind", PHONE + "\n" + shown("response", "Any", "{}") + "  # ⚑", more=(ANY,)),
    field(RAW_FIELD, "a dto", PHONE + "\n" + shown("harbour_dto", "list[dict[str, Any]]", "[]") + "  # ⚑", more=(ANY,)),
    field(RAW_FIELD, "in camel case", PHONE + "\n" + shown("vendorPayload", "Any", "{}") + "  # ⚑", more=(ANY,)),
    harmless(RAW_FIELD, MARINA, "a number of raw things", (OUTPUTS, PHONE, PHONE + "\n" + shown("raw_depth_m", "float", "3.5"))),
    harmless(RAW_FIELD, MARINA, "a word that holds it", (OUTPUTS, PHONE, PHONE + "\n" + shown("drawbridge", "str", '"none"'))),
    harmless(RAW_FIELD, MARINA, "a response in words", (OUTPUTS, PHONE, PHONE + "\n" + shown("response", "str", '"welcome"'))),
]

WIDE = "\n".join(shown(f"depth_{name}", "float", "3.2") for name in "abcdefgh")
TOO_WIDE = [
    mutant("output-too-wide", MARINA, "of a harbour", (OUTPUTS, PHONE, PHONE + "\n" + WIDE), at=(OUTPUTS, "class HarbourResult")),
    mutant("output-too-wide", MARINA, "of a row", (OUTPUTS, "class BerthListItem(BaseModel):", "class BerthListItem(BaseModel):  # ⚑"), (OUTPUTS, '    price_cents: int = Field(description="What a night costs, in cents.", examples=[3400])\n\n\nclass BerthListResult', '    price_cents: int = Field(description="What a night costs, in cents.", examples=[3400])\n' + WIDE + "\n" + WIDE.replace("depth_", "width_") + "\n\n\nclass BerthListResult"), also=("list-item-not-lighter",)),
    mutant("output-too-wide", MARINA, "inherited", (OUTPUTS, "class HarbourResult(BaseModel):", "class Depths(BaseModel):\n" + WIDE + "\n\n\nclass HarbourResult(Depths):  # ⚑")),
    mutant("output-too-wide", MARINA, "in a part of it", (OUTPUTS, "class DeletionResult(BaseModel):", 'class Berth(BaseModel):  # ⚑\n    model_config = ConfigDict(json_schema_extra={"examples": [{}]})\n\n' + WIDE + "\n" + WIDE.replace("depth_", "width_") + "\n\n\nclass DeletionResult(BaseModel):"), (OUTPUTS, DELETED, DELETED + "\n" + shown("berth", "Berth | None", "{}")), also=("example-not-valid",)),
    mutant("output-too-wide", MARINA, "of an account", (OUTPUTS, "class AccountResult(BaseModel):", "class AccountResult(BaseModel):  # ⚑"), (OUTPUTS, '    can_book: bool = Field(description="Whether it may book.", examples=[True])', '    can_book: bool = Field(description="Whether it may book.", examples=[True])\n' + WIDE + "\n" + WIDE.replace("depth_", "width_"))),
    mutant("output-too-wide", MARINA, "in a list that is given itself", (OUTPUTS, "class DeletionResult(BaseModel):", "class DeletionResult(BaseModel):  # ⚑"), (OUTPUTS, DELETED, DELETED + "\n" + WIDE + "\n" + WIDE.replace("depth_", "width_")), (BOOKINGS, "-> DeletionResult:", "-> list[DeletionResult]:")),
    harmless("output-too-wide", MARINA, "twelve", (OUTPUTS, PHONE, PHONE + "\n" + "\n".join(WIDE.split("\n")[:7]))),
    harmless("output-too-wide", MARINA, "of an input", ("tidewater_mcp/models/inputs.py", "class EmptyInput(ToolInput):", "class Unused(BaseModel):\n" + WIDE + "\n" + WIDE.replace("depth_", "width_") + "\n\n\nclass EmptyInput(ToolInput):")),
    harmless("output-too-wide", MARINA, "of a model that no tool answers", (OUTPUTS, "class DeletionResult(BaseModel):", "class Unused(BaseModel):\n" + WIDE + "\n" + WIDE.replace("depth_", "width_") + "\n\n\nclass DeletionResult(BaseModel):")),
]

DEEP = '''
class Country(BaseModel):
    """A country."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"code": "DE"}]})

    code: str = Field(description="Its code.", examples=["DE"])


class Town(BaseModel):
    """A town."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"country": {"code": "DE"}}]})

    country: COUNTRY = Field(description="Where it lies.", examples=[EXAMPLE])


class Place(BaseModel):
    """A place."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"town": {"country": {"code": "DE"}}}]})

    town: Town = Field(description="Where it lies.", examples=[{"country": {"code": "DE"}}])


class HarbourResult(BaseModel):
'''.lstrip("\n")
PLACE = '\n    place: Place = Field(description="Where it lies.", examples=[{"town": {"country": {"code": "DE"}}}])'
DEEP_ALSO = ("example-not-valid",)


def deep(name: str, country: str, example: str, place: str = PLACE):
    return mutant("output-nested-deep", MARINA, name, (OUTPUTS, "class HarbourResult(BaseModel):\n", DEEP.replace("COUNTRY", country).replace("EXAMPLE", example)), (OUTPUTS, PHONE, PHONE + place), (HARBOURS, GET, GET + "  # ⚑"), also=DEEP_ALSO)


NESTED = [
    deep("objects in objects", "Country", '{"code": "DE"}'),
    deep("one that may be missing", "Country | None", '{"code": "DE"}'),
    deep("in a list", "list[Country]", '[{"code": "DE"}]'),
    deep("in a dict", "dict[str, Country]", '{"de": {"code": "DE"}}'),
    deep("a list of the outer", "Country", '{"code": "DE"}', PLACE.replace("place: Place", "place: list[Place]").replace("[{", "[[{").replace("}])", "}]])")),
    deep("either of two", "Country | str", '{"code": "DE"}'),
    harmless("output-nested-deep", MARINA, "two levels", (OUTPUTS, "class HarbourResult(BaseModel):\n", DEEP.replace("COUNTRY", "str").replace("EXAMPLE", '"DE"').replace('{"country": {"code": "DE"}}', '{"country": "DE"}')),
             (OUTPUTS, PHONE, PHONE + PLACE.replace("place: Place", "place: Place | None").replace("Field(", "Field(None, ").replace('{"country": {"code": "DE"}}', '{"country": "DE"}'))),
    harmless("output-nested-deep", MARINA, "lists of lists", (OUTPUTS, PHONE, PHONE + "\n" + shown("grid", "list[list[list[float]]]", "[[[1.0]]]"))),
    harmless("output-nested-deep", MARINA, "a row with an object", (OUTPUTS, "class HarbourListItem(BaseModel):", 'class Sea(BaseModel):\n    """A sea."""\n\n    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Baltic"}]})\n\n    name: str = Field(description="Its name.", examples=["Baltic"])\n\n\nclass HarbourListItem(BaseModel):'),
             (OUTPUTS, '    name: str = Field(description="Its name.", examples=["Kiel"])\n\n\nclass HarbourListResult', '    name: str = Field(description="Its name.", examples=["Kiel"])\n    sea: Sea | None = Field(None, description="Its sea.", examples=[{"name": "Baltic"}])\n\n\nclass HarbourListResult')),
]

ITEMS = '    items: list[BookingListItem] = Field(\n        description="The bookings, next arrival first.",'
FULL = "list-item-not-lighter"
HEAVY = [
    mutant(FULL, MARINA, "the result itself", (OUTPUTS, ITEMS, ITEMS.replace("BookingListItem", "BookingResult").replace("items:", "items:", 1).replace("Field(\n", "Field(  # ⚑\n")), also=("example-not-valid",)),
    mutant(FULL, MARINA, "a row that descends from it", (OUTPUTS, "class BookingListItem(BaseModel):", "class BookingListItem(BookingResult):"), at=(OUTPUTS, "    items: list[BookingListItem]"), also=("example-not-valid",)),
    mutant(FULL, MARINA, "results under another name", (OUTPUTS, ITEMS, ITEMS.replace("items:", "bookings:").replace("BookingListItem", "BookingResult").replace("Field(\n", "Field(  # ⚑\n")), also=("example-not-valid",)),
    mutant(FULL, MARINA, "a tuple of them", (OUTPUTS, ITEMS, ITEMS.replace("list[BookingListItem]", "tuple[BookingResult, ...]").replace("Field(\n", "Field(  # ⚑\n")), also=("example-not-valid",)),
    mutant(FULL, MARINA, "given as a list", (BOOKINGS, "async def booking_list(input: BookingListInput) -> BookingListResult:", "async def booking_list(input: BookingListInput) -> list[BookingResult]:  # ⚑")),
    mutant(FULL, MARINA, "perhaps none", (OUTPUTS, ITEMS, ITEMS.replace("list[BookingListItem]", "list[BookingResult] | None").replace("Field(\n", "Field(  # ⚑\n")), also=("example-not-valid",)),
    harmless(FULL, MARINA, "one field more", (OUTPUTS, '    state: BookingState = Field(description="Where it stands.", examples=["confirmed"])\n\n\nclass BookingListResult', '    state: BookingState = Field(description="Where it stands.", examples=["confirmed"])\n    arrival_ms: int | None = Field(None, description="Arrival, epoch in ms.", examples=[1_781_510_400_000])\n\n\nclass BookingListResult')),
    harmless(FULL, MARINA, "rows as a list", (BOOKINGS, "async def booking_list(input: BookingListInput) -> BookingListResult:", "async def booking_list(input: BookingListInput) -> list[BookingListItem]:"), (BOOKINGS, "import BookingListResult, BookingResult", "import BookingListItem, BookingListResult, BookingResult")),
    harmless(FULL, MARINA, "one of few fields", (BOOKINGS, "-> DeletionResult:", "-> list[DeletionResult]:")),
]

TIME = "time-without-unit"
ARRIVAL = '    arrival_ms: int = Field(description="Arrival, epoch in ms.", examples=[1_781_510_400_000])\n    departure_ms: int = Field(description="Departure, epoch in ms.", examples=[1_781_683_200_000])'


def timed(name: str, new: str, kind: str = "int | None"):
    line = f'    {new}: {kind} = Field(None, description="When, epoch in milliseconds.", examples=[1_781_510_400_000])'
    return mutant(TIME, MARINA, name, (OUTPUTS, ARRIVAL, ARRIVAL + "\n" + line + "  # ⚑"))


def dated(name: str, new: str, kind: str, value: str):
    line = f'    {new}: {kind} = Field(None, description="When, in the harbour\'s zone.", examples=[{value}])'
    return harmless(TIME, MARINA, name, (OUTPUTS, ARRIVAL, ARRIVAL + "\n" + line))


TIMES = [
    timed("a date", "due_date"), timed("a time", "start_time"), timed("at", "created_at"), timed("created", "created"),
    timed("date first", "date_updated"), timed("in camel case", "updatedAt"), timed("a fraction", "timestamp", "float | None"),
    dated("a text", "created_at", "str | None", '"2026-06-14"'), dated("with a unit", "created_at_ms", "int | None", "1_781_510_400_000"),
    dated("another unit", "waiting_time_minutes", "int | None", "20"), dated("a flag", "updated", "bool | None", "True"),
]

SAID = ', description="The harbour master\'s number."'
DESCRIBED = "output-field-without-description"
DELETED_SAID = 'description="Whether it is gone.", '
UNDESCRIBED = [
    field(DESCRIBED, "left out", PHONE.replace(SAID, "") + "  # ⚑"),
    field(DESCRIBED, "empty", PHONE.replace("The harbour master's number.", "") + "  # ⚑"),
    field(DESCRIBED, "no field object", "    phone: str | None = None  # ⚑", also=("output-field-without-example",)),
    field(DESCRIBED, "a required one", DELETED.replace(DELETED_SAID, "") + "  # ⚑", old=DELETED),
    field(DESCRIBED, "annotated", "    deleted: Annotated[bool, Field(examples=[True])]  # ⚑", old=DELETED, more=((OUTPUTS, "from typing import Literal", "from typing import Annotated, Literal"),)),
    field(DESCRIBED, "only a comment", DELETED.replace(DELETED_SAID, "") + "  # ⚑", old=DELETED, more=((OUTPUTS, '"""What became of what was to be deleted."""', '"""What became of it.\n\n    deleted: whether it is gone.\n    """'),)),
    harmless(DESCRIBED, MARINA, "a constant", (OUTPUTS, DELETED, DELETED.replace('"Whether it is gone."', "GONE")), (OUTPUTS, "BookingState = Literal", 'GONE = "Whether it is gone."\nBookingState = Literal')),
    harmless(DESCRIBED, MARINA, "annotated and said", (OUTPUTS, DELETED, '    deleted: Annotated[bool, Field(description="Whether it is gone.", examples=[True])]'), (OUTPUTS, "from typing import Literal", "from typing import Annotated, Literal")),
    harmless(DESCRIBED, MARINA, "of a model that no tool answers", (OUTPUTS, "class DeletionResult(BaseModel):", "class Unused(BaseModel):\n    id: str\n\n\nclass DeletionResult(BaseModel):")),
]

EXEMPLIFIED = "output-field-without-example"
UNSHOWN = [
    field(EXEMPLIFIED, "left out", PHONE.replace(', examples=["+49 431 1234"]', "") + "  # ⚑"),
    field(EXEMPLIFIED, "an empty list", PHONE.replace('["+49 431 1234"]', "[]") + "  # ⚑"),
    field(EXEMPLIFIED, "a required one", DELETED.replace(", examples=[True]", "") + "  # ⚑", old=DELETED),
    field(EXEMPLIFIED, "annotated", '    deleted: Annotated[bool, Field(description="Whether it is gone.")]  # ⚑', old=DELETED, more=((OUTPUTS, "from typing import Literal", "from typing import Annotated, Literal"),)),
    field(EXEMPLIFIED, "only in the text", DELETED.replace(", examples=[True]", "").replace("it is gone.", "it is gone, such as true.") + "  # ⚑", old=DELETED),
    field(EXEMPLIFIED, "a number", FREE_DEPTH.replace(", examples=[3.2]", "") + "  # ⚑", old=FREE_DEPTH),
    harmless(EXEMPLIFIED, MARINA, "all values there are", (OUTPUTS, '    state: BookingState = Field(description="Where it stands.", examples=["confirmed"])\n    arrival_ms', '    state: BookingState = Field(description="Where it stands.")\n    arrival_ms')),
    harmless(EXEMPLIFIED, MARINA, "by extra", (OUTPUTS, DELETED, DELETED.replace("examples=[True]", 'json_schema_extra={"examples": [True]}'))),
    harmless(EXEMPLIFIED, MARINA, "a constant", (OUTPUTS, DELETED, DELETED.replace("examples=[True]", "examples=GONE")), (OUTPUTS, "BookingState = Literal", "GONE = [True]\nBookingState = Literal")),
]

MODEL = "output-model-without-example"
AT_DELETED = (OUTPUTS, "class DeletionResult")
UNSHOWN_MODELS = [
    mutant(MODEL, MARINA, "no settings", (OUTPUTS, f"    {EXAMPLE}\n\n", ""), at=AT_DELETED),
    mutant(MODEL, MARINA, "other settings", (OUTPUTS, EXAMPLE, "model_config = ConfigDict(frozen=True)"), at=AT_DELETED),
    mutant(MODEL, MARINA, "an empty list", (OUTPUTS, EXAMPLE, EXAMPLE.replace('[{"deleted": True}]', "[]")), at=AT_DELETED),
    mutant(MODEL, MARINA, "settings of another name", (OUTPUTS, EXAMPLE, EXAMPLE.replace("model_config =", "config =")), at=AT_DELETED),
    mutant(MODEL, MARINA, "of a row", (OUTPUTS, '    model_config = ConfigDict(json_schema_extra={"examples": [{"id": "hb_kiel01", "name": "Kiel"}]})\n\n', ""), at=(OUTPUTS, "class HarbourListItem")),
    mutant(MODEL, MARINA, "other extras", (OUTPUTS, EXAMPLE, 'model_config = ConfigDict(json_schema_extra={"description": "Gone"})'), at=AT_DELETED),
    harmless(MODEL, MARINA, "a plain dict", (OUTPUTS, EXAMPLE, 'model_config = {"json_schema_extra": {"examples": [{"deleted": True}]}}')),
    harmless(MODEL, MARINA, "an inner class", (OUTPUTS, f"    {EXAMPLE}\n", '    class Config:\n        json_schema_extra = {"examples": [{"deleted": True}]}\n')),
    harmless(MODEL, MARINA, "from a constant", (OUTPUTS, EXAMPLE, "model_config = ConfigDict(json_schema_extra=GONE)"), (OUTPUTS, "BookingState = Literal", 'GONE = {"examples": [{"deleted": True}]}\nBookingState = Literal')),
]

OTHER = '''
class Outcome(BaseModel):
    """What came of it."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"FLAG": True, "DATA": "gone", "ERROR": None}]})

    FLAG: bool = Field(description="Whether it worked.", examples=[True])
    DATA: str | None = Field(None, description="What came of it.", examples=["gone"])
    ERROR: str | None = Field(None, description="What went wrong.", examples=["not found"])


class DeletionResult(BaseModel):'''.lstrip("\n")


def enveloped(name: str, flag: str, payload: str, error: str, kind: str = "Outcome"):
    text = OTHER.replace("FLAG", flag).replace("DATA", payload).replace("ERROR", error)
    return mutant("envelope-differs", MARINA, name, (OUTPUTS, "class DeletionResult(BaseModel):", text), (BOOKINGS, "-> DeletionResult:", f"-> {kind}:  # ⚑"), (BOOKINGS, "BookingResult, DeletionResult", "BookingResult, Outcome"), (BOOKINGS, "return DeletionResult(deleted=True)", f"return Outcome({flag}=True)"))


ENVELOPES = [
    enveloped("success, data and error", "success", "data", "error"), enveloped("ok and an error", "ok", "note", "error"), enveloped("ok and a result", "ok", "result", "note"),
    enveloped("errors", "success", "result", "errors"), enveloped("that may be missing", "ok", "data", "problems", "Outcome | None"), enveloped("in quotes", "succeeded", "payload", "error", '"Outcome"'),
    harmless("envelope-differs", MARINA, "a flag alone", (OUTPUTS, DELETED, DELETED.replace("deleted:", "ok:")), (OUTPUTS, '[{"deleted": True}]', '[{"ok": True}]'), (BOOKINGS, "DeletionResult(deleted=True)", "DeletionResult(ok=True)")),
    harmless("envelope-differs", MARINA, "an error among the fields", (OUTPUTS, DELETED, DELETED + '\n    error: str | None = Field(None, description="Why not.", examples=["taken"])')),
    harmless("envelope-differs", MARINA, "the envelope by hand", (BOOKINGS, "-> DeletionResult:", "-> ToolResponse[DeletionResult]:"), (BOOKINGS, "from .errors import handle_tool_errors", "from .errors import ToolResponse, handle_tool_errors"), (BOOKINGS, "return DeletionResult(deleted=True)", "return ToolResponse(ok=True, result=DeletionResult(deleted=True))")),
]

MUTANTS = [*NOT_MODELLED, *VENDOR, *VENDOR_FIELDS, *TOO_WIDE, *NESTED, *HEAVY, *TIMES, *UNDESCRIBED, *UNSHOWN, *UNSHOWN_MODELS, *ENVELOPES]
