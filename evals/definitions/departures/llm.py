"""Departures of the rules of §13. The reasons are in the TOML file beside it.

Written apart from the rules: what they look for is looked for here in other words.
"""

import re

from cases import Difference, Json
from letter import begins, family, unlike

from reviewer.rules.shared.words.verbs import stem_verb

SPEAKING_OF_IT = {"the", "a", "an", "string", "optional", "parameter", "field", "value", "to", "return", "of"}
PURPOSES = re.compile(r"^(?:to|for|in order to|helps (?:to|with)|allows you to|enables|lets you) *$")
BOUNDS = {"minimum", "maximum", "minLength", "maxLength"}
WORDS_BY_NOW = {"max", "min", "info", "sync", "async", "config", "doc", "docs", "temp", "app"}


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text).lower())


def _said(difference: Difference) -> str:
    return str(difference.schema.get("description") or "")


def another_language(difference: Difference) -> bool:
    text = difference.description
    return any(ord(each) > 0x7F and each.isalpha() for each in text) and not re.search(
        r"\b(?:the|and|of|is|a|for|with)\b", text, re.I
    )


def other_verb(difference: Difference) -> bool:
    listed = set(difference.words["LLM-003.ACTION_VERBS"])
    said = set(re.findall(r"\w+", difference.description.lower()))
    imperative = re.search(
        r"(?:^|[.!?:\n])\W*[A-Za-z]{2,}\s+(?:the|an?|all|any|your|up|out|to|back)\b", difference.description
    )
    return not said & listed and (any(stem_verb(word) for word in said) or imperative is not None)


def purpose_is_no_occasion(difference: Difference) -> bool:
    text = " ".join(difference.description.lower().split())
    found = [
        phrase for phrase in difference.words["LLM-004.WHEN_PHRASES"] if re.search(rf"\b{phrase.strip()}\b", text, re.A)
    ]
    return all(PURPOSES.match(phrase) for phrase in found)


def other_occasion(difference: Difference) -> bool:
    return bool(
        re.search(
            r"\b(?:if\s|before|after|prefer(?:red)?|every time|use (?:it|once|this tool|for)|essential|reserved)",
            difference.description,
            re.I,
        )
    )


def no_quotation(difference: Difference) -> bool:
    text = difference.description.replace("for example", "example")
    shown = re.search(
        r"example|e\.g\.|for instance|such as|```|`[^`\n]+`|\"[^\"\n]+\"|(?<!\w)'[^'\n]+'(?!\w)", text, re.I
    )
    return shown is None and bool(re.search(r"['\"`]|including|like|sample|eg[.:]", text, re.I))


def parameter_with_value(difference: Difference) -> bool:
    return bool(re.search(r"\b[a-z_]+=\w|[“«]|\bex[.:]", difference.description, re.I))


def one_value_only(difference: Difference) -> bool:
    return "const" in difference.schema


def description_without_substance(difference: Difference) -> bool:
    said = [word for word in _words(_said(difference)) if word not in SPEAKING_OF_IT]
    tool = " ".join(difference.description.lower().split())
    everywhere = [
        each.get("description")
        for tool in difference.tools
        for each in ((tool.get("inputSchema") or {}).get("properties") or {}).values()
        if isinstance(each, dict)
    ]
    return bool(_said(difference)) and (
        not set(said) - set(_words(difference.name))
        or _said(difference).lower() == tool
        or everywhere.count(_said(difference)) > 2
    )


def described_elsewhere(difference: Difference) -> bool:
    return bool({"anyOf", "oneOf", "allOf", "$ref"} & difference.schema.keys())


def ambiguous_words_alone(difference: Difference) -> bool:
    unclear = {*difference.words["LLM-008.AMBIGUOUS_TERMS"], "variables", "values", "context"}
    return set(_words(difference.name)) <= unclear or bool(unclear & set(_words(_said(difference))))


def clear_in_context(difference: Difference) -> bool:
    unclear = {*difference.words["LLM-008.AMBIGUOUS_TERMS"], "the", "a", "to", "of", "for", "this", "in"}
    around = {*_words(_said(difference)), *_words(difference.name), *_words(str(difference.tool.get("name")))}
    return bool(around - unclear) or "enum" in difference.schema


def bound_in_alternatives(difference: Difference) -> bool:
    return not difference.nested and bool({"anyOf", "oneOf", "allOf", "$ref"} & difference.schema.keys())


def other_bound(difference: Difference) -> bool:
    return bool({"exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"} & difference.schema.keys())


def bound_of_a_type(difference: Difference) -> bool:
    schema = difference.schema
    numeric = str(schema.get("format", "")).startswith(("int", "uint", "float", "double"))
    return numeric or abs(schema.get("maximum", 0)) >= 2**31 - 1


def bound_is_told(difference: Difference) -> bool:
    text, schema = _said(difference).lower(), difference.schema
    numbers = {float(each) for each in re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d),(?=\d{3})", "", text))}
    numbers |= {
        float(at) for at, word in enumerate(("zero", "one", "two", "three", "four", "five")) if word in _words(text)
    }
    if any(isinstance(schema.get(key), int | float) and abs(schema[key]) in numbers for key in BOUNDS):
        return True
    if schema.get("minimum") in (0, 1) and re.search("negative|positive|at least", text):
        return True
    if schema.get("minLength") in (0, 1) and (schema["minLength"] == 0 or re.search("empty|blank|one or more", text)):
        return True
    return _values_told(text, schema) or _form_told(text, difference)


def _values_told(text: str, schema: Json) -> bool:
    values = [str(value).lower() for value in schema.get("enum") or [] if value is not None]
    named = [value for value in values if value in text]
    return bool(values) and (
        len(named) * 2 >= len(values) or bool(re.search(r"\bor\b|either|:|supported|choices", text))
    )


def _form_told(text: str, difference: Difference) -> bool:
    schema = difference.schema
    told = re.search(r"example|e\.g|such as|like|['\"`:]|digits?|letters?|only|with|match|separated|uuid|url", text)
    return bool("pattern" in schema and told) or bool(
        "format" in schema and set(_words(difference.name)) & {"date", "time", "url", "uri", "email", "uuid", "link"}
    )


def word_by_now(difference: Difference) -> bool:
    return difference.name.lower() in WORDS_BY_NOW


def known_and_described(difference: Difference) -> bool:
    return len(_words(_said(difference))) > 1 and _words(_said(difference)) != _words(difference.name)


def told_in_any_form(difference: Difference) -> bool:
    text = difference.description.lower()
    stems = (
        "delet|remov|destr|purg|eras|wip|clear|reset|replac|overwrit|revok|cancel|truncat|stop|kill|permanent|discard"
        "|trash|forever"
    )
    return bool(
        re.search(
            rf"\b(?:{stems}|terminat|uninstall|flush|prun|shut|drop|empt|restor|recover|undo|cascad|los[es])", text
        )
    )


def no_effect_in_the_name(difference: Difference) -> bool:
    return (difference.tool.get("annotations") or {}).get("destructiveHint") is not True


def reading_stands_alone(difference: Difference) -> bool:
    reading = "get|list|show|read|search|find|fetch|query|check|view|return|describe|count|preview|look|retrieve|analyz|explain"
    text = f"{difference.description.lower()} {difference.tool.get('name')}".lower().replace("_", " ")
    hint = (difference.tool.get("annotations") or {}).get("readOnlyHint")
    return hint is True or (hint is None and bool(re.search(rf"\b(?:{reading}|validate|plan|can|is|has)", text)))


def order_in_other_words(difference: Difference) -> bool:
    return bool(
        re.search(
            r"\b(?:rather than|follow|already|afterwards?|beforehand|must|alternatives?|see also|preferred over|before|first)\b"
            r"|\b\d\. call",
            difference.description,
            re.I,
        )
    )


def no_order_in_these_words(difference: Difference) -> bool:
    words = difference.description.lower()
    names = [str(tool.get("name")).lower() for tool in difference.tools if tool is not difference.tool]
    everyday = any(
        name in words
        for name in names
        if name.isalpha() or not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", words)
    )
    spoken = re.search(
        r"\b(?:first|following|next|once|then|requires?|use\s+\w+\s+(?:to|for|when)\w*|run \w+|see \w+)\b",
        words,
    )
    return everyday or spoken is not None


def length_is_no_pattern(difference: Difference) -> bool:
    """Whether nothing is left if lengths do not count and every verb does."""
    lacking = unlike(difference)
    return not lacking or (lacking == ["v"] and begins(difference.description))


def half_of_a_family(difference: Difference) -> bool:
    pattern = difference.case.oracle.pat
    others = family(difference)
    shown = sum(bool(re.search(r"\bexamples?\b|e\.g\.", text, re.I)) for text in others) * 2 > len(others)
    verbs = sum(map(begins, others)) * 2 >= len(others)
    own = re.search(r"\bexamples?\b|e\.g\.", difference.description, re.I)
    return (shown and own is None) or (verbs and not pattern(difference.description)["v"])
