"""What of the code that a tool reaches a judge is shown."""

import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from judge.sheds import CARGO, SHED, put
from judge.test_judging import Recalling, verdicts
from reviewer.config import Flags
from reviewer.facts import CodePiece, Tool
from reviewer.judge import AskedQuestion, Judged
from reviewer.judge.judging import Judging
from reviewer.judge.question_requests import QuestionRequest, iter_question_requests
from reviewer.judge.replies import Reply
from reviewer.judge.slices import DECISIVE, FIRST, NEXT, locate_quote, slice_code
from reviewer.pipeline import ProjectReading, read
from reviewer.rules import Question, load
from reviewer.source import Span, Text

PYTHON = {
    "shed/server.py": """
from mcp.server.fastmcp import FastMCP

from shed.store import Shed

mcp = FastMCP("shed")
shed = Shed()


@mcp.tool()
def tools_list(kind: str) -> list:
    \"\"\"List the tools that hang in the shed.\"\"\"
    return shed.listed(kind)


@mcp.tool()
def tool_scrap(name: str) -> str:
    \"\"\"Put a tool away.\"\"\"
    note(name)
    return shed.scrap(name)


def note(name: str) -> None:
    print(len(name))
""",
    "shed/store.py": """
from pathlib import Path

MOST = 20
HOOKS = Path("hooks")


class Shed:
    def listed(self, kind: str) -> list:
        found = [each.name for each in HOOKS.iterdir() if each.suffix == kind]
        return found[:MOST]

    def scrap(self, name: str) -> str:
        hook = self._hook(name)
        hook.unlink()
        return "gone"

    def _hook(self, name: str) -> Path:
        if "/" in name:
            raise ValueError(name)
        return HOOKS / name
""",
}

CENTRAL = {
    "server.py": """
import asyncio

from mcp.server import Server
from mcp.types import TextContent, Tool

server = Server("shed")


@server.list_tools()
async def list_tools() -> list[Tool]:
    return [
        Tool(name="hang", description="Hang a tool up.", inputSchema={"type": "object"}),
        Tool(name="burn", description="Burn a tool.", inputSchema={"type": "object"}),
    ]


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list[TextContent]:
    if name == "hang":
        return hang(arguments["tool"])
    elif name == "burn":
        return burn(arguments["tool"])
    raise ValueError(name)


def hang(tool: str) -> list[TextContent]:
    with open(tool, "w") as hook:
        hook.write("hung")
    return [TextContent(type="text", text="hung")]


def burn(tool: str) -> list[TextContent]:
    import os

    os.remove(tool)
    return [TextContent(type="text", text="burnt")]
""",
}

RUST = {
    "Cargo.toml": CARGO,
    "src/main.rs": """
mod store;
use rmcp::{handler::server::wrapper::Parameters, model::*, tool, tool_router, ErrorData};
"""
    + SHED
    + """    /// Put a tool away.
    #[tool]
    async fn tool_scrap(&self, Parameters(named): Parameters<Named>) -> Result<CallToolResult, ErrorData> {
        store::scrap(&named.name)
    }
}
""",
    "src/store.rs": """
use rmcp::{model::*, ErrorData};

const MOST: usize = 20;

pub fn scrap(name: &str) -> Result<CallToolResult, ErrorData> {
    let short = shortened(name);
    std::fs::remove_file(&short).map_err(|_| ErrorData::internal_error("gone", None))?;
    Ok(CallToolResult::success(vec![Content::text(short)]))
}

fn shortened(name: &str) -> String {
    name.chars().take(MOST).collect()
}
""",
}


def reading(folder: Path, files: dict[str, str]) -> ProjectReading:
    return read(put(folder, files), Flags())


def tool_of(found: ProjectReading, name: str) -> Tool:
    return next(each for server in found.project.servers for each in server.tools if each.name == name)


def names(tool: Tool) -> list[str]:
    return [each.name for each in tool.reached]


def test_the_function_that_works_is_reached_through_a_wrapper_in_another_file(tmp_path):
    found = reading(tmp_path, PYTHON)
    assert names(tool_of(found, "tools_list")) == ["tools_list", "shed", "Shed.listed", "HOOKS", "MOST"]
    assert names(tool_of(found, "tool_scrap")) == ["tool_scrap", "shed", "Shed.scrap", "Shed._hook", "HOOKS", "note"]


def test_the_description_is_not_shown_again_as_code(tmp_path):
    own, *_ = tool_of(reading(tmp_path, PYTHON), "tool_scrap").reached
    assert own.text == "def tool_scrap(name: str) -> str:\n    …\n    note(name)\n    return shed.scrap(name)"


def test_of_a_function_that_takes_all_calls_only_the_branch_of_the_tool_is_shown(tmp_path):
    own, *others = tool_of(reading(tmp_path, CENTRAL), "burn").reached
    assert "burn(" in own.text
    assert "hang" not in own.text
    assert [each.name for each in others] == ["burn"]


def test_the_code_of_rust_is_followed_alike(tmp_path):
    reached = tool_of(reading(tmp_path, RUST), "tool_scrap").reached
    assert [each.name for each in reached] == ["Shed.tool_scrap", "scrap", "shortened", "MOST"]
    assert "Put a tool away" not in "".join(each.text for each in reached)


def test_definitions_have_no_code(tmp_path):
    file = tmp_path / "tools.json"
    file.write_text(
        '{"tools": [{"name": "hang", "description": "Hang a tool up.", "inputSchema": {"type": "object"}}]}'
    )
    assert names(tool_of(read(file, Flags()), "hang")) == []


def test_what_nearly_all_tools_reach_stands_last(tmp_path):
    listed = "".join(
        f'\n@mcp.tool()\ndef hang_{each}(name: str) -> str:\n    """Hang it."""\n    opened(name)\n    return own_{each}(name)\n'
        f"\ndef own_{each}(name: str) -> str:\n    return deeper_{each}(name) + name\n"
        f"\ndef deeper_{each}(name: str) -> str:\n    return name * {each}\n"
        for each in range(6)
    )
    server = f"""
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("shed")

def opened(name: str) -> None:
    open(name).read()
{listed}"""
    found = reading(tmp_path, {"server.py": server})
    assert names(tool_of(found, "hang_3")) == ["hang_3", "own_3", "deeper_3", "opened"]


@pytest.mark.slow
def test_the_same_source_gives_the_same_bytes_in_every_run(tmp_path):
    reading(tmp_path, PYTHON | CENTRAL)
    asking = (
        "import sys, json\nfrom pathlib import Path\nfrom reviewer.config import Flags\nfrom reviewer.pipeline import read\n"
        "from reviewer.judge.slices import slice_code\n"
        "for server in read(Path(sys.argv[1]), Flags()).project.servers:\n"
        "    for each in server.tools: print(json.dumps(slice_code(each.reached)))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", asking, str(tmp_path)], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
    assert b"unlink" in runs.pop()


def test_a_review_without_a_judge_looks_for_none(tmp_path):
    assert tool_of(reading(tmp_path, PYTHON), "tool_scrap").reached._found is None


def piece(number: int, size: int) -> CodePiece:
    at = Span("shed.py", number, 1, number, size)
    head = f"def own_{number}():"
    text = "\n".join([head, *["    hang()"] * (size // 11)])
    return CodePiece(f"own_{number}", at, (Text(text, at),), Text(head, at), (f"lib.call_{number}",))


def test_what_does_not_fit_is_named_and_its_head_is_shown():
    cut = slice_code([piece(1, 1_500), piece(2, 2_500), piece(3, 2_500), piece(4, 300)])
    assert [each["at"] for each in cut.pieces] == ["shed.py:1", "shed.py:2", "shed.py:4", "shed.py:3"]
    assert cut.pieces[3] == {"at": "shed.py:3", "head": "def own_3():"}
    assert sum(len(each.get("source", "")) for each in cut.pieces) <= FIRST
    assert cut.rest == {"outside of the project": ["lib.call_1", "lib.call_2", "lib.call_4"]}
    assert not cut.is_whole


def test_what_was_left_out_comes_first_for_who_wants_more():
    reached = [piece(1, 3_000), piece(2, 1_800), piece(3, 20_000), piece(4, 4_000)]
    first, then = slice_code(reached), slice_code(reached, more=True)
    assert [each["at"] for each in first.pieces if "source" in each] == ["shed.py:1", "shed.py:2"]
    assert [each["at"] for each in then.pieces if "source" in each] == ["shed.py:1", "shed.py:3"]
    assert sum(len(each.get("source", "")) for each in then.pieces) <= NEXT


def test_what_a_question_turns_on_comes_after_the_own_function():
    reached = [piece(1, 3_000), piece(2, 1_800), piece(3, 4_000), piece(4, 100)]
    place = Span("shed.py", 3, 5, 3, 9)
    assert "shed.py:3" not in [each["at"] for each in slice_code(reached).pieces if "source" in each]
    cut = slice_code(reached, [place])
    assert [each["at"] for each in cut.pieces if "source" in each] == ["shed.py:1", "shed.py:3"]
    then = slice_code(reached, [place], more=True)
    assert [each["at"] for each in then.pieces] == [f"shed.py:{number}" for number in range(1, 5)]
    assert then.is_whole


def test_what_a_question_turns_on_is_bounded():
    reached = [piece(1, 3_000), *(piece(number, 4_000) for number in range(2, 9))]
    cut = slice_code(reached, [each.span for each in reached])
    assert FIRST < sum(len(each.get("source", "")) for each in cut.pieces) <= DECISIVE


def test_of_what_has_not_even_a_head_the_name_is_told():
    def head(number: int) -> CodePiece:
        at = Span("shed.py", number, 1, number, 9)
        return CodePiece(f"own_{number}", at, (Text("x" * 9_000, at),), Text("y" * 900, at))

    cut = slice_code([piece(1, 7_500), *map(head, range(2, 5))])
    assert cut.rest is not None
    assert cut.rest["functions"] == ["own_3 (shed.py:3)", "own_4 (shed.py:4)"]


def test_a_function_that_is_longer_than_all_that_is_shown_is_cut_at_a_line():
    (shown,) = slice_code([piece(1, 30_000)]).pieces
    assert len(shown["source"]) <= FIRST + 2
    assert shown["source"].endswith("    hang()\n…")


def test_what_lies_too_deep_to_be_followed_is_named(tmp_path):
    steps = "".join(f"\ndef step_{each}(name: str) -> str:\n    return step_{each + 1}(name)\n" for each in range(14))
    server = (
        'from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP("shed")\n'
        f"{steps}\ndef step_14(name: str) -> str:\n    return name\n"
        '\n@mcp.tool()\ndef hang(name: str) -> str:\n    """Hang a tool up."""\n    return step_0(name)\n'
    )
    cut = slice_code(tool_of(reading(tmp_path, {"server.py": server}), "hang").reached)
    assert cut.rest == {"calls that were not followed": ["step_12"]}


def test_a_quote_is_found_in_its_own_file(tmp_path):
    found = reading(tmp_path, PYTHON)
    place = locate_quote(tool_of(found, "tool_scrap").reached, "hook.unlink()", found.lines)
    assert place is not None
    assert place[:3] == ("shed/store.py", 15, 9)
    assert locate_quote(tool_of(found, "tool_scrap").reached, "hook.chmod()", found.lines) is None


def big(tmp_path: Path) -> Tool:
    """A tool that reaches more than is shown at first."""
    helpers = "".join(
        f"\ndef step_{each}(name: str) -> None:\n{'    print(name)' * 1}\n" + "    print(name)\n" * 200
        for each in range(6)
    )
    calls = "".join(f"    step_{each}(name)\n" for each in range(6))
    server = f"""
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("shed")
{helpers}

@mcp.tool()
def hang(name: str) -> str:
    \"\"\"Hang a tool up.\"\"\"
{calls}    return name
"""
    return tool_of(reading(tmp_path, {"server.py": server}), "hang")


def asked(tool: Tool, slug: str = "description-contradicts-code") -> AskedQuestion:
    return AskedQuestion(load()[slug], Question(tool.span, tool, "it contradicts", shows=frozenset({"code"})))


class Model:
    """A model that cannot decide, or only by what it is shown when asked again."""

    def __init__(self, *said: str) -> None:
        self.said = list(said)
        self.sent: list[QuestionRequest] = []

    def __call__(self, open_: Sequence[QuestionRequest]) -> Iterable[tuple[QuestionRequest, Reply]]:
        for each in open_:
            self.sent.append(each)
            yield each, Reply({"verdicts": verdicts(each, self.said[len(self.sent) - 1])}, model="a")


@pytest.mark.parametrize("then", ["met", "not_applicable"])
def test_who_is_shown_too_little_is_shown_more_once(tmp_path, then):
    model, memory = Model("not_applicable", then), Recalling()
    tool = big(tmp_path)
    (answer,) = Judging(model, lambda _span: "", memory)([asked(tool)])
    assert isinstance(answer, Judged)
    assert answer.verdict == then
    first, second = (each.views[0]["code"] for each in model.sent)
    assert {each["at"] for each in second if "source" in each} > {each["at"] for each in first if "source" in each}
    again = Model()
    assert Judging(again, lambda _span: "", memory)([asked(tool)]) == [answer]
    assert again.sent == []


def test_who_was_shown_all_is_not_asked_again(tmp_path):
    model = Model("not_applicable")
    Judging(model, lambda _span: "")([asked(tool_of(reading(tmp_path, PYTHON), "tool_scrap"))])
    assert len(model.sent) == 1


def test_a_batch_is_not_asked_again(tmp_path):
    model = Model("not_applicable")
    Judging(model, lambda _span: "", once=True)([asked(big(tmp_path))])
    assert len(model.sent) == 1


def test_what_is_shown_of_code_is_made_harmless(tmp_path):
    hidden = {**PYTHON, "shed/store.py": PYTHON["shed/store.py"].replace('"gone"', '"go\u202ene"')}
    tool = tool_of(reading(tmp_path, hidden), "tool_scrap")
    ((question_request, _),) = iter_question_requests([asked(tool)], lambda _span: "", "s")
    assert "\u202e" not in question_request.user
    assert "go\\\\u{202E}ne" in question_request.user
