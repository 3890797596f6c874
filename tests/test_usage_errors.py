"""Whatever is wrong with a command line is one line, which spells what was typed as it was typed and says what to give."""

import pytest
from asking import asker
from test_cli import SERVER


@pytest.fixture
def ask(capsys, tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "server.py").write_text(SERVER)
    monkeypatch.chdir(tmp_path)
    return asker(capsys)


FORMATS = "text, concise, json, sarif, sarif-github, github, markdown, gitlab, junit, rdjson, html"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("--formt json server.py", "--formt: no such option; did you mean --format?"),
        ("server.py -x", "-x: no such option"),
        ("server.py --format JSON", f"--format JSON: unknown value; did you mean json? (there are: {FORMATS})"),
        ("server.py --format yml", f"--format yml: give one of {FORMATS}"),
        ("server.py --fail-on Warn", "--fail-on Warn: unknown value; did you mean warning? (there are: error, warning, suggestion)"),
        ("server.py --fail-on it's", "--fail-on it's: give one of error, warning, suggestion"),
        ("server.py --config", "--config: a value is missing"),
        ("server.py --fix=yes", "--fix: takes no value"),
        ("server.py --max-cost cheap", "--max-cost cheap: give a number"),
        ("server.py --max-questions 1.5", "--max-questions 1.5: give a whole number"),
        ("serve --processes 0", "--processes 0: give a number from 1 to 64"),
        ("server.py --select ,", "--select: name a rule, as in --select tool-name-style"),
        ("server.py --header X:1", "--header: goes with --live only"),
        ("catalog server.py --env A", "--env: goes with --live only"),
        ("server.py --show-unchanged", "--show-unchanged: goes with --diff only"),
        ("explain", "explain: RULE is missing; see `mcp-review explain --help`"),
        ("rules extra", "rules: takes no further argument, and got extra"),
        ("judge", "judge: give one of its commands: export, import"),
        ("judge exprot x", "judge: no command `exprot`; did you mean export?"),
        ("github post", "github: no command `post`; there are: "),
        ("judge export", "judge export: PATH is missing; see `mcp-review judge export --help`"),
        ("server.pyy", "server.pyy: no such file or directory"),
        ("--profile Core server.py", "--profile: unknown profile `Core`; did you mean `core`?"),
    ],
)  # fmt: skip
def test_one_line_says_what_is_wrong(ask, line, told):
    code, out, err = ask(*line.split())
    assert (code, out) == (2, "")
    assert err.startswith(f"mcp-review: {told}")
    assert err.count("\n") == 1
