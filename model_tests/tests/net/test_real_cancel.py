"""A cancel at any moment, on both networks: no byte is lost, no connection and no descriptor leaks.

A moment is some iterations, or some time, after the task starts.  On the simulated network these are always the same
moments, on the real one they vary.  The verdict does not depend on them.
"""

from __future__ import annotations

from contextlib import suppress

import pytest

from impl import CancelledError, create_task, sleep
from impl.net import Stream, StreamListener

from .helpers import FLOOD, Ground, receive_all, send_and_end

DATA = b"".join(n.to_bytes(3, "big") for n in range(100_000))
MOMENTS = range(8)


async def moment(k: int) -> None:
    """Wait for a while: some iterations, or some time."""
    if k % 2:
        await sleep(k / 2000)
    for _ in range(k // 2):
        await sleep(0)


@pytest.mark.parametrize("k", MOMENTS)
async def test_a_cancelled_receiver_loses_no_byte(k: int, client: Stream, server: Stream) -> None:
    came = bytearray()
    create_task(client.send_all(DATA[:-1]))
    receiver = create_task(receive_all(server, came, 1009))
    await moment(k)
    receiver.cancel()
    with pytest.raises(CancelledError):
        await receiver
    while len(came) < len(DATA) - 1:
        came += await server.receive_some()
    await send_and_end(client, DATA[-1:])
    await receive_all(server, came)
    assert came == DATA


@pytest.mark.parametrize("k", MOMENTS)
async def test_a_cancelled_sender_can_go_on_where_it_was(k: int, client: Stream, server: Stream) -> None:
    sender = create_task(client.send_all(FLOOD))
    await moment(k)
    sender.cancel()
    with pytest.raises(CancelledError):
        await sender
    left = client.bytes_sent
    while left:
        zeros = await server.receive_some(min(left, 1 << 20))
        assert not zeros.strip(b"\0")
        left -= len(zeros)
    rest = create_task(send_and_end(client, DATA))
    came = bytearray()
    await receive_all(server, came)
    await rest
    assert came == DATA


@pytest.mark.parametrize("k", MOMENTS)
async def test_a_cancelled_accept_leaves_the_connection_to_the_next(ground: Ground, k: int) -> None:
    async with ground.listen() as listener:
        accepting = create_task(listener.accept())
        opening = create_task(ground.open(listener.address[1]))
        await moment(k)
        accepting.cancel()
        try:
            server = await accepting
        except CancelledError:
            server = await listener.accept()
        async with server, await opening as client:
            assert client.local == server.remote


@pytest.mark.parametrize("k", MOMENTS)
async def test_a_cancelled_open_leaves_nothing(ground: Ground, k: int) -> None:
    async with ground.listen() as listener:
        opening = create_task(ground.open(listener.address[1]))
        await moment(k)
        opening.cancel()
        with suppress(CancelledError):
            await (await opening).aclose()
        await drop_all(ground, listener)


async def drop_all(ground: Ground, listener: StreamListener) -> None:
    """Open one more connection, which arrives last; all connections before it were given up."""
    async with await ground.open(listener.address[1]) as last:
        while True:
            async with await listener.accept() as server:
                if server.remote == last.local:
                    return
                assert await server.receive_some() == b""


async def test_a_connect_that_is_cancelled_at_once_gives_no_answer(ground: Ground) -> None:
    answers: list[object] = []
    async with ground.listen() as listener:
        ports = (listener.address[1], ground.dead_port())
        asked = [ground.net.connect((ground.host, port), answers.append) for port in ports]
        for attempt in (*asked, ground.net.resolve("server", answers.append)):
            attempt.cancel()
            attempt.cancel()
        await drop_all(ground, listener)
    assert answers == []
