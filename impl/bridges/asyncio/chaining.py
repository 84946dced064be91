"""The chain of a future of concurrent.futures and one of asyncio, as CPython 3.15 has it, on each Python.

Before, a future that is done already is copied in a callback of its own, so equal runs would have other steps.  Private
to asyncio (CPython 3.11 to 3.15): `_chain_future`, which wrap_future and run_coroutine_threadsafe call.
"""

from __future__ import annotations

import asyncio
from asyncio import events, futures
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from ..simulation import simulation

# Any in this file: futures of asyncio or of concurrent.futures.

_real: Final[Callable[[Any, Any], None]] = vars(futures)["_chain_future"]
_set_concurrent: Final[Callable[[Any, Any], None]] = vars(futures)["_set_concurrent_future_state"]
_copy: Final[Callable[[Any, Any], None]] = vars(futures)["_copy_future_state"]


@wraps(_real)
def chain_future(source: Any, destination: Any) -> None:
    """Copy the end of `source` to `destination`, and a cancel of that to `source`."""
    if simulation() is None:
        _real(source, destination)
        return
    loops = [each.get_loop() if asyncio.isfuture(each) else None for each in (source, destination)]

    def set_state() -> None:
        if loops[1] is None:
            _set_concurrent(destination, source)
        else:
            _copy(source, destination)

    def check_cancel(_: Any) -> None:
        if destination.cancelled():
            _in_loop(loops[0], source.cancel)

    def source_ends(_: Any) -> None:
        if loops[1] is None or not (loops[1].is_closed() and _elsewhere(loops[1])):
            _in_loop(loops[1], set_state)

    destination.add_done_callback(check_cancel)
    source.add_done_callback(source_ends)


def _elsewhere(loop: Any) -> bool:
    return loop is not None and loop is not events._get_running_loop()


def _in_loop(loop: Any, call: Callable[[], object]) -> None:
    """Make a call in the thread of a loop; None: here."""
    if _elsewhere(loop):
        loop.call_soon_threadsafe(call)
    else:
        call()
