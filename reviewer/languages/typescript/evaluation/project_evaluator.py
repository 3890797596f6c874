"""Evaluates the code that declares tools, in the form that it is lowered to. Nothing of it runs.

Where a test cannot be told, both branches are evaluated: what is done there carries the test as its condition, and a variable
holds one value or the other. What a library does is known only of the SDK, of zod, and of the language itself.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING

from reviewer.budget import get_budget
from reviewer.code import ir
from reviewer.facts import Condition
from reviewer.languages.typescript.evaluation import arktype, builtin, expressions, statements, typebox, valibot, zod
from reviewer.languages.typescript.evaluation.activations import TsActivation, TsLeaving
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.values import (
    ONLY_A_RUN,
    SYMBOL,
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
SCHEMA_LIBRARIES: Mapping[str, Callable[[Evaluator, Lib, list[TsValue], TsPlace], TsValue]] = {
    **dict.fromkeys(zod.ZOD, zod.call_zod),
    **dict.fromkeys(typebox.MODULES, typebox.call),
    "valibot": valibot.call,
    "arktype": arktype.call,
}
"""What reads the calls of a library of schemas, by the name of its module."""
AGAIN = 3
"""How often one function may be entered within itself."""
OWN = SYMBOL + "class"
"""The entry under which an object of a library holds the class of the project that is derived from its own."""
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
        kept = self.conditions, self.written
        self.conditions, self.written = (), None
        try:
            yield
        finally:
            self.conditions, self.written = kept

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
            case Lib() if callee.module in SCHEMA_LIBRARIES:
                return SCHEMA_LIBRARIES[callee.module](self, callee, args, place)
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
            case Lib(module="arktype"):
                return arktype.read_member(owner, name, place)
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

    # Expressions and statements.

    def evaluate(self, activation: TsActivation, expression: ir.Expression) -> TsValue:
        """Return the value of an expression."""
        if not get_budget().affords("steps"):
            place = activation.locate(expression)
            self.cut.setdefault(activation.code.source.path, place)
            return TsUnknown(statements.TOO_LONG, place)
        return expressions.evaluate(self, activation, expression)

    def run_body(self, activation: TsActivation, body: ir.Body) -> TsLeaving | None:
        """Run some statements; return how they were left, None if they came to their end."""
        return statements.run_body(self, activation, body)

    def assign(self, env: Env, variable: ir.Variable, value: TsValue) -> None:
        """Give a variable a value, in the run that has it."""
        holder = env.find(variable) or env
        if self.written is not None:
            key = (id(holder), variable)
            before = self.written[key][1] if key in self.written else holder.held.get(variable)
            self.written[key] = (holder, before, value)
        holder.held[variable] = value


def cut_opaque(place: TsPlace) -> Opaque:
    """Return the node that names where evaluation ended."""
    return Opaque(f"{statements.TOO_LONG}; what is declared later may be missing", place.span)
