"""Signals that a program sends to itself, as events of the simulated loop; none reaches the process.

1.  While a simulated loop runs, `signal.signal`, `getsignal`, `raise_signal`, `pthread_kill` and `os.kill` act on a
    table of the run.  It begins as that of a new process under asyncio.run, with the handlers that the user's modules
    set when they were imported.  A signal to another process or thread is refused.
2.  A handler of `signal.signal` is called before the call that sends the signal returns, as CPython does it.
3.  A handler of `loop.add_signal_handler` is a callback.  The loop wakes up first, after the items that are ready by
    then, and the callback is the item after that: the order of asyncio, where the loop reads a byte of a socket.
4.  SIGINT cancels `main`; if that ends `main`, and at each further SIGINT, KeyboardInterrupt is raised.
5.  A signal without a handler ends the program (EndedBySignal), unless its default action is to do nothing.

Source: CPython documentation of 3.15, `loop.add_signal_handler`, `signal`, and "Handling Keyboard Interruption" of
asyncio.Runner; signal(7) for the default actions.
"""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Generator
from contextvars import copy_context
from inspect import iscoroutinefunction
from typing import Any, Final, TypeAlias, TypeVar, TypeVarTuple

from ...errors import EndedBySignal, SimulatedInterrupt
from ...net.conn import os_error
from ...sim.frames import is_users
from ...tasks.callback import Callback
from ..simulated_loop import AnyTask, SimLoopBase, simulated_loop
from ..simulation import NoSignals, OutsideSimulation, simulation
from .handles import Handle

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

#: The handler of a signal, or the arguments of a function that is replaced, as the module signal takes them.
Given: TypeAlias = Any

#: Signals that do nothing without a handler, and those that stop the process; the others end it.
_IGNORED: Final = ("SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH")
_STOPPING: Final = ("SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU")
#: Python ignores these in each new process.
_IGNORED_BY_PYTHON: Final = ("SIGPIPE", "SIGXFSZ")
#: No handler can be set for these.
_WITHOUT_HANDLER: Final = ("SIGKILL", "SIGSTOP")

_ADVICE: Final = "a coroutine or a function of this program"
_real_getsignal: Final = signal.getsignal


def _checked(sig: Given) -> signal.Signals:
    """Raises ValueError: there is no such signal."""
    if sig not in signal.valid_signals():
        raise ValueError("signal number out of range")
    return signal.Signals(sig)


class SignalTable:
    """The handlers of one run."""

    def __init__(self, loop: SimLoopBase) -> None:
        self._loop = loop
        #: Those of `signal.signal` that the run has set.
        self._set: dict[signal.Signals, Given] = {}
        #: Those of `add_signal_handler`.
        self.of_loop: dict[signal.Signals, Handle] = {}
        #: How often SIGINT came, and the task that the first one has cancelled.
        self._count = 0
        self._cancelled: AnyTask | None = None

    def set(self, sig: Given, handler: Given) -> Given:
        """As signal.signal."""
        if not (callable(handler) or handler in (signal.SIG_DFL, signal.SIG_IGN)):
            raise TypeError("signal handler must be signal.SIG_IGN, signal.SIG_DFL, or a callable object")
        number = _checked(sig)
        if number.name in _WITHOUT_HANDLER:
            raise os_error(errno.EINVAL)
        before = self.get(number)
        self._set[number] = handler if callable(handler) else signal.Handlers(handler)
        return before

    def get(self, sig: Given) -> Given:
        """As signal.getsignal."""
        number = _checked(sig)
        if number in self._set:
            return self._set[number]
        real = _real_getsignal(number)
        code = getattr(getattr(real, "__func__", real), "__code__", None)
        if code is not None and is_users(code.co_filename):
            return real
        if number == signal.SIGINT:
            return self._interrupt
        return signal.SIG_IGN if number.name in _IGNORED_BY_PYTHON else signal.SIG_DFL

    def send(self, sig: Given) -> None:
        """Call the handler of a signal, or do as its default action says.

        Raises:
            EndedBySignal: that is the end of the process.
            BaseException: the error of the handler.
        """
        number = _checked(sig)
        if number in self.of_loop:
            self._loop.kernel.at(self._loop.kernel.now, Callback(self._woken, (number,)))
            return
        handler = self.get(number)
        if callable(handler):
            try:
                handler(int(number), sys._getframe(1))
            except SimulatedInterrupt:
                raise
            except KeyboardInterrupt as error:  # of the handler, so none of the search
                raise SimulatedInterrupt(*error.args) from error
        elif handler == signal.SIG_DFL and number.name not in _IGNORED:
            if number.name in _STOPPING:
                raise OutsideSimulation("a signal that stops this process", _ADVICE)
            raise EndedBySignal(number.name, int(number))

    def interrupts(self) -> bool:
        """Whether the cancel of SIGINT has ended `main`, and nothing else has cancelled that."""
        main, self._cancelled = self._cancelled, None
        return main is not None and main.uncancel() == 0

    def _woken(self, number: signal.Signals) -> None:
        handle = self.of_loop.get(number)
        if handle is not None and not handle.dead():
            self._loop.kernel.ready.append(handle)

    def _interrupt(self, sig: int, frame: Given) -> None:
        """The first SIGINT cancels `main`, the first task of the loop, which is not done."""
        main = next(iter(self._loop.live), None)
        self._count += 1
        if main is None or main.done() or self._count > 1:
            raise SimulatedInterrupt
        self._cancelled = main
        main.cancel()


class SignalHandlers(SimLoopBase):
    """A mixin of SimEventLoop: handlers of signals.

    Needs: no method of another part.  Gives: `add_signal_handler`, `remove_signal_handler`,
    `run_until_complete`, and `ended_by` to the loops of a search.
    """

    def add_signal_handler(self, sig: int, callback: Callable[[*Ts], object], *args: *Ts) -> None:
        """As asyncio's.  Raises NotImplementedError on Windows (CPython documentation, Unix signals)."""
        if sys.platform == "win32":
            raise NoSignals
        if asyncio.iscoroutine(callback) or iscoroutinefunction(callback):
            raise TypeError("coroutines cannot be used with add_signal_handler()")
        number = _of_loop(sig)
        self._must_be_open()
        table = table_of(self)
        try:
            table.set(number, _nothing)
        except OSError as error:
            raise RuntimeError(f"sig {int(number)} cannot be caught") from error
        table.of_loop[number] = Handle(callback, args, copy_context())

    def remove_signal_handler(self, sig: int) -> bool:
        if sys.platform == "win32":
            return False
        number = _of_loop(sig)
        table = table_of(self)
        if table.of_loop.pop(number, None) is None:
            return False
        table.set(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        return True

    def run_until_complete(self, future: Awaitable[T] | Generator[Any, None, T]) -> T:  # Any: as LoopBase's
        """As LoopBase's.  Raises KeyboardInterrupt, too: SIGINT has cancelled the future."""
        try:
            return super().run_until_complete(future)
        except asyncio.CancelledError as error:
            if (ended_by := self.ended_by(error)) is not error:
                raise ended_by from None
            raise

    def ended_by(self, error: BaseException) -> BaseException:
        """The error of the program, where `main` has ended with `error`: KeyboardInterrupt, if SIGINT has led to it."""
        table: SignalTable | None = self.signals
        return SimulatedInterrupt() if table is not None and table.interrupts() else error


def _of_loop(sig: Given) -> signal.Signals:
    """Raises TypeError, ValueError: it is no number of a signal; as asyncio."""
    if not isinstance(sig, int):
        raise TypeError(f"sig must be an int, not {sig!r}")
    if sig not in signal.valid_signals():
        raise ValueError(f"invalid signal number {sig}")
    return signal.Signals(sig)


def _nothing(sig: int, frame: Given) -> None:
    """The handler of a signal that the loop handles (asyncio's `_sighandler_noop`)."""


def table_of(loop: SimLoopBase) -> SignalTable:
    """The table of a loop; it is made when it is first used."""
    if loop.signals is None:
        loop.signals = SignalTable(loop)
    table: SignalTable = loop.signals
    return table


# --- in the place of functions of signal and os ------------------------------------------------------------------


def _kill(table: SignalTable, pid: int, sig: int, /) -> None:
    if pid != os.getpid():
        raise OutsideSimulation("a signal to another process", _ADVICE)
    if sig:
        table.send(sig)


def _pthread_kill(table: SignalTable, thread_id: int, signalnum: int, /) -> None:
    if thread_id != threading.get_ident():
        raise OutsideSimulation("a signal to another thread", _ADVICE)
    if signalnum:
        table.send(signalnum)


#: (module, name, simulated function, whether it sends a signal) of each; trio calls the others itself.
_REPLACED: Final[list[tuple[Given, str, Callable[..., Given], bool]]] = [
    (os, "kill", _kill, True),
    (signal, "pthread_kill", _pthread_kill, True),
    (signal, "raise_signal", lambda table, signalnum, /: table.send(signalnum), True),
    (signal, "signal", lambda table, signalnum, handler: table.set(signalnum, handler), False),
    (signal, "getsignal", lambda table, signalnum: table.get(signalnum), False),
]


def replacements() -> list[tuple[Given, str, Given]]:
    """The (module, name, replacement) of each."""
    return [
        (where, name, _replaced(name, getattr(where, name), simulated, sends))
        for where, name, simulated, sends in _REPLACED
        if hasattr(where, name)
    ]


def _replaced(name: str, real: Callable[..., Given], simulated: Callable[..., Given], sends: bool) -> Given:
    def function(*args: Given, **kwargs: Given) -> Given:
        """Raises OutsideSimulation: a simulation of another runtime, which sends no signals, runs in this thread."""
        loop = simulated_loop()
        if loop is not None:
            return simulated(table_of(loop), *args, **kwargs)
        if sends and simulation() is not None:
            raise OutsideSimulation("a signal", _ADVICE)
        return real(*args, **kwargs)

    function.__name__ = function.__qualname__ = name
    return function
