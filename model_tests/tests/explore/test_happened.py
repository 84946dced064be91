"""A report is true: values at their time, errors in their order, each task; and it says where it does not know."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from typing import Any

import pytest

import impl
from impl.errors import InternalError
from impl.explore import explore
from impl.explore.reduction.kinds import is_rewritten
from impl.explore.report.data import Report
from impl.explore.report.scenes import scenes_of
from impl.explore.report.steps_lane import StepsLane
from impl.explore.report.text import text_of

from ..fixtures import Patch
from .programs import failure_of

# Any in this file: the yields of a coroutine of a class, and arguments of `explore`.
Coro = Coroutine[Any, Any, None]
Program = Callable[[], Coro]


def report(program: Program, **arguments: Any) -> Report:
    return failure_of(program, **arguments).simple


class Wrapped(Coroutine[Any, Any, None]):
    """A coroutine of a class, as aiohttp's request is one; it refers to itself, too."""

    def __init__(self, coro: Coro) -> None:
        self.me, self.coro = self, coro

    def send(self, value: Any) -> Any:
        return self.coro.send(value)

    def throw(self, *error: Any) -> Any:
        return self.coro.throw(*error)

    def close(self) -> None:
        self.coro.close()

    def __await__(self) -> Generator[Any, Any, None]:
        return self.coro.__await__()


async def awaits(coro: Coro) -> None:
    await Wrapped(coro)


async def yields(coro: Coro) -> AsyncGenerator[None, None]:
    await coro
    yield


def bought_twice(wrap: Callable[[Coro], Any], parks: bool = False) -> Program:
    async def main() -> None:
        left = [1]

        async def buy() -> None:
            if left[0]:
                await (asyncio.Event().wait() if parks else asyncio.sleep(0))
                left[0] -= 1

        await asyncio.gather(*(asyncio.create_task(wrap(buy()), name=name) for name in "ab"))
        assert left[0] == 0

    return main


WRAPS: dict[str, Callable[[Coro], Any]] = {
    "class": Wrapped,
    "twice": lambda coro: Wrapped(Wrapped(coro)),
    "within": awaits,
    "asend": lambda coro: yields(coro).asend(None),
    "anext": lambda coro: anext(yields(coro)),
}


@pytest.mark.filterwarnings("ignore:.*async_generator")  # 3.13 warns of one that its loop closes
@pytest.mark.short("class-True", "anext-False", why="half a second each")
@pytest.mark.parametrize("parks", [False, True])
@pytest.mark.parametrize("name", WRAPS)
def test_any_coroutine_has_the_report_of_the_plain_one(name: str, parks: bool) -> None:
    plain, wrapped = report(bought_twice(lambda coro: coro, parks)), report(bought_twice(WRAPS[name], parks))
    rows = [[(row.task, row.touches, row.end) for row in each.rows] for each in (plain, wrapped)]
    assert rows[0] == rows[1]
    assert (wrapped.turned, wrapped.waiting, wrapped.order) == (plain.turned, plain.waiting, plain.order)


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")  # the run ends where the recorder breaks
@pytest.mark.parametrize("method", ["_begin_step", "_end_step", "_note_wakes", "_number", "_unhandled"])
def test_an_error_of_the_recorder_is_none_of_the_program(method: str, monkeypatch: Patch) -> None:
    failure = failure_of(bought_twice(Wrapped))

    def breaks(*args: object) -> None:
        raise asyncio.InvalidStateError("of the recorder")

    monkeypatch.setattr(StepsLane, method, breaks)
    with pytest.raises(InternalError, match="InvalidStateError: of the recorder"):
        _ = failure.simple


def test_a_recorded_run_that_is_another_one_is_not_shown() -> None:
    async def other(seen: bool) -> None:
        await asyncio.sleep(0)
        raise (TypeError if seen else KeyError)(1)

    simple = report(lambda: other(hasattr(asyncio.Event.set, "__wrapped__")))
    lacks = "its steps are not shown: while they were recorded, it raised TypeError: 1"
    assert (simple.error, simple.rows, simple.lacks) == ("KeyError: 1", [], lacks)
    assert lacks in text_of(simple).splitlines()
    simple = report(lambda: other(is_rewritten(other)))
    lacks = "its variables are not shown: with its file rewritten, the program raised TypeError: 1"
    assert (simple.error, simple.rows[-1].end, simple.lacks) == ("KeyError: 1", "raises KeyError: 1", lacks)
    assert lacks in scenes_of(simple)[0].notes


LEFT = [1]


def raises_a_value(how: str) -> Program:
    """The value changes when module-level state is put back, in the last turn, or while the loop is wound up."""

    async def main() -> None:
        LEFT[:] = seen = LEFT if how == "module" else [-1]

        async def change() -> None:
            try:
                await (asyncio.sleep(0) if how == "turn" else asyncio.Event().wait())
            finally:
                seen.append(1)

        changing = [asyncio.create_task(change()) for _ in range(3 * (how != "module"))]
        await asyncio.sleep(0)
        LEFT[0] = -len(changing) or -1
        raise ValueError(seen)

    return main


@pytest.mark.short("turn-False", "end-True", why="half a second each")
@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("how", ["module", "turn", "end"])
def test_a_value_is_shown_as_it_was(how: str, every: bool) -> None:
    found, said = explore(raises_a_value(how), every=every, reduce=every), "ValueError: [-1]"
    assert found.failure is not None
    simple, data = found.failure.simple, found.as_json()
    assert {found.failure.outcome, simple.error, data["failure"]["error"], *found.outcomes} == {said}
    assert {text_of(simple).splitlines()[0], scenes_of(simple)[0].notes[0]} == {f"main fails: {said}"}
    assert report(raises_a_value(how), token=simple.token).error == said


def exits(how: str) -> Program:
    async def main() -> None:
        seen: list[int] = []

        async def note(number: int) -> None:
            await asyncio.sleep(0)
            seen.append(number)
            if how == "task" and seen == [2]:
                sys.exit(3)

        tasks = [asyncio.create_task(note(number)) for number in (1, 2)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_soon(lambda: how == "callback" and (seen or sys.exit(3)))
        await asyncio.wait(tasks)
        if how == "main" and seen == [2, 1]:
            raise SystemExit(3)

    return main


@pytest.mark.short("task-True", "callback-False", why="half a second each")
@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("how", ["main", "task", "callback"])
def test_an_exit_in_a_schedule_is_a_finding(how: str, every: bool, caplog: pytest.LogCaptureFixture) -> None:
    failure = failure_of(exits(how), every=every, reduce=every)
    assert (failure.outcome, failure.simple.error) == ("SystemExit: 3", "SystemExit: 3")
    assert failure.simple.plain_passes
    assert list(explore(exits(how), token=failure.simple.token).outcomes) == ["SystemExit: 3"]
    assert caplog.text == ""


def test_ctrl_c_is_no_finding() -> None:
    async def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        explore(interrupted)


def dies_first(how: str, loop: Any) -> Program:
    """A KeyError that nothing learns of; main fails by it later."""

    async def main() -> None:
        async def work() -> None:
            raise KeyError("job")

        def call() -> None:
            raise KeyError("job")

        if how == "callback":
            loop.get_running_loop().call_soon(call)
        else:
            task = loop.create_task(work(), name="worker")
            task.add_done_callback(lambda task: how == "reported" and task.result())
            del task  # it is collected when it has ended
        await loop.sleep(1)
        await (loop.Event().wait() if how == "deadlock" else loop.wait_for(loop.Event().wait(), 1))

    return main


@pytest.mark.parametrize("loop", [asyncio, impl])
@pytest.mark.parametrize("how", ["task", "callback", "reported", "deadlock"])
def test_an_unhandled_error_that_came_earlier_is_named_first(how: str, loop: Any) -> None:
    simple = report(dies_first(how, loop), runtime="asyncio" if loop is asyncio else "impl")
    actor, lines = "a callback" if how == "callback" else "worker", text_of(simple).splitlines()
    assert lines[0] == f"{actor} fails first: KeyError: 'job' (nothing has retrieved it)"
    assert lines[2] == '    raise KeyError("job")'
    assert lines[3].startswith("then main fails: ")
    assert simple.as_json()["earlier"]["error"] == "KeyError: 'job'"


def test_an_error_that_the_program_handled_is_not_named() -> None:
    async def fails() -> None:
        raise KeyError

    async def main() -> None:
        await asyncio.gather(fails(), fails(), return_exceptions=True)
        async with asyncio.TaskGroup() as group:
            group.create_task(fails())

    assert report(main).earlier is None
