"""What is known of libraries: one row for a function, in a table for each language and library, with its source.

    [[function]]
    path = "requests.get"
    labels = ["network"]
    acts = ["network", "blocks", "fails"]
    source = "https://requests.readthedocs.io/en/latest/api/#requests.get"

`path` is dotted, and a list of paths where functions are alike; `.name` is a method of that name of whatever has no row of
its own, and `boto3.Client.delete_*` each method whose name begins so. `returns` says what the function gives of what it is
given (`Transfer`), `labels` where its result comes from (`Origin`), `acts` what it does (`ActName`). A row says facts and no
verdicts: rules decide. docs/models.md tells how to add one.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, fields
from importlib.resources import files
from typing import Any, Literal, cast, get_args

from reviewer.caching import cache
from reviewer.code.values import Made, Origin, Value
from reviewer.records import dataclass
from reviewer.text.patterns import pattern

Transfer = Literal[
    "unknown", "nothing", "never", "fixed", "new", "class", "parent", "receiver", "argument", "copied", "cloned", "taken",
    "fields", "field",
    "number", "truth", "order", "least", "greatest", "clamped", "boundary",
    "sum", "difference", "product", "quotient", "text", "same text", "filled", "pieces",
    "length", "empty", "contains", "numbers", "places", "counting", "turned", "sorted",
    "elements", "collected", "values", "element", "nth", "element or else", "cut", "skipped", "between", "drained", "split off",
    "split", "chunks", "mapped", "mapped or then", "filtered", "retained",
    "found", "place", "tested", "flattened", "flat mapped", "chained", "numbered", "zipped", "folded",
    "gathered",
    "entry", "parsed", "pointed", "entries", "layered", "keys", "kept entry", "removed", "written", "appended", "lengthened",
    "printed",
    "extended",
    "shortened",
    "emptied",
    "with element", "with field",
    "present", "absent", "succeeded", "failed", "kind", "has member", "sure", "or else", "or call", "then", "then or", "if true",
    "or failure", "failing by", "without reason", "reason", "reason told",
    "called", "partial", "task", "promised", "result", "read", "entered", "guarding", "guarded",
    "guarding then", "guarded now", "told guarded",
]  # fmt: skip
"""What a function gives. Its *operand* is its receiver, or its first argument if it is no method; number `on` if the row
says so. Its *argument* is the one that `of` and `keyword` name.

- `unknown`: what may come of all that it is given; `nothing`: no value; `never`: it does not return.
- `fixed`: what no caller decides, such as a setting; `new`: an object of its own, of the row's `type`; `class`: that
  type itself.
- `parent`: the object whose method runs, as one of the class above its own.
- `receiver`: its operand; `argument`: its argument; `copied`: another object like its operand, with the fields that
  it is given by name; `cloned`: its operand as an object of its own, of which the same is known; `taken`: its operand,
  which leaves nothing behind.
- `fields`: a dictionary of its operand's fields; `field`: the field that the next operand names, or the one after
  that.
- `number`, `truth`, `text`: its operand as a number or a truth value, its operands as a text, of which no more
  letters are read than its argument says where the row calls that `size`; `same text`: its operand
  as a text, which it is if it is one; `filled`: its operand, a form,
  with the others in its gaps; `pieces`: parts of its operand, which is a text.
- `order`: whether its operand is `Less` than its argument, `Equal` to it or `Greater`.
- `least`, `greatest`: one of its operands; `clamped`: its operand between the two others;
  `boundary`: a place in its operand that is no further than its argument.
- `sum`, `difference`, `product`, `quotient`: of its operand and the next.
- `length`: how many elements its operand has; `empty`: whether it has none; `contains`: whether its argument is one
  of them.
- `numbers`: the whole numbers before its argument, or from its first to before its second, by its third.
- `places`: the same, to take the elements there. `counting`: the numbers from its first argument on, by its second;
  `turned`: the elements of its operand from the end; `sorted`: in their order, the least first.
- `elements`: the elements of its operand, as another sequence; `collected`: those too, or the failure that each of them
  is; `values`: those of a table without their keys; `element`: one of them; `nth`: the one at the place that its argument
  says; `element or else`: one, or its argument if there is none; `numbered`: with their numbers, as pairs.
- `cut`: the first elements of its operand, as many as its argument says; `skipped`: without so many; `between`: those
  before its argument, or from it to before the next; `drained`: those at the places that its argument, a range, says;
  `split off`: those from a place on, and its operand has only those before it from then on;
  `chunks`: parts of so many each; `split`: the elements before a place that its argument says, and those from there on.
- `mapped`: the elements of its operand as its argument makes them; `filtered`: those for which its argument is true;
  `retained`: no value, but its operand has only those from then on;
  `flattened`: their elements; `flat mapped`: those of what its argument makes of each;
  `folded`: what its argument makes of all; `found`: one for which its argument is true;
  `place`: the number of that one;
  `tested`: whether it is true of some or all. `mapped or then`: `mapped` if its operand has elements, else `then`.
- `chained`: the elements of all its operands; `zipped`: tuples of one of each; `gathered`: what its arguments give
  when waited for.
- `parsed`: an object of what its operand, a schema, lets through of its argument.
- `entry`: the entry of its operand that its first argument names, its second if there is none; `pointed`: the one to
  which a path of keys leads that its argument is, as in `/name/first`; `kept entry`: which is
  put there then; `removed`: which is taken away; `entries`: pairs of keys and entries; `keys`: the keys;
  `layered`: the entries of all its operands, of which the first counts that has one under a key.
- `written`, `appended`, `extended`: no value, but its operand holds its second argument under its first, its argument
  as one more element, or the elements of its argument. `lengthened`: its operand, a text, goes on with its argument;
  `printed`: no value, but the argument of the row's `keyword` goes on with its operands and what its labels say, if it is a text.
  `shortened`: its operand has at most as many elements as its argument says; `emptied`: none.
- `with element`: its operand, which holds its argument after all else from then on; `with field`: its operand, whose
  field of the function's name, or of the row's `keyword`, is its argument from then on. So builders take what they are
  told.
- `present`, `absent`: whether its operand is there; `succeeded`, `failed`: whether it is no failure; `kind`: whether it
  is of a kind, such as the class that its argument is; `has member`: whether it has something of its argument's name;
  `sure`: its operand, which is there from then on.
- `or else`: its operand, or its argument, or its type's default, if that is not there; `or call`: or what its
  argument gives when called.
- `then`: what its argument gives for its operand, if that is there; `then or`: or else the argument before; `if
  true`: its argument, or what that gives, if its operand is true.
- `or failure`: its operand; if it is not there, a failure whose reason is its argument, or what that gives when
  called; `failing by`: a failure whose reason is what its argument makes of the reason; `without reason`: nothing;
  `reason`: why it is a failure; `reason told`: its operand, whose reason its argument is called with if it is one.
- `called`: what its argument gives when called with those after it, or when waited for; `partial`: a function with
  them filled in; `task`: what gives it when waited for; `promised`: an object that holds it, of which `result` gives it.
- `read`: an object of its operand, a class, made of the entries of its argument; `entered`: what its argument, a manager,
  gives when it is entered.
- `guarding`: a lock or a cell around its argument; `guarded`: what one holds, which who writes through it writes there;
  `guarded now`: no value, but its operand guards its argument from then on; `guarding then`: what its argument gives when called,
  or waited for, while its operand guards the first; `told guarded`: what its argument gives for what its operand guards.
"""

ActName = Literal[
    "blocks", "blocks briefly", "sleeps", "waits", "waits endlessly", "limits time", "shields", "cancels", "cancelled",
    "uncancels", "checks cancellation", "tells done", "needs loop", "needs await",
    "network", "posts", "requests by method", "changes remote", "deletes remote", "any status", "reads body", "tells status",
    "any exit",
    "opens file", "reads file", "lists directory", "writes file", "writes open file", "makes directory", "ensures directory",
    "deletes file", "leaves temporary", "sets permissions",
    "runs command", "runs shell", "ends process", "executes sql", "bounds rows", "reads few rows", "reads database", "commits",
    "evaluates code", "deserialises", "parses", "serialises",
    "encodes", "decodes", "hashes", "replaces", "quotes", "validates", "verifies", "trusts anyone", "orders", "sanitises path",
    "checks path",
    "prints", "prints to stderr", "reads input", "logs", "begins log", "redirects output", "exits", "aborts",
    "fails", "panics", "panics on failure", "panics on zero", "panics in async", "cuts", "catches panics", "suppresses", "locks",
    "locks task", "frees", "stays on thread", "counts",
    "spawns task", "spawns thread", "spawns process", "outlives handle", "groups tasks", "wakes",
    "notifies", "announces tools", "advertises tools", "changes tools", "reports progress", "logs to client", "elicits",
    "samples", "serves", "serves stdio", "serves sse", "serves http", "serves by name", "serves on", "listens",
    "listens everywhere", "mounts", "wraps", "checks credentials", "checks hosts", "lets in any host", "lets in any page",
    "declares option",
    "answers", "answers with error", "tool error", "protocol error", "internal error",
]  # fmt: skip
"""What a function does besides giving a value.

Time:
- `blocks`: it holds its thread until something outside answers: a network, another process, a person, the clock.
- `blocks briefly`: it holds its thread for work on a local disk.
- `sleeps`: it waits for a time to pass; `waits`: it waits for another task, thread or process, without holding its
  thread; `waits endlessly`: for as long as the other side likes, if none of the row's `timeout` is given.
- `limits time`: it ends what it waits for after a time; `shields`: what it waits for is not cancelled with it;
  `cancels`: it cancels a task; `cancelled`: it is an exception by which a task learns that it is cancelled, or the
  class of all such; `uncancels`: it says that a cancellation was dealt with;
  `checks cancellation`: it tells whether its operand, a token, is cancelled, or ends when it is; `tells done`: whether its
  operand, a task, is done; `needs loop`: it fails, or gives nothing, where no event loop runs;
  `needs await`: it does nothing before what it gives is awaited; where calls begin at once, nobody learns otherwise that it
  failed.

The world outside:
- `network`: it speaks with another host; `posts`: by an HTTP POST, which may change something there or only ask;
  `requests by method`: by the HTTP method that an argument says; `changes remote`, `deletes remote`: it changes or
  deletes something there.
- `any status`: it gives the answer of another host whatever its HTTP status is, and does not fail for one that says that the
  request failed; `reads body`: it gives what such an answer holds; `tells status`: it gives its status, or fails for such a one.
- `any exit`: it gives what a command wrote whatever its exit status is; `reads body` and `tells status` stand for what that
  wrote and for how it ended.
- `opens file`: it opens a file, to read or to write as an argument says; `reads file`; `lists directory`; `writes
  file`: also to move, copy, link and change modes; `writes open file`: into one that was opened before; `makes
  directory`; `ensures directory`: it makes one unless there is one; `deletes file`: or a directory; `leaves temporary`: it
  makes a temporary one that nobody deletes but who called it; `sets permissions`: it says who may use a file, or whose it is.
- `runs command`: it runs a program; `runs shell`: a command line, by a shell; `ends process`: it ends another
  process.
- `executes sql`: it runs a statement that an argument says; `bounds rows`: of a query, its argument says how many rows it
  gives at most; `reads database`: it asks one for rows; `reads few rows`: for one, or as many as the call says; `commits`:
  it ends a transaction.

Code and data:
- `evaluates code`: it runs text as code; `deserialises`: it makes objects of any class of what it reads, which may
  run code.
- `parses`: it reads a value from a text and fails if the text is wrong; `serialises`: it writes a value as a text.
- `encodes`, `decodes`: it writes bytes as text, such as base64, and reads them; `hashes`: it gives a digest or a
  signature; `replaces`: it puts others for parts of a text.
- `quotes`: it makes a text safe to stand in another language: a shell, HTML, a URL; `validates`: it fails if a value
  is not of a form; `verifies`: it checks a signature, a password or a token; `trusts anyone`: it does not check
  who answers at the other end: no certificate, no key of a host.
- `orders`: its result, or its operand, is in an order that its elements alone decide.
- `sanitises path`: it gives an absolute path without `..` and links; `checks path`: it tells whether a path lies in
  another.

The process:
- `prints`: to the standard output; `prints to stderr`; `reads input`: from the standard input; `logs`: to a log;
  `begins log`: what is logged goes from then on where its receiver, or what that holds, was told;
  `redirects output`: the standard output goes elsewhere from then on, or while it is entered.
- `exits`: it ends the process in an orderly way, in Python by an exception; `aborts`: at once.
- `fails`: it may raise, or give a failure; `panics`: it panics always; `panics on failure`: where its operand is
  absent, a failure or wrong; `panics on zero`: where its argument is; `panics in async`: where an event loop runs;
  `cuts`: where its argument, a place in its operand or a range, lies outside of it, or within a character;
  `catches panics`: a panic in what it runs is a failure that it gives; `suppresses`: the exceptions that it is given
  end where it is entered.
- `locks`: it holds its thread until a lock is free; `locks task`: it waits for one; `frees`: what it is given is held no
  longer; `stays on thread`: what it runs never goes on on another thread; `counts`: it changes a counter that all calls share.
- `spawns task`, `spawns thread`, `spawns process`: it starts one and does not wait for its end;
  `outlives handle`: that goes on where nobody holds what it gives; `groups tasks`: it
  waits for those begun in it; `wakes`: other code that waits for it, or looks at it now and then, learns of it.

The protocol:
- `notifies`: it sends a notification to the client; `announces tools`: that the tools have changed; `reports
  progress`; `logs to client`.
- `advertises tools`: it tells clients that the tools may change, or, where the row has a `keyword`, whether they may, which
  that argument says: not where it is not given.
- `elicits`: it asks the user; `samples`: it asks the client's model; `changes tools`: it adds or removes a tool;
  `serves`: it begins to serve.
- `serves stdio`, `serves sse`, `serves http`: it makes what serves the protocol so, or serves it; `serves by name`: by the
  transport that its argument names, if it is given.
  `serves on`: what it serves goes on after the call.
- `listens`: at the address that its argument says; `listens everywhere`: on all interfaces if none says it; `mounts`: it
  gives requests to what it is handed; `wraps`: it lets them go
  through what it is handed before they come to its receiver, or through its receiver before they come to what it is handed;
  `checks credentials`: what it makes refuses requests without one; `checks hosts`: it refuses those for other hosts than
  those that it knows; `lets in any host`,
  `lets in any page`: what it makes or gives does so, or what it is called on does from then on, for requests to any host, and
  for pages of any origin. `declares option`: a command line has one of that name.
- `answers`: it makes the result of a call; `answers with error`: one that says that it failed; `tool error`: it makes
  an exception or a failure whose text is shown to the model; `protocol error`: one that is an error of JSON-RPC;
  `internal error`: one of those whose code says that the server itself failed.
"""


Trait = Literal[
    "letters", "raw bytes", "one case", "surely text", "home", "nearly any text", "text of JSON", "other JSON",
    "one or more", "same length", "fixed length", "behind all", "fills", "all arguments", "in both", "not in argument",
    "keyed by argument", "not written", "out of reach", "keeps reason", "hands reason", "named log", "alone", "race",
    "insertion order", "drops results", "told once",
]  # fmt: skip
"""What else is so of a function that some rule asks for.

Texts:
- `letters`: it gives the characters of its operand one by one; `raw bytes`: the bytes of its operand, a text, which may be cut
  anywhere; `surely text`: a text, whatever it is called on; `one case`: a text in which letters that differ by their case only
  are the same.
- `home`: it puts the user's home where a path begins with `~`, and leaves others as they are.
- `nearly any text`: it parses, and there is hardly a text for which it fails.
- `text of JSON`: it reads its operand, a value of JSON, as a text, or asks whether that is one; `other JSON`: it gives nothing
  where that is a text.

Sequences:
- `one or more`: it gives one element at least; `same length`: as many as its operand has; `fixed length`: as many as its
  argument, or its type, says.
- `behind all`: what it adds comes after all that its operand has; `fills`: its argument, or what that gives, is put
  where nothing is.
- `in both`: it gives the elements of its operand that its argument has as well; `not in argument`: the others.
- `keyed by argument`: the keys of what it makes are the elements of its argument.
- `all arguments`: it gives all variables of the function that calls it, by their names.
- `drops results`: it calls what it is handed for each element, and leaves what that gives.
- `insertion order`: of a literal's type, it keeps its entries in the order in which they are put there.

Failures and logs:
- `not written`: who wrote it says that nothing is written there yet; `out of reach`: that control never comes there.
- `keeps reason`: why something failed stays behind the text that it puts before; `hands reason`: a function is called with why.
- `named log`: it gives a logger of the name that it is handed.

Waiting:
- `told once`: what bounds the waits of the object that it makes can only be said when it is made.
- `alone`: it takes a lock alone that others would share; `race`: it waits for the first of several, and lets go of the others.
"""


Circumstance = Literal["", "here", "in thread", "as task", "on signal", "on request"]
"""How a function runs that another is handed: at once, in a thread of its own, as a task that nobody waits for here, or when the
process is told something or ends. `on request` all functions run that it is handed, each time that somebody asks."""


@dataclass(frozen=True, slots=True)
class Model:
    """What is known of one function. `of` is the position of the argument that the row speaks of, without the receiver."""

    path: str
    returns: Transfer = "unknown"
    of: int = 0
    on: int = 0
    """The position of the operand, where it is not the receiver or the first argument: 1 in `map(function, items)`."""
    keyword: str = ""
    """The name by which that argument may be given."""
    type: str = ""
    """The path of the type of what it makes: its methods are known under it."""
    element: str = ""
    """The path of the type of each element of what it gives, where it gives a sequence."""
    parameters: tuple[str, ...] = ()
    """The names of its first arguments, where what it makes has fields of these names."""
    extends: str = ""
    """The path of the class that it is a subclass of, where it is a class and that matters: of exceptions."""
    labels: tuple[Origin, ...] = ()
    acts: tuple[ActName, ...] = ()
    traits: tuple[Trait, ...] = ()
    """What else is so of it that some rule asks for."""
    runs: Circumstance = ""
    """How it runs the function that it is handed as its argument number `of`."""
    hands: str = ""
    """The path of the type of what it hands that function, empty if it is what was handed after it."""
    spreads: tuple[str, ...] = ()
    """The names of the arguments in which that function's own are handed over: those by position, and those by name."""
    per: int = 1
    """How many of its operand make one of the number that it gives: 1000 milliseconds are a second."""
    unless: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Arguments, of the call or of what made its receiver, with which it does not act so, unless they are one of some values."""
    takes_function: bool = True
    """Whether it may be handed a function: if not, what is called so and is handed one is something else."""
    also: tuple[tuple[int | str, str, tuple[ActName, ...]], ...] = ()
    """What it does besides where an argument, by its position or its name, is a constant: `os.write(1, text)` prints."""
    idle: tuple[tuple[int | str, tuple[str, ...]], ...] = ()
    """Arguments, by position or by name, with which it does nothing of its acts where they are one of some constants."""
    timeout: tuple[str, ...] = ()
    """Arguments, of the call or of what its receiver was made with, that bound how long it waits, by position or by name."""
    address_in: tuple[str, ...] = ()
    """The paths of the exceptions that it fails with whose text names the address that was asked, with its query."""
    checks_host: str = ""
    """Of what serves over HTTP: the release since which it refuses requests for other hosts, as in `rmcp 1.4.0`, or the argument
    that says the hosts, without which it lets all through."""
    source: str = ""
    """Where the documentation of the library says so."""


NO_ROW = Model("")
"""What is known of a function without a row."""


@dataclass(frozen=True, slots=True)
class Models:
    """The rows that hold for one language, by path."""

    rows: Mapping[str, Model] = field(default_factory=dict)
    _found: dict[str, Model | None] = field(default_factory=dict, repr=False, compare=False)
    """The paths that were asked for: a review asks for each some hundred times."""
    _acting: dict[frozenset[ActName], frozenset[str]] = field(default_factory=dict, repr=False, compare=False)
    """The acts that were asked for: to find one among all rows takes as long as to review a small server."""
    _endings: dict[str, str | None] = field(default_factory=dict, repr=False, compare=False)
    _modules: set[str] = field(default_factory=set, repr=False, compare=False)
    """Of all rows, made when they are first asked for: to go through the rows takes a tenth of the review of a small server."""

    def find_model(self, path: str) -> Model | None:
        """Return the model of a function: by its path, by the first word of its name, or as a method of any type."""
        try:
            return self._found[path]
        except KeyError:
            found = self._found[path] = self._match_model(path)
            return found

    def get_model(self, path: str) -> Model:
        """Return the model of a function; an empty one if it has no row."""
        return self.find_model(path) or NO_ROW

    def has_trait(self, path: str, *traits: Trait) -> bool:
        """Return whether one of some things is so of a function."""
        known = self.get_model(path).traits
        return bool(known) and any(each in known for each in traits)

    def get_maker_model(self, value: Value) -> Model:
        """Return the model of the function that made a value."""
        return self.get_model(value.meaning.by) if isinstance(value.meaning, Made) else NO_ROW

    def _match_model(self, path: str) -> Model | None:
        found = self.rows.get(path)
        if found is None and "." in path[1:]:
            owner, _, name = path.rpartition(".")
            first = name.partition("_")[0]
            found = self.rows.get(f"{owner}.{first}_*") or self.rows.get(f"{owner}.*") or self.rows.get(f".{name}")
        return found

    def find_path_by_ending(self, ending: str) -> str | None:
        """Return the path that ends with the name of a type and of a function, as `Utc.now`; None if none or several do."""
        if not self._endings:
            for path in self.rows:
                module, *names = path.rsplit(".", 2)
                if len(names) == 2 and module and names[0][:1].isupper():
                    shared = ".".join(names) in self._endings
                    self._endings[".".join(names)] = None if shared else path
        return self._endings.get(ending)

    def has_module(self, path: str) -> bool:
        """Return whether a library of that path has rows, or a module that lies directly in a library."""
        if not self._modules:
            for row in self.rows:
                first, _, rest = row.partition(".")
                if first:
                    self._modules.update((first, f"{first}.{rest.partition('.')[0]}"))
        return path in self._modules

    def find_paths_acting(self, acts: frozenset[ActName]) -> frozenset[str]:
        """Return the paths of the functions that do one of some things."""
        found = self._acting.get(acts)
        if found is None:
            found = frozenset(each.path for each in self.iter_models_naming(acts) if not acts.isdisjoint(each.acts))
            self._acting[acts] = found
        return found

    def find_types_acting(self, acts: frozenset[ActName]) -> frozenset[str]:
        """Return the types of what the functions give that do one of some things."""
        return frozenset(self.rows[each].type for each in self.find_paths_acting(acts)) - {""}

    def iter_models_naming(self, acts: frozenset[ActName]) -> Iterator[Model]:
        """Yield at least the rows that name one of some things that a function does, whatever it depends on."""
        paths = self.rows.iter_paths_naming(acts) if isinstance(self.rows, Tables) else self.rows
        return (self.rows[each] for each in list(paths))


class ModelError(ValueError):
    """A row that is not understood: says which, and why."""


BEGINNING = "[[function]]"
PATH = pattern(r"^path\s*=\s*(\[[^\]]*\]|\"[^\"]*\")", re.MULTILINE)
"""The paths of a row, as they are written."""

# `path` is one text or a list of texts: either way the paths are what stands in quotes.
NAME = pattern(r"\"([^\"]*)\"")


class Tables(Mapping[str, Model]):
    """The rows of tables in TOML by path, each read when it is asked for: reading all takes a quarter of a second."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._rows: dict[str, str | Model] = {
            path: row
            for text in texts
            for row in text.split(BEGINNING)[1:]
            for paths in PATH.findall(row)
            for path in NAME.findall(paths)
        }

    def __getitem__(self, path: str) -> Model:
        found = self._rows[path]
        if isinstance(found, str):
            (row,) = tomllib.loads(BEGINNING + found)["function"]
            found = self._rows[path] = _build_model(path, row)
        return found

    def __contains__(self, path: object) -> bool:
        return path in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def iter_paths_naming(self, words: Iterable[str]) -> Iterator[str]:
        """Yield the paths of the rows in which one of some words stands; the others are not read."""
        quoted = [f'"{each}"' for each in words]
        for path, row in self._rows.items():
            if not isinstance(row, str) or any(each in row for each in quoted):
                yield path

    def __len__(self) -> int:
        return len(self._rows)


def _build_model(path: str, row: Mapping[str, Any]) -> Model:
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items() if key != "path"}
    values["unless"] = tuple((name, tuple(kept)) for name, kept in row.get("unless", {}).items())
    values["idle"] = tuple((_parse_place(place), tuple(constants)) for place, constants in row.get("idle", {}).items())
    values["also"] = tuple(
        (_parse_place(place), constant, tuple(acts))
        for place, constants in row.get("also", {}).items()
        for constant, acts in constants.items()
    )
    return Model(path, **cast("dict[str, Any]", values))


def _parse_place(name: str) -> int | str:
    return int(name) if name.isdigit() else name


def parse_tables(tables: Iterable[tuple[str, str]]) -> dict[str, Model]:
    """Return the rows of some tables, each with its name and its text, by path, when all of them are right.

    Raises ModelError for a word that is not of the vocabulary, a field that there is none of, and a function with two rows.
    """
    found: dict[str, Model] = {}
    for table, text in tables:
        for row in tomllib.loads(text).get("function", []):
            named = row.get("path", ())
            for path in [named] if isinstance(named, str) else named:
                if path in found:
                    raise ModelError(f"{table}: {path} has a row already")
                _check(f"{table}: {path}", row)
                found[path] = _build_model(path, row)
    return found


_WORDS = {"returns": Transfer, "labels": Origin, "acts": ActName, "traits": Trait, "runs": Circumstance}


def _check(name: str, row: Mapping[str, Any]) -> None:
    extra = row.keys() - {each.name for each in fields(Model)}
    if extra:
        raise ModelError(f"{name}: there is no field {min(extra)!r}")
    for key, words in _WORDS.items():
        given = row.get(key, ())
        wrong = ({given} if isinstance(given, str) else set(given)) - set(get_args(words))
        if wrong:
            raise ModelError(f"{name}: {min(wrong)!r} is no word for `{key}`")
    for each in (acts for constants in row.get("also", {}).values() for acts in constants.values()):
        if set(each) - set(get_args(ActName)):
            raise ModelError(f"{name}: {min(set(each) - set(get_args(ActName)))!r} is no word for `also`")
    if not row.get("source"):
        raise ModelError(f"{name}: it needs a `source`")


def read_tables(language: str) -> dict[str, str]:
    """Return the tables of a language by name: `reviewer/code/libraries/<language>/*.toml`."""
    folder = files("reviewer.code").joinpath("libraries", language)
    return {
        f"{language}/{each.name}": each.read_text("utf-8") for each in folder.iterdir() if each.name.endswith(".toml")
    }


@cache
def load_models(language: str) -> Models:
    """Return the models of a language and its libraries."""
    return Models(Tables(read_tables(language).values()))
