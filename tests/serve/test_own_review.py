"""The server mode is held to our own rules, from source and live."""

import re
import sys

import pytest

pytest.importorskip("mcp.server")

import reviewer
from reviewer import Flags
from reviewer.inputs.live_target import build_target
from reviewer.pipeline import read_live, run_rules

from .conversation import ROOT

pytestmark = pytest.mark.slow

SOURCE = ROOT / "reviewer" / "serve"


def spotless(report):
    assert [(each.rule.slug, each.message) for each in report.findings] == []
    assert report.broken == ()
    assert (report.maturity.score, report.tools) == (100, 6)


def test_from_source():
    spotless(reviewer.review(SOURCE, Flags(profile="core")))


def test_live_against_the_source():
    asked = build_target(f"{sys.executable} -P -m reviewer serve", [f"PYTHONPATH={ROOT}"], (), 60)
    flags = Flags(profile="core")
    spotless(run_rules(read_live(asked, flags, SOURCE, in_ci=True), flags)[0])


def test_the_readme_tells_the_score():
    [told] = re.findall(r"It\s+scores (\d+)/100", (ROOT / "README.md").read_text("utf-8"))
    assert int(told) == reviewer.review(SOURCE).maturity.score
