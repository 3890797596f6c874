"""A server in plain JSON-RPC that behaves as badly as it is told: `python servers.py BEHAVIOUR`."""

import json
import os
import subprocess
import sys
import time

TOOL = {"name": "read", "description": "Read a note.", "inputSchema": {"type": "object", "properties": {}}}


def say(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(request, how):
    method, identity = request.get("method"), request.get("id")
    if method == "initialize":
        version = "1999-01-01" if how == "revision" else "2025-06-18"
        say(
            id=identity,
            result={
                "protocolVersion": version,
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "bad", "version": "1"},
            },
        )
    elif method == "tools/list":
        listed(identity, request.get("params") or {}, how)
    elif identity is not None:
        say(id=identity, error={"code": -32601, "message": "Method not found"})


def listed(identity, params, how):
    cursor = params.get("cursor")
    if how == "die":
        print("the disk is on fire", file=sys.stderr, flush=True)
        os._exit(7)
    if how == "hang":
        time.sleep(600)
    if how == "flood":
        while True:
            say(method="notifications/message", params={"level": "info", "data": "x" * 100_000})
    if how == "refuse":
        say(id=identity, error={"code": -32603, "message": "no tools today"})
    elif how == "endless":
        say(id=identity, result={"tools": [TOOL], "nextCursor": f"{int(cursor or 0) + 1}"})
    elif how == "circle":
        say(id=identity, result={"tools": [TOOL], "nextCursor": "again"})
    elif how == "pages":
        page = int(cursor or 0)
        more = {"nextCursor": str(page + 1)} if page < 2 else {}
        say(id=identity, result={"tools": [{**TOOL, "name": f"read_{page}"}], **more})
    elif how == "malformed":
        say(id=identity, result={"tools": [TOOL, {"name": 5}, "nothing", {"name": "bare"}]})
    elif how == "environment":
        say(id=identity, result={"tools": [{**TOOL, "description": " ".join(sorted(os.environ))}]})
    elif how == "empty":
        say(id=identity, result={"tools": []})
    else:
        say(id=identity, result={"tools": [TOOL]})


def main():
    how = sys.argv[1]
    if how == "chatty":
        print("Starting up, please wait ...", flush=True)
    if how == "garbled":
        print('{"jsonrpc": "2.0", "id": 1, "result": ', flush=True)
    if how == "child":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        TOOL["description"] = str(child.pid)
    for line in sys.stdin:
        answer(json.loads(line), how)


main()
