"""What people copy from the documents works: commands by the command line's own parser, installs by the package's own extras."""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer
import yaml

from reviewer.cli.app import app

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("evals/results/*.md")),
]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WAYS = {"mcp-review": 1, ".venv/bin/mcp-review": 1, ".venv/bin/python -m reviewer": 3, "uvx --from . mcp-review": 4}
"""How the command is begun, and how many words that is."""


def lines():
    """Yield every line that is copied into a shell, and the commands within sentences that have an option."""
    for page in PAGES:
        text = page.read_text("utf-8")
        for kind, block in FENCE.findall(text):
            if kind == "sh":
                yield from (
                    (page.name, line) for line in block.splitlines() if line.strip() and not line.startswith("#")
                )
        for quoted in re.findall(r"`(mcp-review [^`]*--[^`]*)`", FENCE.sub("", text)):
            if "..." not in quoted and "…" not in quoted:
                yield page.name, quoted


COMMANDS = [
    (page, command.strip())
    for page, line in dict.fromkeys(lines())
    for command in re.split("'(?:&&|[|])'", shlex.join(shlex.split(line, comments=True)))
]
OURS = [
    (page, shlex.split(command)[words:])
    for page, command in COMMANDS
    for way, words in WAYS.items()
    if command.startswith(f"{way} ") and not command.endswith("-completion")  # which would install it
]


def parsed(arguments):
    """Take arguments as the command line does, and run nothing."""

    def idle(command):
        for each in getattr(command, "commands", {}).values():
            idle(each)
        if not hasattr(command, "commands"):
            command.callback = lambda **_: 0
        return command

    return idle(typer.main.get_command(app)).main(list(arguments), "mcp-review", standalone_mode=False)


@pytest.mark.parametrize(
    ("page", "arguments"), OURS, ids=lambda each: each if isinstance(each, str) else " ".join(each)
)
def test_the_command_line_takes_what_is_copied(page, arguments):
    parsed([re.sub(r"^BASE$", "main", each) for each in arguments])


@pytest.mark.slow
def test_the_tutorial_shows_what_the_command_prints():
    program = [sys.executable, "-c", "from reviewer.cli import main; main()", "examples/notes-python"]
    printed = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False).stdout
    assert f"```\n{printed}```\n" in (ROOT / "docs/tutorial.md").read_text("utf-8")


@pytest.mark.slow
def test_the_tutorial_works_step_by_step(tmp_path):
    """Each change applies, and each command prints what stands under it."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(ROOT / "examples/notes-python", tmp_path / "my-notes")
    printed, compared = "", 0
    for kind, block in FENCE.findall((ROOT / "docs/tutorial.md").read_text("utf-8")):
        if kind == "diff":
            subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=block, text=True, check=True)
        elif kind == "sh" and block.startswith("mcp-review"):
            printed = ""
            for line in block.splitlines():
                program = [sys.executable, "-c", "from reviewer.cli import main; main()", *shlex.split(line)[1:]]
                done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
                assert done.returncode in (0, 1), done.stderr
                printed = done.stdout + done.stderr
        elif kind == "text":
            compared += 1
            assert [line for line in block.splitlines() if line not in printed] == []
    assert compared == 5


NETWORK = ("pip install", "uvx", "claude plugin", "--live")
"""What in a line of the README says that it needs a network or another program."""


def readme_commands():
    """Yield the lines of the README that run the command here, without those that need a network."""
    for kind, block in FENCE.findall((ROOT / "README.md").read_text("utf-8")):
        if kind == "sh":
            yield from (
                line for line in block.splitlines() if line.strip() and not any(each in line for each in NETWORK)
            )


@pytest.fixture(scope="module")
def readers_folder(tmp_path_factory):
    """Return a folder as a reader of the README has it: a server under git, and a file of its tools."""
    folder = tmp_path_factory.mktemp("reader")
    server = folder / "path/to/server"
    shutil.copytree(ROOT / "examples/notes-python", server)
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "the server"]):
        subprocess.run([*git, *command], cwd=folder, check=True)
    listed = command_run(folder, ["catalog", "path/to/server", "--format", "json"])
    (folder / "tools.json").write_text(listed.stdout)
    return folder


def command_run(folder, arguments):
    program = [sys.executable, "-c", "from reviewer.cli import main; main()", *arguments]
    keys = {"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"}  # `--judge auto` would ask a model
    environment = {name: text for name, text in os.environ.items() if name not in keys} | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        program, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("line", list(readme_commands()))
def test_each_line_of_the_readme_runs(line, readers_folder):
    command, *arguments = shlex.split(line, comments=True)
    assert command == "mcp-review"
    done = command_run(readers_folder, arguments)
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_python_of_the_readme_runs(readers_folder):
    (block,) = [each for kind, each in FENCE.findall((ROOT / "README.md").read_text("utf-8")) if kind == "python"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", block], cwd=readers_folder, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_bytes()) <= 9 * 1024


def figures(text):
    """Return the figures of a text that say how many of how many, or what share."""
    return set(re.findall(r"\d+(?:,\d{3})* of \d+(?:,\d{3})*|\d+\.\d+ %", text))


def test_the_figures_of_the_readme_are_those_of_the_results():
    table = (ROOT / "README.md").read_text("utf-8").partition("\n## How accurate it is\n")[2].partition("\n## ")[0]
    assert len(figures(table)) > 6
    assert figures(table) <= figures((ROOT / "docs/results.md").read_text("utf-8"))


@pytest.mark.parametrize(
    ("heading", "records"),
    [
        ("Reading tools from source", ["evals/results/accuracy.md"]),
        ("Other tools on the same servers", ["evals/results/field-notes.md"]),
        (
            "Our own cases",
            ["evals/results/checklist.md", "evals/results/comparisons.md", "evals/results/judge-accuracy.md"],
        ),
    ],
)
def test_the_figures_of_the_results_are_those_of_the_records(heading, records):
    """What is a sum over samples is not looked for; what a record has as it is must be in it."""
    section = (ROOT / "docs/results.md").read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    known = " ".join((ROOT / each).read_text("utf-8") for each in records)
    numbers = {each.replace(",", "") for each in re.findall(r"(?<![\w.])\d[\d,]{2,}(?![\d.])|\d+\.\d(?= %)", section)}
    assert numbers
    assert {each for each in numbers if not re.search(rf"(?<![\d.]){re.escape(each)}(?!\d)", known)} <= {"1305"}


@pytest.mark.slow
def test_no_message_names_a_document_that_is_not_installed():
    """Docstrings speak to those who have a checkout; what is printed does not. What writes documents names them."""
    for page in (each for each in ROOT.glob("reviewer/**/*.py") if each.parent.name != "handbook"):
        tree = ast.parse(page.read_text("utf-8"))
        plain = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
        texts = (each for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, str))
        said = [each.value for each in texts if id(each) not in plain and re.search(r"\bdocs/[\w-]+\.md", each.value)]
        assert not said, page


def test_an_option_that_is_gone_would_be_seen():
    assert len(OURS) > 25
    with pytest.raises(typer.BadParameter.__mro__[1]):
        parsed(["src/", "--no-such-option"])


@pytest.mark.parametrize(("page", "command"), [each for each in COMMANDS if "pip install" in each[1]])
def test_what_is_installed_is_the_checkout_or_a_group(page, command):
    _, _, asked = command.partition("pip install ")
    words = [each for each in shlex.split(asked) if each not in ("-q", "-e", "--group")]
    for each in words:
        extras = re.fullmatch(r"\.(?:\[([a-z,]+)\])?", each)
        known = {"uv", *PROJECT["dependency-groups"]}
        assert extras or each in known, f"{each}: an index may have it from somebody else"
        wanted = extras[1].split(",") if extras and extras[1] else []
        assert set(wanted) <= set(PROJECT["project"]["optional-dependencies"])


SCRIPTS = [
    (page.name, quoted)
    for page in PAGES
    for quoted in re.findall(
        r"`(?:PYTHONPATH=\. )?((?:python|bash|pytest) [^`]*)`", FENCE.sub("", page.read_text("utf-8"))
    )
]
"""Commands within sentences and tables."""


@pytest.mark.parametrize(
    ("page", "command"), [each for each in [*COMMANDS, *SCRIPTS] if re.search(r"\bevals/|\btests/|\.ci/", each[1])]
)
def test_the_scripts_are_there(page, command):
    for path in re.findall(r"(?<![\w:.])(?:evals|tests|\.ci)/[\w./-]+", command):
        assert (ROOT / path.rstrip("/.")).exists(), path


def test_nothing_is_left_to_fill_in():
    for page in PAGES:
        blocks = "".join(block for kind, block in FENCE.findall(page.read_text("utf-8")) if kind in ("sh", "yaml"))
        if page.name != "github-action.md":  # a workflow on the host needs the address of the action there
            assert "OWNER" not in blocks, page


def test_the_plugin_is_of_the_marketplace_of_the_checkout():
    said = [shlex.split(command) for _, command in COMMANDS if command.startswith("claude plugin")]
    assert ["claude", "plugin", "marketplace", "add", "./"] in said
    (install,) = {each[-1] for each in said if "install" in each}
    market = yaml.safe_load((ROOT / ".claude-plugin/marketplace.json").read_text("utf-8"))
    assert install == f"{market['plugins'][0]['name']}@{market['name']}"


def test_the_hook_to_copy_is_the_hook_of_the_repository():
    (block,) = [each for _, each in FENCE.findall((ROOT / "docs/daily-use.md").read_text("utf-8")) if "repos:" in each]
    (hook,) = yaml.safe_load(block)["repos"][0]["hooks"]
    (ours,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    same = {"id", "name", "entry", "pass_filenames", "types_or", "require_serial"}
    assert {key: hook[key] for key in same} == {key: ours[key] for key in same}
    parsed(hook["args"])


def anchors(page):
    """Return the anchors of a page's headings, as hosts make them."""
    text = FENCE.sub("", page.read_text("utf-8"))
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda each: each.name)
def test_every_link_leads_to_a_file_and_a_heading(page):
    for target in re.findall(r"\]\((?!\w+:)([^)\s]+)\)", FENCE.sub("", page.read_text("utf-8"))):
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there), target


def test_the_page_of_the_package_links_nothing_that_lies_elsewhere():
    assert PROJECT["project"]["readme"] == "PACKAGE.md"
    text = (ROOT / "PACKAGE.md").read_text("utf-8")
    assert not re.search(r"\]\((?!https://)|<img|<a ", text)
    assert all("://" in address for address in PROJECT["project"].get("urls", {}).values())
