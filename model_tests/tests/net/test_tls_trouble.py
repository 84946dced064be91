"""TLS and trouble: a cancelled handshake leaves no connection, and an untrusted peer is rejected."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable

import pytest

from impl import Task
from impl.net.tls import TlsStream, default_context, tls_client, tls_server

from .helpers import World
from .test_cancel import cancelled_at_every_turn
from .tls import CLIENT, ROUGH, SERVER, server_context, shaken


async def fails(task: Awaitable[TlsStream]) -> OSError:
    with pytest.raises(OSError) as caught:  # noqa: PT011  (which one is for the caller to say)
        await task
    return caught.value


def test_a_cancelled_handshake_leaves_no_connection() -> None:
    async def serve(world: World) -> None:
        async with world.listen() as listener:
            try:
                await tls_server(await listener.accept(), SERVER)
            except OSError:
                pass  # the client disconnected, before or within the handshake

    async def connect(world: World) -> TlsStream:
        return await tls_client(await world.open(), "server", CLIENT)

    def begin(world: World) -> Task[TlsStream]:
        world.spawn(serve(world))
        return world.spawn(connect(world))

    def after(world: World, task: Task[TlsStream]) -> None:
        world.idle()
        assert world.net.connections == ()

    cancelled_at_every_turn(begin, after, ROUGH)


@pytest.mark.parametrize(
    ("client", "server", "why"),
    [
        (CLIENT, server_context("other.test"), "Hostname mismatch"),
        (CLIENT, server_context("server", expired=True), "certificate has expired"),
        (default_context(), SERVER, "unable to get local issuer certificate"),
    ],
    ids=["another-name", "expired", "untrusted"],
)
@pytest.mark.parametrize("world", [ROUGH], indirect=True)
async def test_a_bad_certificate_is_refused(
    world: World, client: ssl.SSLContext, server: ssl.SSLContext, why: str
) -> None:
    ours, theirs = await shaken(world, client, server)
    error = await fails(ours)
    assert isinstance(error, ssl.SSLCertVerificationError)
    assert why in error.verify_message
    assert isinstance(told := await fails(theirs), ssl.SSLError)  # by an alert, RFC 8446, 6.2
    assert "ALERT" in told.reason
    assert world.net.connections == ()


async def test_a_server_that_does_not_speak_tls_is_an_error(world: World) -> None:
    near, far = await world.pair()

    async def plain() -> None:
        async with far:
            await far.receive_some()
            await far.send_all(b"HTTP/1.0 400 Bad Request\r\n\r\n")

    world.spawn(plain())
    error = await fails(tls_client(near, "server", CLIENT))
    assert isinstance(error, ssl.SSLError)
    assert error.reason == "WRONG_VERSION_NUMBER"
    assert world.net.connections == ()


async def test_a_server_that_hangs_up_in_the_handshake_is_an_error(world: World) -> None:
    near, far = await world.pair()
    await far.aclose()
    assert isinstance(await fails(tls_client(near, "server", CLIENT)), ssl.SSLError | ConnectionError)


@pytest.mark.parametrize("host", ["a" * 64 + ".test", ".test", "a..test"])
async def test_a_host_that_can_be_in_no_certificate_is_an_error(world: World, host: str) -> None:
    near, _ = await world.pair()
    error = await fails(tls_client(near, host, CLIENT))
    assert isinstance(error, ssl.SSLError)
    assert host in str(error)


def test_the_default_context_checks() -> None:
    context = default_context()
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert context.minimum_version >= ssl.TLSVersion.TLSv1_2
