"""How exceptions become answers: what each error decorator does with them, and which classes and codes the project has."""

import re
from collections.abc import Iterable, Iterator

from reviewer.behaviour.failures.error_boundaries import CatchClause
from reviewer.behaviour.failures.failure_answers import iter_misfits
from reviewer.behaviour.failures.mapper_faults import iter_mapper_faults
from reviewer.behaviour.failures.mappings import FailureMapping, name_of
from reviewer.behaviour.values.decorators import ExceptionClause, collect_clauses
from reviewer.code import ir, values
from reviewer.facts import ErrorMapping, ExceptionType, IssueCode, Lazy, Server
from reviewer.languages.nodes import decode_node, find_child, find_descendants, list_children
from reviewer.languages.python.behaviour.isolation import place_at
from reviewer.languages.python.behaviour.name_resolution import iter_own_modules, load_scope
from reviewer.languages.python.behaviour.tracing import get_program
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.names import is_enum
from reviewer.languages.python.evaluation.values import Const, PyClass, PyInstance
from reviewer.source import Span, Text


def iter_mappings(run: Evaluator, servers: tuple[Server, ...]) -> Iterator[ErrorMapping]:
    """Yield the error mapping of each error decorator over a tool."""
    program = get_program(run)
    handlers = [tool.handler for server in servers for tool in server.tools if tool.handler is not None]
    laid = [each for handler in handlers for each in handler.wrappers]
    for span in dict.fromkeys(each.definition for each in laid if each.catches and each.definition is not None):
        place = place_at(run, span)
        if place is not None:
            found = FailureMapping(collect_clauses(program.find_code_at(place.module, place.node), program), program)
            found.registered = frozenset(_iter_registered_classes(run, found))
            yield _build_mapping(run, span, found)


def _iter_registered_classes(run: Evaluator, found: FailureMapping) -> Iterator[str]:
    """Name the classes for which functions are registered with a single-dispatch function: by their type, or by the decorator."""
    for code in dict.fromkeys(found.iter_codes()):
        module = run.modules.by_path[code.source.path]
        for each in find_descendants(module.root, "python", "decorated_definition"):
            for hit in re.finditer(rb"@%s\.register\b[^:]*(?::\s*)?([\w.]+)?" % code.name.encode(), each.text or b""):
                yield from (name.decode() for name in re.findall(rb"\w+", hit[0]))


def _build_mapping(run: Evaluator, decorator: Span, found: FailureMapping) -> ErrorMapping:
    teller = found.teller
    known = list(_iter_exceptions(run))
    builtin = (values.Library(each) for each in found.program.models.rows if each.startswith("builtins."))
    kinds = [*(values.Class(each.name, each) for each in known), *builtin, *found.kinds]
    return ErrorMapping(
        name=_get_name(teller),
        span=teller.text.span if isinstance(teller, ExceptionClause) else teller.locate(teller.at),
        decorator=decorator,
        covered=found.names | {name_of(each) for each in kinds if found.covers(each)},
        exceptions=Lazy(lambda: [_build_exception(run, found, each) for each in known]),
        codes=Lazy(lambda: _issue_codes(run, found)),
        faults=Lazy(lambda: iter_mapper_faults(found)),
        leak=next(filter(None, (_find_leak(each, found) for each in found.clauses)), None),
        misfits=Lazy(lambda: list(iter_misfits(found))),
        envelope=found.envelope - {"model_config"},
        coded=found.is_coded,
    )


def _build_exception(run: Evaluator, found: FailureMapping, cls: PyClass) -> ExceptionType:
    is_raised = _is_raised(run, cls)
    return ExceptionType(_name_of(cls), not is_raised or found.is_mapped(values.Class(cls.name, cls)), is_raised)


def _get_name(teller: ir.Code | ExceptionClause) -> Text:
    code = teller.trace.code if isinstance(teller, ExceptionClause) else teller
    return Text(code.name, code.locate(code.at))


def _find_leak(clause: ExceptionClause, found: FailureMapping) -> Text | None:
    """Return the expression by which the text of any exception is in what a clause answers."""
    if not clause.takes_any(found.program):
        return None
    return CatchClause(clause.trace, found.program, clause.at).find_failure_text(of_any=True)


def _iter_exceptions(run: Evaluator) -> Iterator[PyClass]:
    """Yield the exception classes of the project, each once."""
    for module in iter_own_modules(run, b"Error)", b"Exception)", b"Error,", b"Exception,"):
        load_scope(run, module)
    program, seen = get_program(run), set[Span]()
    found = FailureMapping((), program)
    for cls in run.classes:
        if found.is_exception(values.Class(cls.name, cls)) and _name_of(cls).span not in seen:
            seen.add(_name_of(cls).span)
            yield cls


def _name_of(cls: PyClass) -> Text:
    return Text(cls.name, cls.scope.module.locate(find_child(cls.node, "name") or cls.node))


def _is_raised(run: Evaluator, cls: PyClass) -> bool:
    for module in iter_own_modules(run, cls.name.encode()):
        for each in find_descendants(module.root, "python", "call", "raise_statement"):
            head = find_child(each, "function") if each.type == "call" else next(iter(list_children(each)), None)
            if head is not None and decode_node(head).rpartition(".")[2] == cls.name:
                return True
    return False


def _issue_codes(run: Evaluator, found: FailureMapping) -> Iterator[IssueCode]:
    """Yield the members of the sets of codes that a mapping uses."""
    for cls in _iter_sets(found):
        given = _find_given(run, cls)
        for name, value in cls.names.items():
            if not name.startswith("_") and isinstance(value, Const | PyInstance):
                yield IssueCode(Text(name, value.span), given is None or name in given)


def _iter_sets(found: FailureMapping) -> Iterable[PyClass]:
    """Return the enumerations, and the classes that hold constant texts and nothing else, of which a mapping uses members."""
    used = [*found.sets]
    for code in dict.fromkeys(found.iter_codes()):
        for each in (part for statement in ir.iter_statements(code.body) for part in ir.iter_expressions(statement)):
            if isinstance(each, ir.Field) and isinstance(each.owner, ir.Global | ir.Import):
                owner = found.program.resolve_name(each.owner, code)
                used += [thing for thing in owner.things if isinstance(thing, values.Class)] if owner else []
    classes = dict.fromkeys(each.handle for each in used)
    return [each for each in classes if isinstance(each, PyClass) and (is_enum(each) or _is_listing(each))]


def _find_given(run: Evaluator, cls: PyClass) -> set[str] | None:
    """Name the members that some code gives, and does not only compare with; None if a run decides it."""
    texts = {each.value: name for name, each in cls.names.items() if isinstance(each, Const)}
    found: set[str] = set()
    for module in iter_own_modules(run, cls.name.encode(), *(name.encode() for name in cls.names)):
        codes = ir.iter_codes(get_program(run).find_module_code(module))
        for each in (one for code in codes if code.name != cls.name for one in ir.iter_statements(code.body)):
            inner = () if isinstance(each, ir.Evaluate) else tuple(ir.iter_expressions(each))
            if any(_is_named(part, cls.name) for part in _iter_lookup_owners(each, inner)):
                return None
            compared = {side for part in inner if isinstance(part, ir.Comparison) for side in (part.left, part.right)}
            found |= {part.name for part in inner if isinstance(part, ir.Field) and part not in compared}
            found |= {texts[part.value] for part in inner if isinstance(part, ir.Constant) and part.value in texts}
    return found


def _iter_lookup_owners(statement: ir.Statement, inner: Iterable[ir.Expression]) -> Iterator[ir.Expression]:
    """Yield of what a statement looks something up: `Code(x)`, `Code[x]`, `getattr(Code, x)`, `for code in Code`."""
    if isinstance(statement, ir.Call):
        yield statement.callee
        yield from (each.value for each in statement.arguments if _is_named(statement.callee, "getattr"))
    elif isinstance(statement, ir.Loop) and statement.over is not None:
        yield statement.over
    yield from (each.owner for each in inner if isinstance(each, ir.Item))


def _is_named(expression: ir.Expression, name: str) -> bool:
    match expression:
        case ir.Global(path=(*_, last)) | ir.Field(name=last):
            return last == name
    return False


def _is_listing(cls: PyClass) -> bool:
    """Return whether a class holds constant texts and nothing else."""
    values = [each for name, each in cls.names.items() if not name.startswith("__")]
    return bool(values) and all(isinstance(each, Const) and isinstance(each.value, str) for each in values)
