"""Whatever is wrong with a command line is one line, which spells what was typed as it was typed and says what to give."""

import json
from pathlib import Path

import pytest
from asking import asker
from test_cli import SERVER

from reviewer.budget import BOUNDS, ResourceBound
from reviewer.config import LARGEST


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
        ("server.py --header X:1", "--header: requires --live"),
        ("catalog server.py --env A", "--env: requires --live"),
        ("server.py --show-unchanged", "--show-unchanged: requires --diff"),
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


CONFIGURATIONS = {
    "none/pyproject.toml": b"[project]\nname = 'mcp-review'\n",
    "latin.toml": "ignore = ['\xe9']\n".encode("latin-1"),
    "large.toml": b"#" * (LARGEST + 1),
    "version.toml": b"sdk.mcp = 'new'\n",
    "options.toml": b"[rules.duplicate-tool-name]\nstyle = 'new'\n",
}
REST = [
    ("", "give the path of a server's source: mcp-review PATH (see mcp-review --help)"),
    ("catalog", "give the path of a server's source or of a file of tools, or --live"),
    ("server.py -v -q", "--verbose and --quiet: give only one of them"),
    ("server.py --also json:a --also html:a", "--also: one file is given for two formats"),
    ("server.py --also sarf:a", "--also sarf:a: there is no format sarf; did you mean sarif?"),
    ("server.py --also 7:a", f"--also 7:a: there is no format 7; known are {FORMATS}"),
    ("server.py --also json", "--also json: give FORMAT:FILE"),
    ("server.py --fail-on-suppressed", "--fail-on-suppressed: requires --diff; a review without it does not count suppressions"),
    ("server.py --config-from base", "--config-from base: requires --diff BASE"),
    (
        "server.py --diff main --config-from base --baseline a.json --write-baseline",
        "--write-baseline: accepts findings of the work tree; remove --config-from base",
    ),
    ("--live x --diff main", "--diff: give a path in a git repository, and no --live: what a live server was is not known"),
    ("server.py --unsafe", "--unsafe: requires --fix"),
    ("server.py --dry-run", "--dry-run: requires --fix"),
    (
        "--live x --fix",
        "--fix: give the path of a server's source or of tool definitions, and no --live: only files can be fixed",
    ),
    ("server.py --fix --dry-run --format json", "--fix --dry-run: prints a diff, not a report; remove --format and --also"),
    ("server.py --sdk mcp", "--sdk mcp: give NAME==VERSION, as in fastmcp==2.14.1"),
    ("server.py --config none/pyproject.toml", "none/pyproject.toml: no such configuration file; create mcp-review.toml or [tool.mcp-review]"),
    ("server.py --config latin.toml", "latin.toml: not valid TOML: not UTF-8"),
    ("server.py --config large.toml", f"large.toml: larger than {LARGEST // 2**20} MB, too large for a configuration file"),
    ("server.py --config version.toml", "version.toml: sdk: mcp: `new` is not a version; write it like `2.14.1`"),
    ("server.py --config options.toml", "options.toml: rules.duplicate-tool-name: the rule has no options, so no `style`"),
    ("github upload report.sarif --repository o/r", "which commit? set GITHUB_SHA and GITHUB_REF, as a workflow does"),
    ("serve --timeout nan", "--timeout: give a number of seconds over 0"),
    ("serve --root nowhere", "--root nowhere: no folder there; give one that may be looked into"),
    ("serve --http 8000x", "--http 8000x: give HOST:PORT, as in 127.0.0.1:8000"),
    ("serve --http 0.0.0.0:0", "--http 0.0.0.0:0: others reach this address; set MCP_REVIEW_TOKEN to a secret that callers must show"),
]  # fmt: skip
"""What else can be wrong, and the whole of what is told. What the paths of another drive are told needs Windows."""


@pytest.mark.parametrize(("line", "told"), REST, ids=[told for _, told in REST])
def test_the_whole_line_is_as_it_stands(ask, line, told, monkeypatch):
    if line.startswith("serve"):
        pytest.importorskip("mcp.server")
    for name in ("GITHUB_SHA", "GITHUB_REF", "MCP_REVIEW_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GITHUB_TOKEN", "right")
    for name, text in CONFIGURATIONS.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(text)
    code, out, err = ask(*line.split())
    assert (code, out) == (2, "")
    assert err.splitlines()[-1] == f"mcp-review: {told}"


def test_no_baseline_is_written_of_a_part(ask, monkeypatch):
    monkeypatch.setitem(BOUNDS, "findings", ResourceBound(5, 0, 5, 5))
    Path("tools.json").write_text(json.dumps({"tools": [{"name": f"a{n}"} for n in range(20)]}))
    code, out, err = ask("tools.json", "--baseline", "known.json", "--write-baseline")
    assert (code, out) == (2, "")
    told = "mcp-review: --write-baseline: a part of the code was not reviewed; nothing is written"
    assert err.splitlines()[-1] == told
    assert not Path("known.json").exists()
