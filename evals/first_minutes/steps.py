"""What a newcomer does, step by step. Each returns what it saw in a few words, or raises what was promised and did not happen."""

import json
import re
import shutil
import sys
from collections.abc import Callable

from newcomer import ROOT, SHOWN, Newcomer, findings, validate

QUICK = 5.0
"""Seconds after which a newcomer takes a review of one small file for stuck. Ours takes under one."""
LAST_LINE = re.compile(r"\d+ violations?, \d+ sections? OK\. Verdict: (PASS with warnings|PASS|FAIL)")


class LeftOutError(Exception):
    """A step that this machine cannot take, and why."""


def install(newcomer: Newcomer) -> str:
    """Install the wheel of this checkout into an environment of its own."""
    built = newcomer.home / "wheel"
    newcomer.type(sys.executable, "-m", "pip", "-q", "wheel", "--no-deps", "-w", built, ROOT, where=newcomer.home)
    newcomer.type(sys.executable, "-m", "venv", newcomer.home / ".venv", where=newcomer.home)
    (wheel,) = built.glob("mcp_review-*.whl")
    took = newcomer.type(newcomer.bin / "pip", "-q", "install", wheel, where=newcomer.home).seconds
    packages = json.loads(newcomer.type(newcomer.bin / "pip", "list", "--format", "json").out)
    count = sum(each["name"] not in ("pip", "setuptools", "mcp-review") for each in packages)
    size = sum(file.stat().st_size for file in (newcomer.home / ".venv").rglob("*") if file.is_file()) / 1e6
    version = newcomer.review("-V", code=0).out.strip()
    validate(version.startswith("mcp-review "), f"`mcp-review -V` prints the version, not {version!r}")
    return f"{version}, {count} packages beside it, {size:.0f} MB with pip, {took:.0f} s"


def first_report(newcomer: Newcomer) -> str:
    """Review the server: a place, a weight and a rule on every line, the verdict last, and all of it at once."""
    shown = newcomer.review(".")
    found = findings(shown)
    validate(bool(found), "each finding stands on a line `path:line:column severity rule message`")
    validate(
        all((newcomer.server / each["path"]).is_file() for each in found), "each path opens from the current folder"
    )
    validate(LAST_LINE.fullmatch(shown.lines[-1]) is not None, f"the last line is the verdict, not {shown.lines[-1]!r}")
    validate(shown.seconds < QUICK, f"the report is there within {QUICK:.0f} s, not {shown.seconds:.1f}")
    validate(not shown.err, f"nothing else is printed: {shown.err!r}")
    concise = newcomer.review(".", "--format", "concise")
    validate(
        len(findings(concise)) == len(concise.lines) == len(found),
        "`--format concise` prints a line a finding and nothing else",
    )
    errors = sum(each["severity"] == "error" for each in found)
    return f"{len(found)} findings, {errors} of them errors, in {shown.seconds:.1f} s; {len(shown.lines)} lines"


def on_a_terminal(newcomer: Newcomer) -> str:
    """Review on a terminal of 80 columns and 24 lines: every error is on the screen at the end."""
    if shutil.which("tmux") is None:
        raise LeftOutError("there is no tmux")
    session = ["tmux", "-L", newcomer.home.name]
    errors = {
        each["rule"] for each in findings(newcomer.review(".", "--format", "concise")) if each["severity"] == "error"
    }
    command = f"{newcomer.bin}/mcp-review . ; tmux -L {newcomer.home.name} wait-for -S done; sleep 60"
    newcomer.type(*session, "new-session", "-d", "-x", "80", "-y", "24", command)
    newcomer.type(*session, "wait-for", "done")
    screen = newcomer.type(*session, "capture-pane", "-p", "-J").out
    newcomer.type(*session, "kill-server")
    newcomer.shows("mcp-review .", screen)
    unseen = {rule for rule in errors if rule not in screen}
    validate(not unseen, f"the errors are on the screen at the end; not there: {', '.join(sorted(unseen))}")
    return f"on the last screen of 24 lines: {', '.join(sorted(errors))}, which is every rule with an error"


def first_rule(newcomer: Newcomer) -> str:
    """Return the rule of the first finding, as the report names it."""
    found = findings(newcomer.review("."))
    validate(bool(found), "the report names the rule of each finding")
    return found[0]["rule"]


def explain(newcomer: Newcomer) -> str:
    """Ask what the first finding means, by its rule, and by a word that is nearly one."""
    rule = first_rule(newcomer)
    mistaken = newcomer.review("explain", "sse", code=2)
    validate("sse-transport" in mistaken.err, f"`explain sse` suggests sse-transport: {mistaken.err!r}")
    mistyped = newcomer.review("catalgo", code=2)
    validate("catalog" in mistyped.err, f"a command that is misspelled is suggested: {mistyped.err!r}")
    page = newcomer.review("explain", rule, code=0)  # last: it is the screen that is shown
    validate(rule in page.lines[0] or rule in page.out, f"`explain {rule}` prints its page")
    newcomer.shows(f"mcp-review explain {rule}", "\n".join(page.lines[:SHOWN]))
    return f"the page of {rule} has {len(page.lines)} lines"


def fix(newcomer: Newcomer) -> str:
    """Show what can be fixed, fix it, and review again."""
    before = len(findings(newcomer.review(".")))
    shown = newcomer.review(".", "--fix", "--unsafe", "--dry-run", code=None)
    validate(shown.out.startswith("--- "), "`--fix --dry-run` prints a diff")
    clean = newcomer.type("git", "status", "--porcelain")
    validate(not clean.out, "`--dry-run` writes nothing")
    newcomer.review(".", "--fix", "--unsafe", code=None)
    after = len(findings(newcomer.review(".", code=None)))
    validate(after < before, f"`--fix` leaves fewer findings: {before} before, {after} after")
    return f"{before} findings before, {after} after"


def configure(newcomer: Newcomer) -> str:
    """Have a configuration written, turn one rule off in it and by a suppression, and mistype a key."""
    newcomer.review("init", code=0)
    file = newcomer.server / "mcp-review.toml"
    rule = first_rule(newcomer)
    before = findings(newcomer.review("."))
    file.write_text(f'ignore = ["{rule}"]\n')
    after = findings(newcomer.review(".", code=None))
    validate(rule not in {each["rule"] for each in after}, f"`ignore` in the configuration turns {rule} off")
    validate(len(findings(newcomer.review(".", "--isolated"))) == len(before), "`--isolated` reads no configuration")
    file.write_text('ingore = ["sse-transport"]\n')
    refused = newcomer.review(".", code=2)
    validate("ignore" in refused.err, f"a key that is misspelled is refused with the nearest one: {refused.err!r}")
    return f"{len(before)} findings; {len(after)} without {rule}"


def add_fault(newcomer: Newcomer) -> None:
    """Add a second tool of the name `write_note`, which is an error."""
    source = newcomer.server / "notes/server.py"
    tool = '@mcp.tool(name="write_note")\ndef append(name: str) -> str:\n    """Append to a note."""\n    return name\n\n\n'
    source.write_text(source.read_text().replace("def main(", f"{tool}def main(", 1))


def baseline(newcomer: Newcomer) -> str:
    """Accept what there is today, and fail for what comes after."""
    newcomer.review(".", "--baseline", "known.json", "--write-baseline", code=None)
    accepted = newcomer.review(".", "--baseline", "known.json", code=0)
    add_fault(newcomer)
    found = findings(newcomer.review(".", "--baseline", "known.json"))
    validate({"duplicate-tool-name"} <= {each["rule"] for each in found}, "what is new is reported beside a baseline")
    return f"accepted: {accepted.lines[-1]}; afterwards {len(found)} new findings"


def pre_commit(newcomer: Newcomer) -> str:
    """Commit through pre-commit, with the hook of this repository."""
    place = newcomer.home / "pre-commit"
    newcomer.type(sys.executable, "-m", "venv", place)
    if newcomer.type(place / "bin/pip", "-q", "install", "pre-commit", code=None).code:
        raise LeftOutError("pre-commit cannot be installed here")
    hooks = newcomer.home / "mcp-review"
    newcomer.type("git", "clone", "-q", ROOT, hooks)
    head = newcomer.type("git", "rev-parse", "HEAD", where=hooks).out.strip()
    configuration = f"repos:\n  - repo: {hooks}\n    rev: {head}\n    hooks:\n      - id: mcp-review\n"
    (newcomer.server / ".pre-commit-config.yaml").write_text(configuration)
    newcomer.type("git", "add", "--all")
    variables = {"PRE_COMMIT_HOME": str(newcomer.home / "hooks")}
    shown = newcomer.type(place / "bin/pre-commit", "run", "--all-files", code=1, **variables)
    validate("Verdict: FAIL" in shown.out, f"the hook shows the report: {shown.out[-300:]!r}")
    return f"the hook stops the commit with the report, in {shown.seconds:.0f} s with its first installation"


def action(newcomer: Newcomer) -> str:
    """Open a pull request with a new fault, against a GitHub on the loopback, with the Action as it stands."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    from tests.github.loopback import GitHub, serving
    from tests.github.runner import Runner

    base = newcomer.type("git", "rev-parse", "HEAD").out.strip()
    add_fault(newcomer)
    (newcomer.server / "mcp-review.toml").write_text('select = ["sse-transport"]\n')  # tries to silence its own review
    newcomer.commit("Rename notes")
    head = newcomer.type("git", "rev-parse", "HEAD").out.strip()
    temp = newcomer.home / "runner"
    temp.mkdir()
    event = newcomer.home / "event.json"
    event.write_text(
        json.dumps(
            {"pull_request": {"number": 7, "head": {"sha": head, "repo": {"full_name": "o/r"}}, "base": {"sha": base}}}
        )
    )
    with serving(GitHub(head=head)) as github:
        variables = newcomer.environment | {
            "RUNNER_TEMP": str(temp),
            "NO_PROXY": "127.0.0.1",
            "GITHUB_API_URL": github.url,
            "GITHUB_GRAPHQL_URL": f"{github.url}/graphql",
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_REPOSITORY": "o/r",
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_RUN_ID": "5",
            "GITHUB_SHA": head,
            "GITHUB_REF": "refs/pull/7/merge",
        }
        context = {
            "token": "right",
            "action_path": str(ROOT),
            "event.pull_request.base.sha": base,
            "event.pull_request.head.sha": head,
        }
        runner = Runner(ROOT / "action.yml", newcomer.server, temp, context, variables, {"kept": {}})
        code = runner.run()
        comments = [each["body"] for each in github.comments]
    validate(code == 1, f"the job fails for an introduced error: {runner.log[-600:]}")
    validate(len(comments) == 1 and "write_note" in comments[0], f"one comment names what is introduced: {comments!r}")
    validate(
        "configuration: `select`" in comments[0], f"the comment says that the configuration changed: {comments[0]!r}"
    )
    return f"one comment of {len(comments[0].splitlines())} lines; the pull request's own `select` did not silence it"


CLIENTS = 1800.0
"""Seconds for four clients, two transports and every error, with the installation of Node and the clients."""


def serve(newcomer: Newcomer) -> str:
    """Connect four clients to the server mode, over stdio and HTTP."""
    clients = ROOT / "evals/serve/clients/run.py"
    if shutil.which("npm") is None:
        raise LeftOutError("there is no npm")
    newcomer.type(newcomer.bin / "pip", "-q", "install", f"{next((newcomer.home / 'wheel').glob('*.whl'))}[serve]")
    shown = newcomer.type(newcomer.bin / "python", clients, where=newcomer.home, code=None, seconds=CLIENTS)
    validate(shown.code == 0, f"each client reads each answer: {(shown.out + shown.err)[-600:]}")
    return f"every answer and error is as it should be, by {len(shown.lines)} lines of the clients' eval"


CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def page(newcomer: Newcomer) -> str:
    """Write the page and open it in a browser."""
    browser = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if browser is None:
        raise LeftOutError("there is no Chromium")
    newcomer.review(".", "--format", "html", "--output", "page.html")
    file = newcomer.server / "page.html"
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000")
    opened = newcomer.type(browser, *flags, "--dump-dom", file.as_uri())
    title = re.search(r"<title>(.*?)</title>", opened.out)
    validate(title is not None and title[1].startswith("FAIL"), "the page's title has the verdict")
    validate("notes-python" in opened.out, "the page says what was reviewed")
    validate("duplicate-tool-name" in opened.out, "the page shows the findings")
    return f"title: {title[1] if title else ''}"


STEPS: tuple[Callable[[Newcomer], str], ...] = (
    install,
    first_report,
    on_a_terminal,
    explain,
    fix,
    configure,
    baseline,
    pre_commit,
    action,
    serve,
    page,
)
