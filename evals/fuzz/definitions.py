"""Files of tool definitions from a grammar: JSON and YAML, their schemas right or wrong."""

import json
from collections.abc import Callable
from random import Random

from forms import forms
from values import KEYS, NAMES, PATTERNS, TEXTS, chance, some

TYPES = forms("definitions", "types")
NUMBERS = forms("definitions", "numbers")
PARTS = forms("definitions", "parts")
HINTS = forms("definitions", "hints")
REFERENCES = forms("definitions", "references")
FORMATS = forms("definitions", "formats")
TURNED = forms("definitions", "turned")
BLOCKS = forms("definitions", "blocks")


class Document:
    """A document in the making, as JSON text; a text is spelled with escapes at times."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def text(self, value: str | None = None) -> str:
        random = self.random
        if value is None and chance(random, 6):
            return random.choice(
                ['"\\ud800"', '"\\udc00x"', '"\\u0000"', '"\\u001b[31m"', '"\\/"', '"\\ud83d\\ude00"', '"\\u202e"']
            )
        text = random.choice(TEXTS) if value is None else value
        return json.dumps(text, ensure_ascii=chance(random, 50))

    def any(self, depth: int) -> str:
        """Return any value."""
        random = self.random
        kind = random.randrange(9 if depth > 0 else 6)
        if kind < 2:
            return self.text()
        if kind == 2:
            return random.choice(NUMBERS)
        if kind < 5:
            return random.choice(("true", "false", "null", "[]", "{}"))
        if kind == 5:
            return self.text(random.choice(NAMES))
        if kind == 6:
            return "[" + ", ".join(self.any(depth - 1) for _ in range(random.randint(0, 3))) + "]"
        if kind == 7:
            return self.schema(depth - 1)
        return self.write_struct((random.choice(NAMES), self.any(depth - 1)) for _ in range(random.randint(0, 3)))

    def write_struct(self, entries) -> str:
        return "{" + ", ".join(f"{json.dumps(key)}: {value}" for key, value in entries) + "}"

    def schema(self, depth: int) -> str:
        """Return a schema."""
        random = self.random
        if depth <= 0:
            return self.write_struct([("type", self.text(random.choice(TYPES)))]) if chance(random, 70) else self.any(0)
        entries = [("type", self.text(random.choice(TYPES)))] if chance(random, 60) else []
        entries += [(key, self.keyword(key, depth - 1)) for key in some(random, KEYS, 5)]
        if chance(random, 2):
            entries += self.doubled()
        return self.write_struct(entries)

    def keyword(self, key: str, depth: int) -> str:
        """Return the value of a keyword, mostly of its type."""
        random = self.random
        if chance(random, 12):
            return self.any(depth)
        made = self.kinds(depth).get(key)
        return made() if made is not None else self.any(depth)

    def kinds(self, depth: int) -> dict[str, Callable[[], str]]:
        random = self.random

        def schema() -> str:
            return self.schema(depth)

        def schemas() -> str:
            return "[" + ", ".join(self.schema(depth) for _ in range(random.randint(0, 3))) + "]"

        def named() -> str:
            return self.write_struct((name, self.schema(depth)) for name in some(random, NAMES, 4))

        def values() -> str:
            return "[" + ", ".join(self.any(1) for _ in range(random.randint(0, 4))) + "]"

        def number() -> str:
            return random.choice(NUMBERS)

        return {
            "type": lambda: self.text(random.choice(TYPES)) if chance(random, 80) else values(),
            **dict.fromkeys(("properties", "$defs", "definitions", "patternProperties", "dependentSchemas"), named),
            **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), schemas),
            **dict.fromkeys(
                ("items", "not", "if", "then", "else", "additionalProperties", "contains", "propertyNames"), schema
            ),
            **dict.fromkeys(("enum", "examples"), values),
            **dict.fromkeys(
                ("minimum", "maximum", "multipleOf", "minLength", "maxLength", "minItems", "exclusiveMinimum"), number
            ),
            "required": lambda: "[" + ", ".join(self.text(each) for each in some(random, NAMES, 3)) + "]",
            "pattern": lambda: self.text(random.choice(PATTERNS)),
            "$ref": lambda: self.text(random.choice(REFERENCES)),
            "$dynamicRef": lambda: self.text(random.choice(REFERENCES)),
            "format": lambda: self.text(random.choice(FORMATS)),
            "uniqueItems": lambda: random.choice(("true", "false")),
            "description": self.text,
            "title": self.text,
        }

    def doubled(self) -> list[tuple[str, str]]:
        """Return definitions of which each refers to the next one twice."""
        times = self.random.choice([3, 12, 30])
        form = self.random.choice(
            [
                '{"allOf": [%s, %s]}',
                '{"properties": {"a": %s, "b": %s}}',
                '{"anyOf": [%s, %s]}',
                '{"items": %s, "contains": %s}',
            ]
        )
        made = []
        for number in range(times):
            below = f'{{"$ref": "#/$defs/a{number + 1}"}}'
            made.append((f"a{number}", form % (below, below)))
        return [("$defs", self.write_struct([*made, (f"a{times}", '{"type": "string"}')])), ("$ref", '"#/$defs/a0"')]

    def tool(self) -> str:
        """Return a tool."""
        random = self.random
        if chance(random, 3):
            return self.any(1)
        entries = [
            ("name", self.text() if chance(random, 50) else self.text(random.choice(["get_note", "list_notes", "x"])))
        ]
        entries += [("description", self.text())] if chance(random, 80) else []
        entries += [("inputSchema", self.input(3))] if chance(random, 92) else []
        entries += [("outputSchema", self.schema(2))] if chance(random, 20) else []
        if chance(random, 25):
            entries.append(("annotations", self.write_struct((hint, self.any(0)) for hint in some(random, HINTS, 3))))
        entries += [(part, self.any(1)) for part in some(random, PARTS, 1)] if chance(random, 15) else []
        return self.write_struct(entries)

    def input(self, depth: int) -> str:
        """Return a schema of an input, mostly one that holds properties."""
        random = self.random
        if chance(random, 15):
            return self.schema(depth)
        entries = [
            ("type", '"object"'),
            ("properties", self.keyword("properties", depth)),
            ("required", self.keyword("required", 1)),
        ]
        entries += [(key, self.keyword(key, depth)) for key in some(random, KEYS, 2)]
        if chance(random, 4):
            entries += self.doubled()
        return self.write_struct(entries)

    def document(self) -> str:
        """Return a whole document."""
        random = self.random
        if chance(random, 2):
            return self.deep()
        tools = "[" + ", ".join(self.tool() for _ in range(random.randint(1, 3))) + "]"
        kind = random.randrange(8)
        if kind < 4:
            return self.write_struct([("tools", tools)])
        if kind == 4:
            return self.write_struct(
                [("jsonrpc", '"2.0"'), ("id", "1"), ("result", self.write_struct([("tools", tools)]))]
            )
        if kind == 5:
            return tools
        if kind == 6:
            return self.tool()
        return self.write_struct([("name", self.any(0)), ("tools", tools), ("capabilities", self.any(2))])

    def deep(self) -> str:
        """Return a document that nests deep, or is long."""
        count = self.random.choice([90, 110, 500, 3000])
        return self.random.choice(
            (
                lambda: "[" * count + "]" * count,
                lambda: '{"tools": ' + "[" * count + "]" * count + "}",
                lambda: '{"tools": [{"name": "a", "inputSchema": ' + '{"items": ' * count + "{}" + "}" * count + "}]}",
                lambda: (
                    '{"tools": [{"name": "a", "inputSchema": '
                    + '{"properties": {"a": ' * count
                    + "{}"
                    + "}}" * count
                    + "}]}"
                ),
                lambda: (
                    '{"tools": [{"name": "a", "inputSchema": {"enum": [' + ", ".join(map(str, range(count))) + "]}}]}"
                ),
                lambda: '{"tools": [' + ", ".join(['{"name": "a"}'] * min(count, 500)) + "]}",
            )
        )()


def in_json(random: Random) -> str:
    """Return a JSON document."""
    return Document(random).document()


def in_yaml(random: Random) -> str:
    """Return a YAML document: JSON is one, and it takes tags, anchors and other scalars besides."""
    text = Document(random).document()
    for _ in range(random.randint(0, 3)):
        old, new = random.choice(TURNED)
        places = [place for place in range(len(text)) if text.startswith(old, place)]
        if places:
            place = random.choice(places)
            text = text[:place] + new + text[place + len(old) :]
    if chance(random, 12):
        text = random.choice(BLOCKS).replace("@", text)
    return text
