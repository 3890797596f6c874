"""Functions that declare tools and have no known caller: found by query, evaluated with stand-ins for arguments."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Condition
from reviewer.failures import contained
from reviewer.languages.nodes import decode_node, find_child, find_parent, iter_matches, list_children
from reviewer.languages.python.declarations import frameworks
from reviewer.languages.python.declarations.sdks import is_server
from reviewer.languages.python.evaluation.evaluator import PATIENCE, Evaluator
from reviewer.languages.python.evaluation.imports import resolve_framework_path
from reviewer.languages.python.evaluation.names import resolve_name
from reviewer.languages.python.evaluation.values import (
    CallArguments,
    Const,
    External,
    Method,
    PyClass,
    PyFunction,
    PyInstance,
    PyScope,
    PyUnknown,
    PyValue,
)
from reviewer.languages.python.project.modules import GENERATING, Modules, PyModule
from reviewer.languages.python.types.functions import read_signature
from reviewer.text.patterns import build_word_pattern, pattern


def enter_uncalled(run: Evaluator, seeds: list[PyModule]) -> None:
    """Evaluate every function of the seeds that holds a declaration, where no call that was seen declared a tool."""
    for module in seeds:
        own = _collect_own_classes(run, module)
        sites = [each for each in _collect_sites(module) if not _is_made_by(each, own)]
        for node in _iter_functions(module.root):
            if _is_due(run, node, module) and _declares(node, sites, own):
                for within, each in [*_iter_callers(run, node), (module, node)]:
                    if _is_due(run, node, module):
                        run.start(PATIENCE, within.locate(each))
                        with contained("tools that this function declares may be missing", within.locate(each)):
                            _enter(run, each, within)


CLIMBING = 3
"""How many functions may stand between one that needs nothing and what it hands an object to: `main`, `serve`, `build`."""


def _iter_callers(run: Evaluator, node: Node) -> Iterator[tuple[PyModule, Node]]:
    """Yield the functions that lead to one that must be handed something, or to the class of a method.

    What they hand over is better than stand-ins: first those that need nothing themselves, however many calls lie between,
    then those that call it, with stand-ins for what they need.
    """
    owner = _find_class_around(node)
    name = owner or find_child(node, "name")
    if name is None or name.text is None or (owner is None and not _needs(node)):
        return
    needing: list[tuple[PyModule, Node]] = []
    names, seen = [name.text], {node}
    for _ in range(CLIMBING):
        between = [pair for each in names for pair in _iter_calling_functions(run, each) if pair[1] not in seen]
        seen |= {each for _, each in between}
        yield from ((module, each) for module, each in between if not _needs(each))
        above = [pair for pair in between if _needs(pair[1])]
        needing += above
        found = (find_child(each, "name") for _, each in above)
        names = list(dict.fromkeys(each.text for each in found if each is not None and each.text is not None))
    yield from needing


def _iter_calling_functions(run: Evaluator, name: bytes) -> Iterator[tuple[PyModule, Node]]:
    """Yield the functions, and no methods, that call something of a name, or a method of the class that it is."""
    calling = build_word_pattern(name, rb"(?<!def " + re.escape(name) + rb")(?:\.\w+)?\(")
    for module in run.modules.find_containing([name + b"(", name + b"."]):
        if not module.is_aside and calling.search(module.source.data):
            for each in _iter_functions(module.root):
                body = find_child(each, "body")
                is_it = _find_class_around(each) is not None
                if not is_it and body is not None and body.text is not None and calling.search(body.text):
                    yield module, each


def _needs(node: Node) -> bool:
    """Return whether a function has parameters that a call must fill."""
    listed = find_child(node, "parameters")
    return listed is not None and any(part.type in ("identifier", "typed_parameter") for part in list_children(listed))


def _collect_own_classes(run: Evaluator, module: PyModule) -> frozenset[str]:
    """Return the names of classes of a module that are of the project's own making: what they make declares nothing."""
    names = {decode_node(name) for each in _collect_sites(module) if (name := _find_maker(each)) is not None} | {
        "Server"
    }
    values = {name: resolve_name(run, name, run.evaluate_module(module), module.root) for name in names}
    return frozenset(name for name, value in values.items() if isinstance(value, PyClass) and not _descends(value))


def _find_maker(site: Node) -> Node | None:
    """Return the name that a call calls, or that made what its method is called on: of `Tool()` and of `Tool().tool()`."""
    called = find_child(site, "function") if site.type == "call" else None
    if called is not None and called.type == "attribute":
        made = find_child(called, "object")
        called = find_child(made, "function") if made is not None and made.type == "call" else None
    return called if called is not None and called.type == "identifier" else None


def _is_made_by(site: Node, classes: frozenset[str]) -> bool:
    name = _find_maker(site)
    return name is not None and decode_node(name) in classes


def _descends(cls: PyClass) -> bool:
    """Return whether a class may be one of an SDK, by any of its bases."""
    bases = (base for each in cls.iter_lineage() for base in each.bases if not isinstance(base, PyClass))
    return any(not isinstance(base, External) or resolve_framework_path(base.path) is not None for base in bases)


def _is_due(run: Evaluator, node: Node, module: PyModule) -> bool:
    """Return whether no call of a function told of tools; one more of a method may not make an object that tells of some."""
    key, owner = (module.path, node.start_byte), _find_class_around(node)
    handlers = (each.function for _, each, *_ in run.listings if isinstance(each, Method))
    if any(each is not None and each.node == node for each in handlers):
        return False  # it is asked for the tools in the end
    if key not in run.entered or owner is None:
        return key not in run.fruitful
    cls = run.evaluate_module(module).names.get(decode_node(owner))
    made = cls.find_attribute("__init__") if isinstance(cls, PyClass) else None
    makes = (made.scope.module.path, made.node.start_byte) if isinstance(made, PyFunction) else None
    return key not in run.fruitful and makes not in run.fruitful


def _collect_sites(module: PyModule) -> list[Node]:
    if module.sites is None:
        module.sites = [each["site"] for each in iter_matches(module.root, "python", "registrations")]
    return module.sites


def note_users(modules: Modules, seeds: list[PyModule]) -> list[PyModule]:
    """Find the modules that decorate with, or call, what declares tools in the seeds; they declare tools no less."""
    found: list[PyModule] = []
    fresh, names = seeds, set[bytes]()
    while fresh:
        known = len(names)
        for module in fresh:
            names |= _collect_declaring_names(module, names)
        if len(names) == known:
            break
        listed = _get_either(names)
        uses = re.compile(USE % (listed, listed, listed), re.MULTILINE)
        fresh = [each for each in modules.by_path.values() if not each.may_declare and _is_use(each, uses)]
        for each in fresh:
            each.is_user = True
        found += fresh
    return found


USE = rb"^[ \t]*@(?:\w+\.)*(?:%s)\b|^(?:\w+\.)*(?:%s)\(|^class\s+\w+\((?:[^)\n]*\b)?(?:%s)\b"
"""A decorator, a call that stands for itself in the body of a module, or a class that is made of another."""


def _get_either(names: set[bytes]) -> bytes:
    return b"|".join(sorted(map(re.escape, names)))


def _is_use(module: PyModule, uses: re.Pattern[bytes]) -> bool:
    return not module.is_aside and uses.search(module.source.data) is not None


def _collect_declaring_names(module: PyModule, names: set[bytes]) -> set[bytes]:
    """Name the functions and methods of a module that hold a declaration or call one of these; of `__init__` it is the class."""
    sites = _collect_sites(module)
    offered = re.compile(rb"\b(?:%s)\(" % _get_either(names)) if names else None
    found = set()
    for node in _iter_functions(module.root):
        name, body = find_child(node, "name"), find_child(node, "body")
        if name is not None and name.text == b"__init__":
            name = _find_class_around(node)
        if name is None or body is None or name.text is None or body.text is None or name.text[:2] == b"__":
            continue
        if _declares(node, sites) or (offered is not None and offered.search(body.text)):
            found.add(name.text)
    return found


def _iter_functions(node: Node) -> Iterator[Node]:
    """Find the functions of a module and the methods of its classes, those inside functions left out."""
    for part in list_children(node):
        if part.type == "function_definition":
            yield part
        elif part.type in HOLDERS:
            yield from _iter_functions(part)


# Functions of the module and of its classes, also under a condition; those within functions come with these.
HOLDERS = frozenset(
    "block decorated_definition class_definition if_statement else_clause elif_clause try_statement except_clause".split()
)
SIGNS = (
    b"tool",
    b".register_all(",
    b"Provider(",
    b"add_provider(",
    b"Tool(",
    b"FastMCP(",
    b"MCPServer(",
    b"Server(",
    *GENERATING,
)
MAKING_MORE = pattern(
    rb"\b(?:FileSystem|Local)Provider\(|\.add_provider\(|\.register_all\(|\.remove_tool\(|\bdel [\w.]+\._tools\["
    rb"|\.disable\((?:names|tags|keys)="
)
"""What makes what a provider holds, or takes a tool out again."""
MAKING = pattern(rb"\bServer\(|" + MAKING_MORE.pattern)
"""`MAKING_MORE`, and calls that create a server whose tools a handler lists."""


def _declares(function: Node, sites: list[Node], own: frozenset[str] = frozenset()) -> bool:
    """Return whether a function holds one of some declarations, or makes a server by a class that is not the project's own."""
    making = MAKING if "Server" not in own else MAKING_MORE
    body = find_child(function, "body")
    text = body.text if body is not None else None
    return (
        body is not None
        and text is not None
        and any(sign in text for sign in SIGNS)
        and (
            making.search(text) is not None or any(body.start_byte <= site.start_byte < body.end_byte for site in sites)
        )
    )


def _enter(run: Evaluator, node: Node, module: PyModule) -> None:
    found = resolve_entry_point(run, node, module)
    if found is not None:
        function, made = found
        if function.name in frameworks.REGISTERING and made is not None and is_server(made):
            return  # what the SDK calls for each tool of the server, or nobody at all
        call(run, function, made)


def resolve_entry_point(run: Evaluator, node: Node, module: PyModule) -> tuple[PyFunction, PyInstance | None] | None:
    """Return a function of a module, or a method with an object that it is called on; None if it cannot be told."""
    name = find_child(node, "name")
    scope = run.evaluate_module(module)
    owner = _find_class_around(node)
    if name is None:
        return None
    if owner is None:
        found = scope.names.get(decode_node(name))
        is_it = isinstance(found, PyFunction) and found.node == node
        return found if is_it and isinstance(found, PyFunction) else PyFunction(decode_node(name), node, scope), None
    cls = scope.names.get(decode_node(owner))
    method = cls.find_attribute(decode_node(name)) if isinstance(cls, PyClass) else None
    if isinstance(cls, PyClass) and isinstance(method, PyFunction) and method.node == node:
        span = module.locate(node)
        made = _find_instance(run, cls) or run.make(cls, CallArguments([], {}, span, open=True, node=node, scope=scope))
        return method, made if isinstance(made, PyInstance) else None
    return None


def _find_instance(run: Evaluator, cls: PyClass) -> PyInstance | None:
    """Find a server of a class that code was seen to make, or an object whose method a server was told to ask for its tools."""
    listing = (each.receiver for _, each, *_ in run.listings if isinstance(each, Method))
    found = (each for each in (*run.servers, *listing) if isinstance(each, PyInstance) and each.made_by is cls)
    return next(found, None)


def _find_class_around(node: Node) -> Node | None:
    parent = node.parent
    while parent is not None:
        if parent.type == "class_definition":
            return find_child(parent, "name")
        parent = find_parent(parent)
    return None


def call(run: Evaluator, function: PyFunction, receiver: PyInstance | None) -> None:
    """Call a function with stand-ins for its arguments."""
    module = function.scope.module
    arguments = CallArguments(
        [], {}, module.locate(function.node), node=function.node, scope=PyScope(module, function.scope)
    )
    for part in read_signature(function):
        annotation = run.evaluate(part.annotation, function.scope) if part.annotation is not None else None
        server = frameworks.build_stand_in(annotation)
        default = run.evaluate(part.default, function.scope) if part.default is not None else None
        if server is not None:
            arguments.bound[part.name] = server
        elif isinstance(default, Const):
            arguments.bound[part.name] = PyUnknown(
                f"the argument `{part.name}` of `{function.name}`", default.span, default
            )
    callee: PyValue = (
        Method(receiver, function.name, module.locate(function.node), function) if receiver is not None else function
    )
    before = len(run.registrations)
    run.call(callee, arguments)
    unseen = Condition(f"where `{function.name}` is called, which was not seen", module.locate(function.node))
    run.uncalled[unseen] = function
    for made in run.registrations[before:]:
        if made.server is None or made.server in arguments.bound.values():
            made.conditions = (unseen, *made.conditions)
