"""The sources of the site: every link of the documents leads somewhere, and still does among the pages."""

import os
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEC = spec_from_file_location("pages", ROOT / ".ci/pages.py")
assert SPEC is not None
assert SPEC.loader is not None
pages = module_from_spec(SPEC)
SPEC.loader.exec_module(pages)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "docs"
    assert pages.write(folder) == []
    return folder


@pytest.mark.slow
def test_every_link_leads_to_a_page_or_file(site):
    for page in site.rglob("*.md"):
        for link in pages.LINK.finditer(page.read_text("utf-8")):
            if link["target"] is not None:
                assert (page.parent / link["target"]).is_file(), f"{page.relative_to(site)}: {link['target']}"


def named(part: object) -> list[str]:
    """Name the pages of a part of the navigation."""
    if isinstance(part, str):
        return [part]
    return [name for each in (part.values() if isinstance(part, dict) else part) for name in named(each)]


NAVIGATION = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]["nav"]


def test_the_list_of_documents_has_the_groups_of_the_navigation():
    """Who reads on the host of the code finds the pages in the same groups as who reads the site."""
    _, *groups = (ROOT / "docs/README.md").read_text("utf-8").split("\n## ")
    listed = {}
    for group in groups:
        title, _, text = group.partition("\n")
        links = [link["target"] for link in pages.LINK.finditer(text) if link["target"] is not None]
        places = (pages.place(os.path.normpath(os.path.join("docs", each))) for each in links)
        listed[title] = {each for each in places if each.endswith(".md")}
    assert listed == {
        title: set(named(part)) for each in NAVIGATION if isinstance(each, dict) for title, part in each.items()
    }


def test_what_the_navigation_names_is_there(site):
    listed = named(NAVIGATION)
    assert [name for name in listed if not (site / name).is_file()] == []
    written = {str(page.relative_to(site)) for folder in (site, site / "measurements") for page in folder.glob("*.md")}
    assert written - set(listed) == set()


@pytest.mark.parametrize(
    ("path", "link", "there"),
    [
        ("README.md", "docs/judge.md#who-judges", "judge.md#who-judges"),
        ("README.md", "docs/decisions", "decisions/index.md"),
        ("README.md", "CONTRIBUTING.md", "contributing.md"),
        ("README.md", "docs/README.md", "documentation.md"),
        ("README.md", "docs/rules/README.md", "rules/index.md"),
        ("docs/rules/README.md", "cap-differs.md", "cap-differs.md"),
        ("docs/rules/README.md", "../judge.md", "../judge.md"),
        ("docs/judge.md", "decisions/0009-who-pays-says-so.md", "decisions/0009-who-pays-says-so.md"),
        ("docs/judge.md", "../README.md", "index.md"),
        ("docs/judge.md", "../evals/results/judge-accuracy.md", "measurements/judge-accuracy.md"),
        ("evals/results/definitions.md", "../../docs/rules/cap-differs.md", "../rules/cap-differs.md"),
        ("evals/results/accuracy.md", "field-notes.md", "field-notes.md"),
        ("docs/decisions/0003-start-up.md", "../judge.md", "../judge.md"),
        ("docs/github-action.md", "../examples/workflows/fork-review.yml", "examples/workflows/fork-review.yml"),
        ("docs/judge.md", "https://example.org/x.md", "https://example.org/x.md"),
        ("docs/judge.md", "#who-judges", "#who-judges"),
    ],
)
def test_a_link_leads_where_the_page_went(path, link, there):
    assert pages.linked(f"[x]({link})", path)[0] == f"[x]({there})"


def test_a_link_that_leads_nowhere_is_named(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    for name in pages.PAGES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("[x](docs/gone.md)\n" if name == "README.md" else "\n")
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    monkeypatch.setattr(pages, "LISTED", {})
    monkeypatch.setattr(pages, "INDEXES", {})
    assert pages.write(tmp_path / "site") == ["README.md: docs/gone.md"]
