"""Wrong futures, tasks and queues: the reference with one method replaced, which the machines must catch.

Theory of operation.  A specimen derives from the real class and takes one rule away; the class itself is left
as it is, so specimens never meet.  A loop that makes futures or tasks of the wrong class turns it into a
`Subject`, which the machines test like any other.  Each names the rule that it breaks and where the defect
was met in earnest: an issue of CPython (bpo-, gh-) or of another project, or a sketch of the chapter (500
Lines, "A Web Crawler With asyncio Coroutines").  `impl` hands out its private names to this file: a defect
lies inside.
"""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context
from dataclasses import dataclass, replace
from typing import Any, Final

from hypothesis.stateful import RuleBasedStateMachine

from impl.errors import CancelledError
from impl.interfaces import Runnable, Waiter
from impl.loop import Loop
from impl.sync.queue import Queue
from impl.tasks.future import CANCELLED, FAILED, PENDING, RESULT, Future
from impl.tasks.task import Runs, Task

from ..refinement.machines.queue import queue_machine
from ..refinement.machines.tasks import task_machine
from ..refinement.subjects import IMPL, Subject

# `Any` in this file: as in the methods that are replaced.


@dataclass(frozen=True)
class Mutant:
    """A wrong subject; `rule` is what it breaks, `met` where that happened, `machine` must catch it."""

    subject: Subject
    rule: str
    met: str
    machine: Callable[[Subject], type[RuleBasedStateMachine]]


# --- futures ------------------------------------------------------------------------------------------------


class RunsWaitersAtOnce(Future[Any]):
    """Resolving runs the waiters, then and there."""

    def _finish(self, state: int, value: Any) -> None:
        self._stage, self._value = state, value
        for waiter in self._waiters():
            waiter.run()


class WakesNewestFirst(Future[Any]):
    """The line of waiters becomes ready from its end."""

    def _finish(self, state: int, value: Any) -> None:
        self._waiters().reverse()  # of several, it is the line itself
        super()._finish(state, value)


class DeafWhenDone(Future[Any]):
    """Who comes after the end waits for ever."""

    def wait_in_line(self, waiter: Runnable) -> None:
        if self._stage == PENDING:
            super().wait_in_line(waiter)


class AlwaysSuspends(Future[Any]):
    """Awaiting a done future gives up the turn."""

    def __await__(self) -> Generator[Future[Any], None, Any]:
        yield self
        return self.result()


class ResolvedTwice(Future[Any]):
    """The second result replaces the first."""

    def set_result(self, result: Any) -> None:
        self._finish(RESULT, result)


# --- tasks --------------------------------------------------------------------------------------------------


class KeepsTheRequest(Task[Any]):
    """A cancel is not forwarded to what the task awaits: it stays until that is done by itself."""

    def cancel(self, msg: Any = None) -> bool:
        if self._stage != PENDING:
            return False
        self._cancels += 1
        self._request = CancelledError() if msg is None else CancelledError(msg)
        return True


class CancelsOverTheHead(Task[Any]):
    """A request that is passed on at parking ends the awaited task without asking it."""

    def _park(self, got: object) -> None:
        request, self._request = self._request, None
        super()._park(got)
        if request is not None and isinstance(got, Task):
            got._end(CANCELLED, None)
        elif request is not None and isinstance(got, Future):
            got.cancel()


class DeafInWakeWindow(Task[Any]):
    """A cancel that arrives between the wake-up and the run is lost."""

    def cancel(self, msg: Any = None) -> bool:
        if self._stage == PENDING and self._waiting is not None and self._waiting.done():
            self._cancels += 1
            return True
        return super().cancel(msg)


class DeafBeforeItBegins(Task[Any]):
    """A cancel before the first step is ignored."""

    def cancel(self, msg: Any = None) -> bool:
        if inspect.getcoroutinestate(self._coro) == inspect.CORO_CREATED:
            self._cancels += 1
            return True
        return super().cancel(msg)


class ReturnsOverARequest(Task[Any]):
    """A task that returns under an undelivered cancel has a result."""

    def __init__(self, coro: Coroutine[Any, Any, Any], *rest: Any) -> None:
        async def forgetful() -> Any:
            result = await coro
            self._request = None
            return result

        super().__init__(forgetful(), *rest)


class FailsWithCancelledError(Task[Any]):
    """A task that lets CancelledError out is not cancelled, but failed."""

    def _end(self, state: int, value: Any) -> None:
        super()._end(*((FAILED, self._failure(CancelledError())) if state == CANCELLED else (state, value)))


class NeverWithdraws(Task[Any]):
    """The last uncancel() leaves the undelivered cancel where it is."""

    def uncancel(self) -> int:
        self._cancels = max(0, self._cancels - 1)
        return self._cancels


class CountsToOne(Task[Any]):
    """A second request is not counted."""

    def cancelling(self) -> int:
        return min(1, self._cancels)


class DropsTheMessage(Task[Any]):
    """The message of a cancel does not reach the awaiter."""

    def cancel(self, msg: Any = None) -> bool:
        return super().cancel()


# --- queues -------------------------------------------------------------------------------------------------


class GetterKeepsWakeUp(Queue[Any]):
    """A getter that is cancelled after its wake-up tells nobody."""

    async def get(self) -> Any:
        while not self._items:
            waiter = self._join_line(self._getters)
            try:
                await waiter
            except BaseException:
                self._leave_line(self._getters, waiter)
                raise
        return self.get_nowait()


class PutterKeepsWakeUp(Queue[Any]):
    """A putter that is cancelled after its wake-up tells nobody."""

    async def put(self, item: Any) -> None:
        while self.full():
            waiter = self._join_line(self._putters)
            try:
                await waiter
            except BaseException:
                self._leave_line(self._putters, waiter)
                raise
        self.put_nowait(item)


class GetterTakesItAlong(Queue[Any]):
    """A getter that is cancelled after its wake-up takes the item with it."""

    async def get(self) -> Any:
        while not self._items:
            waiter = self._join_line(self._getters)
            try:
                await waiter
            except BaseException:
                if self._leave_line(self._getters, waiter) and self._items:
                    self._items.popleft()
                raise
        return self.get_nowait()


class PutterPutsAllTheSame(Queue[Any]):
    """A putter that is cancelled after its wake-up puts its item in."""

    async def put(self, item: Any) -> None:
        while self.full():
            waiter = self._join_line(self._putters)
            try:
                await waiter
            except BaseException:
                if self._leave_line(self._putters, waiter) and not self.full():
                    self.put_nowait(item)
                raise
        self.put_nowait(item)


class TrustsItsWakeUp(Queue[Any]):
    """A woken getter does not look whether the item is still there."""

    async def get(self) -> Any:
        if not self._items:
            waiter = self._join_line(self._getters)
            try:
                await waiter
            except BaseException:
                if self._leave_line(self._getters, waiter) and self._items:
                    self._wake(self._getters)
                raise
        return self.get_nowait()


class ServesNewestFirst(Queue[Any]):
    """Who came last is woken first."""

    @staticmethod
    def _wake(line: deque[Waiter]) -> None:
        line.reverse()
        Queue._wake(line)
        line.reverse()


class JoinsOnce(Queue[Any]):
    """Once released, join() never waits again."""

    _released = False

    async def join(self) -> None:
        if not self._released:
            await super().join()
            self._released = True


class JoinLooksAgain(Queue[Any]):
    """A released join waits again if something was put before it ran."""

    async def join(self) -> None:
        while self._unfinished > 0:
            await super().join()


class CountsBelowZero(Queue[Any]):
    """One task_done() too many is accepted."""

    def task_done(self) -> None:
        if self._unfinished > 0:
            super().task_done()
        else:
            self._unfinished -= 1


# --- the collection -----------------------------------------------------------------------------------------


def loop_of(future: type[Future[Any]] = Future, task: type[Task[Any]] = Task) -> type[Loop]:
    """A loop that makes its futures and tasks of these classes."""

    class MutantLoop(Loop):
        def create_future(self) -> Future[Any]:
            return future(self)

        def create_task(
            self, coro: Runs[Any], *, name: str | None = None, context: Context | None = None
        ) -> Task[Any]:
            return task(coro, self, name, context)

    return MutantLoop


def wrong_future(future: type[Future[Any]], rule: str, met: str) -> Mutant:
    subject = replace(IMPL, name=future.__name__, new_loop=loop_of(future=future))
    return Mutant(subject, rule, met, task_machine)


def wrong_task(task: type[Task[Any]], rule: str, met: str) -> Mutant:
    subject = replace(IMPL, name=task.__name__, new_loop=loop_of(task=task))
    return Mutant(subject, rule, met, task_machine)


def wrong_queue(queue: type[Queue[Any]], rule: str, met: str) -> Mutant:
    subject = replace(IMPL, name=queue.__name__, new_queue=queue)
    return Mutant(subject, rule, met, queue_machine)


MUTANTS: Final = (
    wrong_future(RunsWaitersAtOnce, "FUT-2", "the chapter's Future; tornado < 5"),
    wrong_future(WakesNewestFirst, "FUT-2", "contract: callbacks run in the order of their adding"),
    wrong_future(DeafWhenDone, "FUT-3", "the chapter's Future, its footnote 9"),
    wrong_future(AlwaysSuspends, "FUT-4", "the chapter's Future, whose await of a done future never ends"),
    wrong_future(
        ResolvedTwice, "FUT-1", "the chapter's Future: the second result goes to an unrelated await"
    ),
    wrong_task(
        KeepsTheRequest, "CANCEL-1", "the chapter's Task: who is cancelled stays on the future's list"
    ),
    wrong_task(CancelsOverTheHead, "CANCEL-3", "bpo-34872"),
    wrong_task(DeafInWakeWindow, "CANCEL-2", "contract; as wait_for did in gh-86296"),
    wrong_task(DeafBeforeItBegins, "CANCEL-4", "gh-98275"),
    wrong_task(ReturnsOverARequest, "CANCEL-5", "bpo-30048"),
    wrong_task(FailsWithCancelledError, "CANCEL-5", "bpo-38248"),
    wrong_task(NeverWithdraws, "CANCEL-6", "gh-116720"),
    wrong_task(CountsToOne, "CANCEL-1", "contract: cancelling() is the number of requests"),
    wrong_task(DropsTheMessage, "CANCEL-1", "bpo-45390"),
    wrong_queue(GetterKeepsWakeUp, "QUEUE-5", "bpo-25233"),
    wrong_queue(PutterKeepsWakeUp, "QUEUE-21", "bpo-25233, the putters' half"),
    wrong_queue(GetterTakesItAlong, "QUEUE-1", "bpo-23812"),
    wrong_queue(PutterPutsAllTheSame, "QUEUE-18", "asyncio 3.4.3, fixed with bpo-25233"),
    wrong_queue(TrustsItsWakeUp, "QUEUE-4", "contract: a running task may be faster"),
    wrong_queue(ServesNewestFirst, "QUEUE-3", "contract: CPython's own tests do not see it"),
    wrong_queue(JoinsOnce, "QUEUE-7", "the chapter's Queue, its footnote 13"),
    wrong_queue(JoinLooksAgain, "QUEUE-16", "contract: a released join returns"),
    wrong_queue(CountsBelowZero, "QUEUE-8", "the chapter's Queue"),
)
