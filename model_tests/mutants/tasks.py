"""Wrong tasks.  T1 to T10 are defects of the chapter's Task: its cancel() throws into the coroutine at once.

A request to cancel travels: through the tasks that are awaited, and from a task that cannot be cancelled yet to its
next await.  Most of these lose it somewhere on that way.
"""

from __future__ import annotations

import inspect
from collections.abc import Coroutine
from contextvars import Context, copy_context
from typing import Any

from impl.errors import CancelledError
from impl.interfaces import Host, Runnable
from impl.tasks.current import running_loop_or_none
from impl.tasks.future import CANCELLED, FAILED, PENDING, RESULT, Future
from impl.tasks.task import Runs, Task

from ..programs.differences import KeepsRequest
from .mutant import breaks

#: A task of any result, and the values that a coroutine yields, is sent and returns.
AnyTask = Task[Any]
Value = Any


def withdraw(task: AnyTask) -> None:
    """Take a task out of the queue of the future that it awaits."""
    future = task._waiting
    if future is not None:
        future._line = [waiter for waiter in future._waiters() if waiter is not task] or None
        task._waiting = None


# --- requests to cancel -------------------------------------------------------------------------------------


@breaks("CANCEL-1", "contract: cancel() reaches what the task awaits")
class TaskKeepsRequest(AnyTask):
    """cancel() is not forwarded to the awaited future; it stays with the task until that future is done."""

    def cancel(self, msg: Any = None) -> bool:
        if self._stage != PENDING:
            return False
        self._cancels += 1
        self._request = CancelledError() if msg is None else CancelledError(msg)
        return True


@breaks("CANCEL-1", "contract: the awaited future is cancelled, not abandoned")
class TaskAbandonsItsFuture(AnyTask):
    """cancel() leaves the awaited future pending and raises in the task in the next iteration."""

    def cancel(self, msg: Any = None) -> bool:
        if self._stage == PENDING and self._waiting is not None and not self._waiting.done():
            withdraw(self)
            self._cancels += 1
            self._request = CancelledError()
            self._host.ready.append(self)
            return True
        return super().cancel(msg)


@breaks("CANCEL-1", "contract: one request is delivered once")
class TaskCancelsCallerToo(AnyTask):
    """A request that was forwarded to a runnable task is raised in the task that awaits it as well."""

    def cancel(self, msg: Any = None) -> bool:
        inner = self._waiting
        asked = super().cancel(msg)
        if isinstance(inner, Task) and not inner.done() and inner._waiting is None:
            self._request = CancelledError()
        return asked


@breaks("CANCEL-1", "bpo-34872, for chains of three")
class TaskStopsAtTheFirst(AnyTask):
    """A request goes from a task to the task that it awaits, and no further down the chain."""

    def cancel(self, msg: Any = None) -> bool:
        inner = self._waiting
        if self._stage == PENDING and isinstance(inner, Task) and inner._stage == PENDING:
            self._cancels += 1
            inner._cancels += 1
            inner._request = self.Cancelled()
            return True
        return super().cancel(msg)


@breaks("CANCEL-1", "contract: cancel() returns whether the task was pending")
class TaskCancelAlwaysTrue(AnyTask):
    """cancel() of a done task returns True."""

    def cancel(self, msg: Any = None) -> bool:
        super().cancel(msg)
        return True


@breaks("CANCEL-1", "T8: the chapter's Task, whose cancel() of a done task raises")
class TaskCancelWhenDoneRaises(AnyTask):
    """cancel() of a done task raises CancelledError."""

    def cancel(self, msg: Any = None) -> bool:
        if self._stage != PENDING:
            raise CancelledError
        return super().cancel(msg)


@breaks("CANCEL-2", "contract; as wait_for did in gh-86296")
class TaskIgnoresCancelWhenWoken(AnyTask):
    """A cancel that arrives between the wake-up and the next step is lost."""

    def cancel(self, msg: Any = None) -> bool:
        if self._stage == PENDING and self._waiting is not None and self._waiting.done():
            self._cancels += 1
            return True
        return super().cancel(msg)


@breaks("CANCEL-3", "contract: a task can cancel itself")
class TaskIgnoresItsOwnCancel(AnyTask):
    """A task that cancels itself goes on as if it had not."""

    def cancel(self, msg: Any = None) -> bool:
        if self._stage == PENDING and self._host.current is self:
            self._cancels += 1
            return True
        return super().cancel(msg)


@breaks("CANCEL-3", "bpo-34872")
class TaskEndsWhatItAwaits(AnyTask):
    """An undelivered request ends the task that is awaited next, which is not asked."""

    def _park(self, got: object) -> None:
        request, self._request = self._request, None
        super()._park(got)
        if request is not None and isinstance(got, Task):
            got._end(CANCELLED, None)
        elif request is not None and isinstance(got, Future):
            got.cancel()


@breaks("CANCEL-3", "bpo-34872, its other half")
class TaskKeepsRequestWhenItBlocks(AnyTask):
    """An undelivered request is not forwarded to the future that the task awaits next; it stays with the task."""

    def _park(self, got: object) -> None:
        request, self._request = self._request, None
        super()._park(got)
        self._request = request


@breaks("CANCEL-3", "contract: a request is never lost")
class TaskDropsRequestWhenItBlocks(AnyTask):
    """An undelivered request is dropped when the task awaits something."""

    def _park(self, got: object) -> None:
        self._request = None
        super()._park(got)


@breaks("CANCEL-4", "gh-98275")
class TaskIgnoresCancelBeforeItsStart(AnyTask):
    """A cancel before the first step is ignored."""

    def cancel(self, msg: Any = None) -> bool:
        if self._stage == PENDING and inspect.getcoroutinestate(self._coro) == inspect.CORO_CREATED:
            self._cancels += 1
            return True
        return super().cancel(msg)


@breaks("CANCEL-5", "bpo-30048")
class TaskReturnsDespiteRequest(AnyTask):
    """A task that returns under an undelivered request has a result."""

    def __init__(self, coro: Coroutine[Any, Any, Value], *rest: Any) -> None:
        async def forgetful() -> Value:
            result = await coro
            self._request = None
            return result

        super().__init__(forgetful(), *rest)


@breaks("TASK-5", "bpo-38248")
class TaskFailsWithCancelledError(AnyTask):
    """A task that raises CancelledError has failed, and is not cancelled."""

    def _end(self, state: int, value: Value) -> None:
        super()._end(*((FAILED, self._failure(CancelledError())) if state == CANCELLED else (state, value)))


@breaks("CANCEL-6", "gh-116720")
class TaskUncancelKeepsRequest(KeepsRequest):
    """The last uncancel() leaves an undelivered request where it is."""


@breaks("CANCEL-9", "contract: cancelling() is the number of requests")
class TaskCountsOneRequest(AnyTask):
    """cancelling() is at most 1."""

    def cancelling(self) -> int:
        return min(1, self._cancels)


@breaks("CANCEL-9", "contract: the number of requests is not negative")
class TaskUncancelsBelowZero(AnyTask):
    """uncancel() counts below zero."""

    def uncancel(self) -> int:
        if self._cancels > 0:
            return super().uncancel()
        self._cancels -= 1
        return self._cancels


@breaks("CANCEL-10", "bpo-45390")
class TaskDropsMessage(AnyTask):
    """The message of cancel() does not reach the awaiter."""

    def cancel(self, msg: Any = None) -> bool:
        return super().cancel()


# --- cancel() of the chapter --------------------------------------------------------------------------------


class ThrowsAtOnce(AnyTask):
    """cancel() throws CancelledError into the coroutine where it is suspended; mutants override the rest."""

    def cancel(self, msg: Any = None) -> bool:
        begun = inspect.getcoroutinestate(self._coro) != inspect.CORO_CREATED  # the chapter's begins at once
        if self._stage != PENDING or self._host.current is self or not begun:
            return super().cancel(msg)
        try:
            yielded = self._coro.throw(CancelledError())
        except StopIteration as stop:
            self.returned(stop)
        except CancelledError:
            self.cancelled_itself()
        else:
            self.cleans_up(yielded)
        return True

    def returned(self, stop: StopIteration) -> None:
        withdraw(self)
        self._end(RESULT, stop.value)

    def cancelled_itself(self) -> None:
        withdraw(self)
        self._end(CANCELLED, None)

    def cleans_up(self, yielded: Value) -> None:
        withdraw(self)
        if yielded is None:
            self._host.ready.append(self)
        else:
            self._park(yielded)


@breaks("CANCEL-1", "T1, T2: the chapter's Task; its crawl ends at the first worker that it cancels")
class TaskCancelRaisesInCaller(ThrowsAtOnce):
    """The CancelledError comes out of cancel(), and the task stays pending."""

    def cancelled_itself(self) -> None:
        raise CancelledError


@breaks("CANCEL-1", "T3: the chapter's Task, when the coroutine catches the error and returns")
class TaskCancelLosesResult(ThrowsAtOnce):
    """A StopIteration comes out of cancel(), and the result is lost."""

    def returned(self, stop: StopIteration) -> None:
        raise stop


@breaks("CANCEL-1", "T4: the chapter's Task, when the coroutine awaits in its cleanup")
class TaskNeverResumesCleanup(ThrowsAtOnce):
    """The value that the coroutine yields in its cleanup is discarded, so nothing resumes the coroutine."""

    def cleans_up(self, yielded: Value) -> None:
        withdraw(self)


@breaks("CANCEL-1", "T5: the chapter's Task, which stays among the callbacks of what it awaited")
class TaskCancelledIsFinishedLater(ThrowsAtOnce):
    """A cancelled task is still woken by the future that it awaited, and then has the result None."""

    def cancelled_itself(self) -> None:
        self._end(CANCELLED, None)

    def run(self) -> None:
        if self._stage == CANCELLED:
            self._stage, self._value = RESULT, None
        else:
            super().run()


@breaks("TASK-1", "T10: the chapter's Task, whose awaiter hangs when it is cancelled")
class TaskCancelledWakesNothing(AnyTask):
    """A cancelled task does not wake the tasks that await it."""

    def _end(self, state: int, value: Value) -> None:
        if state == CANCELLED:
            self._line = None
        super()._end(state, value)


# --- steps --------------------------------------------------------------------------------------------------


@breaks("TASK-6", "contract: create_task() does not run the coroutine")
class TaskStartsAtOnce(AnyTask):
    """The first step is taken when the task is made."""

    def __init__(
        self, coro: Runs[Value], loop: Host, name: str | None = None, context: Context | None = None
    ) -> None:
        super().__init__(coro, loop, name, context, eager_start=running_loop_or_none() is not None)


@breaks("TASK-6", "T7: the chapter's Task; run_until_complete() of one that is done at once never returns")
class TaskDoneAtOnceWakesNothing(TaskStartsAtOnce):
    """The first step is taken when the task is made, and a task that is done wakes nothing that awaits it later."""

    def wait_in_line(self, waiter: Runnable) -> None:
        if self._stage == PENDING:
            super().wait_in_line(waiter)


class LetsOut(AnyTask):
    """Errors of these classes leave the task pending and come out of its step."""

    out: tuple[type[BaseException], ...]

    def _end(self, state: int, value: Value) -> None:
        if state == FAILED and isinstance(value.error, self.out):
            value.seen = True
            raise value.error
        super()._end(state, value)


@breaks("TASK-5", "T6: the chapter's Task, whose errors end the loop")
class TaskRaisesErrorsInTheLoop(LetsOut):
    """An error of the coroutine is not stored; the loop gets it."""

    out = (Exception,)


@breaks("TASK-5", "contract: any error ends the task")
class TaskStoresExceptionsOnly(LetsOut):
    """An error that is no Exception is not stored; the loop gets it."""

    out = (BaseException,)

    def _end(self, state: int, value: Value) -> None:
        plain = state == FAILED and isinstance(value.error, Exception | KeyboardInterrupt | SystemExit)
        (Task if plain else LetsOut)._end(self, state, value)


@breaks("TASK-13", "contract: SystemExit and KeyboardInterrupt come out of the loop")
class TaskKeepsExits(AnyTask):
    """SystemExit and KeyboardInterrupt end the task like other errors, and the loop goes on."""

    def run(self) -> None:
        try:
            super().run()
        except (KeyboardInterrupt, SystemExit):
            pass


@breaks("TASK-8", "T9: the chapter's Task, where it is an AttributeError in the loop")
class TaskBadYieldBreaksTheLoop(AnyTask):
    """Yielding something that is no future raises in the loop, and the coroutine is never resumed."""

    def _refuse(self, text: str) -> None:
        raise AttributeError("add_done_callback")


@breaks("TASK-9", "contract: set_name() sets the name")
class TaskKeepsItsName(AnyTask):
    """set_name() has no effect."""

    def set_name(self, value: object) -> None:
        pass


@breaks("TASK-11", "contract: all steps of a task run in one context")
class TaskWakesInCopiedContext(AnyTask):
    """After its first step a task runs in copies of its context."""

    def run(self) -> None:
        if self._waiting is None:
            super().run()
        else:
            copy_context().run(super().run)
