"""By what a type tells its project that its tool changes something: `fn is_write`, `MUTATES = True`, `read_only = False`."""

from reviewer.behaviour.values.names import split_words

MARKING = frozenset({"is_write", "is_mutating", "writes", "mutates", "is_destructive", "requires_write", "is_mutation"})
"""What is called so marks a tool unless it says no."""

READING = frozenset({"read", "readonly", "safe", "pure"})
"""Words of what says the contrary: such a member marks a tool where it says no."""


def marks(name: str, said: bool | None) -> bool:
    """Return whether a member marks its tool by its name and by what it says and nothing more: yes, no, or something else."""
    if READING & split_words(name):
        return said is False
    return said is True or (said is None and name.lower() in MARKING)


LISTING = frozenset("write writes writer writers writing mutating mutation mutations mutators destructive".split())
"""Words of a list that names the tools which change something: `WRITERS`, `MUTATING_TOOLS`."""


def is_list_of_writers(name: str) -> bool:
    """Return whether a list of names is one of tools that change something, by what it is called."""
    words = split_words(name)
    return bool(LISTING & words) and not READING & words
