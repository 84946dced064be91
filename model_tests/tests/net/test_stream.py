"""Laws of `Stream`, `StreamListener` and `open_stream`, on our loop over the simulated network."""

import socket
from collections.abc import Awaitable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl import Choices, DeadlockError, sleep
from impl.net import Fault, NetworkConditions, open_stream
from impl.sim.order import Order
from impl.sim.trace import Recorder

from .helpers import DATA, NARROW, World, closed, receive_all, send_and_end

narrow = pytest.mark.parametrize("world", [NARROW], indirect=True)


INTS = st.lists(st.integers(0, 30), max_size=40)
WEATHERS = st.builds(
    NetworkConditions,
    latency_ms_max=st.integers(1, 4),
    segments_max=st.integers(1, 4),
    buffer_bytes=st.integers(1, 64),
)


@given(
    WEATHERS,
    st.sampled_from(["fifo", "any"]),
    st.fixed_dictionaries({"network": INTS, "schedule": INTS}),
    st.tuples(st.binary(max_size=200), st.binary(max_size=200)),
    st.integers(1, 50),
)
def test_both_directions_carry_everything_and_then_the_end(
    conditions: NetworkConditions,
    order: Order,
    values: dict[str, list[int]],
    data: tuple[bytes, bytes],
    n: int,
) -> None:
    def run(choices: Choices) -> tuple[str, bytes]:
        recorder = Recorder()
        world = World(conditions, choices, order, recorder)
        ends = world.run(world.pair())
        came = bytearray(), bytearray()
        tasks = [world.spawn(send_and_end(end, sent)) for end, sent in zip(ends, data, strict=True)]
        tasks += [world.spawn(receive_all(end, into, n)) for end, into in zip(ends, came[::-1], strict=True)]
        for task in tasks:
            world.run(task)
        assert (bytes(came[0]), bytes(came[1])) == data
        assert [end.bytes_sent for end in ends] == [*map(len, data)]
        for end in ends:
            world.run(end.aclose())
        assert world.net.connections == ()
        world.loop.close()
        return recorder.digest(), choices.digest()

    choices = Choices.listed(values)
    assert run(choices) == run(Choices.listed(choices.drawn()))


@narrow
@pytest.mark.parametrize("data", [bytes(6), bytearray(6), memoryview(bytes(6)), memoryview(bytes(24)).cast("I")])
async def test_what_can_be_sent(world: World, data: Any) -> None:  # Any: the helper says bytes
    client, server = await world.pair()
    world.spawn(send_and_end(client, data))
    came = bytearray()
    await receive_all(server, came)
    assert came == bytes(memoryview(data).nbytes)
    assert client.bytes_sent == len(came)


@narrow
async def test_a_second_receiver_sender_or_acceptor_is_an_error(world: World) -> None:
    """That it changes nothing is said by the machine of STREAM-7."""
    client, server = await world.pair()
    listener = world.listen()
    for waits in (listener.accept(), server.receive_some(), server.send_all(DATA)):
        world.spawn(waits)
    await sleep(1)
    calls: list[tuple[Awaitable[object], str]] = [
        (listener.accept(), "accepting"),
        (server.receive_some(), "receiving"),
        (server.send_all(b"y"), "sending"),
        (server.send_eof(), "sending"),
    ]
    for second, doing in calls:
        with pytest.raises(RuntimeError, match=f"already {doing}"):
            await second
    client.abort()


async def test_the_block_closes(world: World) -> None:
    listener = world.listen()
    with pytest.raises(KeyError):  # noqa: PT012  (the block is the test)
        async with listener, await world.open() as client, await listener.accept() as server:
            assert (client.local, client.remote) == (server.remote, server.local)
            assert client.remote == listener.address == ("10.0.0.2", 80)
            assert len(world.net.connections) == 2
            raise KeyError
    assert world.net.connections == ()
    await closed(listener.accept())


@pytest.mark.parametrize("world", [NetworkConditions(scripted={"shut": Fault.REFUSED})], indirect=True)
@pytest.mark.parametrize(
    ("host", "port", "error"),
    [
        ("server", 81, ConnectionRefusedError),
        ("shut", 80, ConnectionRefusedError),
        ("unknown", 80, socket.gaierror),
        ("10.0.0.2", 81, ConnectionRefusedError),
    ],
)
async def test_open_stream_that_fails(world: World, host: str, port: int, error: type[OSError]) -> None:
    world.net.add_host("shut")
    with pytest.raises(error):
        await open_stream(world.net, world.loop, host, port)
    assert world.net.connections == ()


def test_silence_is_a_deadlock_that_names_the_line() -> None:
    world = World(NetworkConditions(scripted={"server": Fault.SILENT}))

    async def waits() -> None:
        await open_stream(world.net, world.loop, "server", 80)

    with pytest.raises(DeadlockError, match="test_stream"):
        world.run(waits())
