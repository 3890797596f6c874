"""Departures of the rules of §10. The reasons are in the TOML file beside it."""

import re
from typing import Any

from cases import Difference

NONE = re.compile(
    r"\b(no|without|any) (\w+ ){0,2}(parameter|argument|input|param|arg)|(args|parameters): *none|takes nothing", re.I
)
OPTIONAL = re.compile(r"optional|default|omit|leave (out|empty|blank)|if (not )?(given|set|provided|specified)", re.I)


def no_parameters_said(difference: Difference) -> bool:
    schema = difference.tool.get("inputSchema", {})
    return NONE.search(difference.description) is not None or schema.get("additionalProperties") is False


def all_shown_optional(difference: Difference) -> bool:
    return all(map(_is_optional, difference.tool["inputSchema"]["properties"].values()))


def optional_in_the_text(difference: Difference) -> bool:
    open_ = [name for name, each in difference.tool["inputSchema"]["properties"].items() if not _is_optional(each)]
    said = [
        each
        for each in re.split(r"[.;\n]", str(difference.tool))
        if re.search("optional|without|omit|either", each, re.I)
    ]
    return all(any(_names(each, name) for each in said) for name in open_)


def _names(sentence: str, name: str) -> bool:
    parts = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower())
    return any(re.search(rf"\b{part}", sentence, re.I) for part in parts[-1:]) or name.lower() in sentence.lower()


def _is_optional(schema: dict[str, Any]) -> bool:
    null = '"null"' in str(schema).replace("'", '"')
    return (
        "default" in schema
        or null
        or bool(schema.get("nullable"))
        or bool(OPTIONAL.search(schema.get("description", "")))
    )


def name_repeated(difference: Difference) -> bool:
    said = re.findall(r"[a-z]+", difference.description.lower())
    name = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", difference.tool["name"]).lower())
    return [word for word in said if word not in {"a", "an", "the", "its"}] == name


def text_of_many(difference: Difference) -> bool:
    return [tool.get("description") for tool in difference.tools].count(difference.description) > 2
