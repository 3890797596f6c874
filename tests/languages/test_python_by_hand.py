"""Servers that read JSON-RPC themselves: their tools are what they answer to `tools/list`, however they ask for the method."""

import pytest
from python_projects import review, tools

TOOLS = """
import json, sys

TOOLS = [
    {
        "name": "weigh_hive",
        "description": "Weigh a hive.",
        "inputSchema": {"type": "object", "properties": {"hive": {"type": "string"}}, "required": ["hive"]},
    },
    {"name": "list_hives", "description": "List the hives.", "inputSchema": {"type": "object", "properties": {}}},
]
"""

LOOP = """
for line in sys.stdin:
    message = json.loads(line)
    method, id = message.get("method"), message.get("id")
    if method == "initialize":
        print(json.dumps({"jsonrpc": "2.0", "id": id, "result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}}))
    elif method == "tools/list":
        print(json.dumps({"jsonrpc": "2.0", "id": id, "result": {"tools": TOOLS}}), flush=True)
"""

MATCH = """
def answer(message):
    match message["method"]:
        case "initialize":
            result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {"listChanged": False}}}
        case "tools/list":
            result = {"tools": [each | {} for each in TOOLS]}
        case _:
            result = None
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}
"""

TABLE = """
class Bees:
    def __init__(self):
        self.kinds = {each["name"]: each for each in TOOLS}
        self.methods = {"initialize": self.begin, "tools/list": self.show, "ping": lambda params: {}}

    def begin(self, params):
        return {"protocolVersion": "2025-06-18"}

    def show(self, params):
        return {"tools": list(self.kinds.values())}

    def answer(self, message):
        return self.methods[message["method"]](message.get("params"))
"""

NESTED = """
from fastapi import FastAPI, Request

LISTED = "tools/list"

def make_app():
    app = FastAPI()

    @app.post("/mcp")
    async def endpoint(request: Request):
        body = await request.json()
        if body.get("method") in ("initialize",):
            return {"jsonrpc": "2.0", "id": body.get("id"), "result": {"protocolVersion": "2025-06-18"}}
        if body.get("method") == LISTED:
            return {"jsonrpc": "2.0", "id": body.get("id"), "result": {"tools": TOOLS}}
    return app
"""

DECORATED = """
from rpc import method

@method("initialize")
def begin(params):
    return {"protocolVersion": "2025-06-18"}

@method("tools/list")
def show(params):
    return dict(tools=TOOLS)
"""

BEGUN = """
class Bees:
    def __init__(self):
        self.tools = None

    def answer(self, message):
        method = message.get("method")
        if method == "initialize":
            self.tools = TOOLS
            return {"protocolVersion": "2025-06-18"}
        if method == "tools/list":
            if not self.tools:
                return {"error": "not initialized"}
            return {"tools": self.tools}
"""

KINDS = """
from enum import Enum

class Method(str, Enum):
    BEGIN = "initialize"
    LIST = "tools/list"

def answer(method, params):
    if method != Method.LIST:
        return {"protocolVersion": "2025-06-18"}
    return {"tools": TOOLS}
"""

FORMS = {
    "loop": LOOP,
    "match": MATCH,
    "table": TABLE,
    "nested": NESTED,
    "decorated": DECORATED,
    "begun": BEGUN,
    "kinds": KINDS,
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_tools_that_are_listed_by_hand(tmp_path, form):
    found = tools(tmp_path, TOOLS + form)
    assert [str(each.name) for each in found] == ["weigh_hive", "list_hives"]
    assert [str(each.description) for each in found] == ["Weigh a hive.", "List the hives."]
    assert [list(each.input_schema.document["properties"]) for each in found] == [["hive"], []]
    assert not any(each.conditions for each in found)


ASKING = """
def tools_of(session):
    return session.request("tools/list", parse)

def shown(reply, method):
    if method == "tools/list":
        return [each["name"] for each in reply["result"]["tools"]]
"""


def test_who_asks_for_tools_is_no_server(tmp_path):
    assert review(tmp_path, TOOLS + ASKING).servers == ()


PASSED_ON = """
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("bees")

@mcp.tool()
def weigh_hive(hive: str) -> str:
    "Weigh a hive."

@mcp.tool()
def list_hives() -> str:
    "List the hives."
"""


def test_who_passes_on_what_an_sdk_lists_is_no_server(tmp_path):
    (server,) = review(tmp_path, TOOLS + PASSED_ON + MATCH).servers
    assert (server.framework, len(server.tools)) == ("mcp", 2)


def test_tools_that_only_a_run_can_tell(tmp_path):
    (server,) = review(tmp_path, "import json, sys\nTOOLS = json.load(open('tools.json'))\n" + MATCH).servers
    assert server.tools == ()
    assert [str(each.reason)[:26] for each in server.unreadable] == ["lists tools at run time: a"]


FRAMEWORK = """
class Bees:
    def __init__(self, name):
        self.name, self.kinds = name, {}

    def register(self, name, description, schema, function):
        self.kinds[name] = {"name": name, "description": description, "inputSchema": schema, "function": function}

    def answer(self, message):
        if message.get("method") == "tools/list":
            return {"tools": [{key: each[key] for key in ("name", "description", "inputSchema")} for each in self.kinds.values()]}

def make():
    bees = Bees("bees")
    for each in TOOLS:
        bees.register(each["name"], each["description"], each["inputSchema"], print)
    return bees

if __name__ == "__main__":
    for line in sys.stdin:
        print(make().answer(json.loads(line)))
"""


def test_tools_that_are_handed_to_an_object(tmp_path):
    found = tools(tmp_path, TOOLS + FRAMEWORK)
    assert [str(each.name) for each in found] == ["weigh_hive", "list_hives"]
    assert [list(each.input_schema.document["properties"]) for each in found] == [["hive"], []]
