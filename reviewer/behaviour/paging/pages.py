"""The words of paging: how a page size and a cursor are named in code."""

import re

from reviewer.behaviour.values.names import split_words
from reviewer.caching import cache_latest
from reviewer.records import dataclass
from reviewer.text.patterns import pattern


@dataclass(frozen=True, slots=True)
class Topic:
    """One matter of a request. `keys` name its parts in a request, `words` its variables and functions in code.

    `cuts` are the methods that shorten a list.
    """

    words: frozenset[str]
    keys: frozenset[str]
    cuts: frozenset[str] = frozenset()

    def names(self, name: str) -> bool:
        """Return whether a variable's or a function's name speaks of it."""
        return not self.words.isdisjoint(split_words(name))

    def asks(self, key: str) -> bool:
        """Return whether the name of a request's part does."""
        return not self.keys.isdisjoint(split_words(key))


# Words that speak of pages wherever they stand in a name.
_PAGING = frozenset(
    "limit limits cursor cursors page paged paging paginate paginated paginates pagination paginator pager offset "
    "pagesize window continuation".split()
)
PAGING = Topic(
    words=_PAGING,
    keys=_PAGING
    | frozenset(
        "skip take max maximum count top first last size per start after before since until n num number".split()
    ),
    cuts=frozenset(
        "take skip truncate slice chunks windows split_off split_at head tail islice nlargest step_by".split()
    ),
)

_BESIDE = frozenset(
    "page list lists result results max maximum min default requested raw client item items row rows search query user "
    "asked wanted effective clamped hard get opt maybe parsed safe hit hits record records response per entries fetch the "
    "given in of from for as with use parse read validate validated check bounded valid".split()
)
"""What may stand beside `limit` where it still is the size of a page; `rate_limit` and `size_limit` are others."""

SKIPPING = frozenset({"skipped", "split off"})
"""What models call functions that leave out the beginning of a list: a page begins behind it."""

SIZED = pattern(rb"limit|page_size|per_page|max_results|max_items|pagesize", re.IGNORECASE)
"""What stands in a file that may speak of a page size: its functions are not looked at else."""

_SIZES = ({"page", "size"}, {"per", "page"}, {"pagesize"}, {"max", "results"}, {"num", "results"})
"""The words of a page's size, all of a set in one name: `size` alone may be a file's, and `max` anything."""


@cache_latest(maxsize=8192)
def is_page_size(name: str) -> bool:
    """Return whether a name is that of a page's size: `limit`, `page_size`, `perPage`, `DEFAULT_LIMIT`."""
    parts = split_words(name)
    if any(each <= parts for each in _SIZES):
        return True
    return "limit" in parts and parts - {"limit"} <= _BESIDE


OTHER_LIMITS = frozenset(
    "rate throttle throttling limiter memory quota budget token tokens timeout retry retries upload semaphore bucket "
    "concurrency connection connections depth byte bytes disk cpu char chars characters line lines stream length timeout "
    "seconds".split()
)
"""Words in the names of what limits something else."""

ELSEWHERE = frozenset("cli cmd commands command tui gui ui web benches examples scripts migrations tests".split())
"""Folders and modules that serve a person, not a tool's call."""


def limits_otherwise(name: str) -> bool:
    """Return whether a function or type of the name limits something else than a page."""
    return not OTHER_LIMITS.isdisjoint(split_words(name))


_CURSORS = ({"next", "cursor"}, {"next", "token"}, {"continuation", "token"})
"""The words of a cursor that an answer holds, all of a set in one name: without `next` it may be the one that the client
gave."""


@cache_latest(maxsize=8192)
def is_next_cursor(name: str) -> bool:
    """Return whether a name is that of the cursor in an answer; a text of several words is no name, whatever it says."""
    parts = split_words(name) if len(name.split()) == 1 else frozenset()
    return any(each <= parts for each in _CURSORS)


CURSORS = pattern(
    rb"cursor|next_page_token|next_token|continuation_token|nextPageToken|nextCursor|nextToken", re.IGNORECASE
)
"""What a file holds that speaks of cursors."""

GIVING = pattern(
    rb"next_?(?:page_?token|cursor)\b(?!\s*\()|[\"']next_?token|continuation_?token|(?:def|fn)\s+\w*cursor",
    re.IGNORECASE,
)
"""What a function holds that gives a cursor out."""

# Verbs of functions that make a position of a cursor.
_READING = frozenset("decode decoded parse parsed read from validate check decrypt unpack load is has verify".split())


@cache_latest(maxsize=8192)
def makes_cursor(name: str) -> bool:
    """Return whether a function's name says that it makes a cursor: `encode_cursor`, `next_cursor`, `cursor_after`."""
    parts = split_words(name)
    return "cursor" in parts and parts.isdisjoint(_READING)


# Words beside "cursor" in names of the one that a client sent; any other word ("next", "end") may mean the one that is sent
# back.
_OF_A_REQUEST = frozenset(
    "given raw str string text opt request req list input in start after before encoded opaque client current prev previous from "
    "resume resumed pagination page maybe value token start mcp tool".split()
)

_GIVEN = ({"cursor"}, {"page", "token"}, {"continuation"}, {"pagetoken"})
"""What a cursor is called by those who take one, and whatever stands beside it has to be of `_OF_A_REQUEST`."""


@cache_latest(maxsize=8192)
def is_given_cursor(name: str) -> bool:
    """Return whether a name is that of a cursor which a client gives: `cursor`, `page_token`; not of the next one."""
    parts = split_words(name)
    return any(each <= parts and parts - each <= _OF_A_REQUEST for each in _GIVEN)


@cache_latest(maxsize=8192)
def reads_cursor(name: str) -> bool:
    """Return whether a function's name says that it takes a cursor apart: `decode_cursor`, `cursor_to_offset`, `offset_of`."""
    parts = split_words(name)
    says = "cursor" in parts or {"page", "token"} <= parts
    return says and (not parts.isdisjoint(_READING) or "to" in parts or not parts.isdisjoint({"offset", "of"}))


TIED = pattern(
    r"snapshot|version|revision|\bmtime|etag|generation|checksum|fingerprint|frozen|immutable|digest|\bcrc|\bhash|epoch|stale|expire"
    r"|signature|\bsign\w*\(|hmac|session_id|handle|changed|\bsalt",
    re.IGNORECASE,
)
"""What shows that code knows of changes between pages, or keeps them from being seen."""

BY_QUERY = pattern(r"\bOFFSET\s+(?:[?:$%{]|\d|$)|\.offset$", re.IGNORECASE)
"""What shows that a query is asked for the rows from a place on."""
