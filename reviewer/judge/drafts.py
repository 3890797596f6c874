"""What a model wrote → a draft that may be judged: bounded, visible, and every new sentence with a quote that is there.

A draft is text by a model that strangers feed. It may bring no name, number or address that was not shown.
"""

import re
from collections.abc import Iterator, Sequence

from pydantic import ValidationError

from reviewer.judge.forms import DraftV1
from reviewer.judge.offers import Claim, Draft, Dropped
from reviewer.judge.question_requests import format_json
from reviewer.judge.quotes import is_quote_of, normalize_text
from reviewer.judge.replies import Reply, describe_invalid_reply, is_itself
from reviewer.judge.rewrite_requests import RewriteRequest
from reviewer.judge.rubrics import REWRITE, load_rubric
from reviewer.text.patterns import pattern

LONGEST = 2000
"""Characters of a description."""

MOST_CLAIMED = 20_000
"""Characters of all claims and quotes."""

MOST_NAMED = 80
"""Characters of the name that a model gives itself."""

SHORTEST = 4
"""Characters of a quote that carries a claim."""

MOST_SAID = 60
"""Characters of a draft that a reason repeats."""

MOST_UNCLAIMED = 2
"""Words of a new sentence that a claim may leave out: a heading, an and."""

SENTENCE = pattern(r"\S.*?(?:[.!?:;](?=\s)|\Z)", re.DOTALL)
"""Where a sentence of a draft ends; a colon does, for what follows it claims something of its own."""

WORD = pattern(r"\w+")
"""What counts as a word that a claim has to cover."""

GROUNDED = pattern(
    r"(?i:(?:\b[a-z][\w+.-]*:)?//[^\s`]+|\b(?:www\.|mailto:|javascript:|data:|tel:)[^\s`]+)"  # an address
    r"|[\w.+-]*@[\w.-]+"  # somebody
    r"|[#!][\w\[(]\S*|\]\([^)]*|<[^>]*>?"  # what a host makes a link, a picture or markup of
    r"|`[^`]*`"
    r"|(?<!\w)[~.]*/[\w.~-][\w./~-]*|\b\w+(?:(?:[.\\]|::)\w+)*(?:[.\\]|::)[^\W\d]\w+"  # a path, a dotted name
    r"|\w*_\w*|\b[a-z]+[A-Z]\w*"  # a name of code
    r"|\d+(?:[.,]\d+)*"
)
"""What means something by its letters alone, and so must have been shown: addresses, names of code, numbers."""


def parse_draft(rewrite_request: RewriteRequest, reply: Reply) -> Draft | Dropped:
    """Read a reply to a request for a description. What is written in it has yet to be checked."""
    if reply.failure:
        return Dropped(reply.failure)
    try:
        given = DraftV1.model_validate(reply.document)
    except ValidationError as error:
        return Dropped(describe_invalid_reply(error))
    by_id: dict[str, list[str]] = {}
    for each in given.checks:
        by_id.setdefault(each.id, []).append(each.verdict)
    if not is_itself(rewrite_request.markers, by_id):
        return Dropped("the writer failed a question with a known answer")
    claims = tuple(Claim(each.claim, tuple(each.quotes)) for each in given.claims)
    return Draft(given.text.strip(), claims, load_rubric(REWRITE).shown, reply.model[:MOST_NAMED])


def check_draft(draft: Draft, rewrite_request: RewriteRequest) -> Draft | Dropped:
    """Return a draft if it may be judged."""
    why = find_defect(draft, rewrite_request)
    return draft if why is None else Dropped(why)


def find_defect(draft: Draft, rewrite_request: RewriteRequest) -> str | None:
    """Say why a draft may not even be judged; None if it may."""
    text = draft.text
    if not text:
        return "what is missing does not occur in what the writer was shown"
    if len(text) > LONGEST:
        return f"the text is longer than {LONGEST} characters"
    if sum(len(said) for each in draft.claims for said in (each.text, *each.quotes)) > MOST_CLAIMED:
        return f"claims and quotes are longer than {MOST_CLAIMED} characters"
    if not all(line.isprintable() for line in text.split("\n")):
        return "the text has characters that cannot be seen"
    if "##[" in text or any(line.lstrip().startswith("::") for line in text.split("\n")):
        return "a line of the text would be read as a command"
    if normalize_text(text) == normalize_text(rewrite_request.description):
        return "the text is the old one"
    return _find_unsupported_text(draft, rewrite_request.description, rewrite_request.views[0])


def _find_unsupported_text(draft: Draft, old: str, seen: object) -> str | None:
    """Say what in a draft rests on nothing that was shown."""
    written, text = normalize_text(format_json(seen)), normalize_text(draft.text)
    for claim in draft.claims:
        if normalize_text(claim.text) not in text:
            return f"a claim is not in the text: `{_cut(claim.text)}`"
        if not claim.quotes:
            return f"a claim has no quote: `{_cut(claim.text)}`"
        for quote in claim.quotes:
            if len(normalize_text(quote)) < SHORTEST or not (
                is_quote_of(quote, seen) or normalize_text(quote) in written
            ):
                return f"a quote does not occur in what the writer was shown: `{_cut(quote)}`"
    for sentence in _iter_unclaimed_sentences(
        text, normalize_text(old), [normalize_text(each.text) for each in draft.claims]
    ):
        return f"a new sentence has no quote: `{_cut(sentence)}`"
    for found in GROUNDED.finditer(draft.text):
        if not _is_shown(found[0], written):
            return f"the text says what was not shown: `{_cut(found[0])}`"
    return None


def _iter_unclaimed_sentences(text: str, old: str, claims: Sequence[str]) -> Iterator[str]:
    """Yield the sentences that did not stand in the old text, and of which more is said than claims say."""
    open_ = text
    for each in filter(None, claims):
        open_ = re.sub(re.escape(each), lambda found: " " * len(found[0]), open_)
    for sentence in SENTENCE.finditer(text):
        left = WORD.findall(open_[sentence.start() : sentence.end()])
        if len(left) > MOST_UNCLAIMED and sentence[0].rstrip(".!?:;") not in old:
            yield sentence[0]


def _is_shown(found: str, written: str) -> bool:
    """Return whether something stands in what was shown, by itself and not within a longer word or number."""
    bare = found.strip("`").strip(".,:;")
    if bare[:1].isdigit():
        forms = (bare, bare.replace(",", ""), bare.replace(",", "_"))
        return any(re.search(rf"(?<!\d){re.escape(each)}(?!\d)", written) for each in forms)
    begins, ends = (r"\b" if each.isalnum() else "" for each in (bare[:1], bare[-1:]))
    return not bare or re.search(rf"{begins}{re.escape(format_json(bare)[1:-1])}{ends}", written) is not None


def _cut(text: str) -> str:
    line = normalize_text(text).replace("`", "'")
    return line if len(line) <= MOST_SAID else f"{line[:MOST_SAID]}…"
