"""asyncio's futures and tasks, those in C, with methods that record their accesses.

A task in C calls the methods of a future that is of a subclass: `add_done_callback` when it parks, `result` when it is
woken, `cancel` when it is cancelled.  Two reads happen without a method, and are covered here: `await` of a future in C
(so `__await__` is in Python), and the end of a task (so the host records it, after the task's step).

A future has three cells: its state, its callbacks, and for a task its control (requests to cancel, its awaited future).

Source: CPython 3.11 to 3.15, Modules/_asynciomodule.c (Future_CheckExact, task_step_impl, task_wakeup).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextvars import Context
from typing import Any, TypeAlias

from ...bridges.asyncio.tasks import SimFuture, SimTask, parked, shown
from ...bridges.simulated_loop import SimLoopBase
from .containers import use
from .footprint import log

#: A result, a coroutine or a message of the program.
Value: TypeAlias = Any

_Base = asyncio.Future[Value]


class Recording(_Base):
    """The methods that record, for futures and tasks alike: a mixin in front of a class in C."""

    def done(self) -> bool:
        log.read(self, "state")
        return super().done()

    def cancelled(self) -> bool:
        log.read(self, "state")
        return super().cancelled()

    def result(self) -> Value:
        log.read(self, "state")
        return super().result()

    def exception(self) -> BaseException | None:
        log.read(self, "state")
        return super().exception()

    def set_result(self, result: Value, /) -> None:
        log.write(self, "state")
        log.read(self, "callbacks")
        super().set_result(result)

    def set_exception(self, exception: Value, /) -> None:
        log.write(self, "state")
        log.read(self, "callbacks")
        super().set_exception(exception)

    def cancel(self, msg: Value = None) -> bool:
        log.write(self, "state")
        log.read(self, "callbacks")
        return super().cancel(msg)

    def add_done_callback(self, fn: Callable[[Value], object], /, *, context: Context | None = None) -> None:
        log.read(self, "state")
        log.write(self, "callbacks")
        super().add_done_callback(fn, context=context)

    def remove_done_callback(self, fn: Callable[[Value], object], /) -> int:
        log.write(self, "callbacks")
        return super().remove_done_callback(fn)

    def __await__(self) -> Generator[Value, None, Value]:
        if not self.done():
            yield from parked(self)
        if not self.done():
            raise RuntimeError("await wasn't used with future")
        return self.result()

    __iter__ = __await__

    def __repr__(self) -> str:
        # A step of a task, which changes its line, is control.
        for cell in ("state", "callbacks", "control", "name"):
            log.read(self, cell)
        use(shown(self))
        return super().__repr__()


class WatchedFuture(Recording, SimFuture):
    """A future of an explored loop."""

    def __init__(self, *, loop: SimLoopBase) -> None:
        super().__init__(loop=loop)
        log.write(self, "state")


class WatchedTask(Recording, SimTask):
    """A task of an explored loop."""

    def __init__(self, coro: Value, *, loop: SimLoopBase, name: object = None, **more: Value) -> None:
        super().__init__(coro, loop=loop, name=name, **more)
        log.write(self, "state")
        log.write(self, "control")

    def cancel(self, msg: Value = None) -> bool:
        log.read(self, "state")
        log.write(self, "control")
        return SimTask.cancel(self, msg)

    def uncancel(self) -> int:
        log.write(self, "control")
        return super().uncancel()

    def cancelling(self) -> int:
        log.read(self, "control")
        return super().cancelling()

    def get_name(self) -> str:
        log.read(self, "name")
        return super().get_name()

    def set_name(self, value: object, /) -> None:
        log.write(self, "name")
        super().set_name(value)

    def step_taken(self) -> None:
        """The task has taken a step: it may have ended, and begun to wait."""
        log.write(self, "control")
        with log.aside():
            done = self.done()
        if done:
            log.write(self, "state")
            log.read(self, "callbacks")


_Gathering: Any = asyncio.tasks._GatheringFuture  # type: ignore[attr-defined]  # private to asyncio


class WatchedGathering(Recording, _Gathering):  # type: ignore[misc]
    """The outer future of asyncio.gather; `_cancel_requested` is written by cancel, and read by the last child."""

    def __init__(self, children: Value, *, loop: SimLoopBase) -> None:
        _Gathering.__init__(self, children, loop=loop)
        log.write(self, "state")

    def __hash__(self) -> int:
        return id(self)

    def cancel(self, msg: Value = None) -> bool:
        log.read(self, "state")
        log.write(self, "control")
        return bool(_Gathering.cancel(self, msg))

    def set_exception(self, exception: Value, /) -> None:
        log.read(self, "control")
        super().set_exception(exception)

    def set_result(self, result: Value, /) -> None:
        log.read(self, "control")
        super().set_result(result)


for _class, _name in (
    (WatchedFuture, "Future"), (WatchedTask, "Task"), (WatchedGathering, "_GatheringFuture"),
):  # fmt: skip
    _class.__name__ = _class.__qualname__ = _name
