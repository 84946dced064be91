"""Functions that run inline, in the place of threads: each verdict counts them, and none is called exhausted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest

from impl.explore import explore
from impl.explore.command import main as command

Main = Callable[[], Coroutine[Any, Any, Any]]  # Any: the programs return nothing of note


async def two_threads() -> None:
    await asyncio.gather(*(asyncio.to_thread(len, [n]) for n in range(2)))


async def an_executor_of_its_own() -> None:
    with ThreadPoolExecutor() as executor:
        await asyncio.get_running_loop().run_in_executor(executor, sorted, [2, 1])


async def the_default_executor() -> None:
    await asyncio.get_running_loop().run_in_executor(None, lambda: None)


async def of_anyio() -> None:
    await anyio.to_thread.run_sync(len, "a")


async def none() -> None:
    await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("main", "count"),
    [(two_threads, 2), (an_executor_of_its_own, 1), (the_default_executor, 1), (of_anyio, 1), (none, 0)],
)
@pytest.mark.parametrize("reduce", [False, True])
def test_functions_that_run_inline_are_counted(main: Main, count: int, reduce: bool) -> None:
    found = explore(main, every=True, reduce=reduce)
    assert (found.inline, found.verdict) == (count, "not exhausted" if count else "exhausted")
    said = f"{count} function{'s' * (count > 1)} ran inline, in the place of threads"
    assert (said in found.report()) == (said in found.as_json()["assumptions"]) == bool(count)


def test_the_command_counts_them_in_each_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--runs", "3"], ["--runs", "4", "--jobs", "2"], ["--every"]):
        assert command([f"{__file__}:two_threads", *options]) == 0
        assert "2 functions ran inline, in the place of threads" in capsys.readouterr().out
    file = tmp_path / "found.json"
    command([f"{__file__}:two_threads", "--json", str(file)])
    assert json.loads(file.read_text(encoding="utf-8"))["inline"] == 2
