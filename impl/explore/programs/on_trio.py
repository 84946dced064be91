"""Explored trio programs, unmodified."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial, wraps
from typing import Any

import trio

from ...bridges.asyncio.guard import guard
from ...bridges.network import DEFAULT
from ...bridges.trio.order import check_version
from ...bridges.trio.run import check_injection, simulate_trio
from ...sim.choices import Choices
from .program import Ended, Note, RuntimeName, RuntimeProgram, Setup


class OnTrio(RuntimeProgram):
    """A trio program."""

    cancelled = trio.Cancelled
    runtime: RuntimeName = "trio"

    def __init__(self, setup: Setup) -> None:
        check_version()
        check_injection(setup.inject)
        super().__init__(setup)
        self._simulates = partial(simulate_trio, network=setup.network or DEFAULT)

    def around(self) -> AbstractContextManager[object]:
        return guard()

    def recording(self, note: Note) -> AbstractContextManager[object]:
        return nullcontext()

    def once(self, choices: Choices) -> Ended:
        main = self._setup.main

        @wraps(main)
        async def finishing() -> Any:  # Any: the program's result
            try:
                return await main()
            finally:
                choices.finish()

        return Ended.of(self._simulated(finishing, choices))
