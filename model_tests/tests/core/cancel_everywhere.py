"""A cancel at every moment of a small program, on impl, on the bridge and on stock asyncio: the logs must be equal.

A *body* is a coroutine function of a `World`: the names of one runtime, and a log.  It runs as the victim.  A callback
that starts at a given time, and then runs once per loop iteration, cancels it after so many iterations.  Everything
that happens is logged with its time; at the end, which tasks were cancelled and how often.  The clock is virtual on
all, so times are exact, and a program that would wait for ever is a line of the log, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextvars import Context
from typing import Any, TypeVarTuple, Unpack

import impl
from impl.bridges.on_asyncio import names as asyncio_names

from ...programs.virtual_asyncio import Hang, VirtualLoop

# Any in this file: the names and futures of two runtimes.

Log = list[tuple[object, ...]]
Ts = TypeVarTuple("Ts")

#: The last line: then remaining tasks are cancelled, by asyncio in the order of a set, and that is not logged.
THE_END = ("the", "end")


class World:
    """The parameter of a body: `s`, asyncio's names of one runtime, and helpers to make children, which log what they
    do.
    """

    def __init__(self, s: Any, log: Log) -> None:
        self.s = s
        self.log = log
        self.loop = s.get_running_loop()
        self.tasks: dict[str, Any] = {}

    def say(self, *what: object) -> None:
        if not self.log or self.log[-1] != THE_END:
            self.log.append((round(self.loop.time(), 6), *what))

    def later(self, turns: int, act: Callable[..., object], *args: object) -> None:
        """Call it after so many loop iterations."""
        if turns:
            self.loop.call_soon(self.later, turns - 1, act, *args)
        else:
            act(*args)

    def task(self, name: str, coro: Coroutine[Any, Any, Any]) -> Any:
        """Make a task whose end is logged at the end."""
        self.tasks[name] = self.s.create_task(coro, name=name)
        return self.tasks[name]

    async def child(
        self, name: str, seconds: float = 1, result: object = None, on_cancel: str = "obey"
    ) -> Any:
        """Sleep, then return `result` or raise it.  If cancelled, either obey, or clean up for two iterations or
        longer and then obey, or swallow the request, or fail.
        """
        self.say(name, "begins")
        try:
            await self.s.sleep(seconds)
        except self.s.CancelledError as error:
            self.say(name, "cancelled", error.args, self.s.current_task().cancelling())
            if on_cancel == "fail":
                raise KeyError(name) from None
            if on_cancel == "swallow":
                await self.s.sleep(0)
                return f"{name} anyway"
            if on_cancel != "obey":
                await self.s.sleep(0 if on_cancel == "tidy" else 0.25)
                await self.s.sleep(0)
                self.say(name, "is tidy")
            raise
        if isinstance(result, BaseException):
            raise result
        return result


Body = Callable[[World], Awaitable[object]]


class _Stable(VirtualLoop):
    """asyncio's loop, but timers of one instant fire in the order in which they were set, as on impl."""

    _timers_set = 0

    def call_at(
        self,
        when: float,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        self._timers_set += 1  # all within the nanosecond that the loop treats as one instant
        return super().call_at(when + self._timers_set * 1e-13, callback, *args, context=context)


def outcome(future: Any, cancelled: type[BaseException]) -> tuple[object, ...]:
    """Describe how it ended."""
    if not future.done():
        return ("pending",)
    if future.cancelled():
        return ("cancelled",)
    error = future.exception()
    if isinstance(error, BaseExceptionGroup):
        return ("group", [repr(member) for member in error.exceptions])
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
        await s.sleep(0)  # every cancelled task ends
    for name, task in world.tasks.items():
        world.say(name, *outcome(task, s.CancelledError), task.cancelling())
    log.append(THE_END)


async def _victim(world: World, body: Body) -> object:
    result = await body(world)
    world.say("body over", repr(result))
    await world.s.sleep(0)  # a repeated request is delivered here
    return result


def _cancel(world: World, victim: Any) -> None:
    world.say("asked", victim.cancel("stop"))


def _report(log: Log, what: dict[str, Any]) -> None:
    if not log or log[-1] != THE_END:
        log.append(("reported", type(what.get("exception")).__name__))


def on_ours(body: Body, when: float | None = None, turns: int = 0) -> Log:
    """Return the log on our loop."""
    log: Log = []
    loop = impl.Loop()
    loop.set_exception_handler(lambda _, what: _report(log, what))
    try:
        loop.run(_story(impl, body, when, turns, log))
    except impl.DeadlockError:
        log.append(("waits for ever",))
    return log


class _Bridged:
    """Our names on asyncio's loop; asyncio's for those that a bridge lacks."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio_names if name in asyncio_names.__all__ else asyncio, name)


BRIDGED = _Bridged()


def on_asyncio(body: Body, when: float | None = None, turns: int = 0, s: Any = asyncio) -> Log:
    """Return the log on asyncio's loop in virtual time, with asyncio's names, or with those of `s`."""
    log: Log = []
    with asyncio.Runner(loop_factory=_Stable) as runner:
        runner.get_loop().set_exception_handler(lambda _, what: _report(log, what))
        try:
            runner.run(_story(s, body, when, turns, log))
        except Hang:
            log.append(("waits for ever",))
    return log


def moments(*times: float, turns: int = 5) -> Iterator[tuple[float | None, int]]:
    """Yield no moment, then 0, 1, ... iterations after each of the times."""
    yield None, 0
    for when in times:
        for count in range(turns):
            yield when, count


def check_everywhere(
    body: Body, *times: float, known: str = "", pinned: str = "", each: bool = False
) -> None:
    """Cancel `body` at every moment around the given times, in seconds; the logs must be equal.

    Parameters:
        known: the bug of this version of asyncio that makes its log differ; none: the logs are equal.
        pinned: what the bridge does as this version does; nothing: the logs are equal.
        each: compare what each task does, not the order of tasks: a TaskGroup of asyncio's cancels its tasks in the
            order of a set.
    """
    differs = set()
    for when, count in moments(*times):
        ours = _sorted(on_ours(body, when, count), each)
        assert ours
        if not pinned:
            assert _sorted(on_asyncio(body, when, count, BRIDGED), each) == ours, f"{count} turns from {when}"
        theirs = _sorted(on_asyncio(body, when, count), each)
        if not known:
            assert theirs == ours, f"{count} turns from {when}"
        elif theirs != ours:
            differs.add((when, count))
    assert bool(differs) == bool(known), "a known bug that does not show"


def _sorted(log: Log, each: bool) -> Log:
    return sorted(log, key=lambda line: str(line[1])) if each else log
