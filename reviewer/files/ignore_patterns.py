"""Git's ignore patterns: what a file of them says of a path, and what the files along the way to it say together."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from reviewer.failures import CannotReviewError
from reviewer.files.wildcards import without_backtracking
from reviewer.records import dataclass

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@dataclass(frozen=True)
class Filter:
    """One ignore file: its patterns hold for paths below `base`, or where it lies above the root, for `inner` + path."""

    spec: "GitIgnoreSpec"
    base: str = ""
    inner: str = ""

    @cached_property
    def _any(self) -> re.Pattern[str] | None:
        """All patterns as one, if none of them takes a path back in: the order does not matter then."""
        from pathspec import RegexPattern

        patterns = [each for each in self.spec.patterns if each.include is not None]
        if not all(isinstance(each, RegexPattern) and each.include for each in patterns):
            return None
        sources = [each.regex.pattern for each in patterns if isinstance(each, RegexPattern) and each.regex is not None]
        return re.compile("|".join(f"(?:{re.sub(r'[(][?]P<[^>]*>', '(?:', source)})" for source in sources) or r"(?!)")

    def match_path(self, path: str) -> bool | None:
        """Return whether a path is ignored: False if it is taken back in, None if the file does not speak of it."""
        below = self.inner + path[len(self.base) :]
        if self._any is not None:
            return True if self._any.match(below) else None
        return self.spec.check_file(below).include


def is_ignored(path: str, filters: Sequence[Filter]) -> bool:
    """Return whether a path is ignored: the last file that speaks of it decides, and the last one lies nearest."""
    for item in reversed(filters):
        verdict = item.match_path(path)
        if verdict is not None:
            return verdict
    return False


def compile_patterns(lines: Iterable[str]) -> "GitIgnoreSpec":
    """Return the patterns in the lines of an ignore file; as in git, a line that is none is passed over."""
    # Loaded here: it takes its time, which a folder without ignore files does not need.
    from pathspec import GitIgnoreSpec, RegexPattern

    kept = list(lines)
    try:
        spec = GitIgnoreSpec.from_lines(kept)
    except (ValueError, re.error):
        spec = GitIgnoreSpec.from_lines(line for line in kept if _is_pattern(line))
    for each in spec.patterns:
        if isinstance(each, RegexPattern) and each.regex is not None:
            quicker = without_backtracking(each.regex.pattern)
            if quicker != each.regex.pattern:
                each.regex = re.compile(quicker)
    return spec


def compile_exclusions(patterns: Sequence[str]) -> "GitIgnoreSpec":
    """Return the caller's patterns. Raises CannotReviewError for one that is none."""
    wrong = next((each for each in patterns if not _is_pattern(each)), None)
    if wrong is not None:
        raise CannotReviewError(f"exclude: `{wrong}` is no pattern; write it as in .gitignore")
    # Git knows no `./`, which shells complete to and people write for what lies right in the folder.
    return compile_patterns(each.removeprefix(".") if each.startswith("./") else each for each in patterns)


def _is_pattern(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True
