"""Departures of the rules of §12. The reasons are in the TOML file beside it.

Written apart from the rules: what they look for is looked for here in other words.
"""

import re
from typing import Any

from cases import Difference

LONG = set(
    "prompt comment note summary description message content query reason reasoning instruction template html markdown json"
    " transcript question answer body text code snippet document patch diff explanation input sql".split()
)


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())


def _last(difference: Difference) -> str:
    return ([*_words(re.split(r"_(?:to|of|for|in|from)_", difference.name)[0])] or [""])[-1].removesuffix("s")


def type_in_alternatives(difference: Difference) -> bool:
    return not difference.nested and not isinstance(difference.schema.get("type"), str)


def bounded_otherwise(difference: Difference) -> bool:
    return bool({"enum", "const", "format", "pattern"} & difference.schema.keys())


def long_text(difference: Difference) -> bool:
    return _last(difference) in LONG


def letters_of_text(difference: Difference) -> bool:
    return bool(re.search("content$|body$|text$|data$", difference.name, re.I)) and _last(difference) not in {
        "content",
        "body",
        "text",
        "data",
    }


def exclusive_bound(difference: Difference) -> bool:
    return bool({"exclusiveMinimum", "exclusiveMaximum"} & difference.schema.keys())


def values_bound(difference: Difference) -> bool:
    items = difference.schema.get("items")
    once = difference.schema.get("uniqueItems") is True and isinstance(items, dict) and "enum" in items
    fixed = re.fullmatch(r"\^\w+\$", str(difference.schema.get("pattern")))
    return once or "enum" in difference.schema or fixed is not None


def secrets_apart(difference: Difference) -> bool:
    return difference.schema.get("type") == "array"


def code_at_the_end(difference: Difference) -> bool:
    return len(_words(difference.name)) > 1 and _last(difference) in {"query", "sql", "script", "code", "command"}


def where_it_runs(difference: Difference) -> bool:
    return bool(
        re.search(
            r"\b(?:in|inside|within|on) (?:the|a|an|your) (?:\w+ )?(?:container|machine|computer|sandbox)",
            f"{difference.description} {difference.schema.get('description')}",
        )
    )


def no_path(difference: Difference) -> bool:
    kinds = {"path", "file", "dir", "directory", "folder", "filename", "filepath"}
    elsewhere = {"url", "json", "name", "api", "view", "symbol", "http"}
    return (
        _last(difference) not in kinds or bool(elsewhere & set(_words(difference.name))) or "enum" in difference.schema
    )


def no_url(difference: Difference) -> bool:
    return _last(difference) not in {"url", "uri", "link", "href", "endpoint"}


def free_words(difference: Difference) -> bool:
    return difference.name.lower() in {"query", "command"} and "one of" not in str(difference.schema.get("description"))


def no_secret(difference: Difference) -> bool:
    name, kind = set(_words(difference.name)), difference.schema.get("type")
    handed = {
        "page",
        "next",
        "sync",
        "previous",
        "cursor",
        "continuation",
        "confirm",
        "min",
        "max",
        "start",
        "end",
    } & name
    about = _last(difference) not in {"password", "token", "secret", "key", "credential", "auth"}
    return bool(handed) or about or kind in {"boolean", "integer", "number"} or "enum" in difference.schema


def default_tells_nothing(difference: Difference) -> bool:
    default: Any = difference.schema.get("default")
    return default is None or default == "" or no_secret(difference)


def further_secret(difference: Difference) -> bool:
    kinds = {"hmac", "aes", "jwt", "cipher", "decryption", "license", "licence", "activation", "subscription"}
    opens = _last(difference) == "key" and not kinds.isdisjoint(_words(difference.name)[-2:-1])
    return opens or _last(difference) in {"passcode", "passphrase"}


def free_keys_described(difference: Difference) -> bool:
    said = difference.schema.get("description", "")
    return bool(re.search(r"\b(keys?|any|arbitrary|custom|map(ping)?|pairs?|dictionar|free)\b|\{\"", said, re.I))


def open_by_an_empty_schema(difference: Difference) -> bool:
    return difference.schema.get("additionalProperties") == {}


def code_not_run(difference: Difference) -> bool:
    said = f"{difference.tool['name']} {difference.schema.get('description', '')}".lower()
    read = re.search(r"^(?:explain|validate|format|lint|parse)", str(difference.tool["name"]))
    return (
        "enum" in difference.schema
        or read is not None
        or not re.search(r"\bto (run|execute)\b|\bsql\b|\bcypher\b|\bpython\b|execute", said)
    )


def warned_in_tool(difference: Difference) -> bool:
    said = difference.description.lower()
    return bool(re.search("caution|allowed|allowlist|sandbox|read-only|warning|danger|risk|untrusted|secur", said))


def statement_named(difference: Difference) -> bool:
    said = (difference.description, *(str(each) for each in difference.tool["inputSchema"]["properties"].values()))
    return any(re.search(r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE TABLE)\b", text) for text in said)
