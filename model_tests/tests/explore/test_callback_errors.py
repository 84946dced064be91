"""A callback that fails where nothing handles it is a failure, unless the program lives with it in each order."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from impl.errors import CallbackError
from impl.explore import explore
from impl.explore.parallel import explore_parallel
from impl.explore.programs.program import RuntimeName

from ...commands import cli
from ..fixtures import Captured, Patch
from .programs import NAMES, RUNTIMES, Main, failure_of

# Any: asyncio's names.


def resolved_twice(names: Any, handler: bool = False) -> Main:
    """Two answers to one question: the second is an error of a callback, if both come."""

    async def main() -> None:
        loop = names.get_running_loop()
        if handler:
            loop.set_exception_handler(lambda loop, context: None)
        answer = loop.create_future()

        async def first() -> None:
            if not answer.done():
                answer.set_result(1)

        async def second() -> None:
            if not answer.done():
                await names.sleep(0)
                loop.call_soon(answer.set_result, 2)

        await names.gather(first(), second())
        await names.sleep(0)

    return main


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("options", [{"every": True}, {"every": True, "reduce": False}, {}], ids=str)
def test_an_error_of_a_callback_is_a_failure(runtime: RuntimeName, options: dict[str, bool]) -> None:
    failure = failure_of(resolved_twice(NAMES[runtime]), runtime=runtime, **options)
    assert failure.outcome.startswith("CallbackError: InvalidStateError")
    assert isinstance(failure.error, CallbackError)
    replayed = failure_of(resolved_twice(NAMES[runtime]), runtime=runtime, token=failure.run.recorded_token())
    assert replayed.outcome == failure.outcome


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("every", [True, False])
def test_a_program_with_a_handler_passes(runtime: RuntimeName, every: bool) -> None:
    assert explore(resolved_twice(NAMES[runtime], handler=True), runtime=runtime, every=every).failure is None


def lives_with_it(races: bool = False) -> Main:
    """A callback fails in each run, with another text; another one, if it `races`, in some."""

    async def main() -> None:
        def fail() -> None:
            raise ValueError(f"as ever {id(object())}")

        state: list[int] = []

        async def put() -> None:
            state.append(1)

        async def take() -> None:
            if races:
                asyncio.get_running_loop().call_soon(state.pop)

        asyncio.get_running_loop().call_soon(fail)
        await asyncio.gather(put(), take())
        await asyncio.sleep(0)

    return main


@pytest.mark.short("False", why="a second of a search")
@pytest.mark.parametrize("every", [True, False])
def test_a_program_that_lives_with_it_passes_and_the_verdict_says_so(every: bool) -> None:
    found = explore(lives_with_it(), every=every)
    assert found.failure is None
    assert "a callback fails in the plain run, too: ValueError: as ever" in found.reason
    assert found.exhausted == every
    failure = failure_of(lives_with_it(races=True), every=every)
    assert failure.outcome == "CallbackError: IndexError"
    assert failure_of(lives_with_it(races=True), token=failure.run.recorded_token()).outcome == failure.outcome


def cancelled_in_a_callback() -> Main:
    async def main() -> None:
        task = asyncio.create_task(asyncio.sleep(1))
        task.add_done_callback(lambda done: done.result())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])

    return main


def late_in_a_callback() -> Main:
    async def main() -> None:
        async def ask() -> None:
            async with asyncio.timeout(5):
                await asyncio.sleep(1)

        task = asyncio.create_task(ask())
        task.add_done_callback(lambda done: done.result())
        await asyncio.wait([task])

    return main


def after_the_end() -> Main:
    async def main() -> None:
        def fail(task: asyncio.Task[None]) -> None:
            raise ValueError("the loop is closing")

        asyncio.create_task(asyncio.sleep(9)).add_done_callback(fail)
        await asyncio.sleep(0)

    return main


@pytest.mark.parametrize("make", [cancelled_in_a_callback, late_in_a_callback, after_the_end])
def test_what_a_callback_may_come_to_is_none(make: Any) -> None:
    assert explore(make()).failure is None


async def twice() -> None:
    await resolved_twice(asyncio)()


async def as_ever() -> None:
    await lives_with_it()()


@pytest.mark.long("processes")
def test_jobs_find_it() -> None:
    found = explore_parallel(twice, jobs=2)
    assert found.failure is not None
    assert found.failure.outcome.startswith("CallbackError: InvalidStateError")
    found = explore_parallel(as_ever, jobs=2)
    assert found.failure is None
    assert "a callback fails in the plain run, too: ValueError: as ever" in found.reason


def test_the_report_names_the_callback(tmp_path: Path, capsys: Captured, monkeypatch: Patch) -> None:
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "program.py"
    program.write_text(
        "import asyncio\n"
        "state = []\n"
        "def notify():\n"
        "    state.pop()\n"
        "async def put():\n"
        "    state.append(1)\n"
        "async def call():\n"
        "    asyncio.get_running_loop().call_soon(notify)\n"
        "async def main():\n"
        "    state.clear()\n"
        "    await asyncio.gather(put(), call())\n"
        "    await asyncio.sleep(1)\n",
        encoding="utf-8",
    )
    assert cli.main(["explore", f"{program}:main"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("a callback fails: IndexError: pop from empty list (nothing handles it)\n")
    assert "line 4, in notify" in said
    assert "state" in said.partition("order reversed compared with the passing run:")[2]


def test_an_error_of_the_programs_own_that_is_called_so_is_mains() -> None:
    class CallbackError(Exception):
        pass

    async def main() -> None:
        raise CallbackError("its own")

    assert failure_of(main).simple.program == "main"


def test_a_handler_that_replaces_the_loops_handles_it() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        loop.call_exception_handler = lambda context: None  # type: ignore[method-assign]  # as a mock does
        answer = loop.create_future()
        answer.set_result(1)
        loop.call_soon(answer.set_result, 2)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    assert explore(main).failure is None
    assert not explore(main).usual


def test_whether_a_callback_comes_before_the_end_is_a_matter_of_classes() -> None:
    def boom() -> None:
        raise ValueError("boom")

    async def main() -> None:
        async def call() -> None:
            asyncio.get_running_loop().call_soon(boom)

        task = asyncio.create_task(call())
        await asyncio.sleep(0)
        del task

    assert failure_of(main, every=True).outcome == "CallbackError: ValueError"
    assert failure_of(main, every=True, reduce=False).outcome == "CallbackError: ValueError"
