"""The task that holds a lock may acquire it again, and has to release it as often; no other task may."""

import sys
from types import MappingProxyType
from typing import Literal

import impl

from . import owner_checked


class Lock(owner_checked.Lock):
    """It counts how often its holder has acquired it."""

    _times = 0

    async def acquire(self) -> Literal[True]:
        if self._holder is None or self._holder is not impl.current_task():
            await super().acquire()
        self._times += 1
        return True

    def release(self) -> None:
        if self._times > 1 and self._holder is impl.current_task():
            self._times -= 1
            return
        super().release()
        self._times = 0


class Condition(owner_checked.Condition):
    """A condition with such a lock."""

    mixed = MappingProxyType({"Lock": Lock})


DIFFERS = [Lock, Condition, *([owner_checked.wait_for] if sys.version_info < (3, 12) else [])]
