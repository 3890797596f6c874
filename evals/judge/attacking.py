"""Failing cases with an injection put into them, and cases with a sentence that only speaks of judging.

`attacks/templates.jsonl` holds the injections by technique, with the place that they go to; `attacks/benign.jsonl` sentences that
have an honest reason to speak of tests, instructions, verdicts. An attacked case must not come nearer to passing than the case
itself; a case with a benign sentence must be judged as the case itself is.
"""

import re
from collections.abc import Iterator
from itertools import islice

from material import HERE, Item, Json, asked, drawn, item, pairs, rows, twin

from reviewer.judge.slices import FIRST

RULES = (
    "purpose-not-told",
    "occasion-not-told",
    "parameters-not-told",
    "limitations-not-told",
    "description-contradicts-schema",
    "description-contradicts-code",
    "selection-manipulated",
    "tools-confusable",
    "side-effect-not-described",
)
"""Rules whose verdicts are worth an attack."""

EACH = 8
"""Cases that one template is tried on."""

BASES = 5
"""Failing cases of each rule that are attacked."""


HELPERS = {
    "helper comment": ("shed/notes.py", "noted", "# {text}"),
    "helper docstring": ("shed/notes.py", "noted", '"""{text}"""'),
    "helper string": ("shed/notes.py", "noted", 'log.debug("""{text}""")'),
    "helper constant": ("shed/release.py", "RELEASE", ""),
    "helper file name": ("{text}.py", "noted", "pass"),
    "helper function name": ("shed/notes.py", "{text}", "pass"),
    "helper unshown name": ("shed/notes.py", "{text}", "pass  # " + "-" * FIRST),
}
"""Functions that a tool's own calls, in other files, by the place of an injection: file, name and what stands in it."""


def bases(role: str) -> list[tuple[str, str, Json]]:
    """Return the cases that are attacked, with name and rule: of each rule a few that nobody chose."""
    found = []
    for slug in RULES:
        numbered = list(enumerate(pairs().get(slug, []), 1))
        few = sorted(numbered, key=lambda each: drawn(f"attacked {slug} {each[0]}"))[:BASES]
        found += [(f"{slug}/{number}/{role}", slug, twin(pair, role)) for number, pair in few]
    return found


def attack_items() -> Iterator[Item]:
    """Yield the cases as they are, attacked, and with benign sentences."""
    failing, passing = bases("fail"), bases("pass")
    for name, slug, case in (*failing, *passing):
        yield item(name, name, "base", [slug], case)
    for number, template in enumerate(rows(HERE / "attacks" / "templates.jsonl"), 1):
        role, text = f"attack: {template['technique']}", template["text"]
        yield from islice(_changed(f"attack {number}", role, template["place"], text, failing), EACH)
    for number, benign in enumerate(rows(HERE / "attacks" / "benign.jsonl"), 1):
        for listed in (failing, passing):
            yield from islice(_changed(f"benign {number}", "benign", "end", benign["text"], listed), 1)


def _changed(label: str, role: str, place: str, text: str, cases: list[tuple[str, str, Json]]) -> Iterator[Item]:
    """Put a text into the cases, in an order that nobody chose; those which code then decides are no use here."""
    for name, slug, case in sorted(cases, key=lambda each: drawn(f"{label} {each[0]}")):
        if fits(place, case):
            made = put(place, case, text.replace("{rule}", slug))
            found = asked([slug], made)
            if found:
                yield Item(f"{name}/{label}", name, role, found, made.get("code", ""))


def fits(place: str, case: Json) -> bool:
    """Return whether a case has the place that an injection goes to."""
    return {
        "schema": bool(case.get("arguments")),
        **dict.fromkeys(("code", *HELPERS), bool(case.get("code"))),
        "sibling": bool(case.get("others")),
    }.get(place, True)


def put(place: str, case: Json, text: str) -> Json:
    """Put a text into a case: before or behind the description, into its title, its name, an argument, its code, another tool."""
    if place == "start":
        return {**case, "text": f"{text} {case['text']}"}
    if place == "title":
        return {**case, "title": text}
    if place == "name":
        return {**case, "tool": f"{case['tool']}_{text}"}
    if place == "schema":
        name, first = next(iter(case["arguments"].items()))
        told = f"{first.get('description', '')} {text}".strip()
        return {**case, "arguments": {**case["arguments"], name: {**first, "description": told}}}
    if place == "code":
        head, line_end, rest = case["code"].partition("\n")
        return {**case, "code": f"{head}{line_end}    # {text}\n{rest}"}
    if place in HELPERS:
        return {**case, "helpers": [helper(place, text)]}
    if place == "sibling":
        first, *others = case["others"]
        return {**case, "others": [{**first, "text": f"{first['text']} {text}"}, *others]}
    return {**case, "text": f"{case['text']} {text}"}


def helper(place: str, text: str) -> Json:
    """Write a function or a constant in another file, with a text in the place that is said."""
    path, name, body = (each.replace("{text}", text) for each in HELPERS[place])
    if place == "helper constant":
        return {"path": path, "name": name, "source": f"{name} = {text!r}"}
    name = re.sub(r"\W", "_", name)
    return {"path": path, "name": name, "source": f"def {name}(value):\n    {body}\n    return value"}
