"""The rubrics: one Markdown file for each judged rule, and the frame around them.

A rubric begins with its version and what its verdicts owe, a line each:

- `quote: VERDICTS` count only with a quote of the description, `evidence: VERDICTS` only with one of the schema, the code or
  another tool, `names: VERDICTS` only with the arguments that they are about;
- `needs: one`: one of the numbered questions is enough;
- `more: VERDICT`: who gives it was shown too little code;
- `failing N: WORDS`: what a report says where question N speaks against the description. `failing N (no quote)` owes no quote,
  for there is none where a text says nothing, and `failing N (no evidence)` no evidence. `failing N (unless M)` goes without
  saying where M speaks against it, too.

`versions.lock` holds the digest of each version's text: who changes a text must say so by a new version, for verdicts by another
text cannot be compared.
"""

import re
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal, get_args

from reviewer.caching import cache
from reviewer.judge.answers import RubricVerdict
from reviewer.records import dataclass
from reviewer.text.patterns import pattern

HEAD = pattern(r"\A(?P<head>(?:[^:\n]+: [^\n]+\n)+)\n(?P<text>.*)\Z", re.DOTALL)
"""Lines of `key: value`, an empty line, the text that a model is given."""

FAILING = pattern(r"failing (?P<number>\d+)(?: \((?:no (?P<free>quote|evidence)|unless (?P<first>\d+))\))?")
"""The keys whose lines say what a report tells for each question, with what excuses it."""

NUMBERED = pattern(r"^\d+\. ", re.MULTILINE)
"""The questions of a rubric, counted: a verdict that names one beyond them is refused."""

FRAME = "judge"
REWRITE = "rewrite"
"""What a model is asked that writes a description."""
SELECT_TASKS, SELECT_NARROW, SELECT_CHOICE = "select-tasks", "select-tasks-narrow", "select-choice"
"""What a model is asked that writes tasks for tools, or such as one tool alone serves, and one that chooses tools for tasks."""
GRADES = "grades"
"""How descriptions are graded."""
PROMPTS = (FRAME, REWRITE, GRADES, SELECT_TASKS, SELECT_NARROW, SELECT_CHOICE)
"""What is no rubric."""

EvidenceKind = Literal["quote", "evidence", "names"]


@dataclass(frozen=True, slots=True)
class Rubric:
    """One rubric. `quoting`, `evident` and `naming` are the verdicts that count only with a quote of the description, with one
    of what lies beside it, and with the names of arguments.

    `questions` says how many numbered questions it has; `one` that a single one of them is enough for `met`. `more` tells that
    who finds it not applicable was shown too little code, and is shown more. `failing` has the words of a report for each
    question, `implied` the questions that go without saying where another fails, and `free` those that owe nothing of a kind.
    """

    name: str
    version: int
    quoting: frozenset[RubricVerdict]
    text: str
    questions: int = 0
    one: bool = False
    more: bool = False
    evident: frozenset[RubricVerdict] = frozenset()
    naming: frozenset[RubricVerdict] = frozenset()
    failing: tuple[tuple[int, str], ...] = ()
    implied: frozenset[tuple[int, int]] = frozenset()
    free: frozenset[tuple[int, str]] = frozenset()

    def owes(self, kind: EvidenceKind, verdict: RubricVerdict, failing: Sequence[int]) -> bool:
        """Return whether a verdict counts only with a quote of a kind, or with names."""
        owing = {"quote": self.quoting, "evidence": self.evident, "names": self.naming}[kind]
        return verdict in owing and not (failing and all((each, kind) in self.free for each in failing))

    def describe_failing(self, failing: Sequence[int]) -> tuple[str, ...]:
        """Return the text of a report about the questions whose answers speak against a description."""
        untold = {number for number, first in self.implied if first in failing}
        return tuple(said for number, said in self.failing if number in failing and number not in untold)

    def agrees(self, verdict: RubricVerdict, failing: Sequence[int]) -> bool:
        """Return whether a verdict follows from the numbers of the questions whose answer speaks against `met`."""
        if not self.questions or verdict == "not_applicable":
            return True
        failed = set(failing)
        if not failed <= set(range(1, self.questions + 1)):
            return False
        return (verdict == "met") == (len(failed) < self.questions if self.one else not failed)

    @property
    def shown(self) -> str:
        """The rubric with its version, as results name it: `purpose-unclear@2`."""
        return f"{self.name}@{self.version}"

    @property
    def digest(self) -> str:
        """What tells two texts of one version apart."""
        return sha256(self.text.encode()).hexdigest()[:16]


@cache
def find_prompts_folder() -> Traversable:
    """Return the folder of the prompts: part of the package once it is built, beside it in the repository."""
    packed = files("reviewer") / "prompts"
    return packed if packed.is_dir() else Path(__file__).parents[2] / "prompts"


@cache
def load_rubric(name: str) -> Rubric:
    """Read one rubric. Raises ValueError if it does not begin as rubrics do."""
    read = HEAD.match((find_prompts_folder() / f"{name}.md").read_text("utf-8"))
    head = [line.partition(": ")[::2] for line in read["head"].splitlines()] if read is not None else []
    fields, failing = dict(head), [(found, said) for key, said in head if (found := FAILING.fullmatch(key))]
    if read is None or not fields.get("version", "").isdigit() or "quote" not in fields:
        raise ValueError(f"prompts/{name}.md does not begin with `version: N` and `quote: VERDICTS`")
    text = read["text"].strip()
    return Rubric(
        name,
        int(fields["version"]),
        _collect_verdicts(fields["quote"]),
        text,
        len(NUMBERED.findall(text)),
        fields.get("needs") == "one",
        fields.get("more") == "not_applicable",
        _collect_verdicts(fields.get("evidence", "")),
        _collect_verdicts(fields.get("names", "")),
        tuple((int(found["number"]), said) for found, said in failing),
        frozenset((int(found["number"]), int(found["first"])) for found, _ in failing if found["first"]),
        frozenset((int(found["number"]), found["free"]) for found, _ in failing if found["free"]),
    )


def _collect_verdicts(said: str) -> frozenset[RubricVerdict]:
    return frozenset(each for each in get_args(RubricVerdict) if each in re.findall(r"\w+", said))


def list_rubrics() -> list[str]:
    """Name every rubric; what else a model is asked is none."""
    found = (each.name.removesuffix(".md") for each in find_prompts_folder().iterdir() if each.name.endswith(".md"))
    return sorted(name for name in found if name not in PROMPTS)


def read_lock() -> str:
    """Return the text of `versions.lock`: name, version and digest of every version that ever was, a line each."""
    return (find_prompts_folder() / "versions.lock").read_text("utf-8")


def update_lock(text: str) -> str:
    """Add to the text of a lock what is new among the prompts.

    Raises ValueError if a text was changed and its version was not, for verdicts by two texts would bear one name.
    """
    digests = {(name, int(version)): digest for name, version, digest in map(str.split, text.splitlines())}
    for each in map(load_rubric, [*PROMPTS, *list_rubrics()]):
        known = digests.setdefault((each.name, each.version), each.digest)
        if known != each.digest:
            raise ValueError(f"prompts/{each.name}.md was changed: make it version {each.version + 1}")
    lines = (f"{name} {version} {digest}\n" for (name, version), digest in sorted(digests.items()))
    return "".join(lines)
