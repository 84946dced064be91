"""The arguments of the marker `explore`, checked before a test runs."""

import inspect
from typing import Any

import pytest

from impl.commands.options import UsageError
from impl.explore import Options, explore
from impl.explore.command import parser

from ..commands.project import configured
from .options import MARKER, OUTSIDE, RUNS, TOKEN

#: Those of `explore` that the plugin gives itself.
_OWN = ("main", "token", "keep_going", "progress")
#: The defaults of the project for `explore`.
_PROJECT = pytest.StashKey[dict[str, Any]]()

# Any: arguments of any type, which `explore` checks.


def read_project(config: pytest.Config) -> None:
    """Read the defaults of the project for marked tests.

    Raises:
        pytest.UsageError: the table has an error.
    """
    try:
        found = configured(parser())
    except UsageError as error:
        raise pytest.UsageError(str(error)) from None
    # The runtime is that of each test.
    config.stash[_PROJECT] = {name: value for name, value in found.items() if name in _taken() and name != "runtime"}


def _taken() -> list[str]:
    return [name for name in inspect.signature(explore).parameters if name not in _OWN]


def arguments_of(item: pytest.Item) -> dict[str, Any]:
    """The arguments of `explore` for a test: those of its marker, if it has one, and those of the project.

    Raises:
        pytest.fail.Exception: the marker has an argument that is unknown, has no name, or is of another type.
    """
    mark = item.get_closest_marker(MARKER) or pytest.Mark(MARKER, (), {}, _ispytest=True)
    taken = _taken()
    if unknown := [name for name in mark.kwargs if name not in taken]:
        _refuse(f"unknown argument {unknown[0]!r}; the arguments are {', '.join(taken)}")
    if mark.args:
        _refuse(f"give each argument its name, as in every=True, not {', '.join(map(repr, mark.args))}")
    of_project: dict[str, Any] = item.config.stash.get(_PROJECT, {})
    arguments = {"every": False, **of_project, **mark.kwargs}
    if arguments.get("spec") is not None:
        from spec.kit.core import SpecError  # only here: they import the specifications

        from .oracle import oracle

        try:
            arguments["spec"] = oracle(arguments["spec"])
        except SpecError as error:
            _refuse(str(error))
    config = item.config
    if (runs := config.getoption(RUNS)) is not None:
        arguments |= {"runs": runs}
    if (outside := config.getoption(OUTSIDE)) is not None:
        arguments |= {"outside": outside}
    if (token := config.getoption(TOKEN)) is not None:
        arguments |= {"token": token}
    try:
        Options(**arguments)
    except (TypeError, ValueError) as error:
        _refuse(str(error))
    return arguments


def _refuse(why: str) -> None:
    pytest.fail(f"{MARKER}: {why}", pytrace=False)
