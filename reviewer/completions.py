"""What a shell may complete an argument to: rules and profiles by name. Loaded when a shell asks."""


def rule_names(incomplete: str) -> list[str]:
    """Give the rules that a list of names, which ends with the beginning of one, can go on with."""
    from reviewer.rules import load, slugs_by_code

    before, comma, begun = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in (*load(), *sorted(slugs_by_code())) if name.startswith(begun)]


def profile_names(incomplete: str) -> list[str]:
    """Give the profiles whose name begins so."""
    from reviewer.config import profiles

    return [name for name in profiles() if name.startswith(incomplete)]
