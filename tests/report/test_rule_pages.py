"""Every format that can name a web page leads from a finding to the page of its rule, where the address is known."""

from pathlib import Path

import pytest
from reports import full

from reviewer.render import RENDERERS
from reviewer.report.rule_pages import VARIABLE, find_page
from reviewer.rules import load

ROOT = Path(__file__).parents[2]
TEMPLATE = "https://docs.example/rules/{rule}/"
PAGE = "https://docs.example/rules/tool-without-description/"
LINKING = {
    "sarif": f'"helpUri": "{PAGE}"',
    "sarif-github": f'"helpUri": "{PAGE}"',
    "github": f". mend word {PAGE}\n",
    "markdown": f"([`tool-without-description`]({PAGE}), §10)",
    "html": f'href="{PAGE}"',
    "rdjson": f'"url": "{PAGE}"',
}


@pytest.mark.parametrize("name", LINKING)
def test_a_format_leads_to_the_page_of_a_rule(name, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert "docs.example" not in RENDERERS[name](full())
    monkeypatch.setenv(VARIABLE, TEMPLATE)
    assert LINKING[name] in RENDERERS[name](full())


def test_every_page_is_there():
    """What the action makes of the address is a file of the repository; a site has the same names."""
    assert all((ROOT / "docs/rules" / f"{slug}.md").is_file() for slug in load())


@pytest.mark.parametrize(
    "template",
    [
        "",
        "http://docs.example/{rule}",
        "https://docs.example/",
        "javascript:{rule}",
        "https://x/{rule}) [x](y",
        "https://x/{rule}\n",
    ],
)
def test_what_is_no_address_makes_no_link(template, monkeypatch):
    monkeypatch.setenv(VARIABLE, template)
    assert find_page("sse-transport") is None
