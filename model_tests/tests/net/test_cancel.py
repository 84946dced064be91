"""A cancel, or a deadline, may hit a stream at any moment: no byte is lost, no connection and no descriptor leaks.

On the simulated network a cancel may arrive before every iteration of the loop.  So a law about cancelling is checked
by enumeration.  For each k the program is run afresh: k iterations, then the cancel, then the rest; until a k at which
the task had already ended.  The tests assert that the window between wake-up and run was among them.

On both networks, the real one too, a moment is some iterations, or some time, after the task starts.  On the real one
these vary.  The verdict does not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest

from impl import CancelledError, Choices, Task, create_task, sleep
from impl.combinators.timeout import timeout
from impl.net import Fault, NetworkConditions, Stream, StreamListener, open_stream
from impl.sim.order import Order

from .helpers import DATA, FLOOD, NARROW, NUMBERS, Ground, World, is_woken, receive_all, send_and_end, turns
from .tls import ROUGH, SOME, pair


def cancelled_at_every_turn(
    begin: Callable[[World], Task[Any]],  # Any: a result of any type
    after: Callable[[World, Task[Any]], None],
    conditions: NetworkConditions = NARROW,
    order: Order = "fifo",
) -> None:
    """Under five seeds, for each k: k iterations, then cancel the task, then `after`; some k hits the wake window."""
    for seed in range(5):
        windows = 0
        for k in range(500):
            world = World(conditions, Choices.seeded(seed), order)
            task = begin(world)
            for _ in range(k):
                if not task.done():
                    turns(world.loop, 1)
            if task.done():
                break
            windows += is_woken(task)
            task.cancel()
            with pytest.raises(CancelledError):
                world.run(task)
            after(world, task)
            world.loop.close()
        else:
            raise AssertionError("the task never ended")
        assert k > 3
        assert windows > 0


SHORT = NetworkConditions(buffer_bytes=4, segments_max=2, latency_ms_max=3)
#: The maker of a pair of streams; the data, and how much of it is received at a time; the network, and the order.
#: Any: Stream or TlsStream.
GROUNDS: dict[str, tuple[Callable[[World], Coroutine[Any, Any, Any]], bytes, int, NetworkConditions, Order]] = {
    "fifo": (World.pair, DATA, 3, SHORT, "fifo"),
    "any": (World.pair, DATA, 3, SHORT, "any"),
    "tls": (pair, SOME, 700, ROUGH, "fifo"),
}


@pytest.mark.parametrize("victim", ["receiver", "sender"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_a_cancelled_receiver_loses_no_byte_and_a_sender_can_go_on_where_it_was(ground: str, victim: str) -> None:
    make, data, most, conditions, order = GROUNDS[ground]
    came = bytearray()
    streams: list[Any] = []

    def begin(world: World) -> Task[None]:
        came.clear()
        streams[:] = client, server = world.run(make(world))
        if victim == "receiver":
            world.spawn(send_and_end(client, data))
            return world.spawn(receive_all(server, came, most))
        world.spawn(receive_all(server, came))
        return world.spawn(client.send_all(data))

    def after(world: World, task: Task[None]) -> None:
        client, server = streams
        if victim == "receiver":
            world.run(receive_all(server, came, most))
        else:
            world.run(send_and_end(client, data[client.bytes_sent :]))
            world.idle()
        assert came == data

    cancelled_at_every_turn(begin, after, conditions, order)


def test_a_cancelled_open_stream_leaks_no_connection() -> None:
    def begin(world: World) -> Task[Stream]:
        world.listen()
        return world.spawn(world.open())

    def after(world: World, task: Task[Stream]) -> None:
        world.idle()
        left = world.net.connections  # at most the server's end, which was not accepted
        assert [conn.local for conn in left] in ([], [("10.0.0.2", 80)])
        assert [conn.recv(1) for conn in left] == [b""] * len(left)

    cancelled_at_every_turn(begin, after)


def test_a_cancelled_accept_leaves_the_connection_to_the_next() -> None:
    listeners: list[StreamListener] = []

    def begin(world: World) -> Task[Stream]:
        listeners[:] = [world.listen()]
        world.spawn(world.open())
        return world.spawn(listeners[0].accept())

    def after(world: World, task: Task[Stream]) -> None:
        stream = world.run(listeners[0].accept())
        assert stream.local == ("10.0.0.2", 80)

    cancelled_at_every_turn(begin, after)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("ms", [1, 3])
def test_a_deadline_at_the_very_instant_of_the_answer(ms: int, first: int) -> None:
    """The look-up is answered after 1 ms, the connect after 3; whichever timer comes first, nothing leaks."""
    world = World(choices=Choices.listed({"schedule": [first]}))
    world.listen()

    async def main() -> None:
        async with timeout(ms / 1000), await world.open():
            pass

    with pytest.raises(TimeoutError):
        world.run(main())
    world.idle()
    assert [conn.local for conn in world.net.connections] in ([], [("10.0.0.2", 80)])
    assert len(world.choices.schedule.drawn) == 1


@pytest.mark.parametrize("world", [NetworkConditions(scripted={"silent": Fault.SILENT})], indirect=True)
async def test_a_try_of_the_network_has_a_limit_and_leaves_nothing(world: World) -> None:
    world.net.add_host("silent")
    with pytest.raises(TimeoutError):
        async with timeout(30):
            await open_stream(world.net, world.loop, "silent", 80)
    assert world.loop.time() == 30
    assert world.net.connections == ()


# --- on both networks ---


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
    create_task(client.send_all(NUMBERS[:-1]))
    receiver = create_task(receive_all(server, came, 1009))
    await moment(k)
    receiver.cancel()
    with pytest.raises(CancelledError):
        await receiver
    while len(came) < len(NUMBERS) - 1:
        came += await server.receive_some()
    await send_and_end(client, NUMBERS[-1:])
    await receive_all(server, came)
    assert came == NUMBERS


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
    rest = create_task(send_and_end(client, NUMBERS))
    came = bytearray()
    await receive_all(server, came)
    await rest
    assert came == NUMBERS


@pytest.mark.parametrize("k", MOMENTS)
async def test_a_cancelled_accept_leaves_the_connection_to_the_next_on_both_networks(ground: Ground, k: int) -> None:
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
