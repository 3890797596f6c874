"""Failures of Python tools that are raised as errors of the protocol, and errors that show where files lie."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

KILN = "python_kiln_trait"
SERVER = "kiln/server.py"
STORE = "kiln/store.py"
COMMANDS = "kiln/commands.py"

IMPORTS = "from mcp.types import ToolAnnotations"
RAISE = '        raise ToolError(f"There is no plan {name}; list_plans tells which there are.") from error'
LIST = "    found = [name for name in plans.names() if word in name]"
SIMULATED = "    return await commands.simulated(text)"
DONE = '    done = subprocess.run(["git", *words], capture_output=True, text=True, timeout=30, check=True)'
DECODED = "    return out.decode()"
MAIN = "def main() -> None:"
AT_IMPORTS = (COMMANDS, "import asyncio\nimport subprocess\n")


def _imports(*names: str) -> tuple[str, str, str]:
    return SERVER, IMPORTS, "\n".join((IMPORTS, *names))


PROTOCOL = _imports("from mcp.shared.exceptions import McpError", "from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, ErrorData")

PROTOCOL_ERRORS = [
    mutant("protocol-error-from-tool", KILN, "where a failure is caught", (SERVER, RAISE, '        raise McpError(ErrorData(code=INTERNAL_ERROR, message=f"no plan {name}")) from error  # ⚑'), PROTOCOL),
    mutant("protocol-error-from-tool", KILN, "under another name, by a number", (SERVER, RAISE, '        raise Refused(types.ErrorData(code=-32603, message=f"no plan {name}")) from error  # ⚑'), _imports("from mcp import McpError as Refused", "from mcp import types")),
    mutant("protocol-error-from-tool", KILN, "bound before", (SERVER, RAISE, '        problem = ErrorData(code=INTERNAL_ERROR, message=f"no plan {name}")\n        refusal = McpError(problem)\n        raise refusal from error  # ⚑'), PROTOCOL),
    mutant("protocol-error-from-tool", KILN, "made by a function", (SERVER, RAISE, "        raise failed(name) from error  # ⚑"), (SERVER, MAIN, f'def failed(name: str) -> McpError:\n    """Tell of a failure."""\n    return McpError(ErrorData(code=INTERNAL_ERROR, message=f"no plan {{name}}"))\n\n\n{MAIN}'), PROTOCOL),
    mutant("protocol-error-from-tool", KILN, "early, in another file", (COMMANDS, DECODED, f'    if command.returncode:\n        raise McpError(ErrorData(code=INTERNAL_ERROR, message="the simulator failed"))  # ⚑\n{DECODED}'), (*AT_IMPORTS, f"{AT_IMPORTS[1]}\nfrom mcp.shared.exceptions import McpError\nfrom mcp.types import INTERNAL_ERROR, ErrorData\n")),
    mutant("protocol-error-from-tool", KILN, "two calls deep", (COMMANDS, DONE, f'    if not words:\n        raise McpError(ErrorData(code=CODE, message="nothing to run"))  # ⚑\n{DONE}'), (*AT_IMPORTS, f"{AT_IMPORTS[1]}\nfrom mcp.shared.exceptions import McpError\nfrom mcp.types import ErrorData\n\nCODE = -32603\n")),
    mutant("protocol-error-from-tool", KILN, "of the newer SDK", (SERVER, RAISE, '        raise MCPError(code=INTERNAL_ERROR, message=f"no plan {name}") from error  # ⚑'), _imports("from mcp.shared.exceptions import MCPError", "from mcp.types import INTERNAL_ERROR")),
    mutant("protocol-error-from-tool", KILN, "a class of its own", (SERVER, RAISE, "        raise KilnError(name) from error  # ⚑"), (SERVER, "MOST = 50", 'MOST = 50\n\n\nclass KilnError(McpError):\n    """A failure of the kiln."""\n\n    def __init__(self, text: str) -> None:\n        super().__init__(ErrorData(code=INTERNAL_ERROR, message=text))\n'), PROTOCOL),
    harmless("protocol-error-from-tool", KILN, "arguments that do not fit", (SERVER, LIST, f'    if not word.strip():\n        raise McpError(ErrorData(code=INVALID_PARAMS, message="`word` is blank"))\n{LIST}'), PROTOCOL),
    harmless("protocol-error-from-tool", KILN, "caught", (SERVER, RAISE, f'{RAISE}\n    except McpError as error:\n        raise ToolError("cold") from error'), PROTOCOL),
    harmless("protocol-error-from-tool", KILN, "a class of that name", (SERVER, RAISE, "        raise McpError(name) from error"), (SERVER, "MOST = 50", 'MOST = 50\n\n\nclass McpError(Exception):\n    """A failure of the kiln."""\n')),
    harmless("protocol-error-from-tool", KILN, "no tool", (SERVER, MAIN, f'@mcp.resource("kiln://log")\ndef log() -> str:\n    """Give the log."""\n    raise McpError(ErrorData(code=INTERNAL_ERROR, message="no log"))\n\n\n{MAIN}'), PROTOCOL),
]

FOUND = '        return self._path(name).read_text("utf-8")'
PATH = "        if path.parent != self._folder.resolve():"
OUTSIDE = '            raise ValueError("a plan lies in the folder of plans")'

LEAKS = [
    mutant("error-leaks-path", KILN, "resolved, in another file", (STORE, OUTSIDE, '            raise ValueError(f"{path} lies outside")  # ⚑')),
    mutant("error-leaks-path", KILN, "joined to a text", (STORE, OUTSIDE, '            raise ValueError("plans lie in " + str(self._folder.resolve()))  # ⚑')),
    mutant("error-leaks-path", KILN, "by the function that gives it", (STORE, FOUND, f'        if not self._path(name).exists():\n            raise FileNotFoundError("nothing at {{}}".format(self._path(name)))  # ⚑\n{FOUND}')),
    mutant("error-leaks-path", KILN, "in the tool", (SERVER, RAISE, '        raise ToolError(f"no {os.path.abspath(name)}") from error  # ⚑')),
    mutant("error-leaks-path", KILN, "imported, bound to a name", (SERVER, RAISE, '        place = absolute(name)\n        said = "nothing at %s" % place\n        raise ToolError(said) from error  # ⚑'), _imports("from os.path import realpath as absolute")),
    mutant("error-leaks-path", KILN, "a constant of the module", (SERVER, RAISE, '        raise ToolError(f"no {HERE / name}") from error  # ⚑'), (SERVER, "MOST = 50", "MOST = 50\nHERE = Path(__file__).resolve().parent")),
    mutant("error-leaks-path", KILN, "the working directory", (SERVER, RAISE, '        raise ToolError(f"no plan {name} below {Path.cwd()}") from error  # ⚑')),
    mutant("error-leaks-path", KILN, "what the system says", (STORE, FOUND, '        path = self._path(name)\n        try:\n            return path.read_text("utf-8")\n        except OSError as error:\n            raise ValueError(f"cannot read: {error}") from error  # ⚑')),
    mutant("error-leaks-path", KILN, "in a marked answer", (SERVER, RAISE, '        return CallToolResult(content=[TextContent(type="text", text=f"no {Path(name).absolute()}")], isError=True)  # ⚑'), (SERVER, "import ToolAnnotations", "import CallToolResult, TextContent, ToolAnnotations")),
    harmless("error-leaks-path", KILN, "the name that was given", (STORE, OUTSIDE, '            raise ValueError(f"{name} lies outside of the folder of plans")')),
    harmless("error-leaks-path", KILN, "a part of it", (STORE, OUTSIDE, '            raise ValueError(f"{path.name} of {path.relative_to(self._folder)} lies outside")')),
    harmless("error-leaks-path", KILN, "logged", (STORE, PATH, f'        logger.debug("looking at %s", path)\n{PATH}')),
    harmless("error-leaks-path", KILN, "what kind of failure it is", (STORE, FOUND, '        path = self._path(name)\n        try:\n            return path.read_text("utf-8")\n        except PermissionError as error:\n            raise ValueError(f"cannot read {name}: {error.strerror}") from error')),
]

MUTANTS = [*PROTOCOL_ERRORS, *LEAKS]
