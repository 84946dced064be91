"""A program with something to call before each run."""

from __future__ import annotations

from typing import Any

from ...bridges.before_run import BeforeRun, call_before_run
from ...runners.simulate import Run
from ...sim.choices import Choices
from .program import Ended, Program, UserMain, WrappedProgram


class Prepared(WrappedProgram):
    """Another program, with something to call before each run."""

    def __init__(self, program: Program, what: BeforeRun) -> None:
        super().__init__(program)
        self._what = what

    def like(self, main: UserMain) -> Prepared:
        return Prepared(self._program.like(main), self._what)

    def once(self, choices: Choices) -> Ended:
        call_before_run(self._what)
        return super().once(choices)

    def simulate(
        self, choices: Choices | None = None, token: str | None = None, trace: bool = False
    ) -> Run[Any]:  # Any: the program's result
        call_before_run(self._what)
        return super().simulate(choices, token, trace)
