"""Runs lowered code, so that it can be compared with what Python itself does."""

import builtins
import importlib
import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

from reviewer.code import ir

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv, "%": operator.mod,
    "**": operator.pow, "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "<": operator.lt, "<=": operator.le, "==": operator.eq, "is": operator.is_, "in": lambda a, b: a in b,
}  # fmt: skip


class Left(BaseException):
    """A loop or a block is left, or a loop goes on."""

    def __init__(self, label: ir.JumpLabel, *, again: bool = False) -> None:
        self.label = label
        self.again = again


class Returned(BaseException):
    def __init__(self, value: object) -> None:
        self.value = value


class Run:
    """One activation of a code."""

    def __init__(self, code: ir.Code, names: dict[str, object], around: "Run | None" = None) -> None:
        self.code = code
        self.names = names
        self.around = around
        self.values: dict[ir.Variable, object] = {}

    def body(self, body: ir.Body) -> None:
        for each in body:
            self.statement(each)

    def set(self, variable: ir.Variable, value: object) -> None:
        run: Run | None = self
        while run is not None and variable.name and variable not in run.values:
            run = run.around
        (run or self).values[variable] = value
        if self.code.kind == "module" and variable.name:
            self.names[variable.name] = value

    def get(self, variable: ir.Variable) -> object:
        if self.code.kind == "module" and variable.name in self.names:
            return self.names[variable.name]  # functions write it as a global
        run: Run | None = self
        while run is not None:
            if variable in run.values:
                return run.values[variable]
            run = run.around
        raise UnboundLocalError(variable.name)

    def statement(self, each: ir.Statement) -> None:  # noqa: C901
        match each:
            case ir.Assign():
                self.set(each.target, self.value(each.value))
            case ir.Store():
                self.store(each.place, self.value(each.value))
            case ir.Append():
                owner: Any = self.get(each.owner)
                if each.key is not None:
                    owner[self.value(each.key)] = self.value(each.value)
                else:
                    (owner.add if isinstance(owner, set) else owner.append)(self.value(each.value))
            case ir.Delete():
                self.delete(each.place)
            case ir.Call():
                positional, named = [], {}
                callee: Any = self.value(each.callee)
                for given in each.arguments:
                    if given.name == "**":
                        named |= self.value(given.value.operand)
                    elif given.name is not None:
                        named[given.name] = self.value(given.value)
                    elif isinstance(given.value, ir.Spread):
                        positional += self.value(given.value.operand)
                    else:
                        positional.append(self.value(given.value))
                self.set(each.target, callee(*positional, **named))
            case ir.If():
                self.body(each.then if self.value(each.test) else each.otherwise)
            case ir.Block():
                self.labelled(each.label, each.body)
            case ir.Loop():
                self.loop(each)
            case ir.With():
                manager: Any = self.value(each.manager)
                with manager as entered:
                    self.set(each.target, entered)
                    self.body(each.body)
            case ir.Try():
                self.attempt(each)
            case ir.Return():
                raise Returned(self.value(each.value))
            case ir.Raise(value=None):
                raise sys.exc_info()[1] or RuntimeError
            case ir.Raise():
                raise self.value(each.value)
            case ir.Break():
                raise Left(each.label)
            case ir.Continue():
                raise Left(each.label, again=True)
            case ir.Evaluate():
                self.value(each.value)
            case _:
                raise TypeError(each)

    def labelled(self, label: ir.JumpLabel, body: ir.Body) -> bool:
        """Run a body; return whether it was left by its label."""
        try:
            self.body(body)
        except Left as left:
            if left.label is not label:
                raise
            return not left.again
        return False

    def loop(self, each: ir.Loop) -> None:
        elements: Iterator[Any] = iter(int, 1) if each.over is None else iter(self.value(each.over))
        for element in elements:
            if each.element is not None:
                self.set(each.element, element)
            if self.labelled(each.label, each.body):
                return
        self.body(each.otherwise)

    def attempt(self, each: ir.Try) -> None:
        try:
            try:
                self.body(each.body)
            except Exception as error:
                for catch in each.catches:
                    kinds = tuple(self.value(kind) for kind in catch.types) or (BaseException,)
                    if isinstance(error, kinds):
                        if catch.variable is not None:
                            self.set(catch.variable, error)
                        self.body(catch.body)
                        return
                raise
            self.body(each.otherwise)
        finally:
            self.body(each.always)

    def store(self, place: ir.Expression, value: object) -> None:
        match place:
            case ir.Field():
                setattr(self.value(place.owner), place.name, value)
            case ir.Item():
                self.value(place.owner)[self.value(place.key)] = value
            case ir.Slice():
                self.value(place.owner)[self.bounds(place)] = value
            case ir.Global():
                self.names[place.path[0]] = value
            case _:
                raise TypeError(place)

    def delete(self, place: ir.Expression) -> None:
        match place:
            case ir.Read():
                del self.values[place.variable]
            case ir.Field():
                delattr(self.value(place.owner), place.name)
            case ir.Item():
                del self.value(place.owner)[self.value(place.key)]
            case ir.Slice():
                del self.value(place.owner)[self.bounds(place)]
            case _:
                raise TypeError(place)

    def bounds(self, each: ir.Slice) -> slice:
        return slice(*(None if part is None else self.value(part) for part in (each.low, each.high, each.step)))

    def value(self, each: ir.Expression) -> Any:  # noqa: C901
        match each:
            case ir.Constant():
                return each.value
            case ir.Read():
                return self.get(each.variable)
            case ir.Global():
                name = each.path[0]
                return self.names[name] if name in self.names else getattr(builtins, name)
            case ir.Import():
                found = importlib.import_module(each.module)
                return found if each.name is None else getattr(found, each.name)
            case ir.Field():
                owner = self.value(each.owner)
                return getattr(owner, owner.__match_args__[int(each.name)] if each.name.isdigit() else each.name)
            case ir.Item():
                return self.value(each.owner)[self.value(each.key)]
            case ir.Slice():
                return self.value(each.owner)[self.bounds(each)]
            case ir.Range():
                return slice(each.low and self.value(each.low), each.high and self.value(each.high))
            case ir.Length():
                return len(self.value(each.operand))
            case ir.Arithmetic() | ir.Comparison():
                return OPERATORS[each.operator](self.value(each.left), self.value(each.right))
            case ir.Not():
                return not self.value(each.operand)
            case ir.IsKind():
                found = self.value(each.operand)
                is_text = isinstance(each.kind, ir.Import) and isinstance(found, str | bytes)
                return isinstance(found, self.value(each.kind)) and not is_text
            case ir.Interpolation():
                specifiers = each.specifiers or ("",) * len(each.parts)
                return "".join(self.text(part, how) for part, how in zip(each.parts, specifiers, strict=True))
            case ir.Sequence():
                kinds: dict[str, Any] = {"list": list, "tuple": tuple, "set": set}
                return kinds[each.kind](inner for part in each.elements for inner in self.several(part))
            case ir.Record():
                return self.record(each)
            case ir.Closure():
                return self.closure(each.code)
            case _:
                raise TypeError(each)

    def several(self, part: ir.Expression) -> list[Any]:
        return list(self.value(part.operand)) if isinstance(part, ir.Spread) else [self.value(part)]

    def text(self, part: ir.Expression, how: str) -> str:
        value = self.value(part)
        if how.startswith("!"):
            value, how = {"r": repr, "s": str, "a": ascii}[how[1]](value), how[3:]
        return format(value, how)

    def record(self, each: ir.Record) -> Any:
        found: dict[Any, Any] = {}
        for key, value in each.entries:
            if key is None:
                found |= self.value(value.operand)  # type: ignore[attr-defined]
            else:
                found[self.value(key)] = self.value(value)
        return found if each.kind is None else self.value(each.kind)(*found["args"])

    def closure(self, code: ir.Code) -> Any:
        if code.kind == "class":
            inner = Run(code, self.names, self)
            inner.body(code.body)
            bases = tuple(self.value(each.value) for each in code.bases)
            return type(code.name, bases, {each.name: value for each, value in inner.values.items() if each.name})
        defaults = {each.variable: self.value(each.default) for each in code.parameters if each.default is not None}

        def call(*positional: object, **named: object) -> object:
            inner = Run(code, self.names, self)
            inner.values |= defaults
            given = list(positional)
            for each in code.parameters:
                if each.kind == "rest":
                    inner.values[each.variable], given = tuple(given), []
                elif each.kind == "named rest":
                    inner.values[each.variable], named = named, {}
                elif each.kind != "named" and given:
                    inner.values[each.variable] = given.pop(0)
                elif each.name in named:
                    inner.values[each.variable] = named.pop(each.name)
            try:
                inner.body(code.body)
            except Returned as returned:
                return returned.value
            return None

        return call


def run(code: ir.Code, names: dict[str, object]) -> None:
    """Run a module; its variables go to `names`."""
    Run(code, names).body(code.body)
