"""What a promise is told to do at its end: `p.then(f).catch(g).finally(h)` is `await`, `try`, `catch` and `finally`.

The functions that are handed over run when the promise ends, with what it gives or why it failed. So a chain is lowered to
the statements that an `async` function would have in its stead, and whoever waits for the chain waits for its last function.
"""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.typescript.lowering.files import has_token, list_children
from reviewer.languages.typescript.lowering.frame import TypeScriptFrame

CONTINUING = {"then": 2, "catch": 1, "finally": 1}
"""The methods of a promise, each with how many functions it takes."""
_HANDED = frozenset(
    {"arrow_function", "function_expression", "identifier", "member_expression", "call_expression", "undefined", "null"}
)
"""What may stand for a function that is handed over."""
_LEFT_OUT = frozenset({"undefined", "null"})
"""What stands in the place of a function that is not handed over: `p.then(undefined, failed)`."""


def find_continuation(step: Node) -> str:
    """Return the method by which a call tells a promise what to do at its end; empty if it does not."""
    callee, given = step.child_by_field_name("function"), step.child_by_field_name("arguments")
    if step.type != "call_expression" or callee is None or given is None or callee.type != "member_expression":
        return ""
    if has_token(callee, "?.") or callee.child_by_field_name("optional_chain") is not None:
        return ""
    name = callee.child_by_field_name("property")
    written = (name.text or b"").decode() if name is not None else ""
    handed = list_children(given) if given.type == "arguments" else []
    is_fitting = 0 < len(handed) <= CONTINUING.get(written, 0) and all(each.type in _HANDED for each in handed)
    return written if is_fitting and any(each.type not in _LEFT_OUT for each in handed) else ""


def lower_continuation(
    frame: TypeScriptFrame, step: Node, method: str, promise: ir.Expression, since: int
) -> ir.Expression:
    """Lower one of these calls. What makes the promise was emitted from `since` on: its failure is what they deal with."""
    at, result, given = to_site(step), frame.prepare_temporary(), step.child_by_field_name("arguments")
    handed = list_children(given) if given is not None else []
    done = handed[0] if method == "then" else None
    failed = handed[-1] if method == "catch" or len(handed) == 2 else None
    made = ir.Try(at, (), ())
    before = frame.out[since:]
    del frame.out[since:]
    frame.enter(made)
    frame.out += before
    settled = ir.Variable()
    frame.emit(ir.Await(at, settled, promise))
    frame.emit(ir.Assign(at, result, ir.Read(at, settled)))
    frame.turn("otherwise")
    if done is not None and done.type not in _LEFT_OUT:
        _emit_call(frame, done, result, at, settled)
    if failed is not None and failed.type not in _LEFT_OUT:
        reason = ir.Variable()
        catch = ir.Catch(to_site(failed), (), reason, ())
        made.catches = (catch,)
        frame.enter_catch(catch)
        _emit_call(frame, failed, result, at if done is None else to_site(failed), reason)
        frame.leave()
    frame.turn("always")
    if method == "finally":
        _emit_call(frame, handed[0], ir.Variable(), at, None)
    frame.leave()
    return ir.Read(at, result)


def _emit_call(
    frame: TypeScriptFrame, handed: Node, target: ir.Variable, at: ir.Site, given: ir.Variable | None
) -> None:
    callee = frame.lower_expression(handed)
    arguments = (ir.Argument(ir.Read(at, given)),) if given is not None else ()
    called = ir.Variable()
    frame.emit(ir.Call(at, called, callee, arguments))
    frame.emit(ir.Await(at, target, ir.Read(at, called)))
