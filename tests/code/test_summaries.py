"""How closely a function is looked at that many call."""

from traced import trace

from reviewer.code.ir import Code, Site
from reviewer.code.summaries import VARIANTS, WAYS, choose_detail
from reviewer.source import Source


def test_what_closures_captured_counts_however_many_are_handed_over():
    code = Code("run_blocking", "function", Source("a.rs", b""), Site(0, 0), lambda _: ())
    assert choose_detail(code, VARIANTS) == 0
    assert choose_detail(code, VARIANTS, of_closure=True) == 1


def test_functions_that_all_call_each_other_are_not_run_for_each_way_through_them(tmp_path):
    count = 16
    code = "".join(
        f"def k{n}(heat):\n    return {' + '.join(f'k{(5 * n + step) % count}(heat)' for step in range(5))}\n\n\n"
        for n in range(count)
    )
    found = trace(tmp_path, code, "k0")
    assert len(found.collect_codes()) == count
    assert len(found.list_traces()) < count * (WAYS + 1)
