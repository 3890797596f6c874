"""Files that come back to the command: verdicts of agents, records of verdicts, baselines and reports, each a bit wrong."""

import copy
import json
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from forms import LONG
from subjects import accepted, exported, house
from values import TEXTS, chance

from reviewer.compare import baseline
from reviewer.judge.rewrite_requests import RewriteRequest
from reviewer.render import RENDERERS

ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2**40,
        1.5,
        1e308,
        float("nan"),
        float("inf"),
        "",
        [],
        {},
        [[]],
        {"a": 1},
        "not_met",
        "met",
        "error",
        "0" * 16,
    ),
    *(
        "\ud800",
        "x" * 3000,
        "../x",
        "/etc/passwd",
        "a\nb",
        [None],
        {"": None},
        ["x"] * 50,
        "2" * 40,
        "server.py",
        "unsure",
        "1e5",
    ),
)


@cache
def replies() -> Any:
    """Return an agent's file that answers everything as it should be answered."""
    given, written = [], []
    for each in exported().question_requests:
        if isinstance(each, RewriteRequest):
            checks = [{"id": one.id, "verdict": "met" if one.met else "not_met"} for one in each.markers]
            claim = {"claim": "Lists all the notes.", "quotes": ["Lists all the notes."]}
            written.append(
                {"request": each.key, "checks": checks, "claims": [claim], "text": "Lists all the notes. Use it first."}
            )
            continue
        own = [
            {"id": one.id, "failing": [1], "verdict": "not_met", "quote": "Do it.", "why": "It says nothing."}
            for one in each.posed
        ]
        known = [
            {"id": one.id, "failing": [], "verdict": "met" if one.met else "not_met", "quote": "", "why": ""}
            for one in each.markers
        ]
        given.append({"request": each.key, "verdicts": own + known})
    return {"version": 1, "model": "m", "export": "0" * 32, "replies": given, "rewrites": written}


@cache
def record() -> Any:
    """Return a record of verdicts on all questions."""
    verdict = {"verdict": "not_met", "quote": "Do it.", "why": "It says nothing.", "model": "m", "failing": [1]}
    asked = [posed.key for each in exported().question_requests for posed in each.posed]
    return {"version": 1, "verdicts": dict.fromkeys(asked, verdict)}


@cache
def accepting() -> Any:
    """Return a baseline of all that is found."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "baseline.json"
        baseline.write(file, [baseline.build_entry(each, house().lines) for each in accepted()[0].findings])
        return json.loads(file.read_bytes())


@cache
def report() -> Any:
    """Return a report as it is stored."""
    return json.loads(RENDERERS["json"](accepted()[0]))


def altered(random: Random, document: Any) -> bytes:
    """Return a document with some of its parts changed, lost, doubled or of another type, as JSON or nearly so."""
    document = copy.deepcopy(document)
    for _ in range(random.choice([0, 1, 1, 2, 4])):
        holder = _place(random, document)
        if holder is None:
            break
        _alter(random, *holder)
    text = json.dumps(document, ensure_ascii=chance(random, 80))
    data = text.encode("utf-8", "surrogatepass")
    if chance(random, 12):
        at = random.randrange(len(data))
        data = (
            data[:at]
            + random.choice([b"", b"\xff", b"}", b",", b'"', b"\x00", LONG.encode(), b"[" * 3000])
            + data[at + random.randint(0, 9) :]
        )
    return data


def _place(random: Random, document: Any) -> tuple[Any, Any] | None:
    """Return a part's holder and its key."""
    place = None
    here = document
    while isinstance(here, dict | list) and here:
        key = random.choice(list(here)) if isinstance(here, dict) else random.randrange(len(here))
        place = here, key
        if chance(random, 22):
            break
        here = here[key]
    return place


def _alter(random: Random, holder: Any, key: Any) -> None:
    kind = random.randrange(6)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, dict):
        holder[random.choice(TEXTS)] = holder.pop(key)
    elif kind == 1:
        holder.insert(0, copy.deepcopy(holder[key]))
    elif kind == 2:
        holder[key] = random.choice(TEXTS)
    elif kind == 3:
        holder[key] = [holder[key]] * random.choice([1, 2, 40])
    else:
        holder[key] = copy.deepcopy(random.choice(ODD))
