"""Departures of the profile that reads the page by its letter. The reasons are in the TOML file beside it.

Each looks at what the original found or missed, part by part, and holds only if its reason covers all of it.
"""

import re

from cases import Difference

from reviewer.facts.parts import iter_schema_parts
from reviewer.rules.shared.acts.effects import stem_verbs
from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.words.identifiers import split_words, to_singular
from reviewer.rules.shared.words.purpose import begins_with_verb
from reviewer.rules.shared.words.substance import extract_openings
from reviewer.rules.shared.words.verbs import is_noun_too, is_verb, stem_verb

NAMED_FORM = re.compile(
    r"e\.g|such as|\blike\b|example|uuid|\biso\b|\bonly\b|digits?|letters?|alphanumeric|separated|[`\"'][^`\"']+[`\"']|NOTE:",
    re.I,
)
RANGE = re.compile(r"\d\s*(?:-|–|\.\.|\bto\b)\s*-?\d")
"""The page's own way to tell both ends of a number: `1-100`."""
BOTH_ENDS = re.compile(r"\b(?:between|range|than|exceed|capped|limited to)\b|[<>≤≥]|\bmax|\bmin", re.I)
NUMERIC = re.compile(r"u?int\d*|float\d*|double|decimal")
DEICTIC = r"(?:this|it|the|an?|when|for|to|if)\b"


def _said(difference: Difference) -> str:
    return str(difference.schema.get("description") or "")


def _name(difference: Difference) -> str:
    return str(difference.tool.get("name") or "")


def like_within_a_word(difference: Difference) -> bool:
    text = difference.description.lower()
    return "like " in text and not re.search(r"\b(?:like\s|sample|including)|example|e\.g|['\"`]", text)


def letters_within_a_word(difference: Difference) -> bool:
    text = " ".join(difference.description.lower().split()) + " "
    return not re.search(r"\b(?:when\w*|if|to|for|enables|lets you|helps with)\s", text)


def occasion_in_other_words(difference: Difference) -> bool:
    text = difference.description.lower()
    return bool(re.search(r"\b(?:if|to|for)\s*\n", text)) or bool(re.search(r"\b(?:if|to|for)\s", text, re.I))


GIVEN = frozenset("to from set required optional default min max description".split())
"""Words that say how a value is given, or what is done with it."""


def to_and_from(difference: Difference) -> bool:
    """Whether the original found a word that fits anything, and no context but `to` and `from`."""
    return _has_no_context_but(difference, frozenset({"to", "from"}))


def given_and_no_more(difference: Difference) -> bool:
    """Whether it found one as a name, and no context but words that say how it is given."""
    return not to_and_from(difference) and _has_no_context_but(difference, GIVEN)


def _has_no_context_but(difference: Difference, given: frozenset[str]) -> bool:
    around = f"{_name(difference)} {difference.name} {_said(difference)}"
    known = difference.words["LLM-008.CONTEXT_INDICATORS"]
    generic = [word for word in difference.words["LLM-008.AMBIGUOUS_TERMS"] if _stands(word, around)]
    return bool(generic) and any(
        context <= given
        for text in (around, _said(difference))
        if (context := {word for word in known if _stands(word, re.sub("[-_]", " ", text))})
    )


def _stands(word: str, text: str) -> bool:
    return re.search(rf"\b{word}\b", text, re.A | re.I) is not None


def other_generic_word(difference: Difference) -> bool:
    listed = set(difference.words["LLM-008.AMBIGUOUS_TERMS"])
    met = set(re.findall(r"\w+", f"{difference.name} {_said(difference)}".lower()))
    return not met & listed and any({word, to_singular(word)} & load_lexicon("ambiguous") for word in met)


def words_of_a_name(difference: Difference) -> bool:
    """Whether, in each text in which the original finds no context, one is a word within a name, or in the plural."""
    said, known = _said(difference), difference.words["LLM-008.CONTEXT_INDICATORS"]
    around = f"{_name(difference)} {difference.name} {said}"
    generic = difference.words["LLM-008.AMBIGUOUS_TERMS"]
    texts = [around for word in generic if _stands(word, difference.name)] + [
        said for word in generic if _stands(word, said)
    ]
    bare = {text for text in texts if not any(_stands(word, re.sub("[-_]", " ", text)) for word in known)}
    return bool(bare) and all(
        {each for word in split_words(text) for each in (word, to_singular(word))} & set(known) for text in bare
    )


def _missed(difference: Difference) -> list[str]:
    """Return the keywords whose bounds the original finds untold."""
    return [
        key
        for key, _, told in difference.case.oracle.CON
        if difference.schema.get(key) not in (None, []) and not any(each.search(_said(difference)) for each in told)
    ]


def told_in_another_way(difference: Difference) -> bool:
    said = _said(difference)

    def told(key: str) -> bool:
        if key == "pattern":
            return NAMED_FORM.search(said) is not None
        if key == "enum":
            values = [str(each).lower() for each in difference.schema["enum"] if each is not None]
            return 2 * sum(value in said.lower() for value in values) >= len(values) or "e.g." in said
        if key == "format":
            return NUMERIC.fullmatch(str(difference.schema["format"])) is not None
        return BOTH_ENDS.search(said) is not None or RANGE.search(said) is not None

    missed = _missed(difference)
    return bool(missed) and missed != ["format"] and all(map(told, missed))


def format_of_a_number(difference: Difference) -> bool:
    return _missed(difference) == ["format"] and bool(NUMERIC.fullmatch(str(difference.schema["format"])))


def _long_form(difference: Difference) -> str:
    return str(difference.words["LLM-010.ABBREVIATIONS"].get(difference.name.lower(), ""))


def another_word_explains(difference: Difference) -> bool:
    """Whether the original takes a word for an explanation that is no part of the abbreviation's long form."""
    around = f"{difference.name} {_said(difference)}".lower()
    found = [word for word in difference.words["LLM-010.EXPLANATION_INDICATORS"] if word in around]
    return bool(_long_form(difference) and found) and not any(word in _long_form(difference).lower() for word in found)


def own_long_form(difference: Difference) -> bool:
    long = [
        word
        for word in split_words(_long_form(difference))
        if len(word) > 3 and not word.startswith(difference.name.lower())
    ]
    return any(word[:6] in _said(difference).lower() for word in long)


def abbreviation_not_listed(difference: Difference) -> bool:
    """Whether what abbreviates is a word of the name and not all of it, a plural, or one that the original does not list."""
    listed = difference.words["LLM-010.ABBREVIATIONS"]
    known = {line.partition(":")[0] for line in load_lexicon("abbreviations")} | load_lexicon("known_abbreviations")
    short = [word for word in split_words(difference.name) if {word, word.removesuffix("s")} & known]
    whole = [word for word in listed if _stands(word, difference.name)]
    return bool(short) and not set(short) & set(whole)


def _effects_found(difference: Difference) -> list[str]:
    """Return the words by which the original takes an effect for told."""
    patterns = difference.case.oracle.RX["LLM-011.SIDE_EFFECT_DESCRIPTION_PATTERNS"]
    return [found[0].lower() for each in patterns if (found := each.search(difference.description))]


def effect_by_its_verb(difference: Difference) -> bool:
    if (difference.tool.get("annotations") or {}).get("destructiveHint") is True:
        return False
    told = stem_verbs(difference.description) & (load_lexicon("effects") | load_lexicon("effect_nouns"))
    return (
        bool(set(split_words(_name(difference))) & load_lexicon("effects"))
        and bool(told)
        and not _effects_found(difference)
    )


def no_effect_in_the_words(difference: Difference) -> bool:
    """Whether no whole word of the name is such a verb, or the first is a noun, or stands behind another verb."""
    listed = set(difference.words["LLM-011.SIDE_EFFECT_NAME_PATTERNS"])
    named = split_words(_name(difference))
    at = next((index for index, word in enumerate(named) if word in listed), len(named))
    return at == len(named) or named[at] in load_lexicon("nouns") or any(map(is_verb, named[:at]))


def removing_is_no_loss(difference: Difference) -> bool:
    stems = {word.rstrip("s") for word in _effects_found(difference)}
    return bool(set(split_words(_name(difference))) & {"delete", "destroy", "purge", "drop"}) and "remove" in stems


def effect_within_the_name(difference: Difference) -> bool:
    """Whether the verb stands neither at an end of the name nor between hyphens, where alone the original looks."""
    name, listed = _name(difference).lower(), difference.words["LLM-011.SIDE_EFFECT_NAME_PATTERNS"]
    seen = any(name.startswith(verb) or name.endswith(verb) or re.search(rf"[-_]{verb}[-_]", name) for verb in listed)
    return not seen and bool(set(split_words(_name(difference))) & set(listed))


def family(difference: Difference) -> list[str]:
    """Return the texts of the tools whose names begin alike, as the original has it."""
    prefix = difference.case.oracle.prefix
    own = difference.tool["name"]
    others = [tool for tool in difference.tools if tool["name"] != own and prefix(tool["name"]) == prefix(own)]
    return [tool["description"] for tool in others if (tool.get("description") or "").strip()]


def unlike(difference: Difference) -> list[str]:
    """Return what a text lacks, for the original, that most of its family have."""
    oracle = difference.case.oracle
    others = [oracle.pat(text) for text in family(difference)]
    mine = oracle.pat(difference.description)
    most = {key: sum(bool(other[key]) for other in others) * 2 > len(others) for key in ("v", "when", "ex")}
    return [key for key in most if most[key] and not mine[key]]


def every_verb_counts(difference: Difference) -> bool:
    return unlike(difference) == ["v"] and begins(difference.description)


def begins(text: str) -> bool:
    return any(begins_with_verb(opening) for opening in extract_openings(text))


def verbs_of_the_others(difference: Difference) -> bool:
    begin = [begins(text) for text in family(difference)]
    return sum(begin) * 2 >= len(begin) and not difference.case.oracle.pat(difference.description)["v"]


def plural_examples(difference: Difference) -> bool:
    others = family(difference)
    shown = [bool(re.search(r"\bexamples?\b|e\.g\.|for instance|such as", text, re.I)) for text in others]
    return sum(shown) * 2 > len(shown) and not re.search(r"\bexamples?\b|e\.g\.", difference.description, re.I)


def this_is_no_other_tool(difference: Difference) -> bool:
    """Whether all that the original found of order has `this` or an article where a tool would stand."""
    found = [
        match[0]
        for each in difference.case.oracle.RX["LLM-013.WORKFLOW_PATTERNS"]
        for match in each.finditer(difference.description)
    ]
    return (
        bool(found)
        and not _named_in_letters(difference)
        and all(re.match(rf"\w+\s+{DEICTIC}", each, re.I) for each in found)
    )


def _named_in_letters(difference: Difference) -> list[str]:
    text = difference.description.lower()
    names = [str(tool["name"]).lower() for tool in difference.tools if tool["name"] != difference.tool["name"]]
    return [name for name in names if name in text]


def letters_of_another_name(difference: Difference) -> bool:
    """Whether each name that the original finds stands within a longer word, or is an everyday word."""
    text, found = difference.description.lower(), _named_in_letters(difference)
    return bool(found) and all(
        name.isalpha() or not re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text) for name in found
    )


def order_by_other_words(difference: Difference) -> bool:
    return bool(
        re.search(
            r"\b(?:rather\s+than|follow[\s-]?up|already|afterwards?|beforehand|must|alternatives?"
            r"|see also|preferred over|tools?\s+(?:to|for))\b",
            difference.description,
            re.I,
        )
    )


def first_verb_not_listed(difference: Difference) -> bool:
    first = split_words(_name(difference))[:1]
    return bool(first) and is_verb(first[0]) and first[0] not in difference.words["NAM-005.DESCRIPTIVE_VERBS"]


MOST = 10
"""How many parameters a tool may have, by the page."""


def argument_object(difference: Difference) -> bool:
    schema = difference.tool.get("inputSchema") or {}
    held = schema.get("properties") or {}
    inner = [part for part in iter_schema_parts(schema) if part.depth == 2 and not part.element]
    return len(held) == 1 and len(inner) > MOST


def key_of_nothing(difference: Difference) -> bool:
    return difference.name.lower() == "key"


def restriction_warns(difference: Difference) -> bool:
    return bool(
        re.search(r"read-?only|sandbox|isolated|allow(?:ed|list)|only (?:select|read)", _said(difference), re.I)
    )


def noun_within_a_sentence(difference: Difference) -> bool:
    """Whether no sentence begins with a verb, and each word that may be one is a noun as often."""
    found = [verb for word in re.findall(r"[a-z]+", difference.description.lower()) if (verb := stem_verb(word))]
    return all(map(is_noun_too, found)) or not begins_with_verb(difference.description)
