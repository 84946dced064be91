"""A report says what happened: values at their time, errors in their order, each task, and where it cannot, that."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from typing import Any

import pytest

import impl
from impl.errors import InternalError
from impl.explore import explore
from impl.explore.found import Found
from impl.explore.reduction.kinds import MARK
from impl.explore.report.data import Report
from impl.explore.report.scenes import scenes_of
from impl.explore.report.steps import StepsLane
from impl.explore.report.text import text_of

# Any in this file: what a coroutine of a class yields, and arguments of `explore`.
Coro = Coroutine[Any, Any, None]
Program = Callable[[], Coro]


def found_by(program: Program, **arguments: Any) -> Found:
    found = explore(program, **arguments)
    assert found.failure is not None
    return found


def report(program: Program, **arguments: Any) -> Report:
    failure = found_by(program, **arguments).failure
    assert failure is not None
    return failure.simple


# --- tasks of any coroutine ------------------------------------------------------------------------------------


class Wrapped(Coroutine[Any, Any, None]):
    """A coroutine of a class, as aiohttp's request is one."""

    def __init__(self, coro: Coro) -> None:
        self.coro = coro

    def send(self, value: Any) -> Any:
        return self.coro.send(value)

    def throw(self, *error: Any) -> Any:
        return self.coro.throw(*error)

    def close(self) -> None:
        self.coro.close()

    def __await__(self) -> Generator[Any, Any, None]:
        return self.coro.__await__()


class Slotted(Wrapped):
    """It has slots, a way back to itself, and a generator as its iterator."""

    __slots__ = ("me",)

    def __init__(self, coro: Coro) -> None:
        super().__init__(coro)
        self.me = self

    def __await__(self) -> Generator[Any, Any, None]:
        return (yield from self.coro.__await__())


async def awaits(coro: Coro) -> None:
    await Wrapped(coro)


async def yields(coro: Coro) -> AsyncGenerator[None, None]:
    await coro
    yield


def bought_twice(wrap: Callable[[Coro], Any]) -> Program:
    async def main() -> None:
        left = [1]

        async def buy() -> None:
            if left[0]:
                await asyncio.sleep(0)
                left[0] -= 1

        await asyncio.gather(*(asyncio.create_task(wrap(buy()), name=name) for name in "ab"))
        assert left[0] == 0

    return main


def parked(wrap: Callable[[Coro], Any]) -> Program:
    async def main() -> None:
        never = asyncio.Event()

        async def wait() -> None:
            await never.wait()

        await asyncio.create_task(wrap(wait()), name="a")

    return main


WRAPS = {
    "class": Wrapped,
    "slots": Slotted,
    "twice": lambda coro: Wrapped(Slotted(coro)),
    "within": awaits,
    "asend": lambda coro: yields(coro).asend(None),
    "anext": lambda coro: anext(yields(coro)),
}


@pytest.mark.parametrize("made", [bought_twice, parked])
@pytest.mark.parametrize("name", WRAPS)
def test_any_coroutine_has_the_table_and_the_pairs_of_the_plain_one(
    name: str, made: Callable[[Callable[[Coro], Any]], Program]
) -> None:
    plain, wrapped = report(made(lambda coro: coro)), report(made(WRAPS[name]))
    assert [(row.task, row.touches, row.end) for row in wrapped.rows] == [
        (row.task, row.touches, row.end) for row in plain.rows
    ]
    assert (wrapped.turned, wrapped.waiting, wrapped.order) == (plain.turned, plain.waiting, plain.order)
    assert plain.turned or plain.waiting


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")  # the run ends where the recorder breaks
@pytest.mark.parametrize(
    "method", ["_begin_step", "_end_step", "_note_wakes", "_number", "_unhandled", "_add"]
)
def test_an_error_of_the_recorder_is_none_of_the_program(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    failure = found_by(bought_twice(Wrapped)).failure
    assert failure is not None

    def breaks(*args: object) -> None:
        raise asyncio.InvalidStateError("of the recorder")

    monkeypatch.setattr(StepsLane, method, breaks)
    with pytest.raises(InternalError, match="InvalidStateError: of the recorder"):
        _ = failure.simple


def test_a_recorded_run_that_is_another_one_is_not_shown() -> None:
    async def other_if_recorded() -> None:
        await asyncio.sleep(0)
        if not hasattr(asyncio.Event.set, "__wrapped__"):
            raise KeyError(1)

    async def other_if_rewritten() -> None:
        await asyncio.sleep(0)
        raise (TypeError if MARK in globals() else KeyError)(1)

    simple = report(other_if_recorded)
    lacks = "its steps are not shown: while they were recorded, it returned None"
    assert (simple.error, simple.rows, simple.lacks) == ("KeyError: 1", [], lacks)
    assert lacks in text_of(simple).splitlines()
    simple = report(other_if_rewritten)
    lacks = "its variables are not shown: with its file rewritten, the program raised TypeError: 1"
    assert (simple.error, simple.rows[-1].end, simple.lacks) == ("KeyError: 1", "raises KeyError: 1", lacks)
    assert lacks in scenes_of(simple)[0].notes


# --- values, when the failure happens --------------------------------------------------------------------------

LEFT = [1]


async def global_list() -> None:
    LEFT[0] = 1
    LEFT[0] -= 2
    assert LEFT[0] > 0, LEFT


async def changed_later() -> None:
    seen: list[int] = []

    async def add() -> None:
        await asyncio.sleep(0)
        seen.append(1)

    tasks = [asyncio.create_task(add()) for _ in range(3)]
    await asyncio.sleep(0)
    del tasks
    raise ValueError(seen)


async def changed_at_the_end() -> None:
    seen = [1]

    async def clean() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            seen.clear()

    task = asyncio.create_task(clean())
    await asyncio.sleep(0)
    raise KeyError(task.done(), *map(str, seen), seen) from None


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize(
    ("program", "said"),
    [
        (global_list, "AssertionError: [-1]"),
        (changed_later, "ValueError: []"),
        (changed_at_the_end, "KeyError: (False, '1', [1])"),
    ],
)
def test_a_value_is_shown_as_it_was(program: Program, said: str, every: bool) -> None:
    found = found_by(program, every=every, reduce=every)
    assert found.failure is not None
    simple, data = found.failure.simple, json.loads(json.dumps(found.as_json()))
    assert {found.failure.outcome, simple.error, data["failure"]["error"], *found.outcomes} == {said}
    assert data["outcomes"][0]["outcome"] == said
    assert text_of(simple).splitlines()[0] == f"{program.__name__} fails: {said}"
    assert scenes_of(simple)[0].notes[0] == f"{program.__name__} fails: {said}"
    assert found_by(program, token=simple.token).failure.simple.error == said  # type: ignore[union-attr]


# --- a program that exits --------------------------------------------------------------------------------------


def exits(how: str, code: object) -> Program:
    async def main() -> None:
        seen: list[int] = []

        async def note(number: int) -> None:
            await asyncio.sleep(0)
            seen.append(number)
            if how == "task" and seen == [2]:
                sys.exit(code)  # type: ignore[arg-type]  # any object

        def call() -> None:
            if how == "callback" and not seen:
                sys.exit(code)  # type: ignore[arg-type]

        tasks = [asyncio.create_task(note(number)) for number in (1, 2)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_soon(call)
        await asyncio.wait(tasks)
        if how == "main" and seen == [2, 1]:
            raise SystemExit(code)

    return main


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("how", ["main", "task", "callback"])
@pytest.mark.parametrize(
    ("code", "said"), [("2 came first", "SystemExit: 2 came first"), (3, "SystemExit: 3")]
)
def test_a_program_that_exits_in_one_schedule_is_a_finding(
    how: str, code: object, said: str, every: bool, caplog: pytest.LogCaptureFixture
) -> None:
    found = found_by(exits(how, code), every=every, reduce=every)
    assert found.failure is not None
    simple = found.failure.simple
    assert (simple.error, found.failure.outcome) == (said, said)
    assert (len(found.outcomes), simple.plain_passes) == (2, True)
    again = explore(exits(how, code), token=simple.token)
    assert list(again.outcomes) == [said]
    assert caplog.text == ""


def test_ctrl_c_is_no_finding() -> None:
    async def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        explore(interrupted)


# --- an error that came earlier --------------------------------------------------------------------------------


def dies_first(how: str, loop: Any) -> Program:
    """A worker dies of a KeyError, of which nothing learns; main fails by it later."""

    async def main() -> None:
        jobs: Any = loop.Queue()

        async def work() -> None:
            raise KeyError("job")

        def call() -> None:
            raise KeyError("job")

        if how == "callback":
            loop.get_running_loop().call_soon(call)
        else:
            task = loop.create_task(work(), name="worker")
            if how == "reported":
                task.add_done_callback(lambda task: task.result())
        await loop.sleep(1)
        if how == "deadlock":
            await jobs.get()
        jobs.get_nowait()

    return main


@pytest.mark.parametrize("loop", [asyncio, impl])
@pytest.mark.parametrize("how", ["task", "callback", "reported", "deadlock"])
def test_an_unhandled_error_that_came_earlier_is_named_first(how: str, loop: Any) -> None:
    simple = report(dies_first(how, loop), runtime="asyncio" if loop is asyncio else "impl")
    assert simple.earlier is not None
    actor = "a callback" if how == "callback" else "worker"
    lines = text_of(simple).splitlines()
    assert lines[0] == f"{actor} fails first: KeyError: 'job' (nothing has retrieved it)"
    assert lines[2] == '    raise KeyError("job")'
    assert lines[3].startswith("then main fails: ")
    assert simple.as_json()["earlier"]["task"] == ("" if how == "callback" else "worker")


def test_an_error_that_the_program_handled_is_not_named() -> None:
    async def fails() -> None:
        raise KeyError

    async def main() -> None:
        await asyncio.gather(fails(), fails(), return_exceptions=True)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(fails())
        finally:
            await asyncio.sleep(0)

    assert report(main).earlier is None
