"""Whether something that is laid around a service checks who calls: whether it reads the credential and can refuse."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of, text_of
from reviewer.languages.rust.behaviour.origins import local_function, origin
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import (
    below,
    called,
    constant,
    last_segment,
    named,
    owner,
    qualifier,
    receiver,
    targets,
)
from reviewer.languages.rust.items import Item, Items
from reviewer.languages.vocabulary import CHECKS
from reviewer.source import Opaque, Text

READS = re.compile(
    r"\bAUTHORIZATION\b|Authorization\s*<|\bBearer(Auth)?\b|\"(proxy-)?authorization\"|\"x-[\w-]*(key|token|auth)[\w-]*\""
    r"|\bget(_\w+)?\(\s*&?[\w:]*\"?[\w:-]*(token|api[-_]?key|secret|auth)",
    re.IGNORECASE,
)
REFUSES = re.compile(
    r"UNAUTHORIZED|FORBIDDEN|\b40[13]\b|\bErr\(|[Uu]nauthori[sz]ed|Forbidden|[Rr]eject|[Dd]en(y|ied)|\bok_or|challenge"
)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"")
PLAIN = re.compile(
    r"^(Cors|Trace|Timeout|Compression|Decompression|RequestBodyLimit|DefaultBodyLimit|SetRequestId|PropagateRequestId"
    r"|Extension|Concurrency\w*|RateLimit|Governor|CatchPanic|NormalizePath|PropagateHeader|SetSensitive\w*|SetResponseHeader"
    r"|SetRequestHeader|OverrideResponseHeader|HandleError|LoadShed|Buffer|SetStatus|FollowRedirect|AddAuthorization"
    r"|AddExtension|Map\w+|Metrics|Otel\w*|Prometheus\w*|RequestId|\w*Sentry\w*|Span|Logger|Log\w*|Http|AllowOrigin|Any)"
    r"(Layer)?$"
)
FRAMES = frozenset(
    "ServiceBuilder Some Ok Arc Box Duration Router String Stack Either StreamableHttpService TowerToHyperService".split()
)
WRAPPED = frozenset(
    "from_fn from_fn_with_state map_request map_request_with_state from_extractor from_extractor_with_state".split()
)
HEADERS = "ValidateRequestHeaderLayer"
DEPTH = 2


class Credentials:
    """Judges layers; what is declared outside of the project is told by its name, or not at all."""

    def __init__(self, items: Items) -> None:
        self.items = items

    def of(self, layer: Node, path: str, depth: int = DEPTH) -> Text | Opaque | None:
        """Give what checks the credential, Opaque where only a build can tell, None if nothing does."""
        unknown: Opaque | None = None
        for part in _parts(layer):
            found = self._of(part, path, depth)
            if isinstance(found, Text):
                return text_of(self.items.sources[path], layer)
            unknown = unknown or found
        return unknown

    def _of(self, part: Node, path: str, depth: int) -> Text | Opaque | None:
        match part.type:
            case "closure_expression":
                return self._said(part, path) if self.checks(part, path) else None
            case "call_expression":
                return self._call(part, path, depth)
            case "struct_expression":
                return self._type(child(part, "name") or part, path)
            case "identifier" | "scoped_identifier":
                return self._name(part, path, depth)
        return None

    def _call(self, call: Node, path: str, depth: int) -> Text | Opaque | None:
        name, kind = called(call) or "", qualifier(call) or ""
        if name in WRAPPED:
            return self._wrapped(call, path)
        if kind == HEADERS:
            return (
                self._said(call, path) if name in ("bearer", "basic", "custom") and self._custom(call, path) else None
            )
        if kind[:1].isupper():
            function = child(call, "function")
            prefix = child(function, "path") if function is not None else None
            return self._type(prefix, path) if prefix is not None else None
        own = targets(self.items, call, path)
        if not own and receiver(call) is None and CHECKS.search(name):
            return self._said(call, path)
        for target in own if depth > 0 else ():
            body = child(target.node, "body")
            found = self.of(body, target.path, depth - 1) if body is not None else None
            if found is not None:
                return self._said(call, path) if isinstance(found, Text) else found
        return None

    def _custom(self, call: Node, path: str) -> bool:
        """Tell whether the validator of a header layer checks: one that the project writes must read the credential."""
        if called(call) != "custom":
            return True
        given = arguments_of(call)
        parts = (each for part in given for each in below(part) if each.type == "identifier")
        types = [each for each in parts if string_of(each)[:1].isupper()]
        own = [item for each in types for item in self.items.declared(string_of(each), "struct")]
        return not own or any(self._type_checks(item) for item in own)

    def _wrapped(self, call: Node, path: str) -> Text | Opaque | None:
        """Judge `from_fn(function)`: a function of the project, or a closure, which is judged for itself."""
        extractor = child(call, "function")
        types = child(extractor, "type_arguments") if extractor is not None else None
        if types is not None and types.named_children and "extractor" in (called(call) or ""):
            return self._type(types.named_children[0], path)
        given = arguments_of(call)[-1:]
        for part in given:
            if part.type in ("identifier", "scoped_identifier"):
                inner = local_function(part)
                found = [(each.node, each.path) for each in named(self.items, part, path)]
                found = [(inner, path)] if inner is not None else found
                if any(self.checks(function, place) for function, place in found):
                    return self._said(call, path)
                if not found and origin(part) is None:
                    return self._said(call, path) if CHECKS.search(string_of(part)) else self._opaque(part, path)
        return None

    def _name(self, name: Node, path: str, depth: int) -> Text | Opaque | None:
        """Judge a unit struct, or what a local name or a constant stands for."""
        if name.parent is not None and name.parent.type in (
            "scoped_identifier",
            "field_expression",
            "generic_function",
        ):
            return None
        said = last_segment(name)
        if said[:1].isupper() and not said.isupper():
            is_called = name.parent is not None and name.parent.type == "call_expression"
            return None if is_called and said in FRAMES else self._type(name, path)
        bound = origin(name) if depth > 0 and name.type == "identifier" else None
        for value in bound.values if bound is not None else ():
            found = self.of(value, path, depth - 1)
            if found is not None:
                return found
        fixed = constant(self.items, name, path) if said.isupper() and depth > 0 else None
        return self.of(fixed[0], fixed[1], depth - 1) if fixed is not None else None

    def _type(self, written: Node, path: str) -> Text | Opaque | None:
        """Judge a type: one of the project by its code, another by its name."""
        used = self.items.uses(path).names.get(last_segment(written))
        name = used[-1] if used is not None else last_segment(written)
        own = [*self.items.declared(name, "struct"), *self.items.declared(name, "enum")]
        if own:
            return self._said(written, path) if any(self._type_checks(item) for item in own) else None
        if name in FRAMES or PLAIN.match(name) or not name[:1].isupper():
            return None
        if CHECKS.search(name):
            return self._said(written, path)
        return self._opaque(written, path) if name.endswith(("Layer", "Middleware", "Guard")) else None

    def _type_checks(self, item: Item) -> bool:
        """Tell whether what a layer of the project makes of a service checks the credential."""
        made = {item.name, *self._services(item.name)}
        texts = [
            string_of(each)
            for path in self.items.sources
            if any(name.encode() in self.items.sources[path].data for name in made)
            for each in below(self.items.root(path))
            if each.type == "impl_item" and last_segment(child(each, "type") or each) in made
        ]
        whole = "\n".join(texts)
        methods = (each for name in CALL_METHODS for each in self.items.functions(name) if owner(each.node) in made)
        return _checks(whole) or any(self.checks(each.node, each.path) for each in methods)

    def _services(self, layer: str) -> Iterator[str]:
        """Name the types that a layer makes: `type Service = AuthService<S>;`."""
        pattern = re.compile(r"\btype\s+Service\s*=\s*([\w:]+)")
        for path in self.items.mentioning(re.compile(rb"Layer\s*<[^;{]*for\s+" + re.escape(layer.encode()))):
            for each in below(self.items.root(path)):
                if each.type == "impl_item" and last_segment(child(each, "type") or each) == layer:
                    yield from (found.rpartition("::")[2] for found in pattern.findall(string_of(each)))

    def checks(self, function: Node, path: str) -> bool:
        """Tell whether a function or a closure checks the credential, the project's functions that it calls included."""
        texts = [string_of(function)]
        for each in below(function):
            if each.type == "call_expression":
                texts += [string_of(target.node) for target in targets(self.items, each, path)]
        return _checks("\n".join(texts))

    def _said(self, node: Node, path: str) -> Text:
        return text_of(self.items.sources[path], node)

    def _opaque(self, node: Node, path: str) -> Opaque:
        return Opaque(f"`{string_of(node)}` lies outside of the project", self.items.span(path, node))


def _parts(layer: Node) -> Iterator[Node]:
    """Give a layer and all it holds, but for the state that a wrapped function is given: a token in it checks nothing."""
    waiting = [layer]
    while waiting:
        part = waiting.pop()
        yield part
        inner = part.named_children
        if part.type == "arguments" and part.parent is not None and called(part.parent) in WRAPPED:
            inner = arguments_of(part.parent)[-1:]
        waiting += reversed(inner)


CALL_METHODS = ("call", "authorize", "validate", "from_request_parts", "poll_ready")


def _checks(code: str) -> bool:
    code = COMMENT.sub("", code)
    return READS.search(code) is not None and REFUSES.search(STRING.sub('""', code)) is not None
