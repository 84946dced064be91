"""gather: run many awaitables at once and return their results in order; a cancel fans out to all of them.

1.  The children are futures, or become tasks, in the order of the arguments; an awaitable that is passed twice is one
    child (GATHER-7).  The outer future is done when the last child is, with the results in the order of the arguments
    (GATHER-1).  It fails as soon as a child fails (GATHER-2), unless exceptions count as results (GATHER-3).  The other
    children then continue, and their outcomes are ignored.  A gather that is over keeps its results only (LEAK-5).
2.  A cancelled child counts as one that raised CancelledError; the outer future has failed with it and is not itself
    `cancelled()` (GATHER-5).
3.  A request to cancel the outer future goes to every child that is not done (GATHER-4).  The outer future stays
    pending until all children are done, then raises CancelledError, even if the children ignored the request.  The
    request is refused when no child can receive it (GATHER-6), and has no effect once the outer is done (GATHER-9).
4.  The requests form a tree that forks at each gather: gathers of gathers, or of tasks that await gathers.  An
    explicit stack walks it, depth first, without recursion.  While one gather forwards a request, the request may reach
    another, through a task that awaits it: that gather's `cancel` only pushes its children on the stack.
5.  A task that awaits a gather with itself as a child would receive the request for ever: such a gather ends at once,
    with CancelledError.

Source: CPython documentation of 3.15, "Running Tasks Concurrently"; bpo-26923, bpo-32684 (requests).
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, Literal, TypeVar, overload

from ..interfaces import Foreign, Promise, Spawner, Value
from ..tasks.awaiters import TaskProxy
from ..tasks.current import usual_loop
from ..tasks.future import Future
from .ensure import Awaits, ensure_future, host_for

# The results of the first awaitables.
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")


# As asyncio's stubs have it: the results of a few awaitables have a type each, as in a tuple, although they are a list.
# The overloads overlap, because the last one takes both values of the flag.
@overload
def gather(  # type: ignore[overload-overlap]
    a: Awaits[A], b: Awaits[B], /, *, return_exceptions: Literal[False] = False
) -> Future[tuple[A, B]]: ...
@overload
def gather(  # type: ignore[overload-overlap]
    a: Awaits[A], b: Awaits[B], c: Awaits[C], /, *, return_exceptions: Literal[False] = False
) -> Future[tuple[A, B, C]]: ...
@overload
def gather(
    a: Awaits[A], b: Awaits[B], /, *, return_exceptions: bool
) -> Future[tuple[A | BaseException, B | BaseException]]: ...
@overload
def gather(
    a: Awaits[A], b: Awaits[B], c: Awaits[C], /, *, return_exceptions: bool
) -> Future[tuple[A | BaseException, B | BaseException, C | BaseException]]: ...
@overload
def gather(*awaitables: Awaits[A], return_exceptions: Literal[False] = False) -> Future[list[A]]: ...
@overload
def gather(*awaitables: Awaits[A], return_exceptions: bool) -> Future[list[A | BaseException]]: ...
def gather(*awaitables: Foreign, return_exceptions: bool = False) -> Future[Any]:
    """Return a future of the list of the results of `awaitables`, in their order; [] for no awaitables (GATHER-8).

    Parameters:
        awaitables: futures, coroutines or other awaitables, of one loop.
        return_exceptions: whether an exception counts as a result; otherwise the first one fails the future.

    Raises:
        TypeError: one of them cannot be awaited.
        ValueError: they are futures of different loops.
        RuntimeError: no loop is running, and the first awaitable is not a future, which would have a loop.
    """
    if not awaitables:
        nothing: Future[list[Value]] = usual_loop().create_future()
        nothing.set_result([])
        return nothing
    loop: Foreign = None
    found: dict[Foreign, Promise] = {}
    for what in awaitables:
        if what not in found:
            child = found[what] = ensure_future(what, loop=loop)
            loop = child.get_loop()
    gathering = _Gathering([found[what] for what in awaitables], return_exceptions)
    outer: Future[list[Value]] = gathering.begin(found.values())
    return outer


class _Gathering(TaskProxy):
    """The state of an outer future: its children, and how many of them are not done.

    The task that calls `gather` awaits the children, until the outer future is done.
    """

    __slots__ = ("_host", "_left", "_msg", "_outer", "_return_exceptions", "asked", "children", "requested")

    def __init__(self, children: list[Promise], return_exceptions: bool) -> None:
        self.children = children
        #: Whether a child accepted a request to cancel: the outer future then ends with CancelledError.
        self.requested = False
        #: Whether a request is being forwarded to the children at this moment.
        self.asked = False
        self._msg: Value = None  # of the last request
        self._return_exceptions = return_exceptions
        self._host: Spawner = host_for(children[0])
        super().__init__(self._host.current)
        self._left = 0
        # Dropped at the end: the outer future refers to this object, and both would form a reference cycle.
        self._outer: Promise | None = self._host.create_cancel_forwarder(self)

    def begin(self, children: Iterable[Promise]) -> Foreign:
        """Wait for each of `children`, which are distinct; count those that are already done now."""
        outer = self._outer
        ended = []
        for child in children:
            self._left += 1
            if child.done():
                ended.append(child)
            else:
                child.add_done_callback(self._ended)
        for child in ended:
            self._ended(child)
        return outer

    def awaiter(self) -> Foreign:
        return None if self._outer is None else super().awaiter()

    # --- the children end --------------------------------------------------------------------------------

    def _ended(self, child: Promise) -> None:
        self._left -= 1
        if self._outer is None or self._outer.done():
            if not child.cancelled():
                child.exception()  # marks it as retrieved, so it is not reported
            return
        if not self._return_exceptions:
            error = self._error_of(child)
            if error is not None:
                self._end().set_exception(error)
                return
        if not self._left:
            self._all_ended()

    def _all_ended(self) -> None:
        results = []
        for child in self.children:  # also after a request: this marks each exception as retrieved
            error = self._error_of(child)
            results.append(child.result() if error is None else error)
        if self.requested:
            self._end().set_exception(self._cancelled())
        else:
            self._end().set_result(results)

    def _error_of(self, child: Promise) -> BaseException | None:
        """The exception of a child; its CancelledError, if it was cancelled."""
        if not child.cancelled():
            return child.exception()
        try:
            child.exception()
        except self._host.Cancelled as error:
            trace = error.__traceback__
            return error.with_traceback(trace.tb_next if trace else None)  # without this frame
        return None

    def _cancelled(self) -> BaseException:
        cancelled = self._host.Cancelled
        return cancelled() if self._msg is None else cancelled(self._msg)

    def _end(self) -> Promise:
        """Return the outer future, which the caller resolves, and drop the reference to it."""
        outer, self._outer = self._outer, None
        assert outer is not None
        return outer

    # --- a request to cancel -----------------------------------------------------------------------------

    def cancel(self, msg: Value) -> bool:
        """Cancel every child that is not done; return whether any accepted the request (interfaces.CancelTarget)."""
        self._msg = msg
        under_way = _under_way.stack
        if under_way is None:
            return _ask_all(self, msg)
        if self.asked:
            self._end().set_exception(self._cancelled())
            return True
        heard = self._has_pending()
        if heard:
            _Asking(self, None, msg).push(under_way)
        return heard

    def _has_pending(self) -> bool:
        """Whether any child is pending, through gathers of gathers."""
        gatherings = [self]
        while gatherings:
            for child in gatherings.pop().children:
                if not child.done():
                    inner = _behind(child)
                    if inner is None:
                        return True
                    gatherings.append(inner)
        return False


class _Asking:
    """The progress of a request through one gather, on behalf of an outer gather or of none."""

    __slots__ = ("_behalf", "gathering", "heard", "msg")

    def __init__(self, gathering: _Gathering, behalf: _Asking | None, msg: Value) -> None:
        self.gathering = gathering
        self.heard = False
        self.msg = msg
        self._behalf = behalf

    def push(self, stack: _Stack) -> None:
        """Schedule a call of `ask` for each child, in order, and then one of `over`."""
        self.gathering.asked = True
        stack.append((self, None))
        stack.extend((self, child) for child in reversed(self.gathering.children))

    def ask(self, child: Promise, stack: _Stack) -> None:
        inner = None if child.done() else _behind(child)
        if inner is not None:
            _Asking(inner, self, self.msg).push(stack)
        elif child.cancel(self.msg):
            self.heard = True

    def over(self) -> None:
        """The request has reached all children."""
        self.gathering.asked = False
        if self.heard:
            self.gathering.requested = True
            if self._behalf is not None:
                self._behalf.heard = True


# A child to cancel; None: the request has reached all children.
_Stack = list[tuple[_Asking, Promise | None]]


class _UnderWay(threading.local):
    """The request under way in this thread: the children that it has still to reach, last first."""

    stack: _Stack | None = None


_under_way = _UnderWay()


def _ask_all(top: _Gathering, msg: Value) -> bool:
    """Cancel the children of `top` and of every gather below; return whether a child of `top` accepted."""
    first = _Asking(top, None, msg)
    stack: _Stack = []
    _under_way.stack = stack
    try:
        first.push(stack)
        while stack:
            asking, child = stack.pop()
            if child is None:
                asking.over()
            else:
                asking.ask(child, stack)
    finally:
        _under_way.stack = None
        for asking, _ in stack:  # left over only if a cancel() of foreign code raised
            asking.gathering.asked = False
    return first.heard


def _behind(child: Promise) -> _Gathering | None:
    """The gather with `child` as its outer future, if there is one."""
    target = getattr(child, "target", None)
    return target if isinstance(target, _Gathering) else None
