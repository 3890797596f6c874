"""§4 of the checklist, in Python."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

LETTERS = "archive/letters/handlers.py"
ALBUMS = "archive/albums/handlers.py"
RESPOND = "archive/core/respond.py"
TASKS = "tasks/handlers.py"
GET = """
            letter = store.letter(required(params, "id"))
            return respond(action, letter.model_dump(mode="json"))
"""
DELETE = """
            store.delete(key)
            return respond(action, {"deleted": key})
"""
ONE = "    return respond(action, asdict(album))"
TASK = 'return respond("task.get", asdict(task), request["fields"])'
SLOT = 'return guard.respond(name, dict(slot or {}), arguments.get("fields"))'
READING = 'return respond("read_sensor", reading.model_dump(), fields)'
OVERFLOW = 'answer["_overflow_action"] = DETAILS.get(action, "letter.get")'

BYPASSED = [
    mutant("handler-bypasses-respond", "python_dispatch", "value as it is", (LETTERS, GET, """
            letter = store.letter(required(params, "id"))
            return letter.model_dump(mode="json")  # ⚑
""")),
    mutant("handler-bypasses-respond", "python_dispatch", "early return", (LETTERS, GET, """
            letter = store.letter(required(params, "id"))
            if params.get("brief"):
                return {"id": letter.id, "sender": letter.sender}  # ⚑
            return respond(action, letter.model_dump(mode="json"))
""")),
    mutant("handler-bypasses-respond", "python_dispatch", "conditional expression", (LETTERS, GET, """
            value = store.letter(required(params, "id")).model_dump(mode="json")
            return value if params.get("raw") else respond(action, value)  # ⚑
""")),
    mutant("handler-bypasses-respond", "python_dispatch", "nothing", (LETTERS, DELETE, "            store.delete(key)\n            return None  # ⚑")),
    mutant("handler-bypasses-respond", "python_dispatch", "respond called and dropped", (LETTERS, DELETE, """
            store.delete(key)
            answer = {"deleted": key}
            respond(action, answer)
            return answer  # ⚑
""")),
    mutant("handler-bypasses-respond", "python_dispatch", "function of the action", (ALBUMS, ONE, "    return asdict(album)  # ⚑"), at=(ALBUMS, "return one(shelf, action, params)")),
    mutant("handler-bypasses-respond", "python_dispatch", "try and finally", (LETTERS, DELETE, """
            try:
                return {"deleted": key}  # ⚑
            finally:
                store.delete(key)
""")),
    mutant("handler-bypasses-respond", "python_dispatch", "another respond", (ALBUMS, ONE, "    return reply(action, asdict(album))  # ⚑"),
           (ALBUMS, "def purged(", 'def reply(action: str, value: Any) -> Any:\n    return {"action": action, "value": value}\n\n\ndef purged('),
           at=(ALBUMS, "return one(shelf, action, params)")),
    mutant("handler-bypasses-respond", "python_single", "handler of the table", (TASKS, TASK, "return asdict(task)  # ⚑")),
    mutant("handler-bypasses-respond", "python_single", "lambda in the table", (TASKS, '"task.delete": delete_task,', '"task.delete": gone,'),
           (TASKS, "HANDLERS: dict", """
async def gone(request: Request) -> dict[str, Any]:
    return dict(deleted=TASKS.pop(int(request["params"]["id"]), None) is not None)  # ⚑


HANDLERS: dict
""".rstrip())),
    mutant("handler-bypasses-respond", "python_fastmcp", "value of a tool", ("garden/server.py", READING, "return reading.model_dump()  # ⚑"), also=("fields-ignored",)),
    mutant("handler-bypasses-respond", "python_fastmcp", "walrus and or", ("garden/server.py", READING, 'return (value := reading.model_dump()) and dict(value, sensor=sensor)  # ⚑'), also=("fields-ignored",)),
    mutant("handler-bypasses-respond", "python_lowlevel", "one branch", ("clinic/main.py", SLOT, "return dict(slot or {})  # ⚑")),
]

CUTS = [
    mutant("handler-truncates", "python_dispatch", "slice of a text", (LETTERS, GET, """
            letter = store.letter(required(params, "id"))
            letter.text = letter.text[:2000]  # ⚑
            return respond(action, letter.model_dump(mode="json"))
""")),
    mutant("handler-truncates", "python_dispatch", "textwrap", (LETTERS, GET, """
            value = store.letter(required(params, "id")).model_dump(mode="json")
            return respond(action, {**value, "text": textwrap.shorten(value["text"], 500)})  # ⚑
"""), (LETTERS, "from collections.abc import Mapping\n", "import textwrap\nfrom collections.abc import Mapping\n")),
    mutant("handler-truncates", "python_dispatch", "size of the answer", (LETTERS, GET, """
            value = store.letter(required(params, "id")).model_dump(mode="json")
            if len(json.dumps(value)) > 8192:  # ⚑
                value.pop("text")
            return respond(action, value)
"""), (LETTERS, "from collections.abc import Mapping\n", "import json\nfrom collections.abc import Mapping\n")),
    mutant("handler-truncates", "python_dispatch", "helper with a constant", (ALBUMS, ONE, '    return respond(action, {**asdict(album), "description": clip(album.description)})  # ⚑'),
           (ALBUMS, "def purged(", 'MOST = 1024\n\n\ndef clip(text: str) -> str:\n    return text if len(text) <= MOST else text[:MOST] + "..."  # ⚑\n\n\ndef purged(')),
    mutant("handler-truncates", "python_single", "comprehension over texts", (TASKS, TASK, """
shown = {key: value[:1000] if isinstance(value, str) else value for key, value in asdict(task).items()}  # ⚑
    return respond("task.get", shown, request["fields"])
""")),
    mutant("handler-truncates", "python_fastmcp", "in a tool", ("garden/server.py", READING, """
raw = reading.raw
    if len(raw) > 2048:
        raw = raw[:2048] + "..."  # ⚑
    return respond("read_sensor", {**reading.model_dump(), "raw": raw}, fields)
"""), at=("garden/server.py", "if len(raw) > 2048")),
    mutant("handler-truncates", "python_lowlevel", "rows of a list", ("clinic/main.py", "items = found[first : first + size]",
           'items = [{**row, "report": row["report"][:500]} for row in found[first : first + size]]  # ⚑')),
]

UNKNOWN = [
    mutant("overflow-action-unknown", "python_dispatch", "literal", (RESPOND, OVERFLOW, 'answer["_overflow_action"] = "letter.read"  # ⚑')),
    mutant("overflow-action-unknown", "python_dispatch", "default of a look-up", (RESPOND, OVERFLOW, 'answer["_overflow_action"] = DETAILS.get(action, "item.get")  # ⚑')),
    mutant("overflow-action-unknown", "python_dispatch", "row of the table", (RESPOND, '"album.list": "album.get"}', '"album.list": "albums.get"}  # ⚑'), at=(RESPOND, OVERFLOW)),
    mutant("overflow-action-unknown", "python_dispatch", "constant", (RESPOND, OVERFLOW, 'answer["_overflow_action"] = DETAIL  # ⚑'),
           (RESPOND, "BUDGET = 8 * 1024", 'BUDGET = 8 * 1024\nDETAIL = "letter.details"  # ⚑')),
    mutant("overflow-action-unknown", "python_dispatch", "update", (RESPOND, OVERFLOW, 'answer.update({"_overflow_action": "album.show"})  # ⚑')),
    mutant("overflow-action-unknown", "python_single", "merged dict", ("tasks/respond.py", 'value |= {"_overflow": True, "_overflow_action": "task.get"}', 'value |= {"_overflow": True, "_overflow_action": "get_task"}  # ⚑')),
    mutant("overflow-action-unknown", "python_single", "keyword", ("tasks/respond.py", 'value |= {"_overflow": True, "_overflow_action": "task.get"}', 'value = dict(value, _overflow=True, _overflow_action="task.show")  # ⚑')),
    mutant("overflow-action-unknown", "python_single", "action renamed", ("tasks/catalog.py", 'ActionSpec("task.get",', 'ActionSpec("task.show",'),
           (TASKS, '"task.get": get_task,', '"task.show": get_task,'), ("tasks/server.py", "- task.get: Give", "- task.show: Give"),
           at=("tasks/respond.py", '"_overflow_action": "task.get"')),
]

HARMLESS = [
    harmless("handler-bypasses-respond", "python_dispatch", "answer bound first", (LETTERS, GET, """
            letter = store.letter(required(params, "id"))
            answer = respond(action, letter.model_dump(mode="json"))
            return answer
""")),
    harmless("handler-bypasses-respond", "python_dispatch", "helper of another file", (LETTERS, GET, """
            return answered(action, store.letter(required(params, "id")))
"""), (LETTERS, "from archive.core.respond import respond\n", "from archive.core.respond import answered, respond\n"),
             (RESPOND, "def projected(", 'def answered(action: str, model: Any) -> Any:\n    return respond(action, model.model_dump(mode="json"))\n\n\ndef projected(')),
    harmless("handler-bypasses-respond", "python_dispatch", "imported by another name",
             (ALBUMS, "from archive.core.respond import respond\n", "from archive.core.respond import respond\nfrom archive.core.respond import respond as answer\n"),
             (ALBUMS, ONE, "    return answer(action, asdict(album))")),
    harmless("handler-bypasses-respond", "python_fastmcp", "conditional with the guard on both sides",
             ("garden/server.py", READING, 'return respond("read_sensor", {}, fields) if reading is None else respond("read_sensor", reading.model_dump(), fields)')),
    harmless("handler-truncates", "python_dispatch", "list cut for a page", (LETTERS, "letters = store.letters(page.limit, page.offset)", "letters = store.letters(page.limit, page.offset)[: page.limit]")),
    harmless("handler-truncates", "python_single", "a word of a text", (TASKS, TASK, 'return respond("task.get", {**asdict(task), "initial": task.title[:1]}, request["fields"])')),
    harmless("overflow-action-unknown", "python_dispatch", "the action itself", (RESPOND, OVERFLOW, 'answer["_overflow_action"] = action.replace(".list", ".get")')),
]

MUTANTS = [*BYPASSED, *CUTS, *UNKNOWN, *HARMLESS]
