"""The pools of threads of concurrent.futures, for a simulated run: its own code on the simulated threads.

A pool that was made before the run, as one of a module is, gets a queue and threads of its own for the run: those that
it has may be real ones, or of a run that is over.  After the run it has them again.

A pool of processes calls its functions inline, on copies of their arguments; the verdict of a search says so.

Private to CPython (3.11 to 3.15): the attributes of ThreadPoolExecutor below, and `_counter`.
"""

from __future__ import annotations

import functools
import pickle
import queue
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, Final, TypeAlias
from weakref import ref

from ...sim.frames import is_users
from ...threads.thread import running_thread
from ..simulation import Simulation, simulation
from .locks import at_point
from .thread_starts import counter, functions_in, run_of_threads

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
    future = _submit(pool, functools.partial(_taken_up, fn), *args, **more)
    if here.threads is not None and at_point(sys._getframe(1)):
        here.threads.point()
    return future


def _taken_up(fn: Call, /, *args: Any, **more: Any) -> Any:
    """Call a function in a thread of a pool, and say so: its steps are those of another actor in a report."""
    here = run_of_threads()
    if here is not None and here.kernel.choices is not None:
        here.kernel.choices.takes_up(running_thread(), next(functions_in((fn, *args), is_users), ""))
    return fn(*args, **more)


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


_init_processes: Final[Call] = ProcessPoolExecutor.__init__
_submit_to_process: Final[Call] = ProcessPoolExecutor.submit
_shut_down_processes: Final[Call] = ProcessPoolExecutor.shutdown


@functools.wraps(_init_processes)
def _made_without_processes(pool: Any, max_workers: int | None = None, *args: Any, **more: Any) -> None:
    here = simulation()
    if here is None:
        _init_processes(pool, max_workers, *args, **more)
        return
    if max_workers is not None and max_workers <= 0:
        raise ValueError("max_workers must be greater than 0")
    vars(pool).update({_RUN: ref(here), "_max_workers": max_workers or 1, "_shutdown": False})


@functools.wraps(_shut_down_processes)
def _shut_down(pool: Any, *args: Any, **more: Any) -> None:
    if _RUN in vars(pool):
        pool._shutdown = True
    else:
        _shut_down_processes(pool, *args, **more)


@functools.wraps(_submit_to_process)
def _called_inline(pool: Any, fn: Call, /, *args: Any, **more: Any) -> Any:
    here = simulation()
    if here is None:
        return _submit_to_process(pool, fn, *args, **more)
    if vars(pool).get("_shutdown"):
        raise RuntimeError("cannot schedule new futures after shutdown")
    if here.kernel.choices is not None:
        here.kernel.choices.inline += 1
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    try:
        function, values, names = pickle.loads(pickle.dumps((fn, args, more)))
        future.set_result(pickle.loads(pickle.dumps(function(*values, **names))))
    except Exception as error:
        future.set_exception(error)
    return future


def prepare_pools() -> None:
    """Replace methods of pools, for good: to put back a class's costs time in each run."""
    processes: Any = ProcessPoolExecutor
    processes.__init__, processes.submit = _made_without_processes, _called_inline
    processes.shutdown = _shut_down
    pool: Any = ThreadPoolExecutor
    pool.__init__, pool.submit = _made, _submitted
    pool._counter = staticmethod(counter(vars(pool)["_counter"], "pool"))
