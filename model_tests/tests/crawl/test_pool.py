"""The keep-alive pool: which connection a GET uses, its later fate, and the cost of a dead one.

For TLS there are real OpenSSL and real certificates, on the simulated network.
"""

import ssl
from functools import partial

import pytest

from impl import Choices, Loop, Task, sleep
from impl.crawl.fetch import Fetcher
from impl.crawl.pool import Secure, Times
from impl.net import ByteStream, SimulatedNet
from impl.net.tls import tls_client, tls_server
from impl.sim.order import Order
from impl.web.http import HttpError, Limits, Response
from impl.web.outcome import FetchFailure, Outcome, Page
from impl.web.serving.hosting import host
from impl.web.serving.site import Broken, Html, Moved, Site, resource_at

from ..net.tls import client_context, server_context
from .helpers import ANSWER, CLOSE, HEAR, KEPT, OK, RESET, STAY, Act, Script, Web, cut_at_each_turn

ENDING = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"
OLD = b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"
UNFRAMED = b"HTTP/1.1 200 OK\r\n\r\nok"


def after_two(*last: bytes | Act) -> tuple[Script, ...]:
    return (*ANSWER, HEAR, *last), KEPT


#: Servers, and whether the third of three GETs uses the connection of the first two.
THREE: dict[str, tuple[tuple[Script, ...], bool]] = {
    "kept": ((KEPT,), True),
    "204": (((HEAR, b"HTTP/1.1 204 No Content\r\n\r\n", *KEPT),), True),
    "304": (((HEAR, b"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", *KEPT),), True),
    "404": (((HEAR, b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", *KEPT),), True),
    "Connection: close": (after_two(ENDING, STAY), False),
    "HTTP/1.0": (after_two(OLD, STAY), False),
    "a body up to the end": (after_two(UNFRAMED, CLOSE), False),
    "more than the response": (after_two(OK + b"more", STAY), False),
    "no body": (after_two(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", STAY), False),
}


@pytest.mark.parametrize(("scripts", "again"), THREE.values(), ids=THREE)
def test_a_connection_is_used_again_if_it_may_be(scripts: tuple[Script, ...], again: bool) -> None:
    web = Web(*scripts)
    web.get("/1")
    web.get("/2")
    assert web.open_clients == again
    web.get("/3")
    assert web.heard == [(1, "/1"), (1, "/2"), (2 - again, "/3")]


def test_scheme_host_and_port_make_an_origin() -> None:
    web = Web(KEPT)
    web.serve("a.test", 81, [KEPT])
    web.serve("a.test", 443, [KEPT, KEPT])
    web.serve("b.test", 80, [KEPT])
    origins = ("http://a.test", "http://a.test:81", "https://a.test", "http://a.test:443", "http://b.test")
    for origin in origins * 2:
        web.get("/", origin)
    assert [number for number, _ in web.heard] == [1, 1, 1, 2, 1] * 2
    assert web.open_clients == 5


def test_the_connection_used_last_is_taken_first() -> None:
    web = Web((HEAR, 9, OK, *KEPT), (HEAR, 5, OK, *KEPT), (HEAR, 1, OK, *KEPT))
    for task in [web.start("/slow"), web.start("/middle"), web.start("/fast")]:
        web.run(task)
    web.heard.clear()
    web.get("/1")
    web.get("/2")
    for task in [web.start("/3"), web.start("/4"), web.start("/5")]:
        web.run(task)
    assert web.heard == [(1, "/1"), (1, "/2"), (1, "/3"), (2, "/4"), (3, "/5")]


@pytest.mark.parametrize(("per_origin", "in_all", "kept"), [(2, 9, [3, 2]), (9, 1, [3]), (0, 9, [])])
def test_of_too_many_the_one_idle_longest_goes(per_origin: int, in_all: int, kept: list[int]) -> None:
    late: list[Script] = [(HEAR, wait_ms, OK, *KEPT) for wait_ms in (1, 5, 9)]
    web = Web(*late, KEPT, KEPT, per_origin=per_origin, in_all=in_all)
    for task in [web.start("/"), web.start("/"), web.start("/")]:
        web.run(task)
    assert web.open_clients == len(kept)
    web.heard.clear()
    for task in [web.start("/") for _ in kept]:
        web.run(task)
    assert [number for number, _ in web.heard] == kept


@pytest.mark.parametrize(
    "death",
    [
        pytest.param((CLOSE,), id="closed while idle"),
        pytest.param((RESET,), id="reset while idle"),
        pytest.param((HEAR, CLOSE), id="closed on the request"),
        pytest.param((HEAR, RESET), id="reset on the request"),
    ],
)
@pytest.mark.parametrize("pause", [0, 50])
def test_a_kept_connection_that_is_dead_costs_a_new_one_and_no_more(death: Script, pause: int) -> None:
    web = Web((*ANSWER, *death), KEPT)
    web.get("/1")
    web.settle(pause)
    assert web.get("/2") == b"ok"
    assert web.heard[-1] == (2, "/2")


@pytest.mark.parametrize(("death", "error"), [(CLOSE, HttpError), (RESET, ConnectionResetError)])
def test_a_get_is_repeated_once_and_over_no_other_kept_connection(death: Act, error: type[Exception]) -> None:
    web = Web((*ANSWER, HEAR, death), (*ANSWER, HEAR, death), (HEAR, death), KEPT)
    for task in [web.start("/"), web.start("/")]:
        web.run(task)
    web.heard.clear()
    with pytest.raises(error):
        web.get("/2")
    assert [number for number, _ in web.heard] == [2, 3]


@pytest.mark.parametrize(("death", "error"), [(CLOSE, HttpError), (RESET, ConnectionResetError)])
def test_after_the_first_byte_nothing_is_repeated(death: Act, error: type[Exception]) -> None:
    web = Web((*ANSWER, HEAR, b"H", 5, death), KEPT)
    web.get("/1")
    with pytest.raises(error):
        web.get("/2")
    assert web.heard == [(1, "/1"), (1, "/2")]
    assert web.open_clients == 0


def test_a_new_connection_that_dies_is_an_error_at_once() -> None:
    web = Web((HEAR, CLOSE), KEPT)
    with pytest.raises(HttpError, match="incomplete"):
        web.get("/1")
    assert web.heard == [(1, "/1")]


@pytest.mark.parametrize("answer", [b"SSH-2.0\r\n", OK[:-1], b"HTTP/1.1 200 \r\nContent-Length: 99\r\n\r\n"])
def test_a_failed_exchange_closes_its_connection(answer: bytes) -> None:
    web = Web((HEAR, answer, 9, CLOSE), KEPT, limits=Limits(body_bytes=98))
    with pytest.raises(HttpError):
        web.get("/1")
    assert web.open_clients == 0
    web.get("/2")
    assert web.heard == [(1, "/1"), (2, "/2")]


@pytest.mark.parametrize("order", ["fifo", "any"])
@pytest.mark.parametrize("warm", [False, True], ids=["new", "kept"])
def test_a_cancel_at_any_turn_leaves_no_connection_behind(order: Order, warm: bool) -> None:
    """A GET that waits in the middle of its response, or first gets a kept connection that is dead."""
    stale: Script = (*ANSWER, HEAR, CLOSE)
    cut: Script = (HEAR, OK[:5], 3, OK[5:])

    def begin() -> tuple[Web, Task[Response]]:
        web = Web(*([stale] if warm else []), (*cut, *KEPT), KEPT, order=order)
        if warm:
            web.get("/warm")
        return web, web.start("/1")

    for web in cut_at_each_turn(begin, 10):
        assert web.get("/2") == b"ok"
        web.run(web.pool.aclose())
        assert web.open_clients == 0


def test_aclose_closes_the_idle_ones_now_and_those_in_use_when_they_are_done() -> None:
    web = Web((HEAR, 50, OK, STAY), KEPT)
    slow = web.start("/slow")
    web.settle(10)
    web.get("/fast")
    assert web.open_clients == 2
    web.run(web.pool.aclose())
    web.run(web.pool.aclose())
    assert web.open_clients == 1
    assert web.run(slow).body == b"ok"
    assert web.open_clients == 0
    with pytest.raises(RuntimeError, match="the pool is closed"):
        web.get("/late")


@pytest.mark.parametrize(
    ("times", "script", "seconds"),
    [
        (Times(first_byte_s=2), (HEAR, STAY), 2),
        (Times(first_byte_s=2, total_s=1), (HEAR, STAY), 1),
        (Times(first_byte_s=2, total_s=5), (HEAR, OK[:-1], STAY), 5),
        (Times(total_s=5), (HEAR, OK[:9], 4000, OK[9:12], 4000, OK[12:]), 5),
        # 5 s, and as long as the bytes that came would take at 10 a second
        (Times(bytes_s=10), (HEAR, OK[:9], 4000, OK[9:12], 4000, OK[12:]), 6.2),
        (Times(bytes_s=1), (HEAR, OK[:9], STAY), 14),
        (Times(bytes_s=10, first_byte_s=2), (HEAR, STAY), 2),
    ],
)
def test_each_time_is_a_limit(times: Times, script: Script, seconds: float) -> None:
    web = Web(script, times=times)
    with pytest.raises(TimeoutError):
        web.get("/")
    assert web.loop.time() == pytest.approx(seconds, abs=0.01)
    assert web.open_clients == 0


@pytest.mark.parametrize("times", [Times(first_byte_s=1, connect_s=1), Times(bytes_s=10)])
def test_a_response_that_is_fast_enough_may_pause(times: Times) -> None:
    """The time to the first byte limits no other, either."""
    web = Web((HEAR, 900, OK[:9], 4000, OK[9:], *KEPT), times=times)
    assert web.get("/") == b"ok"
    assert web.get("/again") == b"ok"


def test_connecting_and_a_kept_connection_have_one_time() -> None:
    async def never(stream: ByteStream, name: str) -> ByteStream:
        try:
            await sleep(1000)
        finally:
            stream.abort()
        return stream

    web = Web(KEPT, port=443, times=Times(connect_s=3), secure=never)
    with pytest.raises(TimeoutError):
        web.get("/", "https://a.test")
    assert web.loop.time() == 3
    assert web.open_clients == 0
    web = Web((*ANSWER, HEAR, STAY), KEPT, times=Times(first_byte_s=1))
    web.get("/1")
    with pytest.raises(TimeoutError):
        web.get("/2")
    assert len(web.heard) == 2


def securing(seen: list[str]) -> Secure:
    async def secure(stream: ByteStream, name: str) -> ByteStream:
        seen.append(name)
        return stream

    return secure


def test_https_and_only_https_is_made_secure_once_a_connection() -> None:
    seen: list[str] = []
    web = Web(KEPT, secure=securing(seen))
    web.serve("a.test", 443, [KEPT])
    for origin in ("http://a.test", "https://a.test", "https://a.test"):
        web.get("/", origin)
    assert seen == ["a.test"]


def fetched(site: Site, *urls: str) -> list[object]:
    """Return the outcomes of a Fetcher for the URLs of a hosted site."""
    choices = Choices.plain()
    loop = Loop(choices)
    net = SimulatedNet(loop, choices)
    fetcher = Fetcher(net, loop, timeout_s=5)

    async def main() -> list[object]:
        host(site, net, loop)
        found: list[object] = [await fetcher(url) for url in urls]
        await fetcher.aclose()
        return found

    return loop.run(main())


def test_what_is_only_linked_to_is_what_the_site_says_it_is() -> None:
    root = "http://a.test/"
    site = Site({root: Html(("http://b.test/",)), "http://dead.test/x": Broken("refused")}, (root,))
    words = {
        "http://a.test/none": "status",
        "http://a.test:81/": "refused",
        "http://b.test/": "no-such-host",
        "http://dead.test/y": "refused",
    }
    found = fetched(site, *words)
    assert [failure.error for failure in found if isinstance(failure, FetchFailure)] == list(words.values())
    at = [resource_at(site, url) for url in words]
    assert [broken.fault for broken in at if isinstance(broken, Broken)] == list(words.values())
    assert resource_at(site, root) == site.resources[root]


def test_a_try_has_its_time_and_its_connection_goes_with_it() -> None:
    root = "http://a.test/"
    site = Site({root: Broken("silent"), f"{root}page": Html(), f"{root}moved": Moved(root)}, (root,))
    silent, page, _ = fetched(site, root, f"{root}page", f"{root}moved")
    assert silent == FetchFailure("timeout")
    assert isinstance(page, Page)


# --- TLS --------------------------------------------------------------------------------------------------------------

CLIENT = client_context()
URL = "https://a.test/"


def secure(context: ssl.SSLContext = CLIENT) -> Secure:
    return partial(tls_client, context=context)


class TlsWeb(Web):
    """The scripted servers behind TLS, with a certificate for `name`."""

    def __init__(self, *scripts: Script, name: str = "a.test") -> None:
        self._server = server_context(name)
        super().__init__(*scripts, port=443, secure=secure())

    async def play(self, number: int, script: Script, stream: ByteStream) -> None:
        try:
            tls = await tls_server(stream, self._server)
        except OSError:
            return  # the client has disconnected
        await super().play(number, script, tls)

    def fetch(self) -> Outcome:
        return self.run(Fetcher(self.net, self.loop, timeout_s=9, secure=secure())(URL))


def test_one_handshake_serves_one_get_after_another() -> None:
    web = TlsWeb(KEPT)
    assert [web.get(target, "https://a.test") for target in ("/1", "/2", "/3")] == [b"ok"] * 3
    assert web.heard == [(1, "/1"), (1, "/2"), (1, "/3")]
    web.run(web.pool.aclose())
    web.settle()
    assert web.net.connections == ()


@pytest.mark.parametrize("death", [(CLOSE,), (RESET,), (HEAR, CLOSE), (HEAR, RESET)])
def test_a_kept_connection_that_is_dead_costs_a_new_one(death: tuple[Act, ...]) -> None:
    web = TlsWeb((*ANSWER, *death), KEPT)
    web.get("/1", "https://a.test")
    web.settle()
    assert web.get("/2", "https://a.test") == b"ok"
    assert web.heard[-1] == (2, "/2")


def test_only_a_certificate_of_this_name_is_accepted() -> None:
    web = TlsWeb(KEPT, name="b.test")
    assert web.fetch() == FetchFailure("tls")
    web.settle()
    assert web.open_clients == 0
    assert web.heard == []
    assert isinstance(TlsWeb(KEPT).fetch(), Page)


def test_a_server_without_tls_or_a_handshake_without_end() -> None:
    web = Web((HEAR, b"HTTP/1.1 400 Bad Request\r\n\r\n", STAY), port=443)
    assert web.run(Fetcher(web.net, web.loop, secure=secure())(URL)) == FetchFailure("tls")
    web.settle()
    assert web.open_clients == 0
    web = Web((STAY,), port=443, secure=secure(), times=Times(connect_s=2))
    with pytest.raises(TimeoutError):
        web.get("/", "https://a.test")
    assert web.loop.time() == pytest.approx(2, abs=0.01)
    assert web.open_clients == 0


def test_a_body_that_only_its_connection_ends_must_be_ended_by_tls() -> None:
    """Any party could cut the connection below TLS (RFC 9112, 9.8)."""
    unframed = b"HTTP/1.1 200 OK\r\n\r\nok"
    assert isinstance(TlsWeb((HEAR, unframed, CLOSE)).fetch(), Page)
    assert TlsWeb((HEAR, unframed, 5, RESET)).fetch() == FetchFailure("reset")


def test_a_cancel_at_any_turn_leaves_no_connection_by_tls_behind() -> None:
    def begin() -> tuple[Web, Task[Response]]:
        web = TlsWeb((HEAR, OK[:5], 3, OK[5:], STAY))
        return web, web.loop.create_task(web.pool.get(URL))

    for web in cut_at_each_turn(begin, 20):
        assert web.net.connections == ()
