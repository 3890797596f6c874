"""Abstract runs of the functions of a project: what a tool's function does with the arguments of a call."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.code.events import Trace
from reviewer.code.interpreter import Run
from reviewer.code.values import ANY, Label, Value
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.program import PythonProgram


def program_of(run: Evaluator) -> PythonProgram:
    """Return the project as an abstract run asks for it, the same each time."""
    found = run.done.get(PROGRAM)
    if not isinstance(found, PythonProgram):
        found = run.done[PROGRAM] = PythonProgram(run)
    return found


PROGRAM = ("", -1)
"""Where the evaluator keeps the program: no function begins there."""


def trace_of(run: Evaluator, module: Module, function: Node) -> Trace:
    """Return what a function does when it is called with anything, once for each function."""
    program = program_of(run)
    code = program.code_at(module, function)
    if code not in program.traces:
        run.start()
        program.traces[code] = Run(program, summaries=program.summaries).start(code, arguments(code))
    return program.traces[code]


def arguments(code: ir.Code) -> dict[ir.Variable, Value]:
    """Return what a client hands over: anything, under the name of each parameter."""
    return {
        each.variable: Value(("argument", each.name), frozenset({Label("argument", each.name)}), interval=ANY)
        for each in code.parameters
        if each.kind in ("normal", "named", "positional")
    }
