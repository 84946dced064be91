"""gather: many awaitables at once, their results in order; and a request to cancel that fans out.

Theory of operation.
1.  The children are futures, or become tasks, in the order of the arguments; the same awaitable twice is one
    child (GATHER-7).  The outer future is done when the last child is, with their results in the order of the
    arguments (GATHER-1), or at once when a child fails (GATHER-2), unless exceptions count as results (GATHER-3).
    The other children then go on, and what becomes of them nobody hears.
2.  A child that was cancelled counts as one that raised CancelledError; the outer future has failed with it and is
    not itself `cancelled()` (GATHER-5).
3.  A request to cancel the outer goes to every child that is not done (GATHER-4); the outer stays pending, and
    when all children are done it raises CancelledError whatever they did with the request.  It is refused when no
    child is left to hear it (GATHER-6), and does nothing once the outer is done (GATHER-9).
4.  What fans out is a tree, with a gather wherever it forks: gathers of gathers, of tasks that await gathers.
    It is walked with a stack of our own, depth first, never by recursion: a gather that is asked while another
    is being asked, by the task that awaits it, puts its children on that stack and answers at once.
5.  A task that awaits a gather of which it is a child would be asked for ever: such a gather is ended at once,
    with CancelledError.

Source: CPython documentation of 3.13, "Running Tasks Concurrently"; bpo-26923, bpo-32684 (requests).
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

from ..interfaces import Promise, Spawner
from ..tasks.current import usual_loop
from ..tasks.future import Future
from .ensure import ensure_future, host_for


# Any: the results are of many types, and on a bridge the future is that runtime's.
def gather(*awaitables: Any, return_exceptions: bool = False) -> Future[list[Any]]:
    """A future of the list of the results of `awaitables`, in their order; of none: of [] (GATHER-8).

    Parameters:
        awaitables: futures, coroutines or other awaitables, of one loop.
        return_exceptions: whether an exception is a result like any other, and no reason to fail.

    Raises:
        TypeError: one of them cannot be awaited.
        ValueError: they are futures of different loops.
        RuntimeError: no loop is running, and no future comes first that says which it belongs to.
    """
    if not awaitables:
        nothing: Future[list[Any]] = usual_loop().create_future()
        nothing.set_result([])
        return nothing
    loop: Any = None  # Any: a bridge's loop
    found: dict[Any, Promise] = {}  # Any: whatever can be awaited
    for what in awaitables:
        if what not in found:
            child = found[what] = ensure_future(what, loop=loop)
            loop = child.get_loop()
    gathering = _Gathering([found[what] for what in awaitables], return_exceptions)
    outer: Future[list[Any]] = gathering.begin(found.values())
    return outer


class _Gathering:
    """What stands behind the outer future: its children, and how many of them are not done."""

    __slots__ = ("_host", "_left", "_msg", "_outer", "_return_exceptions", "asked", "children", "requested")

    def __init__(self, children: list[Promise], return_exceptions: bool) -> None:
        self.children = children
        #: Whether a child was asked to cancel: then the end is CancelledError, whatever they answer.
        self.requested = False
        #: Whether a request is on its way through the children at this moment.
        self.asked = False
        self._msg: Any = None  # Any: a message is any object; that of the last request
        self._return_exceptions = return_exceptions
        self._host: Spawner = host_for(children[0])
        self._left = 0
        # Dropped at the end: the outer future knows us, and together we would be a cycle.
        self._outer: Promise | None = self._host.create_delegate(self)

    def begin(self, children: Iterable[Promise]) -> Any:  # Any: as gather
        """Wait for each of `children`, which are different; what is done already counts at once."""
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

    # --- the children end --------------------------------------------------------------------------------

    def _ended(self, child: Promise) -> None:
        self._left -= 1
        if self._outer is None or self._outer.done():
            if not child.cancelled():
                child.exception()  # somebody has asked: it is not reported as never retrieved
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
        for child in self.children:  # also after a request: what has been asked for is not reported
            error = self._error_of(child)
            results.append(child.result() if error is None else error)
        if self.requested:
            self._end().set_exception(self._cancelled())
        else:
            self._end().set_result(results)

    def _error_of(self, child: Promise) -> BaseException | None:
        """What it raised; its CancelledError, if it was cancelled."""
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
        """The outer future, which is about to be resolved."""
        outer, self._outer = self._outer, None
        assert outer is not None
        return outer

    # --- a request to cancel -----------------------------------------------------------------------------

    def cancel(self, msg: Any) -> bool:  # Any: as Future.cancel
        """Ask every child that is not done; says whether any heard (interfaces.Asks)."""
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
        """Whether there is anything to ask, through gathers of gathers."""
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
    """A gather that a request goes through, on behalf of another one or of nobody."""

    __slots__ = ("_behalf", "gathering", "heard", "msg")

    def __init__(self, gathering: _Gathering, behalf: _Asking | None, msg: Any) -> None:  # Any: a message
        self.gathering = gathering
        self.heard = False
        self.msg = msg
        self._behalf = behalf

    def push(self, stack: _Stack) -> None:
        """Have the children asked, in order, and then `over` called."""
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
        """All its children were asked."""
        self.gathering.asked = False
        if self.heard:
            self.gathering.requested = True
            if self._behalf is not None:
                self._behalf.heard = True


# A child to ask, or None: all were asked.
_Stack = list[tuple[_Asking, Promise | None]]


class _UnderWay(threading.local):
    """The request that is under way in this thread: what is still to be asked, last first."""

    stack: _Stack | None = None


_under_way = _UnderWay()


def _ask_all(top: _Gathering, msg: Any) -> bool:  # Any: as Future.cancel
    """Ask the children of `top`, and of every gather under them; says whether any child of `top` heard."""
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
        for asking, _ in stack:  # a cancel() of somebody else's has raised
            asking.gathering.asked = False
    return first.heard


def _behind(child: Promise) -> _Gathering | None:
    """The gather that stands behind a child, if one does."""
    asks = getattr(child, "asks", None)
    return asks if isinstance(asks, _Gathering) else None
