"""What holds of all that is lowered of TypeScript, and what some constructs are lowered to."""

from collections import Counter

import pytest
from listing import listing

from reviewer.code import ir
from reviewer.languages.nodes import parse
from reviewer.languages.typescript.lowering import find_code, lower_module
from reviewer.source import Source

FORMS = """
import def, { a as b, type T } from "x"; import * as ns from "./y.js"; import "./side.js"; export * from "./z.js";
export default function f(a: string, { b = g(), c: [d, ...e], ...rest }: Opts = h(), ...more: any[]) { return i(a!); }
export class C<T> extends base(T) implements I {
  static readonly n = j(); private s: string = `a${k()}c`; #p = 1; handler = async () => l();
  constructor(private readonly api: Api, x?: number) { super(m()); this.s = n(); }
  get v() { return o() } static { p(); } async *gen() { yield q(); yield* r(); } [s()]() { t(); }
}
class D { x = u(); }
const o1 = { a, b: v(), "c": 2, [w()]: x(), ...y(), m() { z(); }, get g() { return aa() } } as const satisfies X;
enum E { A = "a", B = 3, C2 }
const t1 = <T,>(x) => x?.y?.[bb()]?.(cc()) ?? dd?.();
for (const [k, v] of ee()) { if (ff() && gg() || hh()) continue; else if (ii()) break; else jj(); }
for (let i = kk(), n = 3; i < ll(); i++) { if (i) continue; mm(); }
for (const k in nn()) oo(); for await (const x of pp()) {} outer: while (qq()) { do { break outer; } while (rr()); }
switch (ss()) { case tt(): uu(); case 2: vv(); break; case 3: case 4: ww(); return; default: xx(); }
try { throw new yy("x", { cause: e }) } catch ({ message }) { zz(message) } finally { ab() }
x ??= ac(); x += ad(); x[ae()]++; --x.y; delete af().a; void ag(); typeof ah() === "s"; a in ai(); a instanceof aj();
[a, b.c] = ak(); ({ a, b: c.d = al() } = am()); am(`x`)`a${an()}b`; new Foo; new Foo(ao()); import("./y.js"); <T>ap(); super.m();
const aq = a ? ar() : !as1() && at(); namespace N { export const z = au(); } @av() class F { @aw() m(@ax() a) {} }
(async () => { await ay(); })(); function* az() { const x = yield; } var hoisted = ba(hoisted2); { var hoisted2 = 1; }
"""
TYPES = frozenset({"type_annotation", "type_arguments", "interface_declaration", "type_alias_declaration"})


def module(text, path="a.ts"):
    source = Source(path, text.encode())
    root = parse(source, "typescript")
    return source, root, lower_module(source, root)


def written_calls(root):
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type in ("call_expression", "new_expression"):
            yield node.start_byte, node.end_byte
        pending += [each for each in node.named_children if each.type not in TYPES]


def statements(code):
    return [each for one in ir.iter_codes(code) for each in ir.iter_statements(one.body)]


def test_every_call_is_there_once():
    _, root, code = module(FORMS)
    assert not root.has_error
    lowered = Counter(tuple(each.at[:2]) for each in statements(code) if isinstance(each, ir.Call))
    assert lowered == Counter(written_calls(root))


def test_every_node_knows_its_place():
    source, _, code = module(FORMS)
    for statement in statements(code):
        for each in (statement, *ir.iter_expressions(statement)):
            assert 0 <= each.at.start <= each.at.end <= len(source.data)


def test_little_is_unknown():
    _, _, code = module(FORMS)
    found = [each.reason for one in ir.iter_codes(code) for each in one.unknown]
    assert found == ["computed_property_name"]


def test_every_function_is_found():
    _, root, code = module(FORMS)
    pending, kinds = [root], Counter()
    while pending:
        node = pending.pop()
        if node.type in ("arrow_function", "function_declaration", "method_definition"):
            named = node.child_by_field_name("name")
            if named is None or named.type != "computed_property_name":
                assert find_code(code, node) is not None, node.text
                kinds[node.type] += 1
        pending += node.named_children
    assert kinds == {"arrow_function": 3, "function_declaration": 1, "method_definition": 6}


LISTINGS = {
    "const { a = 1, ...rest } = f();": """module a.ts():
    t1 = f()
    t2 = t1.a
    if (t2 is None):
        t3 = 1
    else:
        t3 = t2
    a = t3
    t4 = {*t1}
    del t4['a']
    rest = t4""",
    "x?.y(1);": """module a.ts():
    t1 = None
    if not (x is None):
        t2 = x.y(1)
        t1 = t2""",
    "const y = a || b;": """module a.ts():
    if a:
        t1 = a
    else:
        t1 = b
    y = t1""",
}


@pytest.mark.parametrize(("source", "expected"), LISTINGS.items(), ids=LISTINGS)
def test_listing(source, expected):
    assert listing(module(source)[2]) == expected


@pytest.mark.parametrize("path", ["a.tsx", "a.jsx", "a.js", "a.mts"])
def test_other_endings(path):
    _, root, code = module("const view = (x) => f(x);" + ("<a b={g()}>{h()}</a>;" if path.endswith("x") else ""), path)
    assert not root.has_error
    assert sum(isinstance(each, ir.Call) for each in statements(code)) == (3 if path.endswith("x") else 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "(" * 3000 + "1" + ")" * 3000,
        "x" + ".f()" * 3000,
        "+".join(["a"] * 3000),
        "if (a) {" * 500 + "}" * 500,
        "a?.b" * 500,
    ],
)
def test_hostile(text):
    module(text)[2].body  # noqa: B018  # it is lowered
