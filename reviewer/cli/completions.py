"""What a shell may complete an argument to: rules and profiles by name. Loaded when a shell asks."""


def complete_rule_names(incomplete: str) -> list[str]:
    """Return the rules that a list of names, which ends with the beginning of one, can go on with."""
    from reviewer.rules import load
    from reviewer.rules.selectors import collect_selectors

    before, comma, begun = incomplete.rpartition(",")
    # Slugs, codes, sections and families of codes. The first words of slugs are what is typed already.
    names = (name for name in collect_selectors() if name in load() or name.isupper() or name[:1] == "§")
    return [f"{before}{comma}{name}" for name in names if name.startswith(begun)]


def complete_profile_names(incomplete: str) -> list[str]:
    """Return the profiles whose name begins so."""
    from reviewer.config import list_profiles

    return [name for name in list_profiles() if name.startswith(incomplete)]
