"""One contract for two networks: the operating system's sockets keep the promises of the simulated network.

Each body runs on the simulated network in virtual time and on loopback, IPv4 and IPv6, in real time.  No test measures
time: a body ends, or it does not.  No body leaves a descriptor open.
"""

import errno
import socket
from collections.abc import Awaitable

import pytest

from impl import CancelledError, DeadlockError, create_task, gather, sleep
from impl.net import Stream

from .helpers import FLOOD, NUMBERS, Ground, closed, receive_all, send_and_end


async def test_bytes_arrive_in_order_in_both_directions_at_once(client: Stream, server: Stream) -> None:
    there, back = bytearray(), bytearray()
    await gather(
        *(send_and_end(client, NUMBERS), send_and_end(server, NUMBERS[::-1])),
        *(receive_all(server, there, 4093), receive_all(client, back)),
    )
    assert (bytes(there), bytes(back)) == (NUMBERS, NUMBERS[::-1])
    assert client.bytes_sent == len(NUMBERS)


async def test_a_sender_waits_for_a_slow_reader(client: Stream, server: Stream) -> None:
    sender = create_task(client.send_all(FLOOD))
    await sleep(0.01)
    held = client.bytes_sent
    assert not sender.done()
    assert 0 < held < len(FLOOD)
    while client.bytes_sent == held:  # sending continues when there is room again
        assert await server.receive_some()
    sender.cancel()
    with pytest.raises(CancelledError):
        await sender
    client.abort()


async def test_the_ends_know_their_addresses_and_a_half_close_leaves_the_other_half(
    ground: Ground, client: Stream, server: Stream
) -> None:
    assert (client.local, client.remote) == (server.remote, server.local)
    assert server.local[0] == ground.host
    question, answer = bytearray(), bytearray()
    await send_and_end(client, b"question")
    await client.send_eof()  # a second call has no effect
    await receive_all(server, question)
    assert await server.receive_some() == b""  # and again
    with pytest.raises(BrokenPipeError):
        await client.send_all(b"afterthought")
    await send_and_end(server, b"answer")
    await receive_all(client, answer)
    assert bytes(question + answer) == b"questionanswer"


async def test_an_abort_resets_the_peer_after_what_has_arrived(client: Stream, server: Stream) -> None:
    await server.send_all(b"xy")
    assert await client.receive_some(1) == b"x"
    server.abort()
    server.abort()
    assert await client.receive_some() == b"y"
    for _ in range(2):  # the error is permanent
        with pytest.raises(ConnectionResetError) as info:
            await client.receive_some()
        assert info.value.errno == errno.ECONNRESET
    for call in (client.send_all(b"z"), client.send_eof()):
        with pytest.raises(ConnectionResetError):
            await call


async def test_an_end_after_send_eof_gets_the_reset_in_a_second_one(client: Stream, server: Stream) -> None:
    await client.send_eof()
    server.abort()
    await sleep(0.01)
    for call in (client.send_eof(), client.send_all(b"z")):
        with pytest.raises(ConnectionResetError):
            await call


async def test_a_sender_meets_the_reset_too(client: Stream, server: Stream) -> None:
    sender = create_task(client.send_all(FLOOD))
    await sleep(0.01)
    server.abort()
    with pytest.raises(ConnectionResetError):
        await sender
    with pytest.raises(ConnectionResetError):
        await client.receive_some()


async def test_a_close_with_bytes_unread_resets_the_peer_after_what_was_sent(client: Stream, server: Stream) -> None:
    await client.send_all(b"never read")
    assert await server.receive_some(3) == b"nev"
    await server.send_all(b"abc")
    await server.aclose()
    await sleep(0.01)
    assert [await client.receive_some(2) for _ in range(2)] == [b"ab", b"c"]
    with pytest.raises(ConnectionResetError):
        await client.receive_some()


async def test_sending_to_a_closed_peer_is_a_broken_pipe(client: Stream, server: Stream) -> None:
    await client.aclose()
    assert await server.receive_some() == b""
    await server.send_all(b"anybody there?")  # answered by a reset
    await sleep(0.01)
    for _ in range(2):
        with pytest.raises(BrokenPipeError):
            await server.send_all(b"hello?")
    assert await server.receive_some() == b""


async def test_a_port_without_a_listener(ground: Ground) -> None:
    with pytest.raises(ConnectionRefusedError) as info:
        await ground.open(ground.dead_port())
    assert info.value.errno == errno.ECONNREFUSED


async def test_no_such_name(ground: Ground) -> None:
    answers: list[tuple[str, ...] | OSError] = []
    ground.net.resolve("nonexistent.invalid", answers.append)
    ground.net.resolve("server", answers.append)
    ground.net.resolve(ground.host, answers.append)
    assert answers == []
    while len(answers) < 3:
        await sleep(0.001)
    (error,) = [answer for answer in answers if isinstance(answer, OSError)]
    assert isinstance(error, socket.gaierror)
    assert error.errno == socket.EAI_NONAME
    answers.remove(error)
    assert answers == [(ground.host,)] * 2


@pytest.mark.parametrize(("port", "backlog", "text"), [(-1, 1, "port"), (65536, 1, "port"), (0, 0, "backlog")])
def test_what_makes_no_sense_is_refused(ground: Ground, port: int, backlog: int, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        ground.net.listen((ground.host, port), backlog)
    if text == "port":
        with pytest.raises(ValueError, match="port"):
            ground.net.connect((ground.host, port), print)


def test_listening_where_one_cannot(ground: Ground) -> None:
    listener = ground.net.listen((ground.host, 0))
    for address, said, code in (
        (("nonexistent.invalid", 0), "no ", errno.EADDRNOTAVAIL),
        (listener.address, "in use", errno.EADDRINUSE),
    ):
        with pytest.raises(OSError, match=said) as info:
            ground.net.listen(address)
        assert info.value.errno == code
    listener.close()
    ground.net.listen(listener.address).close()


async def test_what_is_closed_says_so(ground: Ground, client: Stream) -> None:
    listener = ground.listen()
    calls = (listener.accept(), client.receive_some(), client.send_all(FLOOD))
    waiting: list[Awaitable[object]] = [create_task(call) for call in calls]
    await sleep(0.01)
    for _ in range(2):
        await listener.aclose()
        await client.aclose()
        client.abort()
    waiting += [listener.accept(), client.receive_some(), client.send_all(b"x"), client.send_eof()]
    for end in waiting:
        await closed(end)


async def test_connections_that_are_never_accepted_are_reset(ground: Ground) -> None:
    listener = ground.listen()
    port = listener.address[1]
    async with await ground.open(port) as client:
        await listener.aclose()
        with pytest.raises(ConnectionResetError):
            await client.receive_some()
    with pytest.raises(ConnectionRefusedError):
        await ground.open(port)


def test_a_wait_without_a_waker_is_a_deadlock(ground: Ground) -> None:
    """Neither unread bytes nor a receiver that has ended keep the loop waiting."""

    async def body() -> None:
        client, server = await ground.pair()
        async with client, server:
            await client.send_all(b"unread")
            receiver = create_task(client.receive_some())
            await sleep(0.005)
            receiver.cancel()
            await ground.loop.create_future()

    task = ground.spawn(body())
    with pytest.raises(DeadlockError, match="body for <Future pending>"):
        ground.run(task)
    task.cancel()
    with pytest.raises(CancelledError):
        ground.run(task)
