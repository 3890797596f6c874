"""The functions that may give cursors out."""

from collections.abc import Iterable, Iterator

from reviewer.behaviour.paging.made_cursors import made_cursors
from reviewer.behaviour.paging.page_marks import marked
from reviewer.behaviour.paging.pages import CURSORS, GIVING
from reviewer.behaviour.values.entrances import Entrances
from reviewer.facts import Cursor, Server
from reviewer.languages.nodes import of_kinds
from reviewer.languages.python.behaviour.name_resolution import decorators_of
from reviewer.languages.python.behaviour.tracing import program_of, trace_of
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.project.modules import PyModule


def cursors(
    run: Evaluator, modules: Iterable[PyModule], servers: Iterable[Server], entrances: Entrances
) -> Iterator[Cursor]:
    """Yield the cursors that are made, by what tools are declared as and by what may be called from elsewhere."""
    functions = (
        (module, each)
        for module in modules
        if CURSORS.search(module.source.data) is not None
        for each in of_kinds(module.root, "python", "function_definition")
        if GIVING.search(each.text or b"") is not None or decorators_of(each)
    )
    paging = dict(marked(entrances, servers))
    traces = [*(trace_of(run, *each) for each in functions), *paging]
    following = {trace.code: found.next for trace, found in paging.items()}
    return made_cursors(traces, program_of(run).models, following)
