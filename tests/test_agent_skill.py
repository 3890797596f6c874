"""The agent's skill, its reviewer and its command: what hosts take, in words that the command line knows."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer
import yaml

from reviewer.cli import app
from reviewer.config import Configuration, Flags, FoundConfiguration, list_profiles, settle
from reviewer.handbook import agent_skill, pages
from reviewer.rules import SECTIONS, load
from reviewer.version import __version__

ROOT = Path(__file__).resolve().parents[1]
OWN = agent_skill.find_skill_folder(ROOT)
AGENT = ROOT / "agents/mcp-tool-reviewer.md"
COMMAND = ROOT / "commands/mcp-review.md"
TEXTS = [OWN / "SKILL.md", AGENT, COMMAND]
CLAUDE_CODE = {
    OWN / "SKILL.md": {"name", "description", "user-invocable"},
    AGENT: {"name", "description", "tools", "skills", "color"},
    COMMAND: {"description", "argument-hint"},
}


def front(file: Path) -> dict:
    _, fields, _ = file.read_text("utf-8").split("---\n", 2)
    return yaml.safe_load(fields)


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_frontmatter_is_what_hosts_take(file):
    fields = front(file)
    assert set(fields) <= CLAUDE_CODE[file]
    assert 40 < len(fields["description"]) <= 1024
    assert "<" not in fields["description"]
    if "name" in fields:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fields["name"])
        assert len(fields["name"]) <= 64
        assert fields["name"] == (file.parent.name if file.name == "SKILL.md" else file.stem)


def test_the_skill_is_preloaded_and_not_invoked():
    # A skill with `disable-model-invocation` is silently not preloaded.
    assert front(OWN / "SKILL.md")["user-invocable"] is False
    assert front(AGENT)["skills"] == agent_skill.NAME


def test_the_skill_is_short_and_its_pages_are_there():
    file = OWN / "SKILL.md"
    text = file.read_text("utf-8")
    assert len(text.splitlines()) < 200
    assert len(text) < 12_000
    named = re.findall(r"\]\((references/[^)]+)\)", text)
    assert named == [agent_skill.name_section_page(section) for section in SECTIONS]
    assert {path.relative_to(file.parent).as_posix() for path in file.parent.glob("references/*")} == set(named)


def test_every_rule_stands_on_the_page_of_its_section():
    for each in load().values():
        page = (OWN / agent_skill.name_section_page(each.section)).read_text("utf-8")
        assert f"\n## {each.slug}\n\n{each.title} (" in page
        assert "Bad:" not in page


@pytest.mark.slow
def test_the_page_of_a_section_tells_what_every_rule_weighs_under_every_profile():
    for each in load().values():
        page = (OWN / agent_skill.name_section_page(each.section)).read_text("utf-8")
        (row,) = (line for line in page.splitlines() if line.startswith(f"| {each.slug} |"))
        told = dict(zip(list_profiles(), row.strip("| ").split(" | ")[1:], strict=True))
        for name in list_profiles():
            chosen = {
                one.rule.slug: one.severity.value
                for one in settle(FoundConfiguration(Configuration(), None), Flags(), name).chosen
            }
            assert told[name] == chosen.get(each.slug, "off")


def test_the_copies_are_what_the_rules_say():
    wanted = agent_skill.render_copies(ROOT)
    assert [path for path, text in wanted.items() if path.read_text("utf-8") != text] == []
    assert agent_skill.find_obsolete(ROOT, wanted) == []


def test_a_page_that_nothing_is_written_to_is_named(tmp_path):
    own = agent_skill.find_skill_folder(tmp_path)
    (own / "references").mkdir(parents=True)
    (own / "references/18-old.md").write_text("old")
    assert agent_skill.find_obsolete(tmp_path, {}) == [own / "references/18-old.md"]


def test_other_hosts_are_given_the_same_pages_and_what_they_know_of_the_frontmatter(tmp_path):
    assert pages.main(["--portable", str(tmp_path)]) == 0
    given = tmp_path / agent_skill.NAME
    assert set(front(given / "SKILL.md")) <= set(agent_skill.PORTABLE)
    assert (given / "SKILL.md").read_text("utf-8").endswith((OWN / "SKILL.md").read_text("utf-8").split("---\n", 2)[2])
    for page in OWN.glob("references/*"):
        assert (given / "references" / page.name).read_bytes() == page.read_bytes()


def test_a_skill_without_frontmatter_is_refused():
    with pytest.raises(ValueError, match="no frontmatter"):
        agent_skill.make_portable("# A skill\n")


def commands() -> list[str]:
    spans = [span for file in TEXTS for span in re.findall(r"`([^`\n]+)`|^(mcp-review .*)$", file.read_text(), re.M)]
    lines = [first or second for first, second in spans]
    return sorted({line for line in lines if line.startswith("mcp-review ") and " is not " not in line})


@pytest.mark.parametrize("line", commands())
def test_the_commands_it_names_exist(line):
    words = shlex.split(line)[1:]
    group = typer.main.get_command(app.app)
    while words and words[0] in getattr(group, "commands", {}):
        group = group.commands[words.pop(0)]
    if hasattr(group, "commands") and words[0] not in ("--version", "--help"):
        group = group.commands["review"]
    known = {name for each in group.params for name in (*each.opts, *each.secondary_opts)} | {"--help"}
    assert {word for word in words if word.startswith("--")} <= known


def test_it_names_commands():
    assert len(commands()) >= 6


def test_the_plugin_is_described_as_the_package_is():
    package = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    plugin = json.loads((ROOT / ".claude-plugin/plugin.json").read_text("utf-8"))
    market = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text("utf-8"))
    assert (plugin["name"], plugin["version"], plugin["license"]) == (package["name"], __version__, "MIT")
    (offered,) = market["plugins"]
    assert (offered["name"], (ROOT / offered["source"]).resolve()) == (plugin["name"], ROOT)
    assert f"{plugin['name']}:{front(AGENT)['name']}" in COMMAND.read_text("utf-8")


def test_a_missing_command_is_the_whole_report():
    text = " ".join((OWN / "SKILL.md").read_text("utf-8").split())
    assert "`mcp-review is not installed: nothing was reviewed`" in text
    assert "Never review by eye instead" in text
    # The plugin carries the source of the tool where the skill says it is.
    assert tomllib.loads((OWN / "../../pyproject.toml").read_text("utf-8"))["project"]["name"] == "mcp-review"


def test_the_validator_of_the_format_takes_the_skill_for_other_hosts(tmp_path):
    pages.main(["--portable", str(tmp_path)])
    asked = "import sys; from skills_ref.cli import main; sys.argv = ['agentskills', 'validate', sys.argv[1]]; main()"
    done = subprocess.run(
        [sys.executable, "-c", asked, str(tmp_path / agent_skill.NAME)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_skill_tells_the_shapes_and_bounds_of_the_checklist_and_what_is_to_be_looked_at_by_eye():
    text = (OWN / "SKILL.md").read_text("utf-8")
    for said in ("`next_cursor`", "`total`", "2 KB", "500 characters", "`full_params`", "8 KB", "`_overflow_action`"):
        assert said in text
    assert "Each finding shows its severity under the active profile" in " ".join(text.split())
    for said in (
        "tool handler panicked",
        "no SSE",
        "`idempotent`",
        "`{ok, result, issues}`",
        "`next_offset`",
        "`is_error`",
    ):
        assert said in text
    for said in ("`_meta.request_id`", "When to use:", "Limitations:", "Look there by eye"):
        assert said in text


def test_the_skill_and_the_action_reach_every_profile():
    text = (OWN / "SKILL.md").read_text("utf-8")
    assert [name for name in list_profiles() if f"`{name}`" not in text] == []
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    assert [name for name in list_profiles() if name not in action["inputs"]["profile"]["description"]] == []


BY_EYE = {
    "unless the installed rmcp already does": "the installed rmcp already catches panics",
    "the text that the generator adds around the actions is unchanged": "a generator in the project writes the description",
    "calls that cannot be cancelled are documented": "calls that cannot be cancelled",
    "progress that a library reports is passed on": "progress that a library reports is passed on",
    "a tool follows the intent of users, and makes several requests if necessary": "what users want in one call",
    "the documentation has tabs for each transport and excerpts of schemas": "a site shows transports and schemas",
    "compact answers omit bodies, full ones include them": "compact answers omit bodies",
    "a tool's type contains nothing that is not `Send`": "",  # the compiler looks there
    "a new context is created for each call": "a new context is created for each call",
    "access is checked before a tool is called": "restricted tools are refused before they are called",
}
"""What of the sources no rule checks, and where the skill sends the agent instead."""


def test_what_the_program_does_not_check_stands_in_the_skill():
    table = (ROOT / "docs/sources.md").read_text("utf-8").splitlines()
    assert {line.split("|")[1].strip() for line in table if "| not checked: " in line} == set(BY_EYE)
    by_eye = " ".join((OWN / "SKILL.md").read_text("utf-8").split()).partition("Look there by eye")[2]
    assert [said for said in BY_EYE.values() if said not in by_eye] == []
