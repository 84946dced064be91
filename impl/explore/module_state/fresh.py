"""A program; all of its runs begin in the state that its modules had before the search."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from typing import Any

from ...runners.simulate import Run
from ...sim.choices import Choices
from ..programs.program import Ended, Program, UserMain, WrappedProgram
from .snapshot import ModuleState


class Fresh(WrappedProgram):
    """Another program; the module-level state is reset before each run, and put back after all of them.

    A failure is made simpler and recorded by runs of this program: a run that a run before has changed would not fail.
    """

    def __init__(self, program: Program, state: ModuleState) -> None:
        super().__init__(program)
        self._state = state

    def around(self) -> AbstractContextManager[object]:
        both = ExitStack()
        both.enter_context(super().around())
        both.enter_context(self._state.at_first())
        return both

    def like(self, main: UserMain) -> Fresh:
        return Fresh(self._program.like(main), ModuleState(main))

    def once(self, choices: Choices) -> Ended:
        self._state.restore()
        return super().once(choices)

    def simulate(
        self, choices: Choices | None = None, token: str | None = None, trace: bool = False
    ) -> Run[Any]:  # Any: the program's result
        self._state.restore()
        return super().simulate(choices, token, trace)
