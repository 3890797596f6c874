"""The tables of what libraries do: that every row is one, and that rows mean what they say."""

import ast
import inspect
import re
from dataclasses import fields
from math import inf
from pathlib import Path
from typing import get_args

import pytest

from reviewer.code import ir, models, transfers, values
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, ContextKind
from reviewer.code.models import (
    ActName,
    Model,
    ModelError,
    Models,
    Tables,
    Trait,
    Transfer,
    load_models,
    parse_tables,
    read_tables,
)
from reviewer.code.values import Instance, Library, Origin
from tests.code.abstract import Builder, called, calls, occurrences

LANGUAGES = ["python", "rust", "typescript"]
ROWS = {"python": 1000, "rust": 1000, "typescript": 400}
"""How many rows each language has at least: so many are surely read."""
WORDS = {"python": r"\w+", "rust": r"\w+", "typescript": r"(?:\w+:)?[@$\w][\w-]*"}
"""How the parts of a path are written: modules of npm are called `@hono/node-server` or `bun:sqlite`, methods `$queryRaw`."""


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_is_understood_and_names_its_source(language):
    found = parse_tables(read_tables(language).items())
    assert found == dict(load_models(language).rows)  # which are read one by one
    assert len(found) > ROWS[language]
    assert all(re.fullmatch(r"https://[^\s/]+\.[^\s/]+/\S*", each.source) for each in found.values())
    path_of = re.compile(rf"\.?{WORDS[language]}(?:\.{WORDS[language]})*(?:[*!]|\.\*)?")
    assert [path for path in found if path_of.fullmatch(path) is None] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_row_that_starts_nothing_runs_what_it_is_handed_in_no_thread(language):
    for each in load_models(language).rows.values():
        starts = {"spawns task", "spawns thread"} & set(each.acts)
        assert not (each.runs == "as task" and "catches panics" in each.acts and not starts), each.path
        assert not {"blocks", "waits"} <= set(each.acts), f"{each.path} holds its thread or does not"


def test_a_table_refuses_what_is_no_row():
    def table(**row):
        given = {"path": "a.b", "source": "https://a.example/", **row}
        return [("x.toml", "[[function]]\n" + "\n".join(f"{key} = {value!r}" for key, value in given.items()))]

    assert parse_tables(table(acts=["network"]))["a.b"].acts == ("network",)
    for wrong, said in [
        ({"acts": ["netwerk"]}, "x.toml: a.b: 'netwerk' is no word for `acts`"),
        ({"labels": ["somewhere"]}, "x.toml: a.b: 'somewhere' is no word for `labels`"),
        ({"traits": ["heavy"]}, "x.toml: a.b: 'heavy' is no word for `traits`"),
        ({"returns": "something"}, "x.toml: a.b: 'something' is no word for `returns`"),
        ({"runs": "later"}, "x.toml: a.b: 'later' is no word for `runs`"),
        ({"does": "network"}, "x.toml: a.b: there is no field 'does'"),
        ({"source": ""}, "x.toml: a.b: it needs a `source`"),
    ]:
        with pytest.raises(ModelError, match=re.escape(said)):
            parse_tables(table(**wrong))
    with pytest.raises(ModelError, match=r"y.toml: a\.b has a row already"):
        parse_tables([*table(), ("y.toml", table()[0][1])])


def test_the_page_on_models_shows_a_row_and_explains_every_field():
    page = Path(__file__).parents[2].joinpath("docs/models.md").read_text("utf-8")
    (example,) = re.findall(r"```toml\n(\[\[function.*?)```", page, re.DOTALL)
    assert parse_tables([("models.md", example)]) == {"requests.get": load_models("python").rows["requests.get"]}
    assert all(f"`{each.name}`" in page for each in fields(Model))


@pytest.mark.parametrize(
    ("module", "name"), [(models, "Transfer"), (models, "ActName"), (models, "Trait"), (values, "Origin")]
)
def test_every_word_of_the_vocabulary_is_explained(module, name):
    body = ast.parse(inspect.getsource(module)).body
    place = next(n for n, each in enumerate(body) if isinstance(each, ast.Assign) and each.targets[0].id == name)
    said = re.sub(r"\s+", " ", ast.literal_eval(body[place + 1].value))
    words = get_args(getattr(module, name))
    assert len(words) == len(set(words))
    assert [each for each in words if f"`{each}`" not in said] == []


def test_every_transfer_is_carried_out():
    assert set(transfers._TRANSFERS) == set(get_args(Transfer))


def test_words_are_used():
    found = [each for language in LANGUAGES for each in load_models(language).rows.values()]
    assert set(get_args(ActName)) <= {act for each in found for act in each.acts}
    assert set(get_args(Trait)) <= {trait for each in found for trait in each.traits}
    used = {label for each in found for label in each.labels}
    assert set(get_args(Origin)) - used == {
        "argument",
        "parameter",
        "begun",
        "unreadable",
        "cut",
        "transport",
    }  # which the run itself gives
    assert set(get_args(Transfer)) <= {each.returns for each in found}


@pytest.mark.parametrize(
    ("language", "trait", "so", "not_so"),
    [
        ("python", "one case", ".lower .casefold", ".title"),
        ("python", "raw bytes", ".encode", ".strip"),
        ("python", "named log", "logging.getLogger structlog.get_logger", "logging.info"),
        ("rust", "letters", ".chars .graphemes .encode_utf16", ".bytes .lines"),
        ("rust", "raw bytes", ".as_bytes .bytes", ".chars"),
        ("rust", "behind all", ".push .extend", ".push_front .insert"),
        ("rust", "hands reason", ".map_err .inspect_err", ".ok .unwrap_or"),
        ("rust", "not written", "std.todo! todo!", "std.panic! std.unreachable!"),
        ("rust", "alone", "tokio.sync.RwLock.write", "tokio.sync.RwLock.read tokio.sync.Mutex.lock"),
        ("rust", "race", "tokio.select!", "tokio.join!"),
    ],
)
def test_traits_tell_apart_what_is_used_alike(language, trait, so, not_so):
    found = load_models(language)
    assert all(found.has_trait(each, trait) for each in so.split())
    assert not any(found.has_trait(each, trait) for each in not_so.split())


def test_a_method_of_an_unlisted_type_is_known_by_its_name():
    found = load_models("rust")
    assert found.find_model("some.Thing.unwrap_or") is found.rows[".unwrap_or"]
    assert found.find_model("some.Thing.unheard_of") is None
    assert "checks path" in found.find_model("std.path.Path.starts_with").acts
    assert "checks path" not in found.find_model("some.Text.starts_with").acts


@pytest.mark.parametrize(
    ("language", "act", "doing", "not_doing"),
    [
        ("python", "blocks", "requests.get time.sleep subprocess.run httpx.Client.post", "httpx.AsyncClient.post asyncio.sleep"),
        ("python", "blocks briefly", "builtins.open .read_text shutil.rmtree", "aiofiles.open anyio.Path.read_text"),
        ("python", "runs shell", "os.system asyncio.create_subprocess_shell", "subprocess.run"),
        ("python", "deletes file", "os.remove .unlink shutil.rmtree anyio.Path.unlink", "os.rename"),
        ("python", "deserialises", "pickle.loads yaml.load torch.load", "yaml.safe_load json.loads"),
        ("python", "executes sql", ".execute sqlite3.Cursor.executescript asyncpg.Connection.fetch", ".fetchall"),
        ("python", "prints", "builtins.print sys.stdout.write click.echo", "sys.stderr.write logging.info"),
        ("python", "announces tools", ".send_tool_list_changed", ".send_notification"),
        ("python", "sanitises path", ".resolve os.path.realpath", "os.path.abspath"),
        ("rust", "blocks", "std.thread.sleep reqwest.blocking.get std.process.Command.output", "tokio.process.Command.output"),
        ("rust", "blocks briefly", "std.fs.read_to_string std.fs.File.open", "tokio.fs.read_to_string async_fs.write"),
        ("rust", "panics on failure", ".unwrap .expect std.string.String.truncate", ".unwrap_or .truncate"),
        ("rust", "locks", "std.sync.Mutex.lock parking_lot.RwLock.write", "tokio.sync.Mutex.lock"),
        ("rust", "locks task", "tokio.sync.Mutex.lock tokio.sync.RwLock.write", "std.sync.Mutex.lock"),
        ("rust", "catches panics", "tokio.spawn std.panic.catch_unwind", "std.panic.resume_unwind"),
        ("rust", "prints", "std.println! println! std.io.Stdout.write_all", "std.eprintln! std.io.Stderr.write_all"),
        ("rust", "changes tools", ".add_route .disable_route", ".bind_peer_notifier"),
        ("rust", "answers with error", "rmcp.model.CallToolResult.error", "rmcp.model.CallToolResult.success"),
    ],
)  # fmt: skip
def test_what_functions_do(language, act, doing, not_doing):
    found = load_models(language)
    assert all(act in found.find_model(path).acts for path in doing.split())
    assert not any(act in found.find_model(path).acts for path in not_doing.split())


def test_the_types_of_what_answers_do_not_depend_on_what_was_read_before():
    fresh, used = (Models(Tables(read_tables("python").values())) for _ in range(2))
    assert len([used.rows[each] for each in used.rows]) > 1000
    found = fresh.find_types_acting(frozenset({"answers"}))
    assert found == used.find_types_acting(frozenset({"answers"})) == {"mcp.types.CallToolResult"}


def test_a_row_may_hold_for_all_methods_whose_names_begin_with_a_word():
    found = load_models("python")
    assert "deletes remote" in found.find_model("boto3.Client.delete_objects").acts
    assert found.find_model("boto3.Client.deleted_at") is None


# What they give


@pytest.mark.parametrize(
    ("language", "name", "expected"),
    [
        ("python", "builtins.min", (-inf, 50)),
        ("rust", "std.cmp.min", (-inf, 50)),
        ("python", "builtins.max", (50, inf)),
    ],
)
def test_the_least_and_the_greatest_bound_an_argument(language, name, expected):
    build = Builder(language)
    assert build.bounds(build.call(name, build.argument("limit"), build.constant(50))) == expected


def test_clamping_bounds_on_both_sides():
    build = Builder("rust")
    clamped = build.method(build.argument("limit"), "clamp", build.constant(1), build.constant(50))
    assert build.bounds(clamped) == (1, 50)


@pytest.mark.parametrize(
    "name", ["builtins.list", "builtins.sorted", "builtins.tuple", "collections.deque", "copy.copy"]
)
def test_another_sequence_of_the_same_elements_is_as_long(name):
    build = Builder()
    held = build.call(name, build.list(build.argument("limit"), build.argument("text")))
    assert build.bounds(build.call("builtins.len", held)) == (2, 2)
    assert build.origins(held) == {"limit", "text"}


@pytest.mark.parametrize(
    ("language", "cut"),
    [
        ("python", lambda b, x: b.call("itertools.islice", x, b.constant(20))),
        ("python", lambda b, x: b.call("itertools.islice", x, b.constant(None), b.constant(20))),
        ("python", lambda b, x: b.call("heapq.nlargest", b.constant(20), x)),
        ("python", lambda b, x: b.call("textwrap.shorten", x, width=b.constant(20))),
        ("rust", lambda b, x: b.method(b.method(b.method(x, "iter"), "take", b.constant(20)), "collect")),
        ("rust", lambda b, x: b.method(x, "get", ir.Range(b.at(), None, b.constant(20)))),
        ("rust", lambda b, x: (b.method(x, "truncate", b.constant(20)), x)[1]),
        (
            "rust",
            lambda b, x: b.method(b.method(b.method(x, "iter"), "take", b.constant(20)), "filter", b.constant(None)),
        ),
    ],
)
def test_what_cuts_bounds_the_length(language, cut):
    build = Builder(language)
    items = cut(build, build.argument("items"))
    length = build.call("builtins.len", items) if language == "python" else build.method(items, "len")
    assert build.bounds(length) == (0, 20)


def test_what_is_left_out_bounds_nothing():
    build = Builder("rust")
    rest = build.method(build.method(build.argument("items"), "iter"), "skip", build.constant(20))
    assert build.bounds(build.method(rest, "len")) == (0, inf)


def test_more_elements_make_a_shortened_list_longer():
    build = Builder("rust")
    items = build.argument("items")
    build.method(items, "truncate", build.constant(20))
    build.method(items, "push", build.argument("text"))
    assert build.bounds(build.method(items, "len")) == (0, inf)


@pytest.mark.parametrize(
    ("language", "make", "expected"),
    [
        ("python", lambda b: b.method(b.record(a=b.argument("limit"), b=b.argument("text")), "get", b.constant("a")), {"limit"}),
        ("python", lambda b: b.method(b.record(a=b.argument("limit")), "setdefault", b.constant("b"), b.argument("text")), {"limit", "text"}),
        ("python", lambda b: b.method(b.record(a=b.argument("limit")), "pop", b.constant("a"), b.argument("text")), {"limit"}),
        ("python", lambda b: b.method(b.call("builtins.dict", a=b.argument("limit"), b=b.argument("text")), "get", b.constant("a")), {"limit"}),
        ("python", lambda b: (items := b.call("builtins.list"), b.method(items, "append", b.argument("text")))[0], {"text"}),
        ("python", lambda b: b.call("builtins.getattr", b.argument("items"), b.constant("name")), {"items"}),
        ("python", lambda b: b.method(b.constant(", "), "join", b.list(b.argument("text"))), {"text"}),
        ("python", lambda b: b.call("json.dumps", b.record(a=b.argument("text"))), {"text"}),
        ("python", lambda b: b.call("os.environ.get", b.constant("LIMIT")), {"environment"}),
        ("python", lambda b: b.call("uuid.uuid4"), {"random"}),
        ("python", lambda b: b.method(b.argument("text"), "resolve"), {"text", "absolute path"}),
        ("python", lambda b: b.method(b.call("builtins.open", b.argument("text")), "read"), {"text", "file"}),
        ("python", lambda b: b.method(b.call("requests.Session"), "get", b.argument("text")), {"text", "network"}),
        ("python", lambda b: b.call("os.listdir", b.constant(".")), {"file", "order"}),
        ("rust", lambda b: b.method(b.call("std.collections.HashMap.new"), "keys"), {"order"}),
        ("rust", lambda b: b.call("std.fs.read_to_string", b.argument("text")), {"text", "file"}),
        ("rust", lambda b: b.method(b.method(b.call("reqwest.Client.new"), "get", b.argument("text")), "send"), {"text", "network"}),
    ],
)  # fmt: skip
def test_where_what_they_give_comes_from(language, make, expected):
    build = Builder(language)
    assert build.origins(make(build)) == expected


def test_a_method_of_what_a_function_made_is_known_under_its_type():
    build = Builder("rust")
    command = build.method(build.call("std.process.Command.new", build.argument("text")), "arg", build.constant("-v"))
    trace = build.run(build.method(command, "output"))
    assert calls(trace, "std.process.Command.output")
    assert Instance(Library("std.process.Output")) in called(trace, "probe").arguments[0].things


def test_an_object_holds_what_it_was_made_with():
    build = Builder()
    console = build.call("rich.console.Console", stderr=build.constant(True))
    receiver = called(
        build.run(build.method(console, "print", build.argument("text"))), "rich.console.Console.print"
    ).receiver
    assert receiver.contents[("stderr",)].constant == (bool, True)


@pytest.mark.parametrize(
    ("act", "make", "expected"),
    [
        ("prints", lambda b: b.call("builtins.print", b.argument("text")), True),
        ("prints", lambda b: b.call("builtins.print", b.argument("text"), file=b.constant(None)), True),
        ("prints", lambda b: b.call("builtins.print", b.argument("text"), file=b.global_("sys.stdout")), True),
        ("prints", lambda b: b.call("builtins.print", b.argument("text"), file=b.global_("sys.stderr")), False),
        ("prints", lambda b: b.call("builtins.print", b.argument("text"), file=b.argument("items")), False),
        ("prints", lambda b: b.method(b.call("rich.console.Console"), "print"), True),
        ("prints", lambda b: b.method(b.call("rich.console.Console", stderr=b.constant(True)), "print"), False),
        ("blocks", lambda b: b.method(b.call("socket.socket"), "connect"), True),
        ("blocks", lambda b: b.method(b.call("socket.socket", b.constant(2), b.global_("socket.SOCK_DGRAM")), "connect"), False),
    ],
)  # fmt: skip
def test_an_argument_may_have_a_function_act_elsewhere(act, make, expected):
    build = Builder()
    trace = build.run(make(build))
    *_, event, probe = (each for each in trace.events if isinstance(each, Called))
    assert probe.path == "probe"
    assert (act in collect_acts(event, build.world.models)) is expected


def test_pairs_keep_what_is_where():
    build = Builder()
    pairs = build.method(build.record(a=build.argument("limit"), b=build.argument("text")), "items")
    pair = build.call("builtins.next", pairs)
    assert build.origins(ir.Item(build.at(), pair, build.constant(1))) == {"limit", "text"}
    build = Builder()
    numbered = build.call("builtins.next", build.call("builtins.enumerate", build.list(build.argument("text"))))
    assert build.origins(ir.Item(build.at(), numbered, build.constant(0))) == set()
    build = Builder()
    zipped = build.call("builtins.zip", build.list(build.argument("limit")), build.list(build.argument("text")))
    one = build.call("builtins.next", zipped)
    assert build.origins(ir.Item(build.at(), one, build.constant(1))) == {"text"}


# What may be absent


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda b, n: b.method(n, "map", b.closure(lambda i, x: i.method(x, "min", i.constant(9)), "x")), (-inf, 9)),
        (lambda b, n: b.method(n, "and_then", b.closure(lambda i, x: i.method(x, "min", i.constant(9)), "x")), (-inf, 9)),
        (lambda b, n: b.method(b.method(n, "min", b.constant(9)), "unwrap_or", b.constant(20)), (-inf, 20)),
        (lambda b, n: b.method(b.method(n, "min", b.constant(9)), "unwrap_or_default"), (-inf, 9)),
        (lambda b, n: b.method(b.method(n, "min", b.constant(9)), "ok_or", b.argument("text")), (-inf, 9)),
        (lambda b, n: b.method(b.method(n, "min", b.constant(9)), "expect", b.constant("it is there")), (-inf, 9)),
        (lambda b, n: b.method(n, "map_or", b.constant(20), b.closure(lambda i, x: i.method(x, "min", i.constant(9)), "x")), (-inf, 20)),
    ],
)  # fmt: skip
def test_bounds_go_through_what_may_be_absent(make, expected):
    build = Builder("rust")
    assert build.bounds(make(build, build.argument("limit"))) == expected


def test_an_iterator_is_mapped_element_by_element():
    build = Builder("rust")
    items = build.method(build.list(build.argument("limit")), "iter")
    mapped = build.method(items, "map", build.closure(lambda inner, x: inner.method(x, "min", inner.constant(9)), "x"))
    assert build.bounds(build.method(mapped, "next")) == (-inf, 9)
    assert build.bounds(build.method(mapped, "len")) == (1, 1)


@pytest.mark.parametrize("name", ["ok_or", "ok_or_else", "context", "with_context", "map_err"])
def test_a_failure_has_the_reason_that_it_is_given(name):
    build = Builder("rust")
    text = build.argument("text")
    given = (
        text if name in ("ok_or", "context") else build.closure(lambda inner, *_: text, *["e"] * (name == "map_err"))
    )
    failing = build.method(build.argument("limit"), name, given)
    assert build.origins(ir.ReasonOf(build.at(), failing)) == {"text"}


def test_what_is_never_there_is_never_unwrapped():
    build = Builder("rust")
    assert calls(build.run(build.method(build.constant(None), "unwrap")), "probe") == []


def test_what_gives_nothing_but_a_failure_may_have_succeeded():
    build = Builder("rust")
    written = build.call("std.fs.write", build.argument("text"), build.argument("items"))
    assert build.value(written).constant is None
    assert build.value(build.call("std.println!", build.argument("text"))).constant == (type(None), None)


def test_a_text_holds_what_is_written_into_it():
    build = Builder("rust")
    text = build.call("std.string.String.new")
    build.method(text, "write_fmt", build.argument("limit"))
    assert build.origins(text) == {"limit"}


# What they run, and where


@pytest.mark.parametrize(
    ("name", "given", "condition"),
    [
        ("asyncio.to_thread", lambda b: [b.global_("requests.get"), b.argument("text")], "thread"),
        ("threading.Thread", lambda b: [b.constant(None), b.global_("requests.get")], "thread"),
        ("asyncio.gather", lambda b: [b.global_("requests.get")], None),
        ("builtins.map", lambda b: [b.global_("requests.get"), b.argument("items")], ""),
        ("functools.reduce", lambda b: [b.global_("requests.get"), b.argument("items")], ""),
    ],
)
def test_what_is_handed_over_runs_where_the_row_says(name, given, condition: ContextKind | str | None):
    build = Builder()
    found = calls(build.run(build.call(name, *given(build))), "requests.get")
    assert len(found) == (condition is not None)
    for each in found:
        around = [each.condition for each in each.context.iter_outwards()] if each.context is not None else []
        assert around == ([condition] if condition else [])


def test_a_task_runs_beside_and_gives_its_result_where_it_is_waited_for():
    build = Builder()
    work = build.closure(lambda inner: inner.call("requests.get", inner.argument("text")), is_async=True)
    task = build.call("asyncio.create_task", build.call_value(work))
    result = ir.Variable()
    build.statements.append(ir.Await(build.at(), result, task))
    trace = build.run(ir.Read(build.at(), result))
    assert [each.is_under("task") for each in occurrences(trace, "requests.get")] == [True, False]
    assert {each.name or each.origin for each in called(trace, "probe").arguments[0].labels} == {"text", "network"}


def test_a_row_may_speak_of_another_operand():
    build = Builder()
    mapped = build.call("builtins.map", build.closure(lambda inner, x: x, "x"), build.list(build.argument("text")))
    assert build.origins(build.call("builtins.next", mapped)) == {"text"}


def test_a_log_that_is_given_a_writer_does_not_go_to_the_standard_output():
    for given, expected in [((), True), (("with_writer",), False), (("with_writer", "with_ansi"), False)]:
        build = Builder("rust")
        log = build.call("tracing_subscriber.fmt")
        for name in given:
            log = build.method(log, name, build.constant(False))
        trace = build.run(build.method(log, "init"))
        *_, event, _ = (each for each in trace.events if isinstance(each, Called))
        assert ("prints" in collect_acts(event, build.world.models)) is expected
