"""Which variable a name is, and what the codes of a module know of themselves."""

import pytest
from python_lowered import code, module, own

from reviewer.code import ir
from reviewer.languages.nodes import find_descendants, parse
from reviewer.languages.python.lowering import find_code, lower_function
from reviewer.source import Source


def reads(outer: ir.Code, name: str) -> list[ir.Read | ir.Global]:
    return [
        each
        for each in own(outer)
        if (isinstance(each, ir.Read) and each.variable.name == name)
        or (isinstance(each, ir.Global) and each.path == (name,))
    ]


def binds(outer: ir.Code, name: str) -> list[ir.Variable]:
    found = [each.variable for each in outer.parameters if each.name == name]
    return found + [each.target for each in own(outer) if isinstance(each, ir.Assign) and each.target.name == name]


def kind(outer: ir.Code, name: str) -> type:
    (found,) = {type(each) for each in reads(outer, name)}
    return found


class TestScopes:
    def test_a_name_of_the_module_is_global_in_a_function(self):
        outer = module("a = 1\ndef f(): return a")
        assert kind(code(outer, "f"), "a") is ir.Global

    def test_a_name_that_is_bound_later_is_local(self):
        outer = module("a = 1\ndef f():\n    g(a)\n    a = 2")
        inner = code(outer, "f")
        (read,) = reads(inner, "a")
        assert isinstance(read, ir.Read)
        assert [read.variable] == binds(inner, "a")

    def test_a_function_reads_the_variable_of_the_one_around(self):
        outer = module("def f(a):\n    def g():\n        return lambda: a")
        (read,) = reads(code(outer, ""), "a")
        assert [read.variable] == binds(code(outer, "f"), "a")

    def test_a_name_that_the_function_around_binds_later(self):
        outer = module("def f():\n    def g(): return a\n    a = 1")
        (read,) = reads(code(outer, "g"), "a")
        assert [read.variable] == binds(code(outer, "f"), "a")

    def test_nonlocal_is_the_variable_around(self):
        outer = module("def f():\n    a = 1\n    def g():\n        nonlocal a\n        a = 2\n    g()\n    return a")
        assert binds(code(outer, "g"), "a") == binds(code(outer, "f"), "a")

    def test_global_is_no_variable(self):
        outer = module("def f():\n    global a\n    a = 1\n    a += 2\n    def g(): return a")
        inner = code(outer, "f")
        assert binds(inner, "a") == []
        assert kind(inner, "a") is ir.Global
        assert kind(code(outer, "g"), "a") is ir.Global
        assert sum(isinstance(each, ir.Store) for each in own(inner)) == 2

    def test_global_passes_over_the_function_around(self):
        outer = module("def f():\n    a = 1\n    def g():\n        global a\n        return a")
        assert kind(code(outer, "g"), "a") is ir.Global

    def test_a_class_is_not_around_its_methods(self):
        outer = module("def f(a):\n    class A:\n        a = 2\n        def g(self): return a")
        (read,) = reads(code(outer, "g"), "a")
        assert [read.variable] == binds(code(outer, "f"), "a")

    def test_a_class_binds_one_statement_after_the_other(self):
        inner = code(module("class A:\n    a = a\n    b = a"), "A")
        first, second = reads(inner, "a")
        assert isinstance(first, ir.Global)
        assert isinstance(second, ir.Read)

    def test_a_comprehension_has_variables_of_its_own(self):
        inner = code(module("def f(a):\n    b = [a for a in a]\n    return a"), "f")
        over, element, after = reads(inner, "a")
        assert over.variable is after.variable
        assert element.variable is not over.variable

    def test_a_comprehension_of_a_module_reads_its_variables(self):
        outer = module("a = 1\nb = [[a for _ in c] for c in d]")
        (read,) = reads(outer, "a")
        assert [read.variable] == binds(outer, "a")

    def test_a_comprehension_of_a_class_reads_its_variables_once(self):
        inner = code(module("class A:\n    a = 1\n    b = [a for _ in a]"), "A")
        assert {type(each) for each in reads(inner, "a")} == {ir.Read, ir.Global}

    @pytest.mark.parametrize(
        "source", ["g(a := 1)", "[(a := b) for b in c]", "if (a := g()): pass", "return lambda: b, (a := 2)"]
    )
    def test_an_assignment_in_an_expression_binds_for_the_function(self, source):
        inner = code(module(f"def f():\n    h(a)\n    {source}\n    return a"), "f")
        assert {each.variable for each in reads(inner, "a")} == set(binds(inner, "a"))

    def test_one_in_a_lambda_binds_for_the_lambda(self):
        outer = module("def f():\n    g(lambda: (a := 1))\n    return a")
        assert kind(code(outer, "f"), "a") is ir.Global

    @pytest.mark.parametrize(
        "source",
        [
            "import a", "import a.b", "import b as a", "from b import a", "from b import c as a", "def a(): pass", "class a: pass",
            "@b\ndef a(): pass", "for a in b: pass", "for b, (c, *a) in d: pass", "with b as a: pass", "with b as (c, a): pass", "with (b as a): pass",
            "try: pass\nexcept b as a: pass", "a += 1", "a: int = 1", "a: int", "b = a = 1", "[b, a] = c", "(a) = 1", "del a",
            "match b:\n    case a: pass", "match b:\n    case [*a]: pass", "match b:\n    case {**a}: pass", "match b:\n    case C(d=a): pass",
            "match b:\n    case C() as a: pass", "if b:\n    while c:\n        a = 1", "try: pass\nfinally:\n    a = 1",
            "for b in c: pass\nelse:\n    a = 1", "async with b as a: pass",
        ],
    )  # fmt: skip
    def test_what_binds(self, source):
        lines = "".join(f"    {line}\n" for line in source.splitlines())
        assert kind(code(module(f"async def f():\n    g(a)\n{lines}"), "f"), "a") is ir.Read

    @pytest.mark.parametrize(
        "source",
        ["a.b = 1", "a[b] = 1", "def g(): a = 1", "class A: a = 1", "[a for a in b]", "match b:\n    case a.c: pass", "g(a=1)",
         "match b:\n    case C(a=1): pass", "lambda a: a", "match b:\n    case a(): pass"],
    )  # fmt: skip
    def test_what_does_not_bind(self, source):
        lines = "".join(f"    {line}\n" for line in source.splitlines())
        inner = code(module(f"def f():\n    g(a)\n{lines}"), "f")
        assert isinstance(reads(inner, "a")[0], ir.Global)

    def test_a_default_is_read_around(self):
        inner = code(module("def f(a=a): return a"), "f")
        (default,) = (each.default for each in inner.parameters)
        assert isinstance(default, ir.Global)
        assert [each.variable for each in reads(inner, "a") if isinstance(each, ir.Read)] == binds(inner, "a")


class TestCodes:
    def test_a_module_holds_functions_and_classes(self):
        outer = module("def f(): pass\nclass A:\n    def g(self): pass\nh = lambda: 1")
        assert [(each.kind, each.name) for each in ir.iter_codes(outer)] == [
            ("module", "m.py"), ("closure", ""), ("class", "A"), ("function", "g"), ("function", "f"),
        ]  # fmt: skip

    def test_around_and_owner(self):
        outer = module("class A:\n    class B:\n        def f(self):\n            def g(): pass")
        inner = code(outer, "f")
        assert (inner.owner, code(outer, "B").owner, code(outer, "g").owner) == ("A.B", "A", "")
        assert code(outer, "g").around is inner

    def test_parameters(self):
        source = "def f(a, /, b: int, *c, d: str = 'e', **g) -> bool: pass"
        inner = code(module(source), "f")
        assert [(each.name, each.kind, each.type and each.type.text) for each in inner.parameters] == [
            ("a", "positional", None), ("b", "normal", "int"), ("c", "rest", None), ("d", "named", "str"), ("g", "named rest", None),
        ]  # fmt: skip
        assert inner.returns.text == "bool"
        assert [source[each.at.start : each.at.end] for each in inner.parameters] == [
            "a",
            "b: int",
            "*c",
            "d: str = 'e'",
            "**g",
        ]

    @pytest.mark.parametrize(
        ("source", "expected"),
        [("def f(self): pass", "receiver"), ("@classmethod\n    def f(cls): pass", "receiver"), ("@staticmethod\n    def f(x): pass", "normal"),
         ("def f(self, /): pass", "receiver"), ("def f(*a): pass", "rest")],
    )  # fmt: skip
    def test_the_receiver_of_a_method(self, source, expected):
        assert code(module(f"class A:\n    {source}"), "f").parameters[0].kind == expected

    def test_bases_are_evaluated_around(self):
        outer = module("class A(B, f(), metaclass=M): pass")
        inner = code(outer, "A")
        assert [each.name for each in inner.bases] == [None, None, "metaclass"]
        assert isinstance(outer.body[0], ir.Call)

    def test_async_and_generators(self):
        outer = module("async def f(): yield 1\ndef g(): return (yield from f())\ndef h(): return lambda: (yield)")
        found = {
            each.name or each.kind: (each.is_async, each.is_generator) for each in ir.iter_codes(outer) if each.body
        }
        assert found == {
            "m.py": (False, False), "f": (True, True), "g": (False, True), "h": (False, False), "closure": (False, True),
        }  # fmt: skip

    def test_specifiers_of_a_text(self):
        outer = module("x = f'{a!r}{b:.2f}{c!s:>{d}}{e=}{g}'")
        (text,) = (each for each in own(outer) if isinstance(each, ir.Interpolation))
        assert text.specifiers == ("!r", ".2f", "!s:>{d}", ":", "", "!r", "")
        assert len(text.parts) == 7

    def test_a_body_is_lowered_when_it_is_asked_for(self):
        inner = module("def f():\n    print x").body[0].value.code
        assert inner.unknown == []
        assert inner.body
        assert [each.reason for each in inner.unknown] == ["print_statement"]


class TestFinding:
    SOURCE = "def f(a):\n    class B:\n        @c\n        def g(self): return a\n    return B\n"

    def test_a_code_is_found_with_what_is_around(self):
        outer = module(self.SOURCE)
        root = parse(outer.source, "python")
        for kind in ("function_definition", "decorated_definition"):
            inner = find_code(outer, find_descendants(root, "python", kind)[-1])
            assert inner is code(outer, "g")
        assert [read.variable for read in reads(inner, "a")] == binds(code(outer, "f"), "a")

    def test_a_function_by_itself(self):
        source = Source("m.py", self.SOURCE.encode())
        node = find_descendants(parse(source, "python"), "python", "decorated_definition")[0]
        inner = lower_function(source, node, owner="B")
        assert (inner.name, inner.owner, inner.parameters[0].kind) == ("g", "B", "receiver")
        assert kind(inner, "a") is ir.Global

    def test_a_function_within_a_given_code(self):
        outer = module(self.SOURCE)
        node = find_descendants(parse(outer.source, "python"), "python", "function_definition")[-1]
        inner = lower_function(outer.source, node, code(outer, "B"))
        assert [read.variable for read in reads(inner, "a")] == binds(code(outer, "f"), "a")

    def test_a_default_that_calls_is_unknown_by_itself(self):
        source = Source("m.py", b"def f(a=g(), b=1, c=[g()], d=h): pass")
        inner = lower_function(source, parse(source, "python").children[0])
        assert [type(each.default) for each in inner.parameters] == [ir.Unknown, ir.Constant, ir.Unknown, ir.Global]
