"""`select export` and `select import`: any agent writes tasks and chooses, and nothing counts that does not hold."""

import json

import pytest

from reviewer.cli.app import run
from selection.models import SAID, Model, library, task_file


def exported(server, tmp_path, *more: str) -> list[dict]:
    """Export, and read the files that are written, one for each agent."""
    folder = tmp_path / "questions"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    assert run(["select", "export", str(server), "-o", str(folder / "asked.json"), *more]) == 0
    return [json.loads(each.read_text()) for each in sorted(folder.iterdir())]


def replies(export: dict, model: Model) -> dict:
    """Answer as an agent would that reads the file."""
    given = [{"request": each["request"], **model.reply(each["user"])} for each in export["requests"]]
    return {"version": 1, "model": "an-agent", "export": export["export"], "replies": given}


def imported(server, tmp_path, *answers: object, more: tuple[str, ...] = ()) -> int:
    files = []
    for number, each in enumerate(answers):
        files.append(tmp_path / f"answers-{number}.json")
        files[-1].write_text(each if isinstance(each, str) else json.dumps(each))
    return run(["select", "import", str(server), *map(str, files), *more])


@pytest.mark.slow
def test_an_agent_writes_tasks_and_another_chooses(server, tmp_path, model, capsys):
    more = ("--per-tool", "2")
    (first,) = exported(server, tmp_path, *more)
    assert (first["asks"], len(first["requests"])) == ("tasks", 1)
    assert imported(server, tmp_path, replies(first, model), more=more) == 0
    assert "select: 6 tasks for 3 tools\n" in capsys.readouterr().err
    (second,) = exported(server, tmp_path, *more)
    assert second["asks"] == "choices"
    assert imported(server, tmp_path, replies(second, model), more=more) == 0
    assert capsys.readouterr().out.startswith("selection: 3 tools, 6 tasks, chosen by an-agent\n")
    assert run(["select", str(server), "--judge", "host", "--orders", "1", *more]) == 0
    assert "6 of 6 (100%, 61 to 100)" in capsys.readouterr().out
    assert exported(server, tmp_path, *more)[0]["requests"] == []


def test_who_saw_a_description_is_not_asked_without_it(server, tmp_path, model, capsys):
    more = ("--tasks", str(task_file(tmp_path / "tasks.json")), "--without-descriptions")
    documents = exported(server, tmp_path, *more)
    assert len(documents) == 1 + len(SAID)
    assert imported(server, tmp_path, *(replies(each, model) for each in documents), more=more) == 0
    out = capsys.readouterr().out
    assert "as it is      6 of 6 " in out
    assert "without       0 of 6 " in out


def test_files_need_names_where_there_are_several(server, tmp_path, capsys):
    more = ("--tasks", str(task_file(tmp_path / "tasks.json")), "--without-descriptions")
    assert run(["select", "export", str(server), *more]) == 2
    assert "name the first file with --output" in capsys.readouterr().err


@pytest.mark.slow
def test_a_task_that_repeats_the_tool_is_thrown_away_and_asked_for_again(server, tmp_path, model, capsys):
    told = {"task": "Search the shelves by words of a title: whales.", "arguments": {"words": "whales"}, "also": []}
    model.written["look_up"] = [told]
    more = ("--per-tool", "1")
    imported(server, tmp_path, replies(exported(server, tmp_path, *more)[0], model), more=more)
    err = capsys.readouterr().err
    assert "select: a task for `look_up` is thrown away: " in err
    assert "of its words are the tool's own" in err
    (again,) = exported(server, tmp_path, *more)
    assert again["asks"] == "tasks"
    assert told["task"] in again["requests"][0]["user"]
    assert '"lend"' in again["requests"][0]["user"], "it is told what the others are"


@pytest.mark.parametrize(
    ("task", "arguments", "also", "why"),
    [
        ("Please bring back Walden.", {"title": "Walden"}, [], "it names the tool `bring_back`"),
        (
            "Walden lies on the desk.",
            {"title": 7},
            [],
            "its arguments are not valid: ",
        ),
        (
            "Walden lies on the desk.",
            {"title": "Walden", "desk": 3},
            [],
            "its arguments are not valid: Additional properties",
        ),
        ("It lies on the desk.", {"title": "Walden"}, [], "it does not tell the value of `title`"),
        ("Walden lies on the desk.", "no object", [], "its arguments are no JSON object"),
        ("Walden lies on the desk.", {"title": "Walden"}, ["burn"], "there is no tool `burn`"),
        ("x" * 2_000 + " Walden", {"title": "Walden"}, [], "it has no text"),
        ("Walden\u202e lies on the desk.", {"title": "Walden"}, [], "it has characters that cannot be seen"),
    ],
)
def test_what_is_no_task_is_thrown_away(server, tmp_path, model, capsys, task, arguments, also, why):
    model.written["bring_back"] = [{"task": task, "arguments": arguments, "also": also}]
    more = ("--per-tool", "1")
    imported(server, tmp_path, replies(exported(server, tmp_path, *more)[0], model), more=more)
    assert f"a task for `bring_back` is thrown away: {why}" in capsys.readouterr().err


def test_answers_to_what_is_not_asked_are_counted(server, tmp_path, model, capsys):
    more = ("--tasks", str(task_file(tmp_path / "tasks.json")))
    answers = replies(exported(server, tmp_path, *more)[0], model)
    library(server, look_up="Searches the shelves, and the cellar.")
    assert imported(server, tmp_path, answers, more=more) == 2
    out, err = capsys.readouterr()
    assert "6 choices unanswered (as it is): no agent has answered it yet\n" in out
    assert (
        "select: 6 answers to what is not asked: the source, the tasks or the options have changed since the export\n"
        in err
    )


def test_two_answers_to_one_task_are_none(server, tmp_path, model, capsys):
    more = ("--tasks", str(task_file(tmp_path / "tasks.json")))
    answers = replies(exported(server, tmp_path, *more)[0], model)
    answers["replies"][0]["choices"] *= 2
    assert imported(server, tmp_path, answers, more=more) == 2
    assert "6 choices unanswered (as it is): the model answered it more than once\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    "change",
    [
        lambda given: given.clear(),
        lambda given: given[0].update(choices=7),
        lambda given: given[0].update(checks=[]),
        lambda given: given[0].pop("choices"),
        lambda given: given[0]["choices"][0].update(tool=None),
        lambda given: given.__setitem__(0, "no reply"),
    ],
)
def test_replies_of_another_form_are_no_choices(server, tmp_path, model, change, capsys):
    more = ("--tasks", str(task_file(tmp_path / "tasks.json")))
    answers = replies(exported(server, tmp_path, *more)[0], model)
    change(answers["replies"])
    imported(server, tmp_path, answers, more=more)
    assert "6 of 6" not in capsys.readouterr().out


def test_arguments_that_are_too_much_are_no_call(server, tmp_path, model, capsys):
    more = ("--tasks", str(task_file(tmp_path / "tasks.json")), "--format", "json")
    model.chosen["Is anything about whales there?"] = {"tool": "look_up", "arguments": "[" * 100_000}
    model.chosen["Walden lies on the desk, its reader is through with it."] = {
        "tool": "bring_back",
        "arguments": {"title": {}},
    }
    imported(server, tmp_path, replies(exported(server, tmp_path, *more[:2])[0], model), more=more)
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (result["right_tool"]["count"], result["valid_call"]["count"]) == (6, 4)


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"version": 2, "export": "x", "replies": []}', '{"version": 1, "exp']
)
def test_a_file_that_is_none_is_refused(server, tmp_path, content, capsys):
    assert imported(server, tmp_path, content) == 2
    assert "answers-0.json: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ([], "a model makes tasks and chooses tools: name one with --judge"),
        (["--judge", "auto"], "there is no key: set ANTHROPIC_API_KEY; a model makes tasks"),
        (["--judge", "replay"], "--verdicts"),
        (["--judge", "host", "--fail-on-drop"], "--fail-on-drop: requires --diff"),
        (["--judge", "host", "--tasks", "wrong.json"], "wrong.json: unexpected structure"),
        (["--judge", "host", "--tasks", "twice.json"], "twice.json: two tasks have the id `a`"),
        (["--judge", "host", "--tasks", "absent/tasks.json"], "absent/tasks.json: no such folder"),
        (["--judge", "host", "--rewrites", "absent.json"], "absent.json: no such file"),
        (["--judge", "host", "--rewrites", "texts.json"], "texts.json: there is no tool `burn`"),
        (["--judge", "host", "--rewrites", "texts.json", "--judge-rewrites"], "--judge-rewrites"),
        (["--judge", "host", "--lots", "2"], "--lots"),
        (["--judge", "host", "--add-tasks"], "--add-tasks"),
        (["--judge", "host", "--per-tool", "0"], "--per-tool"),
        (["--judge", "host", "--diff", "HEAD"], "is in no git repository"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(server, tmp_path, monkeypatch, capsys, asked, said):
    monkeypatch.chdir(tmp_path)
    task = '{"id": "a", "task": "Is it?", "tool": "lend", "arguments": {"title": "it"}}'
    (tmp_path / "wrong.json").write_text('{"version": 1, "tasks": [{"id": "a"}]}')
    (tmp_path / "twice.json").write_text(f'{{"version": 1, "tasks": [{task}, {task}]}}')
    (tmp_path / "texts.json").write_text('{"burn": "Burns a book."}')
    assert run(["select", str(server), *asked]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err.splitlines()[-1]


def test_a_folder_without_tools_is_said(tmp_path, capsys):
    (tmp_path / "server.py").write_text('from fastmcp import FastMCP\n\nmcp = FastMCP("empty")\nmcp.run()\n')
    assert run(["select", str(tmp_path), "--judge", "host"]) == 2
    assert "no tool can be read here" in capsys.readouterr().err


def test_tasks_for_tools_that_are_gone_are_left_out(server, tmp_path, model, capsys):
    file = task_file(tmp_path / "tasks.json")
    (server / "server.py").write_text((server / "server.py").read_text().replace("def look_up", "def search_all"))
    (asked,) = exported(server, tmp_path, "--tasks", str(file))
    assert "tasks.json: 2 tasks for tools that are not here\n" in capsys.readouterr().err
    assert "whales" not in asked["requests"][0]["user"]
    model.tasks["search_all"] = []
    (asked,) = exported(server, tmp_path, "--tasks", str(file), "--add-tasks")
    assert asked["asks"] == "tasks"
