"""The intermediate representation as text, for tests and for whoever looks for the reason of a finding.

limit = arguments.get("limit", 50)      t1 = arguments.get("limit", 50)
                                        limit = t1
"""

from collections.abc import Iterator

from reviewer.code import ir

INDENT = "    "


class _Names:
    """The names of variables and labels, told apart: `limit`, `limit'2`, `t1` for a temporary, `L1` for a label."""

    def __init__(self) -> None:
        self._variables: dict[ir.Variable, str] = {}
        self._labels: dict[ir.JumpLabel, str] = {}
        self._used: dict[str, int] = {}

    def variable(self, variable: ir.Variable) -> str:
        if variable not in self._variables:
            count = self._used[variable.name] = self._used.get(variable.name, 0) + 1
            plain = variable.name if count == 1 else f"{variable.name}'{count}"
            self._variables[variable] = plain if variable.name else f"t{count}"
        return self._variables[variable]

    def label(self, label: ir.JumpLabel) -> str:
        return self._labels.setdefault(label, f"L{len(self._labels) + 1}")


def listing(code: ir.Code) -> str:
    """Return a code as text, one statement a line; the codes in it follow their statement."""
    return "\n".join(_code(code, _Names()))


def _code(code: ir.Code, names: _Names) -> Iterator[str]:
    takes = ", ".join(
        [_parameter(each, names) for each in code.parameters] + [_argument(each, names) for each in code.bases]
    )
    kind = code.kind if code.kind != "function" else "def"
    yield f"{'async ' if code.is_async else ''}{kind} {code.name}({takes}):"
    yield from _indented(_body(code.body, names))


def _parameter(parameter: ir.CodeParameter, names: _Names) -> str:
    star = {"rest": "*", "named rest": "**"}.get(parameter.kind, "")
    default = "" if parameter.default is None else f" = {_show(parameter.default, names)}"
    return f"{star}{names.variable(parameter.variable)}{default}"


def _argument(argument: ir.Argument, names: _Names) -> str:
    value = _show(argument.value, names)
    return value if argument.name is None else f"{argument.name}={value}"


def _indented(lines: Iterator[str]) -> Iterator[str]:
    return (INDENT + line for line in lines)


def _body(body: ir.Body, names: _Names) -> Iterator[str]:
    if not body:
        yield "pass"
    for each in body:
        yield from _statement(each, names)
        for closure in (part for part in ir.iter_expressions(each) if isinstance(part, ir.Closure)):
            yield from _indented(_code(closure.code, names))


def _statement(statement: ir.Statement, names: _Names) -> Iterator[str]:
    heads = list(_heads(statement, names))
    bodies = list(ir.iter_bodies(statement))
    if not bodies:
        yield heads[0]
    for head, body in zip(heads, bodies, strict=False):
        if body or head not in ("else:", "always:"):
            yield head
            yield from _indented(_body(body, names))


def _heads(statement: ir.Statement, names: _Names) -> Iterator[str]:  # noqa: C901  # one case for each form
    """Yield a statement's line, or one for each of its bodies."""

    def show(expression: ir.Expression | None) -> str:
        return "" if expression is None else _show(expression, names)

    match statement:
        case ir.Assign():
            yield f"{names.variable(statement.target)} = {show(statement.value)}"
        case ir.Store():
            yield f"{show(statement.place)} = {show(statement.value)}"
        case ir.Append():
            key = "" if statement.key is None else f"{show(statement.key)}: "
            yield f"{names.variable(statement.owner)} <+ {key}{show(statement.value)}"
        case ir.Delete():
            yield f"del {show(statement.place)}"
        case ir.Call():
            given = (_argument(each, names) for each in statement.arguments)
            yield f"{names.variable(statement.target)} = {show(statement.callee)}({', '.join(given)})"
        case ir.Await():
            yield f"{names.variable(statement.target)} = await {show(statement.operand)}"
        case ir.Yield():
            yield f"{names.variable(statement.target)} = yield{' from' if statement.every else ''} {show(statement.value)}"
        case ir.If():
            yield f"if {show(statement.test)}:"
            yield "else:"
        case ir.Loop():
            over = "" if statement.over is None else f" over {show(statement.over)}"
            element = "" if statement.element is None else f" as {names.variable(statement.element)}"
            yield f"{'async ' if statement.is_async else ''}loop {names.label(statement.label)}{over}{element}:"
            yield "else:"
        case ir.Block():
            yield f"block {names.label(statement.label)}:"
        case ir.With():
            yield f"{'async ' if statement.is_async else ''}with {show(statement.manager)} as {names.variable(statement.target)}:"
        case ir.Try():
            yield "try:"
            for each in statement.catches:
                variable = "" if each.variable is None else f" as {names.variable(each.variable)}"
                yield f"catch{'*' if each.is_group else ''} {', '.join(map(show, each.types)) or 'all'}{variable}:"
            yield "else:"
            yield "always:"
        case ir.Return():
            yield f"return {show(statement.value)}"
        case ir.Raise():
            cause = "" if statement.cause is None else f" from {show(statement.cause)}"
            yield f"raise {show(statement.value)}".rstrip() + cause
        case ir.Break():
            yield f"break {names.label(statement.label)}"
        case ir.Continue():
            yield f"continue {names.label(statement.label)}"
        case ir.Evaluate():
            yield show(statement.value)
        case _:
            raise TypeError(statement)


def _show(expression: ir.Expression, names: _Names) -> str:  # noqa: C901  # one case for each form
    def show(each: ir.Expression | None) -> str:
        return "" if each is None else _show(each, names)

    match expression:
        case ir.Constant():
            return "..." if expression.value is ... else repr(expression.value)
        case ir.Read():
            return names.variable(expression.variable)
        case ir.Global():
            return "::".join(expression.path)
        case ir.Import():
            return f"import {expression.module}{':' if expression.name else ''}{expression.name or ''}"
        case ir.Field():
            return f"{show(expression.owner)}.{expression.name}"
        case ir.Item():
            return f"{show(expression.owner)}[{show(expression.key)}]"
        case ir.Slice():
            step = f":{show(expression.step)}" if expression.step is not None else ""
            return f"{show(expression.owner)}[{show(expression.low)}:{show(expression.high)}{step}]"
        case ir.Range():
            return f"({show(expression.low)}..{show(expression.high)})"
        case ir.Arithmetic() | ir.Comparison():
            return f"({show(expression.left)} {expression.operator} {show(expression.right)})"
        case ir.Not():
            return f"not {show(expression.operand)}"
        case ir.IsKind():
            return f"{show(expression.operand)} is-a {show(expression.kind)}"
        case ir.Spread():
            return f"*{show(expression.operand)}"
        case ir.Sequence():
            return f"{expression.kind}[{', '.join(map(show, expression.elements))}]"
        case ir.Record():
            entries = (
                show(value) if key is None else f"{show(key)}: {show(value)}" for key, value in expression.entries
            )
            return f"{show(expression.kind)}{{{', '.join(entries)}}}"
        case ir.Closure():
            return f"<{expression.code.kind} {expression.code.name}>"
        case ir.Cast():
            return f"({show(expression.operand)} as {expression.kind})"
        case ir.Unknown():
            return f"unknown[{expression.reason}]({', '.join(map(show, expression.parts))})"
        case _:
            name = type(expression).__name__
            return f"{name}({', '.join(map(show, ir.iter_operands(expression)))})"
