"""Several servers in one checkout: each has the profile that its own code calls for, its own verdict, and no other's findings."""

import json
import re
from dataclasses import replace

import pytest

from reviewer import detection, review
from reviewer.cli.app import run
from reviewer.files.discovery import CannotReviewError, discover_files
from reviewer.languages import read
from reviewer.render import json as rendering
from reviewer.render import markdown, text
from reviewer.report import reader
from reviewer.report.model import BaseComparison, Verdict

PLAIN = '''from mcp.server.fastmcp import FastMCP

mcp = FastMCP("NAME")


@mcp.tool()
def list_NAME(customer: str) -> str:
    """List what NAME has of a customer."""
    return customer
'''
CATALOG = """use serde_json::{json, Value};

pub struct ActionSpec { pub name: &'static str, pub description: &'static str, pub destructive: bool }

pub static ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "kettle.list", description: "List kettles", destructive: false },
];

pub async fn run_with_client(client: &Client, action: &str) -> Result<Value> {
    match action {
        "kettle.list" => Ok(json!({"items": client.kettles().await?})),
        _ => Err(anyhow!("unknown action")),
    }
}

pub fn respond(action: &str, value: Value) -> Value { value }
"""
DOTTED = (
    "from mcp.server.fastmcp import FastMCP\nfrom pydantic import BaseModel\n\nmcp = FastMCP('notes')\n\n\n"
    "class Note(BaseModel):\n    title: str\n"
    + "".join(
        f"\n\n@mcp.tool(name='note.{verb}')\ndef note_{verb}(input: Note) -> str:\n    '''Use it to {verb} a note.'''\n    return input.title\n"
        for verb in ("get", "create", "update")
    )
)


@pytest.fixture
def checkout(tmp_path):
    for name in ("orders", "parcels"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "server.py").write_text(PLAIN.replace("NAME", name))
    return tmp_path


def add(folder, name, text):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def told(report, folder):
    return {
        (each.rule.slug, each.severity.value, each.span.path, each.tool)
        for each in report.findings
        if each.span.path.startswith(folder)
    }


def test_a_catalog_beside_other_servers_changes_nothing_of_what_is_told_of_them(checkout):
    before = review(checkout)
    add(checkout, "kettles/src/lib.rs", CATALOG)
    after = review(checkout)
    for folder in ("orders", "parcels"):
        assert told(after, folder) == told(before, folder)
    assert "handler-bypasses-respond" in {each.rule.slug for each in after.findings if each.span.path.endswith(".rs")}
    assert (after.profile, after.because) == ("core, action-dispatch", "each server has its own")
    assert [each.profile for each in after.servers] == ["core", "core"]


def test_each_server_has_its_profile_and_its_verdict(checkout):
    add(checkout, "notes/server.py", DOTTED)
    report = review(checkout)
    assert {each.name: each.profile for each in report.servers} == {
        "orders": "core",
        "parcels": "core",
        "notes": "object-operation",
    }
    verdicts = {each.name: report.narrow_to_server(each).verdict for each in report.servers}
    assert verdicts == {"orders": Verdict.PASS, "parcels": Verdict.PASS, "notes": Verdict.WARNINGS}
    guideline = {each.span.path for each in report.findings if each.rule.slug == "field-without-example"}
    assert guideline == {"notes/server.py"}


@pytest.mark.slow
def test_the_text_and_json_say_the_verdict_of_each(checkout, monkeypatch, capfd):
    add(checkout, "notes/server.py", DOTTED)
    monkeypatch.chdir(checkout)
    run([".", "--format", "text"])
    lines = capfd.readouterr().out.splitlines()
    at = lines.index("=== Servers ===")
    assert lines[at + 1].startswith("notes/server.py:4:7 server `notes`: PASS with warnings, ")
    assert lines[at + 2].startswith("orders/server.py:3:7 server `orders`: PASS, 0 violations, profile core (")
    assert lines[-1].endswith("Verdict: PASS with warnings")
    run([".", "--format", "json"])
    servers = json.loads(capfd.readouterr().out)["servers"]
    assert [(each["name"], each["profile"], each["verdict"]) for each in servers] == [
        ("notes", "object-operation", "PASS with warnings"),
        ("orders", "core", "PASS"),
        ("parcels", "core", "PASS"),
    ]


@pytest.mark.parametrize("name", ["text", "github", "junit", "html", "markdown"])
def test_a_format_with_room_for_more_than_findings_says_the_verdict_of_each(checkout, monkeypatch, capfd, name):
    add(checkout, "notes/server.py", DOTTED)
    monkeypatch.chdir(checkout)
    run([".", "--format", name])
    out = capfd.readouterr().out
    words = " ".join(re.sub(r"</?(?:li|strong|code|property)\b|name=|value=|[<>`]", " ", out).split())
    for server, verdict in (("notes", "PASS with warnings"), ("orders", "PASS"), ("parcels", "PASS")):
        assert re.search(rf"\b{verdict} (?:class=\S+ )?{server} ,|server {server} ?: {verdict},", words), server


@pytest.mark.parametrize(
    "options", [["--format", "sarif"], ["--format", "sarif-github"], ["--statistics", "--format", "json"]]
)
def test_data_for_programs_has_the_verdict_of_each(checkout, monkeypatch, capfd, options):
    add(checkout, "notes/server.py", DOTTED)
    monkeypatch.chdir(checkout)
    run([".", *options])
    document = json.loads(capfd.readouterr().out)
    servers = (document["runs"][0]["properties"] if "runs" in document else document)["servers"]
    assert {each["name"]: each["verdict"] for each in servers} == {
        "notes": "PASS with warnings",
        "orders": "PASS",
        "parcels": "PASS",
    }


def test_a_suppression_of_what_is_asked_of_another_server_alone_is_not_called_unused(checkout):
    add(checkout, "notes/server.py", DOTTED)
    for name in ("notes", "orders"):
        file = checkout / name / "server.py"
        file.write_text(file.read_text().replace("\nmcp", "\n# mcp-review: ignore[field-without-example] later\nmcp"))
    unused = {each.span.path for each in review(checkout).findings if each.rule.slug == "suppression-unused"}
    assert unused == {"notes/server.py"}


def test_what_was_said_of_each_server_is_read_from_a_stored_report(checkout, tmp_path_factory):
    add(checkout, "notes/server.py", DOTTED)
    report = review(checkout)
    file = tmp_path_factory.mktemp("stored") / "report.json"
    for given in (report, replace(report, compared=BaseComparison("main", (), "a" * 40))):
        file.write_text(rendering.render(given))
        read = reader.read(file)
        assert [each.name for each in read.servers] == ["notes", "orders", "parcels"]
        assert rendering.render(read) == rendering.render(given)
        (shown,) = (each for each in markdown.iter_groups(read) if each.title == "Servers: 3")
        assert shown in markdown.iter_groups(replace(given, root=None, provenance=None))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("path", "../x"),
        ("line", -1),
        ("errors", -1),
        ("introduced", 2**40),
        ("verdict", "FINE"),
        ("name", 5),
        ("profile", None),
    ],
)
def test_a_server_that_no_review_writes(checkout, tmp_path_factory, key, value):
    document = json.loads(rendering.render(review(checkout)))
    document["servers"][0][key] = value
    file = tmp_path_factory.mktemp("stored") / "report.json"
    file.write_text(json.dumps(document))
    with pytest.raises(CannotReviewError, match="not a report"):
        reader.read(file)


def test_a_report_that_was_written_before_servers_had_their_own_says_the_same_without_them(checkout, tmp_path_factory):
    add(checkout, "notes/server.py", DOTTED)
    document = json.loads(rendering.render(review(checkout)))
    servers = document.pop("servers")
    file = tmp_path_factory.mktemp("stored") / "report.json"
    file.write_text(json.dumps(document))
    read = reader.read(file)
    assert len(servers) == 3
    assert read.servers == ()
    assert json.loads(rendering.render(read)) == document
    assert "Servers" not in markdown.render(read)
    assert "Servers" not in text.render(read)


def test_a_report_of_one_server_says_nothing_of_servers(checkout, monkeypatch, capfd):
    monkeypatch.chdir(checkout / "orders")
    run([".", "--format", "text"])
    assert "Servers" not in capfd.readouterr().out
    run([".", "--format", "json"])
    assert "servers" not in json.loads(capfd.readouterr().out)


SHARED = """from pathlib import Path

FOLDER = Path("/srv/files")


def load(name: str) -> str:
    return (FOLDER / name).read_text()
"""
USING = '''from mcp.server.fastmcp import FastMCP

from shared.files import load

mcp = FastMCP("NAME")


@mcp.tool()
def read_NAME(name: str) -> str:
    """Read a file of NAME by its name; use it when the customer asks for one."""
    return load(name)
'''


def test_what_a_library_does_is_said_of_each_server_that_imports_it_and_of_no_other(checkout):
    add(checkout, "shared/files.py", SHARED)
    add(checkout, "kettles/src/lib.rs", CATALOG)
    for name in ("letters", "stamps"):
        add(checkout, f"{name}/server.py", USING.replace("NAME", name))
    report = review(checkout)
    verdicts = {each.name: report.narrow_to_server(each).verdict for each in report.servers}
    warned = {name for name, verdict in verdicts.items() if verdict is Verdict.WARNINGS}
    assert (set(verdicts), warned) == ({"letters", "stamps", "orders", "parcels"}, {"letters", "stamps"})


def test_a_profile_that_is_asked_for_holds_for_all(checkout, monkeypatch, capfd):
    add(checkout, "kettles/src/lib.rs", CATALOG)
    monkeypatch.chdir(checkout)
    run([".", "--profile", "object-operation", "--format", "json"])
    report = json.loads(capfd.readouterr().out)
    assert report["profile"] == "object-operation"
    assert {each["profile"] for each in report["servers"]} == {"object-operation"}


def test_a_file_that_several_servers_could_have_is_none_of_them_alone(checkout):
    add(checkout, "notes/server.py", DOTTED)
    add(checkout, "shared/models.py", "class Parcel:\n    body: str\n")
    project = read(discover_files(checkout))
    reign = detection.detect_profiles(project).build_reign(("core", "object-operation"))
    spans = {each.span.path: each.span for each in project.servers}
    assert reign(None, spans["notes/server.py"]) == "object-operation"
    assert reign(None, spans["notes/server.py"]._replace(path="notes/more.py")) == "object-operation"
    assert reign(None, spans["notes/server.py"]._replace(path="shared/models.py")) == "core"


TRAIT = """use serde_json::{json, Value};

#[async_trait]
pub trait Tool: Send + Sync {
    fn name(&self) -> &str;
    fn description(&self) -> &str;
    fn input_schema(&self) -> Value;
    async fn call(&self, input: Value, ctx: &Context) -> Result<Value>;
}
"""
ALL = "pub fn tools() -> Vec<Arc<dyn Tool>> { vec![Arc::new(Windows), Arc::new(Doors), Arc::new(Stairs)] }\n"
REST = "pub struct Rest { pub shown: usize, pub total: usize, pub hint: String, pub next_offset: Option<usize> }\n"


def of_trait(name: str) -> str:
    return f"""
pub struct {name};

#[async_trait]
impl Tool for {name} {{
    fn name(&self) -> &str {{ "{name.lower()}" }}
    fn description(&self) -> &str {{ "Show the {name.lower()} of the house." }}
    fn input_schema(&self) -> Value {{ json!({{"type": "object", "properties": {{}}}}) }}
    async fn call(&self, input: Value, ctx: &Context) -> Result<Value> {{ Ok(json!({{}})) }}
}}
"""


def house(root, *more: str) -> tuple[str, str]:
    add(root, "src/lib.rs", "".join((TRAIT, *map(of_trait, ("Windows", "Doors", "Stairs")), ALL, *more)))
    return detection.detect_profile(read(discover_files(root)))


def test_tools_that_are_types_of_a_trait_call_for_its_profile_beside_a_guard_that_tells_what_it_left_out(tmp_path):
    assert house(tmp_path, REST) == (
        "tool-trait",
        "its tools implement a trait, and `Rest` at src/lib.rs:41 tells what a list leaves out",
    )


def test_a_guard_that_lacks_one_of_the_four_is_one_still(tmp_path):
    assert house(tmp_path, REST.replace("pub hint: String, ", ""))[0] == "tool-trait"


CLASSES = """import mcp.types as types
from mcp.server.lowlevel import Server


class Windows:
    def name(self) -> str:
        return "windows"

    def description(self) -> str:
        return "Show the windows of the house."

    async def call(self, wish: dict) -> dict:
        return {}


class Doors:
    name = "doors"
    description = "Show the doors of the house."

    async def call(self, wish: dict) -> dict:
        return {}


windows, doors = Windows(), Doors()
server = Server("house")


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [
        types.Tool(name=windows.name(), description=windows.description(), inputSchema={"type": "object"}),
        types.Tool(name=doors.name, description=doors.description, inputSchema={"type": "object"}),
    ]


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list:
    return [str(await (windows if name == "windows" else doors).call(arguments))]


"""
KINDS = {
    "class": "class Rest(NamedTuple):\n    shown: int\n    total: int\n    hint: str\n",
    "constructor": "class Rest:\n    def __init__(self, shown, total):\n        self.shown = shown\n        self.total = total\n"
    "        self.hint = 'ask for less'\n",
    "dict": "def Rest(rows, hint):\n    return {'shown': 50, 'total': len(rows), 'hint': hint}\n",
}


@pytest.mark.parametrize("kind", KINDS)
def test_tools_that_are_classes_of_python_call_for_the_profile_of_a_trait_beside_such_a_guard(tmp_path, kind):
    add(tmp_path, "house.py", CLASSES + KINDS[kind])
    profile, because = detection.detect_profile(read(discover_files(tmp_path)))
    assert profile == "tool-trait"
    assert because.startswith("its tools implement a trait, and `Rest` at house.py:")


def test_classes_alone_are_a_way_to_write_a_server_in_python_too(tmp_path):
    add(tmp_path, "house.py", CLASSES + "class Page(NamedTuple):\n    total: int\n    next_offset: int\n")
    assert detection.detect_profile(read(discover_files(tmp_path)))[0] == "core"


@pytest.mark.parametrize(
    "more",
    [
        "",
        "pub struct Page { pub total: usize, pub next_offset: Option<usize> }\n",
        "#[cfg(test)]\nmod tests { pub struct Rest { pub shown: usize, pub total: usize, pub hint: String } }\n",
    ],
)
def test_a_trait_for_tools_is_nothing_but_a_way_to_write_a_server(tmp_path, more):
    assert house(tmp_path, more)[0] == "core"


def test_a_trait_that_asks_for_something_else_is_another(tmp_path):
    add(
        tmp_path,
        "src/lib.rs",
        "use serde_json::{json, Value};\n"
        "pub trait Tool { fn info(&self) -> ToolInfo; async fn execute(&self, args: Value) -> Result<Value, Fault>; }\n"
        + "".join(
            f"impl Tool for {name} {{\n    fn info(&self) -> ToolInfo {{\n"
            f'        ToolInfo {{ name: "{name.lower()}".into(), description: "Show the {name.lower()}.".into(), '
            'input_schema: json!({"type": "object"}) }\n    }\n'
            "    async fn execute(&self, args: Value) -> Result<Value, Fault> { Ok(json!({})) }\n}\n"
            for name in ("Windows", "Doors", "Stairs")
        )
        + ALL
        + REST,
    )
    project = read(discover_files(tmp_path))
    assert [tool.type for server in project.servers for tool in server.tools] == ["Windows", "Doors", "Stairs"]
    assert detection.detect_profile(project)[0] == "core"
