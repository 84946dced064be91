"""The arm of the reference: our crawler on our loop, over the simulated network.

Theory of operation.  Site, servers, network and crawler run on one loop, in virtual time, so a crawl costs
milliseconds of real time however slow its site is, and is the same whenever it is repeated.  The number of
the conditions is the seed of all choices: latencies, segments, lateness of timers, and in every other pair of
conditions the order of ready tasks too.
"""

from __future__ import annotations

from typing import Final

from impl.crawl.crawler import Crawler, Plan
from impl.crawl.fetch import Fetcher
from impl.crawl.frontier import Frontier
from impl.loop import Loop
from impl.net import SimulatedNet, Weather
from impl.sim.choices import Choices
from impl.sim.order import Order
from impl.web.hosting import host
from impl.web.site import Site

#: Greatest latencies in milliseconds, in turn: a calm network, and one slower than the slowest resource.
_LATENCIES_MS: Final = (2, 8, 20)


def crawl(site: Site, plan: Plan, frontier: Frontier, number: int) -> None:
    """Pump `frontier` until nothing is left, under conditions `number`.

    Raises:
        DeadlockError: the crawl can never end.
    """
    choices = Choices.seeded(number)
    loop = Loop(choices, order(number), late_ms_max=1)
    net = SimulatedNet(loop, choices, weather(number))
    fetcher = Fetcher(net, loop)

    async def program() -> None:
        host(site, net, loop)
        try:
            await Crawler(plan, fetcher, frontier=frontier).crawl()
        finally:
            await fetcher.aclose()

    loop.run(program())


def weather(number: int) -> Weather:
    """What the network may do under conditions `number`, on every arm that has a simulated one."""
    latency = _LATENCIES_MS[number % len(_LATENCIES_MS)]
    return Weather(latency_ms_max=latency, segments_max=3, buffer_bytes=16384)


def order(number: int) -> Order:
    """What conditions `number` promise about the order of ready tasks: two of four keep it."""
    return "any" if number // 2 % 2 else "fifo"
