"""Run every class of equivalent schedules of a program, instead of every schedule (reduction/)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from importlib import import_module
from typing import Final

from ...errors import Refusal
from ...interfaces import Oracle
from ...sim.choices import Choices
from ...sim.outcome import is_result
from ..choices.odometer import KeepsState
from ..module_state.snapshot import ModuleState
from ..programs.program import Ended, Setup
from ..programs.quiet_logging import unlogged
from ..programs.with_oracle import verdict
from ..reduction.drive import DrivenLoop, DrivenRun
from ..reduction.exhaust import Exhaustion, First, Hosts, choices_of, exhaust
from ..reduction.program import files_run, followed
from ..reduction.reduce import STEPS_MAX
from ..report.found import Found
from ..report.internal import hold_of_recorder

#: The hosts of the runtimes that have a reduction; a module is imported when a program of its runtime is explored.
_HOSTS: Final = {"impl": ("host_impl", "impl_hosts"), "asyncio": ("host_asyncio", "asyncio_hosts")}


def has_classes(runtime: str, setup: Setup) -> bool:
    """Whether the reduction varies all that may vary: the order of tasks, and nothing of the network or of time."""
    return runtime in _HOSTS and setup.order == "any" and setup.network is None and not setup.inject


class ClassSearch:
    """A search of the classes of equivalent schedules.

    Parameters:
        runtime, setup: the program; `has_classes` says whether this search is for it.
        oracle: judges each run, too.
        failed: whether a run that ended so has failed.
        begin: prepares a run.
        refuse: called, and raises, where a run used something that cannot be simulated.
    """

    def __init__(
        self,
        runtime: str,
        setup: Setup,
        oracle: Oracle,
        failed: Callable[[Ended], bool],
        begin: Callable[[], object],
        refuse: Callable[[Refusal], object],
    ) -> None:
        module, name = _HOSTS[runtime]
        self._hosts: Hosts = getattr(import_module(f"..reduction.{module}", __package__), name)
        self._setup, self._oracle, self._failed, self._begin = setup, oracle, failed, begin
        self._refuse = refuse
        #: Makes the choices of a run that did not end; None: all did.
        self.spun: Callable[[], Choices] | None = None

    def run(
        self, found: Found, most: int | None, keep_going: bool, progress: Callable[[Found], object]
    ) -> tuple[Ended, Callable[[], Choices]] | None:
        """Add the runs to `found`; returns the first that failed, and a function that returns its choices again.

        Parameters:
            most: the most runs; None: as many as there are.
            keep_going: whether to go on after a run that failed.
            progress: called after each run that came to its end.

        Raises:
            KeepsState: the program is no function of its schedule.
        """
        failed: list[tuple[Ended, str]] = []

        def outcome(driven: DrivenRun) -> str:
            ended = self._ended(driven)
            text = ended.outcome()
            found.add(text, None)
            found.note(driven.drawn())
            if self._failed(ended):
                hold_of_recorder(ended.error)
                found.failures += 1
                failed.append((ended, text))
            progress(found)
            return text

        def over(first: First) -> bool:
            return bool(failed) and not keep_going

        main = self._setup.main
        state = ModuleState(main)
        files = self._files(state)
        try:
            result = exhaust(main, self._beginning, runs=most, files=files, outcome=outcome, until=over)
            found.runs = result.runs
            if not failed and state.changed():
                self._again(result, state)
        except KeepsState as error:
            error.names = state.changed()
            raise
        finally:
            state.restore()
        found.exhausted = result.exhausted
        classes = "1 class" if result.classes == 1 else f"{result.classes} classes"
        was = "was" if result.classes == 1 else "were"
        found.bound = result.bound or f"{classes} of equivalent schedules {was} run"
        found.assumptions = result.assumptions
        if result.spun is not None:
            self.spun = partial(Choices.listed, {"schedule": result.spun})
        if not failed:
            return None
        ended, text = failed[0]
        return ended, lambda: self._choices(result, text, state)

    def _files(self, state: ModuleState) -> list[str]:
        """The program's files whose functions run first in, first out."""
        with unlogged(), self._beginning(False, False) as make, files_run() as ran:
            driven = DrivenRun(make(), self._setup.main)
            try:
                while driven.end is None and driven.steps < STEPS_MAX and (enabled := driven.enabled()):
                    driven.step(enabled[0])
            finally:
                driven.close()
        state.restore()
        return followed(ran, self._setup.main, self._setup.follow)

    def _ended(self, driven: DrivenRun) -> Ended:
        assert driven.end is not None
        ended = driven.end
        if isinstance(ended.error, Refusal):
            self._refuse(ended.error)
        error = verdict(self._oracle, ended.error, self._failed)
        return ended if error is None else Ended(None, error)

    def _again(self, result: Exhaustion, state: ModuleState) -> None:
        """Make the runs once more, each from the first state of the program's modules, which runs have changed.

        Raises:
            KeepsState: they are others.
        """
        others: list[str] = []

        def outcome(driven: DrivenRun) -> str:
            text = self._ended(driven).outcome()
            if text not in result.outcomes and not (is_result(text) and result.all_differ()):
                others.append(text)
            return text

        hosts = partial(self._beginning, before=state.restore)
        with state.at_first():
            again = exhaust(
                self._setup.main,
                hosts,
                runs=result.runs,
                files=result.files,
                outcome=outcome,
                until=lambda first: bool(others),
            )
        if others:
            how = f"no run ended with {others[0]!r}, and one does if it begins in the state before the first run"
        elif (again.runs, again.exhausted) != (result.runs, result.exhausted):
            how = "there are other schedules if each run begins in the state before the first run"
        else:
            return
        raise KeepsState(how)

    def _choices(self, result: Exhaustion, outcome: str, state: ModuleState) -> Choices:
        with state.at_first():
            first = result.outcomes[outcome]
            return Choices.listed({"schedule": choices_of(result, self._beginning, first)})

    @contextmanager
    def _beginning(
        self, groups: bool, watches: bool, before: Callable[[], object] = lambda: None
    ) -> Iterator[Callable[[], DrivenLoop]]:
        hosts: AbstractContextManager[Callable[[], DrivenLoop]] = self._hosts(groups, watches)
        with hosts as make:

            def begin() -> DrivenLoop:
                before()
                self._begin()
                self._oracle.begin()
                made = make()
                made.kernel.limits = self._setup.limits
                return made

            yield begin
