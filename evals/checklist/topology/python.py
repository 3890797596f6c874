"""The topologies in Python, by `ast` and edits of the text."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from topology.python_syntax import (
    DEFINITIONS,
    FUNCTIONS,
    Module,
    Place,
    movable,
    place_of,
    renamed,
    shifted,
)
from topology.shapes import WORDS, Edits, Guard, NotApplicableError, Target, camel, write_new

OWNER = "owner"
"""What the object of a method is called in a function that is none."""


def _block(head: str, *parts: str) -> str:
    return "\n".join([head, *(shifted(part, 4) for part in parts)])


def _body(place: Place) -> str:
    return renamed(place.text, place.receiver, OWNER) if place.receiver else place.text


def _declared(place: Place, *before: str) -> str:
    names = {place.receiver: OWNER}
    return ", ".join(
        [*before, *(str(each._replace(name=names.get(each.name, each.name))) for each in place.parameters)]
    )


def _passed(place: Place, receiver: str | None = None) -> str:
    """Return the arguments; `receiver` is what the method's object is called where they are passed."""
    names = {place.receiver: receiver or place.receiver}
    return ", ".join(f"{each.stars}{names.get(each.name, each.name)}" for each in place.parameters)


def _with_body(place: Place, body: str, before: str = "", beside: str = "") -> None:
    """Write the module with another body, `before` above its statement, and `beside` as another member of its class."""
    edits = Edits(place.module.text)
    edits.put(*place.module.lines(place.body[0], place.body[-1]), shifted(body, place.body[0].col_offset))
    if before:
        at, _ = place.module.lines(place.top, place.top)
        edits.put(at, at, f"{before}\n\n\n")
    if beside:
        at = place.module.at((place.function.end_lineno or 0) + 1)
        edits.put(at, at, f"\n{shifted(beside, 4)}\n")
    place.module.write(edits)


def method(root: Path, target: Target) -> list[str]:
    """Put the body into a method, of the same class or, if it is a function, of a new one."""
    place = movable(place_of(root, target))
    if place.receiver:
        name = f"_{place.function.name}_{WORDS[0]}"
        others = [each for each in place.parameters if each.name != place.receiver]
        declared = ", ".join([place.receiver, *map(str, others)])
        inner = _block(f"{place.define} {name}({declared}){place.returns}:", place.text)
        passed = ", ".join(f"{each.stars}{each.name}" for each in others)
        _with_body(place, f"{place.give} {place.receiver}.{name}({passed})", beside=inner)
    else:
        name = f"{camel(place.function.name)}Work"
        made = _block(
            f"class {name}:", _block(f"{place.define} run({_declared(place, 'self')}){place.returns}:", place.text)
        )
        _with_body(place, f"{place.give} {name}().run({_passed(place)})", before=made)
    return []


def closure(root: Path, target: Target) -> list[str]:
    """Put the body into a function within the function; it takes what it assigns anew."""
    place = movable(place_of(root, target))
    names = [each.name for each in place.parameters]
    nodes = [node for each in place.body for node in ast.walk(each)]
    if any(isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and node.id in names for node in nodes):
        declared, passed = _declared(place).replace(OWNER, place.receiver or OWNER), _passed(place)
    else:
        declared = passed = ""
    match place.body:
        case [ast.Return(value=ast.expr() as value)] if (
            not any(isinstance(node, ast.Await) for node in nodes) and not declared
        ):
            if place.define == "def":
                _with_body(place, f"work = lambda: {place.module.segment(value)}\nreturn work()")
                return []
    inner = _block(f"{place.define} work({declared}){place.returns}:", place.text)
    _with_body(place, f"{inner}\n\n{place.give} work({passed})")
    return []


def interface(root: Path, target: Target) -> list[str]:
    """Put the body into a class of a protocol, and call it through a value of that protocol."""
    place = movable(place_of(root, target))
    name = camel(place.function.name)
    head = f"{place.define} run({_declared(place, 'self')}){place.returns}:"
    protocol = _block(f"class {name}Work(Protocol):", f"{head} ...")
    direct = _block(f"class Direct{name}:", _block(head, _body(place)))
    value = f"{place.function.name}_work: {name}Work = Direct{name}()"
    made = "\n\n\n".join(["from typing import Protocol", protocol, direct, value])
    _with_body(place, f"{place.give} {place.function.name}_work.run({_passed(place)})", before=made)
    return []


def chain(root: Path, target: Target, words: Iterable[str]) -> list[str]:
    """Put the body at the end of functions that call each other, in another module, with all that it uses of this one."""
    place = movable(place_of(root, target))
    names = [f"{place.function.name}_{word}" for word in words]
    declared, given = _declared(place), _passed(place, OWNER)
    heads = [f"{place.define} {name}({declared}){place.returns}:" for name in names]
    made = [_block(head, f"{place.give} {name}({given})") for head, name in zip(heads[:-1], names[1:], strict=True)]
    made.append(_block(heads[-1], _body(place)))
    _with_body(place, f"{place.give} {names[0]}({_passed(place)})")
    code = "\n\n\n".join(made)
    return [_moved_out(root, target.path, f"{place.function.name}_steps", [], code, names[0], place.owner)]


def third_file(root: Path, target: Target) -> list[str]:
    """Put the function, or the class of the method, into another module, with all that it uses of this one."""
    top = place_of(root, target).top
    assert isinstance(top, DEFINITIONS)
    return [_moved_out(root, target.path, f"{top.name.lower()}_apart", [top.name], "", top.name, None)]


MOVES = {"method": method, "closure": closure, "interface": interface, "third file": third_file}


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a module binds."""
    if isinstance(statement, DEFINITIONS):
        yield statement.name
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from (each.asname or each.name.partition(".")[0] for each in statement.names)
    else:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                yield node.id


def _used(*nodes: ast.AST) -> set[str]:
    """Return the names that are read, also those in annotations that are texts."""
    names = set()
    for node in (inner for each in nodes for inner in ast.walk(each)):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            names.add(node.value)
    return names


def _moved_out(
    root: Path, path: str, name: str, moved: list[str], code: str, wanted: str, owner: ast.ClassDef | None
) -> str:
    """Write a new module of definitions of another one and `code`, which the other imports `wanted` from; return its path.

    What these use of the other module goes with them. Raises NotApplicableError if that is bound several times or uses what
    stays.
    """
    module = Module(root, path)
    bound: dict[str, list[ast.stmt]] = {}
    for statement in module.tree.body:
        for each in _bound(statement):
            bound.setdefault(each, []).append(statement)
    taken: dict[int, ast.stmt] = {}
    imported: set[str] = set()
    pending = [*moved, *(_used(ast.parse(code)) - ({owner.name} if owner else set()))]
    seen: set[str] = set()
    while pending:
        each = pending.pop()
        if each in seen or each not in bound:
            continue
        seen.add(each)
        if all(isinstance(statement, (ast.Import, ast.ImportFrom)) for statement in bound[each]):
            imported.add(each)
            continue
        if len(bound[each]) > 1 or not isinstance(bound[each][0], (*DEFINITIONS, ast.Assign, ast.AnnAssign)):
            raise NotApplicableError(f"{each} is bound several times")
        [statement] = bound[each]
        if statement.lineno not in taken:
            taken[statement.lineno] = statement
            pending += _used(statement) | set(_bound(statement))
    _check_that_it_may_go(module, taken.values(), owner, wanted if code else None)
    imports = _imports(module, imported)
    if owner and owner.name in _used(ast.parse(code)):
        imports += [
            "from typing import TYPE_CHECKING",
            f"if TYPE_CHECKING:\n    from {module.sibling(Path(path).stem)} import {owner.name}",
        ]
    parts = [module.source(statement) for _, statement in sorted(taken.items())]
    made = Path(path).with_name(f"{name}.py")
    write_new(root / made, "\n".join(imports) + "\n\n\n" + "\n\n\n".join([*parts, *([code] if code else [])]) + "\n")
    _leave(module, list(taken.values()), name, wanted)
    return str(made)


def _check_that_it_may_go(
    module: Module, taken: Iterable[ast.stmt], owner: ast.ClassDef | None, called: str | None
) -> None:
    """Raise NotApplicableError if what goes uses what stays: the class itself, the function that calls, or a rebound name."""
    names = {name for statement in taken for name in _bound(statement)}
    if owner and owner.name in names:
        raise NotApplicableError("its class would have to go with it")
    for statement in taken:
        if called and called in _used(statement):
            raise NotApplicableError("the function would have to go with its body")
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Global) and names & set(node.names):
            raise NotApplicableError("a variable that is bound anew")


def _imports(module: Module, names: set[str]) -> list[str]:
    """Return the imports of a module that bind names, each without the others that it binds."""
    lines = []
    for statement in module.tree.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            kept = [each for each in statement.names if (each.asname or each.name.partition(".")[0]) in names]
            future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
            if kept or future:
                statement = type(statement)(**{**dict(ast.iter_fields(statement)), "names": kept or statement.names})
                lines.append(ast.unparse(statement))
    return lines


def _leave(module: Module, taken: list[ast.stmt], name: str, wanted: str) -> None:
    """Take statements out of a module and import what it still uses of them."""
    edits = Edits(module.text)
    for statement in taken:
        begin, end = module.lines(statement, statement)
        edits.put(begin, end + 1, "")
    gone = {each for statement in taken for each in _bound(statement)}
    exported = _imported_by_others(module)
    stays = [each for each in module.tree.body if each not in taken]
    needed = sorted({wanted} | (gone & (_used(*stays) | exported)))
    at = module.at((_last_import(module.tree.body) or 0) + 1)
    edits.put(at, at, f"from {module.sibling(name)} import {', '.join(needed)}\n")
    module.write(edits)


def _last_import(body: list[ast.stmt]) -> int | None:
    """Return the line on which the imports at the top of a module end, or its docstring."""
    last = None
    for index, statement in enumerate(body):
        is_text = index == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_text and not isinstance(statement, (ast.Import, ast.ImportFrom)):
            break
        last = statement.end_lineno
    return last


def _imported_by_others(module: Module) -> set[str]:
    """Return every name that any other module imports or reads as an attribute: this one must go on having it."""
    names = set()
    for path in module.root.rglob("*.py"):
        if path != module.file:
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, ast.ImportFrom):
                    names |= {each.name for each in node.names}
                elif isinstance(node, ast.Attribute):
                    names.add(node.attr)
    return names


def take_away(root: Path, guard: Guard) -> None:
    """Delete a module and let everything import it from a package that is not in the tree."""
    (root / guard.path).unlink()
    dotted = ".".join(Path(guard.path).with_suffix("").parts)
    package, _, stem = dotted.rpartition(".")
    for path in sorted(root.rglob("*.py")):
        module = Module(root, str(path.relative_to(root)))
        edits = Edits(module.text)
        for node in ast.walk(module.tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)) and (
                new := _from_elsewhere(module, node, package, stem, guard.package)
            ):
                begin, end = (
                    module.at(node.lineno, node.col_offset),
                    module.at(node.end_lineno or 0, node.end_col_offset or 0),
                )
                edits.put(begin, end, new)
        module.write(edits)


def _from_elsewhere(module: Module, node: ast.Import | ast.ImportFrom, package: str, stem: str, elsewhere: str) -> str:
    """Return an import with one module's name replaced, or "" if it does not name that module."""
    if isinstance(node, ast.Import):
        if any(each.name == f"{package}.{stem}" for each in node.names):
            raise NotApplicableError("the guard's module is imported by its dotted name")
        return ""
    base = module.package.split(".")[: len(module.package.split(".")) - node.level + 1] if node.level else []
    source = ".".join([*base, *(node.module or "").split(".")]).strip(".")
    if source == f"{package}.{stem}":
        return ast.unparse(ast.ImportFrom(f"{elsewhere}.{stem}", node.names, 0))
    mine = [each for each in node.names if source == package and each.name == stem]
    if not mine:
        return ""
    others = [each for each in node.names if each not in mine]
    kept = [ast.unparse(ast.ImportFrom(node.module, others, node.level))] if others else []
    return "\n".join([*kept, ast.unparse(ast.ImportFrom(elsewhere, mine, 0))])


def loop(root: Path) -> list[str]:
    """Register tools, list them and fill tables of functions by loops, wherever a tree does so one by one."""
    changed = False
    for path in sorted(root.rglob("*.py")):
        module = Module(root, str(path.relative_to(root)))
        edits = Edits(module.text)
        _loop_over_decorated(module, edits)
        for statement in module.tree.body:
            _loop_over_rows(module, statement, edits)
        if edits.made:
            changed = True
            module.write(edits)
    if not changed:
        raise NotApplicableError("nothing is registered one by one")
    return []


def _loop_over_decorated(module: Module, edits: Edits) -> None:
    """Take the decorator `x.tool(...)` from functions and call it in a loop behind the last of them."""
    found: dict[str, list[tuple[ast.FunctionDef | ast.AsyncFunctionDef, ast.Call]]] = {}
    for statement in module.tree.body:
        match statement:
            case ast.FunctionDef(decorator_list=[decorator, *_]) | ast.AsyncFunctionDef(decorator_list=[decorator, *_]):
                match decorator:
                    case ast.Call(func=ast.Attribute(attr="tool"), args=[]) if all(
                        each.arg for each in decorator.keywords
                    ):
                        found.setdefault(module.segment(decorator.func), []).append((statement, decorator))
    for called, rows in found.items():
        lines = []
        for function, decorator in rows:
            begin, _ = module.lines(function, function)
            said = module.text[begin : module.at(decorator.lineno)].decode()  # such as what is not to be reported there
            edits.put(begin, module.at((decorator.end_lineno or 0) + 1), "")
            options = ", ".join(f'"{each.arg}": {module.segment(each.value)}' for each in decorator.keywords)
            lines += [f"    {each}" for each in said.splitlines()]
            lines.append(f"    ({function.name}, {{{options}}}),")
        at = module.at((rows[-1][0].end_lineno or 0) + 1)
        made = ["for function, options in (", *lines, "):", f"    {called}(**options)(function)"]
        edits.put(at, at, "\n\n" + "\n".join(made) + "\n")


def _loop_over_rows(module: Module, statement: ast.stmt, edits: Edits) -> None:
    """Make a list of `Tool(..)` of rows, and fill a table of functions by a loop."""
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(target=ast.Name(id=name), value=value)
        ):
            pass
        case _:
            return
    begin, end = module.lines(statement, statement)
    head = module.text[begin : module.at(value.lineno, value.col_offset)].decode()
    match value:
        case ast.List(elts=[_, _, *_] as calls) if all(map(_is_tool, calls)):
            edits.put(begin, end, _tools_of_rows(module, head, calls))
        case ast.Dict(keys=[_, _, *_]) if None not in value.keys and all(
            _is_function(module, each) for each in value.values
        ):
            pairs = zip(value.keys, value.values, strict=True)
            rows = [f"    ({module.segment(key)}, {module.segment(each)})," for key, each in pairs]
            made = [f"{head}{{}}", "for key, function in (", *rows, "):", f"    {name}[key] = function"]
            edits.put(begin, end, "\n".join(made))


def _tools_of_rows(module: Module, head: str, calls: list[ast.Call]) -> str:
    """Return rows of what several calls of `Tool` are given, and a list that is made of them."""
    fields = list(dict.fromkeys(each.arg for call in calls for each in call.keywords))
    rows = []
    for call in calls:
        given = {each.arg: module.segment(each.value) for each in call.keywords}
        rows.append(f"    ({', '.join(given.get(field, 'None') for field in fields)}),")
    names = [field.lower() for field in fields]
    passed = ", ".join(f"{field}={name}" for field, name in zip(fields, names, strict=True))
    return "\n".join(["ROWS = (", *rows, ")", f"{head}[Tool({passed}) for {', '.join(names)} in ROWS]"])


def _is_tool(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Name(id="Tool"), args=[], keywords=keywords):
            return all(each.arg for each in keywords)
    return False


def _is_function(module: Module, value: ast.expr) -> bool:
    names = {each.name for each in module.tree.body if isinstance(each, FUNCTIONS)}
    return isinstance(value, ast.Name) and value.id in names
