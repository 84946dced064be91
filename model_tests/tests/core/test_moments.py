"""A cancel at every moment of small programs that gather, wait, group, shield and time out (cancel_everywhere.py)."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Iterator

import pytest

from impl import ALL_COMPLETED, FIRST_COMPLETED, FIRST_EXCEPTION

from .cancel_everywhere import Body, World, check_everywhere


@pytest.fixture(autouse=True)
def _no_collector() -> Iterator[None]:
    """When an unretrieved error is reported must not depend on when the collector runs."""
    gc.disable()
    yield
    gc.enable()


# --- gather --------------------------------------------------------------------------------------------------


async def plain_gather(w: World) -> object:
    return await w.s.gather(w.child("a", 1, "A"), w.child("b", 2, "B"))


async def tidy_gather(w: World) -> object:
    return await w.s.gather(w.child("a", 1, "A", "tidy"), w.child("b", 2, "B", "tidy for a while"))


async def swallowing_gather(w: World) -> object:
    return await w.s.gather(w.child("a", 1, "A", "swallow"), w.child("b", 2, "B", "swallow"))


async def failing_gather(w: World) -> object:
    return await w.s.gather(w.child("a", 1, KeyError(1)), w.child("b", 2, "B"), w.child("c", 3, "C", "fail"))


async def exceptions_as_results_gather(w: World) -> object:
    return await w.s.gather(w.child("a", 1, KeyError(1)), w.child("b", 2, 0, "fail"), return_exceptions=True)


async def swallowed_as_results_gather(w: World) -> object:
    return await w.s.gather(w.child("b", 2, "B", "swallow"), w.child("a", 1, "A"), return_exceptions=True)


async def nested_gather(w: World) -> object:
    inner = w.s.gather(w.child("a", 1, "A"), w.child("b", 2, "B", "tidy"))
    return await w.s.gather(inner, w.child("c", 1.5, "C"))


async def nested_by_tasks_gather(w: World) -> object:
    async def inner() -> object:
        return await w.s.gather(w.child("a", 1, "A"), w.child("b", 2, "B", "swallow"))

    return await w.s.gather(w.task("inner", inner()), w.child("c", 1.5, "C"), return_exceptions=True)


async def child_cancelled_gather(w: World) -> object:
    child = w.task("a", w.child("a", 2, "A"))
    w.loop.call_at(1, child.cancel, "why")
    try:
        return await w.s.gather(child, w.child("b", 3, "B"))
    except w.s.CancelledError as error:
        w.say("caught", error.args)
        raise


async def the_same_twice_gather(w: World) -> object:
    child = w.task("a", w.child("a", 1, "A"))
    return await w.s.gather(child, child)


async def in_a_timeout_gather(w: World) -> object:
    async with w.s.timeout(1):
        return await w.s.gather(w.child("a", 2, "A", "swallow"), w.child("b", 2, "B", "tidy"))


async def all_done_when_cancelled_gather(w: World) -> object:
    """The moment of B39: the children have ended in this very iteration."""
    first, second = w.loop.create_future(), w.loop.create_future()
    w.later(1, first.set_result, 1)
    w.later(1, second.set_result, 2)
    return await w.s.gather(first, w.s.gather(second))


@pytest.mark.parametrize(
    "body",
    [
        plain_gather,
        tidy_gather,
        swallowing_gather,
        failing_gather,
        exceptions_as_results_gather,
        swallowed_as_results_gather,
        nested_gather,
        nested_by_tasks_gather,
        child_cancelled_gather,
        the_same_twice_gather,
        in_a_timeout_gather,
        all_done_when_cancelled_gather,
    ],
)
def test_gather_cancelled_at_every_moment(body: Body) -> None:
    check_everywhere(body, 0, 1, 1.5, 2)


def test_the_check_sees_a_wrong_gather(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a request were lost when the children swallow it, the logs would differ."""
    monkeypatch.setattr(asyncio, "gather", lambda *a, **k: asyncio.shield(asyncio.tasks.gather(*a, **k)))
    with pytest.raises(AssertionError, match="turns from"):
        check_everywhere(swallowing_gather, 0)


# --- wait, wait_for, as_completed, shield --------------------------------------------------------------------


def waiting(return_when: str, timeout: float | None) -> Body:
    async def wait(w: World) -> object:
        tasks = [
            w.task("a", w.child("a", 1, "A")),
            w.task("b", w.child("b", 2, KeyError(1))),
            w.task("c", w.child("c", 3, "C")),
        ]
        done, pending = await w.s.wait(tasks, timeout=timeout, return_when=return_when)
        return sorted(one.get_name() for one in done), sorted(one.get_name() for one in pending)

    return wait


@pytest.mark.parametrize("timeout", [None, 1.5])
@pytest.mark.parametrize("return_when", [FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED])
def test_wait_cancelled_at_every_moment(return_when: str, timeout: float | None) -> None:
    check_everywhere(waiting(return_when, timeout), 0, 1, 1.5, 2, 3)


def waiting_for(timeout: float | None, as_task: bool, seconds: float, on_cancel: str) -> Body:
    async def body(w: World) -> object:
        inner = w.child("a", seconds, "A", on_cancel)
        return await w.s.wait_for(w.task("a", inner) if as_task else inner, timeout)

    return body


ON_CANCEL = ["obey", "tidy", "tidy for a while", "swallow", "fail"]


@pytest.mark.parametrize("as_task", [False, True])
@pytest.mark.parametrize("timeout", [None, -1, 0, 1])
@pytest.mark.parametrize(("seconds", "on_cancel"), [*((2, how) for how in ON_CANCEL), (0.5, "obey")])
def test_wait_for_cancelled_at_every_moment(
    timeout: float | None, as_task: bool, seconds: float, on_cancel: str
) -> None:
    """B01 shows in all programs with a timeout, on a Python that has it; the bridge then behaves like 3.11."""
    older = sys.version_info < (3, 12) and timeout == 1
    check_everywhere(
        waiting_for(timeout, as_task, seconds, on_cancel),
        *(0, 0.5, 1, 2),
        known="B01, gh-96764" if older else "",
        pinned="wait_for is a task of its own" if older else "",
    )


async def steps(w: World) -> object:
    tasks = [w.task("a", w.child("a", 2, "A")), w.task("b", w.child("b", 1, "B"))]
    return [await step for step in w.s.as_completed(tasks)]


async def steps_with_a_timeout(w: World) -> object:
    tasks = [w.task("a", w.child("a", 2, "A")), w.task("b", w.child("b", 0.5, "B"))]
    for step in w.s.as_completed(tasks, timeout=1):
        try:
            w.say("step", await step)
        except TimeoutError:
            w.say("timeout")
    return None


async def shielded(w: World) -> object:
    inner = w.task("a", w.child("a", 1, "A"))
    try:
        return await w.s.shield(inner)
    except w.s.CancelledError:
        w.say("and yet", await inner)
        raise


async def shielded_failure(w: World) -> object:
    return await w.s.shield(w.task("a", w.child("a", 1, KeyError())))


async def shielded_and_cancelled(w: World) -> object:
    inner = w.task("a", w.child("a", 2, "A"))
    w.loop.call_at(1, inner.cancel)
    return await w.s.shield(inner)


@pytest.mark.parametrize(
    "body", [steps, steps_with_a_timeout, shielded, shielded_failure, shielded_and_cancelled]
)
def test_steps_and_shields_cancelled_at_every_moment(body: Body) -> None:
    check_everywhere(body, 0, 0.5, 1, 2)


# --- TaskGroup -----------------------------------------------------------------------------------------------


async def two_group(w: World) -> object:
    async with w.s.TaskGroup() as group:
        group.create_task(w.child("a", 1))
        group.create_task(w.child("b", 2, None, "tidy"))
        await w.s.sleep(0.5)
    return w.s.current_task().cancelling()


async def failing_group(w: World) -> object:
    async with w.s.TaskGroup() as group:
        group.create_task(w.child("a", 1, KeyError(1)))
        group.create_task(w.child("b", 2, None, "tidy"))
        group.create_task(w.child("c", 2, None, "fail"))
        await w.s.sleep(1.5)
    return None


async def failing_and_caught_group(w: World) -> object:
    try:
        async with w.s.TaskGroup() as group:
            group.create_task(w.child("a", 1, KeyError(1)))
            group.create_task(w.child("b", 2, None, "tidy for a while"))
    except* KeyError:
        w.say("caught", w.s.current_task().cancelling())
    return w.s.current_task().cancelling()


async def failing_body_group(w: World) -> object:
    async with w.s.TaskGroup() as group:
        group.create_task(w.child("a", 2, None, "tidy"))
        await w.s.sleep(1)
        raise ValueError


async def replacing_body_group(w: World) -> object:
    async with w.s.TaskGroup() as group:
        group.create_task(w.child("a", 1, KeyError(1)))
        try:
            await w.s.sleep(3)
        except w.s.CancelledError:
            raise ValueError from None
    return None


async def nested_group(w: World) -> object:
    async with w.s.TaskGroup() as outer:
        outer.create_task(w.child("a", 1, KeyError(1)))
        async with w.s.TaskGroup() as inner:
            inner.create_task(w.child("b", 2, None, "fail"))
    return None


async def in_a_timeout_group(w: World) -> object:
    try:
        async with w.s.timeout(1), w.s.TaskGroup() as group:
            group.create_task(w.child("a", 2, None, "tidy"))
    except TimeoutError:
        return w.s.current_task().cancelling()
    return "never"


async def swallowing_group(w: World) -> object:
    async with w.s.TaskGroup() as group:
        group.create_task(w.child("a", 2, "A", "swallow"))
        group.create_task(w.child("b", 1, None))
    return w.s.current_task().cancelling()


@pytest.mark.parametrize(
    "body",
    [
        two_group,
        failing_group,
        failing_body_group,
        replacing_body_group,
        nested_group,
        in_a_timeout_group,
        swallowing_group,
    ],
)
def test_a_group_cancelled_at_every_moment(body: Body) -> None:
    check_everywhere(body, 0, 1, 2, each=True)


def test_a_group_that_is_caught_cancelled_at_every_moment() -> None:
    """GROUP-5, GROUP-9: B04 shows here on a Python that has it, in the count and in the lost cancel."""
    known = "B04, gh-116720" if sys.version_info < (3, 13) else ""
    check_everywhere(failing_and_caught_group, 0, 1, 2, known=known, each=True)


# --- timeout -------------------------------------------------------------------------------------------------


async def tidy_timeout(w: World) -> object:
    try:
        async with w.s.timeout(1) as t:
            await w.child("a", 2, "A", "tidy")
    except TimeoutError:
        return t.expired(), w.s.current_task().cancelling()
    return "never"


async def swallow_timeout(w: World) -> object:
    async with w.s.timeout(1) as t:
        w.say(await w.child("a", 2, "A", "swallow"))
    return t.expired(), w.s.current_task().cancelling()


async def one_in_another_timeout(w: World) -> object:
    try:
        async with w.s.timeout(2) as outer:
            try:
                async with w.s.timeout(1) as inner:
                    await w.child("a", 3, "A", "tidy for a while")
            except TimeoutError:
                w.say("inner", outer.expired())
            await w.s.sleep(5)
    except TimeoutError:
        return inner.expired(), outer.expired(), w.s.current_task().cancelling()
    return "never"


async def moved_timeout(w: World) -> object:
    async with w.s.timeout(1) as t:
        await w.s.sleep(0.5)
        t.reschedule(2)
        await w.s.sleep(3)
    return "never"


@pytest.mark.parametrize("body", [tidy_timeout, swallow_timeout, one_in_another_timeout, moved_timeout])
def test_a_timeout_cancelled_at_every_moment(body: Body) -> None:
    """TIMEOUT-2, TIMEOUT-8."""
    check_everywhere(body, 0, 0.5, 1, 1.25, 2)
