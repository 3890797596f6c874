"""The catalog of the domain."""

from archive.core.actions import BY_ID, PAGE, ActionSpec, ParamSpec

ACTIONS = (
    ActionSpec(
        name="help",
        description="Show this catalog",
        destructive=False,
        idempotent=True,
        params=(),
        returns="Catalog",
    ),
    ActionSpec(
        name="schema",
        description="Show what an action takes",
        destructive=False,
        idempotent=True,
        params=(ParamSpec(name="action", ty="string", required=True, description="Which action"),),
        returns="Schema",
    ),
    ActionSpec(
        name="letter.list",
        description="List letters, oldest first",
        destructive=False,
        idempotent=True,
        params=PAGE,
        returns="Page[Letter]",
    ),
    ActionSpec(
        name="letter.get",
        description="Give one letter with its transcript",
        destructive=False,
        idempotent=True,
        params=BY_ID,
        returns="Letter",
    ),
    ActionSpec(
        name="letter.transcribe",
        description="Write down what a scan says",
        destructive=False,
        idempotent=False,
        params=(*BY_ID, ParamSpec(name="language", ty="string", required=False, description="The letter's language")),
        returns="Letter",
    ),
    ActionSpec(
        name="letter.delete",
        description="Delete a letter and its scan",
        destructive=True,
        idempotent=True,
        params=BY_ID,
        returns="Deleted",
    ),
)
