"""§15 of the checklist, in Python: what a long call tells of how far it is."""
# ruff: noqa: E501

from mutation import Mutant, harmless, mutant

LIVE = "python_lowlevel_live"
MAIN = "workshop/main.py"
REPORTING = "workshop/reporting.py"
TOKEN = "        self._token = meta.progressToken if meta is not None else None"
SEND = "        await self._session.send_progress_notification(self._token, float(done), float(total))"
REPORT = "        await reporter.report(done, len(boxes))"
LOOP = """
    for done, name in enumerate(boxes, 1):
        counted += await shelves.count_box(name)
        await reporter.report(done, len(boxes))
"""
NEW = "    reporter = Reporter(app.request_context)"
GUARD = "        if self._token is None:\n            return\n"
Edits = tuple[str, str, str]
TOLD = "app.request_context.session.send_progress_notification(token, {}, len(boxes))"
META = """
    meta = app.request_context.meta
    token = meta.progressToken if meta is not None else None
"""


def made(name: str, token: str, *more: Edits) -> Mutant:
    """The token is not the client's."""
    return mutant("progress-without-token", LIVE, name, (REPORTING, TOKEN, token), *more)


TOKENS = [
    made("the request's id", "        self._token = context.request_id  # ⚑"),
    made(
        "a fresh id",
        "        self._token = str(uuid.uuid4())  # ⚑",
        (REPORTING, "import time\n", "import time\nimport uuid\n"),
    ),
    made(
        "a fresh id by another name",
        "        self._token = fresh().hex  # ⚑",
        (REPORTING, "import time\n", "import time\nfrom uuid import uuid4 as fresh\n"),
    ),
    made("a constant", '        self._token = "counting"  # ⚑'),
    made(
        "a constant of the module",
        "        self._token = TOKEN  # ⚑",
        (REPORTING, "LEAST_GAP = 0.5", 'LEAST_GAP = 0.5\nTOKEN = "counting"'),
    ),
    made(
        "where there is none",
        '        self._token = (meta.progressToken if meta is not None else None) or f"count-{time.time()}"  # ⚑',
    ),
    made(
        "a helper's",
        "        self._token = token_for(context)",
        (
            REPORTING,
            "class Reporter:",
            "def token_for(context: object) -> str:\n    return str(context.request_id)  # ⚑\n\n\nclass Reporter:",
        ),
    ),
    mutant(
        "progress-without-token",
        LIVE,
        "handed over",
        (REPORTING, TOKEN, "        self._token = token"),
        (REPORTING, "None, None]) -> None:", "None, None], token: str | int) -> None:"),
        (MAIN, NEW, "    reporter = Reporter(app.request_context, app.request_context.request_id)  # ⚑"),
    ),
    mutant(
        "progress-without-token",
        LIVE,
        "nobody looks",
        (
            MAIN,
            REPORT,
            "        await app.request_context.session.send_progress_notification(app.request_context.meta.progressToken, done, len(boxes))  # ⚑",
        ),
    ),
    mutant(
        "progress-without-token",
        LIVE,
        "nobody looks at the name",
        (MAIN, NEW, META.strip("\n")),
        (MAIN, REPORT, "        await " + TOLD.format("done") + "  # ⚑"),
    ),
]


def course(name: str, loop: str, *more: Edits) -> Mutant:
    """The numbers do not only go up."""
    return mutant("progress-not-increasing", LIVE, name, (MAIN, LOOP, loop), (MAIN, NEW, META.strip("\n")), *more)


SENT = "        if token is not None:\n            await " + TOLD
COUNT = "        counted += await shelves.count_box(name)\n"
COURSES = [
    course("one number", "    for name in boxes:\n" + COUNT + SENT.format("1") + "  # ⚑"),
    course("a name that stays", "    done = 0\n    for name in boxes:\n" + COUNT + SENT.format("done") + "  # ⚑"),
    course(
        "what is left",
        "    for done, name in enumerate(boxes, 1):\n" + COUNT + SENT.format("len(boxes) - done") + "  # ⚑",
    ),
    course(
        "counted down",
        "    left = len(boxes)\n    for name in boxes:\n        left -= 1\n" + COUNT + SENT.format("left") + "  # ⚑",
    ),
    course(
        "a range that runs down",
        "    for place in range(len(boxes) - 1, -1, -1):\n        name = boxes[place]\n"
        + COUNT
        + SENT.format("place")
        + "  # ⚑",
    ),
    course(
        "begins anew",
        "    for row in (boxes[:9], boxes[9:]):\n        for done, name in enumerate(row):\n            counted += await shelves.count_box(name)\n            if token is not None:\n                await "
        + TOLD.format("done")
        + "  # ⚑",
    ),
    course(
        "a counter set back",
        "    for row in (boxes[:9], boxes[9:]):\n        done = 0\n        for name in row:\n            done += 1\n            counted += await shelves.count_box(name)\n            if token is not None:\n                await "
        + TOLD.format("done")
        + "  # ⚑",
    ),
    course(
        "the whole after a failure",
        "    try:\n        for name in boxes:\n            counted += await shelves.count_box(name)\n    except OSError:\n        if token is not None:\n            await "
        + TOLD.format("len(boxes)")
        + "  # ⚑\n        raise",
    ),
]


def flood(name: str, loop: str) -> Mutant:
    """Each round of a quick loop is told."""
    return mutant("progress-not-bounded", LIVE, name, (MAIN, LOOP, loop), (MAIN, NEW, META.strip("\n")))


PLAIN = "        counted += len(name)\n"
FLOODS = [
    flood("for each", "    for done, name in enumerate(boxes, 1):  # ⚑\n" + PLAIN + SENT.format("done")),
    flood("while", "    done = 0\n    while done < len(boxes):  # ⚑\n        done += 1\n" + SENT.format("done")),
    flood("a range", "    for done in range(len(boxes)):  # ⚑\n" + SENT.format("done")),
    flood(
        "a stream",
        "    done = 0\n    async for name in shelves.stream(boxes):  # ⚑\n        done += 1\n" + SENT.format("done"),
    ),
    flood(
        "letters",
        "    done = 0\n    for name in boxes:\n        for letter in name:  # ⚑\n            done += 1\n            if token is not None:\n                await "
        + TOLD.format("done"),
    ),
    mutant(
        "progress-not-bounded",
        LIVE,
        "a helper in the loop",
        (MAIN, LOOP, "    for done, name in enumerate(boxes, 1):\n        await told(done, len(boxes))  # ⚑"),
        (
            MAIN,
            "async def over_stdio()",
            "async def told(done: int, total: int) -> None:\n    meta = app.request_context.meta\n    if meta is not None and meta.progressToken is not None:\n        await app.request_context.session.send_progress_notification(meta.progressToken, done, total)\n\n\nasync def over_stdio()",
        ),
    ),
]


def fine(rule: str, name: str, loop: str, *more: Edits) -> Mutant:
    """Another clean way to tell how far it is."""
    return harmless(rule, LIVE, name, (MAIN, LOOP, loop), (MAIN, NEW, META.strip("\n")), *more)


HARMLESS = [
    harmless(
        "progress-without-token",
        LIVE,
        "looked up",
        (REPORTING, TOKEN, '        self._token = getattr(meta, "progressToken", None)'),
    ),
    harmless(
        "progress-without-token",
        LIVE,
        "as a text",
        (
            REPORTING,
            SEND,
            '        await self._session.send_progress_notification(f"{self._token}", float(done), float(total))',
        ),
    ),
    harmless(
        "progress-without-token",
        LIVE,
        "looked at by who calls",
        (REPORTING, GUARD, ""),
        (MAIN, REPORT, "        if reporter._token is not None:\n            await reporter.report(done, len(boxes))"),
    ),
    fine(
        "progress-not-increasing",
        "over all rows",
        "    done = 0\n    for row in (boxes[:9], boxes[9:]):\n        for name in row:\n            done += 1\n            counted += await shelves.count_box(name)\n            if token is not None:\n                await "
        + TOLD.format("done"),
    ),
    fine(
        "progress-not-increasing",
        "what is not left",
        "    left = len(boxes)\n    for name in boxes:\n        left -= 1\n" + COUNT + SENT.format("len(boxes) - left"),
    ),
    fine(
        "progress-not-increasing",
        "as far as it came",
        "    done = 0\n    try:\n        for name in boxes:\n            counted += await shelves.count_box(name)\n            done += 1\n    except OSError:\n        if token is not None:\n            await "
        + TOLD.format("done")
        + "\n        raise",
    ),
    fine(
        "progress-not-bounded",
        "every tenth",
        "    for done, name in enumerate(boxes, 1):\n        counted += len(name)\n        if token is not None and done % 10 == 0:\n            await "
        + TOLD.format("done"),
    ),
    fine(
        "progress-not-bounded",
        "few steps",
        '    for done, name in enumerate(("open", "count", "close"), 1):\n        counted += len(name)\n        if token is not None:\n            await '
        + TOLD.format("done"),
    ),
    fine(
        "progress-not-bounded",
        "at its own pace",
        "    for done, name in enumerate(boxes, 1):\n" + COUNT + SENT.format("done"),
    ),
]

MUTANTS = [*TOKENS, *COURSES, *FLOODS, *HARMLESS]
