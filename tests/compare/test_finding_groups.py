"""Findings of one cause are told once, with all places; a comparison and a baseline look at each by itself."""

import json

import pytest

from reviewer import Flags
from reviewer.pipeline import read, run_rules
from reviewer.report.groups import group_by_cause, list_one_by_one

HEAD = 'from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP("ropes")\n'
TOOL = '\n\n@mcp.tool()\ndef {name}({parameter}: str) -> str:\n    """Look into the store for a rope that fits."""\n    return {parameter}\n'


def server(*tools):
    return HEAD + "".join(TOOL.format(name=name, parameter=parameter) for name, parameter in tools)


@pytest.fixture
def report(tmp_path):
    def of(*tools):
        (tmp_path / "server.py").write_text(server(*tools), "utf-8")
        return run_rules(read(tmp_path), Flags(profile="core", select=("parameter-without-description",)))[0]

    return of


TWO, THREE = (("find", "length"), ("fetch", "weight")), (("find", "length"), ("fetch", "weight"), ("order", "colour"))


def test_what_has_one_cause_is_told_once_with_its_places(report):
    (found,) = report(*THREE).findings
    assert found.message == "parameter `length` of tool `find` has no description (also at 2 other places)"
    assert (found.span.line, [each.line for each in found.related]) == (7, [13, 19])


def test_one_alone_says_nothing_of_others(report):
    (found,) = report(*TWO[:1]).findings
    assert found.message == "parameter `length` of tool `find` has no description"
    assert (found.related, found.parts) == ((), ())


def test_the_signature_of_a_cause_is_the_same_whichever_comes_first(report):
    assert report(*TWO).findings[0].fingerprint == report(*reversed(THREE)).findings[0].fingerprint


def test_each_by_itself_and_together_again(report):
    whole = report(*THREE)
    assert [each.message for each in list_one_by_one(whole).findings] == [
        f"parameter `{parameter}` of tool `{name}` has no description" for name, parameter in THREE
    ]
    assert group_by_cause(list_one_by_one(whole)).findings == whole.findings


def test_a_line_is_named_once_and_never_its_own(tmp_path):
    (tmp_path / "server.py").write_text(
        server(("find", "length")).replace("length: str", "length: str, width: str"), "utf-8"
    )
    (found,) = run_rules(read(tmp_path), Flags(profile="core", select=("parameter-without-description",)))[0].findings
    assert found.related == ()


ASKED = ("--profile", "core", "--select", "parameter-without-description", "--format", "json")


def findings(result):
    return [each for part in json.loads(result.stdout)["sections"] for each in part["findings"]]


def test_one_more_of_a_known_cause_is_new(repository):
    repository.write("server.py", server(*TWO))
    repository.commit()
    repository.write("server.py", server(*THREE))
    found = {each["change"]: each for each in findings(repository.run(*ASKED, "--diff", "HEAD"))}
    assert found["introduced"]["message"] == "parameter `colour` of tool `order` has no description"
    assert found["introduced"]["line"] == 19
    assert found["unchanged"]["message"].endswith("(also at 1 other place)")


def test_a_baseline_holds_each_by_itself(repository):
    repository.write("server.py", server(*TWO))
    file = repository.folder / "known.json"
    repository.run(*ASKED, "--write-baseline", "--baseline", str(file))
    assert len(json.loads(file.read_text())["findings"]) == 2
    repository.write("server.py", server(*THREE))
    found = {each["status"]: each for each in findings(repository.run(*ASKED, "--baseline", str(file)))}
    assert found["reported"]["line"] == 19
    assert found["baseline"]["line"] == 7


def test_what_one_server_prints_is_one_finding_and_another_server_has_its_own(tmp_path):
    for folder in ("ropes", "sails"):
        (tmp_path / folder / "tools").mkdir(parents=True)
        (tmp_path / folder / "main.py").write_text(
            f'from {folder}.tools.first import mcp\n\nprint("ready")\nmcp.run(transport="stdio")\n', "utf-8"
        )
        tool = f'from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP("{folder}")\n\n\n@mcp.tool()\ndef find() -> str:\n'
        (tmp_path / folder / "tools" / "first.py").write_text(
            f'{tool}    """Find one."""\n    print("found")\n    return "one"\n', "utf-8"
        )
    found = run_rules(read(tmp_path), Flags(profile="core", select=("prints-to-stdout",)))[0].findings
    assert [(each.span.path, [other.path for other in each.related]) for each in found] == [
        ("ropes/main.py", ["ropes/tools/first.py"]),
        ("sails/main.py", ["sails/tools/first.py"]),
    ]
    assert found[0].message.endswith("(also at 1 other place)")


def test_what_a_server_in_the_root_prints_is_one_finding(tmp_path):
    printing = HEAD + TOOL.format(name="find", parameter="length").replace(
        "    return", "    print(length)\n    return"
    )
    (tmp_path / "server.py").write_text(f'{printing}\n\nprint("ready")\nmcp.run()\n', "utf-8")
    (found,) = run_rules(read(tmp_path), Flags(profile="core", select=("prints-to-stdout",)))[0].findings
    assert [each.line for each in found.related] == [13]


def test_calls_of_one_object_that_nothing_awaits_are_one_finding(tmp_path):
    tool = '\n\n@mcp.tool()\nasync def {0}(ctx: Context) -> str:\n    """Look into the store."""\n    ctx.{1}("looking")\n    return ""\n'
    head = HEAD.replace("FastMCP\n", "Context, FastMCP\n", 1)
    (tmp_path / "server.py").write_text(head + tool.format("find", "info") + tool.format("fetch", "error"), "utf-8")
    (found,) = run_rules(read(tmp_path), Flags(profile="core", select=("coroutine-never-awaited",)))[0].findings
    assert found.message.endswith("(also at 1 other place)")
