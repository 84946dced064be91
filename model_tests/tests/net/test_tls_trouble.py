"""TLS and trouble: a cancelled handshake leaves no connection, and an untrusted peer is rejected."""

from __future__ import annotations

import ssl

import pytest

from impl import Task
from impl.net import Stream
from impl.net.tls import TlsStream, default_context, tls_client, tls_server

from .helpers import World
from .test_cancel import cancelled_at_every_turn
from .tls import CLIENT, ROUGH, SERVER, server_context, shaken


def fails(world: World, task: Task[TlsStream]) -> OSError:
    with pytest.raises(OSError) as caught:  # noqa: PT011  (which one is for the caller to say)
        world.loop.run_until_complete(task)
    return caught.value


# --- cancels ------------------------------------------------------------------------------------------


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


# --- untrusted peers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("client", "server", "why"),
    [
        (CLIENT, server_context("other.test"), "Hostname mismatch"),
        (CLIENT, server_context("server", expired=True), "certificate has expired"),
        (default_context(), SERVER, "unable to get local issuer certificate"),
    ],
    ids=["another-name", "expired", "untrusted"],
)
def test_a_bad_certificate_is_refused(client: ssl.SSLContext, server: ssl.SSLContext, why: str) -> None:
    world = World(ROUGH)
    ours, theirs = shaken(world, client, server)
    error = fails(world, ours)
    assert isinstance(error, ssl.SSLCertVerificationError)
    assert why in error.verify_message
    assert isinstance(told := fails(world, theirs), ssl.SSLError)  # by an alert, RFC 8446, 6.2
    assert "ALERT" in told.reason
    assert world.net.connections == ()


def test_a_server_that_does_not_speak_tls_is_an_error() -> None:
    world = World()
    near, far = world.pair()

    async def plain(stream: Stream) -> None:
        async with stream:
            await stream.receive_some()
            await stream.send_all(b"HTTP/1.0 400 Bad Request\r\n\r\n")

    world.spawn(plain(far))
    error = fails(world, world.spawn(tls_client(near, "server", CLIENT)))
    assert isinstance(error, ssl.SSLError)
    assert error.reason == "WRONG_VERSION_NUMBER"
    assert world.net.connections == ()


def test_a_server_that_hangs_up_in_the_handshake_is_an_error() -> None:
    world = World()
    near, far = world.pair()
    world.loop.run_until_complete(far.aclose())
    assert isinstance(
        fails(world, world.spawn(tls_client(near, "server", CLIENT))), ssl.SSLError | ConnectionError
    )


@pytest.mark.parametrize("host", ["a" * 64 + ".test", ".test", "a..test"])
def test_a_host_that_can_be_in_no_certificate_is_an_error(host: str) -> None:
    world = World()
    near, _ = world.pair()
    error = fails(world, world.spawn(tls_client(near, host, CLIENT)))
    assert isinstance(error, ssl.SSLError)
    assert host in str(error)


def test_the_default_context_checks() -> None:
    context = default_context()
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert context.minimum_version >= ssl.TLSVersion.TLSv1_2
