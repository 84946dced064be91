"""Explored trio programs, unmodified."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial, wraps
from typing import Any, Final

import trio

from ...bridges.asyncio.guard import guard
from ...bridges.network import DEFAULT
from ...bridges.trio.order import check_version, error_of, failures
from ...bridges.trio.run import simulate_trio
from ...sim.choices import Choices
from .program import Ended, Note, RuntimeName, RuntimeProgram, Setup

#: The folder of trio, some of whose tasks are its own.
_TRIO: Final = os.path.join(os.path.dirname(trio.__file__), "")


class NotedSteps(trio.abc.Instrument):
    """Notes the program's new tasks, where a step of one begins and ends, and how it exits: by an error, or not."""

    def __init__(self, note: Note) -> None:
        self._note = note
        self._failed = 0

    def task_spawned(self, task: trio.lowlevel.Task) -> None:
        self._tell(task, "create")

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self._failed = failures(task)
        self._tell(task, "begins")

    def task_exited(self, task: trio.lowlevel.Task) -> None:
        error = error_of(task, self._failed)
        self._note(error, "is cancelled" if isinstance(error, trio.Cancelled) else "exits", False)

    def after_task_step(self, task: trio.lowlevel.Task) -> None:
        self._tell(task, "ends")

    def _tell(self, task: trio.lowlevel.Task, method: str) -> None:
        code = getattr(task.coro, "cr_code", None)
        if code is not None and not code.co_filename.startswith(_TRIO):
            self._note(task, method, False)


class OnTrio(RuntimeProgram):
    """A trio program."""

    cancelled = trio.Cancelled
    runtime: RuntimeName = "trio"

    def __init__(self, setup: Setup) -> None:
        check_version()
        super().__init__(setup)
        self._simulates = partial(simulate_trio, network=setup.network or DEFAULT)

    def around(self) -> AbstractContextManager[object]:
        return guard()

    @contextmanager
    def recording(self, note: Note) -> Iterator[None]:
        simulates = self._simulates
        self._simulates = partial(simulates, instruments=[NotedSteps(note)])
        try:
            yield
        finally:
            self._simulates = simulates

    def once(self, choices: Choices) -> Ended:
        main = self._setup.main

        @wraps(main)
        async def finishing() -> Any:  # Any: the program's result
            try:
                return await main()
            finally:
                choices.finish()

        return Ended.of(self._simulated(finishing, choices))
