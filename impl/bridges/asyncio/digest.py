"""What goes into the digest of a run of a simulated asyncio loop, besides what digest.py sees.

Theory of operation.  Turns of tasks, by the number that their loop gave them; callbacks, by what is called.
"""

from __future__ import annotations

from ...interfaces import Runnable
from ..digest import Digest
from .handles import Called, Turn
from .tasks import number_of


class AsyncioDigest(Digest):
    """Watches one loop: `SimEventLoop(observer=AsyncioDigest())`."""

    __slots__ = ()

    def taken(self, item: Runnable) -> None:
        if isinstance(item, Turn):
            self.add(f"turn {number_of(item.task)}")
        elif isinstance(item, Called):
            self.add(f"call {item.name()}")
