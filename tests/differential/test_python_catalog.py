"""Generated servers: what is read of the source is what the live framework lists, or it is named as unreadable."""

import importlib.util
import os

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from differential import sources
from differential.answers import RefusedError, differences, unreadable
from differential.sources import Function, Module, Options

PARTS = ("name", "title", "description", "inputSchema", "annotations")
"""The parts of an entry that are compared."""
WITHOUT: frozenset[str] = frozenset(filter(None, os.environ.get("DIFFERENTIAL_WITHOUT", "").split(",")))
"""Constructs that are left out of all modules, to look past a difference that is known."""

EXAMPLES = settings(
    max_examples=int(os.environ.get("DIFFERENTIAL_EXAMPLES", "60")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
FRAMEWORKS = [
    "mcp",
    pytest.param(
        "fastmcp", marks=pytest.mark.skipif(importlib.util.find_spec("fastmcp") is None, reason="needs fastmcp")
    ),
]
each_framework = pytest.mark.parametrize("framework", FRAMEWORKS)


def check(source: str) -> None:
    """Compare both answers; a module that the framework refuses has none."""
    try:
        found = differences(source, PARTS)
    except RefusedError:
        reject()
    assert not found, "\n".join([*found, "", source])


def decorated(module: Module, signature: str, docstring: str = "", returns: str = "", arguments=()) -> str:
    """Write a module with one tool, registered by the plain decorator."""
    each = Function("read", sources.define("read", signature, docstring, returns), tuple(arguments))
    return sources.whole(module, sources.FORMS["decorator"](each))


@each_framework
@EXAMPLES
@given(data=st.data())
def test_signatures(framework, data):
    module = Module(Options(framework, WITHOUT), future=data.draw(st.booleans()))
    check(decorated(module, data.draw(sources.signatures(module, sources.scalars(module.options)))))


@each_framework
@EXAMPLES
@given(data=st.data())
def test_annotations(framework, data):
    module = Module(Options(framework, WITHOUT), future=data.draw(st.booleans()))
    check(decorated(module, data.draw(sources.signatures(module, sources.types(module)))))


@each_framework
@EXAMPLES
@given(data=st.data())
def test_docstrings(framework, data):
    module = Module(Options(framework, WITHOUT))
    check(decorated(module, "path: str, limit: int = 3", data.draw(sources.docstrings(module.options))))


@each_framework
@EXAMPLES
@given(data=st.data())
def test_decorations(framework, data):
    module = Module(Options(framework, WITHOUT))
    returns = data.draw(sources.returns(module))
    arguments = data.draw(sources.decorations(module, returns))
    check(decorated(module, "path: str", data.draw(sources.docstrings(module.options)), returns, arguments))


@each_framework
@EXAMPLES
@given(data=st.data())
def test_registrations(framework, data):
    module = Module(Options(framework, WITHOUT))
    signature = data.draw(sources.signatures(module, sources.scalars(module.options)))
    arguments = data.draw(sources.decorations(module, ""))
    text = sources.define("read", signature, "'''Read.'''", asynchronous=data.draw(st.booleans()))
    check(sources.whole(module, data.draw(sources.registrations(module.options))(Function("read", text, arguments))))


@pytest.mark.parametrize("only", sources.CLASSES)
@each_framework
@EXAMPLES
@given(data=st.data())
def test_classes(framework, only, data):
    module = Module(Options(framework, WITHOUT))
    kind = data.draw(sources.definitions(module, only=only))[-1]
    check(decorated(module, data.draw(sources.parameter(module, st.just(kind), "thing", required=data.draw(st.booleans())))))


@each_framework
@EXAMPLES
@given(data=st.data())
def test_everything(framework, data):
    module = Module(Options(framework, WITHOUT), future=data.draw(st.booleans()))
    data.draw(sources.definitions(module))
    signature = data.draw(sources.signatures(module, sources.types(module)))
    returns = data.draw(sources.returns(module))
    docstring = data.draw(sources.docstrings(module.options))
    arguments = data.draw(sources.decorations(module, returns))
    text = sources.define("read", signature, docstring, returns, asynchronous=data.draw(st.booleans()))
    check(sources.whole(module, data.draw(sources.registrations(module.options))(Function("read", text, arguments))))
