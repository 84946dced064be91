"""A program; all of its runs begin in the state that its modules had before the search."""

from __future__ import annotations

from contextlib import AbstractContextManager

from ..programs.program import Program, UserMain, WrappedProgram
from .snapshot import ModuleState


class Fresh(WrappedProgram):
    """Another program; the module-level state is reset before each run, and put back after all of them.

    A failure is made simpler and recorded by runs of this program: a run that a run before has changed would not fail.
    """

    def __init__(self, program: Program, state: ModuleState) -> None:
        super().__init__(program)
        self._state = state

    def context(self) -> AbstractContextManager[object]:
        return self._state.at_first()

    def like(self, main: UserMain) -> Fresh:
        return Fresh(self._program.like(main), ModuleState(main))

    def before_run(self) -> None:
        self._state.restore()
