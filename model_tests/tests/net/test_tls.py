"""TLS streams: the data, where it ends, and closing; a cancelled handshake, and peers that are not trusted.

Both ends are ours and run on one loop, in virtual time, under network conditions that cut the ciphertext anywhere.
OpenSSL below them is real, and its certificates are verified.
"""

import ssl
from collections.abc import Awaitable, Callable

import pytest

from impl import Choices, Task, gather, sleep
from impl.net import NetworkConditions, Stream
from impl.net.tls import TlsStream, default_context, tls_client, tls_server

from .helpers import Ground, World, closed, receive_all, send_and_end
from .test_cancel import cancelled_at_every_turn
from .tls import BUFFER, CLIENT, DATA, ROUGH, SERVER, VERSIONS, client_context, pair, server_context, shaken

#: On a network with a small buffer.
small = pytest.mark.parametrize("world", [NetworkConditions(buffer_bytes=BUFFER)], indirect=True)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("seed", range(5))
def test_bytes_come_through_both_ways_at_once(version: ssl.TLSVersion, seed: int) -> None:
    world = World(ROUGH, Choices.seeded(seed))

    async def main() -> None:
        ends = await pair(world, client_context(version))
        came = [bytearray(), bytearray()]
        for stream in ends:
            world.spawn(send_and_end(stream, DATA))
        await gather(*(receive_all(stream, into, 1000) for stream, into in zip(ends, came, strict=True)))
        for stream in ends:
            assert await stream.receive_some() == b""  # the end is permanent
            await stream.aclose()
            assert stream.bytes_sent == len(DATA)
        assert came == [DATA, DATA]

    world.run(main())
    assert world.net.connections == ()


@pytest.mark.parametrize("ground", ["simulated", "127.0.0.1"], indirect=True)
async def test_more_than_any_buffer_holds_comes_through_on_both_networks(ground: Ground) -> None:
    near, far = await ground.pair()
    serving = ground.spawn(tls_server(far, SERVER))
    came = [bytearray(), bytearray()]
    async with await tls_client(near, "server", CLIENT) as ours, await serving as theirs:
        ends = (ours, theirs)
        sends = [send_and_end(stream, DATA * 50) for stream in ends]
        await gather(*sends, *(receive_all(stream, into) for stream, into in zip(ends, came, strict=True)))
    assert came == [DATA * 50, DATA * 50]


async def test_what_is_on_the_wire_is_not_what_was_sent(world: World) -> None:
    near, far = await world.pair()
    handshake = world.spawn(tls_client(near, "server", CLIENT))
    hello = await far.receive_some()
    assert hello[:2] == b"\x16\x03"  # a handshake record (RFC 8446, 5.1)
    assert b"server" in hello  # the name, for a server of many (RFC 6066, 3)
    handshake.cancel()


async def test_the_name_is_sent_without_the_dot_at_its_end(world: World) -> None:
    await gather(*await shaken(world, host="server."))


@pytest.mark.parametrize("version", VERSIONS)
async def test_send_eof_ends_one_direction(world: World, version: ssl.TLSVersion) -> None:
    """Data on its way when we send our end is not lost, whether it had been read from the network or not."""
    ours, theirs = await pair(world, client_context(version))
    await theirs.send_all(b"one")
    await theirs.send_all(b"two")
    await sleep(1)
    came = bytearray(await ours.receive_some(1))  # now the protocol has buffered "two"
    await ours.send_eof()
    await ours.send_eof()
    await ours.send_all(b"")
    with pytest.raises(BrokenPipeError):
        await ours.send_all(b"x")
    assert await theirs.receive_some() == b""
    await theirs.send_all(b"three")
    await theirs.aclose()  # which ends the data
    await receive_all(ours, came)
    assert came == b"onetwothree"


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("sent", [b"", b"half"])
async def test_an_end_without_close_notify_is_a_cut(world: World, version: ssl.TLSVersion, sent: bytes) -> None:
    """RFC 8446, 6.1: a cut of the connection must not be taken for the end of its data."""
    ours, theirs, far = await with_its_wire(world, client_context(version))
    await theirs.send_all(sent)
    await far.aclose()
    came = bytearray()
    for _ in range(2):
        with pytest.raises(ConnectionAbortedError):
            await receive_all(ours, came)
    assert came == sent


async def with_its_wire(world: World, client: ssl.SSLContext) -> tuple[TlsStream, TlsStream, Stream]:
    """Two ends of a connection, and the plain stream below the second one."""
    near, far = await world.pair()
    shaking = world.spawn(tls_client(near, "server", client))
    theirs = await tls_server(far, SERVER)
    return await shaking, theirs, far


async def test_a_reset_is_a_reset(world: World) -> None:
    ours, theirs = await pair(world)
    theirs.abort()
    with pytest.raises(ConnectionResetError):
        await receive_all(ours, bytearray())


async def test_a_forged_record_is_an_error(world: World) -> None:
    ours, _, far = await with_its_wire(world, CLIENT)
    await far.send_all(b"\x17\x03\x03\x00\x20" + bytes(32))
    with pytest.raises(ssl.SSLError):
        await receive_all(ours, bytearray())


@pytest.mark.parametrize("close", [TlsStream.aclose, lambda stream: stream.abort()])
async def test_a_closed_stream_says_so(world: World, close: Callable[[TlsStream], object]) -> None:
    ours, _ = await pair(world)
    waiting = world.spawn(ours.receive_some())
    await sleep(1)
    for _ in range(2):
        if (closing := close(ours)) is not None:
            await closing  # type: ignore[misc]  # aclose gives an awaitable, abort gives None
    for again in (waiting, ours.receive_some(), ours.send_all(b"x"), ours.send_eof()):
        await closed(again)


@small
@pytest.mark.parametrize("cancelled", [False, True])
async def test_closing_never_waits_for_a_peer_that_does_not_read(world: World, cancelled: bool) -> None:
    ours, _ = await pair(world)
    sending = world.spawn(ours.send_all(DATA))
    await sleep(10)
    if cancelled:
        sending.cancel()
        await sleep(0)
    before = world.loop.time()
    await ours.aclose()
    assert world.loop.time() == before
    if not cancelled:
        await closed(sending)


@small
async def test_two_receivers_or_two_senders_are_refused(world: World) -> None:
    ours, _ = await pair(world)
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


# --- handshakes that fail ---


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
