"""§17 of the authoring guidelines, in Python: the error decorator, and the mapping behind it."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

MARINA = "python_marina_object"
HARBOURS = "tidewater_mcp/harbours.py"
BOOKINGS = "tidewater_mcp/bookings.py"
ACCOUNTS = "tidewater_mcp/accounts.py"
BERTHS = "tidewater_mcp/berths.py"
CLIENT = "tidewater_mcp/client.py"
CODES = "tidewater_mcp/errors/codes.py"
HANDLER = "tidewater_mcp/errors/handler.py"
MAPPING = "tidewater_mcp/errors/mapping.py"
PACKAGE = "tidewater_mcp/errors/__init__.py"
EXCEPTIONS = "tidewater_mcp/exceptions.py"

GET = "@handle_tool_errors\nasync def harbour_get("
BARE = "async def harbour_get(  # ⚑"
WHOLE = '@mcp.tool(\n    name="harbour.get",'
LOGGED = '''

def logged(function):
    """Log what a tool raises."""

    @wraps(function)
    async def told(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        except BROAD:
            DO

    return told
'''
EXPORTED = (PACKAGE, "from .handler import handle_tool_errors", "from .handler import handle_tool_errors, logged")


def lacking(name: str, broad: str, do: str):
    return mutant("error-decorator-missing", MARINA, name, (HANDLER, "    return enveloped\n", "    return enveloped\n" + LOGGED.replace("BROAD", broad).replace("DO", do)), EXPORTED,
                  (HARBOURS, GET, "@logged\n" + BARE), (HARBOURS, "import handle_tool_errors", "import handle_tool_errors, logged"))


MISSING = [
    mutant("error-decorator-missing", MARINA, "left out", (HARBOURS, GET, BARE)),
    mutant("error-decorator-missing", MARINA, "commented out", (HARBOURS, GET, "# @handle_tool_errors\n" + BARE)),
    lacking("one that only logs", "Exception as error", "log.warning(str(error))\n            raise"),
    lacking("one that catches some", "LookupError", "return None"),
    lacking("one that raises what it caught", "Exception as error", "raise error"),
    mutant("error-decorator-missing", MARINA, "registered by a call", (ACCOUNTS, "@handle_tool_errors\nasync def account_get", "async def account_get"), (ACCOUNTS, '''@mcp.tool(
    name="account.get",
    title="Show the account",
    description="Show the Tidewater account behind the token; use it when you need to know whether it may book.",
    annotations={"readOnlyHint": True, "openWorldHint": True},
)
''', ""), (ACCOUNTS, '"book" in found["scopes"])', '''"book" in found["scopes"])


mcp.tool(
    name="account.get",
    title="Show the account",
    description="Show the Tidewater account behind the token; use it when you need to know whether it may book.",
    annotations={"readOnlyHint": True, "openWorldHint": True},
)(account_get)'''), at=(ACCOUNTS, "async def account_get"), also=("tool-name-refused", "suppression-unused")),
    harmless("error-decorator-missing", MARINA, "another name", (HARBOURS, GET, GET.replace("handle_tool_errors", "answering")), (HARBOURS, "import handle_tool_errors", "import handle_tool_errors, handle_tool_errors as answering")),
    harmless("error-decorator-missing", MARINA, "through the package", (HARBOURS, GET, GET.replace("@", "@errors.")), (HARBOURS, "from .app import mcp", "from . import errors\nfrom .app import mcp")),
    harmless("error-decorator-missing", MARINA, "with another inside", (HARBOURS, GET, GET.replace("\n", "\n@functools.lru_cache\n")), (HARBOURS, "from .app import mcp", "import functools\n\nfrom .app import mcp")),
    harmless("error-decorator-missing", MARINA, "a name in the module", (HARBOURS, GET, GET.replace("handle_tool_errors", "answering")), (HARBOURS, "import to_harbour, to_harbour_item", "import to_harbour, to_harbour_item\n\nanswering = handle_tool_errors")),
]

OUTSIDE = "decorator-without-effect"


def outside(name: str, mark: str, imported: tuple[str, str, str] | None = None):
    edits = [(HARBOURS, WHOLE, f"{mark}  # ⚑\n{WHOLE}"), (HARBOURS, GET, GET.partition("\n")[2])]
    return mutant(OUTSIDE, MARINA, name, *edits, *([imported] if imported else []))


ABOVE = [
    outside("above", "@handle_tool_errors"),
    outside("under another name", "@answering", (HARBOURS, "import handle_tool_errors", "import handle_tool_errors, handle_tool_errors as answering")),
    outside("through the package", "@errors.handle_tool_errors", (HARBOURS, "from .app import mcp", "from . import errors\nfrom .app import mcp")),
    outside("a name in the module", "@answering", (HARBOURS, "import to_harbour, to_harbour_item", "import to_harbour, to_harbour_item\n\nanswering = handle_tool_errors")),
    mutant(OUTSIDE, MARINA, "both above and below", (HARBOURS, WHOLE, f"@handle_tool_errors  # ⚑\n{WHOLE}")),
    mutant(OUTSIDE, MARINA, "twice below", (HARBOURS, GET, "@handle_tool_errors  # ⚑\n" + GET)),
    mutant(OUTSIDE, MARINA, "another one above", (HANDLER, "    return enveloped\n", "    return enveloped\n" + LOGGED.replace("BROAD", "LookupError").replace("DO", "return None")), EXPORTED,
           (HARBOURS, WHOLE, "@logged  # ⚑\n" + WHOLE), (HARBOURS, "import handle_tool_errors", "import handle_tool_errors, logged")),
    harmless(OUTSIDE, MARINA, "one from elsewhere above", (HARBOURS, WHOLE, "@traced\n" + WHOLE), (HARBOURS, "from .app import mcp", "from tracing import traced\n\nfrom .app import mcp")),
    harmless(OUTSIDE, MARINA, "one that only notes", (HARBOURS, WHOLE, "@noted\n" + WHOLE), (HARBOURS, "import to_harbour, to_harbour_item", "import to_harbour, to_harbour_item\n\nNOTED = []\n\n\ndef noted(function):\n    NOTED.append(function.__name__)\n    return function")),
    harmless(OUTSIDE, MARINA, "another one below", (HANDLER, "    return enveloped\n", "    return enveloped\n" + LOGGED.replace("BROAD", "LookupError").replace("DO", "return None")), EXPORTED,
             (HARBOURS, GET, "@handle_tool_errors\n@logged\nasync def harbour_get("), (HARBOURS, "import handle_tool_errors", "import handle_tool_errors, logged")),
]

RAISED = '        raise InvalidRequestError("Nothing is to be changed.")'
UNMAPPED = "exception-not-mapped"


def raising(name: str, new: str, *more: tuple[str, str | None, str], also: tuple[str, ...] = ()):
    return mutant(UNMAPPED, MARINA, name, (BOOKINGS, RAISED, f"        {new}  # ⚑"), *more, also=also)


def knowing(name: str, new: str, *more: tuple[str, str | None, str]):
    return harmless(UNMAPPED, MARINA, name, (BOOKINGS, RAISED, f"        {new}"), *more)


NEW_ERROR = (EXCEPTIONS, '"""What can go wrong between a tool and Tidewater."""\n', '"""What can go wrong between a tool and Tidewater."""\n\n\nclass StormError(Exception):\n    """Nobody sails."""\n')
NEVER = ("exception-never-mapped",)
NOT_MAPPED = [
    raising("a value error", 'raise ValueError("Nothing is to be changed.")'),
    raising("any", 'raise Exception("Nothing is to be changed.")'),
    raising("a class alone", "raise RuntimeError"),
    raising("from another", 'raise TypeError("Nothing is to be changed.") from None'),
    raising("of the project, of no family", "raise StormError", NEW_ERROR, (BOOKINGS, "import InvalidRequestError", "import InvalidRequestError, StormError"), also=NEVER),
    raising("through a module", "raise exceptions.StormError()", NEW_ERROR, (BOOKINGS, "from .app import mcp", "from . import exceptions\nfrom .app import mcp"), also=NEVER),
    mutant(UNMAPPED, MARINA, "in a helper", (BOOKINGS, RAISED, "        refuse()"), (BOOKINGS, "import to_booking, to_booking_item", 'import to_booking, to_booking_item\n\n\ndef refuse() -> None:\n    """Refuse."""\n    raise ValueError("Nothing is to be changed.")  # ⚑')),
    mutant(UNMAPPED, MARINA, "in the projection", ("tidewater_mcp/models/projection.py", '    """Give one booking in full."""', '    """Give one booking in full."""\n    if not found:\n        raise ValueError("nothing found")  # ⚑')),
    mutant(UNMAPPED, MARINA, "of a descendant of a builtin", (BOOKINGS, RAISED, "        raise UnicodeError  # ⚑")),
    knowing("one of a family that has a branch", "raise StormError", (NEW_ERROR[0], "class AccessDeniedError(TidewaterError):", 'class StormError(TidewaterError):\n    """Nobody sails."""\n\n\nclass AccessDeniedError(TidewaterError):'), (BOOKINGS, "import InvalidRequestError", "import InvalidRequestError, StormError"), (MAPPING, "isinstance(error, (Unavail", "isinstance(error, (StormError, Unavail"), (MAPPING, "    NotThereError,\n", "    NotThereError,\n    StormError,\n")),
    knowing("a builtin with a branch", 'raise ValueError("Nothing is to be changed.")', (MAPPING, "isinstance(error, (Unavail", "isinstance(error, (ValueError, Unavail")),
    knowing("an ancestor with a branch", "raise IndexError", (MAPPING, "isinstance(error, (Unavail", "isinstance(error, (LookupError, Unavail")),
    knowing("not finished", "raise NotImplementedError"),
    knowing("caught again", 'try:\n            raise ValueError\n        except ValueError as error:\n            raise InvalidRequestError("Nothing is to be changed.") from error'),
]

PAUSE = "pause = int(error.pause_s * 1000) if error.pause_s is not None else None"
CAN = "mapper-can-raise"
UNKNOWN = 'return ToolIssue(code=IssueCode.INTERNAL, message="Internal error.")'
FIRST = '    """Say what went wrong without telling anything of our insides."""'
CAUGHT = "issues=[map_exception(error)])"


def failing(name: str, old: str, new: str, path: str = MAPPING, also: tuple[str, ...] = ()):
    return mutant(CAN, MARINA, name, (path, old, new), also=also)


def sound(name: str, old: str, new: str, path: str = MAPPING):
    return harmless(CAN, MARINA, name, (path, old, new))


HTTP = '    if isinstance(error, httpx.HTTPStatusError):\n        BODY\n        return ToolIssue(code=IssueCode.RATE_LIMIT, message="Too many calls.", retry_after_ms=pause)\n'


def http(body: str) -> str:
    return FIRST + "\n" + HTTP.replace("BODY", body)


FAILING = [
    failing("an assertion", f"        {PAUSE}", f"        assert error.pause_s  # ⚑\n        {PAUSE}"),
    failing("not tested", PAUSE, "pause = int(error.pause_s * 1000)  # ⚑"),
    failing("not tested, as a number", PAUSE, "pause = int(error.pause_s)  # ⚑"),
    failing("the first argument of any", UNKNOWN, 'return ToolIssue(code=IssueCode.INTERNAL, message=f"Internal error {len(error.args[0])}.")  # ⚑', also=("exception-text-leaked",)),
    failing("an attribute that few have", UNKNOWN, "return ToolIssue(code=error.code, message=\"Internal error.\")  # ⚑"),
    failing("an attribute in the decorator", CAUGHT, 'issues=[map_exception(error), ToolIssue(code=error.code, message="No.")])  # ⚑', HANDLER),
    failing("a header that need not be there", FIRST, http('pause = float(error.response.headers["Retry-After"])  # ⚑')),
    failing("a header that need be no number", FIRST, http('pause = int(error.response.headers.get("Retry-After", "0"))  # ⚑')),
    failing("a body that need be no JSON", FIRST, http('pause = error.response.json().get("pause")  # ⚑')),
    failing("a table without the class", UNKNOWN, 'return ToolIssue(code=TABLE[type(error)], message="Internal error.")  # ⚑\n\n\nTABLE = {OSError: IssueCode.TRANSIENT}'),
    failing("a response of an exception without one", FIRST, http("pause = error.response.status_code  # ⚑").replace("HTTPStatusError", "TransportError")),
    sound("tested before", PAUSE, "pause = None\n        if error.pause_s is not None:\n            pause = int(error.pause_s * 1000)"),
    sound("with a default", PAUSE, "pause = int((error.pause_s or 0) * 1000)"),
    sound("tested by truth", PAUSE, "pause = int(error.pause_s * 1000) if error.pause_s else None"),
    sound("the class asserted", f"        {PAUSE}", f"        assert isinstance(error, TooManyCallsError)\n        {PAUSE}"),
    sound("a header tested", FIRST, http('after = error.response.headers.get("Retry-After", "")\n        pause = int(after) * 1000 if after.isdigit() else None')),
    sound("caught again", FIRST, http('try:\n            pause = int(error.response.headers["Retry-After"])\n        except (KeyError, ValueError):\n            pause = None')),
    sound("an attribute looked for", UNKNOWN, 'return ToolIssue(code=getattr(error, "code", IssueCode.INTERNAL), message="Internal error.")'),
]

LEAK = "exception-text-leaked"
INTERNAL = 'message="Internal error.")'
LEAKS = [
    mutant(LEAK, MARINA, "its text", (MAPPING, INTERNAL, "message=str(error))  # ⚑")),
    mutant(LEAK, MARINA, "interpolated", (MAPPING, INTERNAL, 'message=f"Internal error: {error}")  # ⚑')),
    mutant(LEAK, MARINA, "its representation", (MAPPING, INTERNAL, 'message="Internal error: " + repr(error))  # ⚑')),
    mutant(LEAK, MARINA, "put in by percent", (MAPPING, INTERNAL, 'message="Internal error: %s" % error)  # ⚑')),
    mutant(LEAK, MARINA, "put in by format", (MAPPING, INTERNAL, 'message="Internal error: {}".format(error))  # ⚑')),
    mutant(LEAK, MARINA, "through a name", (MAPPING, UNKNOWN, 'said = f"{error}"\n    return ToolIssue(code=IssueCode.INTERNAL, message=said)  # ⚑')),
    mutant(LEAK, MARINA, "as a hint", (MAPPING, INTERNAL, 'message="Internal error.", hint=str(error))  # ⚑')),
    mutant(LEAK, MARINA, "by the decorator", (HANDLER, CAUGHT, 'issues=[ToolIssue(code="INTERNAL", message=str(error))])  # ⚑'), (HANDLER, "from .response import ToolResponse", "from .response import ToolIssue, ToolResponse"), also=("issue-code-never-given",)),
    harmless(LEAK, MARINA, "the class's name", (MAPPING, INTERNAL, 'message=f"Internal error: {type(error).__name__}.")')),
    harmless(LEAK, MARINA, "of one that is ours", (MAPPING, 'message="Tidewater refused the call.")', "message=str(error))")),
    harmless(LEAK, MARINA, "in the log", (HANDLER, 'log.warning("%s failed", function.__name__, exc_info=True)', 'log.warning("%s failed: %s", function.__name__, str(error))')),
    harmless(LEAK, MARINA, "through a name, of one that is ours", (MAPPING, "message=str(error))", "message=said)"), (MAPPING, "    if isinstance(error, InvalidRequestError):\n", "    if isinstance(error, InvalidRequestError):\n        said = str(error)\n")),
]

DECLARED = '    TRANSIENT = "TRANSIENT"'
CODE = "issue-code-never-given"


def declared(name: str, new: str, *more: tuple[str, str | None, str]):
    return mutant(CODE, MARINA, name, (CODES, DECLARED, DECLARED + f"\n    {new}  # ⚑"), *more)


UNGIVEN = [
    declared("a new one", 'GONE = "GONE"'),
    declared("by auto", "GONE = auto()", (CODES, "import StrEnum", "import StrEnum, auto")),
    declared("only compared", 'GONE = "GONE"', (MAPPING, UNKNOWN, "gone = getattr(error, \"status\", None) == IssueCode.GONE\n    return ToolIssue(code=IssueCode.INTERNAL, message=\"Internal error.\", hint=\"Gone.\" if gone else None)")),
    declared("only documented", 'GONE = "GONE"', (MAPPING, FIRST, '    """Say what went wrong; `IssueCode.GONE` is what is no more."""')),
    declared("only in a comment", 'GONE = "GONE"', (MAPPING, UNKNOWN, "# IssueCode.GONE would fit as well\n    " + UNKNOWN)),
    mutant(CODE, MARINA, "its branch left out", (MAPPING, '    if isinstance(error, AlreadyTakenError):\n        return ToolIssue(code=IssueCode.CONFLICT, message="The berth is taken in that time.")\n', ""), (MAPPING, "    AlreadyTakenError,\n", ""), at=(CODES, "    CONFLICT ="), also=NEVER),
    harmless(CODE, MARINA, "given by a tool", (CODES, DECLARED, DECLARED + '\n    GONE = "GONE"'), (ACCOUNTS, "from .models.inputs", "from .errors import IssueCode\nfrom .models.inputs"), (ACCOUNTS, "    return AccountResult", "    assert found, IssueCode.GONE\n    return AccountResult")),
    harmless(CODE, MARINA, "given as a text", (CODES, DECLARED, DECLARED + '\n    GONE = "GONE"'), (MAPPING, UNKNOWN, 'return ToolIssue(code="GONE" if isinstance(error, EOFError) else IssueCode.INTERNAL, message="Internal error.")')),
    harmless(CODE, MARINA, "looked up", (CODES, DECLARED, DECLARED + '\n    GONE = "GONE"'), (MAPPING, FIRST, FIRST + '\n    if getattr(error, "status", "") in IssueCode.__members__:\n        return ToolIssue(code=IssueCode[getattr(error, "status", "INTERNAL")], message="No.")')),
]

TAKEN = '    if isinstance(error, AlreadyTakenError):\n        return ToolIssue(code=IssueCode.CONFLICT, message="The berth is taken in that time.")\n'
STORM = 'class StormError(TidewaterError):\n    """Nobody sails."""\n\n\nclass AccessDeniedError(TidewaterError):'
ANSWERED = 'raise UnavailableError("no answer")'


def storm(name: str, base: str, raised: str, *more: tuple[str, str | None, str], also: tuple[str, ...] = ()):
    return mutant("exception-never-mapped", MARINA, name, (EXCEPTIONS, "class AccessDeniedError(TidewaterError):", STORM.replace("StormError(TidewaterError)", f"StormError({base})").replace("):\n    \"\"\"Nobody", "):  # ⚑\n    \"\"\"Nobody")),
                  (CLIENT, ANSWERED, raised), (CLIENT, "    TooManyCallsError,", "    StormError,\n    TooManyCallsError,"), *more, also=also)


NEVER_MAPPED = [
    storm("of the family", "TidewaterError", 'raise StormError("no answer")'),
    storm("of no family", "Exception", 'raise StormError("no answer")', also=(UNMAPPED,)),
    storm("of a builtin's", "RuntimeError", "raise StormError", also=(UNMAPPED,)),
    storm("made first", "TidewaterError", 'failure = StormError("no answer")\n            raise failure'),
    storm("given by a helper", "TidewaterError", "raise storm()", (CLIENT, "class TidewaterClient:", 'def storm() -> StormError:\n    """Tell of a storm."""\n    return StormError("no answer")\n\n\nclass TidewaterClient:')),
    storm("from another", "TidewaterError", 'raise StormError("no answer") from None'),
    harmless("exception-never-mapped", MARINA, "never raised", (EXCEPTIONS, "class AccessDeniedError(TidewaterError):", STORM)),
    harmless("exception-never-mapped", MARINA, "of one that has a code", (EXCEPTIONS, '"""Tidewater does not answer, or with an error of its own."""', '"""Tidewater does not answer, or with an error of its own."""\n\n\nclass StormError(UnavailableError):\n    """Nobody sails."""'), (CLIENT, ANSWERED, 'raise StormError("no answer")'), (CLIENT, "    TooManyCallsError,", "    StormError,\n    TooManyCallsError,"), (CLIENT, "    UnavailableError,\n", "")),
    harmless("exception-never-mapped", MARINA, "in a tuple of the module", (MAPPING, "(UnavailableError, httpx.TimeoutException, httpx.TransportError)", "PASSING"), (MAPPING, "\n\ndef map_exception", "\nPASSING = (UnavailableError, httpx.TimeoutException, httpx.TransportError)\n\n\ndef map_exception")),
]

PLAIN_ISSUES = (HANDLER, CAUGHT, 'issues=["Internal error."])')
WITHOUT = "failure-without-code"
AT_CLAUSE = (HANDLER, "        except Exception as error")
UNCODED = [
    mutant(WITHOUT, MARINA, "a text", PLAIN_ISSUES, at=AT_CLAUSE, also=NEVER),
    mutant(WITHOUT, MARINA, "a dict", (HANDLER, CAUGHT, 'issues=[{"message": "Internal error."}])'), at=AT_CLAUSE),
    mutant(WITHOUT, MARINA, "nothing", (HANDLER, CAUGHT, "issues=[])"), at=AT_CLAUSE),
    mutant(WITHOUT, MARINA, "an error", (HANDLER, "return ToolResponse(ok=False, result=None, issues=[map_exception(error)])", 'raise RuntimeError("Internal error.") from error'), at=AT_CLAUSE),
    mutant(WITHOUT, MARINA, "a flag", (HANDLER, "result=None, " + CAUGHT, "result=None)"), at=AT_CLAUSE),
    mutant(WITHOUT, MARINA, "a text of a function", (HANDLER, CAUGHT, "issues=[told(error)])"), (HANDLER, "def handle_tool_errors", 'def told(error: Exception) -> str:  # ⚑\n    """Say that it failed."""\n    return "Internal error."\n\n\ndef handle_tool_errors')),
    harmless(WITHOUT, MARINA, "a code in a dict", (HANDLER, CAUGHT, 'issues=[map_exception(error).model_dump()])')),
    harmless(WITHOUT, MARINA, "by the name of an exception", (HANDLER, CAUGHT, "issues=[map_exception(exc=error)])"), (MAPPING, "def map_exception(error: Exception)", "def map_exception(exc: Exception)"), (MAPPING, FIRST, FIRST + "\n    error = exc")),
    harmless(WITHOUT, MARINA, "through a name", (HANDLER, "return ToolResponse(ok=False, result=None, issues=[map_exception(error)])", "issue = map_exception(error)\n            return ToolResponse(ok=False, result=None, issues=[issue])")),
]

MUTANTS = [*MISSING, *ABOVE, *NOT_MAPPED, *FAILING, *LEAKS, *UNGIVEN, *NEVER_MAPPED, *UNCODED]
