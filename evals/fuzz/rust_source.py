"""Rust servers from a grammar: rmcp's routers, hand-written listings, serde's and schemars' attributes, right or wrong."""

from random import Random

from forms import forms
from values import KEYS, NAMES, TEXTS, chance, some

HEAD = forms("rust", "head")
SIMPLE = forms("rust", "simple")
TYPES = forms("rust", "types")
NUMBERS = forms("rust", "numbers")
EXPRESSIONS = forms("rust", "expressions")
SERDE = forms("rust", "serde")
SCHEMARS = forms("rust", "schemars")
DERIVES = forms("rust", "derives")
TOOL = forms("rust", "tool")
ITEMS = forms("rust", "items")
DOUBLED = forms("rust", "doubled")
TAKEN = forms("rust", "taken")
ATTRIBUTES = forms("rust", "attributes")
ODD_TEXTS = forms("rust", "odd_texts")
ROUTERS = forms("rust", "routers")
HANDLERS = forms("rust", "handlers")
LISTING, TRAIT, ACTION, CATALOG = forms("rust", "templates")


class Source:
    """A source in the making."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.names: list[str] = []

    def module(self) -> str:
        """Return a whole file."""
        random = self.random
        parts = list(HEAD) if chance(random, 85) else []
        for _ in range(random.randint(0, 4)):
            parts.append(random.choice([self.struct, self.struct, self.enum, self.enum, self.item, self.doubled])())
        made = [self.router] * 5 + [self.listing, self.trait, self.catalog]
        for _ in range(random.randint(1, 2)):
            parts.append(random.choice(made)())
        if chance(random, 10):
            random.shuffle(parts)
        return "\n".join(parts) + "\n"

    def type(self, depth: int) -> str:
        random = self.random
        if depth <= 0 or chance(random, 45):
            return random.choice(self.names) if self.names and chance(random, 45) else random.choice(SIMPLE)
        form = random.choice(TYPES)
        return self._filled(form, depth, self.type)

    def value(self, depth: int = 1) -> str:
        random = self.random
        if depth <= 0 or chance(random, 40):
            return random.choice(
                [self.text, lambda: random.choice(NUMBERS), lambda: random.choice(NAMES), lambda: "true"]
            )()
        return self._filled(random.choice(EXPRESSIONS), depth, self.value)

    def _filled(self, form: str, depth: int, inner) -> str:
        parts = {"{0}": inner, "{1}": inner}
        for mark, make in parts.items():
            if mark in form:
                form = form.replace(mark, make(depth - 1).replace("{", "{{").replace("}", "}}"))
        return self.put(form, depth)

    def put(self, form: str, depth: int = 1) -> str:
        """Fill a form whose braces are doubled."""
        wanted = {
            "text": self.text,
            "json": lambda: self.json(depth),
            "name": lambda: self.random.choice(NAMES),
            "Name": lambda: self.random.choice(self.names or ["A"]),
            "value": lambda: self.value(depth - 1),
            "number": lambda: self.random.choice(NUMBERS),
            "type": lambda: self.type(1),
        }
        for name, make in wanted.items():
            while f"{{{name}}}" in form:
                form = form.replace(f"{{{name}}}", make().replace("{", "{{").replace("}", "}}"), 1)
        return form.replace("{{", "{").replace("}}", "}")

    def text(self) -> str:
        """Return a string literal."""
        random, text = self.random, self.random.choice(TEXTS)
        if chance(random, 12):
            return random.choice(ODD_TEXTS)
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'

    def json(self, depth: int) -> str:
        """Return what stands in `json!`."""
        random = self.random
        if depth <= 0 or chance(random, 25):
            return self.value(0)
        if chance(random, 25):
            return f"[{self.json(depth - 1)}, {self.json(depth - 1)}]"
        entries = (
            [f'"type": {random.choice(["object", "string", "x"])!r}'.replace("'", '"')] if chance(random, 60) else []
        )
        for key in some(random, KEYS, 3):
            named = f'{{"{random.choice(NAMES)}": {self.json(depth - 1)}}}'
            entries.append(f'"{key}": {named if key == "properties" and chance(random, 80) else self.json(depth - 1)}')
        return "{" + ", ".join(entries) + "}"

    def attributes(self, most: int = 2) -> list[str]:
        random = self.random
        made = []
        for _ in range(random.randint(0, most)):
            kind, forms = random.choice(
                [("serde", SERDE), ("schemars", SCHEMARS), ("schemars", SCHEMARS), ("validate", SCHEMARS)]
            )
            made.append(f"#[{kind}({', '.join(self.put(form) for form in some(random, forms, 3))})]")
        if chance(random, 30):
            made.insert(0, "/// " + random.choice(TEXTS).replace("\n", " ").replace("\r", " "))
        if chance(random, 4):
            made.append(random.choice(ATTRIBUTES))
        return made

    def _name(self) -> str:
        name = self.random.choice(["A", "B", "Item", "Query", "Kind"])
        self.names.append(name)
        return name + (
            self.random.choice(["<T>", "<'a>", "<T: JsonSchema, const N: usize>"]) if chance(self.random, 10) else ""
        )

    def struct(self) -> str:
        random = self.random
        head = [random.choice(DERIVES), *self.attributes()]
        fields = [
            line
            for _ in range(random.randint(0, 4))
            for line in (*self.attributes(), f"{random.choice(NAMES)}: {self.type(2)},")
        ]
        kind = random.randrange(6)
        if kind == 0:
            return "\n".join([*head, f"pub struct {self._name()}({self.type(2)});"])
        if kind == 1:
            return "\n".join([*head, f"struct {self._name()};"])
        return "\n".join([*head, f"pub struct {self._name()} {{", *fields, "}"])

    def enum(self) -> str:
        random = self.random
        lines = [random.choice(DERIVES), *self.attributes(), f"pub enum {self._name()} {{"]
        for _ in range(random.randint(0, 4)):
            lines += self.attributes(1)
            shape = random.choice(
                ["", "", "({type})", "({type}, {type})", " {{ {name}: {type} }}", " = {number}", "()"]
            )
            lines.append(random.choice(["One", "Two", "List", "Get", "R#Type", "É"]) + self.put(shape, 1) + ",")
        return "\n".join([*lines, "}"])

    def item(self) -> str:
        """Return a constant, an alias, a function, a macro or an implementation."""
        return self.put(self.random.choice(ITEMS), 2)

    def doubled(self) -> str:
        """Return types or constants of which each holds the one before twice."""
        random, times = self.random, self.random.choice([3, 12, 30])
        start, step = random.choice(DOUBLED)
        lines = [start, *(step.replace("@0", str(number)).replace("@1", str(number + 1)) for number in range(times))]
        self.names.append(f"D{times}")
        return "\n".join(lines)

    def router(self) -> str:
        random = self.random
        functions = "\n".join(self.function() for _ in range(random.randint(1, 3)))
        head, handler = random.choice(ROUTERS), random.choice(HANDLERS)
        return f"pub struct S {{ tool_router: ToolRouter<S> }}\n{head}\nimpl S {{\n{functions}\n}}\n{handler}"

    def function(self) -> str:
        random = self.random
        options = ", ".join(self.put(form, 2) for form in some(random, TOOL, 3))
        told = "/// " + random.choice(TEXTS).replace("\n", " ").replace("\r", " ") + "\n" if chance(random, 40) else ""
        taken = random.choice(TAKEN)
        body = ";\n        ".join(self.value(2) for _ in range(random.randint(1, 3)))
        name = random.choice(["get", "list_items", "delete", "run", "r#type"])
        head = f"{told}    #[tool({options})]" if chance(random, 90) else f"{told}    #[tool]"
        return f"    {head}\n    async fn {name}(&self, {self.put(taken)}) -> {self.type(2)} {{\n        {body}\n    }}"

    def listing(self) -> str:
        """Return a handler that lists its tools by hand."""
        tools = ", ".join(
            f"Tool::new({self.text()}, {self.text()}, {self.value(2)})" for _ in range(self.random.randint(1, 3))
        )
        return self.put(LISTING, 3).replace("@tools", tools).replace("@arms", self._arms())

    def trait(self) -> str:
        """Return an implementation of a tool trait."""
        return self.put(TRAIT, 3).replace("@name", self._name())

    def catalog(self) -> str:
        """Return an action catalog and its dispatch."""
        specs = ", ".join(self.put(ACTION, 2) for _ in range(self.random.randint(1, 3)))
        return self.put(CATALOG, 3).replace("@actions", specs).replace("@arms", self._arms())

    def _arms(self) -> str:
        return "\n".join(f"            {self.text()} => {self.value(2)}," for _ in range(self.random.randint(0, 3)))


def module(random: Random) -> str:
    """Return a server."""
    return Source(random).module()
