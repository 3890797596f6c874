"""Departures of the naming rules. The reasons are in the TOML file beside it."""

from cases import Difference

from reviewer.rules.shared.words.identifiers import split_words
from reviewer.rules.shared.words.styles import classify_style
from reviewer.rules.shared.words.verbs import is_verb


def _name(difference: Difference) -> str:
    return str(difference.tool.get("name") or "")


def _begins(difference: Difference) -> list[str]:
    """Return the verbs of the original that the name's first part begins with."""
    first = _name(difference).split("-")[0].lower()
    return [verb for verb in difference.words["NAM-005.DESCRIPTIVE_VERBS"] if first.startswith(verb)]


def verb_behind_prefix(difference: Difference) -> bool:
    return any(part in difference.words["NAM-005.DESCRIPTIVE_VERBS"] for part in split_words(_name(difference))[1:])


def verb_not_listed(difference: Difference) -> bool:
    listed = set(difference.words["NAM-005.DESCRIPTIVE_VERBS"])
    return any(is_verb(part) and part not in listed for part in split_words(_name(difference)))


def verb_in_the_action(difference: Difference) -> bool:
    return "action" in ((difference.tool.get("inputSchema") or {}).get("properties") or {})


def name_that_asks(difference: Difference) -> bool:
    return split_words(_name(difference))[:1] in (("is",), ("are",), ("has",), ("can",))


def verb_in_letters_only(difference: Difference) -> bool:
    return bool(_begins(difference)) and not set(_begins(difference)) & set(split_words(_name(difference)))


def noun_at_the_beginning(difference: Difference) -> bool:
    return split_words(_name(difference))[0] in _begins(difference) and not is_verb(split_words(_name(difference))[0])


def _styles(properties: object) -> set[str]:
    return (
        {style for name in properties if (style := classify_style(str(name).strip("_")))}
        if isinstance(properties, dict)
        else set()
    )


def _top(difference: Difference) -> set[str]:
    return _styles((difference.tool.get("inputSchema") or {}).get("properties"))


def place_of_the_odd_one(difference: Difference) -> bool:
    return len(_top(difference)) > 1


the_odd_one = place_of_the_odd_one


def styles_below(difference: Difference) -> bool:
    schema = difference.tool.get("inputSchema") or {}
    definitions = {**(schema.get("$defs") or {}), **(schema.get("properties") or {})}
    return not _top(difference) - {"camelCase"} and any(
        _styles(each.get("properties")) for each in definitions.values()
    )
