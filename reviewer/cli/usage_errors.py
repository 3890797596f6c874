"""What is wrong with a command line, in the words of this command: what was typed, what is wrong with it, what to give instead.

The parser of options tells much the same in several ways, and names neither the value that is meant nor the nearest one.
"""

import re
from ast import literal_eval
from difflib import get_close_matches
from typing import Any

from reviewer.text.patterns import pattern

WRONG_VALUE = pattern(r"(?P<value>'.*'|\".*\"|\S+) is not (?:one of|a valid|in the range)", re.DOTALL)
"""How the parser says that it does not take a value."""

WRONG_WORD = pattern(r"No such command (?P<word>'.*?'|\".*?\")\.", re.DOTALL)
"""The parser's own message, which alone holds what was typed."""

EXTRA = pattern(r"Got unexpected extra arguments?(?:\(s\))? \((?P<words>.*)\)", re.DOTALL)
"""The parser's own message again; "(s)" where it does not count."""

NUMBERS = {"float": "a number", "integer": "a whole number", "int": "a whole number"}


def describe_usage_error(error: Any) -> str:
    """Return one line about an error of the parser."""
    kind = type(error).__name__
    if kind == "NoSuchOption":
        return _describe_missing_option(error)
    if kind == "MissingParameter":
        return f"{_format_command(error)}{_format_parameter(error.param)} is missing; see `{error.ctx.command_path} --help`"
    if kind == "BadOptionUsage":
        said = "a value is missing" if "requires an argument" in error.message else "takes no value"
        return f"{error.option_name}: {said}"
    if kind == "BadParameter" and error.param is not None:
        return _describe_wrong_value(error)
    message: str = error.format_message()
    word, extra = WRONG_WORD.match(message), EXTRA.match(message)
    if word is not None:
        return _describe_missing_command(_unquote_typed(word["word"]), error)
    if extra is not None:
        return f"{_format_command(error)}takes no further argument, and got {extra['words']}"
    if message == "Missing command.":
        return f"{_format_command(error)}give one of its commands: {', '.join(error.ctx.command.commands)}"
    return message


def _format_command(error: Any) -> str:
    """Return the command with a colon, empty if it is the whole program."""
    path = error.ctx.command_path.partition(" ")[2] if error.ctx is not None else ""
    return f"{path}: " if path else ""


def _format_parameter(param: Any) -> str:
    """Return the name of a parameter as `--help` shows it."""
    if param.param_type_name == "option":
        return str(max(param.opts, key=len))
    return (param.metavar or str(param.name).upper()).strip("[].")


def _describe_missing_option(error: Any) -> str:
    near = get_close_matches(error.option_name, error.possibilities or (), n=1)
    return f"{error.option_name}: no such option" + (f"; did you mean {near[0]}?" if near else "")


def _describe_wrong_value(error: Any) -> str:
    option, type_ = _format_parameter(error.param), error.param.type
    found = WRONG_VALUE.match(error.message)
    if found is None:
        return f"{option}: {error.message}"
    typed = _unquote_typed(found["value"])
    choices = [str(getattr(each, "value", each)) for each in getattr(type_, "choices", ())]
    near = get_close_matches(typed.lower(), choices, n=1)
    if near:
        return f"{option} {typed}: unknown value; did you mean {near[0]}? (there are: {', '.join(choices)})"
    return f"{option} {typed}: give {_describe_wanted(type_, choices)}"


def _unquote_typed(shown: str) -> str:
    return str(literal_eval(shown)) if shown[:1] in "'\"" else shown


def _describe_wanted(type_: Any, choices: list[str]) -> str:
    if choices:
        return f"one of {', '.join(choices)}"
    if getattr(type_, "min", None) is not None and type_.max is not None:
        return f"a number from {type_.min} to {type_.max}"
    return NUMBERS.get(type_.name, "another value")


def _describe_missing_command(word: str, error: Any) -> str:
    commands = list(error.ctx.command.commands)
    near = get_close_matches(word, commands, n=1)
    said = f"did you mean {near[0]}?" if near else f"there are: {', '.join(commands)}"
    return f"{_format_command(error)}no command `{word}`; {said}"
