"""The pool over TLS: real OpenSSL and real certificates, on the simulated network."""

from __future__ import annotations

import ssl
from functools import partial

import pytest

from impl import CancelledError
from impl.crawl.fetch import Fetcher
from impl.crawl.pool import Secure, Times
from impl.net import ByteStream
from impl.net.tls import tls_client, tls_server
from impl.web.outcome import FetchFailure, Outcome, Page

from ..net.helpers import cancelled
from ..net.tls import client_context, server_context
from .helpers import ANSWER, CLOSE, HEAR, KEPT, OK, RESET, STAY, Act, Script, Web

CLIENT = client_context()
URL = "https://a.test/"


def secure(context: ssl.SSLContext = CLIENT) -> Secure:
    return partial(tls_client, context=context)


class TlsWeb(Web):
    """The scripted servers behind TLS, with a certificate for `name`."""

    def __init__(self, *scripts: Script, name: str = "a.test", times: Times | None = None) -> None:
        self._server = server_context(name)
        super().__init__(*scripts, port=443, secure=secure(), times=times or Times())

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


def test_a_cancel_at_any_turn_leaves_no_connection_behind() -> None:
    for cut_at in range(500):
        web = TlsWeb((HEAR, OK[:5], 3, OK[5:], STAY))
        task = web.loop.create_task(web.pool.get(URL))
        if not cancelled(web.loop, task, cut_at):
            break
        with pytest.raises(CancelledError):
            web.run(task)
        web.settle()
        assert web.net.connections == ()
        web.loop.close()
    assert 20 < cut_at < 499
