"""The arms of asyncio, aiohttp and trio on the simulated network: the same code as on real sockets, in virtual time.

Theory of operation.
1.  asyncio runs by `impl.bridges.asyncio.run`, trio by `impl.bridges.trio.run`; the network is that of the reference's
    arm, with the same weather; the site is served by the same `impl.web.server`.  Names are looked up there, so
    nothing is dialled.
2.  *The same choices* are, for conditions of one number: the same seed, so the same sequence of numbers is drawn from
    in each lane (choices.py), the same weather that turns them into latencies and segments, and the same grade of
    order.  Refusals, unknown names, resets and pauses are the site's, and the same for every arm.  But a latency is
    drawn when it is needed, and arms open their connections in their own order, so which of them gets it differs from
    arm to arm.  It must not matter: what a crawl finds is a least fixpoint, which no order has a part in (oracle.py).
3.  What asyncio would only log (an error in a callback, a task whose error nobody has seen) fails the crawl.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import aiohttp

from impl.bridges.asyncio.run import Network, run
from impl.bridges.trio.run import simulate_trio
from impl.crawl.crawler import Plan
from impl.crawl.frontier import Frontier
from impl.web.pumped import host
from impl.web.site import Site

from . import aiohttp_arm, asyncio_arm, trio_arm
from .impl_arm import order, weather

#: A crawl on asyncio's running loop, which finds hosts by their names.  Any: what its awaits yield.
Program = Callable[[Plan, Frontier], Coroutine[Any, Any, None]]


def by_asyncio(site: Site, plan: Plan, frontier: Frontier, number: int) -> None:
    """Pump `frontier` until nothing is left, by the arm of asyncio.

    Raises:
        ExceptionGroup: a worker failed, or something that asyncio would have logged.
        DeadlockError: the crawl can never end.
    """
    _crawl(lambda by, into: asyncio_arm.program(by, into, _by_name), site, plan, frontier, number)


def by_aiohttp(site: Site, plan: Plan, frontier: Frontier, number: int) -> None:
    """As `by_asyncio`, by the arm of aiohttp."""
    _crawl(
        lambda by, into: aiohttp_arm.program(by, into, aiohttp.ThreadedResolver), site, plan, frontier, number
    )


def by_trio(site: Site, plan: Plan, frontier: Frontier, number: int) -> None:
    """As `by_asyncio`, by the arm of trio."""
    with trio_arm.interruptible():
        simulate_trio(
            trio_arm.program,
            plan,
            frontier,
            _by_name,
            seed=number,
            order=order(number),
            network=Network(weather(number)),
            prepare=lambda net, kernel: host(site, net, kernel),
        ).outcome()


def _by_name(host: str, port: int) -> tuple[str, int]:
    """What a `Dial` is on a network that knows the names itself."""
    return host, port


def _crawl(program: Program, site: Site, plan: Plan, frontier: Frontier, number: int) -> None:
    unseen: list[Exception] = []

    def logged(loop: asyncio.AbstractEventLoop, what: dict[str, Any]) -> None:  # Any: asyncio's context dict
        unseen.append(what.get("exception") or RuntimeError(what["message"]))

    async def main() -> None:
        loop: Any = asyncio.get_running_loop()  # Any: it is a SimEventLoop
        loop.set_exception_handler(logged)
        host(site, loop.net, loop.kernel)
        await program(plan, frontier)

    run(main(), seed=number, order=order(number), network=Network(weather(number)))
    if unseen:
        raise ExceptionGroup("what asyncio would have logged", unseen)
