"""Lowers pieces of source, and says what must hold of all that is lowered."""

from collections import Counter
from collections.abc import Iterator

from listing import listing
from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.nodes import parse, walk
from reviewer.languages.python.lowering import lower_function, lower_module
from reviewer.languages.python.lowering.files import PythonCode
from reviewer.source import Source


def module(source: str | bytes) -> PythonCode:
    """Lower a file."""
    made = Source("m.py", source.encode() if isinstance(source, str) else source)
    return lower_module(made, parse(made, "python"))


def body(source: str) -> str:
    """List what the body of a function does, one statement a line."""
    lines = "".join(f"    {line}\n" for line in source.splitlines())
    made = Source("m.py", f"async def test(a, b, c, d, x, y, z):\n{lines}".encode())
    found = listing(lower_function(made, parse(made, "python").children[0]))
    return "\n".join(line[4:] for line in found.splitlines()[1:])


def code(outer: ir.Code, name: str) -> ir.Code:
    """Return the first code of a name."""
    return next(each for each in ir.iter_codes(outer) if each.name == name)


def nodes(outer: ir.Code) -> Iterator[ir.Expression | ir.Statement]:
    """Yield all that a code and those in it consist of."""
    for each in ir.iter_codes(outer):
        yield from own(each)


def own(one: ir.Code) -> Iterator[ir.Expression | ir.Statement]:
    """Yield all that a code consists of, its defaults and bases too, without the codes in it."""
    made_with = [each.default for each in one.parameters if each.default is not None]
    for value in made_with + [each.value for each in one.bases]:
        yield value
        yield from ir.iter_expressions(value)
    for statement in ir.iter_statements(one.body):
        yield statement
        yield from ir.iter_expressions(statement)


def calls(root: Node) -> Counter[ir.Site]:
    """Return the places of the calls that are evaluated: those in annotations are not."""
    found: Counter[ir.Site] = Counter()
    inside = 0
    for each in walk(root):
        if each.start_byte < inside:
            continue
        if each.type in ("type", "type_alias_statement"):
            inside = each.end_byte
        elif each.type == "call":
            found[ir.Site(*each.byte_range)] += 1
    return found


def lowered_calls(outer: PythonCode) -> Counter[ir.Site]:
    """Return the places of the calls in a code and those in it, those that decorators make left out."""
    found = Counter(each.at for each in nodes(outer) if isinstance(each, ir.Call))
    return Counter({at: count for at, count in found.items() if outer.source.data[at.start : at.start + 1] != b"@"})


def bound(one: ir.Code) -> set[ir.Variable]:
    """Return the variables that a code binds itself."""
    found = {each.variable for each in one.parameters}
    for each in ir.iter_statements(one.body):
        match each:
            case ir.Assign() | ir.Call() | ir.Await() | ir.Yield() | ir.With():
                found.add(each.target)
            case ir.Loop(element=ir.Variable() as element):
                found.add(element)
            case ir.Delete(place=ir.Read(variable=variable)):
                found.add(variable)
            case ir.Try():
                found |= {catch.variable for catch in each.catches if catch.variable is not None}
            case _:
                pass
    return found


def unbound(outer: ir.Code) -> list[str]:
    """Return the variables that are read though neither their code nor one around or, by `nonlocal`, in it binds them."""
    binds = {each: bound(each) for each in ir.iter_codes(outer)}
    inside: dict[ir.Code, set[ir.Variable]] = {each: set(names) for each, names in binds.items()}
    for each in reversed(list(binds)):
        if each.around in inside:
            inside[each.around] |= {variable for variable in inside[each] if variable.name}
    found = []
    for each in binds:
        known: set[ir.Variable] = set()
        around: ir.Code | None = each
        while around is not None:
            known |= inside[around]
            around = around.around
        found += [repr(read.variable) for read in own(each) if isinstance(read, ir.Read) and read.variable not in known]
    return found


def unassigned(one: ir.Code) -> list[ir.Site]:
    """Return where temporaries are read that are not assigned on every way there."""
    found: list[ir.Site] = []
    _run(one.body, frozenset(), {}, found)
    return found


Known = frozenset[ir.Variable]


def _run(
    part: ir.Body, known: Known | None, leaving: dict[ir.JumpLabel, list[Known]], found: list[ir.Site]
) -> Known | None:
    """Follow a body; return the temporaries that are assigned at its end, None if it is not reached."""
    for each in part:
        if known is None:
            return None
        for read in ir.iter_expressions(each):
            if isinstance(read, ir.Read) and not read.variable.name and read.variable not in known:
                found.append(read.at)
        known = _after(each, known, leaving, found)
    return known


def _meet(ways: list[Known | None]) -> Known | None:
    alive = [each for each in ways if each is not None]
    return frozenset.intersection(*alive) if alive else None


def _after(
    each: ir.Statement, known: Known, leaving: dict[ir.JumpLabel, list[Known]], found: list[ir.Site]
) -> Known | None:
    match each:
        case ir.Assign() | ir.Call() | ir.Await() | ir.Yield():
            return known | {each.target}
        case ir.If():
            return _meet([_run(part, known, leaving, found) for part in (each.then, each.otherwise)])
        case ir.Block():
            leaving[each.label] = []
            end = _run(each.body, known, leaving, found)
            return _meet([end, *leaving.pop(each.label)])
        case ir.Loop():
            leaving[each.label] = []
            _run(each.body, known | ({each.element} if each.element is not None else set()), leaving, found)
            ended = _run(each.otherwise, known, leaving, found) if each.over is not None else None
            return _meet([ended, *leaving.pop(each.label)])
        case ir.With():
            end = _run(each.body, known | {each.target}, leaving, found)
            return known if end is None else end
        case ir.Try():
            ends = [_run(each.otherwise, _run(each.body, known, leaving, found) or known, leaving, found)]
            for catch in each.catches:
                ends.append(_run(catch.body, known | ({catch.variable} if catch.variable else set()), leaving, found))
            _run(each.always, known, leaving, found)
            return _meet(ends)
        case ir.Break():
            leaving[each.label].append(known)
            return None
        case ir.Return() | ir.Raise() | ir.Continue():
            return None
        case _:
            return known
