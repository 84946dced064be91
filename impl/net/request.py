"""Waiting for the answer to a request of the network (`Net.resolve`, `Net.connect`), in any runtime.

`Answer` holds the answer until the task that waits runs; `ask` is the wait for runtimes with futures, ours and
asyncio's.  trio parks its tasks without a future, so it uses `Answer` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from ..interfaces import Waiter
from .conn import PendingRequest

T = TypeVar("T")

#: Makes a request; the network calls its argument with the answer, later and at most once.
Request = Callable[[Callable[[T | OSError], None]], PendingRequest]


class Answer(Generic[T]):
    """Makes a request and calls `wake` when its answer has arrived."""

    def __init__(self, request: Request[T], wake: Callable[[], object]) -> None:
        self._arrived: list[T | OSError] = []
        self._wake = wake
        self._pending: PendingRequest | None = request(self._answered)

    def _answered(self, answer: T | OSError) -> None:
        self._pending = None
        self._arrived.append(answer)
        self._wake()

    def take(self) -> T:
        """The answer, which has arrived; raises it if it is an OSError."""
        answer = self._arrived.pop()
        if isinstance(answer, OSError):
            try:
                raise answer
            finally:
                del answer  # the error's traceback holds this frame: it must not hold the error
        return answer

    def cancel(self) -> None:
        """Withdraw the request; a connection that has arrived meanwhile is closed."""
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None
        for answer in self._arrived:
            if not isinstance(answer, OSError | tuple):
                answer.close()  # type: ignore[attr-defined]  # it is a Conn: resolve answers with a tuple


async def ask(create_future: Callable[[], Waiter], request: Request[T]) -> T:
    """Make a request and wait for its answer; a cancel withdraws it.

    Raises:
        OSError: the answer is an error.
    """
    arrived = create_future()

    def wake() -> None:
        if not arrived.done():
            arrived.set_result(None)

    answer = Answer(request, wake)
    try:
        await arrived
    except BaseException:
        answer.cancel()
        raise
    return answer.take()
