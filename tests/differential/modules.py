"""The source text of a server module while it is written, and how its parts are put together."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from hypothesis import strategies as st

Framework = Literal["mcp", "fastmcp"]
Draw = Callable[[st.SearchStrategy], object]

SERVER = {
    "mcp": "from mcp.server import MCPServer\nserver = MCPServer('demo')\n",
    "fastmcp": "from fastmcp import FastMCP\nserver = FastMCP('demo')\n",
}
CONTEXT = {"mcp": "from mcp.server.mcpserver import Context", "fastmcp": "from fastmcp import Context"}
MODULES = {
    "typing": "Annotated Any ClassVar Dict Generic Iterable List Literal Mapping NewType Optional Sequence Tuple"
    " TypeAlias TypeVar Union",
    "typing_extensions": "NotRequired Required TypedDict",
    "pydantic": "AliasChoices BaseModel ConfigDict Field HttpUrl PositiveInt RootModel SecretStr conint constr"
    " field_validator model_validator computed_field",
    "enum": "Enum IntEnum StrEnum auto",
    "datetime": "date datetime time timedelta",
    "uuid": "UUID",
    "decimal": "Decimal",
    "pathlib": "Path",
    "pydantic.alias_generators": "to_camel",
    "dataclasses": "dataclass",
    "mcp.types": "CallToolResult TextContent ImageContent ToolAnnotations",
}
WHOLE = ("dataclasses", "functools", "inspect", "textwrap", "pydantic", "typing", "enum")
"""Modules that are imported as such where a text says `module.name`."""


@dataclass(frozen=True)
class Kind:
    """A type as written, with defaults that fit it. `family` says which constraints it takes."""

    text: str
    defaults: tuple[str, ...] = ("None",)
    family: str = ""
    hashable: bool = False


@dataclass(frozen=True)
class Options:
    """What a module may hold. `without` names constructs that are left out, to look past a known difference."""

    framework: Framework = "mcp"
    without: frozenset[str] = frozenset()

    def offered(self, choices: dict[str, object]) -> list:
        """Return the choices that are not left out."""
        return [choice for tag, choice in choices.items() if tag not in self.without]


@dataclass
class Module:
    """A module that is being written: definitions so far, and what types they gave."""

    options: Options
    blocks: list[str] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)
    future: bool = False

    def fresh(self, stem: str) -> str:
        """Return a name that no definition has yet."""
        return f"{stem}{len(self.blocks) or ''}"


@dataclass(frozen=True)
class Function:
    """A tool function: its `def` without decorators, and the arguments of its registration."""

    name: str
    text: str
    arguments: tuple[str, ...] = ()


def whole(module: Module, body: str) -> str:
    """Put a module together: imports that are needed, the server, definitions, tools."""
    below = "\n".join([*module.blocks, body])
    imports = [
        f"from {origin} import {', '.join(used)}\n"
        for origin, names in MODULES.items()
        if (used := [name for name in names.split() if re.search(rf"(?<![\w.]){name}\b", below)])
    ]
    imports += [f"import {name}\n" for name in WHOLE if re.search(rf"(?<![\w.]){name}\.", below)]
    if "Context" in below:
        imports.append(CONTEXT[module.options.framework] + "\n")
    if re.search(r"(?<!\w)Image\b", below):
        origin = "mcp.server.mcpserver" if module.options.framework == "mcp" else "fastmcp.utilities.types"
        imports.append(f"from {origin} import Image\n")
    future = "from __future__ import annotations\n" if module.future else ""
    return f"{future}{''.join(imports)}{SERVER[module.options.framework]}{below}"
