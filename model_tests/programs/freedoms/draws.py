"""Choices of a freedom: whether it is used, turns that a call may take, and effects that no sentence covers."""

from collections import deque
from collections.abc import Callable, Generator
from typing import Any

import impl
from impl.interfaces import Waiter
from impl.sync.waiters import Bound
from impl.tasks.current import our_running_loop


def drawn() -> bool:
    """Whether the implementation uses a freedom here; not where no loop runs, as then nothing is on its way."""
    return bool(picked(2))


def picked(n: int) -> int:
    """Return which of n possibilities the implementation takes; 0 if no loop runs, or after the end of the run."""
    loop = our_running_loop()
    choices = None if loop is None else loop.choices
    return choices.program(n) if choices is not None and n > 1 else 0


# Any: a method of a class under test, and its arguments.
def late(ended: Callable[..., object]) -> Any:
    """Return a callback that may do its work a turn later."""

    def called(*args: Any) -> None:
        if drawn():
            impl.get_running_loop().call_soon(ended, *args)
        else:
            ended(*args)

    return called


async def pause(give_back: Callable[[], object] = lambda: None) -> None:
    """Give the other tasks a turn, or not; a cancel meanwhile undoes the call."""
    if drawn():
        try:
            await impl.sleep(0)
        except BaseException:
            give_back()
            raise


def unspecified() -> None:
    """Say that no sentence covers this step of the program: all that follows is right."""
    getattr(our_running_loop(), "unspecified", bool)()


class Wake(impl.Future[Any]):  # Any: as its base
    """The future of a waiter; its outcome may reach the task a turn later, as through a future of the task's own.

    A cancel that comes before that is one of the wait: `uncancel` does not take it back.
    """

    __slots__ = ("_heard", "_late")

    def __init__(self) -> None:
        super().__init__()
        self._heard = False  #: Whether the task goes on.
        self._late: BaseException | None = None  #: The cancel that came before the outcome.

    def cancel(self, msg: Any = None) -> bool:
        if super().cancel(msg):
            return True
        if self._heard or self._late or not drawn():
            return False
        self._late = self.Cancelled() if msg is None else self.Cancelled(msg)
        return True

    def __await__(self) -> Generator[Any, None, Any]:
        try:
            got = yield from super().__await__()
        finally:
            self._heard = True
        if self._late is not None:
            raise self._late
        return got


class Hearing(Bound):
    """A primitive with such futures for its waiters."""

    __slots__ = ()

    def _join_line(self, line: deque[Waiter]) -> Waiter:
        super()._join_line(line)  # binds it to the loop
        line[-1] = wake = Wake()
        return wake


class Calls:
    """The calls of one object, which may look at it a turn later, all or none; they look in the order of the calls."""

    __slots__ = ("_last", "late")

    def __init__(self) -> None:
        self.late: bool | None = None  #: None: no call was made
        #: Of the last call: it is done when the call looks at the object.
        self._last: Waiter | None = None

    async def enter(self) -> bool:
        """Give the other tasks a turn, or not; return, in the order of the calls, whether it was given."""
        if self.late is None:
            self.late = drawn()
        if not self.late:
            return False
        before, mine = self._last, impl.get_running_loop().create_future()
        self._last = mine
        try:
            await impl.sleep(0)
            if before is not None and not before.done():
                await impl.shield(before)
        finally:
            mine.set_result(None)
        return True
