"""Whatever stands in a file of tool definitions, every rule comes to an end with it."""

import json
from typing import Any

import pytest
from effort import calls
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer.config import Configuration, Flags, FoundConfiguration, settle
from reviewer.engine import examine
from reviewer.inputs import definitions, documents

pytestmark = pytest.mark.slow

CHOSEN = {
    name: settle(FoundConfiguration(Configuration(), None), Flags(profile=name), "core").chosen
    for name in ("core", "validator-46")
}
SCALARS = (
    st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from([0.5, "", "string", "object", "array", "#", "a\n"])
)
KEYWORDS = st.sampled_from(
    "type properties required items anyOf oneOf allOf not if enum const default title description minimum maxLength pattern format"
    " maxItems uniqueItems additionalProperties patternProperties prefixItems $defs $ref $id $schema examples a path token".split()
)
VALUES = st.recursive(
    SCALARS | st.sampled_from(["#/$defs/a", "#/properties/a", "http://[", "[", "(?"]),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(KEYWORDS, below, max_size=4),
    max_leaves=12,
)
PARTS = st.sampled_from(
    "name title description inputSchema outputSchema annotations icons _meta readOnlyHint destructiveHint".split()
)


def reviewed(tools: Any, profile: str = "validator-46") -> list[Any]:
    project = definitions.build_project(documents.parse_document(json.dumps({"tools": tools}).encode(), "tools.json"))
    assert project is not None
    return [finding for section in examine(project, CHOSEN[profile]) for finding in section.findings]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.dictionaries(PARTS, VALUES, max_size=6) | VALUES, max_size=3))
def test_any_json_is_reviewed(tools):
    reviewed(tools)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(KEYWORDS, VALUES, max_size=5))
def test_any_schema_is_reviewed(schema):
    reviewed(
        [
            {
                "name": "a",
                "description": "Read it.",
                "inputSchema": {"type": "object", "properties": {"path": schema}, **schema},
            }
        ]
    )


@pytest.mark.parametrize("profile", CHOSEN)
def test_a_schema_that_holds_itself_is_reviewed(profile):
    node = {
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/Node"}, "all": {"items": {"$ref": "#/$defs/Node"}}},
    }
    schema = {"type": "object", "properties": {"root": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": node}}
    reviewed([{"name": "a", "description": "Read it.", "inputSchema": schema}], profile)


def effort(count, profile):
    """How many calls a review of so many tools with ten parameters each takes."""
    kinds = [
        {"type": "string"},
        {"type": ["integer", "null"]},
        {"anyOf": [{"type": "array", "items": {"type": "string"}}]},
    ]
    names = "path url query token mode limit tags config code since".split()
    tools = [
        {
            "name": f"get_thing_{number}",
            "description": f"Get the thing of number {number} from the shelf. Use it when you know the number.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    name: {**kinds[at % 3], "description": f"The {name} of {number}"} for at, name in enumerate(names)
                },
                "required": names[:3],
            },
        }
        for number in range(count)
    ]
    document = documents.parse_document(json.dumps({"tools": tools}).encode(), "tools.json")
    project = definitions.build_project(document)
    assert project is not None
    return calls(lambda: examine(project, CHOSEN[profile]))


@pytest.mark.parametrize("profile", CHOSEN)
def test_four_times_the_tools_take_four_times_the_work(profile):
    effort(1, profile)  # what is made once
    assert 3.5 * effort(60, profile) < effort(240, profile) < 4.5 * effort(60, profile)
