"""Teaching code: rung 23, 3 of 4, the event queue, and the loop that takes one event after the other.

What it teaches: a queue that blocks is an event loop's heart.  Any thread may push; the thread of the loop sleeps in
`get` while there is nothing, and is the only one in which coroutines and callbacks run.
What changed against the loop of rung 5: the loop knows no sockets.  Whoever waits for something, a socket for instance,
does so in a thread of its own and pushes what is to be done then.
What is still wrong with it: that thread (`one_selector.py`).  And the loop has to be entered, started with something
and stopped, by hand.

Against the text's sketch: an event that fails does not take the others with it (its defect P8); what it raised is
raised at the end.  Stopping is an event like any other, so nothing is read without a lock, and a loop that sleeps
wakes for it (its repository sleeps in `time.sleep`, from which no push wakes it).

Source: the article on generator-based coroutines around py-coro-impl.
"""

from __future__ import annotations

from collections.abc import Generator
from inspect import isgenerator, isgeneratorfunction
from typing import Any, Final

from ..world.interfaces import World
from .executor import Coroutine, GeneratorExecutor
from .future import Future

_STOP: Final = object()


class EventLoop:
    """Executes events: generators, generator functions, and whatever else can be called without arguments."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.errors: list[Exception] = []
        self._queue = world.queue.SimpleQueue()

    def push(self, event: object) -> None:
        """Execute it, after what was pushed before; any thread may call this."""
        self._queue.put(event)

    def async_run(self, generator: Coroutine[Any]) -> None:  # Any: nobody waits for what it returns
        """Run a coroutine."""
        self.push(generator)

    def stop(self) -> None:
        """End the loop, after what was pushed before."""
        self.push(_STOP)

    def loop(self) -> None:
        """Execute events until `stop`.

        Raises:
            ExceptionGroup: what events raised, TypeError for what is no event.
        """
        while (event := self._queue.get()) is not _STOP:
            self.execute(event)
        self.raise_errors()

    def execute(self, event: object) -> None:
        """Execute one event; its error is noted."""
        try:
            if isgenerator(event):
                self._run(event)
            elif isgeneratorfunction(event):
                self._run(event())
            elif callable(event):
                event()
            else:
                raise TypeError(f"an event is a generator or can be called, which {event!r} is not")
        except Exception as error:
            self.errors.append(error)

    def raise_errors(self) -> None:
        """Raises ExceptionGroup when events have raised errors."""
        if self.errors:
            raise ExceptionGroup("events have failed", self.errors)

    def _run(self, generator: Generator[Any, Any, Any]) -> None:  # Any: as in async_run
        executor = GeneratorExecutor(generator)
        executor.future.add_callback(self._ended)
        executor.start()

    def _ended(self, future: Future[Any]) -> None:  # Any: as in async_run
        if future.error is not None:
            self.errors.append(future.error)
