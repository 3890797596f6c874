"""Which texts a value may be, as far as code says them: constants, defaults, what an option of a command line lets in."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Entered, Occurrence
from reviewer.code.ir import Code
from reviewer.code.models import Models
from reviewer.code.state import KnownFact, infer_constants, infer_truth
from reviewer.code.values import ConditionalValue, Made, Term, Value

DEEPEST = 12
"""How many values inside values are looked through. A default behind an option, a test and a conversion has six."""


class Texts(NamedTuple):
    """The texts that a value may be. `sure` tells that it is the one text, and no run chooses."""

    found: frozenset[str] = frozenset()
    sure: bool = False


class PossibleTexts:
    """What values may be in some traces, whose events say what a command line takes."""

    def __init__(self, models: Models, occurrences: Iterable[Occurrence], options: Mapping[str, Iterable[str]]) -> None:
        self._models = models
        self._options = {name: set(texts) for name, texts in options.items()}
        for each in occurrences:
            if isinstance(each.event, Called) and "declares option" in collect_acts(each.event, models):
                self._declare(each, each.event)

    def is_setting(self, by: str) -> bool:
        """Return whether a function gives a setting, of which what it was given tells nothing."""
        return self._models.get_model(by).returns == "fixed"

    def _declare(self, occurrence: Occurrence, event: Called) -> None:
        """Take down an option: its names, its default and its choices."""
        default = event.named.get("default") or event.find_argument(0)
        choices = event.named.get("choices") or event.named.get("type")
        given = [event.named.get("default"), *_iter_parts(choices)]
        names = [text.lstrip("-").replace("-", "_") for each in event.values if (text := each.text) is not None]
        if default is not None and default is event.find_argument(0) and not _is_named(event):
            given.append(default)  # `typer.Option("stdio")`, which is the default of a parameter
            names = [str(event.at.start)]
        found = {text for each in given if each is not None for text in self.evaluate(occurrence, each).found}
        for name in names:
            for key in (name, f"{event.code.source.path}:{name}"):
                self._options.setdefault(key, set()).update(found)

    def evaluate(self, occurrence: Occurrence, value: Value, deep: int = DEEPEST) -> Texts:
        """Return the texts that a value of an event may be there."""
        found = self._evaluate_value(occurrence, value, deep) if deep else Texts()
        fact = occurrence.event.facts.get(value.term)
        return found._replace(
            found=frozenset(each for each in found.found if _admits(occurrence, fact, value.term, each))
        )

    def _evaluate_value(self, occurrence: Occurrence, value: Value, deep: int) -> Texts:
        caller = occurrence.caller
        if caller is not None and isinstance(caller.event, Entered):
            handed = caller.event.given.get(value.term)
            if handed is not None:
                return self.evaluate(caller, handed, deep - 1)
        known = infer_constants(value, occurrence.event.facts)
        if known is not None:
            return Texts(frozenset(each for _, each in known if isinstance(each, str)), value.constant is not None)
        match value.meaning:
            case ConditionalValue(test, then, otherwise):
                truth = infer_truth(test, occurrence.event.facts)
                ways = [each for each, holds in ((then, True), (otherwise, False)) if truth in (None, holds)]
                return self._build_any(occurrence, ways, deep)
            case Made("joined" | "default", of):
                return self._build_any(occurrence, of, deep)
            case Made(by, of) if by.startswith(".") and of and by[1:] in self._options and "." not in by[1:]:
                return Texts(frozenset(self._options[by[1:]]))
            case Made(by, of) if of:
                return self._evaluate_operation(occurrence, by, of, deep)
        return Texts(frozenset(text for each in _iter_option_names(value.term) for text in self._options.get(each, ())))

    def _build_any(self, occurrence: Occurrence, ways: Iterable[Value], deep: int) -> Texts:
        found = [self.evaluate(occurrence, each, deep - 1) for each in ways]
        texts = frozenset(text for each in found for text in each.found)
        return Texts(texts, len(texts) == 1 and all(each.sure for each in found))

    def _evaluate_operation(self, occurrence: Occurrence, by: str, of: tuple[Value, ...], deep: int) -> Texts:
        """Return the texts of a function's result that leaves a text unchanged, or reads a setting with a default."""
        model = self._models.find_model(by)
        if model is None or (model.returns == "fixed" and len(of) < 2):
            return Texts()
        if model.returns == "fixed":
            return self.evaluate(occurrence, of[-1], deep - 1)._replace(sure=False)
        return self.evaluate(occurrence, of[0], deep - 1) if model.returns in UNCHANGED else Texts()


UNCHANGED = frozenset({"text", "same text", "argument", "number"})
"""What functions give that is their operand in another form: in lower case, trimmed, parsed."""


def _iter_option_names(term: Term) -> Iterator[str]:
    """Yield the names, with the file, of the option that sets a parameter, if no caller passes an argument for it."""
    match term:
        case ("parameter", Code() as code, int(place)):
            parameter = code.parameters[place]
            yield f"{code.source.path}:{parameter.name}"
            if parameter.default is not None:
                yield f"{code.source.path}:{parameter.default.at.start}"


def _is_named(event: Called) -> bool:
    """Return whether the first argument of what declares an option is its name."""
    return event.path.rpartition(".")[2][:1].islower()


def _iter_parts(value: Value | None) -> Iterator[Value]:
    """Yield the elements of a list of choices, also of one that a type holds: `click.Choice(["stdio"])`."""
    if value is not None:
        yield value
        for each in (value.contents or {}).values():
            yield from _iter_parts(each)
        if isinstance(value.meaning, Made):
            for each in value.meaning.of:
                yield from _iter_parts(each)


def _admits(occurrence: Occurrence, fact: KnownFact | None, term: Term, text: str) -> bool:
    """Return whether a value may be a text where an event happens, by the tests around it and those before."""
    constant = (str, text)
    if fact is not None and fact.excludes(constant):
        return False
    lower = KnownFact(equal=frozenset(((str, text.lower()),)))
    supposed = {term: KnownFact(truth=bool(text), present=True, equal=frozenset((constant,))), ("text", term): lower}
    return all(
        infer_truth(each.value, supposed) in (None, each.holds)
        for each in occurrence.event.iter_outwards()
        if each.condition == "test" and each.value is not None
    )
