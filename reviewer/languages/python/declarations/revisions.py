"""What a server does to its tools after they were declared: hides them, removes them, rewrites what it lists of them."""

from dataclasses import replace

from reviewer.facts import Condition, Hole, Tool
from reviewer.languages.python.declarations import tool_values
from reviewer.languages.python.declarations.registrations import Revision
from reviewer.languages.python.declarations.sdks import is_server
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import (
    Alternatives,
    CallArguments,
    Const,
    External,
    Method,
    Partial,
    PyClass,
    PyFunction,
    PyGuarded,
    PyInstance,
    PyItems,
    PyUnknown,
    PyValue,
    assume_default,
    strip_conditions,
    to_text,
)
from reviewer.source import Opaque, Span

LISTING = tuple(
    "list_tools transform_tools on_list_tools _list_tools _list_tools_mcp _mcp_list_tools get_tools".split()
)
"""Methods by which a transform, a middleware or a server of the project decides what is listed."""
PARTS = {
    "description": (b"description",),
    "inputSchema": (b"parameters", b"input_schema", b"inputSchema"),
    "annotations": (b"annotations",),
}
"""What of a tool a piece of code may change, by the words that it would need for it."""
# The parts that rules read. Where it is unsure what a rewrite leaves of one, it is noted on the tool.
REWRITTEN = ("name", "title", "description", "input_schema", "output_schema")


def apply_revisions(run: Evaluator, tools: list[Tool], revisions: list[Revision]) -> list[Tool]:
    """Put the changes that are made to tools into them, those that may be made into conditions and assumptions."""
    for each in revisions:
        made = _evaluate_relisting(run, tools, each)
        tools = [made.get(index) or _note(tool, each) for index, tool in enumerate(tools)]
    return tools


def _note(tool: Tool, revision: Revision) -> Tool:
    """Say of a tool what a revision may do to it."""
    if not revision.concerns(tool):
        return tool
    why = f"may be rewritten: {revision.text}: {revision.span.path}:{revision.span.line}"
    holes = [Hole(part, Opaque(why, revision.span), assumed=True) for part in revision.touches]
    return replace(
        tool,
        conditions=tuple(dict.fromkeys((*tool.conditions, Condition(revision.text, revision.span)))),
        assumptions=tuple(dict.fromkeys((*tool.assumptions, *holes))),
    )


def _evaluate_relisting(run: Evaluator, tools: list[Tool], revision: Revision) -> dict[int, Tool]:
    """Evaluate what rewrites the list; give the tools of which it can be told what becomes of them, by index."""
    if revision.rewrite is None:
        return {}
    values = [tool_values.build_value(run, tool, index) for index, tool in enumerate(tools)]
    before = [PyInstance(each.made_by, [], {}, each.span, dict(each.attributes)) for each in values]
    undecided = run.undecided_branches
    answer = _call_listing(run, revision.rewrite, values)
    unsure = run.undecided_branches != undecided
    several = answer.values if isinstance(answer, Alternatives) else ()
    answer = next((each for each in several if isinstance(each, PyItems) and each.items), answer)
    made: dict[int, Tool] = {}
    for entry in answer.items if isinstance(answer, PyItems) else ():
        found = strip_conditions(entry)
        origin = (
            found.attributes.get("origin") if isinstance(found, PyInstance) and found.path == tool_values.TOOL else None
        )
        if isinstance(origin, Const) and isinstance(found, PyInstance):
            index = int(str(origin.value))
            if index in made and found.attributes["name"] is not before[index].attributes["name"]:
                continue
            tool = tool_values.read_back(run, tools[index], found, before[index])
            may_hide = bool(several) or isinstance(entry, PyGuarded) or (isinstance(answer, PyItems) and answer.open)
            conditions = (Condition(revision.text, revision.span),) if may_hide else ()
            if unsure and any(getattr(tool, part) is not getattr(tools[index], part) for part in REWRITTEN):
                tool = _note(tool, revision)
            made[index] = replace(tool, conditions=tuple(dict.fromkeys((*tool.conditions, *conditions))))
    return made


def _call_listing(run: Evaluator, rewrite: Method, values: list[PyInstance]) -> PyValue:
    """Call a list method with the tools as values; what calls give meanwhile is remembered for no other time."""
    run.start()
    run.listed = list(values)
    kept, run.memory = run.memory, {}
    try:
        return assume_default(run.call(rewrite, _build_handed(rewrite, list(values))))[0]
    finally:
        run.listed, run.memory = None, kept


def _build_handed(rewrite: Method, values: list[PyValue]) -> CallArguments:
    """Hand over what a list method takes: the tools, or a context and what asks the next one."""
    span, function = rewrite.span, rewrite.function
    tools = PyItems("list", values, span)
    given: list[PyValue] = []
    if rewrite.name == "on_list_tools":
        asked = Partial(External("mcp_review.listed", span), (tools,), {}, span)
        given = [PyUnknown("the context of a request", span), asked]
    elif not is_server(rewrite.receiver):
        given = [tools]
    node, scope = (function.node, function.scope) if function is not None else (None, None)
    return CallArguments(given, {}, span, node=node, scope=scope)


def note_object(run: Evaluator, server: PyInstance, value: PyValue, span: Span) -> None:
    """Note a transform or a middleware of the project that changes what a server lists."""
    made = assume_default(strip_conditions(value))[0]
    cls = made.made_by if isinstance(made, PyInstance) else None
    methods = _collect_listing_methods(cls) if isinstance(cls, PyClass) else []
    if isinstance(cls, PyClass) and methods:
        touched = _collect_touched_parts([cls.node.text or b""])
        rewrite = Method(made, methods[0].name, span, methods[0])
        run.revisions.append(Revision(server, f"as `{cls.name}` lists it", span, None, touched, rewrite))


def note_class(run: Evaluator, server: PyInstance) -> None:
    """Note a server class of the project that decides itself what it lists."""
    methods = _collect_listing_methods(server.made_by) if isinstance(server.made_by, PyClass) else []
    for method in methods:
        span = method.scope.module.locate(method.node)
        texts = (
            [method.scope.module.source.data] if b"self._" in (method.node.text or b"") else [method.node.text or b""]
        )
        rewrite = Method(server, method.name, span, method)
        run.revisions.append(
            Revision(server, f"as `{method.name}` lists it", span, None, _collect_touched_parts(texts), rewrite)
        )


def note_handler(run: Evaluator, server: PyInstance, handler: PyFunction) -> None:
    """Note a list handler that stands before that of a high-level server."""
    span = handler.scope.module.locate(handler.node)
    touched = _collect_touched_parts([handler.node.text or b""])
    run.revisions.append(Revision(server, f"as `{handler.name}` lists it", span, None, touched))


def note_call(run: Evaluator, server: PyInstance, name: str, arguments: CallArguments) -> PyValue:
    """Note a call that removes or hides tools by name, tag or key."""
    given = arguments.get("names") or arguments.get("name", 0) or arguments.get("keys", 0)
    run.revisions.append(Revision(server, f"unless `{name}` takes it out", arguments.span, _find_names(given)))
    return Const(None, arguments.span)


def read_enabled_conditions(keywords: dict[str, PyValue]) -> tuple[Condition, ...]:
    """Return the condition under which a tool is listed that is registered with `enabled=`."""
    given = keywords.get("enabled")
    plain = assume_default(given)[0] if given is not None else Const(True, Span("", 1, 1, 1, 1))
    if isinstance(plain, Const) and plain.value is not False:
        return ()
    return (Condition("if something enables it", plain.span),) if isinstance(plain, Const | PyUnknown) else ()


def note_deletion(run: Evaluator, holder: PyValue, written: str, key: PyValue, span: Span) -> None:
    """Note `del server._tool_manager._tools[name]`."""
    text = "unless `del` takes it out"
    if isinstance(holder, Method) and isinstance(holder.receiver, PyInstance) and holder.name == "_tools":
        server = run.same_server.get(id(holder.receiver), holder.receiver)
        run.revisions.append(Revision(server, text, span, _find_names(key)))
    elif isinstance(holder, PyUnknown | Method) and written.endswith(("._tools", ".tools")):
        run.revisions.append(Revision(None, text, span, _find_names(key)))


def _find_names(value: PyValue | None) -> frozenset[str] | None:
    """Return the names that are handed over, None where only a run can tell."""
    plain = assume_default(value)[0] if value is not None else None
    if isinstance(plain, PyItems) and not plain.open:
        texts = [to_text(strip_conditions(each)) for each in plain.items]
        return frozenset(str(text) for text in texts if text is not None) if None not in texts else None
    text = to_text(plain) if plain is not None else None
    return frozenset({str(text)}) if text is not None else None


def _collect_listing_methods(cls: PyClass) -> list[PyFunction]:
    return [found for name in LISTING if isinstance(found := cls.find_attribute(name), PyFunction)]


def _collect_touched_parts(texts: list[bytes]) -> tuple[str, ...]:
    return tuple(part for part, words in PARTS.items() if any(word in text for word in words for text in texts))
