"""A Condition with a `notify` that ends the wait of every waiter.

Difference: CPython's `notify(n)` wakes n waiters.  Here the others return from `wait` as well.

Freedom: "a task may return from this call spuriously, which is why the caller should always re-check the
state and be prepared to wait() again" (Condition.wait, since 3.13).  A program that uses `wait_for` sees no difference.
"""

from __future__ import annotations

from .conditions import ConditionWaiter, SpuriousCondition


class Condition(SpuriousCondition):
    def chosen(self, waiters: list[ConditionWaiter], n: int) -> list[ConditionWaiter]:
        return waiters if n else []
