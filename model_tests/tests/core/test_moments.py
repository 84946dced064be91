"""A cancel at every moment of programs that combine gather, as_completed and timeouts.

Nested timeouts and groups are judged by their specification (`spec/scopes`), in random programs; a shield, and a
gather with a cancelled child, are scenarios of the conformance kit's enumeration.

A *body* is a coroutine function of a `World`: the names of one runtime, and a log.  It runs as
the victim; a callback that starts at a given time and then passes from turn to turn cancels it after so many turns.
Everything that happens is logged with its time, and in the end, who was cancelled and how often.  impl, impl's names on
asyncio's loop, and stock asyncio must give equal logs.  The clock is virtual on all, so times are exact, and a program
that would wait for ever is a line of the log, too.
"""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any

import pytest

import impl
from impl.bridges.on_asyncio import names as asyncio_names

from ...programs.virtual_asyncio import Hang, VirtualLoop

# Any in this file: the names and futures of two runtimes.

Log = list[tuple[object, ...]]


#: The last entry of a log: tasks that are left end after it, in asyncio in the order of a set, and are not logged.
THE_END = ("the", "end")


class World:
    """The argument of a body: `s`, asyncio's names of one runtime; helpers to make children, which log their steps."""

    def __init__(self, s: Any, log: Log) -> None:
        self.s = s
        self.log = log
        self.loop = s.get_running_loop()
        self.tasks: dict[str, Any] = {}

    def say(self, *what: object) -> None:
        if not self.log or self.log[-1] != THE_END:
            self.log.append((round(self.loop.time(), 6), *what))

    def later(self, turns: int, act: Callable[..., object], *args: object) -> None:
        """Call it after so many turns."""
        if turns:
            self.loop.call_soon(self.later, turns - 1, act, *args)
        else:
            act(*args)

    def task(self, name: str, coro: Coroutine[Any, Any, Any]) -> Any:
        """A task that records its end."""
        self.tasks[name] = self.s.create_task(coro, name=name)
        return self.tasks[name]

    async def child(self, name: str, seconds: float, result: object = None, on_cancel: str = "obey") -> Any:
        """Sleep, then return `result` or raise it.

        Cancelled, it obeys, tidies for two turns and then obeys, or swallows the request.
        """
        self.say(name, "begins")
        try:
            await self.s.sleep(seconds)
        except self.s.CancelledError as error:
            self.say(name, "cancelled", error.args, self.s.current_task().cancelling())

            if on_cancel == "swallow":
                await self.s.sleep(0)
                return f"{name} anyway"
            if on_cancel == "tidy":
                await self.s.sleep(0)
                await self.s.sleep(0)
                self.say(name, "is tidy")
            raise
        if isinstance(result, BaseException):
            raise result
        return result


Body = Callable[[World], Awaitable[object]]


class _Stable(VirtualLoop):
    """asyncio's loop, with timers of one instant in the order of their creation, as on ours."""

    _timers_set = 0

    def call_at(self, when: float, *given: Any, **named: Any) -> asyncio.TimerHandle:  # type: ignore[override]
        self._timers_set += 1  # all within the nanosecond that the loop takes for one instant
        return super().call_at(when + self._timers_set * 1e-13, *given, **named)


def outcome(future: Any, cancelled: type[BaseException]) -> tuple[object, ...]:
    """How it ended."""
    if not future.done():
        return ("pending",)
    if future.cancelled():
        return ("cancelled",)
    error = future.exception()
    if isinstance(error, cancelled):
        return ("failed with a CancelledError",)
    return ("returned", repr(future.result())) if error is None else ("failed", repr(error))


async def _story(s: Any, body: Body, when: float | None, turns: int, log: Log) -> None:
    world = World(s, log)
    victim = world.task("victim", _victim(world, body))
    if when is not None:
        if when:
            world.loop.call_at(when, world.later, turns, _cancel, world, victim)
        else:
            world.later(turns, _cancel, world, victim)
    await s.wait([victim])
    for _ in range(12):
        await s.sleep(0)  # whoever was asked to end, does
    for name, task in world.tasks.items():
        world.say(name, *outcome(task, s.CancelledError), task.cancelling())
    log.append(THE_END)


async def _victim(world: World, body: Body) -> object:
    result = await body(world)
    world.say("body over", repr(result))
    await world.s.sleep(0)  # a request that was made again strikes here
    return result


def _cancel(world: World, victim: Any) -> None:
    world.say("asked", victim.cancel("stop"))


def _report(log: Log, what: dict[str, Any]) -> None:
    if not log or log[-1] != THE_END:
        log.append(("reported", type(what.get("exception")).__name__))


def on_ours(body: Body, when: float | None, turns: int) -> Log:
    """The story on our loop."""
    log: Log = []
    loop = impl.Loop()
    loop.set_exception_handler(lambda _, what: _report(log, what))
    try:
        loop.run(_story(impl, body, when, turns, log))
    except impl.DeadlockError:
        log.append(("waits for ever",))
    return log


class _Bridged:
    """Our names on asyncio's loop; asyncio's where a bridge gives none."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio_names if name in asyncio_names.__all__ else asyncio, name)


BRIDGED = _Bridged()


def on_asyncio(body: Body, when: float | None, turns: int, s: Any) -> Log:
    """The story on asyncio's loop in virtual time, with the names of `s`."""
    log: Log = []
    with asyncio.Runner(loop_factory=_Stable) as runner:
        runner.get_loop().set_exception_handler(lambda _, what: _report(log, what))
        try:
            runner.run(_story(s, body, when, turns, log))
        except Hang:
            log.append(("waits for ever",))
    return log


@pytest.fixture(autouse=True)
def _no_collector() -> Iterator[None]:
    """When an unretrieved error is reported must not depend on when the collector runs."""
    gc.disable()
    yield
    gc.enable()


def check_everywhere(body: Body, *times: float) -> None:
    """Cancel `body` never, and 0 to 4 turns after each of the times, in seconds; the logs must be equal."""
    for when, count in [(None, 0), *((when, count) for when in times for count in range(5))]:
        ours = on_ours(body, when, count)
        assert ours
        for names in (BRIDGED, asyncio):
            assert on_asyncio(body, when, count, names) == ours, f"{count} turns from {when}"


async def swallowing_gather(w: World) -> object:
    return await w.s.gather(w.child("a", 1, "A", "swallow"), w.child("b", 2, "B", "swallow"))


async def swallowed_as_results_gather(w: World) -> object:
    return await w.s.gather(w.child("b", 2, "B", "swallow"), w.child("a", 1, "A"), return_exceptions=True)


async def nested_gather(w: World) -> object:
    inner = w.s.gather(w.child("a", 1, "A"), w.child("b", 2, "B", "tidy"))
    return await w.s.gather(inner, w.child("c", 1.5, "C"))


async def nested_by_tasks_gather(w: World) -> object:
    async def inner() -> object:
        return await w.s.gather(w.child("a", 1, "A"), w.child("b", 2, "B", "swallow"))

    return await w.s.gather(w.task("inner", inner()), w.child("c", 1.5, "C"), return_exceptions=True)


async def in_a_timeout_gather(w: World) -> object:
    async with w.s.timeout(1):
        return await w.s.gather(w.child("a", 2, "A", "swallow"), w.child("b", 2, "B", "tidy"))


async def all_done_when_cancelled_gather(w: World) -> object:
    """The moment of B39: the children have ended in this very iteration."""
    first, second = w.loop.create_future(), w.loop.create_future()
    w.later(1, first.set_result, 1)
    w.later(1, second.set_result, 2)
    return await w.s.gather(first, w.s.gather(second))


async def steps_with_a_timeout(w: World) -> object:
    tasks = [w.task("a", w.child("a", 2, "A")), w.task("b", w.child("b", 0.5, "B"))]
    for step in w.s.as_completed(tasks, timeout=1):
        try:
            w.say("step", await step)
        except TimeoutError:
            w.say("timeout")
    return None


BODIES = [
    swallowing_gather, swallowed_as_results_gather, nested_gather, nested_by_tasks_gather,
    in_a_timeout_gather, all_done_when_cancelled_gather, steps_with_a_timeout,
]  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
def test_cancelled_at_every_moment(body: Body) -> None:
    check_everywhere(body, 0, 0.5, 1, 1.25, 1.5, 2)


def test_the_check_sees_a_wrong_gather(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were a request not kept when the children swallow it, the stories would differ."""
    monkeypatch.setattr(asyncio, "gather", lambda *a, **k: asyncio.shield(asyncio.tasks.gather(*a, **k)))
    with pytest.raises(AssertionError, match="turns from"):
        check_everywhere(swallowing_gather, 0)
