"""A program with something to call before each run."""

from __future__ import annotations

from ...bridges.before_run import BeforeRun, call_before_run
from .program import Program, UserMain, WrappedProgram


class Prepared(WrappedProgram):
    """Another program, with something to call before each run."""

    def __init__(self, program: Program, what: BeforeRun) -> None:
        super().__init__(program)
        self._what = what

    def like(self, main: UserMain) -> Prepared:
        return Prepared(self._program.like(main), self._what)

    def before_run(self) -> None:
        call_before_run(self._what)
