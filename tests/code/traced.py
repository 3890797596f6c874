"""Abstract runs of functions that are written in Python."""

from textwrap import dedent

from reviewer.code.events import Called, Occurrence, Returned, Sliced, Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.run import RunBounds
from reviewer.code.state import infer_interval
from reviewer.code.values import Interval, Value
from reviewer.files.discovery import Tree
from reviewer.languages.python.behaviour.tracing import build_client_arguments
from reviewer.languages.python.evaluation.project_evaluator import ProjectEvaluator
from reviewer.languages.python.evaluation.values import PyFunction
from reviewer.languages.python.project.modules import Modules
from reviewer.languages.python.project.program import PythonProgram
from reviewer.source import Source


def trace(
    tmp_path, code: str, function: str = "tool", bounds: RunBounds | None = None, **others: "str | Value"
) -> Trace:
    """Run a function of `server.py`; `others` are modules beside it, or values of its parameters, by name."""
    texts = {name: dedent(text) for name, text in others.items() if isinstance(text, str)}
    files = {"server": dedent(code), **texts}
    modules = Modules({f"{name}.py": Source(f"{name}.py", text.encode()) for name, text in files.items()})
    evaluator = ProjectEvaluator(modules, Tree(tmp_path))
    module = modules.by_path["server.py"]
    found = evaluator.resolve_name(function, evaluator.evaluate_module(module), module.root)
    assert isinstance(found, PyFunction)
    program = PythonProgram(evaluator)
    lowered = program.find_function_code(found)
    chosen = {each.variable: others[each.name] for each in lowered.parameters if each.name in others.keys() - texts}
    return Interpreter(program, bounds or RunBounds()).start(lowered, build_client_arguments(lowered) | chosen)


def cut(found: Trace) -> Interval:
    """Return between which numbers the end of the one slice lies."""
    (event,) = [each.event for each in found.iter_occurrences() if isinstance(each.event, Sliced)]
    assert event.high is not None
    return infer_interval(event.high, event.facts)


def calls(found: Trace, path: str) -> list[Occurrence]:
    """Return where a function is called, by its path."""
    return [each for each in found.iter_occurrences() if isinstance(each.event, Called) and each.event.path == path]


def given(found: Trace, path: str = "probe") -> set[str]:
    """Return the names of the arguments that what a function is handed comes from."""
    labels = [label for each in calls(found, path) for value in _values(each) for label in each.resolve_labels(value)]
    return {label.name or label.origin for label in labels}


def _values(occurrence: Occurrence):
    assert isinstance(occurrence.event, Called)
    return (*occurrence.event.arguments, *occurrence.event.named.values())


def returned(found: Trace) -> set[str]:
    """Return where what the function gives comes from."""
    events = [each for each in found.events if isinstance(each, Returned)]
    return {label.name or label.origin for each in events for label in each.value.labels}
