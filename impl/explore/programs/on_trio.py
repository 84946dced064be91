"""Explored trio programs, unmodified."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from typing import Any

import trio

from ...bridges.asyncio.guard import guard
from ...bridges.network import DEFAULT
from ...bridges.trio.order import check_version
from ...bridges.trio.run import check_injection, simulate_trio
from ...runners.simulate import Run
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
        self._network = setup.network or DEFAULT

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

        run = self._simulate(finishing, choices, None, False)
        return Ended.of(run)

    def simulate(
        self, choices: Choices | None = None, token: str | None = None, trace: bool = False
    ) -> Run[Any]:
        return self._simulate(self._setup.main, choices, token, trace)

    def _simulate(self, main: Any, choices: Choices | None, token: str | None, trace: bool) -> Run[Any]:
        setup = self._setup
        return simulate_trio(
            main,
            order=setup.order,
            network=self._network,
            token=token,
            choices=choices,
            trace=trace,
            inject=setup.inject,
            limits=setup.limits,
        )
