"""The abstract run, on functions that are written in Rust."""

from math import inf

import pytest

from reviewer.code.events import Called, Entered, Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.run import RunBounds
from reviewer.code.summaries import Summaries
from reviewer.code.values import Interval
from reviewer.languages.rust.behaviour.tracing import trace_code
from reviewer.languages.rust.project.items import RustItems
from reviewer.languages.rust.project.program import RustProgram
from reviewer.source import Source
from tests.code.rust_runs import Manifest, program, trace
from tests.code.traced import calls, cut, given, returned

BOUNDED = {
    "least": "let limit = limit.min(100);",
    "least by function": "let limit = std::cmp::min(limit, 100);",
    "least by trait": "let limit = Ord::min(limit, 100);",
    "least, imported here": "use std::cmp::min; let limit = min(100, limit);",
    "clamp": "let limit = limit.clamp(1, 100);",
    "if": "let mut limit = limit; if limit > 100 { limit = 100; }",
    "turned round": "let mut limit = limit; if 100 < limit { limit = 100; }",
    "else": "let limit = if limit <= 100 { limit } else { 100 };",
    "named condition": "let fits = limit > 0 && limit <= 100; let limit = if fits { limit } else { 100 };",
    "either part": "let limit = if limit == 0 || limit > 100 { 100 } else { limit };",
    "match of ranges": "let limit = match limit { 0..=100 => limit, _ => 100 };",
    "match with a guard": "let limit = match limit { n if n > 100 => 100, n => n };",
    "match of a name": "let limit = match limit { n @ 1..=100 => n, _ => 100 };",
    "let else": "let n @ 0..=100 = limit else { return Vec::new() };\nlet limit = n;",
    "let else of an option": "let Some(limit) = Some(limit).filter(|n| *n <= 100) else { return Vec::new() };",
    "if let": "let limit = if let Some(n) = checked(limit) { n } else { 10 };",
    "refusal": "if limit > 100 { return Vec::new(); }",
    "panic": 'if limit > 100 { panic!("too many"); }',
    "assertion": "assert!(limit <= 100);",
    "loop": "let mut limit = limit; while limit > 100 { limit -= 1; }",
    "shadowing": "let n = limit; let limit = n.min(100); let n = limit; let limit = n;",
    "tuple": "let (limit, _) = (limit.min(100), 0);",
    "block": "let limit = { let most = 100; if limit > most { most } else { limit } };",
    "closure": "let most = 100; let least = |n: usize| n.min(most); let limit = least(limit);",
    "helper": "let limit = clamped(limit);",
    "helper that refuses": "let limit = match checked(limit) { Some(n) => n, None => return Vec::new() };",
    "helper that tells": "let limit = if fits(limit) { limit } else { 100 };",
    "helper of a helper": "let limit = through(limit);",
    "helper that fails": "let Ok(limit) = tried(limit) else { return Vec::new() };",
    "question mark": "let limit = asked(limit).unwrap_or(100);",
    "unwrapped": "let limit = tried(limit).unwrap();",
    "and then": "let limit = Some(limit).and_then(checked).unwrap_or(50);",
    "map": "let limit = Some(limit).map(|n| n.min(100)).unwrap_or(20);",
    "map or": "let limit = Some(limit).map_or(20, |n| n.min(100));",
    "struct": "let limit = Page { size: limit.min(100) }.size;",
    "associated function": "let limit = Page::new(limit).size;",
    "method": "let limit = Page { size: limit }.least();",
    "method of a trait": "let limit = Page { size: limit }.bounded();",
    "default method of a trait": "let limit = Page { size: limit }.bounded_by_default();",
    "method of a trait for numbers": "let limit = limit.at_most_hundred();",
    "tuple struct": "let limit = Most(limit.min(100)).0;",
    "conversion": "let limit = Most::from(limit).0;",
    "method that changes": "let mut page = Page { size: limit }; page.shrink(); let limit = page.size;",
    "struct that is taken apart": "let Page { size: limit } = Page::new(limit);",
    "variant": "let limit = match Size::Exactly(limit.min(100)) { Size::Exactly(n) => n, Size::All => 100 };",
    "variant that is another": "let limit = match Size::All { Size::Exactly(_) => limit, Size::All => 100 };",
    "unit variant that is handed over": "let limit = sized(Size::All, limit);",
    "constant": "let limit = limit.min(MOST);",
    "constant of a type": "let limit = limit.min(Page::MOST);",
    "constant that is worked out": "let limit = limit.min(TENFOLD);",
    "static": "let limit = limit.min(DEFAULTS.size);",
    "another module": "let limit = limits::clamped(limit);",
    "another module, by use": "let limit = imported(limit);",
    "a module inside": "let limit = inner::clamped(limit);",
    "re-export": "let limit = limits::through(limit);",
    "generic": "let limit = least_of(limit, 100);",
    "trait object": "let limit = by_object(&Page { size: limit });",
    "dereference": "let n = &limit; let limit = (*n).min(100);",
    "cast": "let limit = (limit as u64).min(100) as usize;",
    "function that is handed over": "let limit = apply(clamped, limit);",
    "dispatch by a table": "let limit = BOUNDS[0](limit);",
}

HELPERS = """
mod limits;
mod inner {
    pub fn clamped(n: usize) -> usize { n.min(super::MOST) }
}
use limits::{self as _, clamped as imported};

const MOST: usize = 100;
const TENFOLD: usize = 10 * 10;
static DEFAULTS: Page = Page { size: 100 };
const BOUNDS: [fn(usize) -> usize; 1] = [clamped];

fn clamped(n: usize) -> usize {
    if n > MOST { return MOST; }
    n
}
fn checked(n: usize) -> Option<usize> { if n <= MOST { Some(n) } else { None } }
fn fits(n: usize) -> bool { n <= MOST }
fn through(n: usize) -> usize { clamped(n) }
fn tried(n: usize) -> Result<usize, String> {
    if n > MOST { return Err(format!("{n} is too many")); }
    Ok(n)
}
fn asked(n: usize) -> Result<usize, String> {
    let n = tried(n)?;
    Ok(n)
}
fn least_of<T: Ord>(one: T, other: T) -> T { if one < other { one } else { other } }
fn by_object(page: &dyn Bounded) -> usize { page.bounded() }
fn lower(n: &mut usize) { if *n > MOST { *n = MOST; } }
fn apply(f: fn(usize) -> usize, n: usize) -> usize { f(n) }

fn sized(size: Size, n: usize) -> usize { match size { Size::Exactly(_) => n, Size::All => MOST } }

struct Page { size: usize }
struct Most(usize);
enum Size { Exactly(usize), All }

impl Page {
    const MOST: usize = 100;
    fn new(size: usize) -> Self { Self { size: size.min(Self::MOST) } }
    fn least(&self) -> usize { self.size.min(MOST) }
    fn shrink(&mut self) { self.size = self.size.min(MOST); }
}

trait Bounded {
    fn raw(&self) -> usize;
    fn bounded(&self) -> usize;
    fn bounded_by_default(&self) -> usize { self.raw().min(100) }
}
impl Bounded for Page {
    fn raw(&self) -> usize { self.size }
    fn bounded(&self) -> usize { self.size.min(100) }
}
impl From<usize> for Most {
    fn from(n: usize) -> Self { Most(n.min(100)) }
}
trait AtMost { fn at_most_hundred(self) -> usize; }
impl AtMost for usize {
    fn at_most_hundred(self) -> usize { self.min(100) }
}
"""

LIMITS = """
pub use crate::limits::deeper::through;
mod deeper {
    use super::*;
    pub fn through(n: usize) -> usize { self::inside(n) }
    fn inside(n: usize) -> usize { clamped(n) }
}
pub fn clamped(n: usize) -> usize { n.min(crate::MOST) }
"""


def with_body(body: str) -> str:
    return (
        f"{HELPERS}\nfn tool(rows: Vec<String>, limit: usize) -> Vec<String> {{\n{body}\nrows[..limit].to_vec()\n}}\n"
    )


@pytest.mark.parametrize("name", BOUNDED)
def test_a_bound_holds_however_it_is_written(name: str):
    found = cut(trace(with_body(BOUNDED[name]), limits=LIMITS))
    assert found.high <= 100
    assert not found.unsure


UNBOUNDED = {
    "nothing": "",
    "from below": "let limit = limit.max(1);",
    "of another": "let other = limit.min(100); drop(other);",
    "thrown away": "limit.min(100);",
    "in a block": "{ let limit = limit.min(100); drop(limit); }",
    "on one way only": "let mut limit = limit; if rows.is_empty() { limit = limit.min(100); }",
    "dead": "let mut limit = limit; if false { limit = 100; }",
    "wrong way round": "let limit = std::cmp::max(limit, 100);",
    "refused below": "if limit == 0 { return Vec::new(); }",
    "length": "let limit = limit.min(rows.len());",
    "copy that is changed": "let mut page = Page { size: limit }; let copy = Page { size: page.size.min(100) }; drop(copy); let limit = page.size;",
}


@pytest.mark.parametrize("name", UNBOUNDED)
def test_what_is_no_bound_is_told(name: str):
    found = cut(trace(with_body(UNBOUNDED[name]), limits=LIMITS))
    assert (found.high, found.unsure) == (inf, False)


def test_a_bound_that_is_configured_is_unsure():
    found = cut(
        trace("fn tool(rows: Vec<u8>, limit: usize) -> Vec<u8> { rows[..limit.min(settings::most())].to_vec() }")
    )
    assert found == Interval(-inf, inf, True)


FLOWS = {
    "call": "probe(text)",
    "text": 'probe(format!("<{text}>"))',
    "sum": 'probe("<".to_string() + &text)',
    "vector": "probe(vec![String::new(), text])",
    "pushed": "let mut parts = Vec::new(); parts.push(text); probe(parts)",
    "pushed text": "let mut all = String::new(); all.push_str(&text); probe(all)",
    "map": 'let mut table = HashMap::new(); table.insert("a", text); probe(table)',
    "json": 'probe(json!({"a": {"b": text}}))',
    "tuple": "let (_, part) = (1, text); probe(part)",
    "loop": "for part in vec![text] { probe(part) }",
    "iterator": "let parts: Vec<String> = vec![text].into_iter().map(|part| part.trim().to_string()).collect(); probe(parts)",
    "each": "vec![text].iter().for_each(|part| probe(part))",
    "struct": "let held = Held { text }; probe(held.text)",
    "method": "Held { text }.send()",
    "method by path": "Held::send(&Held { text })",
    "shared": "let held = Arc::new(Held { text }); held.send()",
    "kept": "let mut held = Held { text: String::new() }; held.text = text; probe(held.text)",
    "update": "let held = Held { text, ..Held::default() }; probe(held.text)",
    "helper": "send(text)",
    "given back": "probe(same(text))",
    "handed over": "twice(probe, text)",
    "closure that is handed over": "twice(|part| probe(part), text)",
    "captured": "let all = move || probe(text); all()",
    "default": 'probe(Some(text).unwrap_or_else(|| "nothing".to_string()))',
    "either": 'probe(if text.is_empty() { "nothing".to_string() } else { text })',
    "match": "match text.as_str() { other => probe(other) }",
    "variant": "match Shape::Named(text) { Shape::Named(name) => probe(name), Shape::Empty => {} }",
    "failure": "if let Err(problem) = failing(text) { probe(problem) }",
    "failure that is handed on": "if let Err(problem) = handing_on(text) { probe(problem) }",
    "trait object": "let sender: Box<dyn Sender> = Box::new(Held { text }); sender.send_it()",
    "generic": "hand_over(Held { text })",
    "parameter": "by_reference(&Held { text })",
    "builder": "Letter::new().text(text).send()",
    "another module": "other::send(text)",
    "macro of the standard library": 'let mut all = String::new(); write!(all, "{}", text).unwrap(); probe(all)',
    "task": "tokio::spawn(async move { probe(text) })",
}

FLOWING = """
use elsewhere::probe;
use serde_json::json;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;
mod other;

#[derive(Default)]
struct Held { text: String }
enum Shape { Named(String), Empty }
trait Sender { fn send_it(&self); }

impl Held {
    fn send(&self) { probe(&self.text) }
}
impl Sender for Held {
    fn send_it(&self) { self.send() }
}
#[derive(Default)]
struct Letter { text: Option<String> }
impl Letter {
    fn new() -> Self { Self { text: None } }
    fn text(mut self, text: impl Into<String>) -> Self { self.text = Some(text.into()); self }
    fn send(self) { probe(self.text) }
}

fn send(value: String) { probe(value) }
fn same<T>(value: T) -> T { value }
fn twice(function: impl Fn(String), value: String) { function(value) }
fn failing(text: String) -> Result<(), String> { Err(format!("no {text}")) }
fn handing_on(text: String) -> Result<(), String> { failing(text)?; Ok(()) }
fn hand_over<S: Sender>(sender: S) { sender.send_it() }
fn by_reference(held: &Held) { held.send() }
"""


@pytest.mark.parametrize("name", FLOWS)
def test_an_argument_is_followed_however_it_is_handed_on(name: str):
    other = "use elsewhere::probe as report;\npub fn send(value: String) { report(value) }\n"
    found = trace(f"{FLOWING}\nfn tool(text: String) {{\n{FLOWS[name]}\n}}\n", other=other)
    assert "text" in given(found, "elsewhere.probe")


CALLED = {
    "path": ("", "std::fs::read(name);", "std.fs.read"),
    "use": ("use std::fs;", "fs::read(name);", "std.fs.read"),
    "use of the function": ("use std::fs::read;", "read(name);", "std.fs.read"),
    "alias": ("use std::fs::read as load;", "load(name);", "std.fs.read"),
    "use in the function": ("", "use std::fs::read as load; load(name);", "std.fs.read"),
    "all of a module, in the function": ("mod own { pub use std::fs::read; }", "use own::*; read(name);", "std.fs.read"),
    "core": ("", "core::cmp::min(1, 2);", "std.cmp.min"),
    "re-export": ("mod own { pub use std::fs; }", "own::fs::read(name);", "std.fs.read"),
    "re-export of all": ("mod own { pub use super::files::*; }\nmod files { pub use std::fs::read; }", "own::read(name);", "std.fs.read"),
    "uses in a circle": ("mod own { pub use super::files::*; }\nmod files { pub use super::own::*; pub use std::fs::read; }", "own::read(name);", "std.fs.read"),
    "module above that above": ("pub fn load() { std::fs::read(\"x\"); }\nmod own { pub mod inner { pub fn go() { super::super::load() } } }", "own::inner::go();", "std.fs.read"),
    "re-export by a library": ("use rmcp::serde_json;", "serde_json::from_str(name);", "serde_json.from_str"),
    "macro re-exported by a library": ("", "rmcp::tracing::info!(\"x\");", "tracing.info!"),
    "module of a library that is named as another": ("use tokio::time;", "time::sleep(name);", "tokio.time.sleep"),
    "function that is named as its module": ("mod own { mod load; mod inner { pub fn load() { std::fs::read(\"x\"); } } pub use inner::*; }\nuse own::load;", "load();", "std.fs.read"),
    "module that a function is named as": ("mod own { pub mod load { pub fn all() { std::fs::read(\"x\"); } } pub fn load() {} }\nuse own::load;", "load::all();", "std.fs.read"),
    "another crate": ("", "reqwest::get(name);", "reqwest.get"),
    "prelude": ("", "String::from(name);", "std.string.String.from"),
    "all of a library": ("use reqwest::*;", "Client::new();", "reqwest.Client.new"),
    "imported from a macro beside all of a library": ("mod own { tokio::task_local! { pub static WANTED: u32; } }\nuse reqwest::*;\nuse own::WANTED;", "WANTED.get();", "tokio.task.LocalKey.get"),
    "type alias": ("type Http = reqwest::Client;", "Http::new();", "reqwest.Client.new"),
    "macro": ("", "println!(\"{}\", name);", "println!"),
    "macro by use": ("use tracing::info;", "info!(\"{}\", name);", "tracing.info!"),
    "macro by path": ("", "tracing::info!(\"{}\", name);", "tracing.info!"),
    "macro of a renamed crate": ("use tracing as log;", "log::info!(\"{}\", name);", "tracing.info!"),
    "type parameter": ("fn all<C: Caller>(caller: &C) { caller.go() }\ntrait Caller { fn go(&self) { std::fs::read(\"x\"); } } impl Caller for String {}", "all(&name);", "std.fs.read"),
    "where": ("fn all<C>(caller: &C) where C: Caller { caller.go() }\ntrait Caller { fn go(&self) { std::fs::read(\"x\"); } } impl Caller for String {}", "all(&name);", "std.fs.read"),
    "function in a function": ("", "fn load(name: String) { std::fs::read(name); } load(name);", "std.fs.read"),
    "struct in a function": ("", "struct Own; impl Own { fn load(&self) { std::fs::read(\"x\"); } } let own = Own {}; own.load();", "std.fs.read"),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLED)
def test_a_path_means_what_is_in_scope(name: str):
    items, body, path = CALLED[name]
    assert calls(trace(f"{items}\nfn tool(name: String) {{ {body} }}\n"), path)


TYPED = {
    "plain": "client: reqwest::Client",
    "used": "client: Client",
    "reference": "client: &Client",
    "changeable": "client: &mut Client",
    "shared": "client: Arc<Client>",
    "shared lock": "client: &Arc<Client>",
    "option": "client: Option<Client>",
    "boxed": "client: Box<Arc<Client>>",
    "state": "client: State<'_, Client>",
    "unwrapped": "state: State<Arc<Client>>",
    "request that is unwrapped": "request: Parameters<Request>",
    "taken apart": "State(client): State<Arc<Client>>",
    "parameters": "Parameters(Request { client, .. }): Parameters<Request>",
    "alias": "client: Http",
    "field": "request: Request",
    "field of a field": "request: Outer",
    "tuple struct": "Wrapped(client): Wrapped",
}


@pytest.mark.parametrize("name", TYPED)
def test_a_parameter_is_an_object_of_its_declared_type(name: str):
    code = f"""
        use reqwest::Client;
        use std::sync::Arc;
        type Http = Arc<Client>;
        struct Request {{ client: Option<Http> }}
        struct Outer {{ request: Request }}
        struct Wrapped(Client);
        fn tool({TYPED[name]}) {{ {{client}}.get("x"); }}
        """
    on = {
        "unwrapped": "state.0",
        "request that is unwrapped": "request.0.client",
        "field": "request.client",
        "field of a field": "request.request.client",
    }.get(name, "client")
    assert calls(trace(code.replace("{client}", on)), "reqwest.Client.get")


RESULTS = {
    "function": "let client = found(table);",
    "result": "let client = asked(table)?;",
    "function that is not seen to end": "let client = again(table);",
    "derived default": "let client = Holder::default().client;",
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_an_object_of_its_declared_type(name: str):
    code = f"""
        use reqwest::Client;
        #[derive(Default)]
        struct Holder {{ client: Client }}
        fn found(table: &Table) -> &Client {{ table.entry("x") }}
        fn asked(table: &Table) -> Result<Client, String> {{ table.entry("x") }}
        fn again(table: &Table) -> Client {{ again(table) }}
        fn tool(table: Table) -> Result<(), String> {{ {RESULTS[name]} client.get("x"); Ok(()) }}
        """
    assert calls(trace(code), "reqwest.Client.get")


HOLDING = {
    "vector": ("Vec<Rope>", "for rope in ropes { rope.fray(); }"),
    "reference": ("&Vec<Rope>", "for rope in ropes.iter() { rope.fray(); }"),
    "slice": ("&[Rope]", "ropes.iter().for_each(|rope| rope.fray());"),
    "array": ("[Rope; 2]", "ropes[0].fray();"),
    "place": ("Vec<Rope>", "let first = ropes.get(0).unwrap(); first.fray();"),
    "first": ("Vec<Rope>", "if let Some(first) = ropes.first() { first.fray(); }"),
    "option": ("Option<Vec<Arc<Rope>>>", "if let Some(ropes) = ropes { for rope in ropes { rope.fray(); } }"),
    "filtered": ("Vec<Rope>", "for rope in ropes.into_iter().filter(|rope| rope.is_old()) { rope.fray(); }"),
    "collected": ("Vec<Rope>", "let all: Vec<_> = ropes.into_iter().rev().collect(); for rope in all { rope.fray(); }"),
    "iterator": ("impl Iterator<Item = Rope>", "for rope in ropes { rope.fray(); }"),
    "boxed iterator": ("Box<dyn Iterator<Item = Rope>>", "for rope in ropes { rope.fray(); }"),
    "map by key": ("HashMap<String, Rope>", "ropes.get(\"x\").unwrap().fray();"),
    "map by index": ("HashMap<String, Rope>", "ropes[\"x\"].fray();"),
    "map by pairs": ("HashMap<String, Rope>", "for (name, rope) in &ropes { rope.fray(); }"),
    "map by iterator": ("BTreeMap<String, Rope>", "ropes.iter().for_each(|(name, rope)| rope.fray());"),
    "values of a map": ("HashMap<String, Rope>", "for rope in ropes.values() { rope.fray(); }"),
    "keys of a map": ("HashMap<Rope, u32>", "for rope in ropes.keys() { rope.fray(); }"),
    "map of vectors": ("HashMap<String, Vec<Rope>>", "for rope in ropes.get(\"x\").unwrap() { rope.fray(); }"),
    "tuple": ("(String, Rope)", "let (name, rope) = ropes; rope.fray();"),
    "field of a tuple": ("(String, Rope)", "ropes.1.fray();"),
    "vector of tuples": ("Vec<(String, Rope)>", "for (name, rope) in ropes { rope.fray(); }"),
    "lock": ("Arc<Mutex<Rope>>", "ropes.lock().unwrap().fray();"),
    "lock that is waited for": ("Arc<tokio::sync::RwLock<Rope>>", "let rope = ropes.read().await; rope.fray();"),
    "lock around a vector": ("&Mutex<Vec<Rope>>", "for rope in ropes.lock().unwrap().iter() { rope.fray(); }"),
    "lock around a map": ("&Mutex<HashMap<String, Rope>>", "let all = ropes.lock().unwrap(); all.get(\"x\").unwrap().fray();"),
    "field behind a lock": ("&Mutex<Held>", "ropes.lock().unwrap().rope.fray();"),
    "cell": ("RefCell<Rope>", "ropes.borrow_mut().fray();"),
    "lazy": ("&OnceCell<Rope>", "ropes.get().unwrap().fray();"),
    "future": ("impl Future<Output = Rope>", "let rope = ropes.await; rope.fray();"),
    "type alias": ("Ropes", "for rope in ropes { rope.fray(); }"),
    "type alias of a result": ("Found<Rope>", "ropes.unwrap().fray();"),
}  # fmt: skip

HELD = """
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::sync::{Arc, Mutex};

type Ropes = Vec<Arc<Rope>>;
type Found<T> = Result<T, String>;
struct Rope { name: String }
struct Held { rope: Rope }
impl Rope { fn fray(&self) { elsewhere::probe() } fn is_old(&self) -> bool { true } }
"""


@pytest.mark.parametrize("name", HOLDING)
def test_what_a_type_says_that_it_holds_is_an_object_of_that_type(name: str):
    kind, body = HOLDING[name]
    assert calls(trace(f"{HELD}\nasync fn tool(ropes: {kind}) {{ {body} }}\n"), "elsewhere.probe")


def test_a_method_of_elements_is_none_of_what_holds_them():
    code = "struct Rope; impl Rope { fn len(&self) -> usize { elsewhere::probe(); 3 } }"
    assert not calls(trace(f"{code}\nfn tool(ropes: Vec<Rope>) {{ ropes.len(); }}"), "elsewhere.probe")


def test_what_is_handed_on_as_a_failure_is_no_object_that_it_is_not():
    code = """
        use std::path::{Path, PathBuf};
        struct Rope { name: String }
        impl Rope { fn open(path: &str) -> Option<Self> { let root = found(path)?; Some(Self { name: root.x }) } }
        fn found(path: &str) -> Option<PathBuf> { table(path) }
        fn tool(path: String) { let rope = Rope::open(&path); rope.name.fray(); }
        """
    paths = [each.event.path for each in trace(code).iter_occurrences() if isinstance(each.event, Called)]
    assert not [each for each in paths if each.startswith("std.path.PathBuf.name")]


def test_a_type_parameter_is_no_type_of_a_library():
    code = 'use reqwest::*;\nfn all<T>(value: T) { value.get("x"); }\nfn tool(name: String) { all(name.x); }\n'
    assert not calls(trace(code), "reqwest.T.get")


WRITTEN = {
    "let": "let rope: Rope = from_value(text); rope.fray();",
    "let with a question mark": "let rope: Rope = from_value(text)?; rope.fray();",
    "let without a value": "let rope: Rope; rope = from_value(text); rope.fray();",
    "let of many": "let ropes: Vec<Rope> = from_value(text)?; for rope in ropes { rope.fray(); }",
    "let of an empty vector": "let mut ropes: Vec<Rope> = Vec::new(); fill(&mut ropes); ropes[0].fray();",
    "let by match": "let rope: Rope = match from_value(text) { Ok(rope) => rope, Err(_) => return None }; rope.fray();",
    "call": "from_value::<Rope>(text).fray();",
    "call with a question mark": "from_value::<Rope>(text)?.fray();",
    "method": "text.parse::<Rope>().unwrap().fray();",
    "collected": "let ropes = text.lines().map(Rope::of).collect::<Vec<Rope>>(); for rope in ropes { rope.fray(); }",
    "result of a vector": "for rope in from_value::<Option<Vec<Rope>>>(text)? { rope.fray(); }",
    "parameter of a closure": "let fray = |rope: &Rope| rope.fray(); fray(&from_value(text));",
}  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN)
def test_a_value_is_an_object_of_the_type_that_is_written_for_it(name: str):
    code = f"use serde_json::from_value;\n{HELD}\nfn tool(text: String) -> Option<()> {{ {WRITTEN[name]} None }}\n"
    assert calls(trace(code), "elsewhere.probe")


SELVES = {
    "field that a method is named as": "impl Shelf { fn rope(&self) -> u32 { 3 } fn go(&self) { self.rope.fray(); } }",
    "method that a field is named as": "impl Shelf { fn rope(&self) -> &Rope { table(self) } fn go(&self) { self.rope().fray(); } }",
    "method of an implementation": "impl Goes for Shelf { fn go_on(&self) { self.own() } } impl Shelf { fn own(&self) { self.rope.fray() } fn go(&self) { on(self.x) } }",
    "method by default": "impl Goes for Shelf { fn go_on(&self) { elsewhere::probe() } } impl Shelf { fn go(&self) { twice(self.x) } }",
}  # fmt: skip


@pytest.mark.parametrize("name", SELVES)
def test_self_has_the_fields_and_methods_of_its_type(name: str):
    code = f"""{HELD}
        struct Shelf {{ rope: Rope }}
        trait Goes {{ fn go_on(&self); fn twice_by_default(&self) {{ self.go_on() }} }}
        fn on(goer: Box<dyn Goes>) {{ goer.go_on() }}
        fn twice(goer: &dyn Goes) {{ goer.twice_by_default() }}
        {SELVES[name]}
        fn tool(shelf: Shelf) {{ shelf.go(); }}
        """
    assert calls(trace(code), "elsewhere.probe")


METHODS = {
    "of every type": "trait Frays { fn fray_all(&self); } impl<T: Clone> Frays for T { fn fray_all(&self) { elsewhere::probe() } }",
    "of a type by deref": "struct Inner; impl Inner { fn fray_all(&self) { elsewhere::probe() } } impl std::ops::Deref for Shelf { type Target = Inner; fn deref(&self) -> &Inner { &self.inner } }",
    "of a deref in a circle": "impl Rope { fn fray_all(&self) { elsewhere::probe() } } impl std::ops::Deref for Shelf { type Target = Held; fn deref(&self) -> &Held { &self.x } } impl std::ops::Deref for Held { type Target = Rope; fn deref(&self) -> &Rope { &self.x } } impl std::ops::Deref for Rope { type Target = Shelf; fn deref(&self) -> &Shelf { &self.x } }",
}  # fmt: skip


@pytest.mark.parametrize("name", METHODS)
def test_a_type_has_the_methods(name: str):
    code = f"{HELD}\nstruct Shelf {{ rope: Rope }}\n{METHODS[name]}\nfn tool(shelf: Shelf) {{ shelf.fray_all(); }}\n"
    assert calls(trace(code), "elsewhere.probe")


def test_a_trait_has_the_methods_of_those_that_it_is_derived_from():
    code = """
        trait Base { fn fray_all(&self) { elsewhere::probe() } }
        trait Derived: Send + Base {}
        fn tool(shelf: &dyn Derived) { shelf.fray_all(); }
        """
    assert calls(trace(code), "elsewhere.probe")


def test_a_closure_that_a_method_is_handed_takes_elements():
    code = f"{HELD}\nfn tool(ropes: Vec<Rope>) {{ ropes.sort_by_something(|one, other| one.fray()); }}\n"
    assert calls(trace(code), "elsewhere.probe")


ARMS = {
    "fields": "match knot { Knot::Tied { rope, .. } => rope.fray(), _ => {} }",
    "place": "match knot { Knot::Looped(_, rope) => rope.fray(), _ => {} }",
    "only place": "match knot { Knot::Loose(rope) => rope.fray(), _ => {} }",
    "if let": "if let Knot::Tied { rope: held, .. } = knot { held.fray(); }",
    "let else": "let Knot::Loose(rope) = knot else { return }; rope.fray();",
    "reference": "match &knot { Knot::Tied { rope, .. } => rope.fray(), _ => {} }",
    "one of two": "match knot { Knot::Loose(rope) | Knot::Looped(_, rope) => rope.fray(), _ => {} }",
    "rest": "match knot { Knot::Loose(_) => {} other => if let Knot::Looped(_, rope) = other { rope.fray() } }",
    "itself": "match knot { Knot::Inside(inner) => inner.go(), _ => {} }",
}


@pytest.mark.parametrize("name", ARMS)
def test_what_an_arm_takes_out_of_a_variant_is_an_object_of_its_type(name: str):
    code = f"""{HELD}
        enum Knot {{ Tied {{ rope: Rope, times: u8 }}, Looped(u8, Rope), Loose(Rope), Inside(Box<Knot>), None }}
        impl Knot {{ fn go(&self) {{ elsewhere::probe() }} }}
        fn tool(knot: Knot) {{ {ARMS[name]} }}
        """
    assert calls(trace(code), "elsewhere.probe")


STATICS = {
    "constant": "const ROPES: Rope = made();",
    "static": "static ROPES: Rope = made();",
    "lazy": "static ROPES: LazyLock<Rope> = LazyLock::new(|| made());",
    "lock": "static ROPES: Mutex<Rope> = Mutex::new(made());",
    "written later": "static ROPES: OnceLock<Rope> = OnceLock::new();",
    "that changes": "static mut ROPES: Rope = made();",
}


@pytest.mark.parametrize("name", STATICS)
def test_a_static_is_an_object_of_its_type(name: str):
    code = f"{HELD}\nuse std::sync::{{LazyLock, OnceLock}};\n{STATICS[name]}\nfn tool(text: String) {{ ROPES.x(text).fray(); }}\n"
    on = {"lock": "ROPES.lock().unwrap()", "written later": "ROPES.get().unwrap()"}.get(name, "ROPES")
    assert calls(trace(code.replace("ROPES.x(text)", on)), "elsewhere.probe")


def test_a_field_that_one_variant_has_is_of_its_type():
    code = f"{HELD}\nenum Knot {{ Tied {{ rope: Rope }}, Loose }}\nfn tool(knot: Knot) {{ let Knot::Tied {{ rope }} = knot; rope.fray(); }}\n"
    assert calls(trace(code), "elsewhere.probe")


def test_self_is_an_object_of_its_type():
    found = trace(
        """
        struct Server { client: reqwest::Client }
        impl Server {
            async fn tool(&self, id: String) { self.load(id).await; }
            async fn load(&self, id: String) { self.client.get(format!("x/{id}")).send().await; }
        }
        """
    )
    assert calls(found, "reqwest.RequestBuilder.send")
    assert given(found, "reqwest.Client.get") == {"id"}


def test_two_calls_of_one_function_are_told_apart():
    found = trace(
        """
        fn same(value: String) -> String { value }
        fn tool(one: String, other: String) -> String {
            let first = same(one);
            let second = same(other);
            elsewhere::probe(first);
            second
        }
        """
    )
    assert given(found, "elsewhere.probe") == {"one"}
    assert returned(found) == {"other"}


def test_two_files_may_have_functions_of_one_name():
    here = 'mod other; mod third;\nfn load() { std::fs::read("x"); }\nfn tool() { other::tool(); }\n'
    other = "use super::third::load;\npub fn tool() { load() }\n"
    third = "pub fn load() { elsewhere::probe() }\n"
    found = trace(here, other=other, third=third)
    assert calls(found, "elsewhere.probe")
    assert not calls(found, "std.fs.read")


def test_a_crate_of_the_project_is_called_by_its_name():
    sources = {
        "server/src/main.rs": "use own_files::disk::load;\nfn tool() { load() }\n",
        "files/src/lib.rs": "pub mod disk;\n",
        "files/src/disk.rs": 'pub fn load() { crate::disk::read() }\nfn read() { std::fs::read("x"); }\n',
    }
    manifests = {"files/Cargo.toml": Manifest('[package]\nname = "own-files"\n')}
    project = RustProgram(RustItems({path: Source(path, text.encode()) for path, text in sources.items()}, manifests))
    (item,) = project.items.find_declared_in("server/src/main.rs", "tool", "fn")
    assert calls(Interpreter(project).start(project.find_code_at(item.path, item.node), {}), "std.fs.read")


def test_a_crate_of_the_project_is_called_by_the_name_of_its_library():
    sources = {
        "server/src/main.rs": "fn tool() { disk::load() }\n",
        "files/src/lib.rs": 'pub fn load() { std::fs::read("x"); }\n',
    }
    manifests = {"files/Cargo.toml": Manifest('[package]\nname = "own-files"\n[lib]\nname = "disk"\n')}
    project = RustProgram(RustItems({path: Source(path, text.encode()) for path, text in sources.items()}, manifests))
    (item,) = project.items.find_declared_in("server/src/main.rs", "tool", "fn")
    assert calls(Interpreter(project).start(project.find_code_at(item.path, item.node), {}), "std.fs.read")


def test_recursion_ends_and_is_said():
    found = trace("fn tool(n: usize) -> usize { if n == 0 { 0 } else { tool(n - 1) } }")
    assert [each.reason for each in found.iter_omissions()] == ["it calls itself"]


def test_calls_beyond_the_bound_are_said():
    helpers = "\n".join(f"fn f{n}(x: usize) -> usize {{ f{n + 1}(x) }}" for n in range(5))
    code = f"{helpers}\nfn f5(x: usize) -> usize {{ x }}\nfn tool(x: usize) -> usize {{ f0(x) }}\n"
    found = trace(code, bounds=RunBounds(depth=3))
    assert [each.reason for each in found.iter_omissions()] == ["more than 3 calls lead there"]


CIRCLES = {
    "aliases": "type A = B::Inner;\ntype B = A::Inner;\nfn tool(a: A) { A::new(); a.go(); }",
    "aliases of themselves": "type A = Vec<A>;\nfn tool(a: A) { for each in a { each.go(); } }",
    "uses": "use self::a as b;\nuse self::b as a;\nfn tool() { a::go(); b(); }",
    "traits": "trait A: B {}\ntrait B: A {}\nfn tool(a: &dyn A) { a.go(); }",
    "bounds": "fn tool<A: B, B: A>(a: A) { a.go(); A::new(); }",
    "self": "impl Self { fn go(&self) { self.go() } }\nfn tool() { Self::go(); }",
    "nested tuples": f"fn tool(a: {'(' * 60}u8, Rope{')' * 60}) {{ a.0.1.go(); }}",
}


@pytest.mark.parametrize("name", CIRCLES)
def test_circles_end(name: str):
    assert trace(CIRCLES[name] + "\n").result is not None


def test_constants_in_a_circle_are_unknown():
    found = trace("const A: usize = B;\nconst B: usize = A + 1;\nfn tool(rows: Vec<u8>) { rows[..A].to_vec(); }\n")
    assert cut(found).high == inf


def test_modules_that_use_all_of_each_other_are_looked_into_once():
    names = [f"m{number}" for number in range(16)]
    modules = {name: "".join(f"pub use super::{other}::*;\n" for other in names if other != name) for name in names}
    modules["m15"] += "pub use std::fs::read;\n"
    found = trace("".join(f"mod {name};\n" for name in names) + 'fn tool() { m0::read("x"); }\n', **modules)
    assert calls(found, "std.fs.read")


def test_a_clone_is_known_as_what_it_was_made_of_and_is_another_object():
    (value,) = [
        each.event.values[0] for each in calls(trace("fn tool(given: Value) { probe(given.clone()) }"), "probe")
    ]
    assert value.term == ("argument", "given")
    assert value.duplicate is not None


def test_null_of_json_is_nothing():
    (value,) = [each.event.values[0] for each in calls(trace("fn tool() { probe(Value::Null) }"), "probe")]
    assert value.constant == (type(None), None)


def test_a_list_that_elements_are_taken_out_of_may_be_shorter():
    code = "fn tool(mut rows: Vec<u8>) {\n  let before = rows.len();\n  rows.retain(|each| *each > 3);\n"
    found = trace(code + "  if rows.len() == before { same(); } else { probe(); }\n}\n")
    assert calls(found, "same")
    assert calls(found, "probe")


def test_what_is_looked_for_among_constants_may_not_be_there():
    code = 'const KNOWN: &[&str] = &["a", "b"];\nfn tool(name: String) {\n'
    found = trace(
        code + "  if let Some(one) = KNOWN.iter().find(|each| **each == name) { probe(one); return; }\n  other();\n}\n"
    )
    assert calls(found, "probe")
    assert calls(found, "other")


def test_what_a_cut_run_learnt_of_a_function_is_not_kept():
    steps = "".join(f"  step{number}(rows);\n" for number in range(40))
    inner = f"fn inner(rows: &[u8]) {{\n{steps}  probe(rows);\n}}\n"
    project = program(
        f"{inner}fn tool(rows: Vec<u8>) {{ inner(&rows); }}\nfn other(rows: Vec<u8>) {{ inner(&rows); }}\n"
    )
    summaries = Summaries()

    def run(name: str, bounds: RunBounds) -> Trace:
        (item,) = project.items.find_declared_in("src/main.rs", name, "fn")
        return trace_code(Interpreter(project, bounds, summaries), project.find_code_at(item.path, item.node))

    assert not calls(run("tool", RunBounds(statements=20)), "probe")
    assert calls(run("other", RunBounds()), "probe")


VARIANTS = {
    "comparison": "if mode == Mode::Loud { match mode { Mode::Loud => {}, _ => probe(1) } }",
    "turned round": "if Mode::Loud == mode { match mode { Mode::Loud => {}, _ => probe(1) } }",
    "negation": "if mode != Mode::Loud { match mode { Mode::Loud => probe(1), _ => {} } }",
    "refusal": "if mode == Mode::Loud { return; } if let Mode::Loud = mode { probe(1) }",
    "named": "let loud = mode == Mode::Loud; if !loud { if matches!(mode, Mode::Loud) { probe(1) } }",
    "compared twice": "if mode == Mode::Loud { if mode != Mode::Loud { probe(1) } }",
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_comparison_with_a_variant_tells_what_a_match_does(name: str):
    code = f"#[derive(PartialEq)] enum Mode {{ Quiet, Loud }}\nfn tool(mode: Mode) {{ {VARIANTS[name]} }}"
    assert not calls(trace(code), "probe")


def test_a_comparison_with_another_variant_leaves_a_way_open():
    code = "#[derive(PartialEq)] enum Mode { Quiet, Loud }\nfn tool(mode: Mode) { if mode != Mode::Loud { probe(1) } }"
    assert len(calls(trace(code), "probe")) == 1


def test_a_future_that_a_closure_made_is_run_where_it_is_waited_for():
    found = trace(
        """
        async fn sail() -> String { "sail".into() }
        async fn row() -> String { "row".into() }
        static WAYS: &[(&str, fn() -> BoxFuture<'static, String>)] =
            &[("sail", || Box::pin(sail())), ("row", || Box::pin(row()))];
        async fn tool(name: String) -> String {
            let way = WAYS.iter().find(|way| way.0 == name).unwrap();
            (way.1)().await
        }
        """
    )
    entered = [each for each in found.events if isinstance(each, Entered) and each.trace.code.is_async]
    assert {each.trace.code.name: each.text for each in entered} == {
        "sail": "(way.1)().await",
        "row": "(way.1)().await",
    }
