"""Where the arguments of a call come, and what their text can do there."""

from typing import Literal

from reviewer.records import dataclass
from reviewer.source import Span, Text

Sink = Literal["path", "command line", "statement", "address", "address part", "code", "objects", "option"]
"""What a text is used as: the path of a file, a command line of a shell, a statement of SQL, the address of a request, a part
of one behind the host, code that is run, data of which objects of any class are made, a word of a command that may be an
option."""

Effect = Literal["", "reads", "writes", "deletes"]
"""What is done to a file."""


@dataclass(frozen=True, slots=True)
class UncheckedReach:
    """A call that arguments come to, of which nothing on the way says what they may be: no test, allow-list, type or quoting; or,
    where `tested` is given, nothing of which it is sure that it is enough.

    `text` is the call, and `through` are the calls that lead there, outermost first, where `tool` is called; without a name
    several are. `whole` tells that nothing of the server's own stands before the argument in the text: the client says which file
    it is, which host, which command. `client` names the object that runs a statement: the same object has the same name. `by`
    is the program that a command hands the text to, and its subcommand: `adb shell`; empty for a plain shell.
    An argument that may be its `option` is a fault for what that `does`. `tested` is what may restrict the argument on the way,
    a test that is no list of what is let through, or a function that nobody sees: whether it does is not known.
    """

    sink: Sink
    text: Text
    arguments: tuple[str, ...]
    tool: str
    through: tuple[Text, ...] = ()
    whole: bool = False
    effect: Effect = ""
    client: str = ""
    by: str = ""
    option: str = ""
    does: str = ""
    tested: Text | None = None

    @property
    def span(self) -> Span:
        """The place of the call."""
        return self.text.span
