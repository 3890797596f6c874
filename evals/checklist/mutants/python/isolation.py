"""§8 of the checklist, in Python: an exception of a handler is what a panic is in Rust."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

SERVER = "archive/mcp/server.py"
ISOLATION = "archive/mcp/isolation.py"
CLINIC = "clinic/main.py"
TASK = "tasks/server.py"
TRY = ("dispatch-without-try",)
STDIO = ("stdio-without-isolation", "panic-not-logged")
BODY = """
    try:
        return await work
    except ToolError:
        raise
    except Exception:
        panic.exception("tool handler panicked")
        raise ToolError("internal", "tool handler panicked") from None
"""
LAST = """
    except Exception:
        panic.exception("tool handler panicked")
        raise ToolError("internal", "tool handler panicked") from None
"""
CLINIC_TRY = """
    try:
        value = await handle(name, arguments)
    except LookupError as error:
        return failure(str(error))
    except Exception:
        log.exception("tool handler panicked")
        return failure("tool handler panicked")
"""
CLINIC_LAST = """
    except Exception:
        log.exception("tool handler panicked")
        return failure("tool handler panicked")
"""
TASK_LAST = """
    except Exception:
        panic.exception("tool handler panicked")
        raise ToolError("tool handler panicked") from None
"""
CALL = "value = await isolated(dispatch(name, action, with_page(arguments)))"
ENTRY = (SERVER, "async def call_tool(")
CLINIC_ENTRY = (CLINIC, "async def call(")

NOT_ISOLATED = [
    mutant("dispatch-without-isolation", "python_dispatch", "not wrapped", (SERVER, CALL, "value = await dispatch(name, action, with_page(arguments))  # ⚑"), at=ENTRY, instead=TRY, also=STDIO),
    mutant("dispatch-without-isolation", "python_dispatch", "wrapper that only waits", (ISOLATION, BODY, "    return await work"), at=ENTRY, instead=TRY, also=STDIO),
    mutant("dispatch-without-isolation", "python_dispatch", "finally only", (ISOLATION, BODY, '    try:\n        return await work\n    finally:\n        panic.debug("done")'), at=ENTRY, instead=TRY, also=STDIO),
    mutant("dispatch-without-isolation", "python_dispatch", "catches its own errors only", (ISOLATION, BODY, "    try:\n        return await work\n    except ToolError:\n        raise"), at=ENTRY, instead=TRY, also=STDIO),
    mutant("dispatch-without-isolation", "python_lowlevel", "no try", (CLINIC, CLINIC_TRY, "    value = await handle(name, arguments)  # ⚑"), at=CLINIC_ENTRY, instead=TRY, also=STDIO),
    mutant("dispatch-without-isolation", "python_lowlevel", "narrow except", (CLINIC, CLINIC_LAST, ""), at=CLINIC_ENTRY, instead=TRY, also=STDIO),
    mutant("dispatch-without-isolation", "python_lowlevel", "one tool outside", (CLINIC, "    try:\n        value = await handle(name, arguments)\n", """
    if name == "find_visits":
        return CallToolResult(content=[TextContent(type="text", text=json.dumps(find_visits(arguments)))], isError=False)
    try:
        value = await handle(name, arguments)

"""), at=CLINIC_ENTRY, instead=TRY, also=(*STDIO, "response-built-by-hand")),
    mutant("dispatch-without-isolation", "python_lowlevel", "raised again", (CLINIC, CLINIC_LAST, '    except Exception:\n        log.exception("tool handler panicked")\n        raise'), at=CLINIC_ENTRY, instead=TRY, also=STDIO),
    mutant("dispatch-without-isolation", "python_single", "no try", (TASK, """
    try:
        return await dispatch(action, request)
    except UnknownActionError as error:
        raise ToolError(f"no action `{error}`") from None
""" + TASK_LAST[1:], "    return await dispatch(action, request)"), at=(TASK, "async def task("), instead=TRY, also=STDIO),
]

LEAKED = [
    mutant("panic-text-leaked", "python_dispatch", "traceback", (ISOLATION, LAST, """
    except Exception:
        panic.exception("tool handler panicked")
        raise ToolError("internal", traceback.format_exc()) from None  # ⚑
"""), (ISOLATION, "import logging\n", "import logging\nimport traceback\n")),
    mutant("panic-text-leaked", "python_dispatch", "imported by another name", (ISOLATION, LAST, """
    except Exception as error:
        panic.exception("tool handler panicked")
        trace = "".join(lines_of(error))  # ⚑
        raise ToolError("internal", trace) from None  # ⚑
"""), (ISOLATION, "import logging\n", "import logging\nfrom traceback import format_exception as lines_of\n")),
    mutant("panic-text-leaked", "python_dispatch", "text of the error", (ISOLATION, LAST, """
    except Exception as error:
        panic.exception("tool handler panicked")
        raise ToolError("internal", str(error)) from None  # ⚑
""")),
    mutant("panic-text-leaked", "python_dispatch", "repr in a text", (ISOLATION, LAST, """
    except Exception as error:
        panic.exception("tool handler panicked")
        raise ToolError("internal", f"tool handler panicked: {error!r}") from error  # ⚑
""")),
    mutant("panic-text-leaked", "python_lowlevel", "traceback", (CLINIC, CLINIC_LAST, """
    except Exception:
        log.exception("tool handler panicked")
        return failure(traceback.format_exc())  # ⚑
"""), (CLINIC, "import sys\n", "import sys\nimport traceback\n")),
    mutant("panic-text-leaked", "python_lowlevel", "arguments of the error", (CLINIC, CLINIC_LAST, """
    except Exception as error:
        log.exception("tool handler panicked")
        return failure("tool handler panicked: " + ", ".join(map(str, error.args)))  # ⚑
""")),
    mutant("panic-text-leaked", "python_lowlevel", "last exception", (CLINIC, CLINIC_LAST, """
    except BaseException:
        log.exception("tool handler panicked")
        kind, cause, _ = sys.exc_info()
        return failure(f"{kind}: {cause}")  # ⚑
""")),
    mutant("panic-text-leaked", "python_single", "helper", (TASK, TASK_LAST, """
    except Exception as error:
        panic.exception("tool handler panicked")
        raise ToolError(told(error)) from None  # ⚑
"""), (TASK, "class Confirm(BaseModel):", 'def told(error: Exception) -> str:\n    return f"tool handler panicked: {error}"\n\n\nclass Confirm(BaseModel):')),
    mutant("panic-text-leaked", "python_single", "percent", (TASK, TASK_LAST, """
    except Exception as error:
        panic.exception("tool handler panicked")
        raise ToolError("tool handler panicked: %s" % (error,)) from None  # ⚑
""")),
]

UNLOGGED = [
    mutant("panic-not-logged", "python_dispatch", "no event", (ISOLATION, '        panic.exception("tool handler panicked")\n', ""), at=(ISOLATION, "except Exception:")),
    mutant("panic-not-logged", "python_dispatch", "printed", (ISOLATION, 'panic.exception("tool handler panicked")', 'print("tool handler panicked")'), at=(ISOLATION, "except Exception:")),
    mutant("panic-not-logged", "python_lowlevel", "no event", (CLINIC, '        log.exception("tool handler panicked")\n', ""), at=(CLINIC, "except Exception:")),
    mutant("panic-not-logged", "python_lowlevel", "logger of another name", (CLINIC, 'log = logging.getLogger("panic")', "log = logging.getLogger(__name__)"), at=(CLINIC, "except Exception:")),
    mutant("panic-not-logged", "python_single", "no event", (TASK, '        panic.exception("tool handler panicked")\n', ""), at=(TASK, "except Exception:")),
    mutant("panic-not-logged", "python_single", "debug only", (TASK, 'panic.exception("tool handler panicked")', 'panic.debug("tool handler panicked")'), at=(TASK, "except Exception:")),
]

HARMLESS = [
    harmless("dispatch-without-isolation", "python_dispatch", "try in the entry", (SERVER, "        " + CALL, """
        try:
            value = await dispatch(name, action, with_page(arguments))
        except ToolError:
            raise
        except Exception:
            logging.getLogger("panic").exception("tool handler panicked")
            raise ToolError("internal", "tool handler panicked") from None
"""), (SERVER, "import json\n", "import json\nimport logging\n"), (SERVER, "from archive.mcp.isolation import isolated\n", "")),
    harmless("panic-text-leaked", "python_dispatch", "text of its own errors", (ISOLATION, "    except ToolError:\n        raise\n", '    except ToolError as error:\n        raise ToolError(error.kind, f"refused: {error.message}") from None\n')),
    harmless("panic-text-leaked", "python_lowlevel", "traceback logged only", (CLINIC, 'log.exception("tool handler panicked")', 'log.error("tool handler panicked: %s", traceback.format_exc())'), (CLINIC, "import sys\n", "import sys\nimport traceback\n")),
    harmless("panic-not-logged", "python_lowlevel", "error with the trace", (CLINIC, 'log.exception("tool handler panicked")', 'log.error("tool handler panicked", exc_info=True)')),
]

MUTANTS = [*NOT_ISOLATED, *LEAKED, *UNLOGGED, *HARMLESS]
