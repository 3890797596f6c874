"""§11, §13, §14 and §16, in Python: what tools are called, what their descriptions name, and what they say of themselves."""
# fmt: off
# ruff: noqa: E501

import re

from mutation import Mutant, harmless, mutant

MARINA = "python_marina_object"
ACCOUNTS = "tidewater_mcp/accounts.py"
HARBOURS = "tidewater_mcp/harbours.py"
BERTHS = "tidewater_mcp/berths.py"
BOOKINGS = "tidewater_mcp/bookings.py"
UPDATE = ("tidewater_mcp/bookings.py", "async def booking_update(")
CHANGE = "Change the boat or the departure of a booking on Tidewater when the user's plans have changed."
SHOW_HARBOUR = "Show one harbour on Tidewater when you know its ID: its sea, its size and the harbour master's number."
SHOW_BERTH = "Show one berth on Tidewater when you know its ID: the longest boat that fits, its depth and its price."
READS = '    annotations={"readOnlyHint": True, "openWorldHint": True},\n)\n@handle_tool_errors\nasync def harbour_get('
CHANGES = 'annotations={"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True, "openWorldHint": True}'
DELETES = 'annotations={"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": True}'


def renamed(old: str, new: str, path: str = BOOKINGS) -> tuple[tuple[str, str, str], tuple[str, str, str]]:
    """Rename a tool and its function."""
    before, after = (re.sub(r"\W", "_", name) for name in (old, new))
    return (path, f'name="{old}"', f'name="{new}"'), (path, f"async def {before}(", f"async def {after}(")


def named(rule: str, old: str, new: str, path: str = BOOKINGS, also: tuple[str, ...] = ()) -> Mutant:
    """Return a tool a faulty name."""
    return mutant(rule, MARINA, f"{old} as {new}", *renamed(old, new, path), at=(path, f'name="{new}"'), also=also)


def kept(rule: str, old: str, new: str, path: str = BOOKINGS) -> Mutant:
    """Return a tool another good name."""
    return harmless(rule, MARINA, f"{old} as {new}", *renamed(old, new, path))


STYLE = [
    named("tool-name-style", "booking.update", "booking_update"),
    named("tool-name-style", "booking.update", "updateBooking", also=("function-name-differs",)),
    named("tool-name-style", "booking.update", "Booking.update"),
    named("tool-name-style", "booking.update", "booking-update"),
    named("tool-name-style", "booking.update", "booking.updateOne"),
    named("tool-name-style", "booking.update", "booking/update", also=("tool-name-not-allowed",)),
    mutant("tool-name-style", MARINA, "left to the function", (BOOKINGS, '    name="booking.update",\n', ""), at=UPDATE),
    kept("tool-name-style", "booking.update", "booking.change"),
    kept("tool-name-style", "booking.update", "marina.booking.update"),
    kept("tool-name-style", "berth.get", "free_berth.get", BERTHS),
]

SEVERAL = [
    named("operation-does-several-things", "booking.create", "booking.create_and_confirm"),
    named("operation-does-several-things", "booking.create", "booking.create_or_update"),
    named("operation-does-several-things", "harbour.get", "harbour.get_or_create", HARBOURS),
    named("operation-does-several-things", "booking.delete", "booking.force_delete"),
    named("operation-does-several-things", "booking.create", "booking.create_with_remark"),
    named("operation-does-several-things", "booking.delete", "booking.delete_silently"),
    named("operation-does-several-things", "booking.update", "booking.update_then_notify"),
    kept("operation-does-several-things", "harbour.get", "harbour.get_rules_and_fees", HARBOURS),
    kept("operation-does-several-things", "booking.update", "booking.share_with_crew"),
    kept("operation-does-several-things", "berth.get", "land.get", BERTHS),
]

VAGUE = [
    named("tool-name-verb-vague", "booking.update", "booking.process"),
    named("tool-name-verb-vague", "booking.update", "booking.manage"),
    named("tool-name-verb-vague", "booking.update", "booking.handle_changes"),
    named("tool-name-verb-vague", "booking.create", "booking.do", also=("tool-name-without-verb",)),
    named("tool-name-verb-vague", "booking.create", "booking.execute_request"),
    named("tool-name-verb-vague", "berth.search", "berth.run_query", BERTHS),
    kept("tool-name-verb-vague", "booking.update", "booking.change"),
    kept("tool-name-verb-vague", "berth.get", "process.get", BERTHS),
    kept("tool-name-verb-vague", "booking.list", "booking.list_runs"),
]

WITHOUT_VERB = [
    named("tool-name-without-verb", "booking.create", "booking.new"),
    named("tool-name-without-verb", "harbour.get", "harbour.details", HARBOURS),
    named("tool-name-without-verb", "berth.get", "berth.information", BERTHS),
    named("tool-name-without-verb", "account.get", "account.profile", ACCOUNTS),
    named("tool-name-without-verb", "booking.update", "booking.boat"),
    named("tool-name-without-verb", "booking.list", "booking.everything"),
    kept("tool-name-without-verb", "booking.create", "booking.request"),
    kept("tool-name-without-verb", "harbour.get", "harbour.show", HARBOURS),
    kept("tool-name-without-verb", "account.get", "account.describe", ACCOUNTS),
]

REPEATED = [
    named("operation-repeats-object", "booking.create", "booking.create_booking"),
    named("operation-repeats-object", "booking.list", "booking.list_bookings"),
    named("operation-repeats-object", "berth.search", "berth.search_berth", BERTHS),
    named("operation-repeats-object", "harbour.get", "harbour.get_harbour_details", HARBOURS),
    named("operation-repeats-object", "harbour.list", "harbours.list_harbour", HARBOURS),
    named("operation-repeats-object", "booking.update", "marina_booking.update_booking"),
    kept("operation-repeats-object", "booking.create", "booking.create_hold"),
    kept("operation-repeats-object", "harbour.list", "list.list", HARBOURS),
    kept("operation-repeats-object", "berth.search", "berth.search_in_harbour", BERTHS),
]

DIFFERS = [
    mutant("function-name-differs", MARINA, "words turned around", (BOOKINGS, "async def booking_update(", "async def update_booking("), at=(BOOKINGS, "async def update_booking(")),
    mutant("function-name-differs", MARINA, "the operation only", (BOOKINGS, "async def booking_update(input: BookingUpdateInput)", "async def update(input: BookingUpdateInput)"), at=(BOOKINGS, "async def update(")),
    mutant("function-name-differs", MARINA, "of another tool", (BERTHS, "async def berth_get(input", "async def harbour_get(input"), at=(BERTHS, "async def harbour_get(")),
    mutant("function-name-differs", MARINA, "camel case", (HARBOURS, "async def harbour_get(", "async def harbourGet("), at=(HARBOURS, "async def harbourGet(")),
    mutant("function-name-differs", MARINA, "a suffix", (HARBOURS, "async def harbour_get(", "async def harbour_get_tool("), at=(HARBOURS, "async def harbour_get_tool(")),
    mutant("function-name-differs", MARINA, "the name in a constant", (HARBOURS, '    name="harbour.get",', "    name=NAME,"), (HARBOURS, "from .models.projection import to_harbour, to_harbour_item\n", 'from .models.projection import to_harbour, to_harbour_item\n\nNAME = "harbour.show"\n'), at=(HARBOURS, "async def harbour_get(")),
    harmless("function-name-differs", MARINA, "an underscore behind", (BOOKINGS, "async def booking_update(", "async def booking_update_(")),
    harmless("function-name-differs", MARINA, "both renamed", *renamed("harbour.get", "harbour.show", HARBOURS)),
    harmless("function-name-differs", MARINA, "added by a call", (HARBOURS, '@mcp.tool(\n    name="harbour.get",\n    title="Show a harbour",\n    description="' + SHOW_HARBOUR + '",\n    annotations={"readOnlyHint": True, "openWorldHint": True},\n)\n', ""),
             (HARBOURS, 'f"/harbours/{input.harbour_id}"))\n', 'f"/harbours/{input.harbour_id}"))\n\n\nmcp.add_tool(\n    harbour_get,\n    name="harbour.get",\n    title="Show a harbour",\n    description="' + SHOW_HARBOUR + '",\n    annotations={"readOnlyHint": True, "openWorldHint": True},\n)\n')),
]

NOT_NAMED = [
    mutant("provider-not-named", MARINA, "left out", (BOOKINGS, CHANGE, CHANGE.replace(" on Tidewater", "")), at=(BOOKINGS, 'description="Change the boat')),
    mutant("provider-not-named", MARINA, "in the second sentence", (HARBOURS, SHOW_HARBOUR, "Show one harbour when you know its ID. Tidewater knows its sea, its size and the harbour master's number."), at=(HARBOURS, 'description="Show one harbour when')),
    mutant("provider-not-named", MARINA, "another provider", (BERTHS, SHOW_BERTH, SHOW_BERTH.replace("Tidewater", "Seaport")), at=(BERTHS, 'description="Show one berth')),
    mutant("provider-not-named", MARINA, "a part of another word", (BERTHS, SHOW_BERTH, SHOW_BERTH.replace("on Tidewater", "of the Tidewaters")), at=(BERTHS, 'description="Show one berth')),
    mutant("provider-not-named", MARINA, "as a kind of thing", (BERTHS, SHOW_BERTH, SHOW_BERTH.replace("on Tidewater", "on the server")), at=(BERTHS, 'description="Show one berth')),
    mutant("provider-not-named", MARINA, "from a constant", (BERTHS, f'description="{SHOW_BERTH}"', "description=SHOW"), (BERTHS, "from .models.projection import to_berth, to_berth_item\n", f'from .models.projection import to_berth, to_berth_item\n\nSHOW = "{SHOW_BERTH.replace(" on Tidewater", "")}"  # ⚑\n')),
    harmless("provider-not-named", MARINA, "in other letters", (BERTHS, SHOW_BERTH, SHOW_BERTH.replace("Tidewater", "TideWater"))),
    harmless("provider-not-named", MARINA, "whose", (BERTHS, SHOW_BERTH, SHOW_BERTH.replace("one berth on Tidewater", "one of Tidewater's berths"))),
    harmless("provider-not-named", MARINA, "put in", (BERTHS, f'description="{SHOW_BERTH}"', 'description=f"' + SHOW_BERTH.replace("Tidewater", "{PROVIDER}") + '"'), (BERTHS, "from .models.projection import to_berth, to_berth_item\n", 'from .models.projection import to_berth, to_berth_item\n\nPROVIDER = "Tidewater"\n')),
]

OCCASION = [
    mutant("description-without-occasion", MARINA, "left out", (BOOKINGS, CHANGE, "Change the boat or the departure of a booking on Tidewater."), at=(BOOKINGS, 'description="Change the boat')),
    mutant("description-without-occasion", MARINA, "in the second sentence", (HARBOURS, SHOW_HARBOUR, "Show one harbour on Tidewater: its sea and its size. Use it when you know its ID."), at=(HARBOURS, 'description="Show one harbour')),
    mutant("description-without-occasion", MARINA, "a purpose only", (BERTHS, SHOW_BERTH, "Show one berth on Tidewater for the given ID to the user."), at=(BERTHS, 'description="Show one berth')),
    mutant("description-without-occasion", MARINA, "a list of results", (BERTHS, SHOW_BERTH, "Show one berth on Tidewater: the longest boat that fits, its depth and its price."), at=(BERTHS, 'description="Show one berth')),
    mutant("description-without-occasion", MARINA, "a constraint only", (BOOKINGS, CHANGE, "Change a booking on Tidewater; what is left out stays as it is."), at=(BOOKINGS, 'description="Change a booking')),
    mutant("description-without-occasion", MARINA, "in the function's text only", (HARBOURS, SHOW_HARBOUR, "Show one harbour on Tidewater."), (HARBOURS, '"""Give one harbour."""', '"""Give one harbour when its ID is known."""'), at=(HARBOURS, 'description="Show one harbour')),
    harmless("description-without-occasion", MARINA, "if", (BOOKINGS, CHANGE, "Change the boat or the departure of a booking on Tidewater if the user's plans have changed.")),
    harmless("description-without-occasion", MARINA, "after", (BOOKINGS, CHANGE, "Change a booking on Tidewater after asking the user for the new plans.")),
    harmless("description-without-occasion", MARINA, "used for", (BERTHS, SHOW_BERTH, "Show one berth on Tidewater; use it for a berth whose ID is known.")),
]

HINTS = [
    mutant("hints-contradict", MARINA, "both", (BOOKINGS, CHANGES, 'annotations={"readOnlyHint": True, "destructiveHint": True}'), at=(BOOKINGS, 'name="booking.update"')),
    mutant("hints-contradict", MARINA, "as an object", (BOOKINGS, CHANGES, "annotations=ToolAnnotations(readOnlyHint=True, destructiveHint=True)"), (BOOKINGS, "from .app import mcp\n", "from mcp.types import ToolAnnotations\n\nfrom .app import mcp\n"), at=(BOOKINGS, 'name="booking.update"')),
    mutant("hints-contradict", MARINA, "from a constant", (BOOKINGS, CHANGES, "annotations=HINTS"), (BOOKINGS, "from .app import mcp\n", 'from .app import mcp\n\nHINTS = {"readOnlyHint": True, "destructiveHint": True}\n'), at=(BOOKINGS, 'name="booking.update"')),
    mutant("hints-contradict", MARINA, "joined", (BOOKINGS, CHANGES, 'annotations={**READS, "destructiveHint": True}'), (BOOKINGS, "from .app import mcp\n", 'from .app import mcp\n\nREADS = {"readOnlyHint": True, "openWorldHint": True}\n'), at=(BOOKINGS, 'name="booking.update"')),
    mutant("hints-contradict", MARINA, "of a reading tool", (HARBOURS, READS, READS.replace("True,", 'True, "destructiveHint": True,', 1)), at=(HARBOURS, 'name="harbour.get"')),
    mutant("hints-contradict", MARINA, "with a title", (BOOKINGS, CHANGES, 'annotations=dict(title="Change", readOnlyHint=True, destructiveHint=True)'), at=(BOOKINGS, 'name="booking.update"')),
    harmless("hints-contradict", MARINA, "only reads", (HARBOURS, READS, READS.replace("True,", 'True, "destructiveHint": False,', 1))),
    harmless("hints-contradict", MARINA, "only destroys", (BOOKINGS, CHANGES, 'annotations={"readOnlyHint": False, "destructiveHint": True}')),
    harmless("hints-contradict", MARINA, "destroys, and nothing else is said", (BOOKINGS, CHANGES, 'annotations={"destructiveHint": True}')),
]

MARKED = [
    mutant("tool-without-read-only-hint", MARINA, "left out", (HARBOURS, READS, READS.replace('"readOnlyHint": True, ', "")), at=(HARBOURS, 'name="harbour.get"')),
    mutant("tool-without-read-only-hint", MARINA, "no annotations", (HARBOURS, READS, READS.partition("\n")[2]), at=(HARBOURS, 'name="harbour.get"')),
    mutant("tool-without-read-only-hint", MARINA, "false", (HARBOURS, READS, READS.replace("True", "False", 1)), at=(HARBOURS, 'name="harbour.get"')),
    mutant("tool-without-read-only-hint", MARINA, "null", (HARBOURS, READS, READS.replace("True", "None", 1)), at=(HARBOURS, 'name="harbour.get"')),
    mutant("tool-without-read-only-hint", MARINA, "a title only", (HARBOURS, READS, READS.replace('{"readOnlyHint": True, "openWorldHint": True}', '{"title": "Show"}')), at=(HARBOURS, 'name="harbour.get"')),
    mutant("tool-without-read-only-hint", MARINA, "of an object", (HARBOURS, READS, READS.replace('{"readOnlyHint": True, "openWorldHint": True}', "ToolAnnotations(openWorldHint=True)")), (HARBOURS, "from .app import mcp\n", "from mcp.types import ToolAnnotations\n\nfrom .app import mcp\n"), at=(HARBOURS, 'name="harbour.get"')),
    harmless("tool-without-read-only-hint", MARINA, "as an object", (HARBOURS, READS, READS.replace('{"readOnlyHint": True, "openWorldHint": True}', "ToolAnnotations(readOnlyHint=True)")), (HARBOURS, "from .app import mcp\n", "from mcp.types import ToolAnnotations\n\nfrom .app import mcp\n")),
    harmless("tool-without-read-only-hint", MARINA, "of a tool that changes something", (BOOKINGS, CHANGES, 'annotations={"destructiveHint": False}')),
    harmless("tool-without-read-only-hint", MARINA, "alone", (HARBOURS, READS, READS.replace(', "openWorldHint": True', ""))),
    mutant("tool-without-destructive-hint", MARINA, "left out", (BOOKINGS, DELETES, 'annotations={"readOnlyHint": False, "openWorldHint": True}'), at=(BOOKINGS, 'name="booking.delete"')),
    mutant("tool-without-destructive-hint", MARINA, "no annotations", (BOOKINGS, f"    {DELETES},\n", ""), at=(BOOKINGS, 'name="booking.delete"')),
    mutant("tool-without-destructive-hint", MARINA, "null", (BOOKINGS, DELETES, 'annotations={"destructiveHint": None, "openWorldHint": True}'), at=(BOOKINGS, 'name="booking.delete"')),
    mutant("tool-without-destructive-hint", MARINA, "false", (BOOKINGS, DELETES, 'annotations={"destructiveHint": False, "openWorldHint": True}'), at=(BOOKINGS, 'name="booking.delete"'), instead=("destructive-not-marked",)),
    mutant("tool-without-destructive-hint", MARINA, "of an object", (BOOKINGS, DELETES, "annotations=ToolAnnotations(idempotentHint=True)"), (BOOKINGS, "from .app import mcp\n", "from mcp.types import ToolAnnotations\n\nfrom .app import mcp\n"), at=(BOOKINGS, 'name="booking.delete"')),
    mutant("tool-without-destructive-hint", MARINA, "under another verb", *renamed("booking.delete", "booking.remove"), (BOOKINGS, DELETES, 'annotations={"readOnlyHint": False}'), at=(BOOKINGS, 'name="booking.remove"')),
    harmless("tool-without-destructive-hint", MARINA, "as an object", (BOOKINGS, DELETES, "annotations=ToolAnnotations(destructiveHint=True)"), (BOOKINGS, "from .app import mcp\n", "from mcp.types import ToolAnnotations\n\nfrom .app import mcp\n")),
    harmless("tool-without-destructive-hint", MARINA, "alone", (BOOKINGS, DELETES, 'annotations={"destructiveHint": True}')),
    harmless("tool-without-destructive-hint", MARINA, "of a tool that changes something", (BOOKINGS, CHANGES, 'annotations={"readOnlyHint": False}')),
]

MUTANTS = [*STYLE, *SEVERAL, *VAGUE, *WITHOUT_VERB, *REPEATED, *DIFFERS, *NOT_NAMED, *OCCASION, *HINTS, *MARKED]
