"""The runtime of asyncio: tasks, `asyncio.Queue`, `join`, then cancel, over asyncio's streams.

It is the crawler of the chapter in modern asyncio, without our loop, network or crawler.  `crawl` runs it on real
sockets, simulated_runtime.py on the simulated network, unmodified.  A TaskGroup holds the workers, so the error of one
ends the crawl with that error.  Shared with the other runtimes are the frontier, the plan and the protocol without I/O.
"""

import asyncio

from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.web.http import HttpError, Response, Send, get
from impl.web.interpret import failure, outcome
from impl.web.outcome import TRANSIENT, FetchFailure, Outcome
from impl.web.url import split

from .server import TIMEOUT_S, Dial

_RECEIVE_BYTES = 65536


def crawl(plan: CrawlConfig, frontier: Frontier, dial: Dial, timeout_s: float = TIMEOUT_S) -> None:
    """Pump `frontier` until nothing is left; a try is limited to `timeout_s` seconds.

    Raises:
        ExceptionGroup: a worker failed, which no fetch can cause.
    """
    asyncio.run(program(plan, frontier, dial, timeout_s))


async def program(plan: CrawlConfig, frontier: Frontier, dial: Dial, timeout_s: float = TIMEOUT_S) -> None:
    """Return the coroutine that `crawl` runs."""
    await _AsyncioCrawl(plan, frontier, dial, timeout_s).run()


class _AsyncioCrawl:
    def __init__(self, plan: CrawlConfig, frontier: Frontier, dial: Dial, timeout_s: float) -> None:
        self._plan = plan
        self._frontier = frontier
        self._dial = dial
        self._timeout_s = timeout_s
        self._queue: asyncio.Queue[str] = asyncio.Queue()

    async def run(self) -> None:
        for root in self._plan.canonical_roots():
            self._put(self._frontier.offer(root, self._plan.max_redirect))
        async with asyncio.TaskGroup() as group:
            workers = [group.create_task(self._work()) for _ in range(self._plan.max_tasks)]
            await self._queue.join()
            for worker in workers:
                worker.cancel()

    def _put(self, urls: list[str]) -> None:
        for url in urls:
            self._queue.put_nowait(url)

    async def _work(self) -> None:
        while True:
            url = await self._queue.get()
            self._frontier.start(url)
            self._put(self._frontier.complete(url, await self._fetch(url)))
            self._queue.task_done()

    async def _fetch(self, url: str) -> Outcome:
        for left in reversed(range(self._plan.max_tries)):
            came = await self._try(url)
            if not (left and isinstance(came, FetchFailure) and came.error in TRANSIENT):
                break
        return came

    async def _try(self, url: str) -> Outcome:
        try:
            async with asyncio.timeout(self._timeout_s):
                return outcome(url, await self._get(url))
        except (OSError, HttpError) as error:
            return failure(error)

    async def _get(self, url: str) -> Response:
        address = split(url)
        reader, writer = await asyncio.open_connection(*self._dial(address.host, address.port))
        try:
            return await _exchange(reader, writer, url)
        finally:
            writer.close()
            try:
                await writer.wait_closed()
            except OSError:
                pass  # a reset: the reader has raised it already


async def _exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, url: str) -> Response:
    dialogue = get(url)
    answer: bytes | None = None
    try:
        while True:
            command = dialogue.send(answer)
            if isinstance(command, Send):
                writer.write(command.data)
                await writer.drain()
                answer = None
            else:
                answer = await reader.read(_RECEIVE_BYTES)
    except StopIteration as stop:
        response: Response = stop.value
        return response
