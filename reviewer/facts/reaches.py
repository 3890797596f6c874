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
    """A call that arguments reach without a certain check on the way: no test, allow-list, type or quoting.

    `text` is the call, and `through` are the calls that lead there from `tool`, outermost first; without a name there
    are several tools. `whole` is whether the server puts nothing of its own before the argument, so that the client
    chooses the file, host or command. `client` identifies the object that runs a statement. `by` is the program, with
    its subcommand, to which a command passes the text: `adb shell`; empty for a plain shell. An argument that may be
    its `option` is a fault because of what that `does`. `tested` is a possible but uncertain check on the way: a test
    that is no allow-list, or a function that was not found.
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
