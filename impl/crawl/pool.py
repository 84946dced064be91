"""A pool of connections that are kept alive and reused, per origin (scheme, host, port) or proxy.

1.  A GET takes the idle connection of its origin that was used last, or opens one.  It returns the connection to the
    pool when the response is complete and the connection can carry another request (`impl.web.http.Client.reusable`).
    The caller decides how many GETs run at once.  The number of idle connections is bounded, per origin and in total,
    and the one that is idle longest is closed first.
2.  A server may close an idle connection at any moment, even while the next request is on its way (RFC 9112, 9.3.1).
    So the end of a reused connection, before any byte of the response has arrived, says nothing about the URL, nor do
    bytes that are not HTTP, which may belong to the last response.  The GET, which is idempotent (RFC 9110, 9.2.2), is
    then repeated once, over a new connection, unseen by the caller.
3.  A connection belongs to one GET or to the pool.  A GET that fails or is cancelled aborts its connection, so none is
    ever returned in the middle of a message, and none is leaked.
4.  A proxy has connections for all http URLs that it leads to, and for https a tunnel for each origin.  Whether it may
    be asked for a URL is decided for each URL, not for each connection.  A *route* is the network that opens a
    connection, and the proxy at its other end.  A proxy looks names up itself.  So their addresses cannot be looked at
    here, as those of `PublicNet` are: a proxy has to guard its own network.  A URL that itself says that it is local is
    refused here, and the proxy is not asked.
5.  The order of reuse, retries and closing depends only on the network's behaviour: it is the same on every run.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass, field
from typing import Final, TypeVar

from ..combinators.timeout import timeout
from ..interfaces import Spawner
from ..net import ByteStream, Net, open_stream
from ..net.wrappers import PrivateAddressError, ProxiedNet
from ..web.http import ANONYMOUS, LIMITS, Client, HttpError, Identity, Limits, Receive, Response, Send
from ..web.proxy import Choose, Proxy
from ..web.url import Address, split

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Route:
    """The way through `proxy`: on `net` every name leads to it."""

    proxy: Proxy
    net: Net = field(compare=False)


#: Returns the route to an address; None: the way is direct.  It raises PrivateAddressError for an address to refuse.
Routes = Callable[[Address], Route | None]


def direct(address: Address) -> None:
    """No address has a route through a proxy."""


def routes(net: Net, choose: Choose, refuses: Callable[[str], bool]) -> Routes:
    """The routes to all addresses.

    Parameters:
        net: the network on which the proxies are; they may have private addresses.
        choose: names the proxy for an address.
        refuses: whether a host must not be asked for.
    """

    def route(address: Address) -> Route | None:
        proxy = choose(address)
        if proxy is None:
            return None
        if refuses(address.host):
            raise PrivateAddressError(f"{address.host} is private, and a proxy would go there")
        return Route(proxy, ProxiedNet(net, proxy.host, proxy.port))

    return route


#: Secures a stream to a host (TLS, with a certificate of that host), or closes it and raises an OSError.
Secure = Callable[[ByteStream, str], Awaitable[ByteStream]]


@dataclass(frozen=True, slots=True)
class Times:
    """The time limits of the parts of one GET, in seconds; None: no limit.

    connect_s: look-up, connect and, for https, the handshake; first_byte_s: from then until the first byte arrives;
    total_s: the whole GET, including a repeated request; bytes_s: the least average, in bytes a second, at which a
    response arrives, after the first `SLOW_S` seconds.
    """

    connect_s: float | None = None
    first_byte_s: float | None = None
    total_s: float | None = None
    bytes_s: int | None = None


#: For this time, in seconds, a response may be as slow as it likes.
SLOW_S: Final = 5.0

#: No limits.
UNTIMED: Final = Times()

#: The URLs that a connection can carry: those of an origin, through a proxy or not; None: all http URLs.
_Key = tuple[Route | None, tuple[str, str, int] | None]


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """A connection and its HTTP client."""

    key: _Key
    stream: ByteStream
    client: Client


class Pool:
    """GETs over `net`, on connections that are kept alive.

    Parameters:
        loop: the loop that it runs on.
        limits: of each response.
        times: of each GET.
        secure: used for https; None: https is sent in the clear, which only a simulated server understands.
        identity: of the crawler, in each request.
        route: names the way to an address through a proxy; `net` is for those without.
        keep: whether a response has its `Exchange`.
        per_origin: the most idle connections of one origin; those of a proxy for http are of many.
        in_all: the most idle connections in total.
    """

    def __init__(
        self,
        net: Net,
        loop: Spawner,
        *,
        limits: Limits = LIMITS,
        times: Times = UNTIMED,
        secure: Secure | None = None,
        identity: Identity = ANONYMOUS,
        route: Routes = direct,
        keep: bool = False,
        per_origin: int = 10,
        in_all: int = 100,
    ) -> None:
        self._net = net
        self._loop = loop
        self._limits = limits
        self._times = times
        self._secure = secure
        self._identity = identity
        self._route = route
        self._keeps = keep
        self._per_origin = per_origin
        self._in_all = in_all
        self._idle: list[_Line] = []  # in order of use, the latest last
        self._closed = False

    async def get(self, url: str) -> Response:
        """GET a canonical URL.

        Raises:
            HttpError, OSError: there is no complete response; TimeoutError, one of `times` was exceeded.
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
        route = self._route(address)
        used = self._take(_key(address, route))
        if used is not None:
            try:
                return await self._exchange(used, url)
            except (OSError, HttpError) as error:
                if used.client.answered or isinstance(error, TimeoutError):
                    raise
        return await self._exchange(await self._open(address, route), url)

    async def _open(self, address: Address, route: Route | None) -> _Line:
        net = self._net if route is None else route.net
        proxy = None if route is None else route.proxy
        async with timeout(self._times.connect_s, loop=self._loop):
            stream: ByteStream = await open_stream(net, self._loop, address.host, address.port)
            if proxy is not None and address.scheme == "https":
                await self._tunnel(proxy, stream, address)
                proxy = None
            if self._secure is not None and address.scheme == "https":
                stream = await self._secure(stream, address.host)
        client = Client(self._limits, self._identity, proxy, keep=self._keeps)
        return _Line(_key(address, route), stream, client)

    async def _tunnel(self, proxy: Proxy, stream: ByteStream, address: Address) -> None:
        try:
            await _pump(stream, Client(self._limits, self._identity, proxy).tunnel(address))
        except BaseException:
            stream.abort()
            raise

    async def _exchange(self, line: _Line, url: str) -> Response:
        """Perform one GET on `line`, which is in the pool or closed afterwards."""
        try:
            response = await self._timed(line, url)
            if self._closed or not line.client.reusable:
                await line.stream.aclose()
                return response
        except BaseException:
            line.stream.abort()
            raise
        await self._keep(line)
        return response

    async def _timed(self, line: _Line, url: str) -> Response:
        rate, began, received = self._times.bytes_s, None, 0
        async with timeout(self._times.first_byte_s, loop=self._loop) as patience:

            def heard(count: int) -> None:
                nonlocal began, received
                received += count
                if rate is not None:
                    began = self._loop.time() if began is None else began
                    patience.reschedule(began + SLOW_S + received / rate)
                elif patience.when() is not None:
                    patience.reschedule(None)

            return await _pump(line.stream, line.client.get(url), heard)

    def _take(self, key: _Key) -> _Line | None:
        for i in reversed(range(len(self._idle))):
            if self._idle[i].key == key:
                return self._idle.pop(i)
        return None

    async def _keep(self, line: _Line) -> None:
        """Add `line` to the pool, and close the idle connection that exceeds a bound, if any."""
        self._idle.append(line)
        ours = [kept for kept in self._idle if kept.key == line.key]
        _, origin = line.key
        if origin is not None and len(ours) > self._per_origin:
            surplus = ours[0]
        elif len(self._idle) > self._in_all:
            surplus = self._idle[0]
        else:
            return
        self._idle.remove(surplus)
        await surplus.stream.aclose()


def _key(address: Address, route: Route | None) -> _Key:
    if route is not None and address.scheme == "http":
        return route, None
    return route, (address.scheme, address.host, address.port)


async def _pump(
    stream: ByteStream,
    dialogue: Generator[Send | Receive, bytes | None, T],
    heard: Callable[[int], object] = lambda count: None,
) -> T:
    """Drive a dialogue on `stream` to its end; `heard` is called with the number of bytes of each receive."""
    answer: bytes | None = None
    try:
        while True:
            command = dialogue.send(answer)
            if isinstance(command, Send):
                await stream.send_all(command.data)
                answer = None
            else:
                answer = await stream.receive_some()
                heard(len(answer))
    except StopIteration as stop:
        result: T = stop.value
        return result
