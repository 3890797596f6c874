"""§6 of the checklist, in Python."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

GARDEN = "garden/server.py"
TASK = "tasks/server.py"
MAIN = "archive/__main__.py"
HTTP = "archive/mcp/http.py"
AUTH = "archive/mcp/auth.py"
SERVER = "archive/mcp/server.py"
CLINIC = "clinic/main.py"
RUN = 'mcp.run(transport="streamable-http" if os.environ.get("GARDEN_HTTP") else "stdio")'
ALSO = ("http-without-auth", "stdio-without-isolation")
MANAGER_AT = (HTTP, "manager = StreamableHTTPSessionManager(")

SSE = [
    mutant("sse-transport", "python_fastmcp", "literal", (GARDEN, RUN, 'mcp.run(transport="sse")  # ⚑'), also=ALSO),
    mutant("sse-transport", "python_fastmcp", "one of three", (GARDEN, RUN, 'mcp.run(transport="sse" if "--events" in os.sys.argv else "stdio")  # ⚑'), also=ALSO),
    mutant("sse-transport", "python_fastmcp", "constant", (GARDEN, RUN, "mcp.run(transport=TRANSPORT)  # ⚑"), (GARDEN, "beds = Beds()", 'beds = Beds()\nTRANSPORT = "sse"  # ⚑'), also=ALSO),
    mutant("sse-transport", "python_fastmcp", "environment with a default", (GARDEN, RUN, 'mcp.run(os.environ.get("GARDEN_TRANSPORT", "sse"))  # ⚑'), also=ALSO),
    mutant("sse-transport", "python_fastmcp", "enum", (GARDEN, RUN, "mcp.run(transport=Serve.EVENTS.value)  # ⚑"),
           (GARDEN, "class Confirm(BaseModel):", 'class Serve(enum.Enum):\n    STDIO = "stdio"\n    EVENTS = "sse"  # ⚑\n\n\nclass Confirm(BaseModel):'), (GARDEN, "import os\n", "import enum\nimport os\n"), also=ALSO),
    mutant("sse-transport", "python_fastmcp", "choice of a parser", (GARDEN, RUN, """
parser = argparse.ArgumentParser()
    parser.add_argument("--transport", choices=["stdio", "sse"], default="stdio")  # ⚑
    mcp.run(transport=parser.parse_args().transport)  # ⚑
"""), (GARDEN, "import os\n", "import argparse\nimport os\n"), also=ALSO),
    mutant("sse-transport", "python_fastmcp", "app for another server", (GARDEN, RUN, """
import uvicorn

    uvicorn.run(mcp.sse_app(), host="0.0.0.0")  # ⚑
"""), also=ALSO),
    mutant("sse-transport", "python_single", "coroutine", (TASK, "    mcp.run()\n", "    import anyio\n\n    anyio.run(mcp.run_sse_async)  # ⚑\n"), also=ALSO),
    mutant("sse-transport", "python_single", "partial", (TASK, "    mcp.run()\n", '    functools.partial(mcp.run, transport="sse")()  # ⚑\n'), (TASK, "import logging\n", "import functools\nimport logging\n"), also=ALSO),
    mutant("sse-transport", "python_single", "keyword arguments in a dict", (TASK, "    mcp.run()\n", '    settings = {"transport": "sse"}  # ⚑\n    mcp.run(**settings)  # ⚑\n'), also=ALSO),
    mutant("sse-transport", "python_lowlevel", "transport of the low level", (CLINIC, "    routes = [Mount(\"/mcp\", app=sessions.handle_request)]\n", """
    events = SseServerTransport("/messages/")  # ⚑

    async def handle_sse(request: Request) -> Response:
        async with events.connect_sse(request.scope, request.receive, request._send) as streams:
            await app.run(*streams, app.create_initialization_options())
        return Response()

    routes = [
        Mount("/mcp", app=sessions.handle_request),
        Route("/sse", endpoint=handle_sse),  # ⚑
        Mount("/messages/", app=events.handle_post_message),
    ]

"""), (CLINIC, "from mcp.server.stdio import stdio_server\n", "from mcp.server.sse import SseServerTransport  # ⚑\nfrom mcp.server.stdio import stdio_server\n"),
           (CLINIC, "from starlette.routing import Mount\n", "from starlette.routing import Mount, Route\n"), also=ALSO),
    mutant("sse-transport", "python_dispatch", "module by another name", (HTTP, '        routes=[Mount("/mcp", app=manager.handle_request)],', '        routes=[Mount("/mcp", app=manager.handle_request), Mount("/events", app=events)],'),
           (HTTP, "def serve(", """
async def events(scope: Any, receive: Any, send: Any) -> None:
    async with PIPE.connect_sse(scope, receive, send) as (read, write):  # ⚑
        await server.run(read, write, server.create_initialization_options())


PIPE = legacy.SseServerTransport("/events/post")  # ⚑


def serve(
""".rstrip()), (HTTP, "import uvicorn\n", "from typing import Any\n\nimport uvicorn\nfrom mcp.server import sse as legacy  # ⚑\n"), also=ALSO),
]

STDIO_ALSO = ("dispatch-without-isolation", "dispatch-without-try", "panic-not-logged")
STDIO = [
    mutant("stdio-without-isolation", "python_dispatch", "not wrapped", (SERVER, "value = await isolated(dispatch(name, action, with_page(arguments)))", "value = await dispatch(name, action, with_page(arguments))"),
           at=(MAIN, "async with stdio_server()"), also=STDIO_ALSO),
    mutant("stdio-without-isolation", "python_dispatch", "wrapper that only waits", ("archive/mcp/isolation.py", """
    try:
        return await work
    except ToolError:
        raise
    except Exception:
        panic.exception("tool handler panicked")
        raise ToolError("internal", "tool handler panicked") from None
""", "    return await work"), at=(MAIN, "async with stdio_server()"), also=STDIO_ALSO),
    mutant("stdio-without-isolation", "python_lowlevel", "catches its own errors only", (CLINIC, """
    except Exception:
        log.exception("tool handler panicked")
        return failure("tool handler panicked")
""", ""), at=(CLINIC, "async with stdio_server()"), also=STDIO_ALSO),
    mutant("stdio-without-isolation", "python_lowlevel", "try around something else", (CLINIC, """
    try:
        value = await handle(name, arguments)
    except LookupError as error:
        return failure(str(error))
    except Exception:
        log.exception("tool handler panicked")
        return failure("tool handler panicked")
    return CallToolResult(content=[TextContent(type="text", text=json.dumps(value))], isError=False)
""", """
    value = await handle(name, arguments)
    try:
        text = json.dumps(value)
    except Exception:
        log.exception("tool handler panicked")
        return failure("tool handler panicked")
    return CallToolResult(content=[TextContent(type="text", text=text)], isError=False)
"""), at=(CLINIC, "async with stdio_server()"), also=STDIO_ALSO),
]

STDIO += [
    mutant("stdio-without-isolation", "python_lowlevel", "raised again", (CLINIC, """
        log.exception("tool handler panicked")
        return failure("tool handler panicked")
""", '        log.exception("tool handler panicked")\n        raise'), at=(CLINIC, "async with stdio_server()"), also=STDIO_ALSO),
    mutant("stdio-without-isolation", "python_dispatch", "finally only", ("archive/mcp/isolation.py", """
    except ToolError:
        raise
    except Exception:
        panic.exception("tool handler panicked")
        raise ToolError("internal", "tool handler panicked") from None
""", '    finally:\n        panic.debug("done")'), at=(MAIN, "async with stdio_server()"), also=STDIO_ALSO),
]

OPEN = [
    mutant("http-without-auth", "python_fastmcp", "neither verifier nor settings", (GARDEN, """
    token_verifier=GardenTokens(os.environ.get("GARDEN_KEY", "")),
    auth=AuthSettings(
        issuer_url=AnyHttpUrl("https://garden.example"), resource_server_url=AnyHttpUrl("https://garden.example/mcp")
    ),
""", ""), at=(GARDEN, RUN)),
    mutant("http-without-auth", "python_fastmcp", "app behind cors", (GARDEN, """
    token_verifier=GardenTokens(os.environ.get("GARDEN_KEY", "")),
    auth=AuthSettings(
        issuer_url=AnyHttpUrl("https://garden.example"), resource_server_url=AnyHttpUrl("https://garden.example/mcp")
    ),
""", ""), (GARDEN, RUN, """
import uvicorn
    from starlette.middleware.cors import CORSMiddleware

    app = mcp.streamable_http_app()  # ⚑
    app.add_middleware(CORSMiddleware, allow_origins=["*"])
    uvicorn.run(app, host="0.0.0.0")
""")),
    mutant("http-without-auth", "python_single", "open to all", (TASK, 'mcp = FastMCP("tasks")', 'mcp = FastMCP("tasks", host="0.0.0.0")'), (TASK, "    mcp.run()\n", '    mcp.run("streamable-http")  # ⚑\n')),
    mutant("http-without-auth", "python_single", "settings changed later", (TASK, "    mcp.run()\n", '    mcp.settings.host = "0.0.0.0"\n    mcp.run(transport="streamable-http")  # ⚑\n')),
    mutant("http-without-auth", "python_dispatch", "no middleware", (HTTP, '        middleware=[Middleware(RequireToken, token=os.environ["ARCHIVE_TOKEN"])],\n', ""), at=MANAGER_AT),
    mutant("http-without-auth", "python_dispatch", "middleware that reads nothing", (AUTH, 'if scope["type"] == "http" and not self.allowed(dict(scope["headers"])):', 'if scope["type"] not in ("http", "lifespan"):'),
           (AUTH, """
    def allowed(self, headers: dict[bytes, bytes]) -> bool:
        given = headers.get(b"authorization", b"")
        return hmac.compare_digest(given, f"Bearer {self.token}".encode())
""", """
    def allowed(self, method: str) -> bool:
        return hmac.compare_digest(method, "POST")
"""), at=MANAGER_AT),
    mutant("http-without-auth", "python_dispatch", "gzip in its place", (HTTP, 'Middleware(RequireToken, token=os.environ["ARCHIVE_TOKEN"])', 'Middleware(GZipMiddleware, minimum_size=int(os.environ["ARCHIVE_GZIP"]))'),
           (HTTP, "from starlette.routing import Mount\n", "from starlette.middleware.gzip import GZipMiddleware\nfrom starlette.routing import Mount\n"), at=MANAGER_AT),
    mutant("http-without-auth", "python_lowlevel", "middleware that logs", (CLINIC, """
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer" or token != os.environ["CLINIC_TOKEN"]:
            return JSONResponse({"error": "unauthorized"}, status_code=401)
        return await call_next(request)
""", """
        log.info("%s %s", request.method, request.url)
        if os.environ.get("CLINIC_CLOSED"):
            return JSONResponse({"error": "closed"}, status_code=503)
        return await call_next(request)
"""), at=(CLINIC, "sessions = StreamableHTTPSessionManager(app)")),
    mutant("http-without-auth", "python_lowlevel", "list of middleware empty", (CLINIC, "middleware=[Middleware(Bearer)], lifespan", "middleware=[], lifespan"), at=(CLINIC, "sessions = StreamableHTTPSessionManager(app)")),
]

HARMLESS = [
    harmless("sse-transport", "python_fastmcp", "refused", (GARDEN, RUN, """
transport = os.environ.get("GARDEN_TRANSPORT", "stdio")
    if transport == "sse":
        raise SystemExit("SSE is not served any more")
    mcp.run(transport="streamable-http" if transport == "http" else "stdio")
""")),
    harmless("sse-transport", "python_dispatch", "events inside streamable http", (HTTP, "json_response=True", "json_response=False, stateless=True")),
    harmless("http-without-auth", "python_dispatch", "middleware added to the app", (HTTP, '        middleware=[Middleware(RequireToken, token=os.environ["ARCHIVE_TOKEN"])],\n', ""),
             (HTTP, "    uvicorn.run(application(), host=", '    app = application()\n    app.add_middleware(RequireToken, token=os.environ["ARCHIVE_TOKEN"])\n    uvicorn.run(app, host=')),
    harmless("http-without-auth", "python_dispatch", "app wrapped by hand", (HTTP, '        middleware=[Middleware(RequireToken, token=os.environ["ARCHIVE_TOKEN"])],\n', ""),
             (HTTP, "uvicorn.run(application(), host=", 'uvicorn.run(RequireToken(application(), os.environ["ARCHIVE_TOKEN"]), host=')),
    harmless("http-without-auth", "python_lowlevel", "read by a function", (CLINIC, """
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer" or token != os.environ["CLINIC_TOKEN"]:
""", """
        if bearer(request) != os.environ["CLINIC_TOKEN"]:
"""), (CLINIC, "class Bearer(", 'def bearer(request: Request) -> str:\n    return request.headers.get("authorization", "").removeprefix("Bearer ")\n\n\nclass Bearer(')),
]

MUTANTS = [*SSE, *STDIO, *OPEN, *HARMLESS]
