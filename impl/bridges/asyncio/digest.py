"""The digest of a run of a simulated asyncio loop: turns of tasks, by their numbers; callbacks, by their names."""

from __future__ import annotations

from ...interfaces import Runnable
from ...sim.garbage import Collector
from ..digest import BridgeDigest
from .handles import Called, Turn
from .tasks import number_of


class AsyncioDigest(BridgeDigest):
    """Observes one loop: `SimEventLoop(observer=AsyncioDigest())`; also collects its garbage."""

    __slots__ = ("_collector",)

    def __init__(self) -> None:
        super().__init__()
        self._collector = Collector()

    def taken(self, item: Runnable) -> None:
        if isinstance(item, Turn):
            self.add(f"turn {number_of(item.task)}")
        elif isinstance(item, Called):
            self.add(f"call {item.name()}")
        self._collector.at(self.count)
