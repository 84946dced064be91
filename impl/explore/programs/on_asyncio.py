"""Explored asyncio programs, unmodified: on SimEventLoop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any

from ...bridges.asyncio.guard import guard
from ...bridges.asyncio.loop import SimEventLoop
from ...bridges.asyncio.run import furnish, simulate
from ...bridges.asyncio.tasks import SimTask
from ...bridges.network import DEFAULT
from ...errors import DeadlockError
from ...sim.choices import Choices
from .primitives import REQUEST, noting
from .program import Ended, Note, RuntimeName, RuntimeProgram, Setup
from .quiet_logging import is_logged
from .run_once import run_once


class _QuietSimEventLoop(SimEventLoop):
    """Stops when the future that `run_until_complete` waits for is done; reports nothing that no one reads."""

    def _as_future(self, what: Any) -> Any:  # Any: as SimEventLoop's
        self.main = super()._as_future(what)
        return self.main

    def _stop_after(self, future: object) -> None:
        """Nothing: only the program stops the loop."""

    def run_turns(self) -> None:
        try:
            self.kernel.run_until(self.main.done)
        except DeadlockError as error:
            raise self.kernel.hang(self.views(), error) from None

    def wind_up(self) -> None:
        self._default_executor = None  # its threads are unwound with the others: the end of main is the end of the run
        super().wind_up()

    def thread_failed(self, thread: threading.Thread, report: Callable[[], object]) -> None:
        super().thread_failed(thread, report if is_logged() else lambda: None)

    def call_exception_handler(self, context: dict[str, Any]) -> None:  # Any: asyncio's context dict
        if self._handler is not None or (is_logged() and self.is_running()):
            super().call_exception_handler(context)


_QuietSimEventLoop.__name__ = _QuietSimEventLoop.__qualname__ = SimEventLoop.__name__


running_loop = asyncio.get_running_loop


class OnAsyncio(RuntimeProgram):
    """An asyncio program."""

    cancelled = asyncio.CancelledError
    runtime: RuntimeName = "asyncio"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._network = setup.network or DEFAULT
        self._simulates = partial(simulate, network=self._network)

    def around(self) -> AbstractContextManager[object]:
        return guard()

    @contextmanager
    def recording(self, note: Note) -> Iterator[None]:
        servers = self._network.outside
        for server in servers:
            server.habits.note = partial(note, server, REQUEST, True)
        try:
            with noting(asyncio, SimTask, (_QuietSimEventLoop, "call_exception_handler"), note):
                yield
        finally:
            for server in servers:
                server.habits.note = None

    def once(self, choices: Choices) -> Ended:
        setup, network = self._setup, self._network
        loop = _QuietSimEventLoop(choices, network.conditions, setup.order, inject=setup.inject)
        loop.kernel.limits = setup.limits
        furnish(loop, network)
        return run_once(loop, setup.main, choices)
