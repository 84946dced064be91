"""The pools of threads of concurrent.futures, for a simulated run: its own code on the simulated threads.

A pool that was made before the run, as one of a module is, gets a queue and threads of its own for the run: those that
it has may be real ones, or of a run that is over.  After the run it has them again.

Private to CPython (3.11 to 3.15): the attributes of ThreadPoolExecutor below, and `_counter`.
"""

from __future__ import annotations

import functools
import queue
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeAlias
from weakref import ref

from ...sim.frames import is_library
from ..simulation import Simulation
from .thread_starts import counter, run_of_threads

# Any in this file: pools with their private attributes, and arguments of functions.
Call: TypeAlias = Callable[..., Any]

_init: Final[Call] = ThreadPoolExecutor.__init__
_submit: Final[Call] = ThreadPoolExecutor.submit


class _InOrder(dict[threading.Thread, None]):
    """The threads of a pool, a set in the standard library: its order would depend on addresses."""

    def add(self, thread: threading.Thread) -> None:
        self[thread] = None


def _fresh() -> dict[str, Any]:
    """The attributes of a pool without threads; the names that they call are those of the guard."""
    return {
        "_work_queue": queue.SimpleQueue(),
        "_idle_semaphore": threading.Semaphore(0),
        "_threads": _InOrder(),
        "_shutdown_lock": threading.Lock(),
    }


#: The attribute of a pool with a weak reference to the run that has made or borrowed it.
_RUN: Final = "_loopspec_run"


def _none() -> None:
    return None


@functools.wraps(_init)
def _made(pool: Any, *args: Any, **more: Any) -> None:
    _init(pool, *args, **more)
    here = run_of_threads()
    if here is not None:
        pool._threads = _InOrder()
        vars(pool)[_RUN] = ref(here)


@functools.wraps(_submit)
def _submitted(pool: Any, fn: Call, /, *args: Any, **more: Any) -> Any:
    here = run_of_threads()
    if here is None:
        return _submit(pool, fn, *args, **more)
    if vars(pool).get(_RUN, _none)() is not here:
        _borrow(pool, here)
    future = _submit(pool, fn, *args, **more)
    if here.threads is not None and not is_library(sys._getframe(1).f_code.co_filename):
        here.threads.point()
    return future


def _borrow(pool: Any, here: Simulation) -> None:
    """Let a run have a pool, until its end."""
    fresh = _fresh()
    before = {name: vars(pool)[name] for name in fresh}
    vars(pool).update(fresh)
    vars(pool)[_RUN] = ref(here)

    def give_back() -> None:
        vars(pool).update(before)
        del vars(pool)[_RUN]

    here.group().at_end.append(give_back)


def prepare_pools() -> None:
    """Replace methods of pools, for good: to put back a class's costs time in each run."""
    pool: Any = ThreadPoolExecutor
    pool.__init__, pool.submit = _made, _submitted
    pool._counter = staticmethod(counter(vars(pool)["_counter"], "pool"))
