"""A library's server, a cache of the test's own, nobody's key, and a loopback that stands for the API."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from judge.loopback import Loopback, serving

from selection.models import Model, library


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Have a cache of the test's own, and nobody's key."""
    monkeypatch.setenv("MCP_REVIEW_CACHE", str(tmp_path / "cache"))
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_PROFILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def model() -> Model:
    """Return who answers."""
    return Model()


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch, model: Model) -> Iterator[Loopback]:
    """Yield the API, with the right key set."""
    with serving(Loopback(model)) as loopback:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", loopback.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "right")
        yield loopback


@pytest.fixture
def server(tmp_path: Path) -> Path:
    """Return the library's server."""
    return library(tmp_path / "library")
