"""TLS streams: the data, where it ends, and closing.

Both ends are ours and run on one loop, in virtual time, under network conditions that cut the ciphertext anywhere.
OpenSSL below them is real, and its certificates are verified.
"""

from __future__ import annotations

import errno
import ssl
from collections.abc import Callable

import pytest

from impl import Choices, Task, sleep
from impl.net import NetworkConditions
from impl.net.tls import TlsStream, tls_client, tls_server

from .helpers import Ground, World, no_descriptor_more, receive_all, send_and_end
from .tls import BUFFER, CLIENT, DATA, ROUGH, SERVER, VERSIONS, client_context, pair, shaken


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
            assert await stream.receive_some() == b""  # the end is permanent
            await stream.aclose()

    readers: list[Task[None]] = []
    world.loop.run_until_complete(main())
    assert came == [DATA, DATA]
    assert (ours.bytes_sent, theirs.bytes_sent) == (len(DATA), len(DATA))
    assert world.net.connections == ()


@pytest.mark.parametrize("kind", ["simulated", "127.0.0.1"])
def test_more_than_any_buffer_holds_comes_through_on_both_networks(kind: str) -> None:
    came = [bytearray(), bytearray()]

    async def main(ground: Ground) -> None:
        near, far = await ground.pair()
        serving = ground.spawn(tls_server(far, SERVER))
        async with await tls_client(near, "server", CLIENT) as ours, await serving as theirs:
            tasks = []
            for stream, into in ((ours, came[0]), (theirs, came[1])):
                tasks.append(ground.spawn(send_and_end(stream, DATA * 50)))
                tasks.append(ground.spawn(receive_all(stream, into)))
            for task in tasks:
                await task

    with no_descriptor_more():
        ground = Ground(kind)
        ground.loop.run(main(ground))
        ground.close()
    assert came == [DATA * 50, DATA * 50]


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
    """Data on its way when we send our end is not lost, whether it had been read from the network or not."""
    world = World()
    ours, theirs = pair(world, client_context(version))

    async def main() -> bytearray:
        await theirs.send_all(b"one")
        await theirs.send_all(b"two")
        await sleep(1)
        came = bytearray(await ours.receive_some(1))  # now the protocol has buffered "two"
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
    """RFC 8446, 6.1: a cut of the connection must not be taken for the end of its data."""
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
    world = World(NetworkConditions(buffer_bytes=BUFFER))
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
    world = World(NetworkConditions(buffer_bytes=BUFFER))
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
    world = World(NetworkConditions(buffer_bytes=BUFFER))
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
