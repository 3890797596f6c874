"""§15 of the checklist, in Python: what a tool that lasts says of it."""
# ruff: noqa: E501

from mutation import Mutant, harmless, mutant

LIVE = "python_lowlevel_live"
MAIN = "workshop/main.py"
PLUG = """
    for name in arguments["machines"]:
        tool = machine(name)
        TOOLS[tool.name] = tool
"""
DEF = "def plug_machines(arguments: dict[str, Any]) -> dict[str, Any]:"
CALL = "        return plug_machines(arguments)"
OTHERS = ("cancellation-ignored", "blocking-call-in-async", "command-outlives-call", "task-never-cancelled")
OTHERS += ("description-drift", "read-only-claim-untrue", "side-effect-not-described")
Edits = tuple[str, str, str]


def awaited(name: str, lines: str, *more: Edits) -> Mutant:
    """The tool lasts, and neither tells how far it is nor says so."""
    edits = [(MAIN, DEF, f"async {DEF}"), (MAIN, CALL, CALL.replace("plug", "await plug")), (MAIN, PLUG, PLUG + lines)]
    return mutant("progress-not-documented", LIVE, name, *edits, *more, also=OTHERS)


def quiet(name: str, lines: str, *more: Edits) -> Mutant:
    """It does not last, or says so."""
    edits = [(MAIN, DEF, f"async {DEF}"), (MAIN, CALL, CALL.replace("plug", "await plug")), (MAIN, PLUG, PLUG + lines)]
    return harmless("progress-not-documented", LIVE, name, *edits, *more)


HELPER = "def plug_machines("
FAULTS = [
    awaited("a while", "    while not await shelves.is_warm():\n        await anyio.sleep(5)  # ⚑\n"),
    awaited(
        "without end",
        "    while True:\n        if await shelves.is_warm():\n            break\n        await anyio.sleep(1)  # ⚑\n",
    ),
    awaited(
        "so many rounds",
        "    for _ in range(60):\n        if await shelves.is_warm():\n            break\n        await anyio.sleep(2)  # ⚑\n",
    ),
    awaited("a job", '    await shelves.wait_for_job(arguments["machines"])  # ⚑\n'),
    awaited("until it is complete", "    await shelves.wait_until_completed()  # ⚑\n"),
    awaited(
        "in a helper",
        "    await warmed()\n",
        (
            "workshop/main.py",
            "async def over_stdio() -> None:",
            "async def warmed() -> None:\n    while not await shelves.is_warm():\n        await anyio.sleep(5)  # ⚑\n\n\nasync def over_stdio() -> None:",
        ),
    ),
    awaited("a command", '    await anyio.run_process(["make", "machines"])  # ⚑\n'),
]
SAID = '"Limitations: the new tools are listed a moment later."'
ALIKE = [
    quiet(
        "it says so",
        "    while not await shelves.is_warm():\n        await anyio.sleep(5)\n",
        ("workshop/tools.py", SAID, '"Limitations: takes up to ten minutes until the machines are warm."'),
    ),
    quiet("once", "    await anyio.sleep(0.2)\n"),
    quiet(
        "once more",
        "    for attempt in range(3):\n        if await shelves.is_warm():\n            break\n        await anyio.sleep(attempt)\n",
    ),
]

MUTANTS = [*FAULTS, *ALIKE]
