"""Python servers from a grammar: what SDKs, pydantic and the standard library let people write, right or wrong."""

from collections.abc import Callable
from random import Random

import python_statements
from forms import forms
from python_types import Types
from python_values import Values
from values import NAMES, chance, some

IMPORTS = forms("python", "imports")
DOUBLED = forms("python", "doubled")
"""What grows with each of the same steps: how it begins, and the step."""
BASES = forms("python", "bases")
DECORATORS = forms("python", "decorators")
MEMBER_DECORATORS = forms("python", "member_decorators")
OPTIONS = forms("python", "tool_options")
REPLACED = forms("python", "replaced")

SERVERS = (
    ("from mcp.server.fastmcp import FastMCP, Context", 'mcp = FastMCP("demo")'),
    ("from fastmcp import FastMCP, Context", 'mcp = FastMCP("demo")'),
    ("from mcp.server import MCPServer", 'mcp = MCPServer("demo")'),
    ("from mcp.server.lowlevel import Server", 'mcp = Server("demo")'),
)


class Source:
    """A source in the making."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.values = Values(random)
        self.types = Types(random, self.values)
        self.statements = python_statements.Statements(random, self.values, self.types)

    def module(self) -> str:
        """Return a whole module."""
        random = self.random
        imported, made = random.choice(SERVERS)
        kept = IMPORTS[random.randint(0, 1) :] if chance(random, 80) else some(random, IMPORTS, 14)
        parts = [*kept, imported, made]
        makers = [self.statements.top] * 8 + [self.class_] * 4 + [self.doubled] * 2 + [self.mounted]
        for _ in range(random.randint(0, 4)):
            parts.append(random.choice(makers)())
        tools = self.listed if "Server(" in made and "lowlevel" in imported else self.tool
        for _ in range(random.randint(1, 3)):
            parts.append(random.choice([tools, tools, tools, self.tool, self.added, self.listed])())
        if chance(random, 10):
            random.shuffle(parts)
        if chance(random, 15):
            parts.append(self.statements.tail())
        return "\n".join(parts) + "\n"

    def doubled(self) -> str:
        """Return a value, type or call that doubles with each line."""
        random, name = self.random, self.random.choice(["s", "T", "k"])
        times = random.choice([3, 12, 30, 40])
        start, step = random.choice(DOUBLED)
        lines = [start.format(n=name), *[step.format(n=name)] * times]
        chained = chance(random, 30)
        if chained:  # a name of its own for each step
            lines = [start.format(n=f"{name}0"), *_steps(step, name, times)]
        self.values.names.append(f"{name}{times}" if chained else name)
        self.types.names.append(self.values.names[-1])
        return "\n".join(lines)

    def mounted(self) -> str:
        """Return servers of which each holds the one before twice."""
        lines = ['m0 = FastMCP("m0")', "@m0.tool()", f"def below({self.parameters()}): ..."]
        # 25 hold more tools than the budget affords; reading those takes seconds.
        times = 25 if chance(self.random, 10) else self.random.choice([1, 3, 5])
        for number in range(times):
            below, above = f"m{number}", f"m{number + 1}"
            lines += [f'{above} = FastMCP("{above}")', f'{above}.mount({below}, "a")', f'{above}.mount({below}, "b")']
        return "\n".join([*lines, f"mcp.mount(m{times}, {self.values.leaf()})"])

    def class_(self) -> str:
        """Return a model, a dataclass, a typed dictionary or an enumeration."""
        random = self.random
        name = random.choice(["A", "B", "Item", "Query"])
        base = random.choice(BASES).format(type=self.types.make(1), name=name)
        head = f"class {name}{base}:"
        if chance(random, 20):
            head = random.choice(DECORATORS) + "\n" + head
        body = [self.member() for _ in range(random.randint(0, 5))] or ["..."]
        if chance(random, 20):
            body.insert(0, self.values.text())
        if chance(random, 20):
            body.append(f"model_config = {random.choice([self.config(), self.values.make(1)])}")
        self.types.names.append(name)
        self.values.names.append(name)
        return head + "\n" + "\n".join("    " + line for part in body for line in part.split("\n"))

    def config(self) -> str:
        keys = [
            "extra",
            "title",
            "alias_generator",
            "json_schema_extra",
            "use_enum_values",
            "frozen",
            "strict",
            "populate_by_name",
        ]
        picked = some(self.random, keys, 3)
        return f"ConfigDict({', '.join(f'{key}={self.values.make(1)}' for key in dict.fromkeys(picked))})"

    def member(self) -> str:
        random, name = self.random, self.random.choice(NAMES)
        kind = random.randrange(8)
        if kind < 4:
            default = f" = {self.default()}" if chance(random, 55) else ""
            return f"{name}: {self.types.make(2)}{default}"
        if kind == 4:
            return f"{name.upper()} = {self.values.make(1)}"
        if kind == 5:
            return f"@{random.choice(MEMBER_DECORATORS)}\ndef {name}(self) -> {self.types.make(1)}: return {self.values.make(1)}"
        if kind == 6:
            return f"{name} = {self.default()}"
        return f"class {random.choice(['Config', 'Meta', 'A'])}:\n    {random.choice(NAMES)} = {self.values.make(1)}"

    def default(self) -> str:
        """Return a default: a value, or what pydantic or dataclasses make one of."""
        random = self.random
        if chance(random, 45):
            return self.types.field()
        if chance(random, 10):
            return random.choice(
                ["field(default_factory=list)", f"field(default={self.values.make(1)})", "auto()", "..."]
            )
        return self.values.make(1)

    def parameters(self) -> str:
        """Return the parameters of a tool."""
        random = self.random
        if chance(random, 2):
            return ", ".join(f"p{number}: int = {number}" for number in range(random.choice([30, 300])))
        made = ["*"] if chance(random, 40) else []  # after which any of them may have a default
        for name in dict.fromkeys(some(random, NAMES, 4)):
            annotation = f": {self.types.make(2)}" if chance(random, 85) else ""
            default = f" = {self.default()}" if chance(random, 40) else ""
            made.append(f"{name}{annotation}{default}")
        if chance(random, 8):
            made.insert(random.randint(0, len(made)), random.choice(["*", "/", "*args", "**kwargs", "ctx: Context"]))
        return ", ".join(made) if made != ["*"] else ""

    def tool(self) -> str:
        """Return a decorated function."""
        random = self.random
        name = random.choice(["get_note", "list_notes", "delete_file", "run", "x", "respond", "dispatch"])
        options = ", ".join(f"{key}={self.values.make(2)}" for key in dict.fromkeys(some(random, OPTIONS, 3)))
        decorator = random.choice(
            ["@mcp.tool({})"] * 6 + ["@mcp.tool", "@mcp.resource('x://{{id}}', {})", "@mcp.prompt({})"]
        )
        lines = [decorator.format(options)]
        if chance(random, 12):
            lines.insert(random.randint(0, 1), random.choice(DECORATORS))
        returned = f" -> {self.types.make(2)}" if chance(random, 60) else ""
        lines.append(f"{random.choice(['', 'async '])}def {name}({self.parameters()}){returned}:")
        if chance(random, 60):
            lines.append("    " + self.values.docstring())
        lines += ["    " + line for line in self.statements.body().split("\n")]
        if chance(random, 8):
            lines.append(random.choice(REPLACED).format(name=name, value=self.values.make(2), type=self.types.make(1)))
        self.values.names.append(name)
        return "\n".join(lines)

    def added(self) -> str:
        """Return a tool that is registered by a call."""
        random = self.random
        body = "\n    ".join(self.statements.simple().split("\n"))
        function = f"def added({self.parameters()}):\n    {body}"
        options = ", ".join(f"{key}={self.values.make(2)}" for key in dict.fromkeys(some(random, OPTIONS, 2)))
        call = random.choice(
            ["mcp.add_tool(added, {})", "mcp.tool({})(added)", "mcp.add_tool(Tool.from_function(added, {}))"]
        )
        line = call.format(options)
        if chance(random, 20):
            return f"{function}\nfor name in {self.values.make(2)}:\n    {line}"
        return f"{function}\n{line}"

    def listed(self) -> str:
        """Return the tools of a low-level server, and what they do."""
        random = self.random
        shown = ", ".join(self.definition() for _ in range(random.randint(1, 3)))
        tools = random.choice(
            [f"[{shown}]", f"[{self.definition()} for name in {self.values.make(1)}]", self.values.make(2)]
        )
        call = "\n    ".join(self.statements.body().split("\n"))
        return (
            f"@mcp.list_tools()\nasync def tools():\n    return {tools}\n"
            f"@mcp.call_tool()\nasync def call(name, arguments):\n    {call}"
        )

    def definition(self) -> str:
        """Return a low-level tool."""
        values = self.values
        parts = [f"name={values.text() if chance(self.random, 80) else values.make(1)}"]
        parts += [f"description={values.make(1)}"] if chance(self.random, 80) else []
        parts += [f"inputSchema={values.schema(3)}"] if chance(self.random, 90) else []
        parts += [f"outputSchema={values.schema(2)}"] if chance(self.random, 20) else []
        parts += [f"annotations={values.make(1)}"] if chance(self.random, 20) else []
        return f"Tool({', '.join(parts)})"


def _steps(step: str, name: str, times: int) -> list[str]:
    lines = []
    for number in range(times):
        left, _, right = step.partition("=")
        if "{n}" not in right or left.strip() != "{n}":
            lines.append(step.format(n=f"{name}{number}"))
            lines.append(f"{name}{number + 1} = {name}{number}")
        else:
            lines.append(f"{name}{number + 1} ={right.format(n=f'{name}{number}')}")
    return lines


Maker = Callable[[], str]


def module(random: Random) -> str:
    """Return a server."""
    return Source(random).module()
