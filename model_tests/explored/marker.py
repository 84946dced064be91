"""The arguments of the marker `explore`, checked before a test runs."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from impl.explore import explore

from .options import MARKER, REPLAY, RUNS

#: Those of `explore` that the plugin gives itself.
_OWN = ("main", "every", "token", "keep_going", "progress")

# Any: arguments of any type, which `explore` checks.


def arguments_of(item: pytest.Item) -> dict[str, Any]:
    """The arguments of `explore` for a marked test.

    Raises:
        pytest.fail.Exception: the marker has an argument that is unknown, or runs beside "all".
    """
    mark = item.get_closest_marker(MARKER)
    assert mark is not None
    taken = [name for name in inspect.signature(explore).parameters if name not in _OWN]
    if unknown := [name for name in mark.kwargs if name not in taken]:
        _refuse(f"unknown argument {unknown[0]!r}; the arguments are {', '.join(taken)}")
    if mark.args not in ((), ("all",)):
        _refuse(f'the only argument without a name is "all", not {", ".join(map(repr, mark.args))}')
    arguments = {"reduce": bool(mark.args), **mark.kwargs, "every": bool(mark.args)}
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
    if (token := config.getoption(REPLAY)) is not None:
        arguments |= {"token": token}
    return arguments


def _refuse(why: str) -> None:
    pytest.fail(f"{MARKER}: {why}", pytrace=False)
