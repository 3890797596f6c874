"""Providers of fastmcp 3, which hold tools for the servers they are given to, and the folders in which some look for them."""

import posixpath
from collections.abc import Iterator

from reviewer.facts import Condition
from reviewer.failures import contained
from reviewer.languages.python.declarations import revisions
from reviewer.languages.python.declarations.registering import find_callable, register
from reviewer.languages.python.declarations.registrations import Mount, ProviderFolder, keep
from reviewer.languages.python.declarations.sdks import is_folder_provider, is_made, is_server
from reviewer.languages.python.evaluation import resources
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.introspection import TOOL_MARK
from reviewer.languages.python.evaluation.values import (
    CallArguments,
    Const,
    External,
    Method,
    PyClass,
    PyFunction,
    PyGuarded,
    PyInstance,
    PyItems,
    PyScope,
    PyUnknown,
    PyValue,
    assume_default,
    strip_conditions,
    to_text,
)
from reviewer.languages.python.project.modules import PyModule
from reviewer.source import Opaque, Span

REMOTE = {"OpenAPIProvider": "an OpenAPI document", "ProxyProvider": "another server"}
"""Providers whose tools are written nowhere, and where these come from."""

WRAPPED = "fastmcp.server.providers.LocalProvider"
"""The class of what `wrap_transform` gives: it holds nothing but what it wraps."""


def attach_all(run: Evaluator, server: PyInstance, arguments: CallArguments) -> None:
    """Attach what a server's constructor takes as `providers`."""
    given = arguments.keywords.get("providers")
    plain = assume_default(given)[0] if given is not None else None
    if isinstance(plain, PyUnknown) or (isinstance(plain, PyItems) and plain.open):
        run.unlisted.append((server, Opaque("tools come from providers that are known at run time only", plain.span)))
    for each in plain.items if isinstance(plain, PyItems) else ():
        with run.with_conditions(*(each.conditions if isinstance(each, PyGuarded) else ())):
            attach(run, server, strip_conditions(each), None, arguments.span)


def add(run: Evaluator, server: PyInstance, arguments: CallArguments) -> PyValue:
    """Take `add_provider(provider, namespace=...)`."""
    provider = arguments.get("provider", 0)
    if provider is not None:
        attach(run, server, provider, arguments.keywords.get("namespace"), arguments.span)
    return Const(None, arguments.span)


def attach(run: Evaluator, server: PyInstance, provider: PyValue, prefix: PyValue | None, span: Span) -> None:
    """Hand the tools of a provider to a server, those of a server that is given as one among them."""
    provider = assume_default(provider)[0]
    if isinstance(provider, PyInstance) and provider.path.endswith(".FastMCPProvider"):
        provider = provider.find_argument("server", 0) or provider
    if isinstance(provider, PyInstance) and is_server(provider):
        child = run.same_server.get(id(provider), provider)
        keep(run.mounts, Mount(server, child, span, prefix, conditions=run.conditions))
        return
    reason = _explain_unlisted(provider)
    if reason is not None:
        run.unlisted.append((server, Opaque(reason, span)))


def _explain_unlisted(provider: PyValue) -> str | None:
    """Say why the tools of a provider cannot be read; None if it is not known to have any."""
    if isinstance(provider, PyUnknown):
        return "tools come from a provider that is known at run time only"
    made_by = provider.made_by if isinstance(provider, PyInstance) else None
    if isinstance(made_by, External) and made_by.name in REMOTE:
        return f"tools come from {REMOTE[made_by.name]} at start"
    if isinstance(made_by, PyClass) and any(made_by.find_attribute(name) is not None for name in revisions.LISTING):
        return f"tools come from `{made_by.name}` at run time"
    return None


def transform(run: Evaluator, server: PyInstance, value: PyValue, span: Span) -> None:
    """Take a transform or a middleware of a server or a provider: a namespace, or what the project writes itself."""
    made = assume_default(strip_conditions(value))[0]
    if isinstance(made, PyInstance) and made.path.startswith("fastmcp.") and made.path.endswith(".Namespace"):
        prefix = made.find_argument("prefix", 0)
        keep(run.namespaces, Mount(server, server, span, prefix, conditions=run.conditions))
    else:
        revisions.note_object(run, server, value, span)


def wrap(run: Evaluator, provider: PyInstance, arguments: CallArguments) -> PyValue:
    """Take `provider.wrap_transform(...)`, which gives another provider with the same tools."""
    by, span = arguments.get("transform", 0), arguments.span
    known = (each.parent for each in run.mounts if each.child is provider and each.parent.span == span)
    outer = next(known, None) or PyInstance(External(WRAPPED, span), [], {}, span)
    if outer not in run.providers:
        run.providers.append(outer)
    keep(run.mounts, Mount(outer, provider, span, conditions=run.conditions))
    if by is not None:
        transform(run, outer, by, arguments.span)
    return outer


def note_folder(run: Evaluator, provider: PyInstance, arguments: CallArguments) -> None:
    """Keep the folder that a provider is told to search; it is searched when everything else is known."""
    if is_folder_provider(provider):
        root = arguments.get("root", 0)
        run.folders.append(ProviderFolder(provider, _place(run, root) if root is not None else ".", run.conditions))


def _place(run: Evaluator, root: PyValue) -> str | None:
    """Find a folder in the tree; a relative path is taken from the reviewed root, where it names a folder of it."""
    plain = assume_default(root)[0]
    place = resources.place_of(plain)
    if place is not None:
        return place
    if isinstance(plain, PyInstance) and plain.path == resources.PATH and len(plain.args) == 1:
        plain = assume_default(plain.args[0])[0]
    text = to_text(plain)
    written = posixpath.normpath(text) if text else None
    return written if written is not None and next(_iter_below(run, written), None) is not None else None


def _iter_below(run: Evaluator, place: str) -> Iterator[PyModule]:
    """Yield the modules in a folder at any depth, or the one that the path itself is."""
    for path, module in sorted(run.modules.by_path.items()):
        if not module.is_package and (place in (".", path) or path.startswith(f"{place}/")):
            yield module


def search(run: Evaluator) -> None:
    """Register what the folders of providers hold; where a folder cannot be told, what the whole project marks as tools."""
    for folder in run.folders:
        doubt: tuple[Condition, ...] = ()
        if folder.place is None:
            span = folder.provider.span
            reason = "a folder that is known at run time only; the marked functions of the whole project are taken for its tools"
            run.unlisted.append((folder.provider, Opaque(f"tools come from {reason}", span)))
            doubt = (Condition("if a provider searches its folder", span),)
        for module in _iter_below(run, folder.place or "."):
            if folder.place is not None or b"fastmcp" in module.source.data:
                run.dynamic.add(module.path)
                run.start()
                span = module.source.find_line_span(1)
                with contained("tools of this file may be missing", span), run.only_under((*folder.conditions, *doubt)):
                    _take(run, folder.provider, module)


def _take(run: Evaluator, provider: PyInstance, module: PyModule) -> None:
    """Register the tools among the public names of a module, in their order as `dir` gives them."""
    span = module.locate(module.root)
    arguments = CallArguments([], {}, span, node=module.root, scope=PyScope(module))
    for name in sorted(run.evaluate_module(module).names):
        if not name.startswith("_"):
            found = run.resolve_member(module, name, span)
            with run.with_conditions(*(found.conditions if isinstance(found, PyGuarded) else ())):
                target = find_callable(strip_conditions(found))
                if target is not None and (is_made(target) or _is_marked(target)):
                    register(run, provider, target, {}, arguments)


def _is_marked(value: PyValue) -> bool:
    """Return whether fastmcp's free `@tool` marked a function, or what it wraps."""
    layer = value.function if isinstance(value, Method) else value if isinstance(value, PyFunction) else None
    while layer is not None:
        mark = layer.attributes.get(TOOL_MARK)
        if isinstance(mark, Const) and mark.value:
            return True
        layer = layer.wraps
    return False
