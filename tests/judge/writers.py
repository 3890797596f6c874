"""A server whose descriptions say too little, and models that judge by what a text says and write what they are told to."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from judge.loopback import Answer, message
from reviewer.judge.rubrics import load_rubric

OLD = "Searches the mail."
NEW = "Searches the mail by words of the subject. Gives at most 50 letters, the newest first."
CLAIMS = [
    {"claim": "Searches the mail by words of the subject.", "quotes": ["word in letter.subject"]},
    {"claim": "Gives at most 50 letters, the newest first.", "quotes": ["[:50]", "sorted(found, key=age)"]},
]
CODE = """
    found = [letter for letter in BOX if any(word in letter.subject for word in words.split())]
    return sorted(found, key=age)[:50]
"""
SERVER = '''from fastmcp import FastMCP

mcp = FastMCP("mail")


@mcp.tool()
def search_mail(words: str) -> list:
    """{said}"""{code}

mcp.run()
'''


def mail(folder: Path, said: str = OLD, code: str = CODE) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "server.py").write_text(SERVER.format(said=said, code=code))
    return folder


def parts(user: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Read a request as a model does: the data, and what is to be answered about it."""
    shown = json.loads(user[user.index(">\n") + 2 : user.index("\n</data-")])
    head = "The checks:\n" if "The checks:\n" in user else "The questions:\n"
    listed, _ = json.JSONDecoder().raw_decode(user, user.index(head) + len(head))
    return shown, listed


def known(each: dict[str, Any], shown: dict[str, Any]) -> str:
    return "met" if each["about"] == shown["marker"] else "not_met"


LIMITS = {"limitations-not-told": "at most", "occasion-not-told": "Searches"}
"""Words by which a rubric is met."""


def judged(user: str, words: dict[str, str] = LIMITS) -> dict[str, Any]:
    shown, listed = parts(user)
    given = []
    for each in listed:
        marker = each["rubric"] == "marker"
        text = "" if marker else next(one["description"] for one in shown["tools"] if one["number"] == each["tool"])
        every = list(range(1, load_rubric(each["rubric"]).questions + 1))
        word = words.get(each["rubric"], "")
        met = known(each, shown) == "met" if marker else word in text
        quote = "" if marker else word if met and word else text
        said = {"id": each["id"], "verdict": "met" if met else "not_met", "quote": quote, "why": "so it reads"}
        said |= {"evidence": "", "names": []}
        given.append({**said, "failing": [] if met or marker else every})
    return {"verdicts": given}


def draft(user: str, text: str = NEW, claims: list[dict[str, Any]] = CLAIMS) -> dict[str, Any]:
    shown, listed = parts(user)
    checks = [{"id": each["id"], "verdict": known(each, shown)} for each in listed]
    return {"checks": checks, "claims": claims if text else [], "text": text}


def is_rewrite_request(user: str) -> bool:
    return "The checks:\n" in user


def model(write: Callable[[str], dict[str, Any]] = draft, words: dict[str, str] = LIMITS) -> Answer:
    """Return a model that judges and writes."""

    def answer(handler: Any, body: dict[str, Any]) -> None:
        user = body["messages"][0]["content"]
        given = write(user) if is_rewrite_request(user) else judged(user, words)
        handler.send(200, message(body["model"], json.dumps(given)))

    return answer


def writes(text: str, *claims: tuple[str, str]) -> Callable[[str], dict[str, Any]]:
    """Return a writer of one text; a claim without a quote of its own rests on the code."""
    return lambda user: draft(user, text, [{"claim": said, "quotes": [quote]} for said, quote in claims])
