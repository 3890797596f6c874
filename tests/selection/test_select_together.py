"""The tools of several servers in one list, labels in the place of names, and tasks that one tool alone serves."""

import json

import pytest
from jsonschema import Draft202012Validator

from reviewer.cli.app import run
from reviewer.handbook.json_schemas import build_selection_schema
from selection.models import Model, library, task_file
from selection.test_select_exchange import exported, imported, replies

ARCHIVE = {
    "tools": [
        {
            "name": "look_up",
            "description": "Reads old newspapers.",
            "inputSchema": {"type": "object", "properties": {"words": {"type": "string"}}},
        },
        {"name": "scan", "title": "Scan", "description": "Copies a page.", "inputSchema": {"type": "object"}},
    ]
}


@pytest.fixture
def archive(tmp_path):
    """Return the file of another server's tools, of which one is called as one of the library's."""
    file = tmp_path / "archive.json"
    file.write_text(json.dumps(ARCHIVE))
    return file


def listed(asked: dict) -> list[dict]:
    """Read the list of tools that a request shows."""
    user = asked["requests"][0]["user"]
    found, _ = json.JSONDecoder().raw_decode(user, user.index("{"))
    return found["tools"]


def shown(capsys) -> dict:
    found = json.loads(capsys.readouterr().out)
    Draft202012Validator(build_selection_schema()).validate(found)
    return found


def test_tools_of_other_servers_stand_in_the_same_list(server, archive, tmp_path, model, capsys):
    more = ("--tasks", str(task_file(tmp_path / "tasks.json")), "--beside", str(archive))
    (asked,) = exported(server, tmp_path, *more)
    assert sorted(each["name"] for each in listed(asked)) == [
        "archive__look_up",
        "bring_back",
        "lend",
        "library__look_up",
        "scan",
    ]
    model.chosen["Put Dubliners where it came from, please."] = {"tool": "archive__look_up", "arguments": "{}"}
    model.chosen["A reader leaves with Ulysses under the arm."] = {"tool": "look_up", "arguments": "{}"}
    answers = replies(asked, model)
    assert imported(server, tmp_path, answers, more=more) == 0
    out = capsys.readouterr().out
    assert out.startswith("selection: 3 tools plus 2 of 1 other server, 6 tasks, chosen by an-agent\n")
    assert "as it is      4 of 6 " in out
    assert "`bring_back` is taken for `archive__look_up` of archive\n" in out
    assert "`lend` is taken for `look_up (not listed)`\n" in out, "a name that two have is none by itself"
    assert imported(server, tmp_path, answers, more=(*more, "--format", "json")) == 0
    found = shown(capsys)
    assert found["tools"] == ["lend", "bring_back", "look_up"]
    assert found["beside"] == [{"server": "archive", "tools": ["archive__look_up", "scan"]}]
    assert [each["tool"] for each in found["results"][0]["choices"]].count("look_up") == 2


def test_servers_that_are_called_alike_are_told_apart(server, archive, tmp_path):
    (tmp_path / "again").mkdir()
    other = tmp_path / "again/archive.json"
    other.write_text(archive.read_text())
    tasks = str(task_file(tmp_path / "tasks.json"))
    (asked,) = exported(server, tmp_path, "--tasks", tasks, "--beside", str(archive), "--beside", str(other))
    names = [each["name"] for each in listed(asked)]
    assert len(names) == len(set(names)) == 7
    assert "archive_2__look_up" in names


def test_what_stands_beside_must_have_tools(server, tmp_path, capsys):
    for text, said in (('{"tools": []}', "none.json: "), ("no JSON", "none.json: ")):
        (tmp_path / "none.json").write_text(text)
        assert run(["select", str(server), "--judge", "host", "--beside", str(tmp_path / "none.json")]) == 2
        assert said in capsys.readouterr().err.splitlines()[-1]


def test_descriptions_alone_tell_tools_without_names_apart(tmp_path, model, capsys):
    server = library(tmp_path / "library", lend="Hands a book out; to have it again, bring_back or `lend`. Lend it.")
    more = ("--tasks", str(task_file(tmp_path / "tasks.json")), "--hide-names", "--without-descriptions")
    documents = exported(server, tmp_path, *more)
    whole = max(documents, key=lambda each: len(json.dumps(each)))
    labels = {each.get("description", "")[:5]: each["name"] for each in listed(whole)}
    assert sorted(labels.values()) == ["tool_1", "tool_2", "tool_3"]
    said = next(each["description"] for each in listed(whole) if "again, " in each["description"])
    assert said == f"Hands a book out; to have it again, {labels['Takes']} or `{labels['Hands']}`. Lend it."
    assert "look_up" not in json.dumps(documents)
    assert imported(server, tmp_path, *(replies(each, model) for each in documents), more=more) == 0
    out = capsys.readouterr().out
    assert out.startswith("selection: 3 tools, 6 tasks, names hidden, chosen by an-agent\n")
    assert "as it is      6 of 6 (100%, 61 to 100)  6 of 6 (100%, 61 to 100)  6 of 6 " in out
    assert "without       0 of 6 " in out


def test_a_name_that_was_hidden_is_no_choice_of_the_tool(server, tmp_path, model, capsys):
    more = ("--tasks", str(task_file(tmp_path / "tasks.json")), "--hide-names")
    (asked,) = exported(server, tmp_path, *more)
    model.chosen["Is anything about whales there?"] = {"tool": "look_up", "arguments": {"words": "whales"}}
    imported(server, tmp_path, replies(asked, model), more=more)
    assert "`look_up` is taken for `look_up (not listed)`\n" in capsys.readouterr().out


@pytest.mark.slow
def test_a_task_that_two_tools_serve_is_no_narrow_one(server, tmp_path, capsys):
    shared = {"task": "Walden lies on the desk.", "arguments": {"title": "Walden"}, "also": ["lend"]}
    for more, kept in ((("--per-tool", "1"), 3), (("--per-tool", "1", "--narrow-tasks"), 2)):
        model = Model()
        model.written["bring_back"] = [shared]
        (asked,) = exported(server, tmp_path, *more)
        assert asked["asks"] == "tasks"
        assert ("exactly one right tool" in asked["system"]) is (kept == 2)
        imported(server, tmp_path, replies(asked, model), more=more)
        err = capsys.readouterr().err
        assert f"select: {kept} tasks for {kept} tools\n" in err
        assert ("a task for `bring_back` is thrown away: `lend` is as right" in err) is (kept == 2)


def test_who_makes_tasks_sees_what_stands_beside(server, archive, tmp_path, model, capsys):
    more = ("--per-tool", "1", "--beside", str(archive), "--tasks", str(tmp_path / "tasks.json"))
    model.written["look_up"] = [
        {"task": "Is anything on whales?", "arguments": {"words": "whales"}, "also": ["archive__look_up"]}
    ]
    (asked,) = exported(server, tmp_path, *more)
    assert "Reads old newspapers." in asked["requests"][0]["user"]
    model.tasks["library__look_up"] = []
    given = replies(asked, Labelled(model))
    assert imported(server, tmp_path, given, more=more) == 0
    kept = json.loads((tmp_path / "tasks.json").read_text())["tasks"]
    assert {each["tool"]: each["also"] for each in kept}["look_up"] == ["archive__look_up"]


class Labelled:
    """A model that knows the tool by its own name, whatever it is shown by."""

    def __init__(self, model) -> None:
        self._model = model

    def reply(self, user: str) -> dict:
        return self._model.reply(user.replace('"library__look_up"', '"look_up"'))
