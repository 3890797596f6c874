'''Arguments are never executed as code.

`eval` of an expression runs any function that the process can reach, `__import__("os").system(…)` included, whatever names it
is given; a template built from an argument, and `pickle` or `yaml.load` of one, are just as dangerous (CWE-94, CWE-95,
CWE-502).

A tool whose purpose is to run code says so in its name or description and is not reported; `code-without-warning` checks its
description. Arguments that were checked, and numbers within an expression, are not reported either.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("sums")

@mcp.tool()
def calculate(expression: str) -> str:
    """Calculate a sum."""
    return str(eval(expression))  # flaw
```

Good:

```python
import ast
import operator

from mcp.server import MCPServer

mcp = MCPServer("sums")
DONE = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}

def value(node: ast.expr) -> float:
    if isinstance(node, ast.BinOp) and type(node.op) in DONE:
        work = DONE[type(node.op)]
        return work(value(node.left), value(node.right))
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    raise ValueError("no sum")

@mcp.tool()
def calculate(expression: str) -> str:
    """Calculate a sum."""
    return str(value(ast.parse(expression, mode="eval").body))
```
'''

from collections.abc import Iterator

from reviewer.facts import Project, Tool, UncheckedReach
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.shared.acts.reached import UNSURE, format_subject, has_code, iter_reach_flaws
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.source import Text

HELP = {
    "py": "Parse it and allow only what is needed (`ast.parse`, `ast.literal_eval`, `json.loads`, `yaml.safe_load`).",
    "rs": "Parse it and allow only what is needed, or run it in an isolated engine.",
    "ts": "Parse it and allow only what is needed, or run it in an isolated engine.",
}

CODE = frozenset(
    "code python script scripts snippet program repl interpreter javascript js lua exec eval shell sandbox macro".split()
)
"""Words by which a tool says that it is there to run code."""


@rule(
    Severity.ERROR,
    cites=("CWE-94: code injection", "CWE-95: eval injection", "CWE-502: deserialization of untrusted data"),
    when=has_code,
    absent="no tool's code was found",
    unsure=UNSURE,
)
def check(project: Project) -> Iterator[Flaw | Question]:
    """Yield a finding for each argument that is run as code."""
    yield from iter_reach_flaws(project, "code", _format_message, HELP, _is_hidden)
    yield from iter_reach_flaws(
        project,
        "objects",
        lambda each: f"{format_subject(each, 'is', 'are')} deserialised into arbitrary objects",
        HELP,
    )


def _format_message(reach: UncheckedReach) -> str:
    return f"{format_subject(reach, 'is', 'are')} executed as code" + (f" by `{reach.by}`" if reach.by else "")


def _is_hidden(reach: UncheckedReach, tool: Tool | None) -> bool:
    """Return whether nothing says that an argument is code that will be run."""
    if not reach.whole or tool is None:
        return tool is not None
    said = {
        *split_words(str(tool.name)),
        *(word for text in (tool.said or "", *reach.arguments) for word in split_words(text)),
    }
    return isinstance(tool.name, Text) and said.isdisjoint(CODE)
