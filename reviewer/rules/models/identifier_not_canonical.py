'''Output objects call their identifier, name and link `id`, `name` and `url`.

If `id`, `name` and `url` are the same in every answer, clients need not look them up: an object with an `id` can be requested by
it. With `task_id` in one answer and `berthNumber` in another, there are as many names as kinds of objects. References to other
objects keep their names.

Bad:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    letterNumber: str  # flaw
    subject: str

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""
```

Good:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    id: str
    folder_id: str
    subject: str

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.outputs import AnswerObject, has_answer, is_envelope, iter_answer_objects, place
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.rules.shared.words.verbs import is_verb
from reviewer.source import Text

KINDS = frozenset("result item row output response summary detail details info model record dto entry view".split())
"""What the name of a model says beside what it is a model of."""

CANONICAL = {
    "id": frozenset("id number no key code ref reference identifier uid uuid guid".split()),
    "name": frozenset("name title label".split()),
    "url": frozenset("url link href permalink".split()),
}
"""The names that an object has for itself, and what else they are called behind what the object is."""

BARE = frozenset("identifier uid uuid guid link href permalink weblink".split())
"""Names that stand for one of them without saying of what."""


def _iter_other(model: AnswerObject, tool: Tool) -> Iterator[tuple[int, str]]:
    """Yield the fields that stand for a canonical one which the object lacks: their index and that name."""
    named = model.name or ("" if model.path or not isinstance(tool.name, Text) else tool.name)
    thing = tuple(word for word in split_words(named) if word not in KINDS and (model.name or not is_verb(word)))
    thing = (
        thing[:-1] if thing[1:] and thing[-1] == "list" else thing
    )  # `BerthListItem` is a berth, `ListResult` a list
    names = {part.name for part in model.fields}
    for index, part in enumerate(model.fields):
        said = split_words(part.name)
        for name, called in CANONICAL.items():
            own = bool(thing) and said[:-1] in (thing, thing[-1:], ("web",), ("html",)) and said[-1] in called
            bare = "".join(said) in BARE & called | (BARE & {"weblink"} if name == "url" else frozenset())
            if name not in names and said and (own or bare):
                yield index, name


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: prefer id, name, url",),
    when=has_answer,
    absent="no tool has an output schema with fields that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each object that has the canonical identifier only under another name."""
    for model in iter_answer_objects(tool):
        for index, name in _iter_other(model, tool) if not is_envelope(model) else ():
            part = model.fields[index]
            yield Flaw(
                place(tool, part.path, model.name),
                f"`{part.name}` of `{model.name or 'the answer'}` should be named `{name}`, as in other answers",
                f"Rename it to `{name}`.",
            )
