"""What a change alters about its own review, but for suppression comments: configuration, ignore files, baseline."""

import dataclasses
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from reviewer import config
from reviewer.compare import baseline
from reviewer.config import Configuration, Flags, FoundConfiguration, build_configuration, read_on_disk
from reviewer.files import discovery
from reviewer.files.discovery import CannotReviewError, Tree
from reviewer.git.commits import IGNORE, BaseTree, Commit, Overseen
from reviewer.git.repository import Base
from reviewer.records import dataclass
from reviewer.report.model import Accepted, Altered, ConfigFrom, LeftOut, Setting

LONGEST = 200
"""Characters of a key and of a value that a report shows: enough to see what is meant, and no room for a novel in a comment."""


@dataclass(frozen=True)
class ReviewedChange:
    """A change to what lies in a folder, as it is reviewed: since a base, with flags and the baseline that the caller names."""

    folder: Path
    flags: Flags
    base: Base
    commit: Commit
    baseline: Path | None = None

    @property
    def past(self) -> BaseTree:
        """The files of the base."""
        return BaseTree(self.base)

    def find_base_configuration(self) -> FoundConfiguration:
        """Find the configuration that held at the base: none if the file that the caller names was not there.

        Raises CannotReviewError if it is wrong.
        """
        flags, past = self.flags, self.past
        if flags.config is not None and past.read(flags.config) is None:
            flags = dataclasses.replace(flags, config=None, isolated=True)
        try:
            return config.find_configuration(self.folder, flags, past.read)
        except CannotReviewError as error:
            raise CannotReviewError(f"at the base {self.base.named}: {error}") from None

    def find_head_configuration(self) -> FoundConfiguration:
        """Find the configuration as the change has it. Raises CannotReviewError if it is wrong."""
        return config.find_configuration(self.folder, self.flags)

    def detect_alterations(self, source: ConfigFrom, moved: Iterable[LeftOut], *, walks: bool) -> Altered:
        """Say what is altered, where the side `source` holds; `walks` if a folder is reviewed and not one file.

        `moved` is what is not reviewed because the change moved it.
        """
        sides = [_try_to_find(self.find_base_configuration), _try_to_find(self.find_head_configuration)]
        old, new = (each if isinstance(each, FoundConfiguration) else build_configuration() for each in sides)
        faults = tuple(Setting("configuration", None, each) for each in sides if isinstance(each, str))
        return Altered(
            source,
            (*_iter_changed_settings(old.configuration, new.configuration), *faults),
            excluded=_join_left_out(self._list_excluded_files(old, new) if walks else (), moved),
            accepted=tuple(self._iter_new_baseline_entries(old, new)),
        )

    def _list_excluded_files(self, old: FoundConfiguration, new: FoundConfiguration) -> tuple[LeftOut, ...]:
        """Name the files that are there and that the change leaves out, by its configuration or its ignore files."""
        before, after = old.configuration, new.configuration
        same = (before.exclude, before.include_tests) == (after.exclude, after.include_tests)
        if same and not any(path.rpartition("/")[2] == IGNORE for path in self.base.changed):
            return ()
        now = Tree(self.folder)
        read = {*discovery.iter_paths(now, after.exclude, tests=after.include_tests)}
        kept = Tree(self.folder, Overseen(self.folder, self.commit))
        gone = {*discovery.iter_paths(kept, before.exclude, tests=before.include_tests)} - read
        return tuple(LeftOut(path, now.explain_exclusion(path) or "") for path in sorted(gone))

    def _iter_new_baseline_entries(self, old: FoundConfiguration, new: FoundConfiguration) -> Iterator[Accepted]:
        """Name the entries that the change adds to the baseline; none where one of the two cannot be read."""
        before, after = self.baseline or old.baseline, self.baseline or new.baseline
        try:
            known = Counter(baseline.read(before, self.past.read) if before is not None else ())
            found = Counter(baseline.read(after, read_on_disk) if after is not None else ())
        except CannotReviewError:
            return
        for each in sorted((found - known).elements()):
            yield Accepted(each.path, each.rule, each.tool)


def _join_left_out(excluded: Iterable[LeftOut], moved: Iterable[LeftOut]) -> tuple[LeftOut, ...]:
    """Return all that is left out, each file once: what a configuration leaves out is not told as moved to where it is."""
    named = {each.path: each for each in excluded}
    return (*named.values(), *(each for each in moved if each.was not in named))


def _try_to_find(find: Any) -> FoundConfiguration | str:
    try:
        found: FoundConfiguration = find()
    except CannotReviewError as error:
        return str(error)
    return found


def _iter_changed_settings(before: Configuration, after: Configuration) -> Iterator[Setting]:
    old, new = dict(_iter_flat_keys("", _collect_set_keys(before))), dict(_iter_flat_keys("", _collect_set_keys(after)))
    for key in sorted({*old, *new}):
        if old.get(key) != new.get(key):
            yield Setting(key, _cut(old.get(key)), _cut(new.get(key)))


def _cut(value: str | None) -> str | None:
    return f"{value[: LONGEST - 1]}…" if value is not None and len(value) > LONGEST else value


def _collect_set_keys(own: Configuration) -> dict[str, Any]:
    """Return the settings of a configuration, by their keys."""
    without = Configuration()
    names = (each.name for each in dataclasses.fields(own))
    return {
        name.replace("_", "-"): getattr(own, name) for name in names if getattr(own, name) != getattr(without, name)
    }


def _iter_flat_keys(above: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Return each key of a table and of the tables in it, with the names above it, and its value as JSON."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _iter_flat_keys(f"{above}{key}.", value)
        else:
            yield f"{above}{key}"[:LONGEST], json.dumps(value, ensure_ascii=False, default=str)
