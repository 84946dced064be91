"""A crawl through a proxy on the simulated network: its result, its connections, and its refusals."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

import pytest

from impl import Choices, Loop, Task, create_task, sleep
from impl.crawl.crawler import CrawlConfig, Crawler
from impl.crawl.fetch import Fetcher
from impl.crawl.pool import Pool, Routes, Secure, direct, routes
from impl.crawl.record import Record
from impl.crawl.robots import Gate
from impl.crawl.simulation import serve_and_crawl
from impl.net import ByteStream, Net, SimulatedNet, Stream, StreamListener, open_stream
from impl.net.conn import PendingRequest
from impl.net.tls import tls_client, tls_server
from impl.net.wrappers import PublicNet, is_local
from impl.web.http import Response
from impl.web.outcome import FetchFailure, Outcome
from impl.web.proxy import Choose, Proxy
from impl.web.serving.hosting import host
from impl.web.serving.site import Html, Moved, Raw, Resource, Site

from ..net.tls import client_context, server_context
from .helpers import HEAR, KEPT, Web, cut_at_each_turn

NAME: Final = "proxy.test"
PORT: Final = 3128
END: Final = b"\r\n\r\n"
#: Headers of one connection or one coding, which a pool has undone.
_OWN: Final = (b"connection", b"content-encoding", b"content-length", b"transfer-encoding", b"keep-alive")

Head = list[str]


def lines(head: bytes) -> Head:
    return head.decode("ascii").removesuffix("\r\n\r\n").split("\r\n")


class SimulatedProxy:
    """A proxy at NAME and PORT of `net`; with a `refusal`, a status, it refuses every request.

    To a request for an origin, without a host in its target, it answers 400.
    """

    def __init__(self, net: SimulatedNet, loop: Loop, refusal: int | None = None) -> None:
        self.heads: list[Head] = []
        self.connections = 0
        self._net = net
        self._loop = loop
        self._refusal = refusal
        self._pool = Pool(net, loop)
        net.add_host(NAME)
        loop.create_task(self._accept(StreamListener(net.listen((NAME, PORT)), loop)))

    async def _accept(self, listener: StreamListener) -> None:
        async with listener:
            while True:
                stream = await listener.accept()
                self.connections += 1
                create_task(self._serve(stream))

    async def _serve(self, stream: ByteStream) -> None:
        with suppress(OSError):
            async with stream:
                while head := await self._head(stream):
                    await self._obey(stream, head)

    async def _head(self, stream: ByteStream) -> Head | None:
        received = b""
        while not received.endswith(END):
            data = await stream.receive_some()
            if not data:
                return None
            received += data
        self.heads.append(lines(received))
        return self.heads[-1]

    async def _obey(self, stream: ByteStream, head: Head) -> None:
        method, target, _ = head[0].split()
        refusal = 400 if target.startswith("/") else self._refusal
        if refusal is not None:
            await stream.send_all(b"HTTP/1.1 %d No\r\nContent-Length: 0\r\n\r\n" % refusal)
        elif method == "CONNECT":
            host, _, port = target.rpartition(":")
            async with await open_stream(self._net, self._loop, host, int(port)) as origin:
                await stream.send_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
                back = create_task(_relay(origin, stream))
                await _relay(stream, origin)
                await back
        else:
            await stream.send_all(_rendered(await self._pool.get(target)))


async def _relay(source: ByteStream, sink: ByteStream) -> None:
    with suppress(OSError):
        while data := await source.receive_some():
            await sink.send_all(data)
    with suppress(OSError):
        await sink.send_eof()


def _rendered(response: Response) -> bytes:
    headers = [header for header in response.headers if header[0] not in _OWN]
    headers.append((b"content-length", b"%d" % len(response.body)))
    head = b"".join(b"%s: %s\r\n" % header for header in headers)
    return b"HTTP/1.1 %d Answer\r\n%s\r\n%s" % (response.status, head, response.body)


A, B, C = "http://a.test/", "http://b.test/", "https://c.test/"
PROXY = Proxy(NAME, PORT, "Basic c2VjcmV0")


def by_host(proxies: Mapping[str, Proxy | None], other: Proxy | None) -> Choose:
    return lambda address: proxies.get(address.host, other)


class Asked(SimulatedNet):
    def __init__(self, loop: Loop, choices: Choices) -> None:
        super().__init__(loop, choices)
        self.names: set[str] = set()


class Near:
    def __init__(self, net: Asked) -> None:
        self._net = net
        self.connect, self.listen = net.connect, net.listen

    def resolve(self, host: str, done: Callable[[tuple[str, ...] | OSError], None], /) -> PendingRequest:
        self._net.names.add(host)
        return self._net.resolve(host, done)


class World:
    """A site, a proxy, and a crawl of it; https is in the clear where `secure` is None."""

    def __init__(self, site: Site, refusal: int | None = None) -> None:
        choices = Choices.plain()
        self.loop = Loop(choices)
        self.site = site
        self.net = Asked(self.loop, choices)
        self.near: Net = Near(self.net)
        self.proxy = SimulatedProxy(self.net, self.loop, refusal)

    def crawl(
        self, route: Routes, *, net: Net | None = None, secure: Secure | None = None, robots: bool = False
    ) -> dict[str, Record]:
        fetcher = Fetcher(net or self.near, self.loop, route=route, secure=secure)
        gate = Gate(fetcher.get)
        plan = CrawlConfig(self.site.roots, max_tries=1)
        crawler = Crawler(plan, fetcher, refuses=gate.refuses if robots else None)
        served = self.site if self.site.resources else Site({}, ())  # else a test has servers of its own
        self.loop.run_until_complete(serve_and_crawl(served, self.net, self.loop, fetcher, crawler))
        return {row.url: row for row in crawler.records()}

    def through(self, choose: Choose = lambda address: PROXY) -> Routes:
        return routes(self.near, choose, is_local)


def site() -> Site:
    clear = C.replace("https", "http")  # a server does not know the scheme of its clients
    pages: dict[str, Resource] = {
        A: Html((f"{A}1", f"{A}2", B, C, f"{A}none")),
        f"{A}1": Html(),
        f"{A}2": Moved(f"{B}there"),
        B: Html(()),
        f"{B}there": Raw(bytes(100_000), "text/plain"),
        clear: Html((f"{C}1", f"{C}2")),
        f"{clear}1": Html(),
        f"{clear}2": Html(),
    }
    return Site(pages, (A, B, C))


def test_what_goes_through_the_proxy() -> None:
    straight, world = World(site()), World(site())
    expected = straight.crawl(direct)
    found = world.crawl(world.through())
    assert straight.proxy.heads == []
    assert {url: (row.status, row.links, row.target) for url, row in found.items()} == {
        url: (row.status, row.links, row.target) for url, row in expected.items()
    }
    assert len(found) == 9
    assert world.net.names == {NAME}
    world = World(site())
    found = world.crawl(world.through(lambda address: PROXY if address.host == "b.test" else None))
    assert {head[0].split()[1] for head in world.proxy.heads} == {B, f"{B}there"}
    assert world.net.names == {NAME, "a.test", "c.test"}
    assert len(found) == 9


def test_what_a_proxy_is_asked_is_a_function_of_the_choices() -> None:
    world = World(site())
    world.crawl(world.through())
    firsts = sorted({head[0] for head in world.proxy.heads})
    http = (A, f"{A}1", f"{A}2", f"{A}none", B, f"{B}there")
    assert firsts == ["CONNECT c.test:443 HTTP/1.1", *sorted(f"GET {url} HTTP/1.1" for url in http)]
    assert all(f"Proxy-Authorization: {PROXY.authorization}" in head for head in world.proxy.heads)
    first, second = World(site()), World(site())
    first.crawl(first.through())
    second.crawl(second.through())
    assert first.loop.time() == second.loop.time() > 0
    assert first.proxy.heads == second.proxy.heads


def test_robots_txt_is_fetched_through_the_proxy() -> None:
    rules = Raw(b"User-agent: *\nDisallow: /1", "text/plain")
    world = World(Site({**site().resources, f"{A}robots.txt": rules}, (A,)))
    found = world.crawl(world.through(), robots=True)
    assert world.net.names == {NAME}
    assert (f"GET {A}robots.txt HTTP/1.1") in [head[0] for head in world.proxy.heads]
    assert found[f"{A}1"].error == "robots"


def test_tls_within_the_tunnel_is_with_the_origin() -> None:
    context = server_context("c.test")
    heard: list[bytes] = []

    async def serve(stream: Stream) -> None:
        tls = await tls_server(stream, context)
        heard.append(await tls.receive_some())
        await tls.send_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        await tls.aclose()

    async def accept(listener: StreamListener) -> None:
        while True:
            create_task(serve(await listener.accept()))

    for name, error in (("c.test", None), ("d.test", "tls")):
        heard.clear()
        root = f"https://{name}/"
        world = World(Site({}, (root,)))
        world.net.add_host(name)
        world.loop.create_task(accept(StreamListener(world.net.listen((name, 443)), world.loop)))
        found = world.crawl(world.through(), secure=partial(tls_client, context=client_context()))
        assert [row.error for row in found.values()] == [error]
        assert [head[0] for head in world.proxy.heads] == [f"CONNECT {name}:443 HTTP/1.1"]
        if error is None:
            [request] = heard
            assert request.startswith(b"GET / HTTP/1.1\r\nHost: c.test\r\n")
            assert b"c2VjcmV0" not in request


def test_http_urls_of_all_origins_share_a_connection_and_https_ones_have_a_tunnel_each() -> None:
    web = Web(KEPT)
    web.serve("b.test", 80, [KEPT])
    web.serve("c.test", 443, [KEPT])
    web.serve("d.test", 443, [KEPT])
    proxy = SimulatedProxy(web.net, web.loop)
    pool = Pool(web.net, web.loop, route=routes(web.net, lambda address: PROXY, is_local))
    urls = (f"{A}1", f"{B}2", f"{C}3", f"{A}4", f"{C}5", "https://d.test/6", "https://d.test/7")
    assert [web.run(pool.get(url)).body for url in urls] == [b"ok"] * 7
    assert web.heard == [(1, f"/{number}") for number in range(1, 8)]
    assert proxy.connections == 3
    assert [head[0].split()[0] for head in proxy.heads] == ["GET", "GET", "CONNECT", "GET", "CONNECT"]


@pytest.mark.parametrize(("in_all", "kept"), [(9, 3), (2, 2)])
def test_connections_to_a_proxy_are_not_those_of_one_origin(in_all: int, kept: int) -> None:
    web = Web((HEAR, 50, *KEPT[1:]), (HEAR, 50, *KEPT[1:]), (HEAR, 50, *KEPT[1:]))
    proxy = SimulatedProxy(web.net, web.loop)
    route = routes(web.net, lambda address: PROXY, is_local)
    pool = Pool(web.net, web.loop, route=route, per_origin=1, in_all=in_all)
    for _ in range(2):
        for task in [web.loop.create_task(pool.get(A)) for _ in range(3)]:
            web.run(task)
    assert proxy.connections == 3 + (3 - kept)


def test_a_connection_to_one_proxy_is_not_used_for_another() -> None:
    web = Web(KEPT)
    web.serve("b.test", 80, [KEPT])
    proxy, other = SimulatedProxy(web.net, web.loop), Proxy(NAME, PORT, "Basic b3RoZXI=")
    choose = by_host({"a.test": PROXY}, other)
    pool = Pool(web.net, web.loop, route=routes(web.net, choose, is_local))
    for url in (A, B, A, B):
        web.run(pool.get(url))
    assert proxy.connections == 2
    assert [head[-1].split()[-1] for head in proxy.heads] == ["c2VjcmV0", "b3RoZXI="] * 2


def test_a_direct_connection_to_the_proxys_port_is_not_one_to_the_proxy() -> None:
    """An origin has the proxy's own name and port, and needs no proxy."""
    own = f"http://{NAME}:{PORT}/"
    world = World(site())
    choose = by_host({NAME: None}, PROXY)
    fetcher = Fetcher(world.near, world.loop, route=world.through(choose))

    async def program() -> Outcome:
        host(world.site, world.net, world.loop)
        await fetcher(f"{A}1")
        return await fetcher(own)

    assert world.loop.run_until_complete(program()).status == 400
    assert [head[0] for head in world.proxy.heads] == [f"GET {A}1 HTTP/1.1", "GET / HTTP/1.1"]
    assert world.proxy.connections == 2


def test_a_cancel_at_any_turn_leaves_no_connection_behind() -> None:
    def begin() -> tuple[Web, Task[Response]]:
        web = Web(port=80)
        web.serve("c.test", 443, [KEPT])
        SimulatedProxy(web.net, web.loop)
        pool = Pool(web.net, web.loop, route=routes(web.net, lambda address: PROXY, is_local))
        return web, web.loop.create_task(pool.get(C))

    for web in cut_at_each_turn(begin, 20):
        assert web.net.connections == ()


@pytest.mark.parametrize(
    ("root", "status", "error"),
    [*((C, status, "proxy") for status in (403, 407, 502)), (A, 407, "proxy"), (A, 403, "status")],
)
def test_whether_a_refusal_is_an_error_of_the_proxy(root: str, status: int, error: str) -> None:
    """That of a tunnel is, and missing credentials are; any other answer is one of the URL."""
    world = World(Site({}, (root,)), status)
    [row] = world.crawl(world.through()).values()
    assert (row.error, row.status, row.tries) == (error, status, 1)
    if root == C:
        world.loop.run_until_complete(sleep(1))
        assert world.net.connections == ()


def test_a_proxy_that_is_not_there_is_an_error_of_the_proxy() -> None:
    world = World(site())
    found = world.crawl(world.through(lambda address: Proxy(NAME, 1)))
    assert {row.error for row in found.values()} == {"proxy-down"}


@pytest.mark.parametrize("local", ["127.0.0.1", "[::1]", "10.0.0.9", "localhost", "localhost.", "a.localhost"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_what_is_private_by_its_url_is_not_asked_of_the_proxy(local: str, scheme: str) -> None:
    secret = f"{scheme}://{local}/"
    world = World(site())
    fetcher = Fetcher(world.near, world.loop, route=world.through())

    async def program() -> list[Outcome]:
        host(world.site, world.net, world.loop)
        return [await fetcher(A), await fetcher(secret)]

    page, refused = world.loop.run_until_complete(program())
    assert (page.status, refused) == (200, FetchFailure("private"))
    assert len(world.proxy.heads) == 1


def test_the_proxy_may_be_private_and_what_needs_none_may_not() -> None:
    """All hosts of the simulated network are private."""
    world = World(site())
    near = PublicNet(world.near)
    choose = by_host({"a.test": PROXY}, None)
    found = world.crawl(world.through(choose), net=near)
    expected = {**dict.fromkeys((A, f"{A}1", f"{A}2")), **dict.fromkeys((B, f"{B}there", C), "private")}
    assert {url: row.error for url, row in found.items() if row.error != "status"} == expected
