"""Connections kept alive and used again: a pool per origin (scheme, host, port).

Theory of operation.
1.  A GET takes the idle connection of its origin that was used last, else opens one, and gives it back when the
    response is whole and the connection carries another (`impl.web.http.Client.reusable`).  How many GETs run
    at once is the caller's affair; how many connections lie idle is bounded, for each origin and in all, and the
    one idle longest goes first.
2.  A server may close an idle connection at any moment, also while the next request is on its way (RFC 9112,
    9.3.1).  So a connection that was used before, and ends before any byte of the response has come, says
    nothing about the URL: the GET, which is idempotent (RFC 9110, 9.2.2), is sent once more, over a new
    connection, and the caller sees nothing of it.
3.  A connection belongs to one GET or to the pool.  A GET that fails or is cancelled aborts its own, so none is
    ever given back in the middle of a message, and none is forgotten.
4.  Order of use, retries and closing depend only on what the network does: the same on every run.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from ..combinators.timeout import timeout
from ..interfaces import Spawner
from ..net import ByteStream, Net, open_stream
from ..web.http import LIMITS, Client, HttpError, Limits, Response, Send
from ..web.url import Address, split

#: Makes a stream to a host secure (TLS, and a certificate of that host), or closes it and raises an OSError.
Secure = Callable[[ByteStream, str], Awaitable[ByteStream]]


@dataclass(frozen=True, slots=True)
class Times:
    """How long the parts of one GET may take, in seconds; None: no limit.

    connect_s: to look the name up, connect and, for https, shake hands; first_byte_s: from then on, until the
    first byte comes; total_s: all of it, a repeated request included.
    """

    connect_s: float | None = None
    first_byte_s: float | None = None
    total_s: float | None = None


#: No limits.
UNTIMED: Final = Times()

_Origin = tuple[str, str, int]


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """A connection, and what is spoken on it."""

    origin: _Origin
    stream: ByteStream
    client: Client


class Pool:
    """GETs over `net`, on connections that are kept alive.

    Parameters:
        loop: the loop that it runs on.
        limits: of each response.
        times: of each GET.
        secure: used for https; None: https is spoken in the clear, which only a simulated server understands.
        per_origin: how many idle connections of one origin are kept.
        in_all: how many idle connections are kept.
    """

    def __init__(
        self,
        net: Net,
        loop: Spawner,
        *,
        limits: Limits = LIMITS,
        times: Times = UNTIMED,
        secure: Secure | None = None,
        per_origin: int = 10,
        in_all: int = 100,
    ) -> None:
        self._net = net
        self._loop = loop
        self._limits = limits
        self._times = times
        self._secure = secure
        self._per_origin = per_origin
        self._in_all = in_all
        self._idle: list[_Line] = []  # the one used last is the last
        self._closed = False

    async def get(self, url: str) -> Response:
        """GET a canonical URL.

        Raises:
            HttpError, OSError: there is no whole response; TimeoutError, one of `times` was over.
            ValueError: `url` is not canonical.
            RuntimeError: the pool is closed.
        """
        if self._closed:
            raise RuntimeError("the pool is closed")
        async with timeout(self._times.total_s, loop=self._loop):
            return await self._get(url)

    async def aclose(self) -> None:
        """Close all idle connections; those in use are closed when their GET is done.  May be repeated."""
        self._closed = True
        while self._idle:
            await self._idle.pop().stream.aclose()

    async def _get(self, url: str) -> Response:
        address = split(url)
        used = self._take((address.scheme, address.host, address.port))
        if used is not None:
            try:
                return await self._exchange(used, url)
            except (OSError, HttpError) as error:
                if used.client.answered or isinstance(error, TimeoutError):
                    raise
        return await self._exchange(await self._open(address), url)

    async def _open(self, address: Address) -> _Line:
        async with timeout(self._times.connect_s, loop=self._loop):
            stream: ByteStream = await open_stream(self._net, self._loop, address.host, address.port)
            if self._secure is not None and address.scheme == "https":
                stream = await self._secure(stream, address.host)
        return _Line((address.scheme, address.host, address.port), stream, Client(self._limits))

    async def _exchange(self, line: _Line, url: str) -> Response:
        """One GET on `line`, which is in the pool or closed afterwards."""
        try:
            response = await self._pump(line, url)
            if self._closed or not line.client.reusable:
                await line.stream.aclose()
                return response
        except BaseException:
            line.stream.abort()
            raise
        await self._keep(line)
        return response

    async def _pump(self, line: _Line, url: str) -> Response:
        dialogue = line.client.get(url)
        answer: bytes | None = None
        async with timeout(self._times.first_byte_s, loop=self._loop) as patience:
            try:
                while True:
                    command = dialogue.send(answer)
                    if isinstance(command, Send):
                        await line.stream.send_all(command.data)
                        answer = None
                    else:
                        answer = await line.stream.receive_some()
                        if patience.when() is not None:
                            patience.reschedule(None)
            except StopIteration as stop:
                response: Response = stop.value
                return response

    def _take(self, origin: _Origin) -> _Line | None:
        for i in reversed(range(len(self._idle))):
            if self._idle[i].origin == origin:
                return self._idle.pop(i)
        return None

    async def _keep(self, line: _Line) -> None:
        """Take `line` in, and close the one that is then too much."""
        self._idle.append(line)
        ours = [kept for kept in self._idle if kept.origin == line.origin]
        if len(ours) > self._per_origin:
            surplus = ours[0]
        elif len(self._idle) > self._in_all:
            surplus = self._idle[0]
        else:
            return
        self._idle.remove(surplus)
        await surplus.stream.aclose()
