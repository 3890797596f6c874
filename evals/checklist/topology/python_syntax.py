"""Python functions as the topologies see them: where they stand, what they take, and their text at another margin."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from topology.shapes import Edits, File, NotApplicableError, Target

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)


def shifted(text: str, by: int) -> str:
    """Return lines of code moved to the right or to the left, those that begin within a string left where they are."""
    kept = {
        number
        for node in ast.walk(ast.parse(f"if True:\n{text}" if by < 0 else text))
        if isinstance(node, (ast.Constant, ast.JoinedStr))
        for number in range(node.lineno + 1, (node.end_lineno or 0) + 1)
    }
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if line.strip() and index + 1 + (by < 0) not in kept:
            lines[index] = line[-by:] if by < 0 else " " * by + line
    return "\n".join(lines)


def line_starts(text: bytes) -> list[int]:
    """Return the offset at which each line begins, and that of the end."""
    starts = [0]
    for line in text.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def first_line(node: ast.stmt) -> int:
    """Return the line on which a statement begins, decorators counted in."""
    return min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])


@dataclass(frozen=True)
class Module(File):
    """A file of a tree and its syntax."""

    @cached_property
    def tree(self) -> ast.Module:
        """Return its syntax."""
        return ast.parse(self.text)

    @cached_property
    def starts(self) -> list[int]:
        """Return the offset at which each line begins, and that of the end."""
        return line_starts(self.text)

    @property
    def is_packaged(self) -> bool:
        """Return whether modules beside this one are reached by `from .name`."""
        return (self.file.parent / "__init__.py").exists()

    @property
    def package(self) -> str:
        """Return the dotted name of its folder."""
        return ".".join(Path(self.path).parent.parts)

    def segment(self, node: ast.expr) -> str:
        """Return the text of an expression."""
        return ast.get_source_segment(self.text.decode(), node) or ""

    def at(self, line: int, column: int = 0) -> int:
        """Return the offset of a place."""
        return self.starts[line - 1] + column

    def lines(self, first: ast.stmt, last: ast.stmt) -> tuple[int, int]:
        """Return where the lines of statements begin and end, without the last line's end.

        The comments right above a statement of the module belong to it: one may say what is not to be reported there.
        """
        line, texts = first_line(first), self.text.split(b"\n")
        while first.col_offset == 0 and line > 1 and texts[line - 2].startswith(b"#"):
            line -= 1
        return self.at(line), self.at((last.end_lineno or 0) + 1) - 1

    def source(self, *nodes: ast.stmt) -> str:
        """Return the lines of statements at the margin."""
        begin, end = self.lines(nodes[0], nodes[-1])
        text = self.text[begin:end].decode()
        return shifted(text, -nodes[0].col_offset) if nodes[0].col_offset else text

    def sibling(self, name: str) -> str:
        """Return by what name another module in the same folder is imported."""
        return f".{name}" if self.is_packaged else name

    def write(self, edits: Edits) -> None:
        """Write what edits make of it. Raises NotApplicableError if that is no Python."""
        text = edits.done()
        try:
            compile(text, self.path, "exec", dont_inherit=True)
        except SyntaxError as error:
            raise NotApplicableError(f"{self.path}: {error}") from None
        self.file.write_bytes(text)


class Parameter(NamedTuple):
    """A parameter: its stars, its name, and its type as text."""

    stars: str
    name: str
    type: str

    def __str__(self) -> str:
        return f"{self.stars}{self.name}: {self.type}" if self.type else f"{self.stars}{self.name}"


@dataclass(frozen=True)
class Place:
    """A function in its module, and the class that it is a method of."""

    module: Module
    function: Function
    owner: ast.ClassDef | None

    @property
    def name(self) -> str:
        """Return its name with that of its class."""
        return f"{self.owner.name}.{self.function.name}" if self.owner else self.function.name

    @property
    def top(self) -> ast.stmt:
        """Return the statement of the module that it is a part of."""
        return self.owner or self.function

    @property
    def define(self) -> str:
        """Return the keywords that begin it."""
        return "async def" if isinstance(self.function, ast.AsyncFunctionDef) else "def"

    @property
    def give(self) -> str:
        """Return what stands before the call of such a function whose value is returned."""
        return "return await" if isinstance(self.function, ast.AsyncFunctionDef) else "return"

    @property
    def body(self) -> Sequence[ast.stmt]:
        """Return the body without its docstring."""
        body = self.function.body
        return body[1:] if ast.get_docstring(self.function, clean=False) is not None else body

    @property
    def text(self) -> str:
        """Return the body's text at the margin."""
        return self.module.source(*self.body)

    @property
    def returns(self) -> str:
        """Return what stands behind the parameters."""
        return f" -> {self.module.segment(self.function.returns)}" if self.function.returns else ""

    @cached_property
    def receiver(self) -> str | None:
        """Return what a method calls its object. Raises NotApplicableError of a class method or a property."""
        kinds = {each.id for each in self.function.decorator_list if isinstance(each, ast.Name)}
        if self.owner is None or "staticmethod" in kinds:
            return None
        if kinds & {"classmethod", "property"}:
            raise NotApplicableError("a class method or a property")
        return self.function.args.args[0].arg

    @cached_property
    def parameters(self) -> list[Parameter]:
        """Return the parameters that the body reads."""
        given = self.function.args
        names = {node.id for each in self.body for node in ast.walk(each) if isinstance(node, ast.Name)}
        plain = [("", each) for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        starred = [(stars, each) for stars, each in (("*", given.vararg), ("**", given.kwarg)) if each]
        return [Parameter(stars, each.arg, self._type(each)) for stars, each in plain + starred if each.arg in names]

    def _type(self, parameter: ast.arg) -> str:
        if self.owner and parameter.arg == self.receiver:
            return f'"{self.owner.name}"'
        match parameter.annotation:
            case None:
                return ""
            case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[kind, *_])):
                return self.module.segment(kind)
            case annotation:
                return self.module.segment(annotation)


def functions(module: Module) -> Iterator[Place]:
    """Yield the functions of a module and the methods of its classes."""
    for statement in module.tree.body:
        if isinstance(statement, FUNCTIONS):
            yield Place(module, statement, None)
        elif isinstance(statement, ast.ClassDef):
            yield from (Place(module, each, statement) for each in statement.body if isinstance(each, FUNCTIONS))


def function_at(root: Path, path: str, line: int) -> Target:
    """Return the function in which a line stands. Raises NotApplicableError if it stands in none."""
    for place in functions(Module(root, path)):
        if first_line(place.function) <= line <= (place.function.end_lineno or 0):
            return Target(path, place.name)
    raise NotApplicableError("the fault stands in no function")


def place_of(root: Path, target: Target) -> Place:
    """Return the function of a name. Raises NotApplicableError if there is none, or several."""
    if not (root / target.path).exists():
        raise NotApplicableError("there is no such file")
    found = [each for each in functions(Module(root, target.path)) if each.name == target.name]
    if len(found) != 1:
        raise NotApplicableError("there is no such function, or several")
    return found[0]


def movable(place: Place) -> Place:
    """Return a function if its body can stand in another. Raises NotApplicableError if that would change what it means."""
    if not place.body or place.body[0].lineno == place.function.lineno:
        raise NotApplicableError("there is no body, or on the line of its function")
    for node in _own(place.body):
        match node:
            case ast.Yield() | ast.YieldFrom() | ast.Global() | ast.Nonlocal():
                raise NotApplicableError(f"{type(node).__name__} means the function")
            case ast.Name(id="super" | "locals" | "__class__" | place.function.name):
                raise NotApplicableError(f"{node.id} means the function")
            case ast.Attribute(attr=name) if name.startswith("__") and not name.endswith("__"):
                raise NotApplicableError("a private name means the class")
    return place


def _own(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield what belongs to a body itself, and the names and attributes of the functions in it."""
    for each in body:
        yield each
        if isinstance(each, (*DEFINITIONS, ast.Lambda)):
            yield from (node for node in ast.walk(each) if isinstance(node, (ast.Name, ast.Attribute)))
        else:
            yield from _own(ast.iter_child_nodes(each))


def renamed(text: str, old: str, new: str) -> str:
    """Return code with every use of a name replaced."""
    edits, starts = Edits(text.encode()), line_starts(text.encode())
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name) and node.id == old:
            at = starts[node.lineno - 1] + node.col_offset
            edits.put(at, at + len(old.encode()), new)
    return edits.done().decode()
