"""A program with runs that an oracle judges, besides the errors of the program itself."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from ...errors import CallbackError, DeadlockError, Refusal
from ...interfaces import Oracle
from ...runners.simulate import Run
from ...sim.choices import Choices
from ...sim.outcome import outcome_of
from .program import Ended, Program, UserMain, WrappedProgram

# Any in this file: the result of the program.


class Judged(WrappedProgram):
    """Another program; a run that the oracle does not allow fails with the oracle's error."""

    def __init__(self, program: Program, oracle: Oracle) -> None:
        super().__init__(program)
        self._oracle = oracle

    def context(self) -> AbstractContextManager[object]:
        return self._oracle.watching()

    def before_run(self) -> None:
        self._oracle.begin()

    def like(self, main: UserMain) -> Judged:
        return Judged(self._program.like(main), self._oracle)

    def once(self, choices: Choices) -> Ended:
        ended = super().once(choices)
        error = verdict(self._oracle, ended.error, self.failed)
        return ended if error is None else Ended(None, error)

    def simulate(self, choices: Choices | None = None, token: str | None = None, trace: bool = False) -> Run[Any]:
        run = super().simulate(choices, token, trace)
        error = verdict(self._oracle, run.error, self.failed)
        return run if error is None else replace(run, result=None, error=error, said=outcome_of(None, error))


def verdict(oracle: Oracle, error: BaseException | None, failed: Callable[[Ended], bool]) -> BaseException | None:
    """The error of the oracle, which has the program's own as its cause; None: that one counts.

    Where the oracle cannot judge a run that fails by itself, or a callback has failed as well, that failure counts.

    Parameters:
        error: with which the run has ended.
        failed: whether a run that has ended so has failed.
    """
    if isinstance(error, Refusal):
        return None
    found = oracle.end(type(error) is DeadlockError)
    if found is None:
        return None
    if isinstance(found, Refusal | CallbackError) and error is not None and failed(Ended(None, error)):
        return None
    if isinstance(found, CallbackError):
        return found if failed(Ended(None, found)) else None
    found.__cause__ = error
    return found
