"""The fuzzers by name: a number → a case, always the same one."""

import itertools
from collections.abc import Callable
from functools import cache
from random import Random
from typing import NamedTuple

import answers
import configuration
import definitions
import mutations
import python_source
import rust_source
from cases import Case
from python_values import Values
from seeds import SEEDS
from subjects import HOUSE
from values import TEXTS, chance

SUFFIXES = (".py", ".py", ".rs", ".rs", ".ts", ".ts", ".json")


def _spelled(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _seed(random: Random, suffix: str) -> bytes:
    return mutations.cut(random, random.choice(SEEDS.of(suffix)), suffix)


@cache
def _pool(suffix: str) -> tuple[bytes, ...]:
    found = itertools.chain.from_iterable(mutations.tokens(each) for each in SEEDS.of(suffix)[:400])
    odd = [
        b"0x" + b"f" * 40,
        b"1" + b"0" * 4400,
        b"1e999",
        b'"\\ud800"',
        b"**",
        b"@",
        b"...",
        b"*",
        b"lambda",
        b"yield",
        b"await",
        b"::",
        b"!",
        b"_",
    ]
    return (*dict.fromkeys(each for each in found if each.strip()), *odd * 20)


def made(random: Random, suffix: str) -> bytes:
    """Return a small part of a text from its grammar."""
    if suffix == ".py":
        return _spelled(Values(random).make(2))
    if suffix == ".rs":
        return _spelled(rust_source.Source(random).value(2))
    return _spelled(definitions.Document(random).any(2))


def of_bytes(random: Random) -> Case:
    """Return a seed with some bytes changed."""
    suffix = random.choice((*SUFFIXES, ".yaml"))
    seed = random.choice(SEEDS.of(suffix)) if suffix == ".yaml" else _seed(random, suffix)
    return Case("review", {f"server{suffix}": mutations.flipped(random, seed)})


def of_tokens(random: Random) -> Case:
    """Return a seed with some tokens or lines changed."""
    suffix = random.choice(SUFFIXES)
    data = mutations.retokened(random, _seed(random, suffix), _pool(suffix))
    return Case("review", {f"server{suffix}": mutations.relined(random, data) if chance(random, 30) else data})


def of_trees(random: Random) -> Case:
    """Return a seed with nodes of others in it."""
    suffix = random.choice(SUFFIXES)
    donors = SEEDS.of(suffix)
    data = mutations.spliced(random, _seed(random, suffix), suffix, donors, lambda: made(random, suffix))
    return Case("review", {f"server{suffix}": data})


def of_python(random: Random) -> Case:
    """Return a Python server from the grammar, at times with a file beside it."""
    files = {"server.py": _spelled(python_source.module(random))}
    if chance(random, 6):
        name, text = configuration.manifest(random)
        files[name] = _spelled(text)
    if chance(random, 4):
        files[random.choice(["x.py", "sub/__init__.py", "a/b.py"])] = _spelled(python_source.module(random))
    if chance(random, 4):
        files[random.choice(["README.md", "docs/tools.md"])] = "\n".join(random.choices(MARKDOWN, k=12)).encode()
    return Case("review", files)


MARKDOWN = (
    "# Tools",
    "| name | what |",
    "| --- | --- |",
    "| `get_note` | x |",
    "- `list_notes(limit)`: x",
    "```python",
    "```",
    "`x",
    "[a](b",
    "<!--",
    "\u202e",
    "## get_note",
    "***",
    "|" * 60,
    "`" * 50,
    "",
    *TEXTS[:9],
)


def of_rust(random: Random) -> Case:
    """Return a Rust server from the grammar, at times with a file beside it."""
    files = {"src/main.rs": _spelled(rust_source.module(random))}
    if chance(random, 6):
        name, text = configuration.manifest(random)
        files[name] = _spelled(text)
    if chance(random, 4):
        files[random.choice(["src/inner.rs", "src/x/mod.rs", "build.rs"])] = _spelled(rust_source.module(random))
    return Case("review", files)


def of_definitions(random: Random) -> Case:
    """Return a file of tool definitions from the grammar."""
    if chance(random, 25):
        return Case("review", {"tools.yaml": _spelled(definitions.in_yaml(random))})
    return Case("review", {"tools.json": _spelled(definitions.in_json(random))})


def of_configuration(random: Random) -> Case:
    """Return a configuration from the grammar."""
    name, text = configuration.toml(random)
    data = _spelled(text)
    return Case(
        "configure", {name: mutations.retokened(random, data, [b"=", b"[", b"]", b"\n"]) if chance(random, 8) else data}
    )


def of_manifests(random: Random) -> Case:
    """Return a small server beside files that name versions."""
    made = [configuration.manifest(random) for _ in range(random.randint(1, 2))]
    path = "a/" * random.choice([20, 300, 1500]) if chance(random, 3) else ""
    own = random.choice(
        ({f"{path}server.py": HOUSE}, {f"{path}src/main.rs": ROUTER}, {f"{path}src/server.ts": REGISTERING})
    )
    return Case("review", own | {name: _spelled(text) for name, text in made})


ROUTER = b"""use rmcp::{tool, tool_router, schemars};
#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct Query { #[schemars(range(min = 1))] pub limit: Option<u32>, pub name: String }
#[tool_router]
impl Notes {
    /// Reads notes.
    #[tool]
    async fn read(&self, Parameters(query): Parameters<Query>) -> String { String::new() }
}
"""


REGISTERING = b"""import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
const server = new McpServer({ name: "notes", version: "1.0.0" });
const shape = { limit: z.number().int().min(1).optional(), name: z.string() };
server.registerTool("read", { description: "Reads notes.", inputSchema: shape }, async ({ name }) => ({
  content: [{ type: "text", text: name }],
}));
"""


def of_diffs(random: Random) -> Case:
    """Return a server before and after a change."""
    kind = random.randrange(4)
    if kind == 0:
        name, before = "tools.json", _spelled(definitions.in_json(random))
    elif kind == 1:
        name, before = "server.py", _spelled(python_source.module(random))
    else:
        suffix = random.choice((".py", ".rs", ".ts", ".json"))
        name, before = f"server{suffix}", _seed(random, suffix)
    after = before
    for _ in range(random.randint(0, 3)):
        after = mutations.relined(random, after) if chance(random, 70) else mutations.flipped(random, after)
    if chance(random, 50):
        before, after = after, before
    return Case("compare", {f"base/{'x' if chance(random, 8) else ''}{name}": before, f"head/{name}": after})


def of_judging(random: Random) -> Case:
    """Return a file of an agent's answers, or a record of verdicts."""
    if chance(random, 25):
        return Case("replay", {"verdicts.json": answers.altered(random, answers.record())})
    return Case("judge", {"answers.json": answers.altered(random, answers.replies())})


def of_records(random: Random) -> Case:
    """Return a baseline, or a stored report."""
    if chance(random, 50):
        return Case("baseline", {"baseline.json": answers.altered(random, answers.accepting())})
    return Case("report", {"report.json": answers.altered(random, answers.report())})


def of_commands(random: Random) -> Case:
    """Return a project for the whole command, in a folder of the disk."""
    case = random.choice((of_python, of_rust, of_definitions, of_tokens))(random)
    files = dict(case.files)
    if chance(random, 40):
        name, text = configuration.toml(random)
        files[name] = _spelled(text)
    if chance(random, 20):
        files[random.choice([".gitignore", "src/.gitignore", ".git/info/exclude"])] = "\n".join(
            random.choices(configuration.EXCLUDED, k=4)
        ).encode()
    pipes = dict.fromkeys(random.choices(PIPES, k=2)) if chance(random, 6) else ()
    return Case("command", files, tuple(each for each in pipes if each not in files))


PIPES = (
    ".git/info/exclude",
    ".gitignore",
    "x.py",
    "x.rs",
    "x.ts",
    "package.json",
    "pnpm-lock.yaml",
    "mcp-review.toml",
    "pyproject.toml",
    "README.md",
    "Cargo.lock",
)


class Fuzzer(NamedTuple):
    """Makes cases; `share` is its part of a run, in inputs of a hundred."""

    make: Callable[[Random], Case]
    share: int


FUZZERS = {
    "definitions": Fuzzer(of_definitions, 18),
    "configuration": Fuzzer(of_configuration, 14),
    "python": Fuzzer(of_python, 15),
    "rust": Fuzzer(of_rust, 12),
    "trees": Fuzzer(of_trees, 7),
    "tokens": Fuzzer(of_tokens, 5),
    "bytes": Fuzzer(of_bytes, 5),
    "manifests": Fuzzer(of_manifests, 6),
    "diffs": Fuzzer(of_diffs, 4),
    "judging": Fuzzer(of_judging, 6),
    "records": Fuzzer(of_records, 6),
    "commands": Fuzzer(of_commands, 2),
}


def case(name: str, number: int) -> Case:
    """Return a fuzzer's case of a number."""
    return FUZZERS[name].make(Random(f"{name}:{number}"))
