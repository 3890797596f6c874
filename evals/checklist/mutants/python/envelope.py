"""§7 of the checklist, in Python."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

RESPOND = "archive/core/respond.py"
SERVER = "archive/mcp/server.py"
LETTERS = "archive/letters/handlers.py"
CLINIC = "clinic/main.py"
GUARD = "clinic/guard.py"
TASK = "tasks/server.py"
META = """
    if isinstance(answer, dict):
        answer["_meta"] = {"request_id": call.request_id}
    return answer
"""
WRAP = '    return [types.TextContent(type="text", text=json.dumps(value))]'
GET = """
            letter = store.letter(required(params, "id"))
            return respond(action, letter.model_dump(mode="json"))
"""
SIGN = 'return {**answer, "_meta": {"request_id": f"call-{next(calls)}"}}'
CLINIC_WRAP = '    return CallToolResult(content=[TextContent(type="text", text=json.dumps(value))], isError=False)'

WITHOUT_ID = [
    mutant("success-without-request-id", "python_dispatch", "nothing put in", (RESPOND, META, "    return answer"), at=(RESPOND, "def respond(")),
    mutant("success-without-request-id", "python_dispatch", "meta without the id", (RESPOND, META, META.replace('{"request_id": call.request_id}', '{"action": action}')), at=(RESPOND, "def respond(")),
    mutant("success-without-request-id", "python_dispatch", "id outside of meta", (RESPOND, META, META.replace('answer["_meta"] = {"request_id": call.request_id}', 'answer["request_id"] = call.request_id')), at=(RESPOND, "def respond(")),
    mutant("success-without-request-id", "python_dispatch", "only when it was cut", (RESPOND, META, "    return answer"),
           (RESPOND, "        answer = bounded(action, answer)\n", '        answer = bounded(action, answer)\n        answer["_meta"] = {"request_id": call.request_id}\n'), at=(RESPOND, "def respond(")),
    mutant("success-without-request-id", "python_single", "other key", ("tasks/respond.py", '{"request_id": uuid.uuid4().hex, "action": action}', '{"id": uuid.uuid4().hex, "action": action}'), at=("tasks/respond.py", "def respond(")),
    mutant("success-without-request-id", "python_fastmcp", "setdefault gone", ("garden/answers.py", '    answer.setdefault("_meta", {})["request_id"] = str(uuid4())\n', "    uuid4()\n"), at=("garden/answers.py", "def respond(")),
    mutant("success-without-request-id", "python_lowlevel", "method that signs nothing", (GUARD, SIGN, 'return {**answer, "_meta": {"serial": next(calls)}}'), at=(GUARD, "def respond(")),
    mutant("success-without-request-id", "python_lowlevel", "method not called", (GUARD, "        return self.sign(answer)\n", "        return answer\n"), at=(GUARD, "def respond(")),
]

STRIPPED = [
    mutant("meta-stripped", "python_dispatch", "pop", (SERVER, WRAP, '    value.pop("_meta", None)  # ⚑\n' + WRAP)),
    mutant("meta-stripped", "python_dispatch", "del", (SERVER, WRAP, '    if "_meta" in value:\n        del value["_meta"]  # ⚑\n' + WRAP)),
    mutant("meta-stripped", "python_dispatch", "comprehension", (SERVER, WRAP, '    shown = {key: inner for key, inner in value.items() if key != "_meta"}  # ⚑\n' + WRAP.replace("value", "shown"))),
    mutant("meta-stripped", "python_dispatch", "every key with an underscore", (SERVER, WRAP, WRAP.replace("json.dumps(value)", 'json.dumps({key: value[key] for key in value if not key.startswith("_")})') + "  # ⚑")),
    mutant("meta-stripped", "python_dispatch", "constant", (SERVER, WRAP, "    value.pop(META)  # ⚑\n" + WRAP), (SERVER, "CATALOGS = {", 'META = "_meta"\nCATALOGS = {')),
    mutant("meta-stripped", "python_single", "after the dispatch", (TASK, "        return await dispatch(action, request)", '        answer = await dispatch(action, request)\n        answer.pop("_meta")  # ⚑\n        return answer')),
    mutant("meta-stripped", "python_lowlevel", "helper", (CLINIC, CLINIC_WRAP, CLINIC_WRAP.replace("json.dumps(value)", "json.dumps(bare(value))")),
           (CLINIC, "def failure(", 'def bare(value: dict[str, Any]) -> dict[str, Any]:\n    return dict(item for item in value.items() if item[0] != "_meta")  # ⚑\n\n\ndef failure(')),
    mutant("meta-stripped", "python_lowlevel", "unpacked", (CLINIC, CLINIC_WRAP, '    match value:\n        case {"_meta": _, **rest}:  # ⚑\n            value = rest  # ⚑\n' + CLINIC_WRAP)),
]

BY_HAND = [
    mutant("response-built-by-hand", "python_dispatch", "dict of an arm", (LETTERS, GET, """
            letter = store.letter(required(params, "id"))
            return {"isError": False, "content": [{"type": "text", "text": letter.text}]}  # ⚑
""")),
    mutant("response-built-by-hand", "python_dispatch", "result of an arm", (LETTERS, GET, """
            letter = store.letter(required(params, "id"))
            return CallToolResult(content=[TextContent(type="text", text=letter.model_dump_json())])  # ⚑
"""), (LETTERS, "from archive.core.actions import", "from mcp.types import CallToolResult, TextContent\n\nfrom archive.core.actions import")),
    mutant("response-built-by-hand", "python_dispatch", "before the dispatch", (SERVER, '    action = arguments["action"]\n', """
    if name == "ping":
        return [types.TextContent(type="text", text="pong")]  # ⚑
    action = arguments["action"]

""")),
    mutant("response-built-by-hand", "python_fastmcp", "content of a tool", ("garden/server.py", 'return respond("read_sensor", reading.model_dump(), fields)', 'return {"content": [{"type": "text", "text": reading.model_dump_json()}], "isError": False}  # ⚑'), also=("fields-ignored",)),
    mutant("response-built-by-hand", "python_single", "in a handler of the table", ("tasks/handlers.py", 'return respond("task.get", asdict(task), request["fields"])',
           'return dict(content=[{"type": "text", "text": json.dumps(asdict(task))}], isError=False)  # ⚑')),
    mutant("response-built-by-hand", "python_lowlevel", "second result", (CLINIC, "    try:\n        value = await handle(name, arguments)\n", """
    if name == "next_slot" and not arguments:
        return CallToolResult(content=[TextContent(type="text", text="no doctor")], isError=False)  # ⚑
    try:
        value = await handle(name, arguments)

""")),
]

HARMLESS = [
    harmless("success-without-request-id", "python_dispatch", "merged", (RESPOND, META, '    return answer | {"_meta": dict(request_id=call.request_id)}')),
    harmless("success-without-request-id", "python_dispatch", "helper of another file", (RESPOND, META, "    return signed(answer, call.request_id)"),
             (RESPOND, "BUDGET = 8 * 1024", "BUDGET = 8 * 1024\n"), (RESPOND, "from typing import Any\n", "from typing import Any\n\nfrom archive.core.truncate import signed\n"),
             ("archive/core/truncate.py", "def shortened(", 'def signed(answer: Any, request_id: str) -> Any:\n    answer["_meta"] = {"request_id": request_id}\n    return answer\n\n\ndef shortened(')),
    harmless("meta-stripped", "python_dispatch", "taken from the client's arguments", (SERVER, '    action = arguments["action"]\n', '    arguments = {key: value for key, value in arguments.items() if key != "_progress"}\n    action = arguments["action"]\n')),
    harmless("response-built-by-hand", "python_lowlevel", "error built by hand", (CLINIC, "    try:\n        value = await handle(name, arguments)\n", """
    if not name:
        return CallToolResult(content=[TextContent(type="text", text="no tool is named")], isError=True)
    try:
        value = await handle(name, arguments)

""")),
    harmless("response-built-by-hand", "python_lowlevel", "wrapper in a function", (CLINIC, CLINIC_WRAP, "    return success(value)"),
             (CLINIC, "def failure(", "def success(value: Any) -> CallToolResult:\n" + CLINIC_WRAP + "\n\n\ndef failure(")),
]

MUTANTS = [*WITHOUT_ID, *STRIPPED, *BY_HAND, *HARMLESS]
