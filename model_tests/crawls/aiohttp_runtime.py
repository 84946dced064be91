"""The runtime of asyncio and aiohttp, with its own client, connections, HTTP and content codings.

It is written for aiohttp: a session keeps connections alive, its resolver dials, and redirects are not followed by
it.  It has no queue and no join.  Each URL is a task of one TaskGroup, which ends when the last task does, and a
semaphore limits how many of them fetch at once.  Shared with the other runtimes are the frontier, the plan, and the
processing of a complete response: links, charset, Location.  `crawl` runs it on real sockets, simulated_runtime.py on
the simulated network, unmodified.  Errors are recognised by aiohttp's documented exceptions; ALIKE lists which of our
errors those cannot distinguish.

Source: aiohttp documentation, "Client Reference" (Hierarchy of exceptions; AbstractResolver; ClientTimeout).
"""

import asyncio
import socket
from collections.abc import Callable, Mapping
from typing import Final

import aiohttp
import yarl
from aiohttp.abc import AbstractResolver, ResolveResult

from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.web.http import LIMITS, Response
from impl.web.interpret import outcome
from impl.web.outcome import TRANSIENT, FetchFailure, Outcome
from impl.web.serving.site import AttemptFault

from .oracle import ClientTraits
from .server import TIMEOUT_S, Dial

#: Our errors that aiohttp reports by the exception of another one.
ERROR_ALIASES: Final = {
    # ClientPayloadError: the body is wrong.  It is cut short by an end or by a reset, or does not match its coding.
    "reset": "incomplete",
    "encoding": "incomplete",
    # ClientResponseError: the response cannot be parsed.  It is not HTTP, or its header exceeds `max_field_size`.
    "too-large": "protocol",
}

#: Its words for the errors of faults, where they are not those of the aliases.
WORDS: Final[Mapping[AttemptFault, tuple[str, ...]]] = {
    # It has no limit for a body.
    "big-body": ("incomplete",),
    # An error in the segment of the header block is an error of the block.
    "bad-chunk": ("protocol", "incomplete"),
    "short-length": ("protocol",),
}

CLIENT: Final = ClientTraits(ERROR_ALIASES, WORDS, repeats=True)


def crawl(
    plan: CrawlConfig,
    frontier: Frontier,
    dial: Dial,
    timeout_s: float = TIMEOUT_S,
    keep_alive: bool = True,
) -> None:
    """Pump `frontier` until nothing is left; a try is limited to `timeout_s` seconds.

    Raises:
        ExceptionGroup: a task failed, which no fetch can cause.
    """
    asyncio.run(program(plan, frontier, lambda: _Dialling(dial), timeout_s, keep_alive))


async def program(
    plan: CrawlConfig,
    frontier: Frontier,
    resolver: Callable[[], AbstractResolver],
    timeout_s: float = TIMEOUT_S,
    keep_alive: bool = True,
) -> None:
    """Return the coroutine that `crawl` runs; `resolver` makes the resolver of hosts, on the running loop.

    `keep_alive`: whether connections are reused.
    """
    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(resolver=resolver(), limit=plan.max_tasks, force_close=not keep_alive),
        timeout=aiohttp.ClientTimeout(total=timeout_s),
        cookie_jar=aiohttp.DummyCookieJar(),
        max_line_size=LIMITS.header_bytes,
        max_field_size=LIMITS.header_bytes,
    )
    async with session, asyncio.TaskGroup() as group:
        _AiohttpCrawl(plan, frontier, session, group).begin()


class _AiohttpCrawl:
    def __init__(
        self, plan: CrawlConfig, frontier: Frontier, session: aiohttp.ClientSession, group: asyncio.TaskGroup
    ) -> None:
        self._plan = plan
        self._frontier = frontier
        self._session = session
        self._group = group
        self._room = asyncio.Semaphore(plan.max_tasks)

    def begin(self) -> None:
        for root in self._plan.canonical_roots():
            self._spawn(self._frontier.offer(root, self._plan.max_redirect))

    def _spawn(self, urls: list[str]) -> None:
        for url in urls:
            self._group.create_task(self._visit(url))

    async def _visit(self, url: str) -> None:
        async with self._room:
            self._frontier.start(url)
            self._spawn(self._frontier.complete(url, await self._fetch(url)))

    async def _fetch(self, url: str) -> Outcome:
        for left in reversed(range(self._plan.max_tries)):
            came = await self._try(url)
            if not (left and isinstance(came, FetchFailure) and came.error in TRANSIENT):
                break
        return came

    async def _try(self, url: str) -> Outcome:
        try:
            return outcome(url, await self._get(url))
        except (aiohttp.ClientError, TimeoutError) as error:
            return FetchFailure(word(error))

    async def _get(self, url: str) -> Response:
        as_it_is = yarl.URL(url, encoded=True)
        async with self._session.get(as_it_is, allow_redirects=False) as response:
            body = await response.read()
        headers = tuple((name.lower(), value) for name, value in response.raw_headers)
        return Response(response.status, headers, body)


class _Dialling(AbstractResolver):
    """A resolver that finds host and port in a `Dial`."""

    def __init__(self, dial: Dial) -> None:
        self._dial = dial

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        address, there = self._dial(host, port)
        found = ResolveResult(
            hostname=host,
            host=address,
            port=there,
            family=socket.AF_INET,
            proto=0,
            flags=socket.AI_NUMERICHOST,
        )
        return [found]

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


def word(error: aiohttp.ClientError | TimeoutError) -> str:
    """Return our word for an error, except for ALIKE; an error that no site can cause is raised again."""
    match error:
        case TimeoutError():
            return "timeout"
        case aiohttp.ClientConnectorDNSError():
            return "no-such-host"
        case aiohttp.ClientSSLError():
            return "tls"
        case aiohttp.ClientConnectorError():
            return "refused"
        case aiohttp.ClientResponseError():
            return "protocol"
        case aiohttp.ServerDisconnectedError() | aiohttp.ClientPayloadError():
            return "incomplete"
        case aiohttp.ClientOSError():
            return "reset"
    raise error
