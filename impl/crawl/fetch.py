"""Fetch one URL over a network: connect, pump the HTTP dialogue, close; every error is an outcome.

Theory of operation.  HTTP is a generator that does no I/O (`impl.web.http.get`); this pumps it over a `Stream`.
Resolve, connect, request and response together make one *try*, under one time limit.  The exceptions of the
network are turned into outcomes by `impl.web.interpret.failure`, one table for every network.
"""

from __future__ import annotations

from ..faces import Spawner
from ..net import Net, Stream, open_stream
from ..timeouts import timeout
from ..web.http import LIMITS, HttpError, Limits, Response, Send, get
from ..web.interpret import failure, outcome
from ..web.url import split
from .outcome import Outcome


async def exchange(stream: Stream, url: str, limits: Limits) -> Response:
    """GET `url` over `stream`.

    Raises:
        HttpError, OSError: there is no whole response.
    """
    dialogue = get(url, limits)
    answer: bytes | None = None
    try:
        while True:
            command = dialogue.send(answer)
            if isinstance(command, Send):
                await stream.send_all(command.data)
                answer = None
            else:
                answer = await stream.receive_some()
    except StopIteration as stop:
        response: Response = stop.value
        return response


class Fetcher:
    """Fetches URLs over `net`; an instance is a `Fetch` for the crawler.

    Parameters:
        loop: the loop that it runs on.
        timeout_s: seconds that one try may take; None: no limit.
        limits: of the response.
    """

    def __init__(
        self, net: Net, loop: Spawner, *, timeout_s: float | None = 30.0, limits: Limits = LIMITS
    ) -> None:
        self._net = net
        self._loop = loop
        self._timeout_s = timeout_s
        self._limits = limits

    async def __call__(self, url: str) -> Outcome:
        try:
            async with timeout(self._timeout_s, loop=self._loop):
                return outcome(url, await self._get(url))
        except (OSError, HttpError) as error:
            return failure(error)

    async def _get(self, url: str) -> Response:
        address = split(url)
        async with await open_stream(self._net, self._loop, address.host, address.port) as stream:
            return await exchange(stream, url, self._limits)
