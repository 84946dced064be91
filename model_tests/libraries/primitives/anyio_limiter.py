"""anyio's CapacityLimiter as BoundedSemaphore, by the kit's profile for limiters: each acquire is by a new borrower.

Difference: `acquire` takes a turn of the loop even when it need not wait, and tokens are handed over directly.

Freedom: "a version of Semaphore that raises a ValueError in release() if it increases the internal
counter above the initial value" (BoundedSemaphore) and "If it is zero, wait until a release() is called"
(Semaphore.acquire) say nothing of turns.
"""

from typing import Any

import anyio

from ...conformance.subjects.profiles import limiter

# Any: it is made by a function.
Limiter: Any = limiter.adapt(anyio.CapacityLimiter)["BoundedSemaphore"]


class BoundedSemaphore(Limiter):  # type: ignore[misc]  # as above
    def __init__(self, value: int = 1) -> None:
        if value < 0:
            raise ValueError("less than 0 tokens")
        super().__init__(value)

    def locked(self) -> bool:
        return bool(self._limiter.available_tokens <= 0)
