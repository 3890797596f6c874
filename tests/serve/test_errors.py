"""What clients of the TypeScript SDK check: structured content fits the tool's schema, and a failed call has none.

Version 1 of that SDK holds structured content against `outputSchema` whether the call failed or not, and shows its own error
where it does not fit. So each tool is called in every way that succeeds and in every way that fails.
"""

import json
import re
from types import SimpleNamespace

import anyio
import pytest

pytest.importorskip("mcp.server")

from jsonschema import Draft202012Validator
from mcp import MCPError
from mcp_types import INVALID_PARAMS

from reviewer.serve.answers import RequestGate
from reviewer.serve.jobs import Done
from reviewer.serve.refusals import RefusalError
from reviewer.serve.roots import Roots
from reviewer.serve.server import TAKEN
from reviewer.serve.worker_pool import GONE, NARROWER, PoolBounds, WorkerPool

from .conversation import EXAMPLES, talk

pytestmark = pytest.mark.slow

NOTES = "notes-python"
PATHS = ("review-server", "list-server-tools", "list-questions")
VERDICT = {"request": "r", "id": "q", "failing": [], "verdict": "met", "quote": "", "why": "So it is."}
GOOD = {
    "review-server": {"path": NOTES},
    "list-server-tools": {"path": NOTES},
    "list-questions": {"path": NOTES},
    "answer-questions": {"path": NOTES, "export": "5eed", "verdicts": [VERDICT]},
    "list-rules": {},
    "explain-rule": {"rule": "tool-name-style"},
}
"""A call of each tool that succeeds."""

WRONG_TYPES = [5, 5.5, True, None, ["a"], {"a": 1}, "5", "a string"]


def call(tool, arguments, **bounds):
    """Call a tool as a client of the TypeScript SDK does, which checks what comes back."""

    async def called(client, _tools):
        schemas = {each.name: each.output_schema for each in (await client.list_tools()).tools}
        result = await client.call_tool(tool, arguments)
        if result.structured_content is not None:
            Draft202012Validator(schemas[tool]).validate(result.structured_content)
        return result

    return talk(called, EXAMPLES, **bounds)


def refusal(result):
    """Return the text of a failed call, once it is known to be all that there is."""
    assert result.is_error
    assert result.structured_content is None
    [content] = result.content
    code, _, said = content.text.partition(": ")
    assert result.meta["code"] == code
    assert result.meta["request_id"]
    assert re.fullmatch(r"[a-z_]+", code)
    assert "\n" not in said
    assert len(said) < 700
    for library in (
        "pydantic",
        "validation error",
        "Input should",
        "Traceback",
        "JSON Schema",
        "For further information",
    ):
        assert library not in said
    return code, said


def test_every_tool_is_called_here():
    assert set(GOOD) == set(TAKEN)


@pytest.mark.parametrize("tool", GOOD)
def test_an_answer_fits_the_schema_of_its_tool(tool):
    result = call(tool, GOOD[tool])
    assert not result.is_error
    assert json.loads(result.content[0].text) == result.structured_content


@pytest.mark.parametrize("tool", GOOD)
def test_an_unknown_argument(tool):
    code, said = refusal(call(tool, {**GOOD[tool], "limits": 5}))
    assert code == "invalid_arguments"
    assert said.startswith("unknown argument `limits`; did you mean `limit`?")


@pytest.mark.parametrize(("tool", "name"), [(tool, name) for tool, given in GOOD.items() for name in given])
def test_a_missing_argument(tool, name):
    given = {key: each for key, each in GOOD[tool].items() if key != name}
    assert refusal(call(tool, given)) == (
        "invalid_arguments",
        f"`{name}` is required and missing. See the tool's `inputSchema`.",
    )


@pytest.mark.parametrize("tool", GOOD)
def test_every_value_that_the_schema_refuses_is_refused(tool):
    """Each argument is given values of every type; those that its own schema does not take must come back as text."""

    async def called(client, _tools):
        [described] = [each for each in (await client.list_tools()).tools if each.name == tool]
        schema = described.input_schema
        tried = 0
        for name in schema["properties"]:
            for value in WRONG_TYPES:
                given = {**GOOD[tool], name: value}
                if not Draft202012Validator(schema).is_valid(given):
                    code, said = refusal(await client.call_tool(tool, given))
                    assert code == "invalid_arguments"
                    assert f"`{name}" in said
                    tried += 1
        return tried

    assert talk(called, EXAMPLES) >= 5 * len(GOOD[tool])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"limit": "5"}, '`limit` is the string "5"; expected an integer'),
        ({"limit": 5.5}, "`limit` is the number 5.5; expected an integer"),
        ({"section": "11"}, '`section` is the string "11"; expected an integer'),
        ({"section": 0}, "`section` is 0; expected a number over 0"),
        ({"section": 99}, "`section` is 99; expected a number of at most 17"),
        ({"severity": "fatal"}, '`severity` is "fatal"; expected `error`, `warning` or `suggestion`'),
        ({"path": 5}, "`path` is the number 5; expected a string"),
        ({"path": None}, "`path` is null; expected a string"),
        ({"path": ""}, '`path` is ""; expected a string of at least 1 character'),
        ({"path": "x" * 2000}, "`path` is 2000 characters long; expected at most 1024"),
        ({"path": "a\nb"}, r'`path` is "a\nb"; expected a string without control characters'),
        ({"fields": "rule"}, '`fields` is the string "rule"; expected an array'),
        ({"fields": ["rule"] * 17}, "`fields` is an array of 17; expected at most 16 items"),
        ({"cursor": "[1]"}, '`cursor` is the string "[1]"; expected one that is not JSON'),
        ({"tool": "null"}, '`tool` is the string "null"; expected one that is not JSON'),
    ],
)  # fmt: skip
def test_what_was_given_and_what_is_expected(given, said):
    code, told = refusal(call("review-server", {**GOOD["review-server"], **given}))
    assert (code, told) == ("invalid_arguments", f"{said}. See the tool's `inputSchema`.")


def test_an_integer_may_be_written_with_a_point():
    assert not call("list-rules", {"limit": 5.0, "fields": ["rule"]}).is_error


def test_what_is_wrong_within_verdicts_is_named_with_its_place():
    given = {
        **GOOD["answer-questions"],
        "verdicts": [VERDICT, {**VERDICT, "failing": ["2"], "mood": "good", "verdict": "fine"}],
    }
    _, said = refusal(call("answer-questions", given))
    assert '`verdicts[1].failing[0]` is the string "2"; expected an integer' in said
    assert "`verdicts[1].mood` is unknown" in said


def test_of_many_misfits_three_are_named():
    wrong = {"limit": "5", "section": "5", "severity": 5, "tool": 5, "rule": 5}
    _, said = refusal(call("review-server", {**GOOD["review-server"], **wrong}))
    assert said.count("expected") == 3
    assert "; and 2 more." in said


@pytest.mark.parametrize("tool", [*PATHS, "answer-questions"])
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("../..", "path_outside_roots"),
        ("/", "path_outside_roots"),
        ("nowhere", "cannot_review"),
        ("tools", "cannot_review"),
    ],
)
def test_a_path_that_cannot_be_reviewed(tool, path, code):
    assert refusal(call(tool, {**GOOD[tool], "path": path}))[0] == code


@pytest.mark.parametrize("tool", PATHS)
def test_a_cursor_of_nobody(tool):
    assert refusal(call(tool, {**GOOD[tool], "cursor": "20"}))[0] == "cursor_invalid"


@pytest.mark.parametrize(
    ("tool", "given"), [("review-server", {**GOOD["review-server"], "rule": "x"}), ("explain-rule", {"rule": "x"})]
)
def test_a_rule_that_there_is_not(tool, given):
    assert refusal(call(tool, given))[0] == "unknown_rule"


@pytest.mark.parametrize("tool", PATHS)
@pytest.mark.parametrize(
    ("done", "code"),
    [(Done(why="it is too deep"), "cannot_review"), (Done(why="it is too large", too_large=True), "too_large")],
)
def test_work_that_fails(tool, done, code, monkeypatch):
    async def failed(*_given):
        return done

    monkeypatch.setattr(WorkerPool, "_get_done", failed)
    assert refusal(call(tool, GOOD[tool]))[0] == code


@pytest.mark.parametrize("tool", PATHS)
@pytest.mark.parametrize(("bounds", "code"), [({"seconds": 0.001}, "too_slow"), ({"calls": 0}, "busy")])
def test_work_that_is_more_than_may_be(tool, bounds, code):
    assert refusal(call(tool, GOOD[tool], **bounds))[0] == code


@pytest.mark.parametrize("tool", PATHS)
def test_what_breaks_within(tool, monkeypatch):
    def broken(*_given):
        raise ValueError("the secret in /etc/secret")

    monkeypatch.setattr(Roots, "place", broken)
    assert refusal(call(tool, GOOD[tool])) == ("failed", "the call failed within the server. Call again, or report it.")


OUTSIDE = "the path lies outside of the folders that this server may read. Give a path relative to such a folder"


def stopped(why):
    """Make work end as it does when something happens to its process."""

    async def work(*_given, **_named):
        raise why

    return work


@pytest.mark.parametrize(
    ("arguments", "bounds", "told"),
    [
        ({"path": "/"}, {}, f'{OUTSIDE}, "." for the folder itself; the server\'s `--root DIR` adds more.'),
        (
            {"cursor": "20"},
            {},
            "the cursor is not one that this server gave for these arguments. Give `next_cursor` of the page before with the same "
            "arguments (`limit` may differ), or leave `cursor` out.",
        ),
        ({"rule": "x"}, {}, "unknown rule `x`. See `list-rules` for the names of all rules."),
        (
            {"path": "nowhere"},
            {},
            "nowhere: no such file or directory; give a folder or a source file. Correct what the message names or give another path.",
        ),
        ({}, {"calls": 0}, "the server has more to do than it can: 0 calls wait already. Call again in a minute."),
        ({}, {"seconds": 0.001}, f"the review takes more than 0.001 seconds. {NARROWER}"),
    ],
)
def test_the_whole_text_is_as_it_stands(arguments, bounds, told):
    assert refusal(call("review-server", {**GOOD["review-server"], **arguments}, **bounds))[1] == told


def test_a_call_that_waits_too_long(monkeypatch):
    """Another holds the path for good."""

    async def held(pool, job, came, position):
        async with pool._turn(HELD):
            raise AssertionError(job, came, position)

    class HELD:
        acquire = staticmethod(anyio.sleep_forever)

    monkeypatch.setattr(WorkerPool, "_settle", held)
    said = refusal(call("review-server", GOOD["review-server"], waiting=0.1))
    assert said == (
        "busy",
        "the server has more to do than it can: the call has waited for 0.1 seconds. Call again in a minute.",
    )


def test_a_process_that_ends_by_itself(monkeypatch):
    monkeypatch.setattr("reviewer.serve.worker_pool.to_process.run_sync", stopped(GONE[0]()))
    said = refusal(call("review-server", GOOD["review-server"]))
    assert said == ("failed", f"the process of the review ended before it was done. {NARROWER}")


def test_what_a_cursor_leads_into_and_is_kept_no_longer():
    async def asked():
        with pytest.raises(RefusalError) as refused:
            WorkerPool(PoolBounds()).recall_document("gone")
        return refused.value

    refused = anyio.run(asked)
    assert refused.text == (
        "cursor_stale: what the cursor leads into was read too long ago and is kept no longer. "
        "Call again without `cursor`: the source is read again, from the first page on."
    )


def test_an_unknown_tool_is_an_error_of_the_protocol():
    async def unknown(client, _tools):
        with pytest.raises(MCPError) as refused:
            await client.call_tool("review_server", {})
        return refused.value.error

    error = talk(unknown, EXAMPLES)
    assert error.code == -32602
    assert error.message.startswith(
        "unknown tool `review_server`; did you mean `review-server`? The tools are answer-questions,"
    )


@pytest.mark.parametrize(
    ("params", "said"),
    [
        (None, "`name` is missing; give the name of a tool: review-server, "),
        ({"arguments": {}}, "`name` is missing; give the name of a tool: review-server, "),
        ({"name": 5}, "`name` is a number; give the name of a tool as a string"),
        ({"name": ["list-rules"]}, "`name` is an array; give the name of a tool as a string"),
        ({"name": "list-rules", "arguments": []}, "`arguments` is an array; give an object"),
        ({"name": "list-rules", "arguments": "{}"}, "`arguments` is a string; give an object"),
        ({"name": "list-rules", "arguments": True}, "`arguments` is true or false; give an object"),
    ],
)
def test_a_call_of_another_shape_is_refused_in_our_own_words(params, said):
    """The SDK would say "Invalid request parameters" of each; what passes the gate is the SDK's to look at."""

    async def passed(_ctx):
        raise AssertionError("the call was let through")

    asked = SimpleNamespace(method="tools/call", params=params, request_id="1")
    with pytest.raises(MCPError, match=re.escape(said)) as refused:
        anyio.run(RequestGate(TAKEN), asked, passed)
    assert refused.value.error.code == INVALID_PARAMS
