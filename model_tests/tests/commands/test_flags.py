"""A flag has the meaning, the type and the name that the table says: in commands, in Python, and in pytest."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import pytest

import impl.commands.options
import spec.commands.target
from impl.bridges.asyncio.run import run, simulate
from impl.explore import explore
from impl.explore.command import parser as parser_of_explore
from impl.explore.parallel import explore_parallel

from ...commands.cli import HOME
from ...commands.flags import FLAGS, Flag
from ...commands.table import COMMANDS, SUBCOMMANDS
from ...conformance.conform import conform
from ...explored import plugin
from ...explored.strategy import Schedule
from ..fixtures import Patch

#: The functions that do in Python what a command does.
FUNCTIONS: dict[str, tuple[Callable[..., Any], ...]] = {
    "run": (run, simulate, Schedule.run),
    "explore": (explore, explore_parallel),
    "conform": (conform,),
}
#: Parameters of theirs for which a command line has no text, or a default that it needs not change.
PYTHON_ONLY = {
    *("main", "self", "network", "choices", "trace", "inject", "limits"),  # of run
    *("spec", "strategy", "reduce", "progress", "executor", "batch", "options"),  # of explore
    "subject",
}
#: Flags of explore and conform for the files that a command writes, and for how it writes.
COMMAND_ONLY = {
    *("--html", "--svg", "--json", "--confirm", "--junit", "--badge", "--programs", "--format"),
    "--update-baseline",
}


#: The kind of an option of pytest, by its action.
OF_ACTIONS = {"store_true": "switch", "append": "list"}


def named(options: list[str]) -> str:
    """The name of a flag in the table; crawl has some with _ as well, as the chapter's crawler."""
    return next(option for option in options if option.startswith("--")).replace("_", "-")


def kind(action: argparse.Action, source: Path) -> str:
    """What a flag takes, as its type shows it; `source`: a Python file of the user's."""
    if action.nargs == 0:
        return "count" if isinstance(action, argparse._CountAction) else "switch"
    if isinstance(action, argparse._AppendAction):
        return "list"
    if action.choices is not None:
        return "choice"
    return kind_of(action.type, source)


def kind_of(made: Any, source: Path) -> str:
    """What an argparse type makes of texts."""

    def value(text: str) -> Any:
        with suppress(argparse.ArgumentTypeError, ValueError):
            return made(text)

    if made is None:
        return "text"
    if value("7") == 7:
        assert value("seven") is None
        return "seconds" if value("7.5") == 7.5 else "number"
    return "file" if value("out.txt") == "out.txt" and value(str(source)) is None else "text"


def differences(name: str, found: tuple[str, str | None, str, set[str]]) -> Iterator[str]:
    """What is not as the table says: kind, metavar, help, short names."""
    kind, metavar, text, short = found
    flag = FLAGS.get(name)
    if flag is None:
        yield "it is not in the table"
        return
    if kind != flag.kind:
        yield f"a {kind}, not a {flag.kind}"
    if metavar != flag.metavar:
        yield f"{metavar}, not {flag.metavar}"
    if flag.meaning not in text and text != argparse.SUPPRESS:
        yield f"{text!r} does not say {flag.meaning!r}"
    if short != {*filter(None, [flag.short])}:
        yield f"{short}, not {flag.short!r}"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "own.py"
    file.write_text("import asyncio\n", encoding="utf-8")
    return file


class _Options:
    """The options that the plugin adds to pytest."""

    def __init__(self) -> None:
        self.added: dict[str, dict[str, Any]] = {}

    def getgroup(self, *_: str) -> _Options:
        return self

    def addoption(self, name: str, **given: Any) -> None:
        self.added[name] = given


def of_pytest() -> dict[str, dict[str, Any]]:
    """The options of the plugin, by the names that they have in the table."""
    options = _Options()
    plugin.pytest_addoption(options)  # type: ignore[arg-type]  # it asks for two methods only
    assert [name for name in options.added if not name.startswith("--explore-")] == ["--explore"]
    return {name.replace("--explore-", "--", 1): given for name, given in options.added.items()}


def test_each_flag_of_a_command_is_that_of_the_table(source: Path, monkeypatch: Patch) -> None:
    met: set[str] = set()
    wrong = {}
    for parser in parsers(monkeypatch):
        for action in parser._actions:
            if not action.option_strings or isinstance(action, argparse._HelpAction):
                continue
            name = named(list(action.option_strings))
            met.add(name)
            metavar = action.metavar if isinstance(action.metavar, str) else None
            short = {option for option in action.option_strings if not option.startswith("--")}
            found = kind(action, source), metavar, action.help or "", short
            if said := list(differences(name, found)):
                wrong[f"{parser.prog} {name}"] = said
    assert wrong == {}
    assert FLAGS.keys() - met - of_pytest().keys() == set()


def test_the_options_of_pytest_are_those_of_the_table(source: Path) -> None:
    found = {
        name: (
            OF_ACTIONS.get(given.get("action", ""))
            or ("choice" if "choices" in given else kind_of(given.get("type"), source)),
            given.get("metavar"),
            given["help"],
            set[str](),
        )
        for name, given in of_pytest().items()
    }
    assert len(found) == 7
    assert {name: said for name, of in found.items() if (said := list(differences(name, of)))} == {}


@pytest.mark.parametrize(("flag", "found", "said"), [
    ("--tokens", ("text", "T", "", set()), "it is not in the table"),
    ("--token", ("text", "TOKEN", "repeat the run of this token", set()), "TOKEN, not T"),
    ("--token", ("number", "T", "repeat the run of this token", set()), "a number, not a text"),
    ("--token", ("text", "T", "a sign", set()), "'a sign' does not say"),
    ("--verbose", ("switch", None, FLAGS["--verbose"].meaning, {"-V"}), "{'-V'}, not '-v'"),
])  # fmt: skip
def test_another_name_meaning_or_type_is_seen(
    flag: str, found: tuple[str, str | None, str, set[str]], said: str
) -> None:
    (line,) = differences(flag, found)
    assert line.startswith(said)


def parameters(function: Callable[..., Any]) -> set[str]:
    return set(inspect.signature(function).parameters)


def test_the_parameters_of_functions_have_the_names_of_flags() -> None:
    flags = {name.removeprefix("--").replace("-", "_") for name in FLAGS}
    for functions in FUNCTIONS.values():
        for function in functions:
            assert parameters(function) - PYTHON_ONLY - flags == set(), function


@pytest.mark.parametrize(("command", "function"), [("explore", explore), ("conform", conform)])
def test_a_function_has_the_parameters_that_its_command_has_as_flags(
    command: str, function: Callable[..., Any], monkeypatch: Patch
) -> None:
    (parser,) = [each for each in parsers(monkeypatch) if each.prog == f"loopspec {command}"]
    flags = {named(list(a.option_strings)) for a in parser._actions if a.option_strings} - {"--help"}
    wanted = {name.removeprefix("--").replace("-", "_") for name in flags - COMMAND_ONLY - {"--jobs"}}
    assert wanted - parameters(function) == set()


def test_a_flag_and_a_parameter_have_the_same_default() -> None:
    """None, as of a number of runs, is the default that the function gives it."""
    given = vars(parser_of_explore().parse_args(["x.py:main"]))
    ours = {name: each.default for name, each in inspect.signature(explore).parameters.items()}
    assert {
        name: (value, ours[name])
        for name, value in given.items()
        if name in ours and value is not None and value != ours[name]
    } == {}


def test_the_table_has_no_two_flags_of_one_meaning() -> None:
    def key(flag: Flag) -> tuple[str, str]:
        return flag.kind, flag.meaning

    keys = [key(flag) for flag in FLAGS.values()]
    assert len({*keys}) == len(keys)


class _Parses(BaseException):
    """Raised in the place of parsing."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.parser = parser


def _stop(parser: argparse.ArgumentParser, *arguments: Any) -> NoReturn:
    raise _Parses(parser)


def parsers(monkeypatch: Patch) -> Iterator[argparse.ArgumentParser]:
    """Yield the parser of each command, and of each command within one."""
    for made in (impl.commands.options.Parser, spec.commands.target.Parser):
        monkeypatch.setattr(made, "parse", _stop)
    for name, (module, _) in COMMANDS.items():
        main = import_module(f"{HOME}{module}".removeprefix(".")).main
        for arguments in ([], *([within] for within in SUBCOMMANDS.get(name, ()))):
            try:
                main(arguments)
            except _Parses as stopped:
                yield stopped.parser
