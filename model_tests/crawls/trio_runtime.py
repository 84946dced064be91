"""The runtime of trio: a nursery of workers around a memory channel, over trio's streams.

It is written for trio alone.  An unbounded channel is the queue.  There is no join and no cancel: the worker that
leaves the frontier idle closes the channel, which ends every worker. trio may run any ready task next, so this runtime
also shuffles the workers.  `crawl` runs it on real sockets, simulated_runtime.py on the simulated network, unmodified.
Shared with the other runtimes are the frontier, the plan and the protocol without I/O.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import trio

from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.web.http import HttpError, Response, Send, get
from impl.web.interpret import failure, outcome
from impl.web.outcome import TRANSIENT, FetchFailure, Outcome
from impl.web.url import split

from .server import TIMEOUT_S, Dial


def crawl(plan: CrawlConfig, frontier: Frontier, dial: Dial, timeout_s: float = TIMEOUT_S) -> None:
    """Pump `frontier` until nothing is left; a try is limited to `timeout_s` seconds.

    Raises:
        ExceptionGroup: a worker failed, which no fetch can cause.
    """
    with interruptible():
        trio.run(program, plan, frontier, dial, timeout_s)


async def program(plan: CrawlConfig, frontier: Frontier, dial: Dial, timeout_s: float = TIMEOUT_S) -> None:
    """Return the async function that `crawl` runs."""
    await _TrioCrawl(plan, frontier, dial, timeout_s).run()


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise a KeyboardInterrupt out of the exception group that a nursery wraps around it."""
    try:
        yield
    except BaseExceptionGroup as group:
        if group.subgroup(KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise


class _TrioCrawl:
    def __init__(self, plan: CrawlConfig, frontier: Frontier, dial: Dial, timeout_s: float) -> None:
        self._plan = plan
        self._frontier = frontier
        self._dial = dial
        self._timeout_s = timeout_s
        self._sender, self._receiver = trio.open_memory_channel[str](math.inf)

    async def run(self) -> None:
        for root in self._plan.canonical_roots():
            self._send(self._frontier.offer(root, self._plan.max_redirect))
        async with trio.open_nursery() as nursery:
            for _ in range(self._plan.max_tasks):
                nursery.start_soon(self._work)

    def _send(self, urls: list[str]) -> None:
        for url in urls:
            self._sender.send_nowait(url)
        if self._frontier.idle:
            self._sender.close()

    async def _work(self) -> None:
        async for url in self._receiver:
            self._frontier.start(url)
            self._send(self._frontier.complete(url, await self._fetch(url)))

    async def _fetch(self, url: str) -> Outcome:
        for left in reversed(range(self._plan.max_tries)):
            came = await self._try(url)
            if not (left and isinstance(came, FetchFailure) and came.error in TRANSIENT):
                break
        return came

    async def _try(self, url: str) -> Outcome:
        try:
            with trio.fail_after(self._timeout_s):
                return outcome(url, await self._get(url))
        except trio.TooSlowError:
            return FetchFailure("timeout")
        except trio.BrokenResourceError as broken:
            # trio's error for a connection in use; the OSError is its cause.
            return failure(broken.__cause__ if isinstance(broken.__cause__, OSError) else OSError())
        except (OSError, HttpError) as error:
            return failure(error)

    async def _get(self, url: str) -> Response:
        address = split(url)
        async with await trio.open_tcp_stream(*self._dial(address.host, address.port)) as stream:
            return await _exchange(stream, url)


async def _exchange(stream: trio.SocketStream, url: str) -> Response:
    dialogue = get(url)
    answer: bytes | None = None
    try:
        while True:
            command = dialogue.send(answer)
            if isinstance(command, Send):
                await stream.send_all(command.data)
                answer = None
            else:
                answer = bytes(await stream.receive_some())
    except StopIteration as stop:
        response: Response = stop.value
        return response
