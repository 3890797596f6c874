"""Ways that a value may take through a language: a review follows an argument over each to where it does harm."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from reviewer import review
from reviewer.config import Flags

FLOWS = Path(__file__).parent / "flows"
SINK = re.compile(r"\bS\b")

PYTHON = """
import abc, anyio, asyncio, base64, collections, concurrent.futures, contextlib, contextvars, copy, csv, dataclasses, enum
import functools, heapq, io, itertools, json, operator, os, pathlib, re, shlex, string, tempfile, textwrap, threading, types
import typing, urllib.parse
import pydantic
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("flows")
"""

RUST = """
use std::fmt::Write;
use std::process::Command;

use futures::StreamExt;
use rmcp::handler::server::{router::tool::ToolRouter, wrapper::Parameters};
use rmcp::{schemars, tool, tool_handler, tool_router, ServerHandler};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Asked {
    x: String,
}

#[derive(Clone)]
struct Office {
    tool_router: ToolRouter<Self>,
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Office {}
"""


def _flows(language: str) -> list[dict[str, object]]:
    return tomllib.loads((FLOWS / f"{language}.toml").read_text("utf-8"))["flow"]


def _named(text: object, name: str) -> str:
    """Return code in which the sink has the name of its flow."""
    return SINK.sub(f"S_{name}", str(text))


def _python(flows: list[dict[str, object]]) -> str:
    parts = [PYTHON]
    for each in flows:
        name = str(each["name"])
        body = _named(each["body"], name).rstrip().replace("\n", "\n    ").lstrip()
        parts += [
            f'def S_{name}(v):\n    os.system("{name} " + v)\n',
            _named(each.get("around", ""), name),
            f'@mcp.tool()\nasync def t_{name}(x: str) -> str:\n    """T."""\n    {body}\n    return "1"\n',
        ]
    return "\n".join(parts)


def _rust(flows: list[dict[str, object]]) -> str:
    parts, tools = [RUST], []
    for each in flows:
        name = str(each["name"])
        run = f'Command::new("sh").arg("-c").arg(format!("{name} {{v}}")).status().ok();'
        parts += [f"fn S_{name}(v: &str) {{ {run} }}", _named(each.get("around", ""), name)]
        tools.append(
            f'#[tool(description = "{name}")]\nasync fn t_{name}(&self, Parameters(asked): Parameters<Asked>) -> String {{\n'
            f"let x = asked.x;\n{_named(each['body'], name)}\nString::new()\n}}"
        )
    return "\n".join([*parts, "#[tool_router]\nimpl Office {", *tools, "}"])


@cache
def _told(language: str, folder: Path) -> frozenset[str]:
    """Return the names of the flows that a review tells of."""
    flows = _flows(language)
    file = folder / ("server.py" if language == "python" else "src/main.rs")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(_python(flows) if language == "python" else _rust(flows), "utf-8")
    report = review(folder, Flags(select=("command-injection",)))
    found = (
        re.search(r'(?:os\.system|format!)\("(\w+) ', each.message)
        for part in report.sections
        for each in part.findings
    )
    return frozenset(each[1] for each in found if each is not None)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {language: tmp_path_factory.mktemp(language) for language in ("python", "rust")}


@pytest.mark.parametrize(
    ("language", "flow"),
    [
        pytest.param(language, each, id=f"{language}-{each['name']}")
        for language in ("python", "rust")
        for each in _flows(language)
    ],
)
def test_an_argument_is_followed(language, flow, folders):
    assert (flow["name"] in _told(language, folders[language])) is not flow.get("lost", False)
