"""Which tools of a server are so alike in words that an agent may take one for the other."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil

from reviewer.facts import Tool
from reviewer.records import dataclass
from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.words.identifiers import split_words, to_singular
from reviewer.rules.shared.words.substance import extract_substance
from reviewer.rules.shared.words.verbs import stem_verb
from reviewer.source import Text

LEAST = 0.5
"""The part of their words that two tools have in common, from which on they are alike."""

MOST = 2
"""How many other tools each tool is compared with, most similar first: fixing these usually fixes the rest."""

READING = frozenset(
    "get read show fetch retrieve find search query lookup list describe view load browse scan select".split()
)
"""Verbs by which nothing changes. One may stand for another: `get_user` and `fetch_user` do the same."""

KINDS = (
    READING,
    frozenset("create add insert make new register generate build".split()),
    frozenset("update edit modify set change patch write save put".split()),
    frozenset("delete remove destroy purge clear drop erase wipe".split()),
    frozenset("run execute start launch invoke call trigger perform".split()),
    frozenset("check validate verify test inspect analyze review".split()),
    frozenset("send post publish submit push notify".split()),
)
"""Verbs that may stand for one another."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two tools that are alike, the later and the earlier; `same` tells that they say the same word for word."""

    one: Tool
    other: Tool
    same: bool
    likeness: float


@dataclass(frozen=True, slots=True)
class _Worded:
    tool: Tool
    text: tuple[str, ...]
    things: frozenset[str]
    kinds: frozenset[int]


def find_alike_pairs(tools: Sequence[Tool]) -> list[Pair]:
    """Return the pairs of a server's tools that are alike, in the order of the tools."""
    told = [_build_worded(tool) for tool in tools if tool.said is not None and isinstance(tool.name, Text)]
    pairs = [pair for other, one in _iter_near(told) if (pair := _pair(one, other)) is not None]
    met: Counter[int] = Counter()
    kept = []
    for pair in sorted(pairs, key=lambda each: -each.likeness):
        ends = (id(pair.one), id(pair.other))
        if all(met[end] < MOST for end in ends):
            kept.append(pair)
            met.update(ends)
    return sorted(kept, key=lambda each: each.one.span)


def _iter_near(told: list[_Worded]) -> Iterator[tuple[_Worded, _Worded]]:
    """Yield pairs among which all that are alike must be, without looking at every two tools, in their order.

    Of tools with the same words each is taken with the next. Others can have half of their words in common only if they share
    one of the rarer half of them.
    """
    groups: defaultdict[frozenset[str], list[_Worded]] = defaultdict(list)
    for each in told:
        groups[each.things].append(each)
    often = Counter(word for things in groups for word in things)
    having: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    places = {things: place for place, things in enumerate(groups)}
    for things, group in groups.items():
        yield from pairwise(group)
        rarest = sorted(things, key=lambda word: (often[word], word))[: len(things) - ceil(LEAST * len(things)) + 1]
        for others in sorted({each for word in rarest for each in having[word]}, key=places.__getitem__):
            yield groups[others][0], group[0]
        for word in rarest:
            having[word].append(things)


def _pair(one: _Worded, other: _Worded) -> Pair | None:
    if one.tool.name == other.tool.name or not one.text or not other.text:
        return None
    if one.text == other.text:
        return Pair(one.tool, other.tool, True, 2.0)
    if one.kinds and other.kinds and not one.kinds & other.kinds:
        return None
    shared, all_of_them = one.things & other.things, one.things | other.things
    likeness = len(shared) / len(all_of_them) if all_of_them else 0.0
    return Pair(one.tool, other.tool, False, likeness) if likeness >= LEAST else None


def _build_worded(tool: Tool) -> _Worded:
    text = split_words(extract_substance(tool.said or ""))
    named = split_words(tool.name or "") if isinstance(tool.name, Text) else ()
    verbs = [stem_verb(word) or word for word in named]
    kinds = {at for at, kind in enumerate(KINDS) if kind & set(verbs)}
    return _Worded(tool, text, frozenset(_collect_things((*named, *text))), frozenset(kinds))


def _collect_things(said: tuple[str, ...]) -> list[str]:
    """Return the words that are neither verbs of one of the kinds nor words that stand in every text."""
    told = [to_singular(word) for word in said if word not in load_lexicon("vague")]
    doing = frozenset().union(*KINDS)
    return [word for word in told if (stem_verb(word) or word) not in doing and not word.isdigit()]
