"""What is checked, in parts: `nox` checks and tests, `nox -s docs` is one part, `nox -l` lists them. `.ci/run` runs all.

Each part runs in the environment of nox, which has the tools already: to make one for each would take longer than most parts.
The two that need new environments, because to be new is what they prove, make them in their scripts.
"""

import os
import shutil
import sys
from pathlib import Path

import nox

BIN = Path(sys.executable).parent
nox.options.default_venv_backend = "none"
nox.options.sessions = ["check", "tests"]


def _script(session: nox.Session, name: str) -> None:
    """Run a script of `.ci`, with this environment's programs before others."""
    session.run("bash", f".ci/{name}", env={"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"})


@nox.session
def check(session: nox.Session) -> None:
    """Format, lint, types, layers, whether generated pages are fresh, and the plugin if its host is there."""
    session.run(BIN / "ruff", "format", "--check", ".")
    session.run(BIN / "ruff", "check", ".")
    session.run(BIN / "mypy")
    session.run(BIN / "lint-imports")
    session.run(sys.executable, "-m", "reviewer.handbook", "--check")
    if shutil.which("claude") is None:
        session.log("the plugin is not validated: there is no claude")
        return
    session.run("claude", "plugin", "validate", "--strict", ".")
    session.run("claude", "plugin", "validate", "--strict", ".claude-plugin/plugin.json")


@nox.session
def tests(session: nox.Session) -> None:
    """All tests on all cores; what stands after `--` chooses among them: `nox -s tests -- -m slow`."""
    session.run(sys.executable, "-m", "pytest", "-n", "logical", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """The site, in build/site."""
    session.run(sys.executable, "-m", "pip", "-q", "install", "--group", "docs")
    session.run(sys.executable, ".ci/pages.py")
    session.run(BIN / "zensical", "build", "--strict")


@nox.session
def fuzz(session: nox.Session) -> None:
    """The fuzzers, briefly: the same inputs each time."""
    session.run(sys.executable, "evals/fuzz/run.py", "--inputs", "3000", env={"PYTHONPATH": ".:evals/fuzz"})


@nox.session
def wheel(session: nox.Session) -> None:
    """The wheel, in an empty environment."""
    _script(session, "wheel")


@nox.session
def browser(session: nox.Session) -> None:
    """The HTML report in Chromium, which is installed if that can be done and is skipped if not."""
    _script(session, "chromium")
    session.run(sys.executable, "-m", "pip", "-q", "install", "--group", "browser")
    session.run(sys.executable, "-m", "pytest", "-rs", "tests/render/test_html_in_a_browser.py")


@nox.session
def pythons(session: nox.Session) -> None:
    """The tests on the other Pythons at hand, each in a new environment."""
    _script(session, "pythons")
