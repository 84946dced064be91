"""Runs of callbacks and timers on real loops, recorded for the monitor of `spec.callbacks`.

A program has the calls before the loop runs, and the statements of each callback: it schedules
callbacks, cancels them, lets time pass, or raises.  The recorder is each callback.  It writes a line at the moment of
every call, and the time when it is another one than before.  At the end the loop is idle: every callback that was
scheduled has run or was cancelled.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple, Protocol

import impl
from impl.net.real.loop import SocketLoop
from spec.callbacks import At, Calls, Handle, Thread, Time, callback_model, other_threads
from spec.callbacks.specification import Said
from spec.kit.core import Event
from spec.kit.monitor import Monitor
from spec.kit.trace import Call, Do, End, Line, Return

from ..programs.virtual_asyncio import Hang, VirtualLoop
from .held import JudgedRuns, Seen

# `Any` in this file: asyncio's own signatures leave arguments and contexts open.

NS_PER_MS: Final = 1_000_000
NS_PER_SECOND: Final = 1_000_000_000
#: The callbacks of a program.
HANDLES: Final = 8
#: The most statements of a callback, or of the code before the loop runs.
MOST: Final = 4
#: Delays and pauses, in milliseconds; the first also stands for a time that has passed.
DELAYS_MS: Final = (-1, 0, 0, 0, 1, 1, 2, 3)


class TimedLoop(Protocol):
    """The methods of a loop that a program calls."""

    def call_soon(self, callback: Callable[..., object], *args: Any) -> Any: ...
    def call_at(self, when: float, callback: Callable[..., object], *args: Any) -> Any: ...
    def call_later(self, delay: float, callback: Callable[..., object], *args: Any) -> Any: ...
    def time(self) -> float: ...
    def set_exception_handler(self, handler: Callable[[Any, dict[str, Any]], object] | None, /) -> None: ...
    def run_forever(self) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class Timed:
    """A loop in virtual time: `idle` is the error that says that it is; `pass_ns` moves its clock within a callback."""

    name: str
    new_loop: Callable[[], Any]
    idle: type[Exception]
    pass_ns: Callable[[Any, int], None]


def no_pass(loop: impl.Loop, ns: int) -> None:
    """Our clock moves between iterations only."""


def pass_asyncio(loop: VirtualLoop, ns: int) -> None:
    loop._virtual.now += ns


OURS: Final = Timed("impl", impl.Loop, impl.DeadlockError, no_pass)
ASYNCIO: Final = Timed("asyncio", VirtualLoop, Hang, pass_asyncio)


class CallbackOp(NamedTuple):
    """One thing that a program does: to a callback of that number, or after so many milliseconds."""

    name: str
    number: int = 0
    ms: int = 0


class CallbackProgram(NamedTuple):
    """The calls before the loop runs, and those of each callback."""

    before: tuple[CallbackOp, ...]
    bodies: tuple[tuple[CallbackOp, ...], ...]


def drawn(random: Random) -> CallbackProgram:
    """A random program; a callback that raises does so last."""

    def ops(most: int) -> tuple[CallbackOp, ...]:
        names = random.choices(
            ("call_soon", "call_at", "call_later", "cancel", "pass"),
            (2, 2, 3, 2, 2),
            k=random.randint(0, most),
        )
        return tuple(CallbackOp(name, random.randrange(HANDLES), random.choice(DELAYS_MS)) for name in names)

    bodies = [(*ops(MOST), *([CallbackOp("raise")] if random.random() < 0.2 else [])) for _ in range(HANDLES)]
    return CallbackProgram((*ops(MOST), CallbackOp("call_soon", random.randrange(HANDLES))), tuple(bodies))


class CallbackError(Exception):
    """The error that a callback raises."""


class CallbackRecorder:
    """The callbacks of a program on a loop; a callback that was scheduled is not scheduled again."""

    def __init__(self, loop: TimedLoop, program: CallbackProgram, pass_ns: Callable[[Any, int], None]) -> None:
        self.loop, self.program, self.pass_ns = loop, program, pass_ns
        self.lines: list[Line] = []
        self.handles: dict[int, Any] = {}
        self.errors: dict[BaseException, int] = {}
        self.now = 0
        loop.set_exception_handler(self.failed)

    def write(self, name: str, *args: int) -> None:
        """A line, after one that says the time if that has changed."""
        now = round(self.loop.time() * NS_PER_SECOND)
        if now != self.now:
            self.now = now
            self.lines.append(Do(Event("elapse", (now,))))
        self.lines.append(Do(Event(name, args)))

    def call(self, number: int) -> None:
        """The loop calls a callback."""
        self.write("run", number)
        self.do(self.program.bodies[number], number)
        self.write("finish", number)

    def failed(self, loop: Any, context: dict[str, Any]) -> None:
        """The loop calls the exception handler."""
        self.write("fail", self.errors.get(context["exception"], -1))

    def do(self, ops: Sequence[CallbackOp], running: int = -1) -> None:
        for op in ops:
            match op.name:
                case "raise":
                    error = CallbackError()
                    self.errors[error] = running
                    raise error
                case "pass":
                    self.pass_ns(self.loop, max(op.ms, 0) * NS_PER_MS)
                case "cancel":
                    if op.number in self.handles:
                        self.handles[op.number].cancel()
                        self.write("cancel", op.number)
                case _:
                    if op.number not in self.handles:
                        self.schedule(op)

    def schedule(self, op: CallbackOp) -> None:
        now = self.loop.time()
        when = Time(round(now * NS_PER_SECOND) + op.ms * NS_PER_MS)
        self.write(*(("call_soon", op.number) if op.name == "call_soon" else ("call_at", op.number, when)))
        if op.name == "call_soon":
            handle = self.loop.call_soon(self.call, op.number)
        elif op.name == "call_at":
            handle = self.loop.call_at(when / NS_PER_SECOND, self.call, op.number)
        else:
            handle = self.loop.call_later(op.ms / 1000, self.call, op.number)
        self.handles[op.number] = handle


def settled(s: Calls) -> bool:
    """Whether no callback waits for its time, is ready, or runs."""
    return all(at in (At.NEW, At.ENDED, At.FAILED, At.CANCELLED) for at in s.at.values())


def play(subject: Timed, program: CallbackProgram) -> list[Seen]:
    """Run it until the loop is idle, and return the lines."""
    loop = subject.new_loop()
    try:
        recorder = CallbackRecorder(loop, program, subject.pass_ns)
        recorder.do(program.before)
        try:
            loop.run_forever()
        except subject.idle:
            pass
    finally:
        loop.close()
    return [Seen(line) for line in (*recorder.lines, End())]


@cache
def judged() -> JudgedRuns[Timed, CallbackProgram]:
    """All runs; they share the monitor's knowledge of states."""
    rest = settled, "every callback has run or was cancelled"
    return JudgedRuns(Monitor(callback_model(HANDLES, 1)), play, rest)


# Other threads.

#: So many threads hand so many callbacks over, each.
THREADS: Final = 2
EACH: Final = 4


def handed_over(new_loop: Callable[[], Any], *, running: bool) -> list[Line]:
    """Callbacks that threads hand over to a loop, while it runs or before; the recorded lines, in order.

    A call from another thread takes place at some moment between two lines.
    """
    loop = new_loop()
    lines: list[Line] = []
    left = set(range(THREADS * EACH))

    def call(number: int) -> None:
        lines.append(Do(Event("run", (number,))))
        left.discard(number)
        if not left:
            loop.stop()
        lines.append(Do(Event("finish", (number,))))

    def hand_over(thread: Thread, numbers: range) -> None:
        for number in numbers:
            lines.append(Call(Event("call_soon_threadsafe", (thread, Handle(number)))))
            loop.call_soon_threadsafe(call, number)
            lines.append(Return(thread, Said.DONE))

    threads = [
        threading.Thread(target=hand_over, args=(thread, range(n * EACH, (n + 1) * EACH)))
        for n, thread in enumerate(other_threads(THREADS))
    ]
    try:
        for thread in threads:
            thread.start()
        if not running:
            for thread in threads:
                thread.join()
        loop.run_forever()
        for thread in threads:
            thread.join()
    finally:
        loop.close()
    return lines


class WaitingLoop(SocketLoop):
    """Our loop on sockets, which waits for other threads."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__()
        self.pending = 1
