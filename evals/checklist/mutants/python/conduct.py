"""What the code of Python tools does: blocking, printing, failing, claims that are untrue, work that is left behind."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

KILN = "python_kiln_trait"
SERVER = "kiln/server.py"
STORE = "kiln/store.py"
COMMANDS = "kiln/commands.py"

SIMULATE = "    text = await asyncio.to_thread(plans.read, name)"
GET = '        answer = await client.get(f"{PRICES}/gas/{day}")'
IMPORTS = "import asyncio\nimport contextlib\nimport logging"
HISTORY = '    return await asyncio.to_thread(_git, "log", "--oneline", "-n", "20", "--", f"{name}.plan")'
TICK = "        await asyncio.sleep(60)"
READ = '        return self._path(name).read_text("utf-8")'


def _imports(*names: str) -> tuple[str, str, str]:
    return SERVER, IMPORTS, IMPORTS + "".join(f"\n{name if ' ' in name else f'import {name}'}" for name in names)


BLOCKING = [
    mutant("blocking-call-in-async", KILN, "sleep", (SERVER, SIMULATE, f"    time.sleep(1)  # ⚑\n{SIMULATE}"), _imports("time")),
    mutant("blocking-call-in-async", KILN, "sleep by another name", (SERVER, SIMULATE, f"    rest(2)  # ⚑\n{SIMULATE}"), _imports("from time import sleep as rest")),
    mutant("blocking-call-in-async", KILN, "sleep under a constant", (SERVER, TICK, "        REST(60)  # ⚑"), _imports("time"), (SERVER, "MOST = 50", "MOST = 50\nREST = time.sleep")),
    mutant("blocking-call-in-async", KILN, "request", (SERVER, GET, '        answer = requests.get(f"{PRICES}/gas/{day}", timeout=10)  # ⚑'), _imports("requests")),
    mutant("blocking-call-in-async", KILN, "plain client", (SERVER, f"    async with httpx.AsyncClient(timeout=10) as client:\n{GET}", '    with httpx.Client(timeout=10) as client:\n        answer = client.get(f"{PRICES}/gas/{day}")  # ⚑')),
    mutant("blocking-call-in-async", KILN, "client of the class of a session", (SERVER, GET, '        answer = session.get(f"{PRICES}/gas/{day}")  # ⚑'), _imports("requests"), (SERVER, "MOST = 50", "MOST = 50\nsession = requests.Session()")),
    mutant("blocking-call-in-async", KILN, "command in a function two deep", (COMMANDS, HISTORY, '    return _git("log", "--oneline", "--", f"{name}.plan")'), at=(COMMANDS, 'done = subprocess.run(["git", *words]')),
    mutant("blocking-call-in-async", KILN, "sleep in a method", (SERVER, SIMULATE, "    text = plans.read(name)"), (STORE, READ, f"        time.sleep(0.5)  # ⚑\n{READ}"), (STORE, "import logging\n", "import logging\nimport time\n")),
    mutant("blocking-call-in-async", KILN, "imported in the function", (SERVER, SIMULATE, f"    from urllib.request import urlopen\n\n    urlopen(PRICES)  # ⚑\n{SIMULATE}")),
    harmless("blocking-call-in-async", KILN, "in a thread", (SERVER, SIMULATE, f"    await asyncio.to_thread(time.sleep, 1)\n{SIMULATE}"), _imports("time")),
    harmless("blocking-call-in-async", KILN, "a lambda for a thread", (SERVER, SIMULATE, f"    await asyncio.get_running_loop().run_in_executor(None, lambda: time.sleep(1))\n{SIMULATE}"), _imports("time")),
    harmless("blocking-call-in-async", KILN, "a method of that name", (SERVER, SIMULATE, "    text = plans.get(name)"), (STORE, "    def read(self", '    def get(self, name: str) -> str:\n        """Give a plan that fires nothing."""\n        return f"plan {name}"\n\n    def read(self')),
    harmless("blocking-call-in-async", KILN, "awaited sleep", (SERVER, SIMULATE, f"    await sleep(1)\n{SIMULATE}"), _imports("from asyncio import sleep")),
]

LIST = "    found = [name for name in plans.names() if word in name]"
MAIN = '    print("the kiln is served", file=sys.stderr)'
CONFIGURED = "    logging.basicConfig(level=logging.INFO, stream=sys.stderr)"

PRINTING = [
    mutant("prints-to-stdout", KILN, "in a tool", (SERVER, LIST, f'{LIST}\n    print("found", found)  # ⚑')),
    mutant("prints-to-stdout", KILN, "written", (SERVER, LIST, f'{LIST}\n    sys.stdout.write(f"found {{found}}")  # ⚑')),
    mutant("prints-to-stdout", KILN, "in a method of another file", (STORE, '        logger.debug("reading %s", name)', '        print("reading", name)  # ⚑')),
    mutant("prints-to-stdout", KILN, "under another name", (SERVER, LIST, f"{LIST}\n    say(found)  # ⚑"), (SERVER, "MOST = 50", "MOST = 50\nsay = print")),
    mutant("prints-to-stdout", KILN, "banner", (SERVER, MAIN, '    print("the kiln is served")  # ⚑')),
    mutant("prints-to-stdout", KILN, "banner in a function", (SERVER, MAIN, "    greet()"), (SERVER, "def main() -> None:", 'def greet() -> None:\n    """Greet."""\n    print("the kiln is served")  # ⚑\n\n\ndef main() -> None:')),
    mutant("prints-to-stdout", KILN, "at import", (SERVER, "MOST = 50", 'MOST = 50\nprint("loading")  # ⚑')),
    mutant("prints-to-stdout", KILN, "log", (SERVER, CONFIGURED, "    logging.basicConfig(level=logging.INFO, stream=sys.stdout)  # ⚑")),
    mutant("prints-to-stdout", KILN, "handler of the log", (SERVER, CONFIGURED, "    logging.getLogger().addHandler(logging.StreamHandler(sys.stdout))  # ⚑")),
    mutant("prints-to-stdout", KILN, "rich", (SERVER, LIST, f"{LIST}\n    console.print(found)  # ⚑"), _imports("from rich.console import Console"), (SERVER, "MOST = 50", "MOST = 50\nconsole = Console()")),
    harmless("prints-to-stdout", KILN, "standard error", (SERVER, LIST, f'{LIST}\n    print("found", found, file=sys.stderr)')),
    harmless("prints-to-stdout", KILN, "rich on the standard error", (SERVER, LIST, f"{LIST}\n    console.print(found)"), _imports("from rich.console import Console"), (SERVER, "MOST = 50", "MOST = 50\nconsole = Console(stderr=True)")),
    harmless("prints-to-stdout", KILN, "into a text", (SERVER, LIST, f'{LIST}\n    said = io.StringIO()\n    print("found", found, file=said)'), _imports("io")),
    harmless("prints-to-stdout", KILN, "help", (SERVER, MAIN, f'    if "--help" in sys.argv:\n        print("kiln [--version]")\n        sys.exit(0)\n{MAIN}')),
    harmless("prints-to-stdout", KILN, "nobody calls it", (SERVER, "def main() -> None:", 'def report() -> None:\n    """Report."""\n    print(plans.names())\n\n\ndef main() -> None:')),
]

RAISE = '        raise ToolError(f"There is no plan {name}; list_plans tells which there are.") from error'
SAVE = "    plans.save(name, text)"
CLINIC = "python_lowlevel"
MAIN_FILE = "clinic/main.py"
PANICKED = '        return failure("tool handler panicked")'

AS_SUCCESS = [
    mutant("error-given-as-success", KILN, "text", (SERVER, RAISE, '        return f"Error: {error}"  # ⚑')),
    mutant("error-given-as-success", KILN, "object", (SERVER, RAISE, '        return {"error": f"there is no plan {name}: {error}"}  # ⚑')),
    mutant("error-given-as-success", KILN, "serialized", (SERVER, RAISE, '        return json.dumps({"error": str(error)})  # ⚑'), _imports("json")),
    mutant("error-given-as-success", KILN, "content", (SERVER, RAISE, '        return [TextContent(type="text", text=f"Failed to read: {error}")]  # ⚑'), (SERVER, "import ToolAnnotations", "import TextContent, ToolAnnotations")),
    mutant("error-given-as-success", KILN, "by a name", (SERVER, RAISE, '        said = "Could not read the plan: " + str(error)\n        return said  # ⚑')),
    mutant("error-given-as-success", KILN, "refusal", (SERVER, SAVE, f'    if not text.strip():\n        return "Error: the plan is empty"  # ⚑\n{SAVE}')),
    mutant("error-given-as-success", KILN, "made by a function", (SERVER, RAISE, "        return failure(error)  # ⚑"), (SERVER, "def main() -> None:", 'def failure(error: Exception) -> str:\n    """Tell of a failure."""\n    return f"Error: {error}"\n\n\ndef main() -> None:')),
    mutant("error-given-as-success", KILN, "early, in a function that is returned", (SERVER, SAVE, "    return saved(name, text)"), (SERVER, "def main() -> None:", 'def saved(name: str, text: str) -> str:\n    """Save."""\n    if not text:\n        return "Error: no text"  # ⚑\n    plans.save(name, text)\n    return name\n\n\ndef main() -> None:')),
    mutant("error-given-as-success", CLINIC, "what a dispatcher catches", (MAIN_FILE, PANICKED, '        return [TextContent(type="text", text="Error: the tool failed")]  # ⚑'), also=("response-built-by-hand",)),
    mutant("error-given-as-success", CLINIC, "what a dispatcher catches, as a result", (MAIN_FILE, PANICKED, '        return CallToolResult(content=[TextContent(type="text", text="Error: the tool failed")])  # ⚑'), also=("response-built-by-hand",)),
    harmless("error-given-as-success", CLINIC, "what a dispatcher catches, marked", (MAIN_FILE, PANICKED, '        return CallToolResult(content=[TextContent(type="text", text="Error: the tool failed")], isError=True)')),
    harmless("error-given-as-success", KILN, "raised", (SERVER, SAVE, f'    if not text.strip():\n        raise ToolError("Error: the plan is empty")\n{SAVE}')),
    harmless("error-given-as-success", KILN, "another way to the answer", (SERVER, RAISE, '        return plans.read("default")')),
    harmless("error-given-as-success", KILN, "no error at all", (SERVER, '    return {"plans": found[:limit], "total": len(found)}', '    if not found:\n        return {"plans": [], "total": 0, "error": None}\n    return {"plans": found[:limit], "total": len(found)}')),
    harmless("error-given-as-success", KILN, "flagged", (SERVER, RAISE, '        return CallToolResult(content=[TextContent(type="text", text=f"Error: {error}")], isError=True)'), (SERVER, "import ToolAnnotations", "import CallToolResult, TextContent, ToolAnnotations")),
]

EMPTY = [
    mutant("error-for-empty-result", KILN, "not found", (SERVER, LIST, f'{LIST}\n    if not found:\n        raise ToolError("No plans found")  # ⚑')),
    mutant("error-for-empty-result", KILN, "length", (SERVER, LIST, f'{LIST}\n    if len(found) == 0:\n        raise ValueError(f"nothing holds {{word}}")  # ⚑')),
    mutant("error-for-empty-result", KILN, "compared", (SERVER, LIST, f'{LIST}\n    if found == []:\n        raise LookupError("no such plans")  # ⚑')),
    mutant("error-for-empty-result", KILN, "less than one", (SERVER, LIST, f'{LIST}\n    if len(found) < 1:\n        raise ToolError("zero plans")  # ⚑')),
    mutant("error-for-empty-result", KILN, "in a function", (SERVER, LIST, "    found = named(word)"), (SERVER, "def main() -> None:", 'def named(word: str) -> list[str]:\n    """Find plans."""\n    matches = [name for name in plans.names() if word in name]\n    if not matches:\n        raise ToolError("nothing matches")  # ⚑\n    return matches\n\n\ndef main() -> None:')),
    mutant("error-for-empty-result", KILN, "not its length", (SERVER, LIST, f'{LIST}\n    if not len(found):\n        raise ToolError("there are no plans")  # ⚑')),
    harmless("error-for-empty-result", KILN, "empty answer", (SERVER, LIST, f'{LIST}\n    if not found:\n        return {{"plans": [], "total": 0}}')),
    harmless("error-for-empty-result", KILN, "argument", (SERVER, LIST, f'    if not word:\n        raise ToolError("no word given")\n{LIST}')),
    harmless("error-for-empty-result", KILN, "one that is missing", (SERVER, '    try:\n        return plans.read(name)', '    known = plans.names()\n    if name not in known:\n        raise ToolError(f"no plan {name} found")\n    try:\n        return plans.read(name)')),
]

CAUGHT = """
    except asyncio.CancelledError:
        logger.info("no longer watched")
        raise
"""
TAKEN = CAUGHT.replace("\n        raise\n", "\n")

SWALLOWED = [
    mutant("cancellation-swallowed", KILN, "logged only", (SERVER, CAUGHT, TAKEN.replace("Error:", "Error:  # ⚑"))),
    mutant("cancellation-swallowed", KILN, "base of all", (SERVER, CAUGHT, TAKEN.replace("asyncio.CancelledError:", "BaseException:  # ⚑"))),
    mutant("cancellation-swallowed", KILN, "bare", (SERVER, CAUGHT, TAKEN.replace(" asyncio.CancelledError:", ":  # noqa: E722  # ⚑"))),
    mutant("cancellation-swallowed", KILN, "among others", (SERVER, CAUGHT, TAKEN.replace("asyncio.CancelledError:", "(TimeoutError, asyncio.CancelledError):  # ⚑"))),
    mutant("cancellation-swallowed", KILN, "another name", (SERVER, CAUGHT, TAKEN.replace("asyncio.CancelledError:", "Stopped as error:  # ⚑")), _imports("from asyncio import CancelledError as Stopped")),
    mutant("cancellation-swallowed", KILN, "suppressed in a function", (SERVER, TICK, "        with contextlib.suppress(asyncio.CancelledError):  # ⚑\n            await asyncio.sleep(60)"), (SERVER, "    ticking = asyncio.create_task(_tick(minutes))\n    try:\n        await ticking\n", "    ticking = asyncio.create_task(asyncio.sleep(minutes))\n    await _tick(minutes)\n    try:\n        await ticking\n")),
    mutant("cancellation-swallowed", KILN, "anyio", (SERVER, CAUGHT, TAKEN.replace("asyncio.CancelledError:", "anyio.get_cancelled_exc_class():  # ⚑")), _imports("anyio")),
    harmless("cancellation-swallowed", KILN, "raised by name", (SERVER, CAUGHT, CAUGHT.replace("Error:", "Error as error:").replace("raise\n", "raise error\n"))),
    harmless("cancellation-swallowed", KILN, "plain exceptions", (SERVER, CAUGHT, TAKEN.replace("asyncio.CancelledError", "Exception"))),
    harmless("cancellation-swallowed", KILN, "raised before the rest", (SERVER, CAUGHT, f'{CAUGHT}    except BaseException:\n        logger.info("broken")\n')),
]

KEPT = "    ticking = asyncio.create_task(_tick(minutes))\n"
HANDED = "    asyncio.create_task(_tick(minutes))  # ⚑\n"

SPAWNED = [
    mutant("task-never-cancelled", KILN, "dropped", (SERVER, KEPT, KEPT + HANDED)),
    mutant("task-never-cancelled", KILN, "ensured", (SERVER, KEPT, KEPT + HANDED.replace("create_task", "ensure_future"))),
    mutant("task-never-cancelled", KILN, "imported", (SERVER, KEPT, KEPT + HANDED.replace("asyncio.create_task", "begin")), _imports("from asyncio import create_task as begin")),
    mutant("task-never-cancelled", KILN, "a name that nothing uses", (SERVER, KEPT, KEPT + "    other = asyncio.create_task(_tick(minutes))  # noqa: F841  # ⚑\n")),
    mutant("task-never-cancelled", KILN, "of the loop", (SERVER, KEPT, KEPT + "    loop = asyncio.get_running_loop()\n    loop.create_task(_tick(minutes))  # ⚑\n")),
    mutant("task-never-cancelled", KILN, "in a function", (SERVER, KEPT, KEPT + "    _begin(minutes)\n"), (SERVER, "def main() -> None:", f"def _begin(minutes: int) -> None:\n{HANDED}\n\ndef main() -> None:")),
    mutant("task-never-cancelled", KILN, "early", (SERVER, KEPT, f"    if minutes > 30:\n    {HANDED}        return \"watched\"\n{KEPT}")),
    harmless("task-never-cancelled", KILN, "group", (SERVER, KEPT, KEPT + "    async with asyncio.TaskGroup() as group:\n        group.create_task(_tick(minutes))\n")),
    harmless("task-never-cancelled", KILN, "kept", (SERVER, KEPT, KEPT + "    other = asyncio.create_task(_tick(minutes))\n    TICKING.add(other)\n    other.add_done_callback(TICKING.discard)\n"), (SERVER, "MOST = 50", "MOST = 50\nTICKING: set[asyncio.Task[None]] = set()")),
    harmless("task-never-cancelled", KILN, "gathered", (SERVER, KEPT, KEPT + "    await asyncio.gather(asyncio.create_task(_tick(1)), asyncio.create_task(_tick(2)))\n")),
]

STARTED = '    command = await asyncio.create_subprocess_exec("kilnsim", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE)'
FLAGGED = f"{STARTED}  # ⚑"
WAITED = """
    try:
        out, _ = await asyncio.wait_for(command.communicate(text.encode()), 60)
    finally:
        if command.returncode is None:
            command.kill()
"""
ENDED = f"{STARTED}{WAITED}"

OUTLIVING = [
    mutant("command-outlives-call", KILN, "never ended", (COMMANDS, ENDED, f"{FLAGGED}\n    out, _ = await command.communicate(text.encode())\n")),
    mutant("command-outlives-call", KILN, "ended when it takes too long", (COMMANDS, ENDED, f"{FLAGGED}{WAITED.replace('finally:', 'except TimeoutError:')}")),
    mutant("command-outlives-call", KILN, "only logged at the end", (COMMANDS, ENDED, f"{FLAGGED}{WAITED.replace('command.kill()', 'print(command.pid, file=sys.stderr)')}"), (COMMANDS, "import subprocess\n", "import subprocess\nimport sys\n")),
    mutant("command-outlives-call", KILN, "shell", (COMMANDS, ENDED, '    command = await asyncio.create_subprocess_shell("kilnsim -", stdin=-1, stdout=-1)  # ⚑\n    out, _ = await command.communicate(text.encode())\n')),
    mutant("command-outlives-call", KILN, "imported", (COMMANDS, ENDED, '    command = await run("kilnsim", "-", stdin=-1, stdout=-1)  # ⚑\n    out, _ = await command.communicate(text.encode())\n'), (COMMANDS, "import asyncio\nimport subprocess\n", "import asyncio\nimport subprocess\nfrom asyncio import create_subprocess_exec as run\n")),
    mutant("command-outlives-call", KILN, "after other exceptions", (COMMANDS, ENDED, f"{FLAGGED}{WAITED.replace('finally:', 'except Exception:')}")),
    mutant("command-outlives-call", KILN, "read line by line", (COMMANDS, ENDED, f"{FLAGGED}\n    out = b''\n    while line := await command.stdout.readline():\n        out += line\n    await command.wait()\n")),
    harmless("command-outlives-call", KILN, "ended when cancelled", (COMMANDS, ENDED, f"{STARTED}{WAITED.replace('finally:', 'except asyncio.CancelledError:').rstrip()}\n        raise\n")),
    harmless("command-outlives-call", KILN, "terminated", (COMMANDS, ENDED, ENDED.replace("kill()", "terminate()"))),
    harmless("command-outlives-call", KILN, "ended by a function", (COMMANDS, ENDED, ENDED.replace("command.kill()", "_kill(command)")), (COMMANDS, "async def history", "def _kill(command: asyncio.subprocess.Process) -> None:\n    command.kill()\n\n\nasync def history")),
]

AT_DELETE = (STORE, "        self._path(name).unlink()")
AT_SAVE = (STORE, '        self._path(name).write_text(text, "utf-8")')

CLAIMS = [
    mutant("read-only-claim-untrue", KILN, "deletes by a method", (SERVER, SIMULATE, f"{SIMULATE}\n    plans.delete(name)"), at=AT_DELETE),
    mutant("read-only-claim-untrue", KILN, "writes in a thread", (SERVER, SIMULATE, f'{SIMULATE}\n    await asyncio.to_thread(plans.save, name, text.strip())'), at=AT_SAVE),
    mutant("read-only-claim-untrue", KILN, "opens to write", (SERVER, LIST, f'{LIST}\n    with open("found.txt", mode="w") as file:  # ⚑\n        file.write(word)')),
    mutant("read-only-claim-untrue", KILN, "removes", (SERVER, LIST, f'{LIST}\n    remove("found.txt")  # ⚑'), _imports("from os import remove")),
    mutant("read-only-claim-untrue", KILN, "runs", (COMMANDS, '"log", "--oneline", "-n", "20", "--"', '"restore", "--"'), at=(COMMANDS, 'done = subprocess.run(["git", *words]')),
    mutant("read-only-claim-untrue", KILN, "puts", (SERVER, GET, '        answer = await client.put(f"{PRICES}/gas/{day}", json={"asked": True})  # ⚑')),
    mutant("read-only-claim-untrue", KILN, "sends a method by name", (SERVER, GET, '        answer = await client.request("DELETE", f"{PRICES}/gas/{day}")  # ⚑')),
    mutant("read-only-claim-untrue", KILN, "statement", (SERVER, LIST, f'{LIST}\n    with sqlite3.connect("kiln.db") as rows:\n        rows.execute("DELETE FROM plans WHERE word = ?", (word,))  # ⚑'), _imports("sqlite3")),
    mutant("read-only-claim-untrue", KILN, "claimed of a tool that deletes", (SERVER, "ToolAnnotations(readOnlyHint=False, destructiveHint=True)", "READS"), at=AT_DELETE),
    mutant("read-only-claim-untrue", KILN, "claimed in words", (SERVER, '@mcp.tool(annotations=ToolAnnotations(readOnlyHint=False, destructiveHint=True))', "@mcp.tool()"), (SERVER, "Delete a firing plan for good. Use", "Tidy a firing plan. This tool is read-only. Use"), at=AT_DELETE, also=("write-not-marked",)),
    harmless("read-only-claim-untrue", KILN, "cache", (SERVER, LIST, f'{LIST}\n    Path(".cache", "found.txt").write_text(word)')),
    harmless("read-only-claim-untrue", KILN, "log", (SERVER, LIST, f'{LIST}\n    with open("kiln.log", "a") as log:\n        log.write(word)')),
    harmless("read-only-claim-untrue", KILN, "asks by a post", (SERVER, GET, '        answer = await client.post(f"{PRICES}/search", json={"day": day})')),
    harmless("read-only-claim-untrue", KILN, "reads by a command", (COMMANDS, '"log", "--oneline", "-n", "20", "--"', '"show", "--stat", "--"')),
    harmless("read-only-claim-untrue", KILN, "removes from a list", (SERVER, LIST, f'{LIST}\n    if "draft" in found:\n        found.remove("draft")')),
]

MARK = "@mcp.tool(annotations=ToolAnnotations(readOnlyHint=False, destructiveHint=True))"
OTHER = "@mcp.tool(annotations=ToolAnnotations(readOnlyHint=False, destructiveHint=False))\ndef save_plan"
AT_TOOL = (SERVER, "def delete_plan")

UNMARKED = [
    mutant("write-not-marked", KILN, "no annotations", (SERVER, MARK, "@mcp.tool()"), at=AT_TOOL),
    mutant("write-not-marked", KILN, "other annotations", (SERVER, MARK, "@mcp.tool(annotations=ToolAnnotations(openWorldHint=False))"), at=AT_TOOL),
    mutant("write-not-marked", KILN, "title only", (SERVER, MARK, '@mcp.tool(annotations={"title": "Delete"})'), at=AT_TOOL),
    mutant("write-not-marked", KILN, "a tool that writes", (SERVER, OTHER, "@mcp.tool()\ndef save_plan"), at=(SERVER, "def save_plan")),
    mutant("write-not-marked", KILN, "nothing said", (SERVER, MARK, "@mcp.tool(annotations=ToolAnnotations(readOnlyHint=None))"), at=AT_TOOL),
    mutant("write-not-marked", KILN, "a new tool", (SERVER, "def main() -> None:", '@mcp.tool()\ndef tidy_plans() -> str:  # ⚑\n    """Tidy the folder of plans. Use it when the user asks for it."""\n    shutil.rmtree("plans")\n    return "tidy"\n\n\ndef main() -> None:'), _imports("shutil")),
    harmless("write-not-marked", KILN, "destructive only", (SERVER, MARK, "@mcp.tool(annotations=ToolAnnotations(destructiveHint=True))")),
    harmless("write-not-marked", KILN, "not read-only", (SERVER, OTHER, OTHER.replace(", destructiveHint=False", ""))),
    harmless("write-not-marked", KILN, "a tool that reads", (SERVER, '@mcp.tool(annotations=READS)\ndef read_plan', "@mcp.tool()\ndef read_plan")),
]

MUTANTS = [*BLOCKING, *PRINTING, *AS_SUCCESS, *EMPTY, *SWALLOWED, *SPAWNED, *OUTLIVING, *CLAIMS, *UNMARKED]
