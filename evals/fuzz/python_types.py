"""Python annotations from a grammar."""

from random import Random

from forms import forms
from python_values import Values
from values import PATTERNS, chance, some

SIMPLE = forms("python", "simple_types")
FORMS = forms("python", "types")
OPTIONS = forms("python", "field_options")


class Types:
    """Makes annotations; `names` are those of the module's classes and aliases."""

    def __init__(self, random: Random, values: Values) -> None:
        self.random = random
        self.values = values
        self.names: list[str] = []

    def make(self, depth: int) -> str:
        """Return an annotation that nests at most `depth` deep."""
        random = self.random
        if depth <= 0 or chance(random, 40):
            return random.choice(self.names) if self.names and chance(random, 40) else random.choice(SIMPLE)
        parts = self.make(depth - 1), self.make(depth - 1)
        return random.choice(FORMS).format(*parts, field=self.field(), value=self.values.make(1))

    def field(self) -> str:
        """Return a call of pydantic's Field."""
        random = self.random
        given = [self.values.make(1)] if chance(random, 20) else []
        for key in dict.fromkeys(some(random, OPTIONS, 4)):
            value = repr(random.choice(PATTERNS)) if key == "pattern" and chance(random, 60) else self.values.make(1)
            if key == "examples" and chance(random, 70):
                value = f"[{value}, {self.values.leaf()}]"
            elif key == "json_schema_extra" and chance(random, 60):
                value = self.values.schema(2)
            given.append(f"{key}={value}")
        return f"Field({', '.join(given)})"
