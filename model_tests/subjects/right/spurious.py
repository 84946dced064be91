"""A Condition whose `notify` ends the wait of every waiter.

What differs: CPython's `notify(n)` wakes n waiters.  Here the others return from `wait` as well.

What leaves that free: "a task may return from this call spuriously, which is why the caller should always re-check the
state and be prepared to wait() again" (Condition.wait, since 3.13).  A program that uses `wait_for` sees no difference.
"""

from __future__ import annotations

from .conditions import ConditionBase, Waiter


class Condition(ConditionBase):
    def chosen(self, waiters: list[Waiter], n: int) -> list[Waiter]:
        return waiters if n else []
