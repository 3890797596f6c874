"""The review for those who are no command line: the library and the server mode. It writes nothing."""

import os
from pathlib import Path

from reviewer.config import Flags, Settings
from reviewer.failures import CannotReviewError
from reviewer.pipeline import ProjectReading, read, run_rules
from reviewer.progress import Progress, ignore_progress
from reviewer.report.model import Report


def review(path: str | Path, flags: Flags | None = None, progress: Progress = ignore_progress) -> Report:
    """Review the MCP servers under `path`; what a configured baseline holds is accepted.

    Raises CannotReviewError, with a message of one line, if the path, the configuration or the flags do not allow it, or if
    there is no MCP server.
    """
    flags = flags or Flags()
    reading = read(Path(path), flags, progress)
    return accept_baseline(*run_rules(reading, flags, progress=progress), reading, flags)


def accept_baseline(report: Report, settings: Settings, reading: ProjectReading, flags: Flags) -> Report:
    """Return a report in which the findings that the configured baseline holds are accepted; the same if there is none.

    Raises CannotReviewError if the baseline cannot be read, or is above the folder that `flags` keep the configuration within.
    """
    file = reading.found.baseline
    if file is None:
        return report
    if flags.within is not None and not Path(os.path.realpath(file)).is_relative_to(flags.within):
        named = reading.found.configuration.baseline
        raise CannotReviewError(f"baseline `{named}`: outside of the served folder; name a file in it")
    from reviewer.compare import baseline  # loads what compares findings

    entries = baseline.read(file, reading.found.elsewhere)
    return baseline.mark_accepted(report, entries, reading.lines, frozenset(settings.slugs))[0]
