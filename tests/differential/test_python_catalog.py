"""Generated servers: what is read of the source is what the live framework lists, or it is named as unreadable."""

import importlib.util
import os

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from differential import classes, decorations, docstrings, kinds, modules, registrations, signatures
from differential.answers import RefusedError, differences, live, over_the_wire, unreadable
from differential.comments import commented
from differential.modules import Function, Module, Options

pytestmark = pytest.mark.slow

PARTS = ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta", "icons")
"""The parts of an entry that are compared."""
WITHOUT: frozenset[str] = frozenset(filter(None, os.environ.get("DIFFERENTIAL_WITHOUT", "").split(",")))
"""Constructs that are left out of all modules, to look past a difference that is known."""

COUNT = int(os.environ.get("DIFFERENTIAL_EXAMPLES", "60"))
EXAMPLES = settings(
    max_examples=COUNT,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
FRAMEWORKS = [
    "mcp",
    pytest.param(
        "fastmcp", marks=pytest.mark.skipif(importlib.util.find_spec("fastmcp") is None, reason="needs fastmcp")
    ),
]
each_framework = pytest.mark.parametrize("framework", FRAMEWORKS)


WIRED = '''
@server.tool({arguments})
def read(path: str, limit: int | None = None) -> list[str]:
    """Read a file."""
'''


@each_framework
def test_live_answer_is_what_goes_over_the_wire(framework):
    source = modules.SERVER[framework] + WIRED.format(arguments="meta={'a': None, 'b': {'c': None}}")
    assert over_the_wire(source) == live(source)


def check(source: str) -> None:
    """Compare both answers; a module that the framework refuses has none."""
    try:
        found = differences(source, PARTS)
    except RefusedError:
        reject()
    assert not found, "\n".join([*found, "", source])


def decorated(module: Module, signature: str, docstring: str = "", returns: str = "", arguments=()) -> str:
    """Write a module with one tool, registered by the plain decorator."""
    each = Function("read", signatures.define("read", signature, docstring, returns), tuple(arguments))
    return modules.whole(module, registrations.FORMS["decorator"](each))


@each_framework
@EXAMPLES
@given(data=st.data())
def test_signatures(framework, data):
    module = Module(Options(framework, WITHOUT), future=data.draw(st.booleans()))
    check(decorated(module, data.draw(signatures.signatures(module, kinds.scalars(module.options)))))


@each_framework
@EXAMPLES
@given(data=st.data())
def test_annotations(framework, data):
    module = Module(Options(framework, WITHOUT), future=data.draw(st.booleans()))
    check(decorated(module, data.draw(signatures.signatures(module, kinds.types(module)))))


@each_framework
@EXAMPLES
@given(data=st.data())
def test_docstrings(framework, data):
    module = Module(Options(framework, WITHOUT))
    check(decorated(module, "path: str, limit: int = 3", data.draw(docstrings.docstrings(module.options))))


@each_framework
@EXAMPLES
@given(data=st.data())
def test_decorations(framework, data):
    module = Module(Options(framework, WITHOUT))
    returns = data.draw(signatures.returns(module))
    arguments = data.draw(decorations.decorations(module, returns))
    check(decorated(module, "path: str", data.draw(docstrings.docstrings(module.options)), returns, arguments))


@each_framework
@EXAMPLES
@given(data=st.data())
def test_registrations(framework, data):
    module = Module(Options(framework, WITHOUT))
    signature = data.draw(signatures.signatures(module, kinds.scalars(module.options)))
    arguments = data.draw(decorations.decorations(module, ""))
    text = signatures.define("read", signature, "'''Read.'''", asynchronous=data.draw(st.booleans()))
    each = Function("read", text, arguments)
    source = modules.whole(module, data.draw(registrations.registrations(module.options))(each))
    check(commented(source) if data.draw(st.booleans()) else source)


@pytest.mark.parametrize("only", classes.CLASSES)
@each_framework
@settings(EXAMPLES, max_examples=COUNT // 2)
@given(data=st.data())
def test_classes(framework, only, data):
    module = Module(Options(framework, WITHOUT))
    kind = data.draw(classes.definitions(module, only=only))[-1]
    parameter = data.draw(signatures.parameters(module, st.just(kind), "thing"))
    check(decorated(module, parameter.text, returns=data.draw(signatures.returns(module))))


@each_framework
@EXAMPLES
@given(data=st.data())
def test_everything(framework, data):
    module = Module(Options(framework, WITHOUT), future=data.draw(st.booleans()))
    data.draw(classes.definitions(module))
    signature = data.draw(signatures.signatures(module, kinds.types(module)))
    returns = data.draw(signatures.returns(module))
    docstring = data.draw(docstrings.docstrings(module.options))
    arguments = data.draw(decorations.decorations(module, returns))
    text = signatures.define("read", signature, docstring, returns, asynchronous=data.draw(st.booleans()))
    check(
        modules.whole(module, data.draw(registrations.registrations(module.options))(Function("read", text, arguments)))
    )


@each_framework
@EXAMPLES
@given(data=st.data())
def test_plain_constructs_are_readable(framework, data):
    module = Module(Options(framework, WITHOUT | registrations.BEYOND_PLAIN))
    data.draw(classes.definitions(module))
    returns = data.draw(signatures.returns(module))
    arguments = data.draw(decorations.decorations(module, returns))
    signature = data.draw(signatures.signatures(module, kinds.types(module)))
    each = Function("read", signatures.define("read", signature, "'Read.'", returns), arguments)
    source = modules.whole(module, data.draw(registrations.registrations(module.options))(each))
    source = commented(source) if data.draw(st.booleans()) else source
    try:
        found = unreadable(source)
    except RefusedError:
        reject()
    assert not found, "\n".join([*found, "", source])
