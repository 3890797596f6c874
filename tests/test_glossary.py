"""The words of the code: those of the glossary lead somewhere, and private ones are gone."""

import io
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).parent.parent

PRIVATE = {
    "bench": "session",
    "clerk": "progress",
    "commission": "rewrite request",
    "commissions": "rewrite requests",
    "conduct": "effects",
    "desk": "worker pool",
    "enrolled": "registered by calls",
    "enrollments": "registering calls",
    "haystack": "prefilter",
    "inquiries": "question requests",
    "inquiry": "question request",
    "intake": "argument use",
    "intakes": "argument uses",
    "makings": "tool expressions",
    "mend": "fix plan",
    "mended": "with fixes",
    "mending": "fixes",
    "mends": "fix plans",
    "needles": "required words",
    "purse": "cost budget",
    "rescue": "error boundary",
    "rescues": "error boundaries",
    "sighted": "files with",
    "sightings": "prefilter",
    "strays": "registration pitfalls",
}
"""Words that no reader knew from elsewhere, with those that the field has for them."""

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def words(name: str) -> set[str]:
    return {each.lower() for each in WORD.findall(name)}


def test_no_identifier_is_private():
    found = {}
    for path in (ROOT / "reviewer").rglob("*.py"):
        text = path.read_text("utf-8")
        if used := words(path.stem) & PRIVATE.keys():
            found[path.name] = used
        if not any(each in text.lower() for each in PRIVATE):
            continue
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NAME and (used := words(token.string) & PRIVATE.keys()):
                found[f"{path.relative_to(ROOT)}:{token.start[0]}"] = used
    assert found == {}


def test_each_term_leads_to_code():
    page = (ROOT / "docs/glossary.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ")][2:]
    for row in rows:
        for path in re.findall(r"`(reviewer/[^`]*)`", row):
            assert (ROOT / path).exists(), path
    assert len(rows) > 20
