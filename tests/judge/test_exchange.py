"""`judge export` and `judge import`: any agent answers, and nothing is believed that does not hold."""

import json

import pytest

from judge.conftest import written
from judge.loopback import verdicts
from reviewer.cli.app import run


@pytest.fixture(autouse=True)
def only_the_rule_that_asks(server):
    (server / "mcp-review.toml").write_text('select = ["marker"]\n')


def exported(server, tmp_path, *more: str) -> dict:
    file = tmp_path / "questions.json"
    assert run(["judge", "export", str(server), "-o", str(file), *more]) == 0
    return json.loads(file.read_text())


def replies(export: dict, verdict: str = "not_met", quote: str = "") -> dict:
    """Answer as an agent would that reads the file."""
    given = [
        {"request": each["request"], **verdicts({"messages": [{"content": each["user"]}]}, verdict, quote)}
        for each in export["requests"]
    ]
    return {"version": 1, "model": "an-agent", "export": export["export"], "replies": given}


def imported(server, tmp_path, answers: object, *more: str) -> int:
    file = tmp_path / "answers.json"
    file.write_text(answers if isinstance(answers, str) else json.dumps(answers))
    return run(["judge", "import", str(server), str(file), *more])


def test_questions_go_out_with_all_that_is_needed(server, tmp_path):
    export = exported(server, tmp_path)
    assert list(export) == ["version", "export", "instructions", "system", "reply_schema", "requests"]
    assert len(export["requests"]) == 3
    assert "Rubric `marker`" in export["system"]
    assert "tool_0" in export["requests"][0]["user"]


def test_answers_come_back_as_findings_and_are_remembered(server, tmp_path, capsys):
    export = exported(server, tmp_path)
    assert imported(server, tmp_path, replies(export)) == 0
    out, err = capsys.readouterr()
    assert out.count("says nothing") == 3
    assert err.endswith("mcp-review: judge: 3 questions answered, by an-agent\n")
    assert "judge: 3 questions in " in err
    assert run([str(server), "--judge", "host"]) == 0
    assert capsys.readouterr().out.count("says nothing") == 3
    assert exported(server, tmp_path)["requests"] == []
    assert len(exported(server, tmp_path, "--no-judge-cache")["requests"]) == 3


def test_what_nobody_answered_stays_open(server, capsys):
    assert run([str(server), "--judge", "host", "--fail-on-unanswered"]) == 1
    out, err = capsys.readouterr()
    assert "not judged: 3 questions" in out
    assert err.count("judge export") == 1


def test_only_what_changed_is_exported_again(server, tmp_path):
    imported(server, tmp_path, replies(exported(server, tmp_path)))
    text = server / "server.py"
    text.write_text(text.read_text().replace("Handles number 1.", "Handles number one."))
    (request,) = exported(server, tmp_path)["requests"]
    assert "number one" in request["user"]


def test_answers_to_another_state_of_the_source_are_named(server, tmp_path, capsys):
    answers = replies(exported(server, tmp_path))
    text = server / "server.py"
    text.write_text(text.read_text().replace("Handles number 1.", "Handles number one."))
    assert imported(server, tmp_path, answers, "--format", "json") == 0
    out, err = capsys.readouterr()
    assert "1 answered request that this source does not ask: it has changed since the export" in err
    (open_,) = json.loads(out)["unanswered"]
    assert (open_["tool"], open_["why"]) == ("tool_1", "the judge did not answer it")


def test_a_newer_answer_replaces_an_older_one(server, tmp_path, capsys):
    export = exported(server, tmp_path)
    imported(server, tmp_path, replies(export))
    imported(server, tmp_path, replies(export, "met"))
    capsys.readouterr()
    run([str(server), "--judge", "host"])
    assert "says nothing" not in capsys.readouterr().out


def broken(answers: dict, change) -> dict:
    change(answers["replies"][0], answers)
    return answers


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda reply, _all: reply["verdicts"].clear(), "the judge failed a question with a known answer"),
        (lambda reply, _all: reply.pop("verdicts"), "the reply does not have the requested structure"),
        (lambda reply, _all: reply["verdicts"][0].update(verdict="PASS"), "the reply does not have the requested structure"),
        (lambda reply, _all: reply["verdicts"][0].update(severity="error"), "the reply does not have the requested structure"),
        (lambda reply, _all: [each.update(id="q1") for each in reply["verdicts"]], "the verdicts belong to another export"),
        (lambda reply, _all: [each.update(verdict="met") for each in reply["verdicts"]], "a question with a known answer"),
        (lambda reply, every: every["replies"].append(reply), "the judge answered it more than once"),
        (lambda _reply, every: every["replies"].pop(0), "the judge did not answer it"),
        (lambda _reply, every: every["replies"].__setitem__(0, 3), "the judge did not answer it"),
    ],
)  # fmt: skip
def test_what_does_not_hold_leaves_its_questions_open(server, tmp_path, capsys, change, why):
    answers = broken(replies(exported(server, tmp_path)), change)
    assert imported(server, tmp_path, answers, "--fail-on-unanswered") == 1
    out, err = capsys.readouterr()
    assert out.count("says nothing") == 2
    assert why in err.partition("judge: 1 question unanswered: ")[2]


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ("met", "not JSON, or not all of it"),
        ('{"version": 1, "export": "x", "replies": [{"request"', "not JSON, or not all of it"),
        ("", "not JSON, or not all of it"),
        ('{"version": 2, "export": "x", "replies": []}', "unsupported version"),
        ('{"export": "x", "replies": []}', "unsupported version"),
        ("[]", "unexpected structure"),
        ('{"version": 1, "replies": []}', "unexpected structure (export: field required)"),
        ('{"version": 1, "export": "x", "replies": [], "severity": "error"}', "(severity: extra inputs"),
    ],
)
def test_a_file_that_is_none_of_verdicts_is_refused(server, tmp_path, capsys, answers, said):
    assert imported(server, tmp_path, answers) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert said in err


def test_verdicts_on_questions_that_nobody_asked_change_nothing(server, tmp_path, capsys):
    answers = replies(exported(server, tmp_path))
    stray = {**answers["replies"][0]["verdicts"][0], "id": "q0"}
    answers["replies"][0]["verdicts"].append(stray)
    answers["replies"].append({"request": "of nobody", "verdicts": [stray]})
    assert imported(server, tmp_path, answers, "--fail-on-unanswered") == 0
    out, err = capsys.readouterr()
    assert out.count("says nothing") == 3
    assert "1 answered request that this source does not ask" in err


def test_an_invented_quote_is_not_shown(server, tmp_path, capsys):
    answers = replies(exported(server, tmp_path), quote="words that nobody wrote")
    assert imported(server, tmp_path, answers, "--format", "json") == 0
    assert "words that nobody wrote" not in capsys.readouterr().out


def test_an_invented_quote_that_is_owed_leaves_the_question_open(server, tmp_path, capsys):
    (server / "mcp-review.toml").write_text('select = ["purpose-not-told"]\n')
    export = exported(server, tmp_path, "--profile", "action-dispatch")
    answers = replies(export, "met", "words that nobody wrote")
    assert imported(server, tmp_path, answers, "--profile", "action-dispatch", "--fail-on-unanswered") == 1
    out, err = capsys.readouterr()
    assert "not judged: 3 questions" in out
    assert "3 questions unanswered: the judge's quote does not occur in what it was shown" in err


def test_answers_may_come_in_parts(server, tmp_path, capsys):
    export = exported(server, tmp_path)
    assert imported(server, tmp_path, replies({**export, "requests": export["requests"][:2]})) == 0
    assert "not judged: 1 question" in capsys.readouterr().out
    rest = exported(server, tmp_path)
    assert [each["request"] for each in rest["requests"]] == [export["requests"][2]["request"]]
    assert imported(server, tmp_path, replies(rest), "--fail-on-unanswered") == 0
    assert capsys.readouterr().out.count("says nothing") == 3


def test_paths_that_are_wrong(server, tmp_path, capsys):
    assert run(["judge", "import", str(server), str(tmp_path / "nowhere.json")]) == 2
    assert "nowhere.json: no such file" in capsys.readouterr().err
    assert run(["judge", "import", str(server), str(tmp_path)]) == 2
    assert "not a file" in capsys.readouterr().err
    assert run(["judge", "export", str(server), "-o", str(tmp_path / "no/where.json")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert run(["judge", "export", str(tmp_path / "nowhere")]) == 2


def test_a_server_without_questions_exports_none(tmp_path):
    bare = written(tmp_path / "bare", 1)
    (bare / "mcp-review.toml").write_text('select = ["tool-name-style"]\n')
    assert exported(bare, tmp_path)["requests"] == []
