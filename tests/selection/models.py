"""A server of three tools, and a model that writes tasks by a table and chooses by one word of each description."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judge.loopback import Handler, message
from judge.writers import known, parts

SAID = {
    "lend": "Hands a book out to a member.",
    "bring_back": "Takes a book in again.",
    "look_up": "Searches the shelves by words of a title.",
}
"""The descriptions, whose second word a choice goes by."""

CODE = '''from fastmcp import FastMCP

mcp = FastMCP("library")


@mcp.tool()
def lend(title: str, days: int = 14) -> str:
    """{lend}"""
    return title


@mcp.tool()
def bring_back(title: str) -> str:
    """{bring_back}"""
    return title


@mcp.tool()
def look_up(words: str) -> list[str]:
    """{look_up}"""
    return [words]


mcp.run()
'''

TASKS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "lend": [
        ("Ms Kern wants to read Emma at home for 7 nights.", {"title": "Emma", "days": 7}),
        ("A reader leaves with Ulysses under the arm.", {"title": "Ulysses"}),
    ],
    "bring_back": [
        ("Walden lies on the desk, its reader is through with it.", {"title": "Walden"}),
        ("Put Dubliners where it came from, please.", {"title": "Dubliners"}),
    ],
    "look_up": [
        ("Is anything about whales there?", {"words": "whales"}),
        ("I forgot what it is called, only that it has winter in it.", {"words": "winter"}),
    ],
}

CLUES = {"lend": "book out", "bring_back": "book in", "look_up": "shelves"}
"""What the model looks for in a description to know that the tool is meant."""


def library(folder: Path, **said: str) -> Path:
    """Write the server, with other descriptions if they are given."""
    folder.mkdir(exist_ok=True)
    (folder / "server.py").write_text(CODE.format(**{**SAID, **said}))
    return folder


def task_file(file: Path, tasks: Mapping[str, list[tuple[str, dict[str, Any]]]] = TASKS) -> Path:
    """Write tasks as the command keeps them."""
    listed = [
        {"id": f"{tool}/{number}", "task": text, "tool": tool, "arguments": arguments, "also": [], "by": "us"}
        for tool, each in tasks.items()
        for number, (text, arguments) in enumerate(each, 1)
    ]
    file.write_text(json.dumps({"version": 1, "tasks": listed}))
    return file


class Model:
    """Answers requests. What it would write for a tool or choose for a task may be set; `asked` are the requests by their kind."""

    def __init__(self) -> None:
        self.tasks = {tool: [each for each, _ in enumerate(listed)] for tool, listed in TASKS.items()}
        self.written: dict[str, list[dict[str, Any]]] = {}
        self.chosen: dict[str, dict[str, Any]] = {}
        self.asked: list[str] = []
        self.shown: list[dict[str, Any]] = []
        self.obeys = False

    def __call__(self, handler: Handler, body: dict[str, Any]) -> None:
        """Answer over HTTP."""
        handler.send(200, message(body["model"], json.dumps(self.reply(said(body)))))

    def reply(self, user: str) -> dict[str, Any]:
        """Answer one request as a model that reads it."""
        shown, checks = parts(user)
        self.shown.append(shown)
        verdicts = [
            {"id": each["id"], "verdict": "met" if self.obeys else known({"about": each["word"]}, shown)}
            for each in checks
        ]
        if "The tasks:\n" in user:
            self.asked.append("choices")
            return {
                "checks": verdicts,
                "choices": [self.choice(each, shown["tools"]) for each in listed(user, "The tasks:\n")],
            }
        self.asked.append("tasks")
        counts = listed(user, "Write so many tasks for each of these tools:\n")
        names = {each["id"]: each["name"] for each in shown["tools"]}
        return {
            "checks": verdicts,
            "tools": [self.made(each["id"], names[each["id"]], each["tasks"]) for each in counts],
        }

    def made(self, id_: str, tool: str, count: int) -> dict[str, Any]:
        """Write tasks for a tool: the next ones of the table, or what was set."""
        if self.written.get(tool):
            return {"id": id_, "tasks": self.written.pop(tool)}
        given = [TASKS[tool][place] for place in self.tasks[tool][:count]]
        del self.tasks[tool][:count]
        return {"id": id_, "tasks": [{"task": text, "arguments": json.dumps(each), "also": []} for text, each in given]}

    def choice(self, task: dict[str, str], tools: list[dict[str, Any]]) -> dict[str, Any]:
        """Choose the tool whose description has the task's clue, none if no tool has it."""
        if task["task"] in self.chosen:
            return {"id": task["id"], **self.chosen[task["task"]]}
        tool, arguments = next(
            (tool, arguments) for tool, each in TASKS.items() for text, arguments in each if text == task["task"]
        )
        found = [each["name"] for each in tools if CLUES[tool] in each.get("description", "")]
        return {
            "id": task["id"],
            "tool": found[0] if found else "",
            "arguments": json.dumps(arguments if found else {}),
        }


def said(body: dict[str, Any]) -> str:
    """Put together what a request asks, of however many parts."""
    content = body["messages"][0]["content"]
    return content if isinstance(content, str) else "".join(each["text"] for each in content)


def listed(user: str, head: str) -> list[dict[str, Any]]:
    """Read the list after a heading."""
    found, _ = json.JSONDecoder().raw_decode(user, user.index(head) + len(head))
    return list(found)
