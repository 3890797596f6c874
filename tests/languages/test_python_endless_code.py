"""Code without end and expressions that are too big: the reading stops, and what it does not tell is said."""

import signal
from dataclasses import replace

import pytest
from effort import at_most
from python_bad_input import ONE, described, names, project, shown
from python_projects import MCP

from reviewer.budget import BOUNDS
from reviewer.languages.python.evaluation import evaluator, project_evaluator
from reviewer.source import Opaque, Text

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("bounded")]


ENDLESS = {
    "decorator that calls itself": "def d(f): return d(f)\n@d\ndef x(): ...",
    "decorator that decorates itself": "def d(f):\n    @d\n    def g(): ...\n    return g\n@d\ndef x(): ...",
    "decorator that is its own": "@d\ndef d(f): return f\n@d\ndef x(): ...",
    "mutual recursion": "def a(n): return b(n + 1) + b(n + 2)\ndef b(n): return a(n + 1) + a(n + 2)\na(0)",
    "mutual recursion in methods": "class A:\n    def a(self): return B().b()\nclass B:\n"
    "    def b(self): return A().a()\nA().a()",
    "recursive property": "class A:\n    @property\n    def a(self): return self.a\nA().a",
    "recursive __getattr__": "class A:\n    def __getattr__(self, n): return getattr(self, n)\nA().x",
    "recursive __init__": "class A:\n    def __init__(self): self.a = A()\nA()",
    "recursive default": "def f(x=f()): return f(f())\nf(f)",
    "recursive lambda": "f = lambda: f()\nf()",
    "recursive string": "class A:\n    def __str__(self): return str(self)\nX = f'{A()}'",
    "while True": "while True:\n    pass",
    "while True with a growing list": "a = []\nwhile True:\n    a.append(a)",
    "while True with a growing text": "a = 'x'\nwhile True:\n    a += a",
    "while True with a growing number": "a = 2\nwhile True:\n    a *= a",
    "for over a long range": "for i in range(10**9):\n    x = i",
    "for over ranges in ranges": "for i in range(10**5):\n    for j in range(10**5):\n"
    "        for k in range(10**5):\n            x = i",
    "for over what it extends": "a = [1]\nfor i in a:\n    a.append(i)\n    a.extend(a)",
    "doubled text": "a = 'xxxxxxxx'\nfor i in range(60):\n    a = a + a",
    "doubled text by an f-string": "a = 'xxxxxxxx'\nfor i in range(60):\n    a = f'{a}{a}'",
    "doubled text by join": "a = 'xxxxxxxx'\nfor i in range(60):\n    a = a.join([a, a, a])",
    "doubled list": "a = [1]\nfor i in range(60):\n    a += a",
    "doubled list by a display": "a = [1]\nfor i in range(60):\n    a = [*a, *a]",
    "doubled dict": "a = {'x': 1}\nfor i in range(60):\n    a = {**a, **{k + 'x': v for k, v in a.items()}, 'k': a}",
    "doubled reference": "a = [1]\nfor i in range(60):\n    a = [a, a]\nX = str(a)\nY = a == a[0]\nZ = sorted(a)",
    "generator without end": "def g():\n    while True:\n        yield 1\nX = list(g())",
    "itertools without end": "import itertools\nX = list(itertools.count())\n"
    "Y = list(itertools.repeat(1))\nfor i in itertools.cycle('a'): pass",
    "products": "import itertools\nX = list(itertools.product(range(1000), repeat=9))\n"
    "Y = list(itertools.permutations(range(99)))",
    "long comprehension": "X = [i for i in range(10**9)]\nY = {i: i for i in range(10**9)}\n"
    "Z = sum(i for i in range(10**9))",
    "nested comprehension": "A = list(range(1000))\nX = [1 for a in A for b in A for c in A for d in A]",
    "iter with a sentinel": "X = list(iter(lambda: 1, 2))",
    "many conditions": "import os\n" + "".join(f"if os.environ.get('A{n}'):\n    X = {n}\n" for n in range(60)),
    "many alternatives": "import os\nX = ''\n"
    + "".join(f"X = X + ('a' if os.environ.get('A{n}') else 'b')\n" for n in range(60)),
    "alternatives in alternatives": "import os\nclass A: ...\nA.a = A()\nx = A()\n"
    + "".join(f"if os.environ.get('A{n}'):\n    x = x.a\n" for n in range(60)),
    "calls of alternatives in alternatives": "import os\ndef f(): return f\ndef g(): return g\n"
    "x = f if os.environ.get('A') else g\n" + "".join(f"if os.environ.get('A{n}'):\n    x = x()\n" for n in range(60)),
    "branches in alternatives": "from far import flag\nclass A: ...\nA.a = A()\nx = A()\n"
    + "".join(f"if flag({n}):\n    x = x.a\nelse:\n    x = (x.a if flag() else x)\n" for n in range(60)),
    "expressions of alternatives": "from far import flag\ndef f(): return f\nx = f\n"
    + "".join("x = x() or x\n" + "x = x() if flag() else x\n" for _ in range(60)),
    "many forks that change an object": "import os\nclass A: ...\na = A()\n"
    + "".join(f"if os.environ.get('A{n}'):\n    a.x{n} = 1\nelse:\n    a.x{n} = 2\n" for n in range(60)),
    "many nested early returns": "from far import flag\ndef f(n):\n"
    + "".join(f"    if flag({n}):\n        return f(n + {n})\n" for n in range(40))
    + "f(0)",
    "ladder of functions": "".join(f"def f{n}(): return f{n + 1}() + f{n + 1}()\n" for n in range(60)) + "f0()",
    "function that wraps itself": "import functools\ndef f(): ...\nf.__wrapped__ = f\n"
    "f = functools.wraps(f)(f)\nX = f.__doc__\n"
    "mcp.tool(name='two')(f)",
    "functions that wrap each other": "def f(): ...\ndef g(): ...\nf.__wrapped__ = g\ng.__wrapped__ = f\n"
    "mcp.tool(name='two')(f)",
    "partial of itself": "import functools\nf = functools.partial(f)\nf()",
    "list in itself": "a = []\na.append(a)\nX = str(a)\nY = a == a\nZ = [*a, *a]\nprint(a in a, a[0][0][0])",
    "dict in itself": "a = {}\na['a'] = a\nX = f'{a}'\nY = {**a}\nZ = a == {'a': a}",
    "object in itself": "class A: ...\na = A()\na.a = a\nX = vars(a)\nY = a.a.a.a",
    "class of itself": "class A:\n    A = None\nA.A = A\nA.__bases__ = (A,)\nA.x",
    "class under its own name": "class A: ...\nclass A(A): ...\nclass A(A, A): ...\nA.x\nA().x",
    "tools without end": "while True:\n    mcp.tool(name='two')(lambda: 1)",
    "tools over a long range": "def f(): ...\nfor i in range(10**6):\n    mcp.add_tool(f, name='two')",
    "servers without end": "def make():\n    mcp = MCPServer('more')\n    return make()\nmake()",
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS.keys())
def test_endless_code(source, tmp_path):
    """It is read up to a bound: what stands before it is there, and what stands behind it, or the cut is named."""
    with at_most(15):
        found = project(tmp_path, {"server.py": MCP + ONE + source + "\n@mcp.tool()\ndef last(): ...\n"})
    listed = [shown(tool.name) for server in found.servers for tool in server.tools]
    assert "one" in listed
    assert "last" in listed or found.broken or "while True" in source


BOMBS = [
    "'x' * 10**12",
    "10**12 * 'x'",
    "'x'.__mul__(10**12)",
    "operator.mul('x', 10**12)",
    "('x' * 900_000) * 900_000",
    "str([0] * 10**12)",
    "str((1, 2) * 10**12)",
    "str(bytes(10**12))",
    "str(bytearray(10**12))",
    "str(list(range(10**12)))",
    "str(sum(range(10**10)))",
    "str(max(range(10**10)))",
    "str(sorted(range(10**10)))",
    "str(10 ** 10 ** 10)",
    "str(pow(10, 10 ** 10))",
    "str(pow(3, 10 ** 10, 7) + 10 ** 10 ** 10)",
    "str((10 ** 10).__pow__(10 ** 10))",
    "str(1 << 10 ** 12)",
    "str(-(9 ** 9 ** 9) // 3)",
    "str(10 ** 100_000)",
    "f'{10 ** 100_000}'",
    "'%d' % (10 ** 100_000)",
    "'{}'.format(10 ** 100_000)",
    "repr(10 ** 100_000)",
    "str(2.0 ** 10 ** 10)",
    "str(1e308 * 10 ** 400)",
    "str(round(1.5, -10 ** 10))",
    "str(round(10 ** 20, -10 ** 10))",
    "str(math.factorial(10 ** 7))",
    "str(int('9' * 10_000))",
    "str(int('9' * 900_000, 16))",
    "str(" + "9" * 6000 + ")",
    "str(0x" + "f" * 6000 + ")",
    "re.sub(r'(a+)+$', '', 'a' * 60 + 'b')",
    "re.sub(r'(a|a)*$', '', 'a' * 60 + 'b')",
    "re.sub(r'(a|aa)+$', '', 'a' * 60 + 'b')",
    "re.sub(r'(?:a?){40}a{40}b', '', 'a' * 60)",
    "re.sub(r'(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)[^a]$', '', 'a' * 300)",
    "re.sub(r'a*a*a*a*a*a*a*a*a*a*a*a*b', '', 'a' * 300)",
    "re.sub(r'([a-z]*)*x', '', 'a' * 60)",
    "re.compile(r'(a+)+$').sub('', 'a' * 60 + 'b')",
    "str(re.findall(r'(x+x+)+y', 'x' * 60))",
    "str(re.split(r'(x+x+)+y', 'x' * 60))",
    "str(re.match(r'(x+x+)+y', 'x' * 60))",
    "re.sub('', 'x' * 100_000, 'y' * 100_000)",
    "re.sub('(', '', 'x')",
    "re.sub('x', r'\\9', 'x')",
    "re.sub('a{999999999999}', '', 'x')",
    "'%1000000000d' % 1",
    "'%*d' % (10**9, 1)",
    "'%.1000000000f' % 1.0",
    "'%1000000000s' % 'x'",
    "'%(a)1000000000s' % {'a': 'x'}",
    "f\"{'x':>1000000000}\"",
    'f"{1:>1000000000}"',
    'f"{1:1000000000d}"',
    'f"{1.0:.1000000000f}"',
    "f\"{'x':>{10**9}}\"",
    "f\"{'x':{'1' + '0' * 9}}\"",
    "'{:>1000000000}'.format('x')",
    "'{:{}}'.format('x', 10**9)",
    "'{0:{1}.{1}}'.format('x', 10**9)",
    "'{:>1000000000}'.format_map({'a': 1})",
    "format('x', '>1000000000')",
    "format(1.0, '.1000000000f')",
    "'x'.__format__('>1000000000')",
    "'x'.ljust(10**10)",
    "'x'.rjust(10**10)",
    "'x'.center(10**10)",
    "'x'.zfill(10**10)",
    "'\\t'.expandtabs(10**10)",
    "('x' * 900_000).replace('', 'y' * 900_000)",
    "('x' * 900_000).replace('x', 'y' * 900_000)",
    "('x' * 900_000).join(['y'] * 900_000)",
    "('x' * 900_000).join('y' * 900_000)",
    "str(('x' * 900_000).split('x'))",
    "('{}' * 400_000).format(*['x' * 900_000] * 400_000)",
    "'{0}{0}{0}{0}{0}{0}{0}{0}{0}{0}'.format('x' * 900_000)",
    "'%(a)s%(a)s%(a)s%(a)s%(a)s%(a)s' % {'a': 'x' * 900_000}",
    "('x' * 900_000).translate({120: 'y' * 900_000})",
    "('x' * 900_000).encode('utf-32').hex() * 10**6",
    "textwrap.indent('x\\n' * 400_000, ' ' * 900_000)",
    "textwrap.fill('x ' * 400_000, width=1)",
    "textwrap.dedent(' ' * 900_000 + 'x')",
    "string.Template('$a' * 400_000).substitute(a='x' * 900_000)",
    "json.dumps(['x' * 900_000] * 10**6)",
    "json.dumps({'a': 1}, indent=10**10)",
    "str(json.loads('[' * 200_000 + ']' * 200_000))",
    "str(json.loads('[' * 900 + ']' * 900))",
    "str(json.loads('{\"a\":' * 500 + '1' + '}' * 500))",
    "str(json.loads('9' * 6000))",
    "json.dumps(json.loads('[' * 400 + ']' * 400))",
    "json.dumps(json.loads('[1e999, NaN, -Infinity]'))",
    "str(datetime.timedelta(days=10**10))",
    "str(datetime.datetime(10**5, 1, 1))",
    "str(decimal.Decimal(10) ** 10**10)",
    "str(decimal.Decimal('1e999999999'))",
    "str(fractions.Fraction(10) ** 10**7)",
    "chr(10**10)",
    "chr(-1)",
    "'x'[10**20]",
    "'x' * -10**20 + 'y'[10**20:]",
    "'x' * 1.5",
    "str([1, 2][::0])",
    "str('x'[0:1:0])",
    "str(1 / 0) + str(1 % 0) + str(0 ** -1)",
    "'%' % 1",
    "'%d' % 'x'",
    "'{'.format()",
    "'{0.__class__.__mro__[1].__subclasses__}'.format('x')",
    "'{a.b[c]}'.format(a=1)",
    "str({[]: 1})",
    "str({{}, []})",
    "' '.join([1, None])",
    "str(sorted([1, 'a', None]))",
    "max([])",
    "min(1)",
    "str(range(1, 2, 0))",
    "str(dict([1, 2]))",
    "str(int('x')) + str(float('x')) + str(int(float('inf')))",
    "str(int(None)) + str(len(5)) + str(abs('x')) + str(round('x'))",
    "str(~1.5) + str(-'x') + str(+[])",
    "str('x' < 1) + str(1 in 2) + str('x' in 5)",
    "str(1j ** 10 ** 10)",
    "str(float(10 ** 400))",
    "str(10 ** 400 / 3)",
    "str(10 ** 400 * 1.5)",
    "str(hash('x')) + str(id('x'))",
    "inspect.cleandoc(5)",
    "textwrap.dedent(None)",
    "str(enumerate(5)) + str(list(zip(1, 2)))",
    "'\\N{NOT A NAME}'",
    "'\\x'",
    "b'\\xff'.decode()",
    "b'x'.decode('no-such-codec')",
    "'x'.encode('no-such-codec').decode()",
    "'\\ud800'.encode().decode()",
    "str(getattr(5, 5)) + str(setattr('x', 'y', 1))",
    "str(type('X', (5,), {})()) + str(type(5, 5, 5))",
    "str(super().x)",
    "str(isinstance(1, 5)) + str(issubclass(1, 1))",
]
IMPORTS = "import datetime, decimal, fractions, inspect, itertools, json, math, operator, re, string, textwrap\n"


@pytest.mark.parametrize("expression", BOMBS, ids=lambda each: each[:60])
def test_expression_that_is_too_big_or_fails(expression, tmp_path):
    """Its text is not made: a run would fail, run out of memory, or not end."""
    signal.alarm(60)
    with at_most(
        15
    ):  # a run takes 2 s at most where nothing else runs, 5.3 s beside a busy core; without a bound minutes
        found = described(tmp_path, expression, IMPORTS)
    if isinstance(found, Text):
        assert len(found) <= 2_000_000


MANY = f"many = {list(range(100))}\n"
WORK = f"{MANY}for i in many:\n    for j in many:\n        x = i + j\n"


def test_work_that_declares_nothing_leaves_time_for_the_rest(tmp_path, monkeypatch):
    """What modules do for long without declaring anything takes nothing from the modules that are read after them."""
    monkeypatch.setattr(evaluator, "PATIENCE", 2_000)
    monkeypatch.setattr(project_evaluator, "PATIENCE", 2_000)
    monkeypatch.setattr(evaluator, "STEPS", 10_000)
    monkeypatch.setitem(BOUNDS, "steps", replace(BOUNDS["steps"], base=30_000))
    working = {f"a_work_{n}.py": f"{MCP}{WORK}" for n in range(6)}
    assert names(tmp_path, working | {"served.py": f"{MCP}@mcp.tool()\ndef one(): ...\n"}) == ["one"]


def test_work_between_declarations_is_done(tmp_path, monkeypatch):
    monkeypatch.setattr(evaluator, "PATIENCE", 2_000)
    monkeypatch.setattr(project_evaluator, "PATIENCE", 2_000)
    loop = "for i in many:\n    for j in many:\n        x = i + j\n    mcp.tool(name=f'tool_{i}')(one)\n"
    found = names(tmp_path, {"served.py": f"{MCP}{MANY}def one(): ...\n{loop}"})
    assert found == [f"tool_{n}" for n in range(100)]


@pytest.mark.parametrize(
    "expression",
    [
        "'x' * 10**12",
        "str(10 ** 10 ** 10)",
        "re.sub(r'(a+)+$', '', 'a' * 60 + 'b')",
        "'%1000000000d' % 1",
        "f\"{'x':>1000000000}\"",
        "'x'.ljust(10**10)",
        "str(1 / 0)",
        "'{'.format()",
        "' '.join([1, None])",
        "'%d' % 'x'",
        "'\\x'",
        "chr(-1)",
        "'x'[10**20]",
        "str(json.loads('[' * 200_000 + ']' * 200_000))",
    ],
)
def test_what_is_not_made_is_unreadable(expression, tmp_path):
    signal.alarm(30)
    assert isinstance(described(tmp_path, expression, IMPORTS), Opaque)
