"""Whether a file's bytes match a pattern, asked first of the words that no match can do without: those are found far quicker."""

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import dropwhile, takewhile
from re import _parser  # type: ignore[attr-defined]  # the only reader of patterns there is; a test shows that it still reads
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from reviewer.caching import cache_latest
from reviewer.source import Source

# The names that `re._parser` gives to repetitions: what they repeat is needed if they do so at least once.
REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
SHORTEST = 2
"""Bytes. A shorter word stands in every file."""

PrefilterWords = frozenset[bytes]
NONE: PrefilterWords = frozenset()
# These match no byte, so a pattern begins with what follows them.
WITHOUT_WIDTH = frozenset({"AT", "ASSERT", "ASSERT_NOT"})


class RequiredWords(NamedTuple):
    """Words of which every match holds one, and words with one of which every match begins; none where none are sure."""

    held: PrefilterWords
    begun: PrefilterWords
    any_case: bool


def mentions(data: bytes, pattern: re.Pattern[bytes]) -> bool:
    """Return whether a pattern matches somewhere."""
    held, begun, any_case = extract_required_words(pattern)
    text = data.lower() if any_case else data
    for word in held:
        if word in text:
            break
    else:
        if held:
            return False
    if begun:
        return any(_matches_from(pattern, data, text, word) for word in begun)
    return pattern.search(data) is not None


def _matches_from(pattern: re.Pattern[bytes], data: bytes, text: bytes, word: bytes) -> bool:
    at = text.find(word)
    while at >= 0:
        if pattern.match(data, at) is not None:
            return True
        at = text.find(word, at + 1)
    return False


class Prefilter:
    """The files of a tree, by their paths. What was looked for in a file is known to all haystacks that hold the same source."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        fresh = [source for source in sources.values() if source not in _bales]
        batch = _Batch([source.data for source in fresh])
        _bales.update((source, (batch, place)) for place, source in enumerate(fresh))
        self._order = {path: number for number, path in enumerate(sources)}
        self._paths: dict[_Batch, dict[int, str]] = {}
        for path, source in sources.items():
            batch, place = _bales[source]
            self._paths.setdefault(batch, {})[place] = path

    def find_containing(self, words: Iterable[bytes]) -> list[str]:
        """Name the files that hold one of some words, in their order."""
        asked = list(words)
        return self._name_files(lambda batch: (place for word in asked for place in batch.find_containing(word)))

    def find_matching(self, pattern: re.Pattern[bytes]) -> list[str]:
        """Name the files that a pattern matches somewhere, in their order."""
        return self._name_files(lambda batch: batch.find_matching(pattern))

    def _name_files(self, places: "Callable[[_Batch], Iterable[int]]") -> list[str]:
        found = {paths[place] for batch, paths in self._paths.items() for place in places(batch) if place in paths}
        return sorted(found, key=self._order.__getitem__)


class _Batch:
    """Files that came into a haystack together, by their places among each other."""

    def __init__(self, files: list[bytes]) -> None:
        self._files = files
        self._holding: dict[bytes, list[int]] = {}
        self._matching: dict[re.Pattern[bytes], list[int]] = {}

    def find_containing(self, word: bytes) -> list[int]:
        if word not in self._holding:
            self._holding[word] = [place for place, data in enumerate(self._files) if word in data]
        return self._holding[word]

    def find_matching(self, pattern: re.Pattern[bytes]) -> list[int]:
        if pattern not in self._matching:
            near = self._iter_near(extract_required_words(pattern))
            self._matching[pattern] = [place for place in near if mentions(self._files[place], pattern)]
        return self._matching[pattern]

    def _iter_near(self, wanted: RequiredWords) -> Iterable[int]:
        if wanted.any_case or not wanted.held:
            return range(len(self._files))
        return {place for word in wanted.held for place in self.find_containing(word)}


_bales: WeakKeyDictionary[Source, tuple[_Batch, int]] = WeakKeyDictionary()
"""Where a source lies, for as long as anybody holds it. A bale holds bytes alone, so that it keeps no source."""


@cache_latest(maxsize=4096)
def extract_required_words(pattern: re.Pattern[bytes]) -> RequiredWords:
    """Return the words of a pattern, in lower case if it does not tell cases apart."""
    parts = list(_parser.parse(pattern.pattern, pattern.flags))
    any_case = bool(pattern.flags & re.IGNORECASE)
    # A pattern that begins with a letter is looked for by that already.
    begun = _get_begun(parts) if parts and str(parts[0][0]) != "LITERAL" else NONE
    held, begun = (
        frozenset(word.lower() for word in words) if any_case else words
        for words in (_find_required_alternatives(parts), begun)
    )
    return RequiredWords(held, begun, any_case)


def _get_begun(parts: Iterable[tuple[Any, Any]]) -> PrefilterWords:
    """Return the words of which one stands at the beginning of a sequence."""
    rest = list(dropwhile(lambda part: str(part[0]) in WITHOUT_WIDTH, parts))
    word = bytes(argument for _, argument in takewhile(lambda part: str(part[0]) == "LITERAL", rest))
    if word or not rest:
        return frozenset({word}) if len(word) >= SHORTEST else NONE
    return _get_for_group(*rest[0], _get_begun)


def _find_required_alternatives(parts: Iterable[tuple[Any, Any]]) -> PrefilterWords:
    """Return the alternatives that are the longest of what a sequence cannot do without."""
    sure: list[PrefilterWords] = []
    word = b""
    for kind, argument in parts:
        if str(kind) == "LITERAL":
            word += bytes([argument])
            continue
        sure += [frozenset({word}), _get_for_part(str(kind), argument)]
        word = b""
    sure.append(frozenset({word}))
    telling = [words for words in sure if words and min(map(len, words)) >= SHORTEST]
    return max(telling, key=lambda words: (min(map(len, words)), -len(words)), default=NONE)


def _get_for_part(kind: str, argument: Any) -> PrefilterWords:
    if kind in REPEATS and argument[0] > 0:
        return _find_required_alternatives(argument[-1])
    return _get_for_group(kind, argument, _find_required_alternatives)


def _get_for_group(
    kind: Any, argument: Any, words: Callable[[Iterable[tuple[Any, Any]]], PrefilterWords]
) -> PrefilterWords:
    """Return the words of what stands in brackets, of alternatives only if each has some."""
    if str(kind) == "SUBPATTERN":
        _, flags, _, inner = argument
        return words(inner) if not flags else NONE
    if str(kind) == "BRANCH":
        ways = [words(way) for way in argument[1]]
        return NONE.union(*ways) if all(ways) else NONE
    return NONE
