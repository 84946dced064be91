"""gather, wait, wait_for, shield, as_completed, timeout and TaskGroup with the freedoms of an implementation.

The functions are impl's own, with the classes of this file in the place of impl's.
"""

from collections.abc import Callable, Iterable
from types import FunctionType, TracebackType
from typing import Any

import impl
from impl.combinators import as_completed as completing
from impl.combinators import gather as gathering
from impl.combinators import shield as shielding
from impl.combinators import wait as waiting

from .draws import Wake, drawn, late, pause, picked

# Any: futures of any result, as in impl.


def with_names(function: Callable[..., Any], **names: Any) -> Any:
    """Return a function of the same code, which finds these things under the names of its module."""
    assert isinstance(function, FunctionType)
    again = FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    again.__defaults__, again.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return again


class Gathering(gathering._Gathering):
    """A child that is done already may count at once, or in a later turn.

    A request to cancel may end the outer future before the children, or leave it cancelled when they are done.
    """

    _ended = late(gathering._Gathering._ended)

    def begin(self, children: Iterable[Any]) -> Any:
        outer, children = self._outer, list(children)
        self._left = len(children)
        done = [child for child in children if child.done() and not drawn()]
        for child in children:
            if child not in done:
                child.add_done_callback(self._ended)
        for child in done:
            super()._ended(child)
        return outer

    def cancel(self, msg: Any) -> bool:
        heard = super().cancel(msg)
        if heard and self._outer is not None and drawn():
            self._end_cancelled(msg)
        return heard

    def _all_ended(self) -> None:
        if self.requested and drawn():
            self._end_cancelled(self._msg)
        else:
            super()._all_ended()

    def _end_cancelled(self, msg: Any) -> None:
        outer: Any = self._end()
        impl.Future.cancel(outer, msg)


class CancellableGathering(Gathering):
    """One that may be cancelled until its outer future ends, against GATHER-6, which is settled."""

    def cancel(self, msg: Any) -> bool:
        heard = super().cancel(msg)
        if heard or self._outer is None or not drawn():
            return heard
        self._end_cancelled(msg)
        return True


class Shielding(shielding._Shielding):
    take_over = late(shielding._Shielding.take_over)


class AsCompleted(completing.AsCompleted[Any]):
    """A future that is done already may be the next at once."""

    _ended = late(completing.AsCompleted._ended)

    def __init__(self, futures: list[Any], timeout: float | None) -> None:
        super().__init__(futures, timeout)
        for future in futures:
            if future.done() and drawn():
                super()._ended(future)


class Waiting(waiting._Waiting):
    ended = late(waiting._Waiting.ended)


class Timeout(impl.Timeout):
    """A block that may take a turn where it ends; its deadline may act a turn late."""

    __slots__ = ()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await super().__aexit__(kind, error, trace)
        await pause()

    def _expire(self) -> None:
        if drawn():
            assert self._loop is not None
            self._timer = self._loop.call_soon(super()._expire)
        else:
            super()._expire()


class TaskGroup(impl.TaskGroup):
    """A group that may hear of the end of a task a turn later, and may take a turn where the block ends.

    The errors in the exception group are in any order.  A cancel from outside may be handed on to tasks that the group
    has cancelled already.
    """

    __slots__ = ()
    _ended = late(impl.TaskGroup._ended)

    async def _wait(self, host: Any) -> BaseException | None:
        request = await super()._wait(host)
        outside = request is not None and self._parent.cancelling() > self._asked_parent
        if outside and self._aborting and drawn():
            self._abort()
        return request

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        ends = await super().__aexit__(kind, error, trace)
        await pause()
        return ends

    def _raise_errors(self, of_body: BaseException | None) -> None:
        self._errors = [self._errors.pop(picked(len(self._errors))) for _ in list(self._errors)]
        super()._raise_errors(of_body)


gather = with_names(impl.gather, _Gathering=Gathering)
cancellable_gather = with_names(impl.gather, _Gathering=CancellableGathering)
of_pending = with_names(impl.shield, _Shielding=Shielding)
as_completed = with_names(impl.as_completed, AsCompleted=AsCompleted)
timeout = with_names(impl.timeout, Timeout=Timeout)
timeout_at = with_names(impl.timeout_at, Timeout=Timeout)


def shield(arg: Any) -> Any:
    """shield, which may take a turn although `arg` is done."""
    inner: Any = impl.ensure_future(arg)
    if not inner.done() or not drawn():
        return of_pending(inner)
    outer = inner.get_loop().create_future()
    inner.add_done_callback(Shielding(impl.current_task(), inner, outer).take_over)
    return outer


def shield_task(arg: Any) -> Any:
    """shield, which returns a task that waits for the inner future: until its next step it may be cancelled again."""
    inner: Any = impl.ensure_future(arg)
    return inner if inner.done() else inner.get_loop().create_task(_followed(inner))


async def _followed(inner: Any) -> Any:
    await wait([inner])
    return inner.result()


def is_enough(futures: list[Any], return_when: str) -> bool:
    """Whether `wait` has nothing to wait for."""
    done = [future for future in futures if future.done()]
    ready = {
        impl.FIRST_COMPLETED: bool(done),
        impl.FIRST_EXCEPTION: any(not each.cancelled() and each.exception() is not None for each in done),
    }
    return len(done) == len(futures) or ready.get(return_when, False)


async def _enough(futures: list[Any], timeout: float | None, return_when: str) -> None:
    """Wait, or not if enough are done or there is no time to wait."""
    if (is_enough(futures, return_when) or (timeout is not None and timeout <= 0)) and drawn():
        return
    await in_turns(futures, timeout, return_when)
    await pause()


class Spawning:
    """The running loop, which makes such futures of waiters."""

    def __init__(self) -> None:
        self._loop = impl.get_running_loop()

    def __getattr__(self, name: str) -> Any:
        return Wake if name == "create_future" else getattr(self._loop, name)


in_turns = with_names(waiting._enough, _Waiting=Waiting, running_loop=Spawning)
wait = with_names(impl.wait, _enough=_enough)


async def wait_for(fut: Any, timeout: float | None) -> Any:
    """wait_for, which may wait for a task of its own."""
    return await in_block(impl.ensure_future(fut) if not impl.isfuture(fut) and drawn() else fut, timeout)


in_block = with_names(impl.wait_for, time_limit=timeout)


async def wait_for_task(fut: Any, timeout: float | None) -> Any:
    """wait_for, which waits as `wait` does for a task, and cancels it at the timeout, as in CPython 3.11."""
    if timeout is None and not drawn():
        return await wait_for(fut, None)
    if timeout is None or timeout > 0:
        return await waited(fut, timeout)
    task = impl.ensure_future(fut)
    return task.result() if task.done() else await stopped(task, None)


async def wait_then_cancel(fut: Any, timeout: float | None) -> Any:
    """The same, where a timeout of 0 is a timeout like others, and ends in TimeoutError whatever the awaitable does.

    That is against WAITFOR-5 and WAITFOR-3, which are settled.
    """
    return await waited(fut, timeout, settled=False)


async def waited(fut: Any, timeout: float | None, settled: bool = True) -> Any:
    task = impl.ensure_future(fut)
    asked: BaseException | None = None
    try:
        await wait([task], timeout=timeout)
    except impl.CancelledError as error:
        if task.done():
            raise
        asked = error
    if task.done():
        return task.result()
    result = await stopped(task, asked)
    if asked is None and not settled and drawn():
        raise TimeoutError
    return result


async def stopped(task: Any, asked: BaseException | None) -> Any:
    """Stop a task, and return its result; a cancel of the caller reaches the task, after a timeout too."""
    asked = await stop(task, asked)
    if asked is not None and (task.cancelled() or drawn()):
        raise asked
    try:
        return task.result()
    except impl.CancelledError as error:
        raise TimeoutError from error


async def stop(task: Any, asked: BaseException | None) -> BaseException | None:
    """Cancel a task and wait for its end; return the last request to cancel the caller, which may end this, too.

    "The msg parameter is propagated from cancelled task to its awaiter" (Task.cancel), so not to `task`.
    """
    task.cancel(*message(asked))
    while True:
        try:
            await wait([task])
            return asked
        except impl.CancelledError as error:
            if task.done() or drawn():
                raise
            asked = error
            task.cancel(*message(asked))


def message(asked: BaseException | None) -> tuple[Any, ...]:
    return () if asked is None or (asked.args and drawn()) else asked.args
