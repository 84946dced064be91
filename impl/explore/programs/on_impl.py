"""Explored programs of impl: on impl.Loop."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from ...errors import CancelledError
from ...loop import Loop
from ...runners.simulate import simulate
from ...sim.choices import Choices
from ...sync.condition import Condition
from ...sync.locks import Event, Lock, Semaphore
from ...sync.queue import Queue
from ...tasks.current import our_running_loop
from ...tasks.task import Task
from .primitives import noting
from .program import Ended, Note, RuntimeName, RuntimeProgram, Setup
from .run_once import run_once


class _QuietLoop(Loop):
    """Stops when the future that `run_until_complete` waits for is done; reports nothing."""

    __slots__ = ("main",)

    def _as_future(self, what: Any) -> Any:  # Any: as Loop's
        self.main = super()._as_future(what)
        return self.main

    def _stop_after(self, future: object) -> None:
        """Nothing: only the program stops the loop."""

    def run_turns(self) -> None:
        self.run_until(self.main.done)

    def default_exception_handler(self, what: dict[str, Any]) -> None:  # Any: asyncio's context dict
        """Nothing."""


class _Names:
    """impl's primitives, as a module with asyncio's names has them."""

    Lock, Semaphore, Event, Condition, Queue = Lock, Semaphore, Event, Condition, Queue


running_loop = our_running_loop


class OnImpl(RuntimeProgram):
    """A program of impl."""

    cancelled = CancelledError
    runtime: RuntimeName = "impl"

    def __init__(self, setup: Setup) -> None:
        """Raises ValueError: a network is given; a program of impl makes its own."""
        if setup.network is not None:
            raise ValueError("a program of impl makes its own network: leave out network=")
        super().__init__(setup)
        self._simulates = simulate

    def around(self) -> AbstractContextManager[object]:
        return nullcontext()

    def recording(self, note: Note) -> AbstractContextManager[object]:
        return noting(_Names, Task, (_QuietLoop, "report"), note)

    def once(self, choices: Choices) -> Ended:
        setup = self._setup
        loop = _QuietLoop(choices, setup.order, inject=setup.inject)
        loop.limits = setup.limits
        return run_once(loop, setup.main, choices)
