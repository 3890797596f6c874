"""What is read of a tool's acts: through which calls, under which names, and of whom nothing is told."""

from pathlib import Path

from python_projects import LOW, OLDER, review

from reviewer.facts import Act, ActKind


def acts(root: Path, files: dict[str, str] | str, *kinds: ActKind) -> list[Act]:
    """Return the acts of all tools of a project: by default of all kinds but the two that nearly all code is of."""
    tools = [tool for server in review(root, files).servers for tool in server.tools]
    found = [act for tool in tools for act in (tool.code.acts if tool.code else ())]
    return [
        act for act in found if (act.kind in kinds if kinds else act.kind not in ("may change", "tells no progress"))
    ]


CHAIN = f"""{OLDER}
import os

def third(path):
    os.remove(path)

def second(path):
    third(path)

def first(path):
    os.rmdir(path)
    second(path)

@mcp.tool()
def drop(path: str) -> None:
    first(path)
"""


class TestReach:
    def test_calls_are_followed_and_named(self, tmp_path: Path) -> None:
        found = acts(tmp_path, CHAIN, "deletes")
        assert [(each.text, each.through) for each in found] == [
            ("os.rmdir(path)", ("first(path)",)),
            ("os.remove(path)", ("first(path)", "second(path)", "third(path)")),
        ]

    def test_an_object_is_known_by_what_declares_it(self, tmp_path: Path) -> None:
        text = f"""{OLDER}
        import os

        class Store:
            def drop(self, path): os.remove(path)

        class Desk:
            store: Store
            def __init__(self, other: Store | None = None):
                self.other = Store()
            def clear(self, path):
                self.other.drop(path)

        def desk() -> Desk:
            return Desk()

        @mcp.tool()
        def one(path: str) -> None:
            desk().clear(path)

        @mcp.tool()
        def two(path: str) -> None:
            _by_hand(Store(), path)

        def _by_hand(store: Store, path: str) -> None:
            store.drop(path)
        """.replace("\n        ", "\n")
        assert [len(each.through) for each in acts(tmp_path, text, "deletes")] == [2, 2]

    def test_a_function_that_calls_itself_ends(self, tmp_path: Path) -> None:
        text = f"{OLDER}\n@mcp.tool()\ndef loop(n: int) -> None:\n    print(n)\n    loop(n)\n"
        assert [each.kind for each in acts(tmp_path, text)] == ["prints"]

    def test_what_is_printed_and_blocks_is_found_however_many_calls_down(self, tmp_path: Path) -> None:
        steps = "".join(f"def step{n}(s):\n    step{n + 1}(s)\n\n" for n in range(6))
        last = "def step6(s):\n    time.sleep(s)\n    print(s)\n\n"
        text = f"import time\n{OLDER}\n{last}{steps}@mcp.tool()\nasync def fire(s: int) -> None:\n    step0(s)\n"
        found = acts(tmp_path, text, "blocks", "prints")
        assert [(each.kind, len(each.through)) for each in found] == [("blocks", 7), ("prints", 7)]

    def test_what_is_handed_over_as_a_function_is_followed(self, tmp_path: Path) -> None:
        text = f"""import time
{OLDER}

class Kiln:
    def __init__(self, wait): self.wait = wait
    def fire(self): self.wait(5)

@mcp.tool()
async def fire() -> None:
    Kiln(time.sleep).fire()
"""
        assert [each.text for each in acts(tmp_path, text, "blocks")] == ["self.wait(5)"]


class TestBranches:
    LISTED = f"""{LOW}
@app.list_tools()
async def tools():
    return [Tool(name=name, description='.', inputSchema={{}}) for name in ('read', 'drop')]
"""

    def test_a_table_by_name(self, tmp_path: Path) -> None:
        text = f"""{self.LISTED}
import os

def drop(arguments): os.remove(arguments['path'])
def read(arguments): return open(arguments['path']).read()

TABLE = {{'read': read, 'drop': drop}}

@app.call_tool()
async def call(name, arguments):
    return TABLE[name](arguments)
"""
        assert [each.text for each in acts(tmp_path, text, "deletes")] == ["os.remove(arguments['path'])"]

    def test_the_only_tool_is_the_whole_dispatcher(self, tmp_path: Path) -> None:
        text = f"""{self.LISTED.replace("('read', 'drop')", "('drop',)")}
import os

@app.call_tool()
async def call(name, arguments):
    os.remove(arguments['path'])
"""
        assert [each.kind for each in acts(tmp_path, text)] == ["blocks briefly", "deletes"]

    def test_a_branch_is_no_handler_of_its_own(self, tmp_path: Path) -> None:
        text = f"""{self.LISTED}
@app.call_tool()
async def call(name, arguments):
    if name == 'read':
        return []
    if name == 'drop':
        raise ValueError('no')
"""
        (server,) = review(tmp_path, text).servers
        assert [tool.handler for tool in server.tools] == [None, None]
        raised = [tool.code.acts.select_kinds("raises") for tool in server.tools if tool.code]
        assert [[act.about for act in each] for each in raised] == [[], ["ValueError"]]


class TestRaises:
    def test_what_is_caught_on_the_way_does_not_leave(self, tmp_path: Path) -> None:
        text = f"""{OLDER}
def inner(n):
    if n:
        raise KeyError(n)
    try:
        raise ValueError(n)
    except ValueError:
        pass
    raise OSError(n)

@mcp.tool()
def outer(n: int) -> None:
    try:
        inner(n)
    except KeyError:
        raise RuntimeError from None
"""
        assert [each.about for each in acts(tmp_path, text, "raises")] == ["OSError", "RuntimeError"]

    def test_a_class_is_known_however_the_exception_is_made(self, tmp_path: Path) -> None:
        text = f"""{OLDER}
Odd = ValueError

class Torn(KeyError): ...

def problem(n) -> Exception:
    return Torn(n)

@mcp.tool()
def fire(n: int) -> None:
    if n == 1:
        raise Odd
    if n == 2:
        raise problem(n)
    raise (TimeoutError(n) if n == 3 else EOFError(n))
"""
        found = [each.about for each in acts(tmp_path, text, "raises")]
        assert found == ["ValueError", "Torn", "TimeoutError", "EOFError"]

    def test_a_clause_takes_subclasses_and_a_manager_suppresses(self, tmp_path: Path) -> None:
        text = f"""from contextlib import suppress
{OLDER}
class Torn(KeyError): ...

TAKEN = (LookupError, IOError)

@mcp.tool()
def fire(n: int) -> None:
    try:
        if n == 1:
            raise Torn(n)
        if n == 2:
            raise FileNotFoundError(n)
        with suppress(ValueError):
            raise UnicodeError(n)
        raise ArithmeticError(n)
    except TAKEN:
        pass
"""
        assert [each.about for each in acts(tmp_path, text, "raises")] == ["ArithmeticError"]


class TestObjects:
    def test_a_method_that_is_a_tool_knows_its_object(self, tmp_path: Path) -> None:
        text = f"""{OLDER}
import time

class Kiln:
    def __init__(self, server, pause: float) -> None:
        self.pause = pause
        server.tool()(self.fire)

    async def fire(
        self,
        minutes: int,
    ) -> str:
        self._wait(minutes)
        return "done"

    def _wait(self, minutes):
        time.sleep(minutes)

Kiln(mcp, 3)
"""
        assert [str(each.text) for each in acts(tmp_path, text, "blocks")] == ["time.sleep(minutes)"]
