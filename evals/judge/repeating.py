"""Tools that are asked about as the product asks: all questions of `core` at once, so that they can come in another order."""

from collections.abc import Iterator

from material import Item, asked, drawn, pairs, twin

from reviewer.config import load_profile
from reviewer.rules import load

TOOLS = 45
"""Tools that are asked about, of all failing and passing cases."""


def repeat_items() -> Iterator[Item]:
    """Yield cases that nobody chose, with every question that a review under `core` asks of them."""
    slugs = [slug for slug, rule in load().items() if rule.judged and slug in load_profile("core").rules]
    cases = {
        f"{slug}/{number}/{role}": twin(pair, role)
        for slug, listed in pairs().items()
        for number, pair in enumerate(listed, 1)
        for role in ("fail", "pass")
    }
    for name in sorted(cases, key=lambda each: drawn(f"repeated {each}"))[:TOOLS]:
        found = asked(slugs, cases[name])
        if found:
            yield Item(name, name, "repeat", found, cases[name].get("code", ""))
