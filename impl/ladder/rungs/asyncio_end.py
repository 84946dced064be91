"""Teaching code: the end of the climb: the same crawler on asyncio and aiohttp, as the texts leave it.

Teaches: asyncio and aiohttp provide loop, Task, queue, sockets and HTTP; only the crawler is left.
Changed against rung 17: asyncio's futures run their callbacks in the loop's next iteration, never inside `set_result`,
so S0 cannot occur.  aiohttp resolves names, keeps connections alive and raises its own exceptions, which `word`
translates.  A task group replaces the list of workers: a worker that fails cancels the others and ends the crawl.
Still wrong: first discovery, as in rung 16; on real sockets the same crawl may have another result the next time.
`impl/crawl/frontier.py` has one result, on asyncio too.

Against the text's sketch: one session serves all fetches, and an error is the outcome of its fetch, so the first
failure does not end the waiting for the others (K12).  The rest is as in rung 16.

This is the one file of the ladder that imports aiohttp; it is loaded when this rung runs.  Its simulated environment is
`world/asyncio_world.py`, because asyncio has its own loop, which must run in virtual time.

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Coordinating Coroutines"; the second of the five texts;
aiohttp's documentation, "Client Reference".
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from aiohttp import (
    ClientConnectorDNSError,
    ClientConnectorError,
    ClientError,
    ClientPayloadError,
    ClientResponseError,
    ClientSession,
    ClientTimeout,
    ServerDisconnectedError,
    TCPConnector,
    ThreadedResolver,
)
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from ...web.http import Response
from ...web.interpret import outcome
from ...web.outcome import FetchFailure, Outcome
from ...web.serving.site import Site
from ..http import PATIENCE
from ..world import World
from ..world.asyncio_world import AsyncioWorld
from ..world.real import Hosts, StandardWorld
from .chapter import MAX_REDIRECT, MAX_TASKS, FirstDiscovery, Item, at_least


class Crawler:
    """Crawls from the roots; `found` holds the result."""

    def __init__(
        self,
        session: ClientSession,
        roots: Sequence[str],
        max_redirect: int = MAX_REDIRECT,
        max_tasks: int = MAX_TASKS,
        allows: Callable[[str], bool] | None = None,
    ) -> None:
        self.session = session
        self.max_tasks = at_least(1, "max_tasks", max_tasks)
        self.queue = asyncio.Queue[Item]()
        self.found = FirstDiscovery(self.queue.put_nowait, roots, max_redirect, allows)

    async def crawl(self) -> None:
        """Crawl until nothing is left to fetch; raises an ExceptionGroup when a worker fails."""
        async with asyncio.TaskGroup() as group:
            workers = [group.create_task(self.work()) for _ in range(self.max_tasks)]
            await self.queue.join()
            for worker in workers:
                worker.cancel()

    async def work(self) -> None:
        """One worker."""
        while True:
            url, left = await self.queue.get()
            outcome = await fetch(self.session, url)
            self.found.follow(url, left, outcome)
            self.queue.task_done()


async def fetch(session: ClientSession, url: str) -> Outcome:
    """Fetch one page; returns its outcome."""
    as_it_is = URL(url, encoded=True)
    try:
        async with session.get(as_it_is, allow_redirects=False) as response:
            body = await response.read()
    except (ClientError, TimeoutError) as error:
        return FetchFailure(word(error))
    headers = tuple((name.lower(), value) for name, value in response.raw_headers)
    return outcome(url, Response(response.status, headers, body))


def word(error: ClientError | TimeoutError) -> str:
    """Our name of an error of aiohttp, which raises the same for a reset and an incomplete response."""
    match error:
        case TimeoutError():
            return "timeout"
        case ClientConnectorDNSError():
            return "no-such-host"
        case ClientConnectorError():
            return "refused"
        case ClientResponseError():
            return "protocol"
        case ServerDisconnectedError() | ClientPayloadError():
            return "incomplete"
        case OSError():
            return "reset"
    raise error


class Resolver(AbstractResolver):
    """Resolves the host names of the environment."""

    def __init__(self, hosts: Hosts) -> None:
        self.hosts = hosts

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        there, at = self.hosts.find((host, port))
        return [ResolveResult(hostname=host, host=there, port=at, family=socket.AF_INET, proto=0, flags=0)]

    async def close(self) -> None:
        """Do nothing: no resource is held."""


def simulated_world(site: Site) -> AsyncioWorld:
    """Its own kind, because asyncio brings its own loop."""
    return AsyncioWorld(site)


def crawl(
    world: World | AsyncioWorld,
    roots: Sequence[str],
    max_redirect: int = MAX_REDIRECT,
    max_tasks: int = MAX_TASKS,
    allows: Callable[[str], bool] | None = None,
) -> dict[str, Outcome]:
    """As `chapter.crawl`."""
    if not isinstance(world, StandardWorld | AsyncioWorld):
        raise TypeError("asyncio runs in the real world, or in a simulated one of its own")

    def counted(address: Any) -> socket.socket:  # Any: aiohttp's address; there is one kind of socket
        return world.socket()

    async def main() -> dict[str, Outcome]:
        # The environment resolves the names, or its loop does, which ThreadedResolver calls.
        resolver = Resolver(world.hosts) if isinstance(world, StandardWorld) else ThreadedResolver()
        connector = TCPConnector(resolver=resolver, socket_factory=counted, limit=max_tasks)
        async with ClientSession(connector=connector, timeout=ClientTimeout(PATIENCE)) as session:
            crawler = Crawler(session, roots, max_redirect, max_tasks, allows)
            await crawler.crawl()
            return crawler.found.done

    with asyncio.Runner(loop_factory=world.new_loop if isinstance(world, AsyncioWorld) else None) as runner:
        return runner.run(main())


def run(world: World | AsyncioWorld, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch the pages, ten at a time, and no links."""
    return crawl(world, urls, allows=frozenset(urls).__contains__)


@cache
def loop_to_wait_on() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda loop, context: None)  # the warning that a pending Task was destroyed
    return loop


async def parked(future: asyncio.Future[None]) -> None:
    """The smallest coroutine that waits."""
    await future


def waiting_unit() -> object:
    """A suspended coroutine, its Task, and its future, on asyncio."""
    loop = loop_to_wait_on()
    future = loop.create_future()
    task = loop.create_task(parked(future))
    loop.run_until_complete(asyncio.sleep(0))
    return task
