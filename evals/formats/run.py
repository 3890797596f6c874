"""Whether hostile text breaks out of any format, and whether every format is what its schema says.

    PYTHONPATH=. python evals/formats/run.py [--multitool FOLDER] [--schemas FOLDER] [--write evals/results/formats.md]

Every text of `hostile.jsonl` is put wherever reviewed text can stand: into made reports, and into definitions and sources that
are reviewed. Each report is rendered in each format and read by a reader of it, as is its benign twin: shapes that differ are
breakouts.

The reports of our own examples and those of the corpus are held against public schemas too: SARIF's comes with the npm package
`@microsoft/sarif-multitool-linux`, which is installed into `--multitool` if it is not there and checks GitHub's rules beside it;
`--schemas` holds, as far as they are at hand, `JUnit.xsd` of windyroad/JUnit-Schema, `junit-10.xsd` of jenkinsci/xunit-plugin and
`DiagnosticResult.json` of reviewdog/reviewdog. What is not at hand is said to be so.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
from hostile import Case, benign, corpus, made, reviewed_example, served
from shapes import SHAPES, Shape

from reviewer.render import RENDERERS
from reviewer.report.model import Report

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ("examples/notes-python", "examples/bookmarks-rust", "examples/tools/tools.json")
MARKS = (
    "<!-- figures: written by `python evals/formats/run.py --write evals/results/formats.md` -->",
    "<!-- end of figures -->",
)
PACKAGE = "@microsoft/sarif-multitool-linux"


def reports() -> Iterator[tuple[Case, Report]]:
    """Yield every report of the corpus."""
    for case in corpus():
        yield case, made(case.text)
        with tempfile.TemporaryDirectory() as folder:
            for report in served(case.text, Path(folder)):
                yield case, report


@cache
def shape(name: str, rendered: str) -> Shape:
    """Return the shape of a rendered report; many twins are the same."""
    return SHAPES[name](rendered)


def breakout(name: str, report: Report, twin: Report) -> str | None:
    """Say how a format was broken out of."""
    try:
        same = SHAPES[name](RENDERERS[name](report)) == shape(name, RENDERERS[name](twin))
    except Exception as error:
        return f"its reader refuses it: {error}"
    return None if same else "another shape than its benign twin"


def search() -> tuple[Counter[str], Counter[str], list[Report]]:
    """Look for breakouts. Gives how many reports each format was tried with, how many broke out, and the reports."""
    tried: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    kept = []
    for case, report in reports():
        twin = benign(report)
        kept.append(report)
        for name in SHAPES:
            tried[name] += 1
            how = breakout(name, report, twin)
            if how is not None:
                broken[name] += 1
                print(f"{name}: {case.kind}: {case.text[:60]!r}: {how}", file=sys.stderr)
    return tried, broken, kept


Fault = Callable[[str], bool]


def schemas(folder: Path | None, package: Path | None) -> Iterator[tuple[str, str, Fault | None]]:
    """Yield what each format is held against, and how a document's fault is told; None where the schema is not at hand."""
    sarif = _json_schema(package and package / "sarif-2.1.0.json")
    yield "sarif", "SARIF 2.1.0, JSON Schema", sarif
    yield "sarif-github", "SARIF 2.1.0, JSON Schema", sarif
    yield "rdjson", "reviewdog's JSON Schema", _json_schema(folder and folder / "DiagnosticResult.json")
    yield "junit", "Ant's XSD", _xml_schema(folder and folder / "JUnit.xsd")
    yield "junit", "Jenkins' XSD", _xml_schema(folder and folder / "junit-10.xsd")


def _json_schema(path: Path | None) -> Fault | None:
    if path is None or not path.exists():
        return None
    document: dict[str, Any] = json.loads(path.read_text("utf-8-sig"))
    validator = jsonschema.validators.validator_for(document)(document)
    return lambda text: not validator.is_valid(json.loads(text))


def _xml_schema(path: Path | None) -> Fault | None:
    if path is None or not path.exists():
        return None
    import xmlschema

    validator = xmlschema.XMLSchema(path)
    return lambda text: not validator.is_valid(text)


def multitool(folder: Path | None) -> Path | None:
    """Return the folder of the SARIF validator, installed with npm where it is not there yet."""
    if folder is None:
        return None
    package = folder / "node_modules" / PACKAGE
    if not package.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", folder, PACKAGE], check=True)
    return package


def findings_of_multitool(package: Path, documents: list[str]) -> Counter[str]:
    """Have GitHub's rules and SARIF's checked over documents. Gives how often each rule found something, by level."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, document in enumerate(documents):
            (folder / f"{number}.sarif").write_text(document, "utf-8", "backslashreplace")
        (package / "Sarif.Multitool").chmod(0o755)
        command = [package / "Sarif.Multitool", "validate", f"{folder}/*.sarif", "--rule-kind", "Sarif;Ghas"]
        environment = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
        answer = folder / "answer.json"
        subprocess.run(
            [*command, "--output", answer, "--level", "Error;Warning"],
            env=environment,
            capture_output=True,
            check=False,
        )
        (run,) = json.loads(answer.read_text("utf-8-sig"))["runs"]
        return Counter(f"{each['ruleId']} ({each.get('level', 'warning')})" for each in run["results"])


def validation(kept: list[Report], folder: Path | None, package: Path | None) -> Iterator[str]:
    """Write what the schemas say of all reports."""
    yield "| format | validated against | documents | faults |"
    yield "| --- | --- | --- | --- |"
    for name, against, fault in schemas(folder, package):
        if fault is None:
            yield f"| `{name}` | {against} | not at hand | |"
            continue
        faults = sum(map(fault, (RENDERERS[name](each) for each in kept)))
        yield f"| `{name}` | {against} | {len(kept)} | {faults} |"
    if package is None:
        yield "| `sarif-github` | `sarif-multitool`, GitHub's rules | not at hand | |"
        return
    some = [*kept[-len(EXAMPLES) :], *kept[:: len(kept) // 50]]
    for name in ("sarif", "sarif-github"):
        found = findings_of_multitool(package, [RENDERERS[name](each) for each in some])
        told = ", ".join(f"{rule}: {count}" for rule, count in sorted(found.items())) or "0"
        yield f"| `{name}` | `sarif-multitool`, SARIF's and GitHub's rules | {len(some)} | {told} |"


def main() -> int:
    """Print the figures, or write them into the page; 1 if anything breaks out."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--multitool", type=Path)
    arguments.add_argument("--schemas", type=Path)
    arguments.add_argument("--write", type=Path)
    given = arguments.parse_args()
    tried, broken, kept = search()
    kept += [reviewed_example(ROOT / each) for each in EXAMPLES]
    rows = [f"| `{name}` | {count} | {broken[name]} |" for name, count in tried.items()]
    kinds = Counter(case.kind for case in corpus())
    text = "\n".join(
        [
            f"{sum(kinds.values())} hostile texts: "
            + ", ".join(f"{count} {kind}" for kind, count in kinds.items())
            + ".",
            "",
            *("| format | reports | breakouts |", "| --- | --- | --- |", *rows, ""),
            *validation(kept, given.schemas, multitool(given.multitool)),
        ]
    )
    if given.write:
        before, begin, rest = given.write.read_text("utf-8").partition(MARKS[0])
        given.write.write_text(f"{before}{begin}\n\n{text}\n\n{MARKS[1]}{rest.partition(MARKS[1])[2]}", "utf-8")
    else:
        print(text)
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
