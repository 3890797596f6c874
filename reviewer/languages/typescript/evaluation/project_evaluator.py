"""Evaluates the code that declares tools, in the form that it is lowered to. Nothing of it runs.

Where a test cannot be told, both branches are evaluated: what is done there carries the test as its condition, and a variable
holds one value or the other. What a library does is known only of the SDK, of zod, and of the language itself.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING, Literal, NamedTuple

from reviewer.budget import REASONS, get_budget
from reviewer.code import ir
from reviewer.facts import Condition
from reviewer.languages.typescript.evaluation import builtin, operators, zod
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.values import (
    NULL,
    ONLY_A_RUN,
    UNDEFINED,
    Above,
    Arr,
    Cls,
    Const,
    Either,
    Env,
    Func,
    Lib,
    Maybe,
    Namespace,
    Obj,
    TsMade,
    TsPlace,
    TsSchema,
    TsUnknown,
    TsValue,
    iter_options,
    join,
    strip_conditions,
)
from reviewer.languages.typescript.lowering.expressions import GETTER
from reviewer.languages.typescript.lowering.files import TypeScriptCode
from reviewer.languages.typescript.lowering.statements import DEFAULT
from reviewer.languages.typescript.project.modules import Export, Imported, ScriptModule
from reviewer.records import dataclass
from reviewer.source import Opaque

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 60
"""Calls in calls."""
AGAIN = 3
"""How often one function may be entered within itself."""
MOST_ITERATIONS = 400
"""Rounds of a loop. Tables of tools have tens."""
LONGEST_TEXT = 2**20
"""Characters of a text that is put together."""
TOO_LONG = REASONS["steps"]


class TsLeaving(NamedTuple):
    """How control leaves a body before its end."""

    kind: Literal["return", "raise", "break", "continue"]
    label: ir.JumpLabel | None = None


Written = dict[tuple[int, ir.Variable], tuple[Env, TsValue | None, TsValue]]
"""Variables that a branch wrote, by the environment and the variable: what they held before, and hold now."""


@dataclass(eq=False, slots=True)
class TsActivation:
    """One run of a code."""

    code: TypeScriptCode
    env: Env
    returns: list[tuple[tuple[Condition, ...], TsValue]] = field(default_factory=list)
    exits: dict[ir.JumpLabel, list[tuple[Written, tuple[Condition, ...]]]] = field(default_factory=dict)
    start: tuple[Condition, ...] = ()
    """The conditions under which it was entered."""
    pushed: list[tuple[ir.JumpLabel | None, Condition]] = field(default_factory=list)
    """Conditions that hold since a branch left: until the label's statement ends, or the function."""


GROWING = frozenset({"push", "unshift", "splice", "set", "add"})
"""The methods by which an array, a map or a set has more than before."""


def _hide_what_grows(function: Func) -> None:
    """Mark the arrays and objects that a function puts something into which is run by unseen code: they may hold more."""
    for code in ir.iter_codes(function.code):
        for each in ir.iter_statements(code.body):
            match each:
                case ir.Call(callee=ir.Field(owner=ir.Read(variable=variable), name=name)) if name in GROWING:
                    pass
                case ir.Store(place=ir.Item(owner=ir.Read(variable=variable))):
                    pass
                case _:
                    continue
            env = function.env.find(variable)
            held = strip_conditions(env.held[variable]) if env is not None else None
            if isinstance(held, Arr | Obj):
                held.hidden = held.hidden or "a function puts more into it that other code calls"


@dataclass(eq=False)
class ProjectEvaluator(Evaluator):
    """Evaluates in the form that the code is lowered to."""

    _envs: dict[str, Env] = field(default_factory=dict)
    _running: list[TsActivation] = field(default_factory=list)
    _written: Written | None = None

    # Modules.

    def evaluate_module(self, module: ScriptModule) -> Env:
        """Return the variables of a module, which is run when it is first asked for."""
        env = self._envs.get(module.path)
        if env is None:
            env = self._envs[module.path] = Env(module=module)
            for name in module.bare_imports:
                other = self.modules.resolve(name, module.path)
                if other is not None:
                    self.evaluate_module(other)
            with self._alone():
                self._run(TsActivation(module.code, env))
        return env

    @contextmanager
    def _alone(self) -> "Iterator[None]":
        """Run something as if nothing stood around it."""
        kept = self.conditions, self._written
        self.conditions, self._written = (), None
        try:
            yield
        finally:
            self.conditions, self._written = kept

    def export(self, module: ScriptModule, name: str, seen: frozenset[tuple[str, str]] = frozenset()) -> TsValue | None:
        """Return the export of a module, None if it has none of the name."""
        if (module.path, name) in seen:
            return None
        seen |= {(module.path, name)}
        told: Export | None = module.exports.get(name)
        if told is not None and told.of is not None:
            return self.evaluate_import(told.of, module, seen)
        if told is not None:
            return self.evaluate_name(told.local, module)
        for each in module.stars:
            other = self.modules.resolve(each, module.path)
            if other is None:
                continue
            found = self.export(other, name, seen) if name != DEFAULT else None
            if found is not None:
                return found
        outside = [each for each in module.stars if self.modules.resolve(each, module.path) is None]
        return Lib(outside[0], (name,)) if len(outside) == 1 and name != DEFAULT else None

    def evaluate_import(
        self, given: Imported, importer: ScriptModule, seen: frozenset[tuple[str, str]] = frozenset()
    ) -> TsValue:
        """Return the value of an import."""
        module = self.modules.resolve(given.module, importer.path)
        if module is None:
            data = self.modules.find_json(given.module, importer.path)
            if data is not None:
                return builtin.from_json(data, self.conditions)
            if given.module.startswith("."):
                return TsUnknown(f"`{given.module}` is not there")
            return Lib(given.module.removeprefix("node:"), (given.name,) if given.name is not None else ())
        if given.name is None:
            return Namespace(module)
        found = self.export(module, given.name, seen)
        if found is None and given.name == DEFAULT:
            return Namespace(module)
        return found if found is not None else TsUnknown(f"`{given.module}` has no `{given.name}`")

    def evaluate_name(self, name: str, module: ScriptModule) -> TsValue:
        """Return the value of a name of a module."""
        env = self.evaluate_module(module)
        variable = module.code.scope.variables.get(name)
        if variable is not None and variable in env.held:
            return env.held[variable]
        told = module.imports.get(name)
        if told is not None:
            return self.evaluate_import(told, module)
        if variable is not None:
            return TsUnknown("its module is still being evaluated")
        return Lib("", (name,)) if name != "undefined" else UNDEFINED

    def list_exports(self, module: ScriptModule, deep: int = 8) -> list[str]:
        """Return the names that a module gives, as an object of them has them: in the order of the alphabet."""
        names = set(module.exports)
        for each in module.stars:
            other = self.modules.resolve(each, module.path)
            if other is not None and deep:
                names |= set(self.list_exports(other, deep - 1)) - {DEFAULT}
        return sorted(names)

    # Functions.

    def call(self, callee: TsValue, args: list[TsValue], place: TsPlace, this: TsValue | None = None) -> TsValue:
        """Return the result of a call."""
        callee = strip_conditions(callee)
        match callee:
            case Func():
                return self._enter(callee, args, place, this)
            case Cls():
                return self.make(callee, args, place)
            case Either(options=options):
                found = []
                for conditions, each in options:
                    with self.with_conditions(conditions):
                        found.append((conditions, self.call(each, args, place, this)))
                return join(found)
            case Lib() if zod.is_zod(callee):
                return zod.call_zod(self, callee, args, place)
            case Above(base=base):
                return self._call_above(callee, base, args, place)
        known = self.hook(self, callee, "", args, place)
        if known is not None:
            return known
        if isinstance(callee, Lib):
            return builtin.call(self, callee, args, place)
        self.hand_out(args)
        return TsUnknown(callee.reason if isinstance(callee, TsUnknown) else ONLY_A_RUN, place)

    def call_method(self, owner: TsValue, name: str, args: list[TsValue], place: TsPlace) -> TsValue:
        """Return the result of a call of a method."""
        owner = strip_conditions(owner)
        if isinstance(owner, Either):
            found = []
            for conditions, each in owner.options:
                with self.with_conditions(conditions):
                    found.append((conditions, self.call_method(each, name, args, place)))
            return join(found)
        if isinstance(owner, TsSchema):
            return zod.call_method(self, owner, name, args, place)
        if isinstance(owner, Lib):
            given = builtin.call_method(self, owner, name, args, place)
            return given if given is not None else self.call(self._extend_library_path(owner, name), args, place)
        known = self.hook(self, owner, name, args, place)
        if known is not None:
            return known
        if isinstance(owner, Func) and name in ("call", "apply", "bind"):
            return self._call_rebound(owner, name, args, place)
        told = self.read_own(owner, name, place)
        if told is not None and not isinstance(told, Const):
            return self.call(told, args, place, owner)
        made = builtin.call_method(self, owner, name, args, place)
        if made is not None:
            return made
        self.hand_out(args)
        if isinstance(owner, TsMade):
            return TsMade(self._extend_library_path(owner, name), tuple(args), place, owner)
        return TsUnknown(owner.reason if isinstance(owner, TsUnknown) else ONLY_A_RUN, place)

    def _extend_library_path(self, owner: "Lib | TsMade", name: str) -> Lib:
        by = owner if isinstance(owner, Lib) else owner.by
        return Lib(by.module, (*by.names, name))

    def _call_rebound(self, function: Func, name: str, args: list[TsValue], place: TsPlace) -> TsValue:
        this, rest = args[0] if args else UNDEFINED, args[1:]
        if name == "bind":
            return Func(function.code, function.env, function.this or this, function.home, (*function.leading, *rest))
        given = rest
        if name == "apply":
            first = strip_conditions(rest[0]) if rest else UNDEFINED
            given = first.items if isinstance(first, Arr) else []
        return self.call(function, given, place, this)

    def hand_out(self, args: Iterable[TsValue]) -> None:
        """Record functions that are passed to unseen code."""
        for each in args:
            for conditions, value in iter_options(each):
                if isinstance(value, Func):
                    self.waiting.append((value, (*self.conditions, *conditions)))
                    _hide_what_grows(value)
                elif isinstance(value, Obj) and value.made_by is None:
                    inner = [one for one in value.entries.values() if isinstance(one, Func)]
                    self.waiting += [(one, self.conditions) for one in inner if one.code not in self.entered]

    def _enter(self, function: Func, args: list[TsValue], place: TsPlace, this: TsValue | None) -> TsValue:
        code = function.code
        nested = sum(1 for each in self._running if each.code is code)
        if len(self._running) >= DEEPEST or nested >= AGAIN:
            return TsUnknown("the calls are nested too deeply", place)
        self.entered.add(code)
        if code.role and not code.is_static:
            receiver = function.this if function.this is not None else this
            args = [receiver if receiver is not None else UNDEFINED, *function.leading, *args]
            this = args[0]
        else:
            args = [*function.leading, *args]
            this = function.env.this
        env = Env(around=function.env, module=function.env.module, this=this, home=function.home or function.env.home)
        self._bind(code, env, args, place)
        activation = TsActivation(code, env)
        ends = self._run(activation)
        if code.is_generator:
            return TsUnknown(ONLY_A_RUN, place)
        if ends is None:
            activation.returns.append(((), UNDEFINED))
        if not activation.returns:
            return TsUnknown("it always fails", place)
        *_, (_, last) = activation.returns
        return last if len(activation.returns) == 1 else join(activation.returns)

    def _bind(self, code: TypeScriptCode, env: Env, args: list[TsValue], place: TsPlace) -> None:
        for at, each in enumerate(code.parameters):
            if each.kind == "rest":
                env.held[each.variable] = Arr(list(args[at:]), place, conditions=self.conditions)
            else:
                env.held[each.variable] = args[at] if at < len(args) else UNDEFINED

    def _run(self, activation: TsActivation) -> TsLeaving | None:
        """Run a body to its end."""
        before, self._running = self.conditions, [*self._running, activation]
        activation.start = before
        try:
            return self.run_body(activation, activation.code.body)
        except RecursionError:
            self.cut.setdefault(activation.code.source.path, TsPlace(activation.code.source, activation.code.at))
            return TsLeaving("raise")
        finally:
            self._running = self._running[:-1]
            self.conditions = before

    @contextmanager
    def with_conditions(self, conditions: tuple[Condition, ...]) -> "Iterator[None]":
        """Evaluate something that happens only under some conditions."""
        before = self.conditions
        self.conditions = (*before, *(each for each in conditions if each not in before))
        try:
            yield
        finally:
            self.conditions = before

    # Classes.

    def make(self, cls: Cls, args: list[TsValue], place: TsPlace) -> TsValue:
        """Return an object of a class."""
        made: TsValue = Obj({}, place, made_by=cls, conditions=self.conditions)
        base = cls.library_base
        if base is not None:
            known = self.hook(self, base, "", args, place)
            made = known if known is not None else made
            if isinstance(made, Obj):
                made.hidden = f"`{base.name}` is of a library"
            elif isinstance(made, TsMade):
                made.entries[OWN] = cls
        self._construct(cls, made, args, place)
        return made

    def _construct(self, cls: Cls, this: TsValue, args: list[TsValue], place: TsPlace) -> None:
        code = cls.code.made
        if code is None:
            if isinstance(cls.base, Cls):
                self._construct(cls.base, this, args, place)
            return
        self._enter(Func(code, cls.env, this, cls), args, place, this)

    def _call_above(self, above: Above, base: TsValue | None, args: list[TsValue], place: TsPlace) -> TsValue:
        if isinstance(base, Cls) and above.this is not None:
            self._construct(base, above.this, args, place)
        elif isinstance(above.this, TsMade):
            above.this.args = tuple(args)  # what the SDK is told by a class that is derived from it
        return UNDEFINED

    # Members.

    def read(self, owner: TsValue, name: str, place: TsPlace) -> TsValue:
        """Return the member of an object."""
        owner = strip_conditions(owner)
        if isinstance(owner, Either):
            return join([(conditions, self.read(each, name, place)) for conditions, each in owner.options])
        found = self.read_own(owner, name, place)
        if found is not None:
            return found
        match owner:
            case Lib():
                return Lib(owner.module, (*owner.names, name))
            case TsUnknown():
                return TsUnknown(owner.reason, place, owner.is_configured)
            case Obj():
                return TsUnknown(owner.hidden, place) if owner.hidden else UNDEFINED
            case TsMade():
                return TsMade(self._extend_library_path(owner, name), (), place, owner)
            case Const() if owner.value is None:
                return TsUnknown("it fails there", place)
        return TsUnknown(ONLY_A_RUN, place)

    def read_own(self, owner: TsValue, name: str, place: TsPlace) -> TsValue | None:
        """Return the member that an object is seen to have, None if it is not seen."""
        match owner:
            case Obj(entries=entries, made_by=cls):
                if name in entries:
                    return self.read_entry(entries[name], owner, place)
                return self._read_member(cls, owner, name, place) if cls is not None else None
            case TsMade(entries=entries):
                if name in entries:
                    return entries[name]
                own = entries.get(OWN)
                return self._read_member(own, owner, name, place) if isinstance(own, Cls) else None
            case Cls():
                found = owner.find(name)
                if name == "name" and found is None:
                    return Const(owner.code.name, place)
                return Func(found.code, found.env, owner, found.home) if isinstance(found, Func) else found
            case Above(base=base, this=this):
                return (
                    self._read_member(base, this, name, place) if isinstance(base, Cls) and this is not None else None
                )
            case Namespace(module=module):
                return self.export(module, name)
            case TsSchema():
                return zod.read_member(self, owner, name, place)
            case Lib():
                return builtin.read(owner, name, place)
        return builtin.read_member(self, owner, name, place)

    def read_entry(self, value: TsValue, owner: TsValue, place: TsPlace) -> TsValue:
        """Return the value of an entry; one that a function gives is computed."""
        if isinstance(value, TsMade) and value.by.path == GETTER:
            return self.call(value.args[0], [], place, owner)
        return value

    def _read_member(self, cls: Cls, owner: TsValue, name: str, place: TsPlace) -> TsValue | None:
        found = cls.find(name)
        if not isinstance(found, Func) or found.code.is_static:
            return None
        bound = Func(found.code, found.env, owner, found.home)
        return self.call(bound, [], place) if found.code.role == "getter" else bound

    def write(self, owner: TsValue, name: str, value: TsValue) -> None:
        """Let an object hold a value under a name."""
        for conditions, each in iter_options(owner):
            if isinstance(each, Obj):
                more = tuple(one for one in (*self.conditions, *conditions) if one not in each.conditions)
                old = each.entries.get(name)
                if more and old is not None:
                    each.entries[name] = join([(more, value), ((), old)])
                else:
                    each.entries[name] = Maybe(value, more) if more else value
            elif isinstance(each, TsMade):
                each.entries[name] = value
            elif isinstance(each, Cls):
                each.members[name] = value
            elif isinstance(each, Arr) and name.isdigit():
                at = int(name)
                if at < len(each.items):
                    each.items[at] = value
                elif at == len(each.items):
                    each.items.append(value)

    # Expressions.

    def evaluate(self, activation: TsActivation, expression: ir.Expression) -> TsValue:
        """Return the value of an expression."""
        if not get_budget().affords("steps"):
            place = TsPlace(activation.code.source, expression.at)
            self.cut.setdefault(activation.code.source.path, place)
            return TsUnknown(TOO_LONG, place)
        return _EXPRESSIONS[type(expression)](self, activation, expression)

    def concatenate_texts(self, values: list[TsValue], place: TsPlace) -> TsValue:
        """Return the text that some values make one after another."""
        return operators.concatenate(values, place)

    # Statements.

    def run_body(self, activation: TsActivation, body: ir.Body) -> TsLeaving | None:
        """Run some statements; return how they were left, None if they came to their end."""
        for each in body:
            leaving = _STATEMENTS[type(each)](self, activation, each)
            if leaving is not None:
                return leaving
        return None

    def assign(self, env: Env, variable: ir.Variable, value: TsValue) -> None:
        """Give a variable a value, in the run that has it."""
        holder = env.find(variable) or env
        if self._written is not None:
            key = (id(holder), variable)
            before = self._written[key][1] if key in self._written else holder.held.get(variable)
            self._written[key] = (holder, before, value)
        holder.held[variable] = value

    def _run_branch(
        self, activation: TsActivation, body: ir.Body, condition: Condition
    ) -> tuple[Written, TsLeaving | None]:
        """Run a body that may be run or not; return what it wrote, which is taken back, and how it was left."""
        outer, self._written = self._written, {}
        before, pushed = self.conditions, list(activation.pushed)
        self.conditions = (*before, condition)
        try:
            leaving = self.run_body(activation, body)
        finally:
            written, self._written = self._written, outer
            self.conditions, activation.pushed = before, pushed
            for (_, variable), (env, old, _) in written.items():
                if old is None:
                    env.held.pop(variable, None)
                else:
                    env.held[variable] = old
        return written, leaving

    def _merge(self, ways: Sequence[tuple[Written, tuple[Condition, ...]]]) -> None:
        """Let each variable hold what one of several ways gave it, or what it held before."""
        keys: dict[tuple[int, ir.Variable], Env] = {}
        for written, _ in ways:
            keys.update({key: env for key, (env, _, _) in written.items()})
        for key, env in keys.items():
            variable = key[1]
            now = env.held.get(variable)
            options = [
                (conditions, written[key][2] if key in written else now)
                for written, conditions in ways
                if key in written or now is not None
            ]
            told = [(conditions, each) for conditions, each in options if each is not None]
            if told:
                self.assign(env, variable, join(told))

    def run_if(self, activation: TsActivation, statement: ir.If) -> TsLeaving | None:
        """Run one branch, or both if the test cannot be told."""
        value = self.evaluate(activation, statement.test)
        truth = operators.find_truth(value)
        if truth is not None:
            return self.run_body(activation, statement.then if truth else statement.otherwise)
        place = TsPlace(activation.code.source, statement.test.at)
        holds, fails = _build_branch_conditions(place, statement.test)
        one, left = self._run_branch(activation, statement.then, holds)
        other, left_else = self._run_branch(activation, statement.otherwise, fails)
        ways = [(one, holds, left), (other, fails, left_else)]
        staying = [(written, (condition,)) for written, condition, leaving in ways if leaving is None]
        for written, condition, leaving in ways:
            if leaving is not None and leaving.kind == "break" and leaving.label is not None:
                activation.exits.setdefault(leaving.label, []).append((written, (condition,)))
        if not staying:
            return left if left is not None and left.kind != "raise" else left_else
        self._merge(staying)
        if len(staying) == 1:
            away = left if left is not None else left_else
            kept = fails if left is not None else holds
            if away is not None and away.kind != "raise":
                label = away.label if away.kind in ("break", "continue") else None
                self.conditions = (*self.conditions, kept)
                activation.pushed.append((label, kept))
        return None

    def close_statement(self, activation: TsActivation, label: ir.JumpLabel, *, goes_on: bool = True) -> None:
        """End what held only inside a statement that has ended, and take in what left it before.

        `goes_on` tells that control may come to its end as well.
        """
        ended = [condition for each, condition in activation.pushed if each is label]
        if ended:
            self.conditions = tuple(each for each in self.conditions if each not in ended)
            activation.pushed = [each for each in activation.pushed if each[0] is not label]
        exits = activation.exits.pop(label, [])
        if exits:
            fails = tuple(_negate(each) for _, conditions in exits for each in conditions)
            self._merge([*exits, ({}, fails)] if goes_on else exits)

    def run_loop(self, activation: TsActivation, statement: ir.Loop) -> TsLeaving | None:
        """Run the rounds of a loop, as far as they can be told."""
        if statement.over is None:
            return self._run_while(activation, statement)
        over = self.evaluate(activation, statement.over)
        place = TsPlace(activation.code.source, statement.over.at)
        items, hidden = builtin.list_items(self, over, place)
        for number, (conditions, each) in enumerate(items):
            if number >= MOST_ITERATIONS:
                hidden = "there are too many rounds"
                break
            with self.with_conditions(conditions):
                leaving = self._round(activation, statement, each)
            if leaving is not None and leaving.kind == "break" and leaving.label is statement.label:
                hidden = ""
                break
            if leaving is not None and not (leaving.kind == "continue" and leaving.label is statement.label):
                self.close_statement(activation, statement.label)
                return leaving
        if hidden:
            condition = Condition(f"each of `{place.text}`", place.span)
            written, leaving = self._run_branch_round(activation, statement, TsUnknown(hidden, place), condition)
            nothing: Written = {}
            self._merge([(written, (condition,)), (nothing, ())])
        self.close_statement(activation, statement.label)
        return None

    def _round(self, activation: TsActivation, statement: ir.Loop, element: TsValue) -> TsLeaving | None:
        if statement.element is not None:
            activation.env.held[statement.element] = element
        leaving = self.run_body(activation, statement.body)
        ended = [condition for label, condition in activation.pushed if label is statement.label]
        self.conditions = tuple(each for each in self.conditions if each not in ended)
        activation.pushed = [each for each in activation.pushed if each[0] is not statement.label]
        return leaving

    def _run_branch_round(
        self, activation: TsActivation, statement: ir.Loop, element: TsValue, condition: Condition
    ) -> tuple[Written, TsLeaving | None]:
        if statement.element is not None:
            activation.env.held[statement.element] = element
        return self._run_branch(activation, statement.body, condition)

    def _run_while(self, activation: TsActivation, statement: ir.Loop) -> TsLeaving | None:
        for _ in range(MOST_ITERATIONS):
            known = len(activation.exits.get(statement.label, ()))
            leaving = self._round(activation, statement, UNDEFINED)
            if leaving is not None and leaving.kind == "break" and leaving.label is statement.label:
                break
            if leaving is not None and not (leaving.kind == "continue" and leaving.label is statement.label):
                self.close_statement(activation, statement.label)
                return leaving
            if len(activation.exits.get(statement.label, ())) != known:
                break  # nobody can tell whether there is another round
        self.close_statement(activation, statement.label)
        return None


OWN = " class"
"""The entry under which an object of a library holds the class of the project that is derived from its own."""


def _build_branch_conditions(place: TsPlace, test: ir.Expression) -> tuple[Condition, Condition]:
    """Return the conditions in the two branches of a test."""
    text = " ".join(place.text.split())
    inner, is_negated = test, False
    while isinstance(inner, ir.Not):
        inner, is_negated = inner.operand, not is_negated
    span = place.span
    if is_negated and not text.startswith("!") and "!=" not in text:
        return Condition(f"!({text})", span), Condition(text, span)
    return Condition(text, span), Condition(f"!({text})", span)


def _negate(condition: Condition) -> Condition:
    text = condition.text
    turned = text[2:-1] if text.startswith("!(") and text.endswith(")") else f"!({text})"
    return Condition(turned, condition.span)


# Expressions.


def _place(activation: TsActivation, node: ir.Expression | ir.Statement) -> TsPlace:
    return TsPlace(activation.code.source, node.at)


def _evaluate_constant(run: ProjectEvaluator, activation: TsActivation, expression: ir.Constant) -> TsValue:
    value = expression.value
    if value is None:
        return NULL
    return (
        Const(value, _place(activation, expression))
        if isinstance(value, str | int | float | bool)
        else TsUnknown(ONLY_A_RUN)
    )


def _evaluate_read(run: ProjectEvaluator, activation: TsActivation, expression: ir.Read) -> TsValue:
    env = activation.env.find(expression.variable)
    if env is not None:
        return env.held[expression.variable]
    return (
        UNDEFINED
        if not expression.variable.name
        else TsUnknown("nothing is seen to assign it", _place(activation, expression))
    )


def _evaluate_global(run: ProjectEvaluator, activation: TsActivation, expression: ir.Global) -> TsValue:
    name = expression.path[0]
    if name == "undefined":
        return UNDEFINED
    if name == "this":
        return activation.env.this or TsUnknown(ONLY_A_RUN, _place(activation, expression))
    if name == "super":
        home = activation.env.home
        return Above(home.base if home is not None else None, activation.env.this)
    module = activation.env.module
    return run.evaluate_name(name, module) if module is not None else Lib("", (name,))


def _evaluate_import(run: ProjectEvaluator, activation: TsActivation, expression: ir.Import) -> TsValue:
    module = activation.env.module
    return (
        run.evaluate_import(Imported(expression.module, expression.name), module)
        if module is not None
        else TsUnknown(ONLY_A_RUN)
    )


def _evaluate_field(run: ProjectEvaluator, activation: TsActivation, expression: ir.Field) -> TsValue:
    return run.read(run.evaluate(activation, expression.owner), expression.name, _place(activation, expression))


def _evaluate_item(run: ProjectEvaluator, activation: TsActivation, expression: ir.Item) -> TsValue:
    owner, key = run.evaluate(activation, expression.owner), run.evaluate(activation, expression.key)
    return builtin.read_item(run, owner, key, _place(activation, expression))


def _evaluate_slice(run: ProjectEvaluator, activation: TsActivation, expression: ir.Slice) -> TsValue:
    owner = strip_conditions(run.evaluate(activation, expression.owner))
    low = run.evaluate(activation, expression.low) if expression.low is not None else None
    start = low.value if isinstance(low, Const) and isinstance(low.value, int) else 0
    if isinstance(owner, Arr):
        return Arr(owner.items[start:], _place(activation, expression), owner.hidden, run.conditions)
    return TsUnknown(ONLY_A_RUN, _place(activation, expression))


def _evaluate_arithmetic(run: ProjectEvaluator, activation: TsActivation, expression: ir.Arithmetic) -> TsValue:
    left, right = run.evaluate(activation, expression.left), run.evaluate(activation, expression.right)
    return operators.combine(expression.operator, left, right, _place(activation, expression))


def _evaluate_comparison(run: ProjectEvaluator, activation: TsActivation, expression: ir.Comparison) -> TsValue:
    left, right = run.evaluate(activation, expression.left), run.evaluate(activation, expression.right)
    return operators.compare(expression.operator, left, right, _place(activation, expression))


def _evaluate_not(run: ProjectEvaluator, activation: TsActivation, expression: ir.Not) -> TsValue:
    value = run.evaluate(activation, expression.operand)
    truth = operators.find_truth(value)
    return Const(not truth) if truth is not None else TsUnknown(ONLY_A_RUN, _place(activation, expression))


def _evaluate_kind_test(run: ProjectEvaluator, activation: TsActivation, expression: ir.IsKind) -> TsValue:
    operand = run.evaluate(activation, expression.operand)
    kind = run.evaluate(activation, expression.kind) if not _is_typeof(expression.kind) else None
    name = expression.kind.path[1] if isinstance(expression.kind, ir.Global) and kind is None else ""
    return operators.test_kind(operand, kind, name, _place(activation, expression))


def _is_typeof(kind: ir.Expression) -> bool:
    return isinstance(kind, ir.Global) and len(kind.path) == 2 and kind.path[0] == "typeof"


def _evaluate_interpolation(run: ProjectEvaluator, activation: TsActivation, expression: ir.Interpolation) -> TsValue:
    return run.concatenate_texts(
        [run.evaluate(activation, each) for each in expression.parts], _place(activation, expression)
    )


def _evaluate_sequence(run: ProjectEvaluator, activation: TsActivation, expression: ir.Sequence) -> TsValue:
    made = Arr([], _place(activation, expression), conditions=run.conditions)
    for each in expression.elements:
        if isinstance(each, ir.Spread):
            value = run.evaluate(activation, each.operand)
            items, hidden = builtin.list_items(run, value, _place(activation, each))
            made.items += [Maybe(item, conditions) if conditions else item for conditions, item in items]
            made.hidden = made.hidden or hidden
        else:
            made.items.append(run.evaluate(activation, each))
    return made


def _evaluate_record(run: ProjectEvaluator, activation: TsActivation, expression: ir.Record) -> TsValue:
    place = _place(activation, expression)
    made = Obj({}, place, conditions=run.conditions)
    for key, each in expression.entries:
        if key is None:
            operand = each.operand if isinstance(each, ir.Spread) else each
            builtin.spread_into(run, made, run.evaluate(activation, operand), _place(activation, each))
            continue
        name = strip_conditions(run.evaluate(activation, key))
        if isinstance(each, ir.Unknown) and each.reason == GETTER and each.parts:
            value: TsValue = TsMade(Lib("", (GETTER,)), (run.evaluate(activation, each.parts[0]),), place)
        else:
            value = run.evaluate(activation, each)
        if isinstance(name, Const) and name.value is not None:
            made.entries[operators.to_string(name.value)] = value
        else:
            made.hidden = made.hidden or "it has a key that only a run tells"
    return made


def _evaluate_closure(run: ProjectEvaluator, activation: TsActivation, expression: ir.Closure) -> TsValue:
    code = expression.code
    assert isinstance(code, TypeScriptCode)
    if code.kind == "class":
        return _make_class(run, activation, code)
    return Func(code, activation.env)


def _make_class(run: ProjectEvaluator, activation: TsActivation, code: TypeScriptCode) -> TsValue:
    base = run.evaluate(activation, code.bases[0].value) if code.bases else None
    env = Env(around=activation.env, module=activation.env.module)
    cls = Cls(code, env, strip_conditions(base) if base is not None else None)
    env.this, env.home = cls, cls
    if code.name and (variable := code.scope.find(code.name)) is not None:
        holder = activation.env.find(variable) or activation.env
        holder.held.setdefault(variable, cls)
    inner = TsActivation(code, env)
    for each in code.body:
        if isinstance(each, ir.Assign) and each.target.name:
            value = run.evaluate(inner, each.value)
            if isinstance(value, Func) and value.code.role:
                value.home = cls
            cls.members[each.target.name] = value
        else:
            _STATEMENTS[type(each)](run, inner, each)
    return cls


def _cast(run: ProjectEvaluator, activation: TsActivation, expression: ir.Cast) -> TsValue:
    return builtin.cast(
        run, run.evaluate(activation, expression.operand), expression.kind, _place(activation, expression)
    )


def _evaluate_unknown(run: ProjectEvaluator, activation: TsActivation, expression: ir.Expression) -> TsValue:
    for each in ir.iter_operands(expression):
        run.evaluate(activation, each)
    return TsUnknown(ONLY_A_RUN, _place(activation, expression))


_EXPRESSIONS: dict[type, Callable[..., TsValue]] = {
    ir.Constant: _evaluate_constant,
    ir.Read: _evaluate_read,
    ir.Global: _evaluate_global,
    ir.Import: _evaluate_import,
    ir.Field: _evaluate_field,
    ir.Item: _evaluate_item,
    ir.Slice: _evaluate_slice,
    ir.Length: _evaluate_unknown,
    ir.Range: _evaluate_unknown,
    ir.Arithmetic: _evaluate_arithmetic,
    ir.Comparison: _evaluate_comparison,
    ir.Not: _evaluate_not,
    ir.IsPresent: _evaluate_unknown,
    ir.Succeeds: _evaluate_unknown,
    ir.ResultOf: _evaluate_unknown,
    ir.IsKind: _evaluate_kind_test,
    ir.Failure: _evaluate_unknown,
    ir.ReasonOf: _evaluate_unknown,
    ir.Interpolation: _evaluate_interpolation,
    ir.Sequence: _evaluate_sequence,
    ir.Spread: _evaluate_unknown,
    ir.Record: _evaluate_record,
    ir.Closure: _evaluate_closure,
    ir.Cast: _cast,
    ir.Unknown: _evaluate_unknown,
}


# Statements.


def _run_assign(run: ProjectEvaluator, activation: TsActivation, statement: ir.Assign) -> None:
    run.assign(activation.env, statement.target, run.evaluate(activation, statement.value))


def _run_store(run: ProjectEvaluator, activation: TsActivation, statement: ir.Store) -> None:
    value = run.evaluate(activation, statement.value)
    match statement.place:
        case ir.Field(owner=owner, name=name):
            run.write(run.evaluate(activation, owner), name, value)
        case ir.Item(owner=owner, key=key):
            told = strip_conditions(run.evaluate(activation, key))
            where = run.evaluate(activation, owner)
            if isinstance(told, Const) and told.value is not None:
                run.write(where, operators.to_string(told.value), value)
            elif isinstance(where, Obj):
                where.hidden = where.hidden or "it has a key that only a run tells"
        case ir.Global(path=(name,)):
            module = activation.env.module
            variable = module.code.scope.variables.get(name) if module is not None else None
            if module is not None and variable is not None:
                run.assign(run.evaluate_module(module), variable, value)


def _run_call(run: ProjectEvaluator, activation: TsActivation, statement: ir.Call) -> None:
    place = _place(activation, statement)
    callee = statement.callee
    owner = run.evaluate(activation, callee.owner) if isinstance(callee, ir.Field) else None
    function = run.evaluate(activation, callee) if owner is None else None
    args: list[TsValue] = []
    hidden = ""
    for each in statement.arguments:
        if isinstance(each.value, ir.Spread):
            items, reason = builtin.list_items(run, run.evaluate(activation, each.value.operand), place)
            args += [item for _, item in items]
            hidden = hidden or reason
        else:
            args.append(run.evaluate(activation, each.value))
    if not get_budget().affords("steps"):
        run.cut.setdefault(activation.code.source.path, place)
        result: TsValue = TsUnknown(TOO_LONG, place)
    elif hidden and function is None and not args:
        result = TsUnknown(hidden, place)
    elif owner is not None and isinstance(callee, ir.Field):
        result = run.call_method(owner, callee.name, args, place)
    else:
        assert function is not None
        result = run.call(function, args, place)
    activation.env.held[statement.target] = result


def _run_await(run: ProjectEvaluator, activation: TsActivation, statement: ir.Await) -> None:
    activation.env.held[statement.target] = run.evaluate(activation, statement.operand)


def _run_yield(run: ProjectEvaluator, activation: TsActivation, statement: ir.Yield) -> None:
    run.evaluate(activation, statement.value)
    activation.env.held[statement.target] = TsUnknown(ONLY_A_RUN)


def _run_evaluate(run: ProjectEvaluator, activation: TsActivation, statement: ir.Evaluate) -> None:
    run.evaluate(activation, statement.value)


def _run_delete(run: ProjectEvaluator, activation: TsActivation, statement: ir.Delete) -> None:
    match statement.place:
        case ir.Field(owner=where, name=name):
            key: TsValue = Const(name)
        case ir.Item(owner=where, key=told):
            key = strip_conditions(run.evaluate(activation, told))
        case _:
            return
    owner = run.evaluate(activation, where)
    if isinstance(owner, Obj) and isinstance(key, Const):
        is_sure = all(each in owner.conditions for each in run.conditions)
        name = operators.to_string(key.value)
        if is_sure:
            owner.entries.pop(name, None)
        elif name in owner.entries:
            owner.entries[name] = Maybe(owner.entries[name], tuple(_negate(each) for each in run.conditions[-1:]))


def _run_block(run: ProjectEvaluator, activation: TsActivation, statement: ir.Block) -> TsLeaving | None:
    leaving = run.run_body(activation, statement.body)
    exits = list(activation.exits.get(statement.label, ()))
    ends_elsewhere = leaving is not None and leaving.label is not statement.label
    run.close_statement(activation, statement.label, goes_on=not ends_elsewhere)
    if not ends_elsewhere:
        return None
    if exits and leaving is not None and leaving.kind == "return":
        kept = exits[0][1][-1]
        run.conditions = (*run.conditions, kept)
        activation.pushed.append((None, kept))
    return None if exits else leaving


def _run_return(run: ProjectEvaluator, activation: TsActivation, statement: ir.Return) -> TsLeaving:
    value = run.evaluate(activation, statement.value)
    told = tuple(each for each in run.conditions if each not in activation.start)
    activation.returns.append((told, value))
    return TsLeaving("return")


def _run_raise(run: ProjectEvaluator, activation: TsActivation, statement: ir.Raise) -> TsLeaving:
    if statement.value is not None:
        run.evaluate(activation, statement.value)
    return TsLeaving("raise")


def _run_try(run: ProjectEvaluator, activation: TsActivation, statement: ir.Try) -> TsLeaving | None:
    leaving = run.run_body(activation, statement.body)
    if leaving is not None and leaving.kind == "raise" and statement.catches:
        catch = statement.catches[0]
        if catch.variable is not None:
            activation.env.held[catch.variable] = TsUnknown(ONLY_A_RUN)
        leaving = run.run_body(activation, catch.body)
    last = run.run_body(activation, statement.always)
    return last if last is not None else leaving


_STATEMENTS: dict[type, Callable[..., TsLeaving | None]] = {
    ir.Assign: _run_assign,
    ir.Store: _run_store,
    ir.Call: _run_call,
    ir.Await: _run_await,
    ir.Yield: _run_yield,
    ir.Evaluate: _run_evaluate,
    ir.Delete: _run_delete,
    ir.If: lambda run, activation, statement: run.run_if(activation, statement),
    ir.Loop: lambda run, activation, statement: run.run_loop(activation, statement),
    ir.Block: _run_block,
    ir.Break: lambda run, activation, statement: TsLeaving("break", statement.label),
    ir.Continue: lambda run, activation, statement: TsLeaving("continue", statement.label),
    ir.Return: _run_return,
    ir.Raise: _run_raise,
    ir.Try: _run_try,
}


def cut_opaque(place: TsPlace) -> Opaque:
    """Return the node that names where evaluation ended."""
    return Opaque(f"{TOO_LONG}; what is declared later may be missing", place.span)
