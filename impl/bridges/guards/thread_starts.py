"""The starts of threads, for a simulated run: each is one of its group (threads/group.py).

threading.Thread starts a thread of the system by one function, which is replaced: all else of it is CPython's own code,
and so are the pools of concurrent.futures.  The thread comes to the beginning of the program's function at once, since
it has an ident then, and takes its first turn when the schedule says so.  The numbers in names count within a run.

Private to CPython (3.11 to 3.15): `_start_new_thread` and `_set_sentinel` of threading up to 3.12, since then
`_start_joinable_thread` with its handle; `_counter`, `_time`, and `_threads` of an executor.
"""

from __future__ import annotations

import _thread
import functools
import inspect
import logging
import queue
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import thread as pools
from contextlib import contextmanager
from types import FunctionType, MethodType
from typing import Any, Final, TypeAlias

from ...sim.frames import is_library, is_users
from ...threads.group import ThreadGroup
from ...threads.thread import ProgramThread, launching, running_thread
from ..simulation import Simulation, simulation
from . import locks

# Any in this file: the arguments of functions of the standard library, and objects private to it.
Call: TypeAlias = Callable[..., Any]


#: The attribute of a Thread with its handle, in CPython 3.13 and since 3.14.
_HANDLES: Final = ("_handle", "_os_thread_handle")
#: A function that trio.to_thread calls in a thread has the user's around it, as anyio's has in that.
_DEEP: Final = 2


def run_of_threads() -> Simulation | None:
    """The run in this thread; None: there is none, or it is starting a thread of the system."""
    return None if launching() else simulation()


def _name_of(thread: threading.Thread) -> Callable[[], str]:
    return lambda: str(thread.name)


def _function_of(call: Any) -> str:
    """The name of the function that a thread runs; "": it is a library's."""
    owner = getattr(call, "__self__", None)
    target = getattr(owner, "_target", None) if isinstance(owner, threading.Thread) else call
    if target is None:
        kind = type(owner)
        return "" if kind.__module__ == "threading" else kind.__name__
    by_trio = functions_in((target,), is_users, _DEEP)
    return next(by_trio, "") or next(functions_in((target,), lambda file: not is_library(file)), "")


def functions_in(values: Iterable[Any], is_wanted: Callable[[str], bool], deep: int = 0) -> Iterator[str]:
    """The names of the functions of wanted files among the values, and in those that are partial.

    Parameters:
        deep: how many functions deep to look at the variables that others have from around them.
    """
    for each in values:
        kind = type(each)  # isinstance would ask a proxy for its class
        if issubclass(kind, functools.partial):
            yield from functions_in((each.func, *each.args), is_wanted, deep)
        function = each.__func__ if kind is MethodType else each
        if type(function) is FunctionType and is_wanted(function.__code__.co_filename):
            yield function.__code__.co_name
        elif type(function) is FunctionType and deep:
            around = inspect.getclosurevars(function).nonlocals.values()
            yield from functions_in(around, is_wanted, deep - 1)


def _start(here: Simulation, call: Call, args: tuple[Any, ...], more: dict[str, Any], daemon: bool) -> ProgramThread:
    """Start a thread of a run, which calls a function."""
    owner = getattr(call, "__self__", None)
    group = here.group()
    if not isinstance(owner, threading.Thread):
        name = getattr(call, "__name__", type(call).__name__)
        thread = group.add(lambda: name, _function_of(call), True)
        thread.launch(lambda: _raw(here, thread, call, args, more))
        return thread
    thread = group.add(_name_of(owner), _function_of(call), daemon)
    run = owner.run

    def begin() -> None:
        vars(owner).pop("run", None)
        if own is not None:
            vars(owner)["run"] = own
        thread.begin()
        run()

    own = vars(owner).get("run")
    vars(owner)["run"] = begin
    vars(owner)["_invoke_excepthook"] = _failing(here, thread, vars(owner)["_invoke_excepthook"])
    thread.launch(call)
    return thread


def _raw(here: Simulation, thread: ProgramThread, call: Call, args: tuple[Any, ...], more: dict[str, Any]) -> None:
    """The life of a thread without a threading.Thread; its error is printed, as CPython does."""
    thread.begin()
    try:
        call(*args, **more)
    except SystemExit:
        pass
    except Exception as error:
        thread.error = error
        here.thread_failed(threading.current_thread(), traceback.print_exc)


def _started(thread: ProgramThread) -> None:
    """A thread was started: it may run before the one that goes on."""
    thread.group.point()


def _new_thread(real: Call) -> Call:
    """`start_new_thread`: of a Thread it is the start up to CPython 3.12."""

    @functools.wraps(real)
    def start_new_thread(function: Call, args: tuple[Any, ...] = (), kwargs: Any = None, /) -> int:
        here = run_of_threads()
        if here is None:
            if sys.version_info < (3, 12):  # from then on CPython raises the event
                sys.audit("_thread.start_new_thread", function, args, kwargs)
            return int(real(function, args) if kwargs is None else real(function, args, kwargs))
        owner = getattr(function, "__self__", None)
        daemon = owner.daemon if isinstance(owner, threading.Thread) else True
        thread = _start(here, function, args, kwargs or {}, daemon)
        _started(thread)
        return thread.number

    return start_new_thread


class _Handle:
    """`_thread._ThreadHandle` of a simulated thread."""

    def __init__(self, thread: ProgramThread, group: ThreadGroup) -> None:
        self.ident = threading.get_ident()
        self._thread, self._group = thread, group
        self._waiters: deque[ProgramThread] = deque()
        thread.at_end = lambda: group.wake_all(self._waiters)

    def is_done(self) -> bool:
        return self._thread.done() or self._thread.abandoned

    def join(self, timeout: float | None = None) -> None:
        if not self.is_done():
            self._group.wait(self._waiters, self.is_done, None if timeout == -1 else timeout, self._thread)

    def _set_done(self) -> None:
        """Nothing: it is done when its thread has ended."""


def _joinable_thread(real: Call) -> Call:
    """`start_joinable_thread`, the start of a Thread since CPython 3.13."""

    @functools.wraps(real)
    def start_joinable_thread(function: Call, handle: Any = None, daemon: bool = True) -> Any:
        here = run_of_threads()
        if here is None:
            return real(function, daemon=daemon, **({} if handle is None else {"handle": handle}))
        thread = _start(here, function, (), {}, daemon)
        made = _Handle(thread, here.group())
        for name in _HANDLES:
            if vars(getattr(function, "__self__", made)).get(name) is handle is not None:
                setattr(function.__self__, name, made)  # type: ignore[attr-defined]  # a Thread
        _started(thread)
        return made

    return start_joinable_thread


def _sentinel(real: Call) -> Call:
    """`_set_sentinel`, up to CPython 3.12: a lock that is released when the thread has ended."""

    def set_sentinel() -> Any:
        thread = running_thread()
        if thread is None:
            return real()
        lock = locks.InnerLock()

        def release() -> None:
            if lock.locked():
                lock.release()

        thread.at_end = release
        return lock

    return set_sentinel


def counter(real: Callable[[], int], kind: str) -> Callable[[], int]:
    """A counter of the names of threads, or of pools; that of a run begins anew."""

    def counter() -> int:
        here = run_of_threads()
        return real() if here is None else here.count(kind)

    return counter


def _is_default(hook: Any) -> bool:
    """Whether an excepthook is that of the standard library, or of pytest, which would keep the errors of all runs."""
    hook = getattr(hook, "func", hook)
    return hook is threading.__excepthook__ or str(getattr(hook, "__module__", "")).startswith("_pytest")


def _failing(here: Simulation, thread: ProgramThread, invoke: Call) -> Call:
    """The method of a Thread that passes its error to threading.excepthook, unless the run notes it."""

    def failed(owner: threading.Thread) -> None:
        kind, error, trace = sys.exc_info()
        if thread.ending:
            return
        if isinstance(error, Exception):
            thread.error = error
        if kind is None or not _is_default(threading.excepthook):
            invoke(owner)
        else:
            args = threading.ExceptHookArgs((kind, error, trace, owner))
            here.thread_failed(owner, lambda: threading.__excepthook__(args))

    return failed


@contextmanager
def quiet() -> Iterator[None]:
    """While threads are unwound: nothing is said of the error that ends them, and not by a pool."""
    logger = logging.getLogger("concurrent.futures")
    before = logger.disabled
    logger.disabled = True
    try:
        yield
    finally:
        logger.disabled = before


def replacements(clock: Callable[[], float]) -> list[tuple[Any, str, Any]]:
    """The (module or class, name, replacement) of each; `clock`: time.monotonic of a run."""
    found: list[tuple[Any, str, Any]] = [
        (threading, "_allocate_lock", locks.InnerLock),
        (threading, "_counter", counter(vars(threading)["_counter"], "Thread")),
        (threading, "_time", clock),
        (queue, "time", clock),
        (pools, "_global_shutdown_lock", locks.standing_for(vars(pools)["_global_shutdown_lock"])),
    ]
    starts = {"start_new_thread": _new_thread, "start_new": _new_thread, "start_joinable_thread": _joinable_thread}
    for name, make in starts.items():
        for module, named in ((_thread, name), (threading, f"_{name}")):
            if named in vars(module):
                found.append((module, named, make(vars(module)[named])))
    if "_set_sentinel" in vars(threading):
        found.append((threading, "_set_sentinel", _sentinel(vars(threading)["_set_sentinel"])))
    return found
