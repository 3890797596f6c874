"""What stands in for an argument that is missing: a constant, or another argument."""

from reviewer.behaviour.arguments.argument_values import iter_alternatives
from reviewer.behaviour.arguments.taken_arguments import ArgumentBound, TakenArguments, Taking, asks_whether_given
from reviewer.code.absences import OF_TYPE
from reviewer.code.events import Assigned, Event, Occurrence
from reviewer.code.program import Program
from reviewer.code.values import Class, ConditionalValue, Plain, Relation, Value, strip_negations
from reviewer.facts import GivenValue


class ArgumentDefaults:
    """Notes what stands in for the arguments of one run where they are missing."""

    def __init__(self, program: Program, taken: TakenArguments) -> None:
        self._program, self._taken = program, taken

    def note_assignment(self, here: Occurrence, event: Assigned) -> None:
        """Note a constant that a variable is given where an argument is missing."""
        context = event.context
        if context is None or context.value is None or event.value.constant is None:
            return
        for label in here.resolve_labels(context.value):
            if label.origin == "argument":
                constant = event.value.constant[1]
                taking = self._taken.get(label.name, here)
                taking.constants.append((constant, event))
                if isinstance(constant, int | float):
                    taking.bounds.append(ArgumentBound(event, constant))

    def note_choice(self, here: Occurrence, value: Value) -> None:
        """Note what stands in for an argument that is missing: a constant, or another argument."""
        if not isinstance(value.meaning, ConditionalValue):
            return
        found = (self._taken.find_name(here, each) for each in iter_alternatives(value))
        names = {each for each in found if each is not None}
        for name in names:
            taking = self._taken.get(name, here)
            taking.among |= names if len(names) > 1 else set()
        choice = value.meaning
        if len(names) != 1:
            return
        name = names.pop()
        asked = {each.name for each in here.resolve_labels(choice.test) if each.origin == "argument"}
        is_about = any(
            name == each or name.startswith(f"{each}.") for each in asked
        )  # or about the model that holds it
        is_asked, taking = is_about and asks_whether_given(choice.test), self._taken.get(name, here)
        for side in (choice.then, choice.otherwise):
            constant = self._get_plain(side)
            given = [event for known, event in taking.constants if known == constant] if constant is not None else []
            if constant is not None and (is_asked or any(map(_is_for_absence, given))):
                self.add(taking, constant, given[-1] if given else here.event)
            elif side.unknown == OF_TYPE and is_asked:
                taking.of_type = taking.of_type or here.event.text

    def _get_plain(self, value: Value) -> Plain:
        """Return the constant that a value is, of a variant what it is called in data; None if it is none."""
        if value.constant is not None:
            return value.constant[1]
        variants = [each for each in value.things if isinstance(each, Class) and each.variant]
        return self._program.find_variant_name(variants[0]) if len(variants) == len(value.things) == 1 else None

    def add(self, taking: Taking, default: Plain, event: Event) -> None:
        """Note a constant that stands in for an argument, with the first place that says so; nothing for a null."""
        if isinstance(default, str | int | float | bool) and default not in taking.defaults:
            taking.defaults[default] = GivenValue(default, event.text)


def _is_for_absence(event: Event) -> bool:
    """Return whether something is done in the branch of a test, perhaps one of several arms, that an argument is missing."""
    context = event.context
    if context is None or context.value is None or context.condition != "test":
        return False
    test, holds = strip_negations(context.value, context.holds)
    return not holds and isinstance(test.meaning, Relation) and test.meaning.operator == "present"
