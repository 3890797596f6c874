"""Cases in files → the requests that the product itself would make of them.

A case is one tool, with what stands beside it: arguments, annotations, other tools, code. Where its texts say `@@`, a pair's
failing and its passing twin differ, and nowhere else. The rule itself decides whether there is a question; a case of which it
asks none is an error in the case.
"""

import json
from argparse import ArgumentTypeError
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from reviewer.config import Flags, build_configuration, load_profile, settle
from reviewer.engine import ActiveRule, examine
from reviewer.facts import CodePiece, Handler, Project
from reviewer.inputs import definitions, documents
from reviewer.judge import Answer, AskedQuestion, Unanswered
from reviewer.judge.question_requests import QuestionRequest, Viewed, build_view, iter_question_requests
from reviewer.source import Span, Text

HERE = Path(__file__).resolve().parent
SLOT = "@@"
Json = dict[str, Any]


@dataclass(frozen=True)
class Item:
    """One case to be judged: what is asked of it, and its place in the set.

    `group` holds the items that no judge should see together, for one gives the other away; `role` is what it is within them.
    """

    id: str
    group: str
    role: str
    asked: tuple[AskedQuestion, ...]
    code: str = ""

    def viewed(self) -> Viewed:
        """Return what it shows."""
        return build_view(list(self.asked), lambda _span: self.code)

    def question_request(self, seed: str) -> QuestionRequest:
        """Return the request, as the product would send it."""
        ((made, _),) = iter_question_requests(self.asked, lambda _span: self.code, seed)
        return made


def rows(path: Path) -> list[Json]:
    """Read a file of one JSON object a line."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def filled(value: Any, slot: Any) -> Any:
    """Put something into the slot, wherever it stands; where the slot is all there is, as it is."""
    if isinstance(value, str):
        return slot if value == SLOT else value.replace(SLOT, str(slot))
    if isinstance(value, dict):
        return {filled(key, slot): filled(each, slot) for key, each in value.items()}
    return [filled(each, slot) for each in value] if isinstance(value, list) else value


def document(case: Json) -> Json:
    """Write a case as an entry of `tools/list`."""
    arguments = case.get("arguments", {})
    wanted = [name for name, each in arguments.items() if not each.get("optional")]
    plain = {name: {key: part for key, part in each.items() if key != "optional"} for name, each in arguments.items()}
    schema = {"type": "object", "properties": {name: {"type": "string", **each} for name, each in plain.items()}}
    tool: Json = {"name": case["tool"], "description": case["text"], "inputSchema": {**schema, "required": wanted}}
    return tool | {key: case[key] for key in ("title", "annotations") if key in case}


def asked(slugs: list[str], case: Json) -> tuple[AskedQuestion, ...]:
    """Return what some rules ask of a case's tool, through the engine."""
    listed = [*map(document, case.get("others", [])), document(case)]
    read = definitions.build_project(documents.parse_document(json.dumps({"tools": listed}).encode(), "tools.json"))
    assert read is not None
    project = with_code(read, case) if case.get("code") else read
    met: list[AskedQuestion] = []

    def noting(questions: Any) -> list[Answer]:
        met.extend(questions)
        return [Unanswered("only noted")] * len(questions)

    examine(project, [chosen(slug) for slug in slugs], judge=noting)
    return tuple(each for each in met if str(each.question.tool.name) == case["tool"])


def with_code(project: Project, case: Json) -> Project:
    """Return the last tool of a project a handler, and with its code the helpers in other files that a case has.

    Where it has none, the code is given by whoever makes the request.
    """
    server = project.servers[0]
    *others, tool = server.tools
    handler = Handler(Text(str(tool.name), tool.span), tool.span)
    own = CodePiece(str(tool.name), tool.span, (Text(case["code"], tool.span),))
    helpers = [piece(each) for each in case.get("helpers", [])]
    tools = (*others, replace(tool, handler=handler, reached=(own, *helpers) if helpers else ()))
    return replace(project, servers=(replace(server, tools=tools),))


def piece(helper: Json) -> CodePiece:
    """Return a function or a constant in another file as what a tool reaches."""
    lines = helper["source"].split("\n")
    at = Span(helper["path"], 1, 1, len(lines), len(lines[-1]) + 1)
    head = Text(lines[0], at) if lines[0].startswith("def ") else None
    return CodePiece(helper["name"], at, (Text(helper["source"], at),), head)


@cache
def chosen(slug: str) -> ActiveRule:
    """Settle a rule as the profile that has it sets it: `core`, or else the 46 rules'."""
    name = "core" if slug in load_profile("core").rules else "validator-46"
    (one,) = settle(build_configuration(select=(slug,)), Flags(profile=name), name).chosen
    return one


def pairs() -> dict[str, list[Json]]:
    """Return the pairs of each rule."""
    return {path.stem: rows(path) for path in sorted((HERE / "pairs").glob("*.jsonl"))}


def twin(pair: Json, role: str) -> Json:
    """Return one of a pair's two cases; what the difference is, and why it decides, is not part of it."""
    case = {key: each for key, each in pair.items() if key not in ("fail", "pass", "why")}
    made: Json = filled(case, pair[role])
    return made


def pair_items() -> Iterator[Item]:
    """Yield both twins of every pair."""
    for slug, listed in pairs().items():
        for number, pair in enumerate(listed, 1):
            for role in ("fail", "pass"):
                yield item(f"{slug}/{number}/{role}", f"{slug}/{number}", role, [slug], twin(pair, role))


def item(name: str, group: str, role: str, slugs: list[str], case: Json) -> Item:
    """Make an item of a case. Raises ValueError if no rule asks anything of it."""
    found = asked(slugs, case)
    if not found:
        raise ValueError(f"{name}: {', '.join(slugs)} asks nothing of it")
    return Item(name, group, role, found, case.get("code", ""))


def shard(items: list[Item], index: int, count: int) -> list[Item]:
    """Return one of several parts of a set, from 0; the items of a group lie in different ones as far as there are enough."""
    met: dict[str, int] = {}
    kept = []
    for each in items:
        turn = met[each.group] = met.get(each.group, -1) + 1
        if (drawn(each.group) + turn) % count == index:
            kept.append(each)
    return sorted(kept, key=lambda each: drawn(each.id))


def placed(text: str) -> tuple[int, int]:
    """Read which of several parts an argument asks for: `I/N`, counted from 1."""
    index, _, count = text.partition("/")
    if not (index.isdigit() and count.isdigit() and 1 <= int(index) <= int(count)):
        raise ArgumentTypeError("give I/N, as in 1/4")
    return int(index) - 1, int(count)


def drawn(text: str) -> int:
    """Return a number that nobody chose."""
    return int.from_bytes(sha256(text.encode()).digest()[:6])
