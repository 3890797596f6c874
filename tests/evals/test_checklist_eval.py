"""The harness of the checklist's mutants is loud about what does not fit and counts right."""

import sys
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

EVAL = Path(__file__).parents[2] / "evals" / "checklist"
sys.path.insert(0, str(EVAL))

from mutation import CLEAN, BadMutantError, Edit, Mutant, Place, apply, load, parse  # noqa: E402
from reviewing import PROFILES, fresh, servers  # noqa: E402
from syntax import check, parses  # noqa: E402
from tally import Outcome, Seen, faults, table, totals, write  # noqa: E402

SPEC = spec_from_file_location("checklist_run", EVAL / "run.py")  # `run` is the name of other evals too
assert SPEC is not None
assert SPEC.loader is not None
run = module_from_spec(SPEC)
SPEC.loader.exec_module(run)
PATH = "tasks/respond.py"
GUARD = Mutant("success-without-request-id", "python_single", "x", (), frozenset({"success-without-request-id"}))
IDS = '{"request_id": uuid.uuid4().hex, "action": action}'
MUTANTS = load()


@pytest.mark.parametrize("server", servers())
def test_the_clean_servers_can_be_parsed(server: str) -> None:
    assert all(parses(path) for path in (CLEAN / server).rglob("*") if path.is_file())


@pytest.mark.slow
@pytest.mark.parametrize("rule", sorted({each.rule for each in MUTANTS}))
def test_every_mutant_applies_and_can_be_parsed(rule: str) -> None:
    for each in MUTANTS:
        if each.rule == rule:
            check(each)


OF_THE_OTHER = {
    "rust": {"cancellation-swallowed"},
    "python": {
        "isolation-without-effect",  # Python has no profile that aborts
        "cancellation-ignored",
        "guard-across-await",
        "index-unchecked",
        "panic-on-call-path",
        "text-sliced-by-bytes",
    },
}
"""Rules of which a language has no mutants, because they speak of what only the other has."""


def _servers(rule: str) -> set[str]:
    """Return the kinds of clean servers that a rule's mutants are made of."""
    return {each.server.rpartition("_")[2] for each in MUTANTS if each.rule == rule}


@pytest.mark.parametrize("language", ["rust", "python"])
def test_every_rule_has_five_disguises(language: str) -> None:
    counts = {each.rule: 0 for each in MUTANTS}
    for each in MUTANTS:
        counts[each.rule] += each.language == language and not each.harmless
    of_guidelines = {rule for rule, count in counts.items() if count == 0 and _servers(rule) <= set(PROFILES)}
    few = {rule for rule, count in counts.items() if count < 5}
    assert few - of_guidelines == OF_THE_OTHER[language] - of_guidelines


IDS_LINE = next(line for line in (CLEAN / GUARD.server / PATH).read_text("utf-8").split("\n") if IDS in line)
PAGE = f"""# success-without-request-id

## python_single: as a page says it

Found instead: `envelope-differs`. Found too: `a`, `b`.

In `{PATH}`:

```diff
-{IDS_LINE}
+    answer = {{}}  # flaw
```

New file `tasks/new.py`:

```python
X = 1  # flaw
```

Found in `{PATH}` where this ends:

```text
def respond(
```

## python_single: harmless

Nothing is found.

In `{PATH}`:

```diff
 import uuid
+import json
@@
-{IDS_LINE}
+    answer = {{}}
```
"""


@pytest.mark.parametrize(
    "edit",
    [
        Edit(PATH, "no such text", "x  # flaw"),
        Edit(PATH, "value", "x  # flaw"),
        Edit(PATH, None, "x  # flaw"),
        Edit("tasks/nowhere.py", "value", "x  # flaw"),
        Edit(PATH, IDS, "{}"),
    ],
    ids=["not there", "more than once", "there already", "no such file", "no place named"],
)
def test_a_mutant_that_does_not_fit_is_refused(edit: Edit, tmp_path: Path) -> None:
    with pytest.raises(BadMutantError):
        apply(replace(GUARD, edits=(edit,)), tmp_path)


def test_a_marker_has_to_be_there_once(tmp_path: Path) -> None:
    with pytest.raises(BadMutantError):
        apply(replace(GUARD, edits=(Edit(PATH, IDS, "{}"),), at=((PATH, "value"),)), tmp_path)


def test_a_harmless_mutant_names_no_place(tmp_path: Path) -> None:
    with pytest.raises(BadMutantError):
        apply(replace(GUARD, edits=(Edit(PATH, IDS_LINE, "    answer = {}  # flaw"),), slugs=frozenset()), tmp_path)


def test_a_page_is_read() -> None:
    guilty, innocent = parse(PAGE)
    assert (guilty.rule, guilty.server, guilty.name) == (GUARD.rule, "python_single", "as a page says it")
    assert guilty.slugs == {GUARD.rule, "envelope-differs"}
    assert guilty.also == {"a", "b"}
    assert guilty.edits == (
        Edit(PATH, IDS_LINE, "    answer = {}  # flaw"),
        Edit("tasks/new.py", None, "X = 1  # flaw"),
    )
    assert guilty.at == ((PATH, "def respond("),)
    assert innocent.harmless
    assert innocent.edits == (
        Edit(PATH, "import uuid", "import uuid\nimport json"),
        Edit(PATH, IDS_LINE, "    answer = {}"),
    )


def test_what_a_page_says_otherwise_is_refused() -> None:
    with pytest.raises(BadMutantError, match="Nothing is found, I hope"):
        list(parse(PAGE.replace("Nothing is found.", "Nothing is found, I hope.")))


def test_the_marks_are_not_written(tmp_path: Path) -> None:
    places = apply(next(parse(PAGE)), tmp_path)
    assert [place.path for place in places] == [PATH, "tasks/new.py", PATH]
    assert (tmp_path / "tasks/new.py").read_text("utf-8") == "X = 1\n"
    assert "flaw" not in (tmp_path / PATH).read_text("utf-8")


def seen(slug: str, path: str = PATH, line: int = 3) -> Seen:
    return Seen(slug, path, line, "m")


OUTCOME = Outcome(replace(GUARD, also=frozenset({"explained"})), (Place(PATH, 3),), ())


def test_what_is_found_is_told_apart() -> None:
    on_line, beside = replace(OUTCOME, new=(seen(GUARD.rule),)), replace(OUTCOME, new=(seen(GUARD.rule, line=9),))
    assert (on_line.caught, on_line.on_line, on_line.missed, on_line.wrong) == (True, True, False, [])
    assert (beside.caught, beside.on_line, beside.missed, beside.wrong) == (True, False, False, [])
    elsewhere = replace(OUTCOME, new=(seen(GUARD.rule, path="other.py"), seen("explained"), seen("unexplained")))
    assert (elsewhere.caught, elsewhere.missed) == (False, True)
    assert [each.slug for each in elsewhere.wrong] == [GUARD.rule, "unexplained"]
    quiet = replace(OUTCOME, mutant=replace(GUARD, slugs=frozenset()))
    assert (quiet.caught, quiet.missed, quiet.wrong) == (False, False, [])


def test_a_finding_that_only_moved_is_not_new() -> None:
    before = [seen("a"), seen("a")]
    after = [seen("a", line=8), seen("a", line=9), seen("a", line=10), seen("b")]
    assert fresh(after, before) == after[2:]


def test_the_table_counts_every_column(tmp_path: Path) -> None:
    outcomes = [OUTCOME, replace(OUTCOME, new=(seen(GUARD.rule),)), replace(OUTCOME, broke="KeyError: x")]
    twins = {"python_single": [seen(GUARD.rule), seen("unheard-of")]}
    added = totals(outcomes, twins)
    assert {name: added[name] for name in ("python", "caught", "missed", "broke", "false")} == {
        "python": 3, "caught": 1, "missed": 2, "broke": 1, "false": 2,
    }  # fmt: skip
    text = table(outcomes, twins)
    assert "| 0 | 3 | 1 | 1 | 2 | 0 | 0 | 1 |" in text
    assert "`unheard-of` (no such rule)" in text
    assert [line.split()[0] for line in faults(outcomes, twins).splitlines()] == ["false", "false", "missed", "broke"]
    page = tmp_path / "page.md"
    write(page, text)
    write(page, "again")
    assert "again" in page.read_text("utf-8")
    assert text not in page.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["handler-bypasses-respond/rust_dispatch/value as it is", "sse-transport/python_fastmcp/literal"]
)
def test_mutants_are_caught_end_to_end(name: str) -> None:
    outcome = run.tried(next(each for each in MUTANTS if each.id == name))
    assert outcome.on_line
