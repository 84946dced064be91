"""Teaching code: rung 23, 3 of 4, the event queue, and the loop that executes one event after the other.

Teaches: a blocking queue is the heart of an event loop.  Any thread may push; the loop's thread sleeps in `get`
while there is none, and all coroutines and callbacks run in that thread.
Changed against the loop of rung 5: the loop knows no sockets.  Another thread waits for a socket and then pushes an
event.
Still wrong: that other thread (`one_selector.py`).  The loop must be entered, started and stopped by hand.

Against the text's sketch: an event that fails does not end the loop (defect P8); its error is raised at the end.
Stopping is an event, so no flag is read without a lock, and it wakes a loop that sleeps (its repository sleeps in
`time.sleep`, from which no push wakes it).

Source: the article on generator-based coroutines around py-coro-impl.

Any, throughout: the results of coroutines, which the loop drops.
"""

from __future__ import annotations

from collections.abc import Generator
from inspect import isgenerator, isgeneratorfunction
from typing import Any, Final

from ..world import World
from .executor import Coroutine, GeneratorExecutor
from .future import Future

_STOP: Final = object()


class EventLoop:
    """Executes events: generators, generator functions, and callables without arguments."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.errors: list[BaseException] = []
        self._queue = world.SimpleQueue()

    def push(self, event: object) -> None:
        """Add an event to the queue, from any thread."""
        self._queue.put(event)

    def async_run(self, generator: Coroutine[Any]) -> None:
        """Run a coroutine."""
        self.push(generator)

    def stop(self) -> None:
        """End the loop after the events in the queue."""
        self.push(_STOP)

    def loop(self) -> None:
        """Execute events until `stop`.

        Raises:
            ExceptionGroup: the errors of events; TypeError for anything that is no event.
        """
        while (event := self._queue.get()) is not _STOP:
            self.execute(event)
        self.raise_errors()

    def execute(self, event: object) -> None:
        """Execute one event and store its error."""
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
        """Raise an ExceptionGroup of their errors when events have failed."""
        if self.errors:
            raise BaseExceptionGroup("events have failed", self.errors)

    def _run(self, generator: Generator[Any, Any, Any]) -> None:
        executor = GeneratorExecutor(generator)
        executor.future.add_callback(self._ended)
        executor.start()

    def _ended(self, future: Future[Any]) -> None:
        if future.error is not None:
            self.errors.append(future.error)
