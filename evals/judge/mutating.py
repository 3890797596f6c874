"""Good descriptions, and what they become when their limit is taken out, their schema contradicted, two of them swapped.

`mutations/good.jsonl` holds tools by servers of two. In a text `[[...]]` stands around the limit, `((a|b))` around what agrees
with the schema (a) and what contradicts it (b).
"""

import re
from collections.abc import Iterator

from material import HERE, Item, Json, item, rows

LIMIT = re.compile(r"\[\[(.*?)\]\]\s*", re.DOTALL)
AGREES = re.compile(r"\(\((.*?)\|(.*?)\)\)", re.DOTALL)
LIMITS, SCHEMA = "limitations-not-told", "description-contradicts-schema"


def good(tool: Json) -> str:
    """Give a description as it was meant."""
    return AGREES.sub(r"\1", LIMIT.sub(r"\1 ", tool["text"])).strip()


def mutation_items() -> Iterator[Item]:
    """Give every good tool, and every mutant of it, each with the rule whose verdict must flip."""
    listed = rows(HERE / "mutations" / "good.jsonl")
    by_server: dict[str, list[Json]] = {}
    for tool in listed:
        by_server.setdefault(tool["server"], []).append(tool)
    for tool in listed:
        name, text = f"{tool['server']}/{tool['tool']}", good(tool)
        other = next(each for each in by_server[tool["server"]] if each is not tool)
        mutants = {
            "limit removed": (LIMITS, AGREES.sub(r"\1", LIMIT.sub("", tool["text"])).strip()),
            "schema contradicted": (SCHEMA, AGREES.sub(r"\2", LIMIT.sub(r"\1 ", tool["text"])).strip()),
            "siblings swapped": (SCHEMA, good(other)),
        }
        for slug in (LIMITS, SCHEMA):
            yield item(f"{name}/good/{slug}", name, f"good {slug}", [slug], {**tool, "text": text})
        for kind, (slug, changed) in mutants.items():
            yield item(f"{name}/{kind}", name, kind, [slug], {**tool, "text": changed})
