"""Only the task that holds a lock may release it, and it may not acquire it again."""

import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

import impl


class Lock(impl.Lock):
    """Only its holder may release it, and not acquire it again."""

    _holder: impl.Task[Any] | None = None  # Any: of any result

    async def acquire(self) -> Literal[True]:
        if self._holder is not None and self._holder is impl.current_task():
            raise RuntimeError("this task holds the lock already")
        await super().acquire()
        self._holder = impl.current_task()
        return True

    def release(self) -> None:
        if self.locked() and self._holder is not impl.current_task():
            raise RuntimeError("another task holds the lock")
        super().release()
        self._holder = None


class Condition(impl.Condition):
    """Only the holder of its lock may release or notify it."""

    mixed: Mapping[str, type[Lock]] = MappingProxyType({"Lock": Lock})

    def __init__(self, lock: impl.Lock | None = None) -> None:
        super().__init__(self.mixed["Lock"]() if lock is None else lock)

    async def wait(self) -> Literal[True]:
        try:
            return await super().wait()
        finally:
            if isinstance(self._lock, Lock):
                self._lock._holder = impl.current_task()


async def wait_for(fut: Any, timeout: float | None) -> Any:
    """Await it in a task of its own, as asyncio before 3.12 does: that task releases a condition's lock."""
    return await impl.wait_for(impl.ensure_future(fut), timeout)


DIFFERS = [Lock, Condition, *([wait_for] if sys.version_info < (3, 12) else [])]
