"""Types → the JSON Schemas that are published: of the configuration, of JSON report v1, and of selection v1."""

import json
from collections.abc import Iterable
from typing import Any

from reviewer.config import SDKS, Configuration, JudgeTable, list_profiles
from reviewer.render.json import ReportV1
from reviewer.render.selection import SelectionV1
from reviewer.rules import Rule, Severity, index_slugs_by_code, load
from reviewer.rules.selectors import collect_selectors

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FOLDER = "docs/schema"


def render_schemas() -> dict[str, str]:
    """Return every published schema as text, by the path of its file in the repository."""
    documents = {
        "config.json": build_config_schema(),
        "report-v1.json": build_report_schema(),
        "selection-v1.json": build_selection_schema(),
    }
    return {
        f"{FOLDER}/{name}": json.dumps(each, indent=2, ensure_ascii=False) + "\n" for name, each in documents.items()
    }


def build_report_schema() -> dict[str, Any]:
    """Write the schema of JSON report v1; its objects have no further keys."""
    from pydantic import TypeAdapter

    written = TypeAdapter(ReportV1).json_schema(mode="serialization")
    return {"$schema": DIALECT, **_close(written), "title": "mcp-review JSON report v1"}


def build_selection_schema() -> dict[str, Any]:
    """Write the schema of what `mcp-review select --format json` writes; its objects have no further keys but arguments."""
    from pydantic import TypeAdapter

    written = TypeAdapter(SelectionV1).json_schema(mode="serialization")
    return {"$schema": DIALECT, **_close(written), "title": "mcp-review selection v1"}


def build_config_schema() -> dict[str, Any]:
    """Write the schema of a configuration as TOML gives it: `mcp-review.toml`, or a table of another file.

    It takes rules by slug or by code as they are listed, and is as strict in types as TOML is; the command takes a little more.
    """
    properties = _collect_table(Configuration)
    narrower: dict[str, dict[str, Any]] = {
        "profile": {"enum": list(list_profiles())},
        "select": {"type": "array", "items": {"$ref": "#/$defs/name"}},
        "ignore": {"type": "array", "items": {"$ref": "#/$defs/name"}},
        "sdk": _collect_object({name: {"type": "string", "pattern": "^[0-9]"} for name in SDKS}),
        "judge": _collect_object(_collect_table(JudgeTable)),
    }
    rules = {slug: _build_rule_setting([each]) for slug, each in load().items()}
    codes = {
        code: _build_rule_setting([load()[slug] for slug in slugs])
        for code, slugs in sorted(index_slugs_by_code().items())
    }
    narrower["rules"] = _collect_object(rules | codes)
    properties |= {key: {**each, "description": properties[key]["description"]} for key, each in narrower.items()}
    shared = {
        "name": {
            "description": "A rule's slug, a code, a section, or their first words.",
            "enum": list(collect_selectors()),
        },
        "severity": {"enum": [*Severity, "off"]},
        "rule": _build_rule_schema({}),
    }
    return {"$schema": DIALECT, "title": "mcp-review configuration", **_collect_object(properties), "$defs": shared}


def _build_rule_setting(rules: list[Rule]) -> dict[str, Any]:
    """Write what may be set for a rule, or for all rules of a code, which share no options."""
    options = rules[0].options if len(rules) == 1 else None
    said = {"description": rules[0].title} if len(rules) == 1 else {}
    return said | ({"$ref": "#/$defs/rule"} if options is None else _build_rule_schema(_collect_table(options)))


def _build_rule_schema(options: dict[str, Any]) -> dict[str, Any]:
    severity = {"$ref": "#/$defs/severity"}
    return {"anyOf": [severity, _collect_object({"severity": severity, **options})]}


def _collect_object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _collect_table(kind: type) -> dict[str, Any]:
    """Write the properties of a dataclass of settings, named as in TOML, which knows no null."""
    import dataclasses

    from pydantic import TypeAdapter

    written = _close(TypeAdapter(kind).json_schema())["properties"]
    said = {each.name: each.metadata.get("doc") for each in dataclasses.fields(kind)}
    return {
        name.replace("_", "-"): _without_null(each) | ({"description": said[name]} if said[name] else {})
        for name, each in written.items()
    }


def _without_null(written: dict[str, Any]) -> dict[str, Any]:
    kinds = [each for each in written.get("anyOf", ()) if each != {"type": "null"}]
    return dict(kinds[0]) if len(kinds) == 1 and len(kinds) < len(written["anyOf"]) else written


def _close(written: Any) -> Any:
    """Leave out the titles that only repeat names, and close every object with named properties."""
    if isinstance(written, list):
        return [_close(each) for each in written]
    if not isinstance(written, dict):
        return written
    kept = {
        key: _close_values(each) if key in ("properties", "$defs") else _close(each)
        for key, each in _iter_without_title(written)
    }
    return kept | ({"additionalProperties": False} if "properties" in kept else {})


def _close_values(written: dict[str, Any]) -> dict[str, Any]:
    return {name: _close(each) for name, each in written.items()}


def _iter_without_title(written: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    return ((key, each) for key, each in written.items() if key != "title")
