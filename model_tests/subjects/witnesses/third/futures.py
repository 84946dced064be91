"""Witnesses of wrong/third/futures.py."""

from __future__ import annotations

import asyncio
import concurrent.futures
import gc
from typing import Any

from ...witness import Thing, ended, outcome, settle, shows, state
from ...wrong.third import futures as wrong


@shows((True, True), wrong.FutureThatIsNotDoneWhenCancelled)
async def _cancel(thing: Thing) -> Any:
    future = thing()
    future.cancel()
    return future.cancelled(), future.done()


@shows("InvalidStateError", wrong.FutureThatIgnoresAResultAfterCancel)
async def _set_the_result_of_a_cancelled_future(thing: Thing) -> Any:
    future = thing()
    future.cancel()
    try:
        return future.set_result(1)
    except asyncio.InvalidStateError:
        return "InvalidStateError"


@shows(0, wrong.FutureThatMustHaveTheCallback)
async def _remove_a_callback_that_is_not_there(thing: Thing) -> Any:
    return thing().remove_done_callback(print)


@shows([1, 2, 3], wrong.FutureThatCallsTheLastFirst)
async def _add_three_callbacks(thing: Thing) -> Any:
    future, calls = thing(), []
    for number in (1, 2, 3):
        future.add_done_callback(lambda _, number=number: calls.append(number))
    future.set_result(None)
    await settle()
    return calls


@shows((True, "ValueError"), wrong.FutureThatKeepsTheClassOfAnException)
async def _set_a_class_as_exception(thing: Thing) -> Any:
    future = thing()
    future.set_exception(ValueError)
    return isinstance(future.exception(), ValueError), await ended(future)


@shows(True, wrong.FutureThatLengthensTheTraceback)
async def _ask_for_the_result_three_times(thing: Thing) -> Any:
    future, lengths = thing(), []
    future.set_exception(ValueError())
    for _ in range(3):
        try:
            future.result()
        except ValueError as error:
            traceback, length = error.__traceback__, 0
            while traceback is not None:
                traceback, length = traceback.tb_next, length + 1
            lengths.append(length)
    return len(set(lengths)) == 1


def _reports(future: Any) -> list[str]:
    """Return what the loop is given when the future goes; it must hold the last reference to it."""
    loop, found = asyncio.get_running_loop(), []
    loop.set_exception_handler(lambda loop, context: found.append(type(context["exception"]).__name__))
    del future
    gc.collect()
    return found


def _failed(thing: Thing) -> Any:
    future = thing()
    future.set_exception(ValueError())
    return future


def _asked(thing: Thing) -> Any:
    future = _failed(thing)
    future.exception()
    return future


@shows([], wrong.FutureThatReportsARetrievedException)
async def _drop_a_future_after_asking_for_its_exception(thing: Thing) -> Any:
    return _reports(_asked(thing))


@shows(True, wrong.FutureThatNamesTheRunningLoop)
async def _ask_for_the_loop(thing: Thing) -> Any:
    other = asyncio.new_event_loop()
    try:
        return thing(loop=other).get_loop() is other
    finally:
        other.close()


@shows("cancelled", wrong.wrap_future_spares_the_inner_one)
async def _cancel_the_wrapper(thing: Thing) -> Any:
    inner: Any = concurrent.futures.Future()
    thing(inner).cancel()
    await settle()
    return "cancelled" if inner.cancelled() else "pending"


@shows("cancelled", wrong.wrap_future_fails_when_the_inner_one_is_cancelled)
async def _cancel_what_is_wrapped(thing: Thing) -> Any:
    inner: Any = concurrent.futures.Future()
    outer = thing(inner)
    inner.cancel()
    return await state(outer)


@shows(("pending", 1), wrong.wrap_future_sets_the_result_in_the_other_thread)
async def _set_the_result_of_what_is_wrapped(thing: Thing) -> Any:
    inner: Any = concurrent.futures.Future()
    outer = thing(inner)
    inner.set_result(1)
    return outcome(outer), await state(outer)


@shows(True, wrong.wrap_future_wraps_any_future)
async def _wrap_a_future_of_asyncio(thing: Thing) -> Any:
    future: Any = asyncio.get_running_loop().create_future()
    return thing(future) is future


class _Like:
    """An object like a future."""

    _asyncio_future_blocking = False


class _Proxy:
    """An object that has each attribute that it is asked for."""

    def __getattr__(self, name: str) -> Any:
        return name


_OBJECTS = {
    "future": asyncio.Future,
    "like": lambda loop: _Like(),
    "class": lambda loop: asyncio.Future,
    "proxy": lambda loop: _Proxy(),
    "concurrent": lambda loop: concurrent.futures.Future(),
}


@shows(
    ["future", "like"],
    wrong.isfuture_knows_only_the_class,
    wrong.isfuture_takes_what_answers_to_any_name,
    wrong.isfuture_takes_the_concurrent_ones,
)
async def _ask_for_futures(thing: Thing) -> Any:
    loop = asyncio.get_running_loop()
    objects: Any = {name: make(loop=loop) for name, make in _OBJECTS.items()}  # type: ignore[operator]
    return [name for name, one in objects.items() if thing(one)]


async def _fail() -> None:
    raise ValueError


@shows(("pending", "CancelledError", True), wrong.gather_is_cancelled_before_its_children)
async def _cancel_a_gathering_future(thing: Thing) -> Any:
    async def work() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            await asyncio.sleep(1)

    child = asyncio.create_task(work())
    outer = thing(child)
    await settle()
    outer.cancel()
    return outcome(outer), await ended(outer), child.done()


@shows((False, "went on"), wrong.gather_cancels_the_others_when_it_is_done)
async def _cancel_a_gathering_future_that_has_failed(thing: Thing) -> Any:
    other = asyncio.ensure_future(asyncio.sleep(1, "went on"))
    outer = thing(_fail(), other)
    await ended(outer)
    return outer.cancel(), await ended(other)
