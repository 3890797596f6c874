"""What the project does with what it keeps under a name: whether any of its functions may end that, or let others do so."""

from collections.abc import Iterator

from reviewer.code import ir
from reviewer.code.program import Program, find_once

LOOKING = frozenset(
    "done cancelled is_finished is_alive is_set is_cancelled get_name set_name name id len length is_empty is_some is_none "
    "contains_key contains has keys count add_done_callback discard clear start is_active".split()
)
"""Methods that only tell something of what is kept, let go of it, or begin it."""

GIVING = frozenset(
    "lock write read try_lock borrow borrow_mut unwrap expect unwrap_or_default as_ref as_mut as_deref as_deref_mut clone cloned "
    "copied ok get get_mut pop remove popitem take replace swap items values values_mut iter iter_mut into_iter drain entry "
    "setdefault or_insert or_insert_with copy __getitem__ pop_front pop_back remove_entry get_or_insert_with".split()
)
"""Methods that give what is kept, or part of it."""

PUTTING = frozenset("append add push insert push_back push_front put extend store update".split())
"""Methods that put something into what is kept. What they give was there under the same key, and is replaced: nothing ends by
that which is kept under another."""

PLAIN = frozenset(
    "len bool print str repr list tuple set sorted dict id isinstance type drop Some Arc Ok Box clone".split()
)
"""Functions that may be handed what is kept, and do nothing with it."""


def may_be_ended(name: str, program: Program, own: frozenset[ir.Code] = frozenset()) -> bool:
    """Return whether a function of the project may end what is kept under a name, or hands it to what may.

    What the kept work does itself, in `own`, does not count.
    """
    return any(
        find_once(program, code, ("ends", name), lambda code=code: _HandleUses(code, name).may_end())  # type: ignore[misc]
        for code in program.find_codes_naming(name)
        if code not in own
    )


def is_putting(path: str) -> bool:
    """Return whether a method puts something into its object, by its name."""
    return path.rpartition(".")[2] in PUTTING | {"replace"}


def collect_kept_names(code: ir.Code, at: ir.Site) -> frozenset[str]:
    """Return the names of that into which a statement puts something: `self.tasks.lock().unwrap().insert(name, task)`."""
    found: set[str] = set()
    made = {each.target: each.callee for each in ir.iter_calls(code.body)}
    made |= {each.target: each.operand for each in ir.iter_statements(code.body) if isinstance(each, ir.Await)}
    for each in ir.iter_statements(code.body):
        if at.holds(each.at) and isinstance(each, ir.Store):
            found.update(_iter_chain(each.place, made))
        elif each.at == at and isinstance(each, ir.Call) and isinstance(each.callee, ir.Field):
            found.update(_iter_chain(each.callee.owner, made))
        elif each.at == at and isinstance(each, ir.Assign):
            found.update(_iter_chain(each.value, made))
    return frozenset(found)


def _iter_chain(place: ir.Expression, made: dict[ir.Variable, ir.Expression]) -> Iterator[str]:
    """Yield the names by which a place is come to: those of fields and of what the module has, and not those of methods."""
    current: ir.Expression | None = place
    seen: set[ir.Variable] = set()
    while current is not None:
        match current:
            case ir.Field(name=name, owner=owner):
                yield name
                current = owner
            case ir.Global(path=(*_, name)):
                yield name
                current = None
            case ir.Item(owner=owner) | ir.ResultOf(operand=owner):
                current = owner
            case ir.Read(variable=variable) if variable in made and variable not in seen:
                seen.add(variable)
                callee = made[variable]
                current = (
                    callee.owner if isinstance(callee, ir.Field) else callee if isinstance(callee, ir.Read) else None
                )
            case _:
                current = None


def is_told(name: str, program: Program, asking: frozenset[str]) -> bool:
    """Return whether the project writes what is kept under a name, but for what makes its object, or may do so by a method
    that is none of `asking`.
    """

    def tells(code: ir.Code) -> bool:
        is_written = code.kind != "module" and _writes(code, name)
        return is_written or _HandleUses(code, name, IDLE | asking).may_end()

    return any(
        find_once(program, code, ("tells", name, asking), lambda code=code: tells(code))  # type: ignore[misc]
        for code in (*program.find_codes_naming(name), *program.find_modules_naming(name))
    )


def is_kept_alone(name: str, program: Program) -> bool:
    """Return whether fields of a name certainly hold what nobody else has: each is made where it is put there."""
    kept = [
        is_own
        for code in program.find_codes_naming(name)
        for is_own in find_once(program, code, ("keeps", name), lambda code=code: _classify_kept(code, name))  # type: ignore[misc]
    ]
    return bool(kept) and all(kept)


def _classify_kept(code: ir.Code, name: str) -> tuple[bool, ...]:
    """Return of all that a function puts into fields of a name whether it is made there, and read nowhere else."""
    read: list[ir.Variable] = []
    made: dict[ir.Variable, tuple[ir.Expression, ...]] = {}
    kept: list[ir.Expression] = []
    for part in ir.iter_codes(code):
        for each in ir.iter_statements(part.body):
            if isinstance(each, ir.Call):
                made[each.target] = (each.callee, *(given.value for given in each.arguments))
            elif isinstance(each, ir.Assign):
                made[each.target] = (each.value,)
            if isinstance(each, ir.Store) and isinstance(each.place, ir.Field) and each.place.name == name:
                kept.append(each.value)
            for expression in ir.iter_expressions(each):
                if isinstance(expression, ir.Read):
                    read.append(expression.variable)
                elif isinstance(expression, ir.Record):
                    kept += (
                        value for key, value in expression.entries if isinstance(key, ir.Constant) and key.value == name
                    )

    def is_own(value: ir.Expression) -> bool:
        match value:
            case ir.Read(variable=variable):
                return variable in made and read.count(variable) == 1 and all(map(is_own, made[variable]))
            case ir.Global() | ir.Import() | ir.Constant():
                return True
        return all(map(is_own, ir.iter_operands(value)))

    return tuple(map(is_own, kept))


IDLE = (LOOKING | GIVING) - {"swap", "replace"}
"""Methods that do not give a signal: `swap` puts another value into it."""

MAKING = frozenset({"__init__", "__post_init__", "new", "default"})
"""The names of what makes an object."""


def _writes(code: ir.Code, name: str) -> bool:
    """Return whether a function, or one in it, writes what is kept under a name, but for those that make its object."""
    return any(
        isinstance(each, ir.Store) and _is_named(each.place, name)
        for part in ir.iter_codes(code)
        if part.name not in MAKING
        for each in ir.iter_statements(part.body)
    )


def _is_named(place: ir.Expression, name: str) -> bool:
    match place:
        case ir.Field(name=found) | ir.Global(path=(*_, found)):
            return found == name
        case ir.Item(owner=owner):
            return _is_named(owner, name)
    return False


def is_let_go(name: str, program: Program, own: frozenset[ir.Code]) -> bool:
    """Return whether a function of the project writes that nothing is kept under a name any more, other than what is in `own`."""
    return any(
        isinstance(each, ir.Store)
        and _is_named(each.place, name)
        and isinstance(each.value, ir.Constant)
        and each.value.value is None
        for code in program.find_codes_naming(name)
        for part in ir.iter_codes(code)
        if part.name not in MAKING and part not in own
        for each in ir.iter_statements(part.body)
    )


class _HandleUses:
    """What one function, with those in it, does with what is kept under a name."""

    def __init__(self, code: ir.Code, name: str, idle: frozenset[str] = LOOKING | GIVING | PUTTING) -> None:
        self._name, self._idle = name, idle
        self._is_module = code.kind == "module"
        self._held: set[ir.Variable] = set()
        self._statements = [each for part in ir.iter_codes(code) for each in ir.iter_statements(part.body)]
        before = -1
        while before < len(self._held):
            before = len(self._held)
            for each in self._statements:
                self._held.update(self._iter_taking(each))

    def _is_global(self, variable: ir.Variable) -> bool:
        return self._is_module and variable.name == self._name

    def may_end(self) -> bool:
        """Return whether anything is done with it that may end it."""
        return any(map(self._ends, self._statements))

    def _iter_taking(self, statement: ir.Statement) -> Iterator[ir.Variable]:
        """Yield the variables that hold it after a statement."""
        match statement:
            case ir.Assign(target=target, value=value) if self._refers_to_handle(value) or self._is_global(target):
                yield target
            case ir.Loop(over=ir.Expression() as over, element=ir.Variable() as element) if self._refers_to_handle(
                over
            ):
                yield element
            case ir.With(manager=manager, target=target) if self._refers_to_handle(manager):
                yield target
            case ir.Await(operand=operand, target=target) if self._refers_to_handle(operand) and self._is_lock(operand):
                yield target
            case ir.Call(callee=ir.Field(owner=owner, name=name), target=target) if (
                self._refers_to_handle(owner) and name in GIVING
            ):
                yield target
            case ir.Call(callee=callee, target=target, arguments=arguments) if _get_name(callee) in PLAIN:
                if any(self._refers_to_handle(each.value) for each in arguments):
                    yield target

    def _ends(self, statement: ir.Statement) -> bool:
        match statement:
            case ir.Call(callee=callee, arguments=arguments):
                name = _get_name(callee)
                if isinstance(callee, ir.Field) and self._refers_to_handle(callee.owner):
                    return name not in self._idle
                if self._refers_to_handle(callee):
                    return True
                is_handed = any(self._refers_to_handle(each.value) for each in arguments)
                return is_handed and name not in PLAIN | LOOKING and not (name in GIVING and self._is_own(callee))
            case ir.Await(operand=operand):
                return self._refers_to_handle(operand) and not self._is_lock(operand)
            case ir.Return(value=value) | ir.Yield(value=value):
                return self._refers_to_handle(value)
            case ir.Store(place=place, value=value):
                return self._refers_to_handle(value) and not self._refers_to_handle(place)
            case ir.Append(value=value):
                return self._refers_to_handle(value)
        return any(
            isinstance(each, ir.Unknown) and self._refers_to_handle(each) for each in ir.iter_operands(statement)
        )

    def _is_lock(self, operand: ir.Expression) -> bool:
        """Return whether only a lock is awaited: `self.tasks.lock().await`."""
        if not isinstance(operand, ir.Read):
            return False
        made = (each for each in self._statements if isinstance(each, ir.Call) and each.target is operand.variable)
        return any(_get_name(each.callee) in ("lock", "write", "read") for each in made)

    def _is_own(self, callee: ir.Expression) -> bool:
        return isinstance(callee, ir.Field) and self._refers_to_handle(callee.owner)

    def _refers_to_handle(self, value: ir.Expression) -> bool:
        """Return whether a value is what is kept, or holds it; what only tells whether it is there does not."""
        match value:
            case ir.Comparison() | ir.Not() | ir.IsPresent() | ir.Succeeds() | ir.IsKind() | ir.Length() | ir.Closure():
                return False
            case ir.Read(variable=variable):
                return variable in self._held
            case ir.Field(name=name, owner=owner):
                return name == self._name or self._refers_to_handle(owner)
            case ir.Global(path=(*_, name)):
                return name == self._name
            case ir.Item(owner=owner):
                return self._refers_to_handle(owner)
        return any(map(self._refers_to_handle, ir.iter_operands(value)))


def _get_name(callee: ir.Expression) -> str:
    match callee:
        case ir.Field(name=name) | ir.Global(path=(*_, name)):
            return name
    return ""
