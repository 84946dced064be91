"""TLS over the simulated network: the handshake, the end of the data, cancels, and what must be refused.

Theory of operation.  Both ends are ours and run on one loop, in virtual time, in weathers that cut the
ciphertext anywhere; OpenSSL below them is real, and its certificates are checked for real.
"""

from __future__ import annotations

import errno
import ssl
from collections.abc import Callable

import pytest

from impl import Choices, Task, sleep
from impl.net import Stream, Weather
from impl.net.tls import TlsStream, default_context, tls_client, tls_server

from .certificates import client_context, server_context
from .net_world import World, receive_all, send_and_end
from .test_net_cancel import cancelled_at_every_turn

VERSIONS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]
DATA = bytes(range(256)) * 160  # more than two records
SOME = DATA[:2000]
ROUGH = Weather(latency_ms_max=3, segments_max=3, buffer_bytes=900)

SERVER = server_context("server")
CLIENT = client_context()


def shaken(
    world: World, client: ssl.SSLContext = CLIENT, server: ssl.SSLContext = SERVER, host: str = "server"
) -> tuple[Task[TlsStream], Task[TlsStream]]:
    """Handshakes, begun on a fresh connection: the client's and the server's."""
    near, far = world.pair()
    return world.spawn(tls_client(near, host, client)), world.spawn(tls_server(far, server))


def pair(world: World, client: ssl.SSLContext = CLIENT) -> tuple[TlsStream, TlsStream]:
    """Two ends of a connection, after the handshake."""
    tasks = shaken(world, client)
    ours, theirs = (world.loop.run_until_complete(task) for task in tasks)
    return ours, theirs


def fails(world: World, task: Task[TlsStream]) -> OSError:
    with pytest.raises(OSError) as caught:  # noqa: PT011  (which one is for the caller to say)
        world.loop.run_until_complete(task)
    return caught.value


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("seed", range(5))
def test_bytes_come_through_both_ways_at_once(version: ssl.TLSVersion, seed: int) -> None:
    world = World(ROUGH, Choices.seeded(seed))
    ours, theirs = pair(world, client_context(version))
    came: list[bytearray] = [bytearray(), bytearray()]

    async def main() -> None:
        for stream, into in zip((ours, theirs), came, strict=True):
            world.spawn(send_and_end(stream, DATA))
            readers.append(world.spawn(receive_all(stream, into, 1000)))
        for reader in readers:
            await reader
        for stream in (ours, theirs):
            assert await stream.receive_some() == b""  # the end stays the end
            await stream.aclose()

    readers: list[Task[None]] = []
    world.loop.run_until_complete(main())
    assert came == [DATA, DATA]
    assert (ours.bytes_sent, theirs.bytes_sent) == (len(DATA), len(DATA))
    assert world.net.connections == ()


def test_what_is_on_the_wire_is_not_what_was_sent() -> None:
    world = World()
    near, far = world.pair()
    handshake = world.spawn(tls_client(near, "server", CLIENT))
    hello = world.loop.run_until_complete(far.receive_some())
    assert hello[:2] == b"\x16\x03"  # a handshake record (RFC 8446, 5.1)
    assert b"server" in hello  # the name, for a server of many (RFC 6066, 3)
    handshake.cancel()


def test_the_name_is_sent_without_the_dot_at_its_end() -> None:
    world = World()
    tasks = shaken(world, host="server.")
    assert all(world.loop.run_until_complete(task).bytes_sent == 0 for task in tasks)


# --- the end of the data ------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
def test_send_eof_ends_one_direction(version: ssl.TLSVersion) -> None:
    """What was on its way when we ended ours is not lost, whether it had been read from the network or not."""
    world = World()
    ours, theirs = pair(world, client_context(version))

    async def main() -> bytearray:
        await theirs.send_all(b"one")
        await theirs.send_all(b"two")
        await sleep(1)
        came = bytearray(await ours.receive_some(1))  # now "two" is in the hands of the protocol
        await ours.send_eof()
        await ours.send_eof()
        assert await theirs.receive_some() == b""
        await send_and_end(theirs, b"three")
        await receive_all(ours, came)
        return came

    assert world.loop.run_until_complete(main()) == b"onetwothree"


def test_after_send_eof_nothing_more_can_be_sent() -> None:
    world = World()
    ours, _ = pair(world)

    async def main() -> None:
        await ours.send_eof()
        await ours.send_all(b"")
        with pytest.raises(BrokenPipeError):
            await ours.send_all(b"x")

    world.loop.run_until_complete(main())


def test_closing_ends_the_data_of_the_peer() -> None:
    world = World()
    ours, theirs = pair(world)

    async def main() -> bytearray:
        async with theirs:
            await theirs.send_all(b"all")
        came = bytearray()
        await receive_all(ours, came)
        return came

    assert world.loop.run_until_complete(main()) == b"all"


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("sent", [b"", b"half"])
def test_an_end_without_close_notify_is_a_cut(version: ssl.TLSVersion, sent: bytes) -> None:
    """RFC 8446, 6.1: whoever cuts a connection must not pass for the end of its data."""
    world = World()
    near, far = world.pair()
    shaking = world.spawn(tls_client(near, "server", client_context(version)))
    theirs = world.loop.run_until_complete(tls_server(far, SERVER))
    ours = world.loop.run_until_complete(shaking)

    async def main() -> bytearray:
        await theirs.send_all(sent)
        await far.aclose()
        came = bytearray()
        for _ in range(2):
            with pytest.raises(ConnectionAbortedError):
                await receive_all(ours, came)
        return came

    assert world.loop.run_until_complete(main()) == sent


def test_a_reset_is_a_reset() -> None:
    world = World()
    ours, theirs = pair(world)

    async def main() -> None:
        theirs.abort()
        with pytest.raises(ConnectionResetError):
            await receive_all(ours, bytearray())

    world.loop.run_until_complete(main())


def test_a_forged_record_is_an_error() -> None:
    world = World()
    near, far = world.pair()
    shaking = world.spawn(tls_client(near, "server", CLIENT))
    world.loop.run_until_complete(tls_server(far, SERVER))
    ours = world.loop.run_until_complete(shaking)

    async def main() -> None:
        await far.send_all(b"\x17\x03\x03\x00\x20" + bytes(32))
        with pytest.raises(ssl.SSLError):
            await receive_all(ours, bytearray())

    world.loop.run_until_complete(main())


# --- closing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("close", [TlsStream.aclose, lambda stream: stream.abort()])
def test_a_closed_stream_says_so(close: Callable[[TlsStream], object]) -> None:
    world = World()
    ours, _ = pair(world)

    async def main() -> list[int | None]:
        waiting = world.spawn(ours.receive_some())
        await sleep(1)
        for _ in range(2):
            if (closing := close(ours)) is not None:
                await closing  # type: ignore[misc]  # aclose gives an awaitable, abort gives None
        errors: list[int | None] = []
        for again in (waiting, ours.receive_some(), ours.send_all(b"x"), ours.send_eof()):
            with pytest.raises(OSError) as caught:  # noqa: PT011  (its errno is compared below)
                await again
            errors.append(caught.value.errno)
        return errors

    assert world.loop.run_until_complete(main()) == [errno.EBADF] * 4


def test_closing_never_waits_for_a_peer_that_does_not_read() -> None:
    world = World(Weather(buffer_bytes=900))
    ours, _ = pair(world)

    async def main() -> tuple[float, int | None]:
        sending = world.spawn(ours.send_all(DATA))
        await sleep(10)
        before = world.loop.time()
        await ours.aclose()
        took = world.loop.time() - before
        with pytest.raises(OSError) as caught:  # noqa: PT011  (its errno is compared below)
            await sending
        return took, caught.value.errno

    assert world.loop.run_until_complete(main()) == (0, errno.EBADF)


def test_closing_after_a_cancelled_send_to_a_full_peer_does_not_wait_either() -> None:
    world = World(Weather(buffer_bytes=900))
    ours, _ = pair(world)

    async def main() -> float:
        sending = world.spawn(ours.send_all(DATA))
        await sleep(10)
        sending.cancel()
        await sleep(0)
        before = world.loop.time()
        await ours.aclose()
        return world.loop.time() - before

    assert world.loop.run_until_complete(main()) == 0


def test_two_receivers_or_two_senders_are_refused() -> None:
    world = World(Weather(buffer_bytes=900))
    ours, _ = pair(world)

    async def main() -> None:
        world.spawn(ours.receive_some())
        world.spawn(ours.send_all(DATA))
        await sleep(1)
        with pytest.raises(RuntimeError, match="receiving"):
            await ours.receive_some()
        for _ in range(2):
            with pytest.raises(RuntimeError, match="sending"):
                await ours.send_all(b"x")
        with pytest.raises(RuntimeError, match="sending"):
            await ours.send_eof()
        with pytest.raises(ValueError, match="at least 1 byte"):
            await ours.receive_some(0)

    world.loop.run_until_complete(main())
    world.loop.close()


# --- cancels ------------------------------------------------------------------------------------------


def test_a_cancelled_receiver_loses_no_byte() -> None:
    came = bytearray()
    streams: list[TlsStream] = []

    def begin(world: World) -> Task[None]:
        came.clear()
        streams[:] = pair(world)
        world.spawn(send_and_end(streams[0], SOME))
        return world.spawn(receive_all(streams[1], came, 700))

    def after(world: World, task: Task[None]) -> None:
        world.loop.run_until_complete(receive_all(streams[1], came, 700))
        assert came == SOME

    cancelled_at_every_turn(begin, after, ROUGH)


def test_a_cancelled_sender_can_go_on_where_it_was() -> None:
    came = bytearray()
    streams: list[TlsStream] = []

    def begin(world: World) -> Task[None]:
        came.clear()
        streams[:] = pair(world)
        world.spawn(receive_all(streams[1], came))
        return world.spawn(streams[0].send_all(SOME))

    def after(world: World, task: Task[None]) -> None:
        world.loop.run_until_complete(send_and_end(streams[0], SOME[streams[0].bytes_sent :]))
        world.idle()
        assert came == SOME

    cancelled_at_every_turn(begin, after, ROUGH)


def test_a_cancelled_handshake_leaves_no_connection() -> None:
    async def serve(world: World) -> None:
        async with world.listen() as listener:
            try:
                await tls_server(await listener.accept(), SERVER)
            except ConnectionResetError:
                pass

    async def connect(world: World) -> TlsStream:
        return await tls_client(await world.open(), "server", CLIENT)

    def begin(world: World) -> Task[TlsStream]:
        world.spawn(serve(world))
        return world.spawn(connect(world))

    def after(world: World, task: Task[TlsStream]) -> None:
        world.idle()
        assert world.net.connections == ()

    cancelled_at_every_turn(begin, after, ROUGH)


# --- whom not to talk to ------------------------------------------------------------------------------


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
