"""Run a coroutine program on the ladder's Tornado, or on tornado itself, and write down all that can be seen.

Theory of operation.  Both run the same source, in virtual time: ours on the ladder's simulated world, tornado on stock
asyncio with a clock that jumps (virtual_asyncio.py).  `main` is called by the loop; when nothing can happen any more,
the first future is resolved that still is not, and so on until all are.  What is seen: every `say` with its virtual
milliseconds, and what the loop writes into its log.  Texts of errors that are not a program's own are not written down.

The errors that nobody has looked at are left out: both log them when the future is collected, at whatever time that is.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from tornado import gen
from tornado.platform.asyncio import AsyncIOLoop

from impl.errors import DeadlockError
from impl.ladder.tornado import coroutine as ladder_gen
from impl.ladder.tornado.future import Future
from impl.ladder.tornado.ioloop import IOLoop
from impl.ladder.world.simulated import SimulatedWorld
from impl.web.site import Site

from .tornado_programs import FUTURES, Program
from .virtual_asyncio import Hang, VirtualLoop

#: Virtual milliseconds, the number of the line ("log": the loop's log), and what it was told.
Event = tuple[int, int | str, tuple[object, ...]]


class Failure(Exception):
    """What programs raise."""


class FutureLike(Protocol):
    """What is called of a future here."""

    def done(self) -> bool: ...
    def result(self) -> Any: ...  # Any: whatever the program has set
    def set_result(self, result: Any, /) -> None: ...  # Any: as above


@dataclass
class Seen:
    """A run: its events in order, and the results of the futures and of the coroutines, by name."""

    events: list[Event] = field(default_factory=list)
    results: dict[str, object] = field(default_factory=dict)


# Any, from here on: programs are text, and their functions and values are of no type.
@dataclass(frozen=True)
class Runtime:
    """A loop in virtual time, with the words of programs; times are in seconds."""

    #: Where the loop, and the yield of a list, log what has failed.
    logs: tuple[str, ...]
    coroutine: Callable[[Callable[..., Any]], Callable[..., Any]]
    moment: object
    returns: type[Exception]
    future: Callable[[], FutureLike]
    now: Callable[[], float]
    later: Callable[[float, Callable[[], object]], object]
    add_callback: Callable[..., None]
    add_future: Callable[[Any, Callable[..., object]], None]
    to_rest: Callable[[], None]  #: run the loop until nothing can happen any more
    close: Callable[[], None]


def ladder() -> Runtime:
    """The ladder's Tornado."""
    world = SimulatedWorld(Site({}, ()))
    loop = IOLoop(world)

    def to_rest() -> None:
        with suppress(DeadlockError):
            loop.start()

    def close() -> None:
        loop.close()
        world.close()

    return Runtime(
        logs=("impl.ladder.tornado.ioloop", "impl.ladder.tornado.coroutine"),
        coroutine=ladder_gen.coroutine,
        moment=ladder_gen.moment,
        returns=ladder_gen.Return,
        future=Future,
        now=world.time,
        later=lambda seconds, callback: loop.add_timeout(world.time() + seconds, callback),
        add_callback=loop.add_callback,
        add_future=loop.add_future,
        to_rest=to_rest,
        close=close,
    )


class _VirtualIOLoop(AsyncIOLoop):
    """Tornado's loop, by the clock of the loop that it runs on."""

    def time(self) -> float:
        return self.asyncio_loop.time()


def tornado() -> Runtime:
    """Tornado itself."""
    stock = VirtualLoop()
    stock.set_exception_handler(lambda loop, context: None)  # what nobody has looked at
    loop = _VirtualIOLoop(asyncio_loop=stock, make_current=False)

    def to_rest() -> None:
        with suppress(Hang):
            loop.start()

    return Runtime(
        logs=("tornado.application",),
        coroutine=gen.coroutine,
        moment=gen.moment,
        returns=gen.Return,
        future=stock.create_future,
        now=loop.time,
        later=loop.call_later,
        add_callback=loop.add_callback,
        add_future=loop.add_future,
        to_rest=to_rest,
        close=loop.close,
    )


def run(program: Program, new_runtime: Callable[[], Runtime]) -> Seen:
    """All that can be seen of a run."""
    runtime = new_runtime()
    try:
        return _Run(runtime).to_its_end(program)
    finally:
        runtime.close()


class _Run:
    """One run."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.seen = Seen()
        self.futures = [runtime.future() for _ in range(FUTURES)]
        self.called: dict[str, FutureLike] = {}

    def to_its_end(self, program: Program) -> Seen:
        names: dict[str, Any] = {
            "coroutine": self.coroutine,
            "moment": self.runtime.moment,
            "Return": self.runtime.returns,
            "f": self.futures,
            "say": self.say,
            "sleep": self.sleep,
            "later": lambda ms, callback: self.runtime.later(ms / 1000, callback),
            "add_callback": self.runtime.add_callback,
            "add_future": self.runtime.add_future,
            "Failure": Failure,
        }
        exec(compile(program.source, "program", "exec"), names)
        with self.listening():
            self.runtime.add_callback(names["main"])
            self.runtime.to_rest()
            for n, future in enumerate(self.futures):
                if not future.done():
                    self.runtime.add_callback(future.set_result, f"left {n}")
                    self.runtime.to_rest()
        for name, future in {**{f"f[{n}]": f for n, f in enumerate(self.futures)}, **self.called}.items():
            self.seen.results[name] = outcome(future)
        return self.seen

    def say(self, number: int, *what: object) -> None:
        told = tuple(shown(value) for value in what)
        self.seen.events.append((round(self.runtime.now() * 1000), number, told))

    def sleep(self, ms: int) -> FutureLike:
        future = self.runtime.future()
        self.runtime.later(ms / 1000, lambda: future.set_result(None))
        return future

    def coroutine(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The runtime's, whose futures are kept."""
        decorated = self.runtime.coroutine(function)

        def call() -> Any:
            future = self.called[function.__name__] = decorated()
            return future

        return call

    @contextmanager
    def listening(self) -> Iterator[None]:
        """What the loop logs is an event."""
        handler = _Handler(
            lambda error: self.seen.events.append((round(self.runtime.now() * 1000), "log", (error,)))
        )
        loggers = [logging.getLogger(name) for name in self.runtime.logs]
        for logger in loggers:
            logger.addHandler(handler)
            logger.propagate = False
        try:
            yield
        finally:
            for logger in loggers:
                logger.removeHandler(handler)
                logger.propagate = True


class _Handler(logging.Handler):
    def __init__(self, failed: Callable[[object], None]) -> None:
        super().__init__()
        self.failed = failed

    def emit(self, record: logging.LogRecord) -> None:
        assert record.exc_info
        self.failed(shown(record.exc_info[1]))


def outcome(future: FutureLike) -> object:
    """The result, or the error."""
    if not future.done():
        return "pending"
    try:
        return shown(future.result())
    except Exception as error:
        return shown(error)


#: Errors with texts of their own.
OWN: Final = ("Failure", "Return")


def shown(value: object) -> object:
    """A value; of an error its name, and its text if it is a program's own."""
    if isinstance(value, Exception):
        name = type(value).__name__
        return f"{name}{value.args}" if name in OWN else name
    return repr(value) if isinstance(value, list | dict) else value
