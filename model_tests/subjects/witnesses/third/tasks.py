"""Witnesses of wrong/third/tasks.py."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, ended, outcome, settle, shows, state
from ...wrong.third import tasks as wrong


async def _pass() -> None:
    pass


@shows("", wrong.TaskThatTakesAnEmptyNameForNone)
async def _name_a_task_with_nothing(thing: Thing) -> Any:
    task = thing(_pass(), name="")
    await task
    return task.get_name()


@shows("raises SystemExit", wrong.TaskThatKeepsSystemExitToItself)
async def _exit_in_a_task(thing: Thing) -> Any:
    async def leave() -> None:
        raise SystemExit

    task = thing(leave())
    await settle()
    return type(task.exception()).__name__


@shows(True, wrong.TaskThatCutsTheTracebackAtTheOldEnd)
async def _ask_a_failed_task_for_one_frame(thing: Thing) -> Any:
    def deeper() -> None:
        raise ValueError

    async def work() -> None:
        deeper()

    task = thing(work())
    await ended(task)
    return task.get_stack(limit=1) == task.get_stack()[:1]


@shows("cancelled", wrong.TaskThatReturnsThoughItCancelledItself)
async def _cancel_in_the_last_step(thing: Thing) -> Any:
    async def work() -> str:
        task.cancel()
        return "returned"

    task = thing(work())
    return await state(task)


@shows(("CancelledError", 0.0), wrong.TaskThatWaitsBeforeItIsCancelled)
async def _cancel_before_a_long_wait(thing: Thing) -> Any:
    async def work() -> Any:
        task.cancel()
        return await ended(asyncio.sleep(10)), asyncio.get_running_loop().time()

    task = thing(work())
    return await task


@shows(["RuntimeError"], wrong.TaskThatEndsAtABadAwait)
async def _await_oneself(thing: Thing) -> Any:
    caught = []

    async def work() -> None:
        caught.append(await ended(task))

    task = thing(work())
    await settle()
    outcome(task)
    return caught


@shows(["made"], wrong.create_task_bypasses_the_factory)
async def _make_a_task_with_a_factory(thing: Thing) -> Any:
    made = []

    def factory(loop: Any, coro: Any, **options: Any) -> Any:
        made.append("made")
        return asyncio.Task(coro, loop=loop, **options)

    asyncio.get_running_loop().set_task_factory(factory)
    await thing(_pass())
    return made


@shows("raises ValueError", wrong.ensure_future_takes_a_foreign_future)
async def _give_a_future_and_another_loop(thing: Thing) -> Any:
    other = asyncio.new_event_loop()
    try:
        future = asyncio.get_running_loop().create_future()
        return thing(future, loop=other) is future
    finally:
        other.close()


class _Answer:
    """A future-like object that is done from the beginning."""

    _asyncio_future_blocking = False

    def __await__(self) -> Any:
        return "answer"
        yield

    def get_loop(self) -> Any:
        return asyncio.get_running_loop()


@shows(True, wrong.ensure_future_wraps_what_is_like_a_future)
async def _give_what_is_like_a_future(thing: Thing) -> Any:
    answer = _Answer()
    return thing(answer) is answer


@shows("cancelled", wrong.sleep_returns_when_cancelled)
async def _cancel_a_sleep(thing: Thing) -> Any:
    task = asyncio.create_task(thing(10, "slept"))
    await settle()
    task.cancel()
    return await state(task)


@shows(["cancelled", "slept"], wrong.sleep_shares_its_alarm)
async def _cancel_one_of_two_sleeps(thing: Thing) -> Any:
    tasks = [asyncio.create_task(thing(10, "slept")) for _ in range(2)]
    await settle()
    tasks[0].cancel()
    await asyncio.sleep(20)
    return [outcome(task) for task in tasks]


@shows(1, wrong.all_tasks_wants_a_running_loop)
def _ask_for_the_tasks_of_a_stopped_loop(thing: Thing) -> Any:
    loop = asyncio.new_event_loop()
    task = loop.create_task(_pass())
    try:
        return len(thing(loop))
    finally:
        loop.run_until_complete(task)
        loop.close()


@shows(True, wrong.all_tasks_begins_with_the_first_step)
async def _ask_before_the_first_step(thing: Thing) -> Any:
    task = asyncio.create_task(_pass())
    return task in thing()


@shows([None], wrong.current_task_comes_with_the_context)
async def _ask_for_the_task_in_a_callback(thing: Thing) -> Any:
    found: list[Any] = []
    thing()
    asyncio.get_running_loop().call_soon(lambda: found.append(thing()))
    await settle()
    return found


@shows(["ran"], wrong.shield_schedules_when_awaited)
async def _shield_and_look_later(thing: Thing) -> Any:
    ran = []

    async def work() -> None:
        ran.append("ran")

    shielded = thing(work())
    await settle()
    seen = list(ran)
    await shielded
    return seen


@shows(["worked"], wrong.shield_is_transparent_to_coroutines)
async def _cancel_the_caller_of_a_shielded_coroutine(thing: Thing) -> Any:
    done = []

    async def work() -> None:
        await asyncio.sleep(10)
        done.append("worked")

    async def call() -> None:
        await thing(work())

    task = asyncio.create_task(call())
    await settle()
    task.cancel()
    await asyncio.sleep(20)
    return done


@shows(["cancelled"], wrong.run_coroutine_threadsafe_lets_a_cancelled_task_run)
async def _cancel_from_another_thread(thing: Thing) -> Any:
    seen = []

    async def work() -> None:
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    future = thing(work(), asyncio.get_running_loop())
    await settle()
    future.cancel()
    await settle()
    return list(seen)  # as it is before the loop is cleared
