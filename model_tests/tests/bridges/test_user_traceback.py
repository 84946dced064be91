"""A traceback for the user of a program: its own lines, of the error, its causes and its members."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from impl.bridges.asyncio.run import simulate
from impl.bridges.user_traceback import shortened

# `Any`: the values that a coroutine yields do not matter here.

HERE = os.path.relpath(__file__)


def lines(error: BaseException) -> list[str]:
    """Return the lines with positions."""
    return [line.strip() for line in shortened(error).splitlines() if line.lstrip(" |+-").startswith("File ")]


def at(function: Callable[..., object], further: int) -> str:
    line = function.__code__.co_firstlineno + further
    return f'File "{HERE}", line {line}, in {function.__name__}'


async def _loads() -> None:
    json.loads("[")


async def _asks() -> None:
    await asyncio.open_connection("localhost", 1)


async def _fails_in_a_group() -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(_loads())


async def _again() -> None:
    try:
        await _loads()
    except ValueError as error:
        raise KeyError(1) from error


def error_of(program: Callable[[], Coroutine[Any, Any, object]]) -> BaseException:
    error = simulate(program).error
    assert error is not None
    return error


def test_lines_of_the_standard_library_are_left_out() -> None:
    text = shortened(error_of(_loads))
    assert text.startswith("Traceback (most recent call last):\n  " + at(_loads, 1) + "\n    json.loads(")
    assert text.count("File ") == 1
    assert text.endswith("\njson.decoder.JSONDecodeError: Expecting value: line 1 column 2 (char 1)\n")


def test_lines_of_the_bridge_are_left_out() -> None:
    error = error_of(_asks)
    assert lines(error) == [at(_asks, 1)]
    assert shortened(error).splitlines()[-1].startswith("ConnectionRefusedError: ")


def test_what_an_error_came_from_is_shortened_as_well() -> None:
    assert lines(error_of(_again)) == [at(_again, 2), at(_loads, 1), at(_again, 4)]


def test_the_errors_of_a_group_are_shortened_as_well() -> None:
    assert [line.lstrip("|+- ") for line in lines(error_of(_fails_in_a_group))] == [
        at(_fails_in_a_group, 1),
        at(_loads, 1),
    ]


def test_where_no_line_is_the_programs_the_one_that_raised_stays() -> None:
    found = lines(error_of(partial(asyncio.sleep, "no number")))
    assert [Path(line.split('"')[1]).name for line in found] == ["tasks.py"]


def test_a_file_that_is_elsewhere_is_named_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert lines(error_of(_loads)) == [at(_loads, 1).replace(HERE, __file__)]
