"""TypeScript and JavaScript that is broken, huge, of another dialect, or leads around in a circle: it is read, or named, and never an error."""

import json
import time

import pytest
from invocation import invoke
from test_typescript_tools import HANDLER, MCP, put, tools

from reviewer.files.discovery import discover_files
from reviewer.languages import read
from reviewer.languages.typescript.behaviour.entry_points import TypeScriptEntryPoints
from reviewer.languages.typescript.behaviour.tracing import Handlers
from reviewer.languages.typescript.project.modules import Modules
from reviewer.languages.typescript.project.program import TypeScriptProgram

TOOL = (
    f"server.registerTool('read', {{ description: 'Read a file', inputSchema: {{ path: z.string() }} }}, {HANDLER});\n"
)
CODE = MCP + TOOL


def names(project):
    return [str(each.name) for each in tools(project)]


UNTERMINATED = {
    "a string": "const a = 'never ends;\n",
    "a template": "const a = `never ends ${1\n",
    "a comment": "/* never ends\n",
    "a regular expression": "const a = /never[ends\n",
    "a function": "function f() {\n  if (true) {\n",
    "a call": "server.registerTool('other', {\n",
    "a class": "class A {\n  method() {\n",
    "a type": "type A = { a: \n",
    "JSX": "const a = <div><b>\n",
    "a conflict": "<<<<<<< HEAD\nconst a = 1;\n=======\nconst a = 2;\n>>>>>>> other\n",
}


@pytest.mark.parametrize("ending", ["ts", "tsx", "js", "mjs"])
@pytest.mark.parametrize("text", UNTERMINATED.values(), ids=UNTERMINATED)
def test_code_without_an_end_is_named_and_what_stands_before_it_is_read(tmp_path, text, ending):
    project = put(tmp_path, {f"server.{ending}": CODE + text})
    assert "read" in names(project)
    assert [each.span.path for each in project.broken] == [f"server.{ending}"]


@pytest.mark.parametrize("ending", ["ts", "js"])
def test_each_beginning_of_a_server_is_read(tmp_path, ending):
    for end in range(0, len(CODE), 7):
        put(tmp_path, {f"server.{ending}": CODE[:end]})


DIALECTS = {
    "decorators": ("ts", "@Controller({ a: 1 })\nclass A {\n  @Get('/x') @Use(f)\n  read(@Body() a: string, @Query('q') q: number) {}\n  @Input() name = 'a';\n}\n"),
    "decorators of 2023": ("ts", "@logged\nexport class A {\n  @bound accessor x = 1;\n  @(f ? a : b) #p = 1;\n  @a.b.c() static { }\n}\n"),
    "JSX": ("tsx", "export const View = ({ a }: { a: string }) => <div className={a}>{a} <b {...a}>server.tool('x')</b><></></div>;\n"),
    "JSX in JavaScript": ("js", "export const View = () => <ul>{[1].map((a) => <li key={a}>{a}</li>)}</ul>;\n"),
    "types of all kinds": ("ts", "type A<T> = T extends (infer U extends string)[] ? `${U}-x` : never;\nlet a = <any>1 satisfies unknown as const;\nabstract class B<in out T> { declare a: T; get b(): asserts this is B<T> { return 1 as any } }\nnamespace N.M { export const enum E { A = 1 << 2 } }\nexport = N;\nimport fs = require('fs');\n"),
    "hashbang and directives": ("js", "'use strict';\nlabel: for (;;) { break label; }\nwith (a) { b }\n"),
    "new syntax": ("mjs", "using a = f();\nawait using b = g();\nconst c = await import('./x.json', { with: { type: 'json' } });\na ??= b?.[c]?.(d) ** 2n;\nfor await (const x of y) {}\n"),
}  # fmt: skip


@pytest.mark.parametrize(("ending", "text"), DIALECTS.values(), ids=DIALECTS)
@pytest.mark.parametrize("first", [True, False])
def test_other_dialects_do_not_hide_tools(tmp_path, ending, text, first):
    assert names(put(tmp_path, {f"server.{ending}": MCP + (text + TOOL if first else TOOL + text)})) == ["read"]


FLOW = "// @flow strict\nimport type { A } from './a';\nopaque type Id: string = string;\nexport type B = {| +a: ?number, b?: Array<Id> |};\nconst f = (a: ?string): %checks => !!a;\n"


@pytest.mark.parametrize("ending", ["js", "mjs", "jsx"])
def test_flow_is_read_or_named(tmp_path, ending):
    project = put(tmp_path, {f"server.{ending}": FLOW + CODE})
    assert "read" in names(project) or [each.span.path for each in project.broken] == [f"server.{ending}"]


def test_imports_and_types_in_a_circle(tmp_path):
    one = "import { b } from './b.js';\nexport const a = b;\nexport * from './b.js';\nexport interface A extends B { b: B }\n"
    two = "import { a } from './a.js';\nexport const b = a;\nexport * from './a.js';\nexport interface B extends A { a: A[] }\n"
    own = "import { a } from './a.js';\ntype T = { t: T[] } | U;\ntype U = [T, U];\nconst node: any = z.lazy(() => z.object({ next: node, a }));\n"
    tool = f"server.registerTool('read', {{ description: a, inputSchema: {{ node }} }}, {HANDLER});\n"
    project = put(tmp_path, {"a.ts": one, "b.ts": two, "server.ts": MCP + own + tool, "c.ts": "export * from './c';\n"})
    assert names(project) == ["read"]


def test_manifests_in_a_circle(tmp_path):
    alias = {
        "compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["./@/*", "*"], "a": ["a"]}},
        "extends": "./tsconfig.json",
    }
    files = {"tsconfig.json": json.dumps(alias), "package.json": '{"name": "a", "main": "a", "imports": {"#a": "#a"}}'}
    imports = "import { x } from '@/x';\nimport { y } from 'a';\nimport { z as q } from '#a';\n"
    assert names(put(tmp_path, {**files, "server.ts": MCP + imports + TOOL})) == ["read"]


def test_what_is_installed_is_not_read(tmp_path):
    places = ("node_modules/other", "packages/a/node_modules/@x/y", "node_modules/.pnpm/z/node_modules/z")
    project = put(
        tmp_path,
        {**{f"{each}/index.ts": CODE.replace("'read'", "'installed'") for each in places}, "src/server.ts": CODE},
    )
    assert (names(project), project.broken) == (["read"], ())


def test_a_minified_bundle_beside_the_source_is_skipped_and_alone_is_named(tmp_path):
    minified = CODE.replace("\n", "") + "var a=function(b){return b};" * 20_000
    project = put(tmp_path, {"src/server.ts": CODE, "dist/server.min.js": minified})
    assert (names(project), project.broken) == (["read"], ())
    (tmp_path / "src" / "server.ts").unlink()
    result = invoke(str(tmp_path))
    assert "Traceback" not in result.stderr
    assert "dist/server.min.js" in result.stdout + result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("name", "code"), [("server.ts", 2), ("bundle.js", 0)])
def test_fifty_megabytes_are_named_and_not_read(tmp_path, name, code):
    put(tmp_path, {"src/index.ts": CODE})
    with open(tmp_path / name, "wb") as file:
        file.write(CODE.encode() + b"var a = 1;\n" * (50 * 2**20 // 11))
    began = time.process_time()
    project = read(discover_files(tmp_path))
    assert time.process_time() - began < 5
    assert names(project) == ["read"]
    result = invoke(str(tmp_path), "--select", "tool-without-description")
    assert "Traceback" not in result.stderr
    assert (name in result.stdout, result.returncode) == (True, code)


HUGE = {
    "one long line": "const a = [" + "1," * 100_000 + "];\n",
    "nested calls": "const a = " + "f(" * 3000 + ")" * 3000 + ";\n",
    "nested objects": "const a = " + "{ a: " * 3000 + "1" + " }" * 3000 + ";\n",
    "nested functions": "const a = " + "() => " * 3000 + "1;\n",
    "a long sum": "const a = " + "'a' + " * 20_000 + "'a';\n",
    "a long chain": "const a = z.string()" + ".min(1)" * 5000 + ";\n",
    "nested types": "type A = " + "Array<" * 3000 + "string" + ">" * 3000 + ";\n",
    "nested templates": "const a = " + "`${" * 1000 + "1" + "}`" * 1000 + ";\n",
    "many functions": "".join(f"function f{n}() {{ return f{n + 1}(); }}\n" for n in range(3000)),
    "nested JSX": "const a = " + "<a>" * 1000 + "</a>" * 1000 + ";\n",
    "nested blocks": "{" * 3000 + "}" * 3000 + "\n",
}


def test_words_that_are_none_stand_nowhere(tmp_path):
    """No library of TypeScript trusts anyone yet, and what was looked for by no word was found at each byte."""
    put(tmp_path, {"server.ts": CODE})
    modules = Modules(discover_files(tmp_path))
    entry_points = TypeScriptEntryPoints(Handlers(modules, TypeScriptProgram(modules)), ())
    assert (list(entry_points.iter_traces_around()), entry_points.mentions()) == ([], False)
    assert entry_points.mentions("registerTool")
    assert list(entry_points.iter_traces_around("content"))


@pytest.mark.slow
@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
def test_huge_code_ends_and_is_read_or_named(tmp_path, text):
    (tmp_path / "server.tsx").write_text(CODE + text)
    began = time.process_time()
    result = invoke(str(tmp_path), "--format", "concise")
    assert "Traceback" not in result.stderr
    assert "`read`" in result.stdout or "server.tsx" in result.stdout + result.stderr
    assert time.process_time() - began < 60
