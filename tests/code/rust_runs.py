"""Abstract runs of functions that are written in Rust."""

from dataclasses import dataclass
from textwrap import dedent

from reviewer.code.events import Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.run import RunBounds
from reviewer.languages.rust.behaviour.tracing import trace_code
from reviewer.languages.rust.project.items import RustItems
from reviewer.languages.rust.project.program import RustProgram
from reviewer.source import Source


def program(code: str, **others: str) -> RustProgram:
    """Return a project of `src/main.rs` and other modules beside it, by name: `limits`, `limits/most`."""
    files = {"main": dedent(code), **{name: dedent(text) for name, text in others.items()}}
    return RustProgram(
        RustItems({f"src/{name}.rs": Source(f"src/{name}.rs", text.encode()) for name, text in files.items()})
    )


def trace(code: str, function: str = "tool", bounds: RunBounds | None = None, **others: str) -> Trace:
    """Run a function of `src/main.rs` with what a client hands over: anything, under the name of each parameter."""
    project = program(code, **others)
    (item,) = project.items.find_declared_in("src/main.rs", function, "fn")
    lowered = project.find_code_at(item.path, item.node)
    return trace_code(Interpreter(project, bounds or RunBounds()), lowered)


@dataclass(frozen=True)
class Manifest:
    """A Cargo.toml that stands in no file."""

    text: str
    name: str = "Cargo.toml"

    def read_text(self, encoding: str, errors: str) -> str:
        return self.text
