"""Delegate: a future that others stand behind, and whose cancel is theirs to answer.

Theory of operation.  Awaiting it is awaiting any future.  Asked to cancel, it asks who stands behind it (the
children of a gather) and stays pending: they end it, each in its own time.  It is apart from Future because
nearly no future needs it, and because each runtime has its own (interfaces.Spawner.create_delegate).
"""

from __future__ import annotations

from typing import Any

from ..interfaces import Asks, Host
from .future import Future


class Delegate(Future[Any]):  # Any: whoever makes it knows what it will hold
    """A future whose `cancel` asks others.

    Parameters:
        loop: the host.
        asks: who stands behind it.
    """

    __slots__ = ("asks",)

    def __init__(self, loop: Host, asks: Asks) -> None:
        super().__init__(loop)
        self.asks = asks

    # Any: asyncio's message is any object.
    def cancel(self, msg: Any = None) -> bool:
        """Ask those behind it, unless it is done; says whether any of them heard."""
        return not self.done() and self.asks.cancel(msg)
