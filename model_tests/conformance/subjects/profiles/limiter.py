"""A limiter with a capacity, and borrowers with names, such as anyio's `CapacityLimiter`, as a bounded semaphore."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import impl

LEFT_OUT = {"BoundedSemaphore": ["locked"]}


class BoundedSemaphore(impl.BoundedSemaphore):
    """Its capacity is at least one, and only the result of an acquire can be released."""

    def __init__(self, value: int = 1) -> None:
        if value < 1:
            raise ValueError("a limiter has a capacity")
        super().__init__(value)
        self._acquired = 0

    async def acquire(self) -> Literal[True]:
        await super().acquire()
        self._acquired += 1
        return True

    def release(self) -> None:
        if not self._acquired:
            raise ValueError("nothing was acquired")
        self._acquired -= 1
        super().release()


DIFFERS = [BoundedSemaphore]


# Any: a limiter is of any class.
def adapt(limiter: Callable[[int], Any]) -> Mapping[str, Any]:
    """Return a semaphore on `limiter(capacity)`; each acquire is by a borrower of its own."""

    class BoundedSemaphore:
        def __init__(self, value: int = 1) -> None:
            self._limiter = limiter(value)
            self._borrowers: list[object] = []

        async def acquire(self) -> bool:
            borrower = object()
            await self._limiter.acquire_on_behalf_of(borrower)
            self._borrowers.append(borrower)
            return True

        def release(self) -> None:
            if not self._borrowers:
                raise ValueError("nothing was acquired")
            self._limiter.release_on_behalf_of(self._borrowers.pop(0))

        async def __aenter__(self) -> None:
            await self.acquire()

        async def __aexit__(self, *error: object) -> None:
            self.release()

    return {"BoundedSemaphore": BoundedSemaphore}
