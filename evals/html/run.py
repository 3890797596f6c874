"""What the page looks like, what axe-core says of it, and how fast it is with thousands of findings, in a real browser.

    python evals/html/run.py pictures            write docs/html-light.png and docs/html-dark.png, of examples/notes-python
    python evals/html/run.py measure [--write]   hold the page against axe-core (needs npm) and time 5,000 findings

`--write` puts the figures into evals/results/formats.md. The exit code is 1 if axe-core finds anything.
Needs Chromium (Debian: `chromium`) and the group `browser`; pictures are made smaller by ImageMagick where it is there.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from reviewer.config import Flags
from reviewer.pipeline import add_excerpts, read, run_rules
from reviewer.render.html import render
from reviewer.report.model import Report
from reviewer.report.provenance import FORMS, Provenance

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/notes-python"
DOCUMENT = ROOT / "evals/results/formats.md"
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
SCHEMES = ("light", "dark")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
FINDINGS = 5000
COMMIT = "5eed" * 10
TIME = datetime(2026, 11, 22, 15, 0, tzinfo=UTC)


def example() -> Report:
    """Review the example as if it were in a repository at a known host, at a given time."""
    reading = read(EXAMPLE)
    report = add_excerpts(run_rules(reading, Flags())[0], reading)
    named = (str(EXAMPLE.relative_to(ROOT)),)
    return replace(
        report, provenance=Provenance(named, TIME, "github.com/owner/repository", COMMIT, FORMS["github.com"])
    )


def large() -> Report:
    """Return the example with its findings over and over."""
    report = example()
    parts = [part for part in report.sections if part.findings]
    times = FINDINGS // sum(len(part.findings) for part in parts) + 1

    def grown(finding, at):
        return replace(finding, fingerprint=f"{finding.fingerprint}-{at}")

    sections = (
        replace(part, findings=tuple(grown(each, at) for at in range(times) for each in part.findings))
        for part in report.sections
    )
    return replace(report, sections=tuple(sections))


@contextmanager
def opened(report: Report, **wanted: object) -> "Iterator[Page]":
    from playwright.sync_api import sync_playwright  # of the group `browser`: help is given without it

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        file = Path(folder) / "report.html"
        file.write_text(render(report), "utf-8")
        browser: Browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        page = browser.new_context(viewport={"width": 1180, "height": 900}, **wanted).new_page()
        page.goto(file.as_uri())
        yield page
        browser.close()


def pictures() -> None:
    """Take the top in light colours, and what stands at the end in dark ones."""
    for scheme, place in (("light", "header"), ("dark", "#s16")):
        file = ROOT / f"docs/html-{scheme}.png"
        with opened(example(), color_scheme=scheme) as page:
            page.evaluate("place => document.querySelector(place).scrollIntoView()", place)
            page.screenshot(path=file)
        if shutil.which("convert"):
            subprocess.run(["convert", file, "-strip", "+dither", "-colors", "160", f"PNG8:{file}"], check=True)
        print(f"{file.relative_to(ROOT)}: {file.stat().st_size:,} bytes")


def axe() -> Iterator[str]:
    """Say what axe-core finds, in both colour schemes, with all that folds folded and unfolded."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "install", "--silent", "--prefix", folder, "axe-core"], check=True)
        module = Path(folder, "node_modules/axe-core")
        source = (module / "axe.min.js").read_text("utf-8")
        version = json.loads((module / "package.json").read_text("utf-8"))["version"]
    for scheme in SCHEMES:
        for folds in ("folded", "unfolded"):
            with opened(example(), color_scheme=scheme, bypass_csp=True) as page:
                if folds == "unfolded":
                    page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)")
                page.add_script_tag(content=source)
                said = page.evaluate("tags => axe.run({runOnly: tags})", TAGS)
            counts = ", ".join(f"{len(said[kind])} {noun}" for kind, noun in OUTCOMES.items())
            yield f"axe-core {version}, {scheme}, {folds}: {counts}"
            for kind in ("violations", "incomplete"):
                yield from (f"  {OUTCOMES[kind]}: {each['id']}, {len(each['nodes'])} places" for each in said[kind])


OUTCOMES = {"passes": "rules passed", "violations": "violations", "incomplete": "incomplete"}


def speed() -> Iterator[str]:
    """Say how long a large report takes to be written, drawn and filtered."""
    report = large()
    started = time.perf_counter()
    size = len(render(report))
    took = time.perf_counter() - started
    yield f"{len(report.findings):,} findings: {size / 1e6:.1f} MB, written in {took:.2f} s"
    with opened(report) as page:
        drawn = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
        filtered = page.evaluate(
            "() => { const from = performance.now(); document.querySelector('[name=severity]').click();"
            " document.body.offsetHeight; return performance.now() - from; }"
        )
    yield f"drawn in {drawn / 1000:.2f} s, filtered in {filtered / 1000:.2f} s"


def measure(write: bool) -> int:
    lines = [*axe(), *speed()]
    print("\n".join(lines))
    if write:
        start, end = "<!-- page -->\n", "<!-- end of page -->"
        before, _, rest = DOCUMENT.read_text("utf-8").partition(start)
        after = rest.partition(end)[2]
        DOCUMENT.write_text("".join((before, start, "```\n", "\n".join(lines), "\n```\n", end, after)), "utf-8")
    return int(any("  violations" in line for line in lines))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["pictures"]:
            pictures()
        case ["measure", *rest] if rest in ([], ["--write"]):
            sys.exit(measure(bool(rest)))
        case ["-h" | "--help"]:
            print(__doc__)
        case _:
            sys.exit(__doc__)
