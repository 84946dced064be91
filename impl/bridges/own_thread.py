"""Calls that run a loop, made where one runs already, as in a notebook: they are made in a thread, and waited for."""

from __future__ import annotations

import contextvars
import ctypes
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from functools import partial, wraps
from typing import Final, ParamSpec, TypeVar

from .simulation import simulation

P = ParamSpec("P")
R = TypeVar("R")

#: Seconds between two looks at the thread: on Windows, Ctrl-C does not end a wait without a limit.
_LOOK_S: Final = 0.5


def off_loop(around: Callable[[], AbstractContextManager[object]]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make the calls of a function in a thread of their own wherever a loop of asyncio runs, but for a simulated one.

    The call has the caller's context variables, and its result or error is that of the call in the thread.  Ctrl-C
    raises KeyboardInterrupt there, and then here; a second one leaves the thread to itself.

    Parameters:
        around: makes the context of a call in a thread.
    """

    def made(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            asyncio = sys.modules.get("asyncio")  # where nothing has imported it, no loop runs
            if asyncio is None or asyncio._get_running_loop() is None or simulation() is not None:
                return function(*args, **kwargs)
            with around():
                return _in_thread(partial(function, *args, **kwargs))

        return called

    return made


def _in_thread(function: Callable[[], R]) -> R:
    """Call a function in a thread.  Raises its error, and KeyboardInterrupt."""
    ended: Future[R] = Future()
    context = contextvars.copy_context()

    def call() -> None:
        try:
            ended.set_result(context.run(function))
        except BaseException as error:
            ended.set_exception(error)

    thread = threading.Thread(target=call, name="loopspec", daemon=True)
    thread.start()
    try:
        _wait(thread)
    except KeyboardInterrupt:
        assert thread.ident is not None
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(KeyboardInterrupt))
        _wait(thread)
        raise
    return ended.result()


def _wait(thread: threading.Thread) -> None:
    while thread.is_alive():
        thread.join(_LOOK_S)
