"""`[tool.loopspec]` in a project's pyproject.toml: a table for each command, with defaults for its options.

    [tool.loopspec.explore]
    runs = 500
    keep-going = true

The file is the nearest pyproject.toml, in the working directory or above it.  An option of the command line wins: over
its own default, and over those that it excludes.  An error in a table is a usage error of the command that is called.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from .table import COMMANDS, SUBCOMMANDS

# Any: the values of options, and of TOML.

_FILE: Final = "pyproject.toml"
_TABLE: Final = "tool.loopspec"
#: The modules with the parsers of all commands, within HOME of cli.py.
_PARSERS: Final = (".impl.commands.options", ".spec.commands.target")


@contextmanager
def in_use(home: str) -> Iterator[None]:
    """Let each parser that the command has loaded take defaults from the project."""
    loaded = [sys.modules.get(f"{home}{name}".removeprefix(".")) for name in _PARSERS]
    parsers = [module.Parser for module in loaded if module is not None]
    for each in parsers:
        each.parse = parse
    try:
        yield
    finally:
        for each in parsers:
            each.parse = argparse.ArgumentParser.parse_known_args


def parse(
    parser: argparse.ArgumentParser,
    args: Sequence[str] | None = None,
    namespace: argparse.Namespace | None = None,
) -> tuple[argparse.Namespace, list[str]]:
    """As ArgumentParser.parse_known_args, with the defaults of the project."""
    plain = argparse.ArgumentParser.parse_known_args
    defaults = vars(plain(parser, [])[0])
    names = {action.dest for action in _options(parser).values()}
    # None marks what the command line does not give: no option has that value there.
    options, rest = plain(parser, args, namespace or argparse.Namespace(**dict.fromkeys(names)))
    if rest:  # an error, which the caller reports first
        return options, rest
    given = {name for name in names if getattr(options, name) is not None}
    defaults |= _without_excluded(parser, configured(parser), given)
    for name in names - given:
        if name in defaults:
            setattr(options, name, defaults[name])
        else:  # argparse.SUPPRESS
            delattr(options, name)
    return options, rest


def configured(parser: argparse.ArgumentParser) -> dict[str, Any]:
    """The defaults of the project for a command, by the names of the parsed options.

    Parameters:
        parser: its `prog` names the command; an error in the table is given to its `error`, which raises.
    """
    file, tables = _tables(parser)
    path = parser.prog.split()[1:]
    of: Any = tables
    for name in path:
        of = of.get(name, {})
        if not isinstance(of, dict):
            parser.error(f"{file}: [{_TABLE}]: {name} is no table: write [{_TABLE}.{name}]")
    options = _options(parser)
    found = {}
    for key, value in of.items():
        where = f"{file}: [{'.'.join([_TABLE, *path])}] {key}"
        if isinstance(value, dict) and key in SUBCOMMANDS.get(path[-1], ()):
            continue
        if key not in options:
            parser.error(f"{where}: there is no such option: delete it, or write one of {', '.join(options)}")
        try:
            found[options[key].dest] = _converted(options[key], value)
        except (argparse.ArgumentTypeError, ValueError) as error:
            parser.error(f"{where}: {error}: change it, or delete it")
    return {name: value for name, value in found.items() if value is not None}


def _tables(parser: argparse.ArgumentParser) -> tuple[str, Mapping[str, Any]]:
    """The name of the project's file, and its tables for commands."""
    here = Path.cwd()
    file = next((file for folder in (here, *here.parents) if (file := folder / _FILE).is_file()), None)
    if file is None:
        return "", {}
    import tomllib  # here, because most commands are called where there is no such file

    shown = _FILE if file.parent == here else str(file)
    try:
        read = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # also of the encoding, and of TOML
        parser.error(f"{shown}: it cannot be read: {error}")
    tables = read.get("tool", {}).get("loopspec", {})
    if not isinstance(tables, dict):
        parser.error(f"{shown}: {_TABLE} is no table: write [{_TABLE}.explore], for instance")
    if unknown := [name for name in tables if name not in COMMANDS]:
        parser.error(
            f"{shown}: [{_TABLE}.{unknown[0]}]: there is no such command: delete it, or name one of"
            f" {', '.join(COMMANDS)}"
        )
    return shown, tables


def _options(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """The options of a command, by their names without dashes."""
    return {
        option.removeprefix("--"): action
        for action in parser._actions
        if not isinstance(action, argparse._HelpAction) and action.help != argparse.SUPPRESS
        for option in action.option_strings
        if option.startswith("--")
    }


def _converted(action: argparse.Action, value: Any) -> Any:
    """The value of an option, as the command line would give it; None: as if it were not given.

    Raises:
        ArgumentTypeError, ValueError: the option has no such value.
    """
    if action.nargs == 0:
        _of_type(value, (bool,), "true or false")
        return action.const if value else None
    if isinstance(action, argparse._AppendAction):  # also one that extends
        return [_one(action, each) for each in _of_type(value, (list,), "a list")]
    return _one(action, value)


def _one(action: argparse.Action, value: Any) -> Any:
    made: Any = action.type(str(value)) if callable(action.type) else str(value)
    if isinstance(made, int | float):
        _of_type(value, (int, float), "a number without quotes")
    else:
        _of_type(value, (str,), "a text in quotes")
    if action.choices is not None and made not in action.choices:
        raise ValueError(f"one of {', '.join(action.choices)}, not {value!r}")
    return made


def _of_type(value: Any, types: tuple[type, ...], what: str) -> Any:
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise ValueError(f"{what}, not {value!r}")
    return value


def _without_excluded(parser: argparse.ArgumentParser, found: dict[str, Any], given: set[str]) -> dict[str, Any]:
    """The defaults of the project that the options of the command line do not exclude."""
    kept = dict(found)
    for name, others in _exclusions(parser):
        if name in given:
            kept = {each: value for each, value in kept.items() if each not in others}
        elif given.intersection(others):
            kept.pop(name, None)
    for name, others in _exclusions(parser):
        if both := [each for each in others if name in kept and each in kept]:
            file, _ = _tables(parser)
            parser.error(
                f"{file}: [{'.'.join([_TABLE, *parser.prog.split()[1:]])}] {name.replace('_', '-')}: it excludes"
                f" {both[0].replace('_', '-')}: delete one of them"
            )
    return kept


def _exclusions(parser: argparse.ArgumentParser) -> Iterator[tuple[str, set[str]]]:
    """Each option that excludes others, with their names."""
    for name, others, _ in getattr(parser, "excluded", ()):
        yield name, set(others)
    for group in parser._mutually_exclusive_groups:
        names = {action.dest for action in group._group_actions}
        yield from ((name, names - {name}) for name in names)
