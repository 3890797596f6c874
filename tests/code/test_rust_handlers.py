"""The functions of a Rust project to which the calls of tools come, and what they are run with."""

from textwrap import dedent

import pytest

from reviewer.code.events import Called
from reviewer.languages.rust.behaviour.isolation import with_entries
from reviewer.languages.rust.behaviour.serving import with_branches
from reviewer.languages.rust.behaviour.tracing import iter_handlers, trace_of, trace_of_call
from reviewer.languages.rust.declarations.servers import find_servers
from reviewer.languages.rust.project.items import RustItems
from reviewer.source import Source
from tests.code.traced import calls, given

ROUTER = """
use elsewhere::probe;
use rmcp::{tool, tool_handler, tool_router, ServerHandler, handler::server::wrapper::Parameters};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Lending { id: String, days: Option<u32> }

#[derive(Clone)]
struct Ropes { shelf: Shelf }

#[tool_router]
impl Ropes {
    /// Lend a rope.
    #[tool]
    async fn lend_rope(&self, Parameters(Lending { id, .. }): Parameters<Lending>) -> String {
        self.shelf.lend(&id);
        "lent".to_string()
    }

    /// Return a rope.
    #[tool]
    async fn return_rope(&self, Parameters(lending): Parameters<Lending>) -> String {
        probe(lending.days);
        "returned".to_string()
    }
}

#[derive(Clone)]
struct Shelf;

impl Shelf {
    fn lend(&self, id: &str) { probe(id); }
}

#[tool_handler]
impl ServerHandler for Ropes {}
"""

DISPATCH = """
use serde_json::{json, Value};

fn answer(method: &str, params: Value) -> Value {
    match method {
        "tools/list" => json!({"tools": [{"name": "lend", "inputSchema": {"type": "object"}}, {"name": "take", "inputSchema": {"type": "object"}}]}),
        "tools/call" => choose(params["name"].as_str().unwrap(), &params["arguments"]),
        _ => Value::Null,
    }
}

fn choose(name: &str, arguments: &Value) -> Value {
    match name {
        "lend" => lend(arguments),
        "take" => take(arguments),
        _ => Value::Null,
    }
}

fn lend(arguments: &Value) -> Value { elsewhere::probe(arguments); Value::Null }
fn take(arguments: &Value) -> Value { Value::Null }
"""


def project(code: str) -> RustItems:
    return RustItems({"src/main.rs": Source("src/main.rs", dedent(code).encode())})


def found(items: RustItems) -> list[str]:
    served = with_branches(items, with_entries(items, find_servers(items)))
    return [each.name for each in iter_handlers(items, served)]


def test_methods_that_are_tools_are_handlers():
    assert found(project(ROUTER)) == ["lend_rope", "return_rope"]


def test_functions_that_choose_by_name_are_handlers_once():
    assert found(project(DISPATCH)) == ["choose", "answer"]


def test_the_fields_of_a_request_are_the_arguments():
    items = project(ROUTER)
    (lend,), (back,) = items.find_functions("lend_rope"), items.find_functions("return_rope")
    assert given(trace_of(items, lend), "elsewhere.probe") == {"id"}
    assert given(trace_of(items, back), "elsewhere.probe") == {"days"}


def test_other_parameters_are_arguments_by_their_names():
    items = project("fn lend(id: String, days: u32) { elsewhere::probe(days); }")
    (lend,) = items.find_functions("lend")
    assert given(trace_of(items, lend), "elsewhere.probe") == {"days"}


HANDED = {
    "name and JSON": "fn call(name: &str, arguments: &Value) -> Value { go(name, arguments) }",
    "name and a map": "fn call(name: String, arguments: Map<String, Value>) -> Value { go(&name, &arguments) }",
    "name and what may be absent": "fn call(name: &str, arguments: Option<JsonObject>) -> Value { go(name, &arguments.unwrap_or_default()) }",
    "request of rmcp": "fn call(request: CallToolRequestParam) -> Value { go(&request.name, &request.arguments.unwrap()) }",
    "message": 'fn call(message: Value) -> Value { go(message["params"]["name"].as_str().unwrap(), &message["params"]["arguments"]) }',
    "part of a message": 'fn call(params: &Value) -> Value { go(params.get("name").unwrap().as_str().unwrap(), &params["arguments"]) }',
    "message of its own type": """
        struct Message { id: u64, method: String, params: Value }
        fn call(message: Message) -> Value {
            match message.method.as_str() {
                "tools/call" => go(message.params["name"].as_str().unwrap(), &message.params["arguments"]),
                _ => Value::Null,
            }
        }""",
}  # fmt: skip

CALLED = """
use rmcp::model::{CallToolRequestParam, JsonObject};
use serde_json::{Map, Value};
fn go(name: &str, arguments: &Value) -> Value {
    match name {
        "lend" => elsewhere::lend(arguments["days"].as_u64()),
        "take" => elsewhere::take(arguments["id"].as_str()),
        _ => Value::Null,
    }
}
"""


@pytest.mark.parametrize("name", HANDED)
def test_a_call_of_one_tool_is_followed_to_its_arm(name: str):
    items = project(CALLED + dedent(HANDED[name]))
    (call,) = items.find_functions("call")
    found = trace_of_call(items, call, "lend")
    assert given(found, "elsewhere.lend") == {"days"}
    assert not calls(found, "elsewhere.take")


@pytest.mark.parametrize("name", ["name and JSON", "request of rmcp"])
def test_the_entries_of_what_a_call_is_handed_are_arguments(name: str):
    items = project(CALLED + dedent(HANDED[name]))
    (call,) = items.find_functions("call")
    assert given(trace_of(items, call), "elsewhere.take") == {"id"}


def test_a_handler_is_run_once():
    items = project(DISPATCH)
    (choose,) = items.find_functions("choose")
    assert trace_of(items, choose) is trace_of(items, choose)
    assert any(
        isinstance(each.event, Called) and each.event.followed for each in trace_of(items, choose).iter_occurrences()
    )
