"""The runtime of the reference: our crawler on our loop over the simulated network, seeded by the conditions."""

from __future__ import annotations

from typing import Final

from impl.crawl.crawler import CrawlConfig, Crawler
from impl.crawl.fetch import Fetcher
from impl.crawl.frontier import Frontier
from impl.loop import Loop
from impl.net import NetworkConditions, SimulatedNet
from impl.sim.choices import Choices
from impl.sim.order import Order
from impl.web.serving.hosting import host
from impl.web.serving.site import Site

#: The greatest latencies in milliseconds, used in rotation; the last exceeds that of the slowest resource.
_LATENCIES_MS: Final = (2, 8, 20)


def crawl(site: Site, plan: CrawlConfig, frontier: Frontier, number: int) -> None:
    """Pump `frontier` until nothing is left, under conditions `number`.

    Raises:
        DeadlockError: the crawl deadlocks.
    """
    choices = Choices.seeded(number)
    loop = Loop(choices, order(number), late_ms_max=1)
    net = SimulatedNet(loop, choices, conditions(number))
    fetcher = Fetcher(net, loop)

    async def program() -> None:
        host(site, net, loop)
        try:
            await Crawler(plan, fetcher, frontier=frontier).crawl()
        finally:
            await fetcher.aclose()

    loop.run(program())


def conditions(number: int) -> NetworkConditions:
    """Return the network conditions under conditions `number`, for every runtime that has a simulated network."""
    latency = _LATENCIES_MS[number % len(_LATENCIES_MS)]
    return NetworkConditions(latency_ms_max=latency, segments_max=3, buffer_bytes=16384)


def order(number: int) -> Order:
    """Return the order of ready tasks under conditions `number`: two of four keep it."""
    return "any" if number // 2 % 2 else "fifo"
