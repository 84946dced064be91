"""shield and wrap_future: a future that takes over the outcome of another one.

1.  shield: a callback of the inner future copies its outcome to the outer one, one loop iteration later (SHIELD-1).
    Cancelling the outer ends the outer alone, and the inner continues (SHIELD-2); a cancelled inner cancels the outer
    (SHIELD-3).  Nothing remains to be cleaned up: the outer, once done, removes its callback from the inner (LEAK-4).
2.  wrap_future: the same for a `concurrent.futures.Future`, which ends in another thread.  Its outcome arrives through
    the loop's `call_soon_threadsafe`, and a cancelled wrapper cancels it (WRAP-1).  A simulated loop has no such
    method, because another thread would make its runs irreproducible, and it does not wait for other threads: there
    the future must be resolved in the loop's own thread.

Source: CPython documentation of 3.15, "Shielding From Cancellation", "Futures" (asyncio.wrap_future).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ..interfaces import Foreign, Promise, Spawner
from ..tasks.awaiters import TaskProxy
from ..tasks.current import host_of, usual_loop
from ..tasks.future import Future, isfuture
from .ensure import Awaits, ensure_future, host_for

if TYPE_CHECKING:
    from concurrent.futures import Future as Concurrent

T = TypeVar("T")


def shield(arg: Awaits[T]) -> Future[T]:
    """Return a future with the outcome of `arg`; cancelling that future does not cancel `arg`.

    Keep a reference to the shielded task: asyncio's loop holds its tasks weakly.

    Parameters:
        arg: as ensure_future; a future that is already done is returned itself.

    Raises:
        TypeError: it cannot be awaited.
        RuntimeError: `arg` is not a future, and no loop is running.
    """
    inner = ensure_future(arg)
    if inner.done():
        return inner
    host = host_for(inner)
    outer: Foreign = host.create_future()
    shielding = _Shielding(host.current, inner, outer)
    inner.add_done_callback(shielding.take_over)
    outer.add_done_callback(shielding.let_go)
    return outer  # type: ignore[no-any-return]  # of the host's class


class _Shielding(TaskProxy):
    """The callbacks of both futures of a shield, on behalf of `task`."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, task: Foreign, inner: Promise, outer: Promise) -> None:
        super().__init__(task)
        self._inner, self._outer = inner, outer

    def take_over(self, inner: Promise) -> None:
        if not self._outer.done():
            _copy(inner, self._outer)
        elif not inner.cancelled():
            inner.exception()  # marks it as retrieved, so it is not reported

    def let_go(self, outer: Promise) -> None:
        if not self._inner.done():
            self._inner.remove_done_callback(self.take_over)


def _copy(inner: Promise, outer: Promise) -> None:
    if inner.cancelled():
        outer.cancel()
        return
    error = inner.exception()
    if error is not None:
        outer.set_exception(error)
    else:
        outer.set_result(inner.result())


def wrap_future(future: Concurrent[Any] | Foreign, *, loop: Foreign = None) -> Foreign:
    """Return a future of a loop with the outcome of a `concurrent.futures.Future`.

    A future that the loop can already await is returned itself.

    Parameters:
        future: a future that another thread resolves.
        loop: the loop of the returned future, or its host; None: the running one.

    Raises:
        TypeError: it is no such future.
        RuntimeError: no loop is given and none is running.
    """
    # Here: a caller with such a future has loaded it already.
    from concurrent.futures import Future as Concurrent

    if isfuture(future):
        return future
    if not isinstance(future, Concurrent):
        raise TypeError(f"a concurrent.futures.Future is required, not {future!r}")
    host: Spawner = usual_loop() if loop is None else host_of(loop)
    outer = host.create_future()
    home = outer.get_loop()
    deliver = getattr(home, "call_soon_threadsafe", home.call_soon)

    def ended(inner: Concurrent[Any]) -> None:  # in the thread that resolves it
        if not home.is_closed():
            deliver(take_over, inner)

    def take_over(inner: Concurrent[Any]) -> None:
        if not outer.done():
            _copy_concurrent(inner, outer, host.Cancelled)

    # A SocketLoop counts its waits for the outside, else it reports a deadlock.
    counts = hasattr(home, "pending")

    def over(outer: Promise) -> None:
        if counts:
            home.pending -= 1
        if outer.cancelled():
            future.cancel()

    if counts:
        home.pending += 1
    outer.add_done_callback(over)
    future.add_done_callback(ended)
    return outer


def _copy_concurrent(inner: Concurrent[Any], outer: Promise, cancelled: type[BaseException]) -> None:
    from concurrent.futures import CancelledError

    error = None if inner.cancelled() else inner.exception()
    if inner.cancelled():
        outer.cancel()
    elif error is None:
        outer.set_result(inner.result())
    elif type(error) is CancelledError:
        outer.set_exception(cancelled(*error.args).with_traceback(error.__traceback__))
    else:
        outer.set_exception(error)
