"""Witnesses: programs on plain asyncio, each of which shows that a subject is wrong.

A witness gets the thing, asyncio's own or a wrong one in its place, and returns a value; the documented value is
written beside it.  It runs on a new loop whose clock is virtual, so nothing sleeps, and a program that waits for ever
ends with the outcome HANGS.  A witness that is no coroutine function runs without a loop; it is for runners.
"""

from __future__ import annotations

import asyncio
import inspect
import selectors
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

#: A class or a function of asyncio, or a subject in its place.  Any: it may be each of them.
Thing = Any
Program = Callable[[Thing], Any]
F = TypeVar("F", bound=Program)

HANGS: Final = "hangs"
#: Iterations of the loop after which a program of these sizes has done all that it can do.
ENOUGH: Final = 20


@dataclass(frozen=True, slots=True)
class Witness:
    """A program that returns the documented value with asyncio's own thing, and another with the subject."""

    subject: Thing
    documented: Any
    program: Program


WITNESSES: Final[list[Witness]] = []


def shows(documented: Any, *subjects: Thing) -> Callable[[F], F]:
    """Register a program as the witness of one or more subjects; `documented` is what it must return."""

    def register(program: F) -> F:
        WITNESSES.extend(Witness(subject, documented, program) for subject in subjects)
        return program

    return register


def originals(subject: Thing) -> list[Thing]:
    """Return the things of asyncio that the subject stands for: one, or the class in Python and the one in C."""
    if not isinstance(subject, type):
        return [subject.__wrapped__]
    original = next(base for base in subject.__mro__ if base.__module__.startswith("asyncio."))
    public = getattr(asyncio, original.__name__)
    return [original] if public is original else [original, public]


def seen(program: Program, thing: Thing) -> Any:
    """Return what the program returns with this thing; (name of the exception) if it raises, HANGS if it waits on."""
    try:
        if not inspect.iscoroutinefunction(program):
            return program(thing)
        with _loop() as loop:
            return loop.run_until_complete(program(thing))
    except _HangsError:
        return HANGS
    except BaseException as error:
        return f"raises {type(error).__name__}"


async def settle(iterations: int = ENOUGH) -> None:
    """Let the loop run for some iterations."""
    for _ in range(iterations):
        await asyncio.sleep(0)


async def state(future: asyncio.Future[Any]) -> Any:
    """Return what became of a future once the loop has had its time: its result, an error's name, or "pending"."""
    await settle()
    return outcome(future)


def outcome(future: asyncio.Future[Any]) -> Any:
    """Return the result of a future, the name of its error, "cancelled" or "pending"."""
    if not future.done():
        return "pending"
    if future.cancelled():
        return "cancelled"
    error = future.exception()
    return future.result() if error is None else type(error).__name__


async def ended(awaitable: Awaitable[Any]) -> Any:
    """Await, and return the result, or the name of the error."""
    try:
        return await awaitable
    except (Exception, asyncio.CancelledError) as error:
        return type(error).__name__


class _HangsError(BaseException):
    """The loop has nothing to do, and waits for no time."""


class _Selector(selectors.DefaultSelector):
    """A selector that lets the time pass at once."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            raise _HangsError
        self.now += timeout
        return super().select(0)


class _Loop(asyncio.SelectorEventLoop):
    """A loop on the selector's clock."""

    def __init__(self) -> None:
        self._clock = _Selector()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now


@contextmanager
def _loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = _Loop()
    asyncio.set_event_loop(loop)
    loop.set_exception_handler(lambda loop, context: None)  # an unretrieved error is no outcome
    try:
        yield loop
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
            task._log_destroy_pending = False  # type: ignore[attr-defined]  # as gather() does
        for _ in range(ENOUGH):
            loop.call_soon(loop.stop)
            loop.run_forever()
        asyncio.set_event_loop(None)
        loop.close()
