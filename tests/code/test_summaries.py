"""How closely a function is looked at that many call."""

from reviewer.code.ir import Code, Site
from reviewer.code.summaries import VARIANTS, Summaries
from reviewer.source import Source


def test_what_closures_captured_counts_however_many_are_handed_over():
    code, known = Code("run_blocking", "function", Source("a.rs", b""), Site(0, 0), lambda _: ()), Summaries()
    known._counts[code] = VARIANTS
    assert known.detail(code) == 0
    assert known.detail(code, of_closure=True) == 1
