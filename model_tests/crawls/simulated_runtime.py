"""The runtimes on the simulated network, seeded by the conditions: the same code as on real sockets, in virtual time.

1. The reference is our crawler on our loop.  asyncio runs by `impl.bridges.asyncio.run`, trio by
   `impl.bridges.trio.run`.  The network and its conditions are the same for all; the site is served by the same
   `serving.server`.  Names are looked up there, so nothing is dialled.
2. *The same choices* for conditions of one number means: the same seed, so each lane draws from the same sequence of
   numbers (choices.py); the same network conditions, which turn them into latencies and segments; and the same order
   policy.  Refusals, unknown names, resets and pauses belong to the site, and are the same for every runtime.  But a
   latency is drawn when it is needed, and runtimes open their connections in their own order.  So the assignment of
   latencies differs from runtime to runtime.  The result must not depend on it: a crawl finds a least fixpoint, which
   does not depend on order (oracle.py).
3. An error that asyncio would only log (in a callback, or a task exception that was never retrieved) fails the crawl.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

import aiohttp

from impl.bridges.asyncio.run import Network, run
from impl.bridges.trio.run import simulate_trio
from impl.crawl.crawler import CrawlConfig, Crawler
from impl.crawl.fetch import Fetcher
from impl.crawl.frontier import Frontier
from impl.crawl.simulation import serve_and_crawl
from impl.loop import Loop
from impl.net import NetworkConditions, SimulatedNet
from impl.sim.choices import Choices
from impl.sim.order import Order
from impl.web.serving.hosting import host_without_tasks
from impl.web.serving.site import Site

from . import aiohttp_runtime, asyncio_runtime, trio_runtime

#: The greatest latencies in milliseconds, used in rotation; the last exceeds that of the slowest resource.
_LATENCIES_MS: Final = (2, 8, 20)

#: A crawl on asyncio's running loop, which finds hosts by their names.
Program = Callable[[CrawlConfig, Frontier], Coroutine[Any, Any, None]]


def by_impl(site: Site, plan: CrawlConfig, frontier: Frontier, number: int) -> None:
    """Pump `frontier` until nothing is left, by our crawler on our loop, under conditions `number`.

    Raises:
        DeadlockError: the crawl deadlocks.
    """
    choices = Choices.seeded(number)
    loop = Loop(choices, order(number), late_ms_max=1)
    net = SimulatedNet(loop, choices, conditions(number))
    fetcher = Fetcher(net, loop)
    crawler = Crawler(plan, fetcher, frontier=frontier)
    loop.run(serve_and_crawl(site, net, loop, fetcher, crawler))


def by_asyncio(site: Site, plan: CrawlConfig, frontier: Frontier, number: int) -> None:
    """Pump `frontier` until nothing is left, by the runtime of asyncio.

    Raises:
        ExceptionGroup: a worker failed, or an error that asyncio would have logged.  DeadlockError: the crawl
        deadlocks.
    """
    _crawl(lambda by, into: asyncio_runtime.program(by, into, _by_name), site, plan, frontier, number)


def by_aiohttp(site: Site, plan: CrawlConfig, frontier: Frontier, number: int) -> None:
    """Crawl as `by_asyncio` does, by the runtime of aiohttp."""
    _crawl(
        lambda by, into: aiohttp_runtime.program(by, into, aiohttp.ThreadedResolver, keep_alive=not site.faults),
        site,
        plan,
        frontier,
        number,
    )


def by_trio(site: Site, plan: CrawlConfig, frontier: Frontier, number: int) -> None:
    """Crawl as `by_asyncio` does, by the runtime of trio."""
    with trio_runtime.interruptible():
        simulate_trio(
            trio_runtime.program,
            plan,
            frontier,
            _by_name,
            seed=number,
            order=order(number),
            network=Network(conditions(number)),
            prepare=lambda net, kernel: host_without_tasks(site, net, kernel),
        ).outcome()


def _by_name(host: str, port: int) -> tuple[str, int]:
    """Dial on a network that knows the names itself."""
    return host, port


def _crawl(program: Program, site: Site, plan: CrawlConfig, frontier: Frontier, number: int) -> None:
    unseen: list[Exception] = []

    def logged(loop: asyncio.AbstractEventLoop, what: dict[str, Any]) -> None:  # Any: asyncio's context dict
        unseen.append(what.get("exception") or RuntimeError(what["message"]))

    async def main() -> None:
        loop: Any = asyncio.get_running_loop()  # Any: it is a SimEventLoop
        loop.set_exception_handler(logged)
        host_without_tasks(site, loop.net, loop.kernel)
        await program(plan, frontier)

    run(main(), seed=number, order=order(number), network=Network(conditions(number)))
    if unseen:
        raise ExceptionGroup("what asyncio would have logged", unseen)


def conditions(number: int) -> NetworkConditions:
    """Return the network conditions under conditions `number`, for every runtime that has a simulated network."""
    latency = _LATENCIES_MS[number % len(_LATENCIES_MS)]
    return NetworkConditions(latency_ms_max=latency, segments_max=3, buffer_bytes=16384)


def order(number: int) -> Order:
    """Return the order of ready tasks under conditions `number`: two of four keep it."""
    return "any" if number // 2 % 2 else "fifo"
