"""Strategies for functions: parameters, return annotations, and a function written of them."""

from dataclasses import dataclass

from hypothesis import strategies as st

from differential.kinds import annotated, field_default
from differential.modules import Draw, Kind, Module, Options

NAMES = ["path", "limit", "query", "max_items", "userId", "type", "x1", "class_", "größe", "HTTPUrl", "a__b", "format"]
TAKEN = ["schema", "copy", "json", "validate", "dict", "construct", "model_name", "model_config"]
"""Names that mean something on a pydantic model."""


@dataclass(frozen=True)
class Parameter:
    """A parameter as written, and whether Python takes it as one with a default."""

    text: str
    defaulted: bool


UNTYPED = ["1", "None", "[]", "''"]


@st.composite
def parameters(
    draw: Draw, module: Module, kinds: st.SearchStrategy[Kind], name: str, *, required: bool | None = None
) -> Parameter:
    """Draw one parameter with its annotation and default; `required` as the framework sees it."""
    options = module.options
    required = draw(st.booleans()) if required is None else required
    style = draw(st.sampled_from(options.offered({"typed": "typed", "untyped": "untyped", "marked": "marked"})))
    if style == "untyped":
        return Parameter(name if required else f"{name}={draw(st.sampled_from(UNTYPED))}", not required)
    kind = draw(annotated(module, kinds, aliases=True) if style == "marked" else kinds)
    quoted = "string annotation" not in options.without and not module.future and draw(st.integers(0, 5)) == 5
    text = repr(kind.text) if quoted else kind.text
    if "Field default" not in options.without and draw(st.integers(0, 3)) == 3:
        return Parameter(f"{name}: {text} = Field({draw(field_default(options, kind, required))})", True)
    if required:
        return Parameter(f"{name}: {text}", False)
    return Parameter(f"{name}: {text} = {draw(st.sampled_from(kind.defaults))}", True)


@st.composite
def signatures(draw: Draw, module: Module, kinds: st.SearchStrategy[Kind]) -> str:
    """Draw what stands between the parentheses of a `def`: without default, with default, keyword-only."""
    options = module.options
    pool = NAMES + (TAKEN if "taken names" not in options.without else [])
    names = draw(st.lists(st.sampled_from(pool), max_size=5, unique=True))
    drawn = [draw(parameters(module, kinds, name)) for name in names]
    split = len(drawn) - (draw(st.integers(0, len(drawn))) if "keyword-only" not in options.without else 0)
    plain = draw(_with_context(options, [each.text for each in drawn[:split] if not each.defaulted]))
    if (
        plain
        and options.framework == "mcp"
        and "positional-only" not in options.without
        and draw(st.integers(0, 7)) == 7
    ):
        plain.append("/")
    parts = [*plain, *(each.text for each in drawn[:split] if each.defaulted)]
    if drawn[split:]:
        parts += ["*", *(each.text for each in drawn[split:])]
    if options.framework == "mcp" and "splat" not in options.without and draw(st.integers(0, 15)) == 15:
        parts.append("**extra: int")
    return ", ".join(parts)


@st.composite
def _with_context(draw: Draw, options: Options, plain: list[str]) -> list[str]:
    """Put a context parameter between others."""
    forms = {"Context": "Context", "Context | None": "Context | None", "quoted Context": "'Context'"}
    offered = options.offered(forms)
    if not offered or draw(st.integers(0, 3)) != 3:
        return plain
    name = draw(st.sampled_from(["ctx", "context", "c", "request"]))
    place = draw(st.integers(0, len(plain)))
    return [*plain[:place], f"{name}: {draw(st.sampled_from(offered))}", *plain[place:]]


SERIALIZABLE = frozenset({" -> str", " -> int", " -> list[str]", " -> dict[str, int]", " -> bool", " -> float"})
RETURNS = {
    "none": "",
    "None": " -> None",
    "str": " -> str",
    "int": " -> int",
    "bool": " -> bool",
    "bytes": " -> bytes",
    "list": " -> list[str]",
    "bare list": " -> list",
    "dict": " -> dict[str, int]",
    "dict of Any": " -> dict[str, Any]",
    "bare dict": " -> dict",
    "dict by int": " -> dict[int, str]",
    "Any": " -> Any",
    "union": " -> int | str",
    "optional": " -> str | None",
    "Optional": " -> Optional[list[int]]",
    "tuple": " -> tuple[int, str]",
    "CallToolResult": " -> CallToolResult",
    "Annotated CallToolResult": " -> Annotated[CallToolResult, dict[str, int]]",
    "TextContent": " -> TextContent",
    "list of TextContent": " -> list[TextContent]",
    "content or str": " -> list[TextContent | ImageContent] | str",
    "Image": " -> Image",
    "list of Image": " -> list[Image | str]",
    "quoted": " -> 'list[str]'",
    "Annotated": " -> Annotated[int, Field(description='D', ge=1)]",
    "set": " -> set[int]",
    "datetime": " -> datetime",
    "Literal": " -> Literal['a', 'b']",
    "object": " -> object",
}


@st.composite
def returns(draw: Draw, module: Module) -> str:
    """Draw a return annotation with its arrow, or nothing."""
    forms = st.sampled_from(module.options.offered(RETURNS))
    own = [f" -> {form.format(kind.text)}" for kind in module.kinds for form in ("{}", "list[{}]", "{} | None")]
    return draw(st.one_of(forms, st.sampled_from(own)) if own else forms)


def define(name: str, signature: str, docstring: str = "", result: str = "", *, asynchronous: bool = False) -> str:
    """Write a function."""
    body = f"    {docstring}\n    return None" if docstring else "    return None"
    return f"{'async ' if asynchronous else ''}def {name}({signature}){result}:\n{body}\n"
