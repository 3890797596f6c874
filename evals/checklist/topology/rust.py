"""The topologies in Rust, by tree-sitter and edits of the text."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tree_sitter import Node

from topology.rust_syntax import (
    Parameter,
    Place,
    Source,
    body_without_self,
    function_at,
    movable,
    place_of,
    start_of,
    walk,
)
from topology.shapes import WORDS, Edits, Guard, NotApplicableError, Target, camel, write_new

__all__ = ["MOVES", "chain", "function_at", "loop", "take_away"]


def _taken(place: Place) -> list[Parameter]:
    """Return the parameters of a function that is no method but has the body of one."""
    return [*([place.receiver] if place.receiver and place.uses_self else []), *place.parameters]


def _declared(parameters: Iterable[Parameter], *before: str) -> str:
    return ", ".join([*before, *map(str, parameters)])


def _passed(parameters: Iterable[Parameter]) -> str:
    return ", ".join(each.source for each in parameters)


def _with_body(place: Place, body: str, before: str = "", behind: str = "") -> None:
    """Write the file with another body, and with items before and behind the item that the function is or stands in."""
    edits = Edits(place.source.text)
    edits.put(
        place.body.start_byte,
        place.body.end_byte,
        f"{{\n{_indented(body, place)}\n{' ' * (place.body.end_point.column - 1)}}}",
    )
    for each in place.node.children_by_field_name("parameters"):
        for pattern in walk(each):
            if (
                pattern.type == "mutable_specifier"
                and pattern.parent
                and pattern.parent.type in ("parameter", "mut_pattern")
            ):
                edits.put(pattern.start_byte, pattern.end_byte + 1, "")
    item = place.owner or place.node
    if before:
        at = start_of(item).start_byte
        edits.put(at, at, f"{before}\n\n")
    if behind:
        edits.put(item.end_byte, item.end_byte, f"\n\n{behind}")
    place.source.write(edits)


def _indented(body: str, place: Place) -> str:
    margin = " " * (place.body.end_point.column + 3)
    return "\n".join(margin + line for line in body.split("\n"))


def method(root: Path, target: Target) -> list[str]:
    """Put the body into a method, of the same type or, if it is a function, of a new one."""
    place = movable(place_of(root, target))
    if place.owner:
        name = f"{place.simple}_{WORDS[0]}"
        receiver = [place.source.of(each) for each in place._listed if each.type == "self_parameter"]
        head = f"{place.head} {name}{place.generics}({_declared(place.parameters, *receiver)}){place.returns}{place.bounds}"
        made = f"impl {place.type} {{\n    {head} {place.source.of(place.body)}\n}}"
        called = f"self.{name}" if receiver else f"{place.type}::{name}"
        _with_body(place, f"{called}({_passed(place.parameters)}){place.awaited}", behind=made)
    else:
        name = f"{camel(place.simple)}Work"
        head = f"{place.head} run{place.generics}({_declared(place.parameters, '&self')}){place.returns}{place.bounds}"
        made = f"struct {name};\n\nimpl {name} {{\n    {head} {place.source.of(place.body)}\n}}"
        _with_body(place, f"{name}.run({_passed(place.parameters)}){place.awaited}", before=made)
    return []


def closure(root: Path, target: Target) -> list[str]:
    """Put the body into a closure, of an asynchronous function into one that gives a future."""
    place = movable(place_of(root, target))
    text = place.source.of(place.body)
    if any(each.mut for each in place.parameters) or (place.receiver and place.receiver.mut):
        raise NotApplicableError("a parameter that is assigned to")
    let = "let mut" if any("&mut" in each.type for each in _taken(place)) else "let"
    if place.is_async:
        _with_body(place, f"{let} work = || async move {text};\nwork().await")
    else:
        returns = "" if "impl " in place.returns else place.returns or " -> ()"
        _with_body(place, f"{let} work = ||{returns} {text};\nwork()")
    return []


def interface(root: Path, target: Target) -> list[str]:
    """Put the body into an implementation of a new trait, and call it through a trait object."""
    place = movable(place_of(root, target))
    name, taken = camel(place.simple), _taken(place)
    if "impl " in place.returns or "impl " in _declared(taken) or "<" in place.generics.replace("<'a>", ""):
        raise NotApplicableError("no trait object has a generic method")
    head = f"{place.head} run{place.generics}({_declared(taken, '&self')}){place.returns}{place.bounds}"
    plain = re.sub(r"\bmut (?=\w+:)", "", head)
    attribute = "#[async_trait::async_trait]\n" if place.is_async else ""
    made = [
        f"{attribute}trait {name}Work {{\n    {plain};\n}}",
        f"struct Direct{name};",
        f"{attribute}impl {name}Work for Direct{name} {{\n    {head} {body_without_self(place)}\n}}",
    ]
    body = f"let work: Box<dyn {name}Work> = Box::new(Direct{name});\nwork.run({_passed(taken)}){place.awaited}"
    _with_body(place, body, before="\n\n".join(made))
    return []


def chain(root: Path, target: Target, words: Iterable[str]) -> list[str]:
    """Put the body at the end of functions that call each other, in a module below this one."""
    place = movable(place_of(root, target))
    taken = _taken(place)
    names = [f"{place.simple}_{word}" for word in words]
    heads = [f"{place.head} {name}{place.generics}({_declared(taken)}){place.returns}{place.bounds}" for name in names]
    given = ", ".join(each.name for each in taken)
    made = [
        f"{re.sub(r'mut (?=[a-z_]+:)', '', head)} {{\n    {name}({given}){place.awaited}\n}}"
        for head, name in zip(heads[:-1], names[1:], strict=True)
    ]
    made.append(f"{heads[-1]} {body_without_self(place)}")
    made[0] = f"pub(super) {made[0]}"
    name = f"{place.simple}_steps"
    path = _below(place.source, name, "\n\n".join(made))
    _with_body(place, f"{names[0]}({_passed(taken)}){place.awaited}")
    _declare(root, target.path, f"mod {name};", f"use {name}::{names[0]};")
    return [path]


def third_file(root: Path, target: Target) -> list[str]:
    """Put the function, or its `impl`, into a module below this one."""
    place = place_of(root, target)
    item = place.owner or place.node
    first = start_of(item)
    text = place.source.text[first.start_byte : item.end_byte].decode()
    if re.search(r"\b(super|self)::", text):
        raise NotApplicableError("a path that means the place")
    name = f"{place.simple}_apart"
    if place.owner:
        inside = place.owner.child_by_field_name("body")
        assert inside is not None
        text, used = _published(place, first, inside), ""
    else:
        visible = [place.source.of(each) for each in place.node.children if each.type == "visibility_modifier"]
        text = text if visible else _with_visibility(place, first)
        used = f"{''.join(f'{each} ' for each in visible)}use {name}::{place.simple};"
    path = _below(place.source, name, text)
    edits = Edits(place.source.text)
    edits.put(first.start_byte, item.end_byte, "")
    place.source.write(edits)
    _declare(root, target.path, f"mod {name};", used)
    return [path]


MOVES = {"method": method, "closure": closure, "interface": interface, "third file": third_file}


def _with_visibility(place: Place, first: Node) -> str:
    text = place.source.text
    return (
        text[first.start_byte : place.node.start_byte]
        + b"pub(super) "
        + text[place.node.start_byte : place.node.end_byte]
    ).decode()


def _published(place: Place, first: Node, inside: Node) -> str:
    """Return an `impl` whose functions the module above can call, also the one that `#[tool_router]` makes."""
    edits = Edits(place.source.text[: inside.end_byte])
    for each in inside.children:
        if (
            each.type == "function_item"
            and not place.of_trait
            and not any(c.type == "visibility_modifier" for c in each.children)
        ):
            edits.put(each.start_byte, each.start_byte, "pub(super) ")
    text = edits.done()[first.start_byte :].decode()
    if re.search(r"#\[tool_router\(", text):
        raise NotApplicableError("a router with options")
    return text.replace("#[tool_router]", '#[tool_router(vis = "pub(crate)")]', 1)


def _module_of(path: str) -> Path:
    """Return the folder of the modules below that of a file."""
    file = Path(path)
    return file.parent if file.stem in ("main", "lib", "mod") else file.with_suffix("")


def _below(source: Source, name: str, code: str) -> str:
    """Write a module below that of a file, with what it uses of it, and return its path."""
    made = _module_of(source.path) / f"{name}.rs"
    lines = _uses(source, code)
    write_new(source.root / made, "\n".join(lines) + f"\n\n{code}\n")
    if Source(source.root, str(made)).items and any(item.has_error for item in Source(source.root, str(made)).items):
        raise NotApplicableError("what was moved would be no Rust")
    return str(made)


def _uses(source: Source, code: str) -> list[str]:
    """Return the `use` lines that code of a file needs in a module below it.

    A trait is imported for its methods and named nowhere, so an import that the file never names goes along.
    """
    words = set(re.findall(r"\w+", code))
    rest = set(
        re.findall(
            r"\w+", b" ".join(item.text or b"" for item in source.items if item.type != "use_declaration").decode()
        )
    )
    lines, here = [], set()
    for item in source.items:
        if item.type == "use_declaration":
            argument = item.child_by_field_name("argument")
            for name, path in _imported(source, argument) if argument else ():
                if name in ("*", "_") or name in words or name not in rest:
                    lines.append(f"use {_seen_from_below(path)};")
        elif (
            item.type == "macro_definition"
            and (named := item.child_by_field_name("name"))
            and source.of(named) in words
        ):
            raise NotApplicableError("a macro of the file")
        elif (named := item.child_by_field_name("name")) and item.type != "impl_item" and source.of(named) in words:
            here.add(source.of(named))
    here -= set(re.findall(r"\b(?:fn|struct|trait|enum) (\w+)", code))
    if here:
        lines.append(f"use super::{{{', '.join(sorted(here))}}};" if len(here) > 1 else f"use super::{here.pop()};")
    return sorted(set(lines))


def _seen_from_below(path: str) -> str:
    if path.startswith("self::"):
        return path.replace("self::", "super::", 1)
    return f"super::{path}" if path.startswith("super::") else path


def _imported(source: Source, node: Node, before: str = "") -> Iterator[tuple[str, str]]:
    """Yield each name that a `use` binds and the whole path that it binds it to."""
    match node.type:
        case "use_list":
            for each in node.named_children:
                yield from _imported(source, each, before)
        case "scoped_use_list":
            path, inside = node.child_by_field_name("path"), node.child_by_field_name("list")
            if inside:
                yield from _imported(source, inside, f"{before}{source.of(path)}::" if path else before)
        case "use_as_clause":
            path, alias = node.child_by_field_name("path"), node.child_by_field_name("alias")
            if path and alias:
                yield source.of(alias), f"{before}{source.of(path)} as {source.of(alias)}"
        case "use_wildcard":
            yield "*", f"{before}{source.of(node)}"
        case "self":
            yield before.rstrip(":").rpartition("::")[2], before.removesuffix("::")
        case _:
            yield source.of(node).rpartition("::")[2], f"{before}{source.of(node)}"


def _declare(root: Path, path: str, module: str, used: str) -> None:
    """Declare a module at the head of a file, and use a name of it."""
    source = Source(root, path)
    edits = Edits(source.text)
    inner = ("inner_attribute_item", "line_comment")
    heads = [each for each in source.items if each.type in inner and re.match(rb"//!|#!\[", each.text or b"")]
    at = heads[-1].end_byte if heads else 0
    lead = "" if source.text[:at].endswith(b"\n") else "\n"
    edits.put(at, at, f"{lead}\n{module}\n" + (f"\n{used}\n" if used else ""))
    source.write(edits)


def take_away(root: Path, guard: Guard) -> None:
    """Delete a module and let everything use it from a crate that is not in the tree."""
    (root / guard.path).unlink()
    before, _, inside = guard.path.rpartition("src/")
    dotted = "::".join(Path(inside).with_suffix("").parts)
    stem = Path(inside).stem
    named = re.search(r'(?m)^name = "([^"]+)"', (root / before / "Cargo.toml").read_text("utf-8"))
    crate = named[1].replace("-", "_") if named else "crate"
    for path in sorted(root.rglob("*.rs")):
        text = path.read_text("utf-8")
        local = str(path.relative_to(root)).startswith(before)
        if local:
            text = re.sub(rf"(?m)^(pub )?mod {stem};\n", "", text)
            text = text.replace(f"crate::{dotted}", f"{guard.package}::{stem}")
            text = re.sub(rf"(?<=\buse ){stem}::", f"{guard.package}::{stem}::", text) if "::" not in dotted else text
        text = text.replace(f"{crate}::{dotted}", f"{guard.package}::{stem}")
        path.write_text(text, "utf-8")
    for manifest in root.rglob("Cargo.toml"):
        text = manifest.read_text("utf-8")
        manifest.write_text(
            re.sub(r"(?m)^\[dependencies\]\n", f'[dependencies]\n{guard.package} = "1"\n', text), "utf-8"
        )


LISTED = re.compile(r"Tool\b|ToolsResult")
"""What the type of a function names that lists tools, or gives them to be registered."""
TOOL = re.compile(r"Tool|(?:Arc|Box)::new")
PUSHED = """{{
    let mut listed = Vec::new();
    for each in [
{}
    ] {{
        listed.push(each);
    }}
    listed
}}"""


def loop(root: Path) -> list[str]:
    """Push tools in a loop wherever a function lists several in a `vec!`."""
    changed = False
    for path in sorted(root.rglob("*.rs")):
        source = Source(root, str(path.relative_to(root)))
        edits = Edits(source.text)
        for item in source.items:
            for function in (each for each in walk(item) if each.type == "function_item"):
                kind = function.child_by_field_name("return_type")
                if kind and LISTED.search(source.of(kind)):
                    _push_in_loop(source, function, source.of(kind), edits)
        if edits.made:
            changed = True
            source.write(edits)
    if not changed:
        raise NotApplicableError("nothing is registered one by one")
    return []


def _push_in_loop(source: Source, function: Node, kind: str, edits: Edits) -> None:
    inner = re.search(r"Vec<((?:Arc|Box)<dyn .+?>)>", kind)
    for node in walk(function):
        if node.type == "macro_invocation" and source.of(node).startswith("vec!"):
            elements = list(_elements(source, node))
            if len(elements) > 1 and all(TOOL.search(each) or each.isidentifier() for each in elements):
                pushed = "\n".join(
                    f"        {each} as {inner[1]}," if inner else f"        {each}," for each in elements
                )
                edits.put(node.start_byte, node.end_byte, PUSHED.format(pushed))


def _elements(source: Source, macro: Node) -> Iterator[str]:
    """Yield the elements of a `vec![..]` as texts."""
    [tokens] = [each for each in macro.children if each.type == "token_tree"]
    begin = tokens.children[1].start_byte if len(tokens.children) > 2 else tokens.end_byte
    for each in tokens.children[1:]:
        if each.type == "," or each == tokens.children[-1]:
            text = source.text[begin : each.start_byte].decode().strip()
            if text:
                yield text
            begin = each.end_byte
