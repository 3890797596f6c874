"""A report → text in one of the formats. Each renderer reads a Report and nothing else."""

from collections.abc import Callable

from reviewer.render import json, text
from reviewer.report import Report

RENDERERS: dict[str, Callable[[Report], str]] = {"text": text.render, "json": json.render}
"""What each format is rendered with."""
