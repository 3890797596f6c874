"""Python's own functions and libraries, as servers use them to declare tools: each comes to what Python makes of it."""

import pytest
from python_projects import FASTMCP, MCP, conditions, document, names, tool, tools

from reviewer.source import Opaque

TEXTS = {
    # texts
    "re.sub": ("import re", "re.sub(r'[^a-z]+', '_', 'one - two!')", "one_two_"),
    "re.sub of a group": ("import re", r"re.sub(r'(?<!^)(?=[A-Z])', '_', 'ReadBook').lower()", "read_book"),
    "re.escape": ("import re", "re.escape('a.b')", "a\\.b"),
    "json.dumps": ("import json", "json.dumps({'a': [1, None, True]})", '{"a": [1, null, true]}'),
    "json.dumps with an indent": ("import json", "json.dumps({'a': 1}, indent=2)", '{\n  "a": 1\n}'),
    "json.loads": ("import json", 'json.loads(\'{"a": ["x", "y"]}\')[\'a\'][1]', "y"),
    "dedent": ("import textwrap", "textwrap.dedent('  one\\n    two')", "one\n  two"),
    "cleandoc": ("import inspect", "inspect.cleandoc('  one\\n    two\\n')", "one\ntwo"),
    "join": ("", "', '.join(sorted({'b', 'a'}))", "a, b"),
    "join of a generator": ("", "' '.join(f'{n}:{v}' for n, v in {'a': 1, 'b': 2}.items())", "a:1 b:2"),
    "split": ("", "'a,b,c'.split(',')[1]", "b"),
    "partition": ("", "'key=value'.partition('=')[2]", "value"),
    "method chain": ("", "' One Two '.strip().lower().replace(' ', '-').removeprefix('one')", "-two"),
    "f-string": ("N = 3", "f'{N} of {N + 1}'", "3 of 4"),
    "f-string in another": ("NAMES = ['a', 'b']", "f\"<{', '.join(f'`{n}`' for n in NAMES)}>\"", "<`a`, `b`>"),
    "f-string with a conversion": ("", "f'{\"a\"!r}'", "'a'"),
    "f-string with a format": ("", "f'{7:03d}'", "007"),
    "f-string with braces": ("", "f'{{a}} {1}'", "{a} 1"),
    "format": ("", "'{} {b}'.format('a', b='c')", "a c"),
    "format_map": ("", "'{b}'.format(**{'b': 'c'})", "c"),
    "percent": ("", "'%s: %d' % ('a', 3)", "a: 3"),
    "percent of a dict": ("", "'%(a)s' % {'a': 'x'}", "x"),
    "str of a number": ("", "str(3) + str(True)", "3True"),
    "int of a text": ("", "str(int('4') + 1)", "5"),
    "slice of a text": ("", "'abcdef'[1:4]", "bcd"),
    "slice backwards": ("", "'abc'[::-1]", "cba"),
    "last of a text": ("", "'abc'[-1]", "c"),
    "repetition": ("", "'-' * 3", "---"),
    # containers
    "slice of a list": ("L = ['a', 'b', 'c']", "''.join(L[1:])", "bc"),
    "slice with a step": ("L = ['a', 'b', 'c']", "''.join(L[::2])", "ac"),
    "slice from the end": ("L = ['a', 'b', 'c']", "''.join(L[-2:])", "bc"),
    "sum of lists": ("", "''.join(['a'] + ['b'] + [*['c']])", "abc"),
    "sorted": ("", "''.join(sorted(['b', 'a', 'c'], reverse=True))", "cba"),
    "sorted by key": ("", "''.join(sorted(['bb', 'a', 'ccc'], key=lambda each: -len(each)))", "cccbba"),
    "sorted by an item": (
        "from operator import itemgetter",
        "''.join(each['n'] for each in sorted([{'n': 'b'}, {'n': 'a'}], key=itemgetter('n')))",
        "ab",
    ),
    "sorted by an attribute": (
        "from operator import attrgetter\nclass P:\n    def __init__(self, n):\n        self.n = n",
        "''.join(each.n for each in sorted([P('b'), P('a')], key=attrgetter('n')))",
        "ab",
    ),
    "sorted pairs": ("", "' '.join(f'{k}{v}' for k, v in sorted({'b': 1, 'a': 2}.items()))", "a2 b1"),
    "sort in place": ("L = ['b', 'a']\nL.sort()", "''.join(L)", "ab"),
    "reverse in place": ("L = ['b', 'a', 'c']\nL.reverse()", "''.join(L)", "cab"),
    "pop of a list": ("L = ['b', 'a']\nlast = L.pop()", "last + ''.join(L)", "ab"),
    "remove from a list": ("L = ['b', 'a']\nL.remove('b')", "''.join(L)", "a"),
    "reversed": ("", "''.join(reversed(['a', 'b']))", "ba"),
    "enumerate": ("", "' '.join(f'{i}{v}' for i, v in enumerate(['a', 'b'], 1))", "1a 2b"),
    "zip": ("", "' '.join(a + b for a, b in zip(['a', 'b'], ['x', 'y', 'z']))", "ax by"),
    "filter": ("", "''.join(filter(lambda each: each != 'b', ['a', 'b', 'c']))", "ac"),
    "filter by truth": ("", "''.join(filter(None, ['a', '', 'c']))", "ac"),
    "map": ("", "''.join(map(str.upper, ['a', 'b']))", "AB"),
    "map of a lambda": ("", "''.join(map(lambda each: each * 2, ['a', 'b']))", "aabb"),
    "map of str": ("", "''.join(map(str, [1, 2]))", "12"),
    "any": ("", "'yes' if any(each == 'b' for each in ['a', 'b']) else 'no'", "yes"),
    "any of nothing": ("", "'yes' if any([]) else 'no'", "no"),
    "all": ("", "'yes' if all([1, 'a', True]) else 'no'", "yes"),
    "len": ("", "str(len({'a': 1, 'b': 2}))", "2"),
    "min and max": ("", "str(min(3, 1)) + str(max([1, 2]))", "12"),
    "sum": ("", "str(sum([1, 2, 3]))", "6"),
    "range": ("", "''.join(str(n) for n in range(1, 4))", "123"),
    "next": ("", "next(n for n in ['a', 'b'] if n > 'a')", "b"),
    "next with a default": ("", "next(iter([]), 'none')", "none"),
    "chain": ("import itertools", "''.join(itertools.chain(['a'], ('b', 'c')))", "abc"),
    "chain of lists": ("from itertools import chain", "''.join(chain.from_iterable([['a'], ['b']]))", "ab"),
    "dict.fromkeys": ("", "''.join(dict.fromkeys(['b', 'a', 'b']))", "ba"),
    "dict.fromkeys with a value": ("", "dict.fromkeys('ab', 'x')['b']", "x"),
    "dict of pairs": ("", "dict([('a', 'x'), ('b', 'y')])['b']", "y"),
    "dict of a zip": ("", "dict(zip('ab', ['x', 'y']))['b']", "y"),
    "dict of keywords": ("", "dict({'a': 'x'}, b='y')['b']", "y"),
    "dict comprehension": ("", "{n: n.upper() for n in 'ab'}['b']", "B"),
    "dict union": ("", "({'a': 'x'} | {'a': 'y'})['a']", "y"),
    "dict unpacking": ("D = {'a': 'x'}", "{**D, 'b': 'y'}['b'] + {**D}['a']", "yx"),
    "dict.get": ("", "{'a': 'x'}.get('b', 'none')", "none"),
    "dict.setdefault": ("D = {}\nD.setdefault('a', 'x')\nD.setdefault('a', 'y')", "D['a']", "x"),
    "dict.pop": ("D = {'a': 'x', 'b': 'y'}\nvalue = D.pop('a')", "value + ''.join(D)", "xb"),
    "dict.pop with a default": ("D = {}", "D.pop('a', 'none')", "none"),
    "defaultdict": (
        "from collections import defaultdict\nD = defaultdict(list)\nD['a'].append('x')",
        "''.join(D['a'])",
        "x",
    ),
    "OrderedDict": ("from collections import OrderedDict\nD = OrderedDict([('a', 'x')])", "D['a']", "x"),
    "deepcopy": (
        "import copy\nA = {'n': {'t': 'x'}}\nB = copy.deepcopy(A)\nB['n']['t'] = 'y'",
        "A['n']['t'] + B['n']['t']",
        "xy",
    ),
    "set union": ("", "''.join(sorted({'b'} | {'a'}))", "ab"),
    "set difference": ("", "''.join(sorted({'b', 'a', 'c'} - {'a'}))", "bc"),
    "star unpacking": ("first, *rest = ['a', 'b', 'c']", "first + '-'.join(rest)", "ab-c"),
    "nested unpacking": ("(a, (b, c)) = ('x', ('y', 'z'))", "a + b + c", "xyz"),
    "swap": ("a, b = 'x', 'y'\na, b = b, a", "a + b", "yx"),
    # comparisons and control
    "in a tuple": ("", "'yes' if 'b' in ('a', 'b') else 'no'", "yes"),
    "not in a dict": ("", "'yes' if 'c' not in {'a': 1} else 'no'", "yes"),
    "in a text": ("", "'yes' if 'ell' in 'hello' else 'no'", "yes"),
    "is None": ("X = None", "'yes' if X is None else 'no'", "yes"),
    "less than": ("", "'yes' if 1 < 2 else 'no'", "yes"),
    "chained comparison": ("N = 5", "'yes' if 1 < N <= 5 else 'no'", "yes"),
    "comparison of lists": ("", "'yes' if ['a'] == ['a'] else 'no'", "yes"),
    "comparison of tuples": ("import sys", "'yes' if sys.version_info >= (3, 8) else 'no'", "yes"),
    "and or": ("", "'' or None or 'x' and 'y'", "y"),
    "not": ("", "'yes' if not [] else 'no'", "yes"),
    "walrus": ("", "(n := 'x') + n", "xx"),
    "match on a value": (
        (
            "def kind(x):\n    match x:\n        case 'a' | 'b':\n            return 'early'\n"
            "        case _:\n            return 'late'"
        ),
        "kind('b') + kind('z')",
        "earlylate",
    ),
    "match on a class": (
        (
            "def kind(x):\n    match x:\n        case str():\n            return 'text'\n"
            "        case int(n):\n            return f'number {n}'"
        ),
        "kind('b') + kind(3)",
        "textnumber 3",
    ),
    "match on a shape": (
        (
            "def kind(x):\n    match x:\n        case {'k': k}:\n            return k\n"
            "        case [a, *_]:\n            return a"
        ),
        "kind({'k': 'v'}) + kind(['w', 'x'])",
        "vw",
    ),
    "global": ("N = 'a'\ndef change():\n    global N\n    N = 'b'\nchange()", "N", "b"),
    "nonlocal": (
        "def outer():\n    n = 'a'\n    def inner():\n        nonlocal n\n        n = 'b'\n    inner()\n    return n",
        "outer()",
        "b",
    ),
    "while": ("s = ''\nwhile len(s) < 3:\n    s += 'x'", "s", "xxx"),
    "for with else": ("for n in 'ab':\n    pass\nelse:\n    n = 'end'", "n", "end"),
    "break": ("for n in 'abc':\n    if n == 'b':\n        break", "n", "b"),
    "try": ("try:\n    N = 'a'\nexcept ValueError:\n    N = 'b'\nfinally:\n    M = 'c'", "N + M", "ac"),
    "with": ("import contextlib\nwith contextlib.suppress(ValueError):\n    N = 'a'", "N", "a"),
    "generator function": ("def gen():\n    yield 'a'\n    yield from ['b', 'c']", "''.join(gen())", "abc"),
    "recursion": ("def f(n):\n    return '' if n == 0 else 'x' + f(n - 1)", "f(3)", "xxx"),
    "keyword arguments": ("def f(**kw):\n    return ''.join(kw)", "f(a=1, b=2)", "ab"),
    "positional arguments": ("def f(*args):\n    return ''.join(args)", "f(*['a', 'b'], 'c')", "abc"),
    "lambda with a default": ("F = [lambda n=n: n for n in 'ab']", "F[0]()", "a"),
    # introspection
    "getattr": ("class A:\n    x = 'y'", "getattr(A, 'x')", "y"),
    "getattr with a default": ("class A: ...", "getattr(A(), 'x', 'none')", "none"),
    "getattr of a module": ("import textwrap", "getattr(textwrap, 'dedent')(' a')", "a"),
    "setattr": ("class A: ...\na = A()\nsetattr(a, 'x', 'y')", "a.x", "y"),
    "hasattr": ("class A:\n    x = 1", "'yes' if hasattr(A, 'x') and not hasattr(A, 'z') else 'no'", "yes"),
    "isinstance of a text": ("", "'yes' if isinstance('a', str) else 'no'", "yes"),
    "isinstance of several": ("", "'yes' if isinstance([], (str, list)) else 'no'", "yes"),
    "isinstance of a class": (
        "class A: ...\nclass B(A): ...",
        "'yes' if isinstance(B(), A) and not isinstance(A(), B) else 'no'",
        "yes",
    ),
    "isinstance of a list": ("", "'yes' if isinstance(['a'], dict) else 'no'", "no"),
    "isinstance of bool": ("", "'yes' if isinstance(True, int) else 'no'", "yes"),
    "issubclass": ("class A: ...\nclass B(A): ...", "'yes' if issubclass(B, A) else 'no'", "yes"),
    "subclasses": (
        "class A: ...\nclass B(A): ...\nclass C(A): ...\nclass D(C): ...",
        "' '.join(each.__name__ for each in A.__subclasses__())",
        "B C",
    ),
    "vars of an object": (
        "class A:\n    def __init__(self):\n        self.x = 'y'\n        self.z = 'w'",
        "' '.join(f'{k}={v}' for k, v in vars(A()).items())",
        "x=y z=w",
    ),
    "vars of a class": ("class A:\n    x = 'y'", "vars(A)['x']", "y"),
    "__dict__": ("class A:\n    def __init__(self):\n        self.x = 'y'", "A().__dict__['x']", "y"),
    "globals": ("N = 'a'", "globals()['N']", "a"),
    "dir": ("class A:\n    x = 1\n    y = 2", "' '.join(n for n in dir(A) if not n.startswith('_'))", "x y"),
    "getmembers": (
        "import inspect\nclass A:\n    def b(self): ...\n    def a(self): ...\n    x = 1",
        "' '.join(n for n, _ in inspect.getmembers(A, inspect.isfunction))",
        "a b",
    ),
    "getdoc": ("import inspect\ndef f():\n    'One.\\n\\n    Two.\\n    '", "inspect.getdoc(f)", "One.\n\nTwo."),
    "__doc__": ("def f():\n    'One.'", "f.__doc__", "One."),
    "__doc__ of a class": ("class A:\n    'One.'", "A.__doc__", "One."),
    "__doc__ of the module": ("", "__doc__ or 'none'", "none"),
    "__name__": ("def f(): ...\nclass A: ...", "f.__name__ + A.__name__", "fA"),
    "type of an object": ("class A: ...", "type(A()).__name__", "A"),
    "class of an object": ("class A: ...", "A().__class__.__name__", "A"),
    "__qualname__": ("class A:\n    def f(self): ...", "A.f.__qualname__", "A.f"),
    "callable": ("def f(): ...", "'yes' if callable(f) and not callable('x') else 'no'", "yes"),
    "signature": ("import inspect\ndef f(a, b=1): ...", "' '.join(inspect.signature(f).parameters)", "a b"),
    "signature defaults": (
        "import inspect\ndef f(a, b='x'): ...",
        (
            "''.join(p.default for p in inspect.signature(f).parameters.values() if p.default is not "
            "inspect.Parameter.empty)"
        ),
        "x",
    ),
    "names of a signature": (
        "import inspect\ndef f(a, b=1): ...",
        "' '.join(name for name in inspect.signature(f).parameters)",
        "a b",
    ),
    "type hints": (
        "from typing import get_type_hints\ndef f(a: int) -> str: ...",
        "' '.join(get_type_hints(f))",
        "a return",
    ),
    "annotations": ("def f(a: int): ...", "f.__annotations__['a'].__name__", "int"),
    "partial": ("from functools import partial\ndef f(a, b): return a + b", "partial(f, 'x')('y')", "xy"),
    "partial with keywords": (
        "from functools import partial\ndef f(a, b='z'): return a + b",
        "partial(f, b='y')('x')",
        "xy",
    ),
    "reduce": ("from functools import reduce", "reduce(lambda a, b: a + b, ['x', 'y'])", "xy"),
    "cache": ("from functools import cache\n@cache\ndef f():\n    return 'x'", "f()", "x"),
    "lru_cache": ("from functools import lru_cache\n@lru_cache(maxsize=None)\ndef f():\n    return 'x'", "f()", "x"),
    "cached_property": (
        "from functools import cached_property\nclass A:\n    @cached_property\n    def x(self):\n        return 'y'",
        "A().x",
        "y",
    ),
    "property": ("class A:\n    @property\n    def x(self):\n        return 'y'", "A().x", "y"),
    "classmethod": (
        "class A:\n    n = 'x'\n    @classmethod\n    def make(cls):\n        return cls.n",
        "A.make()",
        "x",
    ),
    "staticmethod": ("class A:\n    @staticmethod\n    def f(a):\n        return a", "A.f('x') + A().f('y')", "xy"),
    "super": (
        (
            "class A:\n    def f(self):\n        return 'a'\nclass B(A):\n    def f(self):\n"
            "        return super().f() + 'b'"
        ),
        "B().f()",
        "ab",
    ),
    "__call__": ("class A:\n    def __call__(self, x):\n        return x", "A()('x')", "x"),
    "__getitem__": ("class A:\n    def __getitem__(self, x):\n        return x * 2", "A()['x']", "xx"),
    "__init_subclass__": (
        "found = []\nclass A:\n    def __init_subclass__(cls):\n        found.append(cls.__name__)\nclass B(A): ...",
        "''.join(found)",
        "B",
    ),
    # classes of data
    "dataclass": (
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    a: str\n    b: str = 'y'",
        "P('x').a + P('x').b + P(a='v', b='w').b",
        "xyw",
    ),
    "dataclass with a factory": (
        (
            "from dataclasses import dataclass, field\n@dataclass\nclass P:\n"
            "    n: list = field(default_factory=lambda: ['x'])"
        ),
        "P().n[0]",
        "x",
    ),
    "dataclass with an empty list": (
        "from dataclasses import dataclass, field\n@dataclass\nclass P:\n"
        "    n: list[str] = field(default_factory=list)\n"
        "p, q = P(), P()\np.n.append('x')",
        "''.join(p.n) + str(len(q.n))",
        "x0",
    ),
    "dataclass after init": (
        (
            "from dataclasses import dataclass\n@dataclass\nclass P:\n    a: str\n"
            "    def __post_init__(self):\n        self.b = self.a * 2"
        ),
        "P('x').b",
        "xx",
    ),
    "replace": (
        "from dataclasses import dataclass, replace\n@dataclass(frozen=True)\nclass P:\n    a: str\n    b: str = 'y'",
        "replace(P('x'), b='z').a + replace(P('x'), b='z').b",
        "xz",
    ),
    "asdict": (
        "from dataclasses import asdict, dataclass\n@dataclass\nclass P:\n    a: str\n    b: str = 'y'",
        "' '.join(f'{k}{v}' for k, v in asdict(P('x')).items())",
        "ax by",
    ),
    "fields": (
        "from dataclasses import dataclass, fields\n@dataclass\nclass P:\n    a: str\n    b: str = 'y'",
        "' '.join(f.name for f in fields(P))",
        "a b",
    ),
    "enumeration": (
        "from enum import Enum\nclass K(Enum):\n    A = 'x'\n    B = 'y'",
        "K.A.value + K('y').name + K['B'].value + ''.join(k.value for k in K)",
        "xByxy",
    ),
    "named tuple unpacked": (
        "from typing import NamedTuple\nclass P(NamedTuple):\n    a: str\n    b: str\nfirst, second = P('x', 'y')",
        "first + second",
        "xy",
    ),
    "named tuple unpacked in a loop": (
        "from typing import NamedTuple\nclass P(NamedTuple):\n    a: str\n    b: str",
        "''.join(a + b for a, b in [P('x', 'y'), P(a='v', b='w')])",
        "xyvw",
    ),
    "named tuple with a default": (
        "from typing import NamedTuple\nclass P(NamedTuple):\n    a: str\n    b: str = 'y'\nfirst, second = P('x')",
        "first + second",
        "xy",
    ),
    "attribute of a named tuple": (
        "from typing import NamedTuple\nclass P(NamedTuple):\n    a: str\n    b: str = 'y'",
        "P('x').a + P('x').b",
        "xy",
    ),
    "element of a named tuple": (
        "from typing import NamedTuple\nclass P(NamedTuple):\n    a: str\n    b: str = 'y'",
        "P('x', 'z')[1]",
        "z",
    ),
    "namedtuple unpacked": (
        "from collections import namedtuple\nP = namedtuple('P', ['a', 'b'])\nfirst, second = P('x', b='y')",
        "first + second",
        "xy",
    ),
    "attribute of a namedtuple": (
        "from collections import namedtuple\nP = namedtuple('P', 'a b')",
        "P('x', 'y').b",
        "y",
    ),
    "text of a member": ("from enum import StrEnum\nclass K(StrEnum):\n    B = 'two'", "f'{K.B}'", "two"),
    "text of a member that is made": (
        "from enum import StrEnum, auto\nclass K(StrEnum):\n    FIRST = auto()",
        "K.FIRST.value",
        "first",
    ),
    "join of members": ("from enum import StrEnum\nclass K(StrEnum):\n    A = 'x'\n    B = 'y'", "' '.join(K)", "x y"),
    "member that is a text": ("from enum import Enum\nclass K(str, Enum):\n    A = 'x'", "K.A + '!'", "x!"),
    "member that equals a text": (
        "from enum import Enum\nclass K(str, Enum):\n    A = 'x'",
        "'yes' if K.A == 'x' else 'no'",
        "yes",
    ),
    "member that equals none": (
        "from enum import Enum\nclass K(Enum):\n    A = 'x'",
        "'yes' if K.A == 'x' else 'no'",
        "no",
    ),
    "members of an enumeration": (
        "from enum import Enum\nclass K(Enum):\n    A = 'x'\n    B = 'y'",
        "' '.join(K.__members__)",
        "A B",
    ),
    "number of members": ("from enum import Enum\nclass K(Enum):\n    A = 'x'\n    B = 'y'", "str(len(K))", "2"),
    "model": (
        "from pydantic import BaseModel\nclass P(BaseModel):\n    a: str\n    b: str = 'y'",
        "P(a='x').a + P(a='x').b",
        "xy",
    ),
    "fields of a model": (
        (
            "from pydantic import BaseModel, Field\nclass P(BaseModel):\n"
            "    a: str = Field(description='x')\n    b: int = 1"
        ),
        "P.model_fields['a'].description",
        "x",
    ),
    "names of the fields of a model": (
        "from pydantic import BaseModel\nclass P(BaseModel):\n    a: str\n    b: int = 1",
        "' '.join(P.model_fields)",
        "a b",
    ),
    "items of the fields of a model": (
        "from pydantic import BaseModel\nclass P(BaseModel):\n    a: str\n    b: int = 1",
        "' '.join(name for name, field in P.model_fields.items())",
        "a b",
    ),
    "default of a field": (
        "from pydantic import BaseModel\nclass P(BaseModel):\n    a: str = 'x'",
        "P.model_fields['a'].default",
        "x",
    ),
    "requirement of a field": (
        "from pydantic import BaseModel\nclass P(BaseModel):\n    a: str\n    b: int = 1",
        "' '.join(n for n, f in P.model_fields.items() if f.is_required())",
        "a",
    ),
    "schema of a model": (
        "from pydantic import BaseModel\nclass P(BaseModel):\n    a: str\n    b: int = 1",
        "', '.join(P.model_json_schema()['properties'])",
        "a, b",
    ),
    "dump of a model": (
        "from pydantic import BaseModel\nclass P(BaseModel):\n    a: str",
        "P(a='x').model_dump()['a']",
        "x",
    ),
    "simple namespace": ("from types import SimpleNamespace\nN = SimpleNamespace(a='x')", "N.a", "x"),
    "literal's values": (
        "from typing import Literal, get_args\nK = Literal['a', 'b']",
        "' '.join(get_args(K))",
        "a b",
    ),
    "template": ("from string import Template", "Template('$a b').substitute(a='x')", "x b"),
}


UNTOLD = frozenset(
    {
        "OrderedDict",
        "__dict__",
        "__doc__ of a class",
        "__doc__ of the module",
        "__getitem__",
        "annotations",
        "attribute of a namedtuple",
        "chained comparison",
        "comparison of lists",
        "comparison of tuples",
        "defaultdict",
        "dump of a model",
        "element of a named tuple",
        "f-string with a conversion",
        "f-string with a format",
        "fields",
        "generator function",
        "join of members",
        "literal's values",
        "match on a class",
        "match on a shape",
        "member that is a text",
        "members of an enumeration",
        "min and max",
        "namedtuple unpacked",
        "percent",
        "percent of a dict",
        "pop of a list",
        "range",
        "recursion",
        "reduce",
        "remove from a list",
        "set difference",
        "star unpacking",
        "sum",
        "template",
        "text of a member that is made",
        "type hints",
        "type of an object",
    }
)
"""What is left to run time so far: it may be told one day, and must never be told wrongly."""


@pytest.mark.parametrize(("lines", "expression", "value"), TEXTS.values(), ids=TEXTS)
def test_text_that_python_makes(lines, expression, value, tmp_path, request):
    found = tool(tmp_path, f"{lines}\n{MCP}@mcp.tool(description={expression})\ndef read(): ...")
    if request.node.callspec.id in UNTOLD and isinstance(found.description, Opaque):
        return
    assert found.description == value
    assert found.conditions == ()


def described(folder, expression, files, place="server.py"):
    """Give the description that an expression makes, beside further files."""
    source = (
        f"import importlib.resources, json, os, tomllib\nfrom pathlib import Path\n"
        f"{MCP}@mcp.tool(description={expression})\ndef read(): ..."
    )
    return tool(folder, {place: source, **files}).description


FILES = {
    "beside": "(Path(__file__).parent / 'texts' / 'read.md').read_text()",
    "with an encoding": "(Path(__file__).parent / 'texts/read.md').read_text(encoding='utf-8')",
    "resolved": "Path(__file__).resolve().parent.joinpath('texts', 'read.md').read_text()",
    "with a name": "Path(__file__).with_name('texts').joinpath('read.md').read_text()",
    "above": "(Path(__file__).parent.parent / 'demo' / 'texts' / 'read.md').read_text()",
    "by its parents": "(Path(__file__).parents[1] / 'demo' / 'texts' / 'read.md').read_text()",
    "by os": "open(os.path.join(os.path.dirname(__file__), 'texts', 'read.md')).read()",
    "by os, absolute": (
        "open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'texts', 'read.md'), encoding='utf-8').read()"
    ),
    "open of a path": "open(Path(__file__).parent / 'texts' / 'read.md').read()",
    "method open": "(Path(__file__).parent / 'texts' / 'read.md').open().read()",
    "resources of a package": "importlib.resources.files('demo').joinpath('texts/read.md').read_text()",
    "resources by operator": "(importlib.resources.files('demo') / 'texts' / 'read.md').read_text(encoding='utf-8')",
    "json": "json.loads((Path(__file__).parent / 'texts' / 'all.json').read_text())['read']",
    "json of a file": "json.load(open(Path(__file__).parent / 'texts' / 'all.json'))['read']",
    "stripped": "(Path(__file__).parent / 'texts' / 'long.md').read_text().strip()",
    "by a name": "(Path(__file__).parent / 'texts' / f'{Path(__file__).stem[:0]}read.md').read_text()",
}


@pytest.mark.parametrize("expression", FILES.values(), ids=FILES)
def test_files_of_the_tree(expression, tmp_path):
    files = {
        "demo/__init__.py": "",
        "demo/texts/read.md": "Read a file.",
        "demo/texts/long.md": "\nRead a file.\n\n",
        "demo/texts/all.json": '{"read": "Read a file."}',
    }
    assert described(tmp_path, expression, files, "demo/server.py") == "Read a file."


WITH = {
    "json": "with open(Path(__file__).parent / 'all.json') as file:\n    DATA = json.load(file)\n",
    "toml": "with open(Path(__file__).parent / 'all.toml', 'rb') as file:\n    DATA = tomllib.load(file)\n",
    "path": "with (Path(__file__).parent / 'all.json').open() as file:\n    DATA = json.loads(file.read())\n",
    "function": (
        "def load(name):\n    with open(Path(__file__).parent / name) as file:\n"
        "        return json.load(file)\nDATA = load('all.json')\n"
    ),
}


@pytest.mark.parametrize("lines", WITH.values(), ids=WITH)
def test_open_file(lines, tmp_path):
    source = f"import json, tomllib\nfrom pathlib import Path\n{lines}{MCP}"
    source += (
        "for name, text in DATA['tools'].items():\n    @mcp.tool(name=name, description=text)\n    def other(): ..."
    )
    files = {
        "server.py": source,
        "all.json": '{"tools": {"read": "Read.", "write": "Write."}}',
        "all.toml": '[tools]\nread = "Read."\nwrite = "Write."\n',
    }
    assert [(each.name, each.description) for each in tools(tmp_path, files)] == [
        ("read", "Read."),
        ("write", "Write."),
    ]


@pytest.mark.parametrize(
    "expression",
    [
        "(Path(__file__).parent / 'missing.md').read_text()",
        "(Path(__file__).parent / '..' / '..' / 'outside.md').read_text()",
        "Path('/etc/hostname').read_text()",
        "open('/etc/hostname').read()",
        "Path('read.md').read_text()",
        "json.loads((Path(__file__).parent / 'broken.json').read_text())['read']",
        "json.load(open(Path(__file__).parent / 'broken.json'))['read']",
        "importlib.resources.files('far').joinpath('read.md').read_text()",
    ],
)
def test_file_that_is_not_of_the_tree_is_not_told(expression, tmp_path):
    (tmp_path / "outside.md").write_text("Outside.")
    found = described(tmp_path / "project", expression, {"broken.json": "{", "read.md": "Read."})
    assert isinstance(found, Opaque)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("'yes' if (Path(__file__).parent / 'read.md').exists() else 'no'", "yes"),
        ("'yes' if (Path(__file__).parent / 'other.md').is_file() else 'no'", "no"),
        ("Path(__file__).stem + Path(__file__).suffix", "server.py"),
        ("Path(__file__).name", "server.py"),
    ],
)
def test_path_itself(expression, value, tmp_path):
    assert described(tmp_path, expression, {"read.md": ""}) == value


REGISTERED = {
    "modules of a package": {
        "server.py": MCP
        + "import importlib, pkgutil\nimport parts\nfor info in pkgutil.iter_modules(parts.__path__):\n"
        + "    module = importlib.import_module(f'parts.{info.name}')\n    mcp.tool()(module.run)",
        "parts/__init__.py": "",
        "parts/a.py": "def run(): ...\nrun.__name__ = 'one'",
        "parts/b.py": "def run(): ...\nrun.__name__ = 'two'",
    },
    "modules with a prefix": {
        "server.py": MCP
        + (
            "import importlib, pkgutil\nimport parts\n"
            "for finder, name, is_package in pkgutil.walk_packages(parts.__path__, parts.__name__ + '.'):\n"
        )
        + "    if not is_package:\n        importlib.import_module(name).register(mcp)",
        "parts/__init__.py": "",
        "parts/a.py": "def register(mcp):\n    @mcp.tool()\n    def one(): ...",
        "parts/more/__init__.py": "",
        "parts/more/b.py": "def register(mcp):\n    @mcp.tool()\n    def two(): ...",
    },
    "functions of a module": {
        "server.py": MCP
        + (
            "import inspect\nimport parts\nfor name, fn in inspect.getmembers(parts, inspect.isfunction):\n"
            "    if not name.startswith('_'):\n        mcp.tool()(fn)"
        ),
        "parts.py": "def two(): ...\ndef one(): ...\ndef _helper(): ...\nX = 1",
    },
    "vars of a module": {
        "server.py": MCP
        + (
            "import parts\nfor name, value in vars(parts).items():\n"
            "    if callable(value) and getattr(value, 'is_tool', False):\n        mcp.tool()(value)"
        ),
        "parts.py": (
            "def mark(fn):\n    fn.is_tool = True\n    return fn\n@mark\ndef one(): ...\n@mark\n"
            "def two(): ...\ndef three(): ..."
        ),
    },
    "names by getattr": {
        "server.py": MCP + "import parts\nfor name in ['one', 'two']:\n    mcp.tool()(getattr(parts, name))",
        "parts.py": "def one(): ...\ndef two(): ...",
    },
    "__all__ of a module": {
        "server.py": MCP + "import parts\nfor name in parts.__all__:\n    mcp.tool()(getattr(parts, name))",
        "parts.py": "__all__ = ['one', 'two']\ndef one(): ...\ndef two(): ...\ndef three(): ...",
    },
}


@pytest.mark.parametrize("files", REGISTERED.values(), ids=REGISTERED)
def test_modules_that_code_looks_through(files, tmp_path):
    assert sorted(names(tmp_path, files)) == ["one", "two"]
    assert {tuple(each) for each in conditions(tmp_path, files).values()} == {()}


OBJECTS = {
    "subclasses": """
class Base:
    def run(self): ...
class First(Base):
    name = 'one'
class Second(Base):
    name = 'two'
for cls in Base.__subclasses__():
    mcp.tool(name=cls.name)(cls().run)
""",
    "members of an object": """
import inspect
class Files:
    def one(self): ...
    def two(self): ...
    def _helper(self): ...
for name, method in inspect.getmembers(Files(), inspect.ismethod):
    if not name.startswith('_'):
        mcp.tool()(method)
""",
    "partial of a method": """
from functools import partial
def one(): ...
def two(): ...
add = partial(mcp.add_tool)
add(one)
partial(mcp.add_tool, two)()
""",
    "dict of functions": """
def one(): ...
def two(): ...
TABLE = dict([('one', one), ('two', two)])
for name, fn in TABLE.items():
    mcp.tool(name=name)(fn)
""",
    "pairs of named tuples": """
from typing import NamedTuple
class Entry(NamedTuple):
    name: str
    fn: object
def other(): ...
for name, fn in [Entry('one', other), Entry(name='two', fn=other)]:
    mcp.tool(name=name)(fn)
""",
    "registry of a decorator": """
REGISTRY = {}
def register(name):
    def inner(fn):
        REGISTRY[name] = fn
        return fn
    return inner
@register('one')
def a(): ...
@register('two')
def b(): ...
for name in sorted(REGISTRY, reverse=True):
    mcp.tool(name=name)(REGISTRY[name])
""",
    "sorted by key": """
def one(): ...
def two(): ...
for fn in sorted([two, one], key=lambda each: each.__name__):
    mcp.tool()(fn)
""",
    "filtered": """
def one(): ...
def two(): ...
def _three(): ...
for fn in filter(lambda each: not each.__name__.startswith('_'), [one, two, _three]):
    mcp.tool()(fn)
""",
    "chained": """
from itertools import chain
def one(): ...
def two(): ...
for fn in chain([one], (two,)):
    mcp.tool()(fn)
""",
    "mapped": """
def one(): ...
def two(): ...
list(map(mcp.tool(), [one, two]))
""",
    "sliced": """
def one(): ...
def two(): ...
def three(): ...
for fn in [one, two, three][:2]:
    mcp.tool()(fn)
""",
    "not in": """
def one(): ...
def two(): ...
def three(): ...
HIDDEN = {'three'}
for fn in (one, two, three):
    if fn.__name__ not in HIDDEN:
        mcp.tool()(fn)
""",
    "match": """
def one(): ...
def two(): ...
def three(): ...
for fn in (one, two, three):
    match fn.__name__:
        case 'one' | 'two':
            mcp.tool()(fn)
        case _:
            pass
""",
    "isinstance": """
def one(): ...
def two(): ...
for each in [one, ('two', two)]:
    if isinstance(each, tuple):
        name, fn = each
        mcp.tool(name=name)(fn)
    else:
        mcp.tool()(each)
""",
    "lists of a dataclass": """
from dataclasses import dataclass, field
@dataclass
class Group:
    fns: list = field(default_factory=list)
    def add(self, fn):
        self.fns.append(fn)
        return fn
first, second = Group(), Group()
@first.add
def one(): ...
@first.add
def two(): ...
@second.add
def three(): ...
for fn in first.fns:
    mcp.tool()(fn)
""",
    "global": """
CURRENT = None
def setup():
    global CURRENT
    CURRENT = mcp
setup()
@CURRENT.tool()
def one(): ...
@CURRENT.tool()
def two(): ...
""",
}


@pytest.mark.parametrize("source", OBJECTS.values(), ids=OBJECTS)
def test_objects_that_code_looks_through(source, tmp_path):
    assert sorted(names(tmp_path, MCP + source)) == ["one", "two"]
    assert {tuple(each) for each in conditions(tmp_path, MCP + source).values()} == {()}


FIELDS = """
import inspect
from pydantic import BaseModel, Field

class Query(BaseModel):
    text: str = Field(description="What to look for")
    limit: int = Field(10, le=50)
    tags: list[str] = Field(default_factory=list)

def flat(fn):
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=field.annotation,
            default=inspect.Parameter.empty if field.is_required() else field.default,
        )
        for name, field in Query.model_fields.items()
        if name != "tags"
    ]
    async def inner(**kwargs):
        return fn(Query(**kwargs))
    inner.__signature__ = inspect.Signature(parameters)
    inner.__annotations__ = {each.name: each.annotation for each in parameters}
    inner.__name__ = fn.__name__
    inner.__doc__ = fn.__doc__
    return inner

def search(query: Query):
    "Search."

mcp.tool()(flat(search))
"""


def test_signature_of_the_fields_of_a_model(tmp_path):
    found = tool(tmp_path, FASTMCP + FIELDS)
    assert (found.name, found.description) == ("search", "Search.")
    assert document(found.input_schema) == {
        "additionalProperties": False,
        "properties": {"text": {"type": "string"}, "limit": {"default": 10, "type": "integer"}},
        "required": ["text"],
        "type": "object",
    }


REPLACED = """
import functools, inspect

def with_limit(fn):
    signature = inspect.signature(fn)
    parameters = [each.replace(default=5) if each.name == "limit" else each for each in signature.parameters.values()]
    parameters.append(inspect.Parameter("page", inspect.Parameter.KEYWORD_ONLY, default=1, annotation=int))
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        return fn(*args, **kwargs)
    inner.__signature__ = signature.replace(parameters=parameters)
    return inner

@mcp.tool()
@with_limit
def search(text: str, limit: int): ...
"""


def test_signature_that_is_replaced(tmp_path):
    assert document(tool(tmp_path, MCP + REPLACED).input_schema) == {
        "properties": {
            "text": {"title": "Text", "type": "string"},
            "limit": {"default": 5, "title": "Limit", "type": "integer"},
            "page": {"default": 1, "title": "Page", "type": "integer"},
        },
        "required": ["text"],
        "title": "searchArguments",
        "type": "object",
    }


def test_deep_copies_of_a_schema_are_changed_apart(tmp_path):
    source = """
import copy
from mcp.server.lowlevel import Server
from mcp.types import Tool
app = Server('demo')
BASE = {'type': 'object', 'properties': {'path': {'type': 'string'}}}
LONGER = copy.deepcopy(BASE)
LONGER['properties']['limit'] = {'type': 'integer'}
del LONGER['properties']['path']
@app.list_tools()
async def tools():
    return [Tool(name='one', inputSchema=BASE), Tool(name='two', inputSchema=LONGER)]
"""
    assert [document(each.input_schema)["properties"] for each in tools(tmp_path, source)] == [
        {"path": {"type": "string"}},
        {"limit": {"type": "integer"}},
    ]
