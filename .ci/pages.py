"""The sources of the documentation's site: docs/ as it is, and what lies beside it and is spoken of there.

    python .ci/pages.py && zensical build --strict

writes build/docs anew. The README becomes the first page; folders that are linked get a list of their pages; a file that is
linked and is no page (a workflow to copy) lies beside the page that links it.
"""

import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "evals/README.md": "measurements/index.md",
}
INDEXES = {"docs/README.md": "documentation.md", "docs/rules/README.md": "rules/index.md"}
RECORDS, MEASUREMENTS = "evals/results", "measurements"
"""The folder of the records of what was measured, in the repository and among the pages."""
LISTED = {"docs/decisions": "Decisions"}
LINK = re.compile(
    r"^(?P<fence>`{3,})[^`\n]*\n.*?^(?P=fence)`*$|(?P<before>\]\()(?!\w+:|#)(?P<target>[^)#\s]+)(?=[#)])",
    re.MULTILINE | re.DOTALL,
)
"""A link to a place in the repository; a block of code, which has no links, is passed over as a whole."""


def place(path: str) -> str:
    """Tell where a file of the repository stands among the pages."""
    if path in LISTED:
        return f"{path.removeprefix('docs/')}/index.md"
    if os.path.dirname(path) == RECORDS:
        return f"{MEASUREMENTS}/{os.path.basename(path)}"
    return {**PAGES, **INDEXES}.get(path, path.removeprefix("docs/"))


def linked(text: str, path: str) -> tuple[str, set[str]]:
    """Have the links of a page lead to where things stand among the pages; also name all that it links."""
    found: set[str] = set()

    def target(link: re.Match[str]) -> str:
        if link["target"] is None:
            return link[0]
        meant = os.path.normpath(os.path.join(os.path.dirname(path), link["target"]))
        found.add(meant)
        return link["before"] + os.path.relpath(place(meant), os.path.dirname(place(path)) or ".")

    return LINK.sub(target, text), found


def listing(folder: str) -> str:
    """List the pages of a folder by their titles."""
    titles = [(page.name, page.read_text("utf-8").partition("\n")[0]) for page in sorted((ROOT / folder).glob("*.md"))]
    return f"# {LISTED[folder]}\n\n" + "".join(f"- [{title.lstrip('# ')}]({name})\n" for name, title in titles)


def write(site: Path) -> list[str]:
    """Write all pages; name the links that lead nowhere, each with its page."""
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(ROOT / "docs", site, ignore=shutil.ignore_patterns("README.md"))
    missing = []
    documents = [*(ROOT / "docs").rglob("*.md"), *(ROOT / RECORDS).glob("*.md")]
    for path in [*PAGES, *(str(each.relative_to(ROOT)) for each in documents)]:
        text, targets = linked((ROOT / path).read_text("utf-8"), path)
        (site / place(path)).parent.mkdir(parents=True, exist_ok=True)
        (site / place(path)).write_text(text, "utf-8")
        missing += [f"{path}: {each}" for each in sorted(targets) if not (ROOT / each).exists()]
        for each in targets:
            if (ROOT / each).is_file() and not (site / place(each)).exists():
                (site / place(each)).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / each, site / place(each))
    for folder in LISTED:
        (site / place(folder)).write_text(listing(folder), "utf-8")
    return missing


if __name__ == "__main__":
    nowhere = write(ROOT / "build/docs")
    sys.exit("".join(f"leads nowhere: {each}\n" for each in nowhere) or 0)
