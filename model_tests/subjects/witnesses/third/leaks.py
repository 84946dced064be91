"""Witnesses of wrong/third/leaks.py: each returns whether an object that is no longer needed has gone."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

from ...witness import Thing, ended, settle, shows
from ...wrong.third import leaks as wrong


class _Thing:
    """An object that can be referred to weakly."""

    def __call__(self, *_: Any) -> bool:
        return False


class _TheError(Exception):
    """An error that can be referred to weakly."""


async def _gone(reference: Any) -> bool:
    await settle()
    gc.collect()
    return reference() is None


async def _cancel(task: Any) -> None:
    await settle()
    task.cancel()
    await ended(task)


@shows((1, True), wrong.FutureThatOnlyMarksRemovedCallbacks)
async def _remove_a_callback(thing: Thing) -> Any:
    future, callback = thing(), _Thing()
    reference = weakref.ref(callback)
    future.add_done_callback(callback)
    removed = future.remove_done_callback(callback)
    del callback
    return removed, await _gone(reference)


@shows(("CancelledError", True), wrong.TaskThatKeepsItsCancelledError)
async def _cancel_a_task_with_a_local_object(thing: Thing) -> Any:
    references = []

    async def work() -> None:
        local = _Thing()
        references.append(weakref.ref(local))
        await asyncio.sleep(3600)

    task = thing(work())
    await settle()
    task.cancel()
    return await ended(task), await _gone(references[0])


@shows(True, wrong.TaskGroupThatKeepsItsErrors)
async def _fail_in_a_group(thing: Thing) -> Any:
    references = []

    async def work() -> None:
        error = _TheError()
        references.append(weakref.ref(error))
        raise error

    group = thing()
    try:
        async with group:
            group.create_task(work())
    except BaseExceptionGroup:
        pass
    gone = await _gone(references[0])
    del group
    return gone


@shows(True, wrong.wait_leaves_its_timer_when_it_is_cancelled)
async def _cancel_a_wait_with_a_timeout(thing: Thing) -> Any:
    future: Any = asyncio.get_running_loop().create_future()
    reference = weakref.ref(future)
    await _cancel(asyncio.ensure_future(thing({future}, timeout=3600)))
    del future
    return await _gone(reference)


@shows(True, wrong.wait_for_leaves_its_timer_after_an_error)
async def _fail_long_before_the_timeout(thing: Thing) -> Any:
    references = []

    async def work() -> None:
        error = _TheError()
        references.append(weakref.ref(error))
        raise error

    await ended(thing(work(), 3600))
    return await _gone(references[0])


@shows((True, True), wrong.gather_keeps_the_children_that_fail)
async def _gather_one_that_fails(thing: Thing) -> Any:
    references: list[Any] = []

    async def work(error: Any) -> None:
        references.append(weakref.ref(asyncio.current_task()))
        if error is not None:
            raise error

    await thing(work(None), work(_TheError()), return_exceptions=True)
    return await _gone(references[0]), await _gone(references[1])


@shows(True, wrong.shield_leaves_its_callback)
async def _cancel_a_shield(thing: Thing) -> Any:
    inner: Any = asyncio.get_running_loop().create_future()
    outer = thing(inner)
    reference = weakref.ref(outer)
    await _cancel(outer)
    del outer
    gone = await _gone(reference)
    inner.cancel()
    return gone


@shows((1, True), wrong.QueueThatKeepsTheItemOfACancelledPut)
async def _cancel_a_put(thing: Thing) -> Any:
    queue, item = thing(1), _Thing()
    reference = weakref.ref(item)
    queue.put_nowait(0)
    await _cancel(asyncio.ensure_future(queue.put(item)))
    del item
    return queue.qsize(), await _gone(reference)


@shows(True, wrong.ConditionThatKeepsPredicates)
async def _cancel_the_wait_for_a_predicate(thing: Thing) -> Any:
    condition, predicate = thing(), _Thing()
    reference = weakref.ref(predicate)

    async def wait_for(predicate: Any) -> None:
        async with condition:
            await condition.wait_for(predicate)

    await _cancel(asyncio.ensure_future(wait_for(predicate)))
    del predicate
    return await _gone(reference)


@shows(True, wrong.EventThatKeepsTheTaskThatSetIt)
async def _set_an_event_in_a_task(thing: Thing) -> Any:
    event = thing()

    async def work() -> None:
        event.set()

    task = asyncio.create_task(work())
    reference = weakref.ref(task)
    await task
    del task
    return event.is_set() and await _gone(reference)


@shows((False, True), wrong.LockThatKeepsItsLastOwner)
async def _use_a_lock_in_a_task(thing: Thing) -> Any:
    lock = thing()

    async def work() -> None:
        async with lock:
            await asyncio.sleep(0)

    task = asyncio.create_task(work())
    reference = weakref.ref(task)
    await task
    del task
    return lock.locked(), await _gone(reference)
