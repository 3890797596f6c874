"""Codes without a language, for the tests of the program model: calls of a library's functions, one after another."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from reviewer.code import ir, values
from reviewer.code.events import Called, Occurrence, Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.members import build_library
from reviewer.code.models import Models, load_models
from reviewer.code.program import Operators
from reviewer.code.state import infer_interval
from reviewer.code.values import Label, Value
from reviewer.languages.python.evaluation.special_methods import OPERATORS
from reviewer.source import Source

SOURCE = Source("tool.any", b" " * 10_000)


@dataclass
class World:
    """A project of which every name that is not bound is a library's."""

    models: Models = field(default_factory=lambda: load_models("python"))
    operators: Operators = OPERATORS
    destroys: bool = False
    holds_entries: bool = False
    names_in_objects: bool = False
    begins_async: bool = False
    chains: bool = True

    def resolve_name(self, name, code):
        return build_library(".".join(name.path))

    def find_member(self, owner, name):
        return None

    def list_functions(self, owner):
        return ()

    def find_setter(self, owner, name):
        return None

    def find_replacement(self, path):
        return None

    def find_extension(self, name, of):
        return None

    def resolve_type(self, written, code):
        return None

    def find_codes_naming(self, name):
        return ()

    def find_modules_naming(self, name):
        return ()

    def keeps_lock(self, lock, code):
        return False

    def find_constructor(self, made):
        return None

    def find_post_initializer(self, made):
        return None

    def find_member_field(self, made):
        return None

    def list_fields(self, made):
        return ()

    def resolve_field_type(self, owner, name):
        return None

    def find_injected(self, name):
        return None

    def find_field_functions(self, owner, name):
        return None

    def find_entry_names(self, made):
        return None


class Builder:
    """Builds one function; each node has a place of its own. `limit`, `text` and `items` are its arguments."""

    def __init__(self, language: str = "python") -> None:
        self.world = World(load_models(language))
        self.statements: list[ir.Statement] = []
        self.places = 0
        self.parameters = {name: ir.Variable(name) for name in ("limit", "text", "items")}

    def at(self) -> ir.Site:
        self.places += 1
        return ir.Site(self.places, self.places + 1)

    def argument(self, name: str) -> ir.Expression:
        return ir.Read(self.at(), self.parameters[name])

    def constant(self, value: object) -> ir.Expression:
        return ir.Constant(self.at(), value)  # type: ignore[arg-type]

    def list(self, *elements: ir.Expression) -> ir.Expression:
        variable = ir.Variable()
        self.statements.append(ir.Assign(self.at(), variable, ir.Sequence(self.at(), "list", elements)))
        return ir.Read(self.at(), variable)

    def record(self, **entries: ir.Expression) -> ir.Expression:
        variable = ir.Variable()
        pairs = tuple((self.constant(name), value) for name, value in entries.items())
        self.statements.append(ir.Assign(self.at(), variable, ir.Record(self.at(), None, pairs)))
        return ir.Read(self.at(), variable)

    def global_(self, path: str) -> ir.Expression:
        return ir.Global(self.at(), tuple(path.split(".")))

    def call(self, path: str, *given: ir.Expression, **named: ir.Expression) -> ir.Expression:
        """Call a function by its path."""
        return self._call(self.global_(path), given, named)

    def call_value(self, function: ir.Expression, *given: ir.Expression) -> ir.Expression:
        """Call a function that is a value."""
        return self._call(function, given, {})

    def method(self, owner: ir.Expression, name: str, *given: ir.Expression) -> ir.Expression:
        return self._call(ir.Field(self.at(), owner, name), given, {})

    def _call(self, callee: ir.Expression, given: Iterable[ir.Expression], named: dict[str, ir.Expression]) -> ir.Read:
        target = ir.Variable()
        arguments = (
            *(ir.Argument(each) for each in given),
            *(ir.Argument(each, name) for name, each in named.items()),
        )
        self.statements.append(ir.Call(self.at(), target, callee, arguments))
        return ir.Read(self.at(), target)

    def closure(self, result: "Callable[..., ir.Expression]", *names: str, is_async: bool = False) -> ir.Expression:
        """Return a closure; `result` builds what it returns, of a builder of its body and of its parameters."""
        variables = tuple(ir.Variable(name) for name in names)
        inner = Builder()
        inner.places, inner.parameters = self.places, self.parameters
        value = result(inner, *(ir.Read(self.at(), each) for each in variables))
        body = (*inner.statements, ir.Return(self.at(), value))
        self.places = inner.places
        code = ir.Code("", "closure", SOURCE, self.at(), lambda _: body, is_async=is_async)
        code.parameters = tuple(ir.CodeParameter(self.at(), each.name, each) for each in variables)
        return ir.Closure(self.at(), code)

    def run(self, result: ir.Expression) -> Trace:
        """Run the function, which hands an expression to `probe` and returns it."""
        probe = ir.Call(self.at(), ir.Variable(), self.global_("probe"), (ir.Argument(result),))
        body = (*self.statements, probe, ir.Return(self.at(), result))
        code = ir.Code("tool", "function", SOURCE, self.at(), lambda _: body)
        given = {
            variable: Value(("argument", name), frozenset({Label("argument", name)}), interval=values.ANY)
            for name, variable in self.parameters.items()
        }
        code.parameters = tuple(ir.CodeParameter(self.at(), name, each) for name, each in self.parameters.items())
        return Interpreter(self.world).start(code, given)

    def bounds(self, result: ir.Expression) -> tuple[float, float]:
        """Return between which numbers the value of an expression lies."""
        event = called(self.run(result), "probe")
        return infer_interval(event.arguments[0], event.facts)[:2]

    def value(self, result: ir.Expression) -> Value:
        """Return the value of an expression, with the labels of all that it holds."""
        return called(self.run(result), "probe").arguments[0]

    def origins(self, result: ir.Expression) -> set[str]:
        """Return where the value of an expression comes from: arguments by their names, other origins by theirs."""
        return {each.name or each.origin for each in self.value(result).labels}


def calls(trace: Trace, path: str) -> list[Called]:
    """Return the calls of a path, also in what is called."""
    return [each.event for each in occurrences(trace, path) if isinstance(each.event, Called)]


def occurrences(trace: Trace, path: str) -> list[Occurrence]:
    """Return the calls of a path with what leads to them."""
    return [each for each in trace.iter_occurrences() if isinstance(each.event, Called) and each.event.path == path]


def called(trace: Trace, path: str) -> Called:
    """Return the one call of a path."""
    (found,) = calls(trace, path)
    return found
