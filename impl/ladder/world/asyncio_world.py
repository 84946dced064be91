"""Teaching code: the simulated environment of asyncio's rung: an event loop instead of blocking calls.

A program of asyncio never blocks; it awaits.  So the environment is its event loop: one in virtual time, with a network
on which the package's web server runs (`impl/bridges/asyncio/loop.py`).  Its sockets are counted as in the other
environments.  The module is loaded when that rung runs.
"""

from __future__ import annotations

import asyncio

from ...bridges.asyncio.loop import SimEventLoop
from ...bridges.asyncio.sockets import SimSocket
from ...sim.choices import Choices
from ...web.serving.hosting import host_without_tasks
from ...web.serving.site import Site
from .meter import BACKLOG, Meter, MeteredWorld


class AsyncioWorld(MeteredWorld):
    """An event loop for one asyncio program, with `site` on its network."""

    def __init__(self, site: Site, choices: Choices | None = None) -> None:
        super().__init__()
        self.loop = SimEventLoop(choices or Choices.plain())
        host_without_tasks(site, self.loop.net, self.loop.kernel, BACKLOG)

    def socket(self) -> CountedSocket:
        """A socket that is about to connect."""
        return CountedSocket(self.meter)

    def time(self) -> float:
        return self.loop.time()

    def new_loop(self) -> asyncio.AbstractEventLoop:
        """The loop factory of asyncio.Runner, which closes the loop."""
        return self.loop

    def close(self) -> None:
        """End the servers."""
        self.loop.close()


class CountedSocket(SimSocket):
    """A socket of the simulated network that is counted."""

    def __init__(self, meter: Meter) -> None:
        super().__init__()
        self._meter = meter
        meter.connections(+1)
        meter.in_vain()  # its non-blocking connect

    def close(self) -> None:
        if self.fileno() >= 0:
            self._meter.connections(-1)
        super().close()
