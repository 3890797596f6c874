"""The functions that may give cursors out."""

from collections.abc import Iterable, Iterator

from reviewer.behaviour.paging.made_cursors import iter_made_cursors
from reviewer.behaviour.paging.page_marks import iter_page_marks
from reviewer.behaviour.paging.pages import CURSORS, GIVING
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.facts import Cursor, Server
from reviewer.languages.nodes import find_descendants
from reviewer.languages.python.behaviour.name_resolution import list_decorators
from reviewer.languages.python.behaviour.tracing import get_program, trace_of
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.project.modules import PyModule


def iter_cursors(
    run: Evaluator, modules: Iterable[PyModule], servers: Iterable[Server], entry_points: EntryPoints
) -> Iterator[Cursor]:
    """Yield the cursors that are made, by what tools are declared as and by what may be called from elsewhere."""
    functions = (
        (module, each)
        for module in modules
        if CURSORS.search(module.source.data) is not None
        for each in find_descendants(module.root, "python", "function_definition")
        if GIVING.search(each.text or b"") is not None or list_decorators(each)
    )
    paging = dict(iter_page_marks(entry_points, servers))
    traces = [*(trace_of(run, *each) for each in functions), *paging]
    following = {trace.code: found.next for trace, found in paging.items()}
    return iter_made_cursors(traces, get_program(run).models, following)
