"""A thread that plays commands, and that can ask for the next one in the middle of playing one.

So the loop of an adapter can be stopped inside a task's step.  A coroutine cannot do that: its loop sees its yields.
The two threads never run at the same time; a run is as repeatable as one of a single thread.
"""

from __future__ import annotations

import _queue
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

from spec.kit.core import Event

#: No command follows.
END = Event("end")


class CommandThread:
    """Calls `play(command)` for every command, one at a time."""

    def __init__(self, play: Callable[[Event], None]) -> None:
        self.play = play
        self.closed = False
        # The built-in class itself: the guard of a simulated loop refuses a wait at the one of the module queue.
        self.commands: SimpleQueue[Event] = _queue.SimpleQueue()
        self.stops: SimpleQueue[BaseException | None] = _queue.SimpleQueue()
        self.thread = Thread(target=self.run, daemon=True)
        self.thread.start()

    def send(self, command: Event) -> None:
        """Returns when the command is played, or when the next one is asked for.  Raises the error of playing it."""
        self.commands.put(command)
        if (error := self.stops.get()) is not None:
            raise error

    def next_command(self) -> Event:
        """Called within `play`: the command that is sent next; END when there is none."""
        if not self.closed:
            self.stops.put(None)
        return self.receive()

    def close(self) -> None:
        """Send END, and wait until everything that `play` had begun has returned."""
        self.commands.put(END)
        self.thread.join()

    def receive(self) -> Event:
        command = END if self.closed else self.commands.get()
        self.closed = command == END
        return command

    def run(self) -> None:
        while (command := self.receive()) != END:
            error = None
            try:
                self.play(command)
            except BaseException as raised:  # the sender raises it
                error = raised
            self.stops.put(error)
