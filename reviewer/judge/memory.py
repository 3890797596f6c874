"""Verdicts and drafts of earlier runs in one SQLite file, which many runs may use at once. One that fails is done without."""

import contextlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

from reviewer.files.cache import find_cache_folder
from reviewer.judge.answers import Judged, RubricVerdict
from reviewer.judge.grades import Grades
from reviewer.judge.offers import Claim, Draft

FILE = "verdicts.sqlite"
SECONDS = 5.0
"""How long another run may hold the file before this one goes on without it.

Writing 1,000 rows takes 0.05 s on a busy machine.
"""

TABLE = """
create table if not exists verdicts_3 (
  question text not null, judge text not null, verdict text not null, quote text, why text not null, rubric text not null,
  model text not null, failing text not null, evidence text, names text not null, primary key (question, judge)
) without rowid
"""

COLUMNS = "verdict, quote, why, rubric, model, failing, evidence, names"

DRAFTS = """
create table if not exists drafts_1 (
  request text not null, judge text not null, draft text not null, claims text not null, prompt text not null,
  model text not null, primary key (request, judge)
) without rowid
"""

ANSWERS = """
create table if not exists answers_1 (
  question text not null, judge text not null, answer text not null, model text not null, primary key (question, judge)
) without rowid
"""


class VerdictMemory:
    """The verdicts of one judge. What goes wrong with the file is told once, and then nothing is remembered."""

    def __init__(self, judge: str, tell: Callable[[str], None], file: Path | None = None) -> None:
        self._judge = judge
        self._tell = tell
        self._base: sqlite3.Connection | None = None
        try:
            self._file = file or find_cache_folder() / FILE
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._base = sqlite3.connect(self._file, timeout=SECONDS, isolation_level=None)
            with contextlib.suppress(sqlite3.OperationalError):  # another run is just doing it, or the disk cannot
                self._base.execute("pragma journal_mode = wal")
            self._base.execute("pragma synchronous = normal")
            self._base.execute(TABLE)
            self._base.execute(DRAFTS)
            self._base.execute(ANSWERS)
        except (OSError, RuntimeError, sqlite3.Error) as error:
            self._give_up(error)

    def recall(self, key: str) -> Judged | None:
        """Return the verdict on what a question shows, if there was one."""
        row = self._run(f"select {COLUMNS} from verdicts_3 where question = ? and judge = ?", key)
        if row is None or row[0] not in get_args(RubricVerdict):
            return None
        verdict, quote, why, rubric, model, failing, evidence, names = row
        numbers = tuple(map(int, failing.split()))
        return Judged(verdict, quote, why, rubric, model, numbers, evidence, tuple(json.loads(names)))

    def keep(self, key: str, answer: Judged) -> None:
        """Keep a verdict."""
        failing = " ".join(map(str, answer.failing))
        said = (answer.verdict, answer.quote, answer.why, answer.rubric, answer.model, failing, answer.evidence)
        names = json.dumps(answer.names)
        self._run("insert or replace into verdicts_3 values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", key, *said, names)

    def recall_draft(self, key: str) -> Draft | None:
        """Return the description that was written on a request, if there was one."""
        row = self._run("select draft, claims, prompt, model from drafts_1 where request = ? and judge = ?", key)
        if row is None:
            return None
        claims = tuple(Claim(text, tuple(quotes)) for text, quotes in json.loads(row[1]))
        return Draft(row[0], claims, row[2], row[3])

    def keep_draft(self, key: str, draft: Draft) -> None:
        """Keep a description."""
        claims = json.dumps([(each.text, each.quotes) for each in draft.claims])
        said = (draft.text, claims, draft.prompt, draft.model)
        self._run("insert or replace into drafts_1 values (?, ?, ?, ?, ?, ?)", key, *said)

    def recall_answer(self, key: str) -> tuple[Any, str] | None:
        """Return the answer to a request that is no question of a rule, with its model; None if it was not asked."""
        row = self._run("select answer, model from answers_1 where question = ? and judge = ?", key)
        return (json.loads(row[0]), row[1]) if row is not None else None

    def keep_answer(self, key: str, value: Any, model: str) -> None:
        """Keep such an answer."""
        self._run("insert or replace into answers_1 values (?, ?, ?, ?)", key, json.dumps(value), model)

    def recall_grades(self, key: str) -> Grades | None:
        """Return the grades of what is shown of a tool, if there were any."""
        found = self.recall_answer(key)
        return Grades(tuple(found[0]), found[1]) if found is not None else None

    def keep_grades(self, key: str, grades: Grades) -> None:
        """Keep grades."""
        self.keep_answer(key, grades.values, grades.model)

    def close(self) -> None:
        """Let go of the file."""
        if self._base is not None:
            self._base.close()
            self._base = None

    def _run(self, statement: str, key: str, *values: str | None) -> tuple[Any, ...] | None:
        if self._base is None:
            return None
        try:
            row: tuple[Any, ...] | None = self._base.execute(statement, (key, self._judge, *values)).fetchone()
        except sqlite3.Error as error:
            self._give_up(error)
            return None
        return row

    def _give_up(self, error: Exception) -> None:
        self.close()
        why = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
        place = getattr(self, "_file", "the cache")
        self._tell(f"{place}: verdicts cannot be remembered: {why.lower()}; if the file is broken, delete it")
