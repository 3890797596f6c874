"""Whether a function sets a pace is told once for all that it sends: its whole text is looked through for it."""

from reviewer.languages import surroundings
from reviewer.languages.nodes import of_kinds, parse
from reviewer.languages.python.behaviour.surroundings import function_of, is_paced
from reviewer.source import Source

SENDING = b"async def run(ctx):\n    await sleep(1)\n" + b"    await ctx.report_progress(1, 2)\n" * 50


def test_the_pace_of_a_function_is_looked_for_once() -> None:
    calls = of_kinds(parse(Source("server.py", SENDING), "python"), "python", "call")
    before = surroundings._is_paced.cache_info()
    assert all(is_paced(function_of(each)) for each in calls)
    after = surroundings._is_paced.cache_info()
    assert (after.misses - before.misses, after.hits - before.hits) == (1, len(calls) - 1)
