"""Real callbacks and timers in random programs: all runs are accepted, and those of every wrong loop rejected."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest

import impl
from impl.interfaces import Runnable
from spec.callbacks import Handle, callback_model
from spec.kit.monitor import Monitor, Rejected
from spec.kit.trace import Do

from ...refinement.callbacks import (
    ASYNCIO,
    EACH,
    OURS,
    THREADS,
    Timed,
    WaitingLoop,
    drawn,
    handed_over,
    judged,
    settled,
)
from ...refinement.held import HeldRuns

# `Any` in this file: arguments of callbacks, as in asyncio.

#: So many programs are run, of one seed each.
PROGRAMS: Final = 60
HELD = [HeldRuns("callbacks", (ASYNCIO.name, OURS.name), traces=PROGRAMS)]
#: Visible actions of one thread.
ACTIONS: Final = {"call_soon", "call_at", "cancel", "run", "finish", "fail", "elapse"}


@pytest.mark.parametrize("subject", [ASYNCIO, OURS], ids=lambda subject: subject.name)
def test_random_programs_are_accepted(subject: Timed, full: bool) -> None:
    made = Counter[str]()
    for seed in range(2_000 if full else PROGRAMS):
        seen = judged().run(subject, drawn(Random(seed)))
        made.update(line.event.name for line, _ in seen if isinstance(line, Do))
    assert set(made) == ACTIONS
    assert min(made.values()) >= 5


def test_runs_with_drawn_ties_are_accepted() -> None:
    """LOOP-14: a loop may call timers of one time in any order."""
    ties = replace(OURS, new_loop=lambda: impl.Loop(impl.Choices.seeded(1)))
    for seed in range(PROGRAMS):
        judged().run(ties, drawn(Random(seed)))


class Newest(deque[Runnable]):
    """LOOP-1: the newest callback comes first."""

    def popleft(self) -> Runnable:
        return self.pop()


class SameTurn(impl.Loop):
    """LOOP-1: an iteration goes on while there are callbacks."""

    def turn(self) -> None:
        super().turn()
        while self.ready:
            self.step()


class Early(impl.Loop):
    """LOOP-2: a timer is early by a millisecond."""

    def timer(self, when: int, target: Runnable) -> None:
        super().timer(when - 1_000_000, target)


class Coarse(impl.Loop):
    """LOOP-2: timers of the same ten milliseconds are called in the order of their registration."""

    def timer(self, when: int, target: Runnable) -> None:
        super().timer(-(-when // 10_000_000) * 10_000_000, target)


class Ignoring(impl.Loop):
    """LOOP-2: a ready callback cannot be cancelled."""

    def call_soon(self, callback: Callable[..., object], *args: Any, **more: Any) -> Any:
        super().call_soon(callback, *args, **more)
        return super().call_soon(int)


class Silent(impl.Loop):
    """LOOP-3: an error goes nowhere."""

    def report(self, what: dict[str, Any]) -> None:
        pass


class Twice(impl.Loop):
    """LOOP-1: a timer is called twice."""

    def timer(self, when: int, target: Runnable) -> None:
        super().timer(when, target)
        super().timer(when + 5_000_000, target)


class Losing(impl.Loop):
    """LOOP-1: a callback that is registered when there are three is lost."""

    def call_soon(self, callback: Callable[..., object], *args: Any, **more: Any) -> Any:
        handle = super().call_soon(callback, *args, **more)
        if len(self.ready) > 2:
            handle.cancel()
        return handle


WRONG: Final[list[Callable[[], Any]]] = [SameTurn, Early, Coarse, Ignoring, Silent, Twice, Losing]
WRONG.append(lambda: impl.Loop(ready=Newest()))


@pytest.mark.parametrize("new_loop", WRONG, ids=lambda make: make.__name__)
def test_a_wrong_loop_is_rejected(new_loop: Callable[[], Any]) -> None:
    subject = replace(OURS, new_loop=new_loop)
    assert any(judged().rejects(subject, drawn(Random(seed))) for seed in range(PROGRAMS))


class NewestOfThreads(asyncio.SelectorEventLoop):
    """LOOP-4: the newest callback of another thread comes first."""

    def call_soon_threadsafe(self, *args: Any, **more: Any) -> Any:  # type: ignore[override]  # as it comes
        handle = super().call_soon_threadsafe(*args, **more)
        ready: deque[Any] = self._ready  # type: ignore[attr-defined]  # asyncio's own
        ready.rotate(1)
        return handle


def judge_threads(new_loop: Callable[[], Any], *, running: bool) -> None:
    monitor = Monitor(callback_model(THREADS * EACH, 1, threads=THREADS))
    monitor.follow(handed_over(new_loop, running=running))
    monitor.see(settled)


@pytest.mark.parametrize("running", [True, False])
@pytest.mark.parametrize("new_loop", [asyncio.SelectorEventLoop, WaitingLoop])
def test_callbacks_of_other_threads_are_accepted(new_loop: Callable[[], Any], running: bool) -> None:
    """LOOP-4: each once, in the order of its thread."""
    judge_threads(new_loop, running=running)


def test_a_wrong_order_of_threads_is_rejected() -> None:
    with pytest.raises(Rejected, match=r"run\(") as error:
        judge_threads(NewestOfThreads, running=False)
    assert error.value.rules == ("LOOP-7",)


def test_a_run_that_ends_too_early_is_rejected() -> None:
    monitor = Monitor(callback_model(1, 1))
    with pytest.raises(Rejected):
        monitor.see(lambda s: s.at[Handle(0)] == "ended")
