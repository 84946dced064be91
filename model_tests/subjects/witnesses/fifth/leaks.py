"""Witnesses of wrong/fifth/leaks.py: True if the object is gone after its last use."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

from ...witness import Thing, settle, shows
from ...wrong.fifth import leaks as wrong


async def _gone(ref: weakref.ref[Any]) -> bool:
    await settle()
    gc.collect()
    return ref() is None


@shows(True, wrong.shield_stays_on_the_inner_future)
async def _cancel_a_shield(thing: Thing) -> Any:
    inner = asyncio.get_running_loop().create_future()
    outer = thing(inner)
    outer.cancel()
    ref = weakref.ref(outer)
    del outer
    return await _gone(ref) and not inner.done()


@shows(True, wrong.wait_leaves_its_callbacks)
async def _wait_for_the_first_of_two(thing: Thing) -> Any:
    loop = asyncio.get_running_loop()
    first, second = loop.create_future(), loop.create_future()
    first.set_result(None)
    await thing({first, second}, return_when=asyncio.FIRST_COMPLETED)
    ref = weakref.ref(first)
    del first
    return await _gone(ref) and not second.done()


@shows(True, wrong.TaskGroupThatKeepsItsTasks)
async def _end_a_task_of_an_open_group(thing: Thing) -> Any:
    async with thing() as group:
        ref = weakref.ref(group.create_task(asyncio.sleep(0)))
        return await _gone(ref)
