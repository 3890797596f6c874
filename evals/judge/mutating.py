"""Good descriptions, and what they become when their limits are taken out, their schema contradicted, two of them swapped.

`mutations/good.jsonl` holds tools by servers of two, and so does `mutations/unseen.jsonl`, on which no rubric was tuned. In a
text `[[...]]` stands around each limit, `((a|b))` around what agrees with the schema (a) and what contradicts it (b).
"""

import re
from collections.abc import Iterator

from material import HERE, Item, Json, item, rows

LIMIT = re.compile(r"\[\[(.*?)\]\](\s*)", re.DOTALL)
AGREES = re.compile(r"\(\((.*?)\|(.*?)\)\)", re.DOTALL)
CONDITION = re.compile(
    r", (?:once|as soon as|sobald|cuando ya|dès que|zodra)\b"
    r"|\b(?:only|until|cannot|must|refuse[sd]?|nur|erst|solo|seulement|alleen)\b",
    re.IGNORECASE,
)
"""What says that a call is in vain unless something holds: a limit, too, which a description without limits does not tell."""

LIMITS, SCHEMA = "limitations-not-told", "description-contradicts-schema"


def good(tool: Json) -> str:
    """Return a description as it was meant."""
    return AGREES.sub(r"\1", LIMIT.sub(r"\1\2", tool["text"])).strip()


def unlimited(tool: Json) -> str:
    """Return a description without its limits. Raises ValueError if it still says a condition: then a limit is not marked."""
    text = AGREES.sub(r"\1", LIMIT.sub("", tool["text"])).strip()
    if (left := CONDITION.search(text)) is not None:
        raise ValueError(f"{tool['tool']}: mark the limit at `{left[0]}`, or a mutant without limits has one")
    return text


def unseen_items() -> Iterator[Item]:
    """Return the tools on which no rubric was tuned, and their mutants."""
    return mutation_items("unseen.jsonl")


def mutation_items(file: str = "good.jsonl") -> Iterator[Item]:
    """Yield every good tool, and every mutant of it, each with the rule whose verdict must flip."""
    listed = rows(HERE / "mutations" / file)
    by_server: dict[str, list[Json]] = {}
    for tool in listed:
        by_server.setdefault(tool["server"], []).append(tool)
    for tool in listed:
        name, text = f"{tool['server']}/{tool['tool']}", good(tool)
        other = next(each for each in by_server[tool["server"]] if each is not tool)
        mutants = {
            "limit removed": (LIMITS, unlimited(tool)),
            "schema contradicted": (SCHEMA, AGREES.sub(r"\2", LIMIT.sub(r"\1\2", tool["text"])).strip()),
            "siblings swapped": (SCHEMA, good(other)),
        }
        for slug in (LIMITS, SCHEMA):
            yield item(f"{name}/good/{slug}", name, f"good {slug}", [slug], {**tool, "text": text})
        for kind, (slug, changed) in mutants.items():
            yield item(f"{name}/{kind}", name, kind, [slug], {**tool, "text": changed})
