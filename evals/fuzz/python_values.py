"""Python expressions from a grammar."""

from random import Random

from forms import forms
from values import KEYS, NAMES, PATTERNS, TEXTS, chance, some

NUMBERS = forms("python", "numbers")
OTHERS = forms("python", "others")
OPERATORS = forms("python", "operators")
METHODS = forms("python", "methods")
CALLS = forms("python", "calls")
SHAPES = forms("python", "shapes")
FORMS = forms("python", "expressions")
DOCUMENTED = forms("python", "documented")


class Values:
    """Makes expressions; `names` are those that the module has by now."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.names: list[str] = ["x", "mcp", "name"]

    def make(self, depth: int) -> str:
        """Return an expression that nests at most `depth` deep."""
        random = self.random
        if depth <= 0 or chance(random, 35):
            return self.leaf()
        kind = random.randrange(7)
        if kind == 0:
            return f"{self.operand(depth)} {random.choice(OPERATORS)} {self.operand(depth)}"
        if kind == 1:
            return f"{self.operand(depth)}.{random.choice(METHODS).replace('{0}', self.make(depth - 1))}"
        if kind == 2:
            return random.choice(CALLS).replace("{0}", self.make(depth - 1))
        if kind == 3:
            return random.choice(SHAPES).format(*(self.make(depth - 1) for _ in range(2)))
        if kind == 4:
            return random.choice(FORMS).format(*(self.operand(depth) for _ in range(3)), name=random.choice(NAMES))
        if kind == 5:
            return self.schema(depth)
        return self.leaf()

    def operand(self, depth: int) -> str:
        made = self.make(depth - 1)
        return made if made.isidentifier() else f"({made})"

    def leaf(self) -> str:
        """Return a name or a literal."""
        random = self.random
        kind = random.randrange(10)
        if kind < 3:
            return self.text()
        if kind < 5:
            return random.choice(NUMBERS)
        if kind < 8:
            return random.choice(self.names)
        return random.choice(OTHERS) if kind == 8 else random.choice(["[]", "{}", "()", "set()", "''"])

    def text(self) -> str:
        """Return a string literal."""
        random = self.random
        if chance(random, 8):
            return random.choice(
                [
                    "'\\ud800'",
                    "'\\udfff\\ud800'",
                    "'\\x00'",
                    "r'\\d'",
                    "'\\N{BULLET}'",
                    "'a' 'b'",
                    "u'x'",
                    "f''",
                    "'''a\nb'''",
                ]
            )
        if chance(random, 8):
            return repr(random.choice(PATTERNS))
        return ascii(random.choice(TEXTS)) if chance(random, 50) else repr(random.choice(TEXTS))

    def docstring(self) -> str:
        """Return a documentation string with parameters."""
        parts = ["Does it."] + [
            random_form.format(
                name=self.random.choice(NAMES), text=self.random.choice(TEXTS).replace('"', "").replace("\\", "")
            )
            for random_form in some(self.random, DOCUMENTED, 3)
        ]
        return '"""' + "\n\n    ".join(parts).replace("\x00", "").replace("\r", "") + '"""'

    def schema(self, depth: int) -> str:
        """Return a dictionary with the keys of JSON Schema."""
        random = self.random
        if depth <= 0:
            return self.leaf()
        entries = ["'type': 'object'"] if chance(random, 60) else []
        for key in some(random, KEYS, 4):
            inner = self.schema(depth - 1) if chance(random, 55) else self.make(depth - 1)
            if key in ("properties", "$defs", "patternProperties") and chance(random, 80):
                inner = "{" + ", ".join(f"'{name}': {self.schema(depth - 1)}" for name in some(random, NAMES, 3)) + "}"
            elif key in ("allOf", "anyOf", "oneOf", "enum", "examples", "required") and chance(random, 80):
                inner = f"[{inner}]"
            elif key == "$ref" and chance(random, 80):
                inner = random.choice(["'#'", "'#/$defs/a'", "'#/properties/a'", "'#/$defs/name'", "'x'", "'#/%zz'"])
            elif key == "pattern" and chance(random, 80):
                inner = repr(random.choice(PATTERNS))
            entries.append(f"{key!r}: {inner}")
        return "{" + ", ".join(entries) + "}"
