"""The rubrics: one Markdown file for each judged rule, and the frame around them.

A rubric begins with its version, with the verdicts that owe a quote, where one of its numbered questions is enough, with
`needs: one`, and with `more: not_applicable` where this verdict says that too little code was shown. `versions.lock` holds the
digest of each version's text: who changes a text must say so by a new version, for verdicts by another text cannot be compared.
"""

import re
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from reviewer.judge.answers import Verdict
from reviewer.patterns import pattern
from reviewer.records import dataclass

HEAD = pattern(
    r"\Aversion: (?P<version>\d+)\nquote: (?P<quote>[a-z_, ]+)\n"
    r"(?:needs: (?P<needs>one)\n)?(?:more: (?P<more>not_applicable)\n)?\n(?P<text>.*)\Z",
    re.DOTALL,
)
NUMBERED = pattern(r"^\d+\. ", re.MULTILINE)
FRAME = "judge"
REWRITE = "rewrite"
"""What a model is asked that writes a description."""


@dataclass(frozen=True, slots=True)
class Rubric:
    """One rubric. `owing` are the verdicts that count only with a quote from what was shown.

    `questions` says how many numbered questions it has; `one` that a single one of them is enough for `met`. `more` tells that
    who finds it not applicable was shown too little code, and is shown more.
    """

    name: str
    version: int
    owing: frozenset[Verdict]
    text: str
    questions: int = 0
    one: bool = False
    more: bool = False

    def agrees(self, verdict: Verdict, failing: Sequence[int]) -> bool:
        """Tell whether a verdict follows from the numbers of the questions whose answer speaks against `met`."""
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
def folder() -> Traversable:
    """Give the folder of the prompts: part of the package once it is built, beside it in the repository."""
    packed = files("reviewer") / "prompts"
    return packed if packed.is_dir() else Path(__file__).parents[2] / "prompts"


@cache
def rubric(name: str) -> Rubric:
    """Read one rubric. Raises ValueError if it does not begin as rubrics do."""
    read = HEAD.match((folder() / f"{name}.md").read_text("utf-8"))
    if read is None:
        raise ValueError(f"prompts/{name}.md does not begin with `version: N` and `quote: VERDICTS`")
    verdicts: dict[str, Verdict] = {"met": "met", "not_met": "not_met", "not_applicable": "not_applicable"}
    owing = frozenset(verdicts[each] for each in re.findall(r"\w+", read["quote"]) if each in verdicts)
    text = read["text"].strip()
    one, more = read["needs"] is not None, read["more"] is not None
    return Rubric(name, int(read["version"]), owing, text, len(NUMBERED.findall(text)), one, more)


def names() -> list[str]:
    """Name every rubric; the frame and what a writer is asked are none."""
    found = (each.name.removesuffix(".md") for each in folder().iterdir() if each.name.endswith(".md"))
    return sorted(name for name in found if name not in (FRAME, REWRITE))


def locked() -> str:
    """Give the text of `versions.lock`: name, version and digest of every version that ever was, a line each."""
    return (folder() / "versions.lock").read_text("utf-8")


def relocked(text: str) -> str:
    """Add to the text of a lock what is new among the prompts.

    Raises ValueError if a text was changed and its version was not, for verdicts by two texts would bear one name.
    """
    digests = {(name, int(version)): digest for name, version, digest in map(str.split, text.splitlines())}
    for each in map(rubric, [FRAME, REWRITE, *names()]):
        known = digests.setdefault((each.name, each.version), each.digest)
        if known != each.digest:
            raise ValueError(f"prompts/{each.name}.md was changed: make it version {each.version + 1}")
    lines = (f"{name} {version} {digest}\n" for (name, version), digest in sorted(digests.items()))
    return "".join(lines)
