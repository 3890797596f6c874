"""What code is told from outside: the environment, settings, options. Each is given as it is if nothing is configured."""

from reviewer.languages.python.evaluation.values import (
    CallArguments,
    Const,
    External,
    Method,
    PyClass,
    PyFunction,
    PyInstance,
    PyItems,
    PyUnknown,
    PyValue,
    to_text,
)
from reviewer.languages.python.types.functions import read_fields

# All read the environment, which is taken as empty: what they give is the default.
GETTERS = frozenset({"os.getenv", "os.environ.get", "environ.get"})
SETTINGS = "pydantic_settings.BaseSettings"
# No option is given, so what is parsed are the defaults.
PARSERS = frozenset({"argparse.ArgumentParser"})
FLAGS = {"store_true": False, "store_false": True, "count": None, "store_const": None}
"""What an option that takes no value is if it is not given."""
# Decorators of click, and of its asynchronous twin.
DECLARED = frozenset({"click.option", "click.argument", "asyncclick.option", "asyncclick.argument"})
OPTION = "option."
"""Where a function keeps the options that decorators declare, by the names of its parameters."""
# As defaults of parameters these stand for the default that they are given.
OPTIONS = frozenset({"typer.Option", "typer.Argument"})


def call(callee: External, arguments: CallArguments) -> PyValue | None:
    """Read the environment; None if the call is something else."""
    if callee.path not in GETTERS:
        return None
    name = to_text(arguments.positional[0]) if arguments.positional else None
    default = arguments.get("default", 1) or Const(None, arguments.span)
    return PyUnknown(f"the environment variable `{name}`" if name else "the environment", arguments.span, default)


def call_method(method: Method, arguments: CallArguments) -> PyValue | None:
    """Declare options on a parser, and parse them; None if the method is something else."""
    receiver = method.receiver
    if not isinstance(receiver, PyInstance) or receiver.path not in PARSERS:
        return None
    if method.name == "add_argument":
        return _evaluate_declared(receiver, arguments)
    if method.name in ("add_argument_group", "add_mutually_exclusive_group"):
        return receiver
    if method.name == "parse_args":
        return PyInstance(
            External("argparse.Namespace", arguments.span), [], {}, arguments.span, dict(receiver.attributes)
        )
    if method.name == "parse_known_args":
        namespace = PyInstance(
            External("argparse.Namespace", arguments.span), [], {}, arguments.span, dict(receiver.attributes)
        )
        return PyItems("tuple", [namespace, PyItems("list", [], arguments.span, open=True)], arguments.span)
    return None


def _evaluate_declared(parser: PyInstance, arguments: CallArguments) -> PyValue:
    """Note an option with its default as an attribute of the parsed arguments."""
    names = [str(text) for each in arguments.positional if (text := to_text(each)) is not None]
    chosen = next((name for name in names if name.startswith("--")), names[0] if names else "")
    given = arguments.keywords.get("dest")
    dest = str(to_text(given) or "") if given is not None else chosen.lstrip("-").replace("-", "_")
    if chosen and not chosen.startswith("-"):
        parser.attributes[dest] = PyUnknown(f"the argument `{chosen}`", arguments.span)
    elif chosen:
        action = to_text(arguments.keywords.get("action") or Const("", arguments.span))
        default = arguments.keywords.get("default") or Const(FLAGS.get(str(action)), arguments.span)
        required = arguments.keywords.get("required")
        always = isinstance(required, Const) and required.value is True
        parser.attributes[dest] = PyUnknown(f"the option `{chosen}`", arguments.span, None if always else default)
    return Const(None, arguments.span)


def evaluate_setting(instance: PyInstance, name: str) -> PyValue | None:
    """Return a field of a settings object: the environment may set it, otherwise it has its default."""
    cls = instance.made_by
    if not isinstance(cls, PyClass) or SETTINGS not in cls.list_external_bases() or name in instance.attributes:
        return None
    for ancestor in cls.iter_lineage():
        if any(part.name == name for part in read_fields(ancestor)) and name in ancestor.names:
            default = ancestor.names[name]
            if isinstance(default, PyInstance) and default.path.endswith(".Field"):
                given = default.find_argument("default", 0)
                factory = default.keywords.get("default_factory")
                default = given if given is not None and factory is None else PyUnknown("a setting", default.span)
            return PyUnknown(f"the setting `{name}`", instance.span, default)
    return None


def decorate(decorator: PyValue, function: PyValue) -> None:
    """Note on a function the option that `@click.option("--name", default=...)` hands to it."""
    if not isinstance(decorator, PyInstance) or decorator.path not in DECLARED or not isinstance(function, PyFunction):
        return
    names = [str(text) for each in decorator.args if (text := to_text(each)) is not None]
    plain = next((name for name in names if name.isidentifier()), None)
    longest = max(names, key=lambda name: len(name) - len(name.lstrip("-")), default="").partition("/")[0]
    given = _find_for_click(decorator, any("/" in name for name in names))
    function.attributes[f"{OPTION}{plain or longest.lstrip('-').replace('-', '_').lower()}"] = PyUnknown(
        f"the option `{longest}`" if longest.startswith("-") else f"the argument `{longest}`", decorator.span, given
    )


def _find_for_click(decorator: PyInstance, is_flag: bool) -> PyValue | None:
    """Return the value of an option that is not given; None if it is always given, or only a run can tell."""
    required = decorator.keywords.get("required")
    default = decorator.keywords.get("default")
    if default is not None:
        return (
            None if isinstance(default, PyFunction | PyUnknown) and not getattr(default, "assumed", None) else default
        )
    if decorator.path.endswith(".argument") or (isinstance(required, Const) and required.value):
        return None
    says = {name for name, each in decorator.keywords.items() if isinstance(each, Const) and each.value}
    if "multiple" in says:
        return PyItems("tuple", [], decorator.span)
    return Const(False if is_flag or "is_flag" in says else None, decorator.span)


def evaluate_option(default: PyValue) -> PyValue:
    """Return the default of a parameter that a command line sets: `typer.Option(False, ...)`."""
    if isinstance(default, PyInstance) and default.path in OPTIONS:
        given = default.find_argument("default", 0)
        return PyUnknown("an option of the command line", default.span, given or Const(None, default.span))
    return default
