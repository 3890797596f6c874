"""Doc comments → the description that the macros of rmcp and rust-mcp-sdk make of them."""

from tree_sitter import Node

from reviewer.languages.rust.evaluation.folding import ConstantFolder
from reviewer.languages.rust.evaluation.literals import evaluate_string
from reviewer.languages.rust.evaluation.values import ExpressionPlace
from reviewer.languages.rust.project.items import RustItems
from reviewer.languages.rust.syntax import attributes
from reviewer.languages.rust.syntax.attributes import Doc
from reviewer.source import Opaque, Text


def join_docs(
    items: RustItems, over: Node, path: str, *, until_attribute: bool = True, blank: bool = False
) -> Text | Opaque | None:
    """Join the docs over a function: lines trimmed, blank ones dropped, unless they are to be kept as rust-mcp-sdk does.

    With `until_attribute`, as rmcp does since 0.2, any attribute but `#[tool]` drops the docs before it.
    """
    kept: list[tuple[Doc, str | Opaque]] = []
    consumed = False
    for part in attributes.iter_docs(attributes.list_preceding(over)):
        if isinstance(part, Doc):
            kept.append((part, _get_line(items, part, path)))
        elif part.name == "tool" and not consumed:
            consumed = True
        elif until_attribute:
            kept = []
    opaque = next((line for _, line in kept if isinstance(line, Opaque)), None)
    if opaque is not None:
        return opaque
    lines = [(doc, str(line)) for doc, line in kept if line or blank]
    if not lines:
        return None
    span = items.sources[path].to_span(lines[0][0].node.start_point, lines[-1][0].node.end_point)
    return Text("\n".join(line for _, line in lines), span)


def read_documentation(items: RustItems, over: Node, path: str) -> Text | None:
    """Return all docs over a function, whether a macro makes a description of them or not; None where there are none."""
    found = join_docs(items, over, path, until_attribute=False)
    return found if isinstance(found, Text) else None


def _get_line(items: RustItems, doc: Doc, path: str) -> str | Opaque:
    if doc.text is not None:
        return doc.text.strip()
    literal = evaluate_string(doc.tokens[0]) if len(doc.tokens) == 1 else None
    if literal is not None:
        return literal.strip()
    value = ConstantFolder(items).fold(doc.tokens[0], ExpressionPlace(path, {}))
    return value if isinstance(value, Text | Opaque) else Opaque("not a string", items.locate_node(path, doc.node))
