"""Teaching code: the simulated world of the rung that is asyncio's: no blocking calls, but an event loop.

Theory of operation.  In `simulated.py` a rung blocks, and the world goes on meanwhile.  A program of asyncio's never
blocks, it gives the turn to its loop; so here the loop is the world: one of asyncio's in virtual time, with a network
that the same web server serves (`impl/bridges/asyncio/loop.py`).  Its sockets count, as those of the other worlds do.

It is loaded when that rung runs.
"""

from __future__ import annotations

import asyncio

from ..bridges.asyncio.loop import SimEventLoop
from ..bridges.asyncio.sockets import SimSocket
from ..sim.choices import Choices
from ..web.pumped import host
from ..web.site import Site
from .world import BACKLOG, Meter


class AsyncioWorld:
    """An event loop on which one program of asyncio's may run, with `site` on its network."""

    def __init__(self, site: Site, choices: Choices | None = None) -> None:
        self.meter = Meter()
        self.open = 0
        self.loop = SimEventLoop(choices or Choices.plain())
        host(site, self.loop.net, self.loop.kernel, BACKLOG)

    @property
    def socket(self) -> Sockets:
        return Sockets(self)

    def time(self) -> float:
        return self.loop.time()

    def new_loop(self) -> asyncio.AbstractEventLoop:
        """For asyncio.Runner, which closes it at the end."""
        return self.loop

    def close(self) -> None:
        """End the servers."""
        self.loop.close()


class Sockets:
    """The module `socket`, as far as the rung sees it."""

    def __init__(self, world: AsyncioWorld) -> None:
        self._world = world

    def socket(self) -> CountedSocket:
        """One that is about to be connected."""
        return CountedSocket(self._world)


class CountedSocket(SimSocket):
    """A socket of the simulated network that counts."""

    def __init__(self, world: AsyncioWorld) -> None:
        super().__init__()
        self._world = world
        world.open += 1
        world.meter.concurrency = max(world.meter.concurrency, world.open)
        world.meter.vain += 1  # its connect, which is not answered at once

    def close(self) -> None:
        if self.fileno() >= 0:
            self._world.open -= 1
        super().close()
