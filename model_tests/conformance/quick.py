"""impl's loop for runs whose deadlocks nobody reads: to describe one takes longer than most programs run."""

from __future__ import annotations

import impl

from ..programs.runtimes import TURNS_MAX


class QuickLoop(impl.Loop):
    """A loop whose DeadlockError has no text."""

    def deadlocked(self) -> impl.DeadlockError:
        return impl.DeadlockError()


def quick() -> QuickLoop:
    """Return a new loop for a program of the kit."""
    return QuickLoop(turns_max=TURNS_MAX)
