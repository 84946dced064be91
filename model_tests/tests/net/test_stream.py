"""Laws of `Stream`, `StreamListener` and `open_stream`, on our loop over the simulated network."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl import Choices, DeadlockError
from impl.net import Fault, NetworkConditions, PendingRequest, SimulatedNet, open_stream
from impl.net.simulated.connection import SimConn
from impl.sim.order import Order
from impl.sim.trace import Recorder

from .helpers import DATA, NARROW, World, is_woken, receive_all, send_and_end

# --- bytes ----------------------------------------------------------------------------------------------

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
    st.binary(max_size=200),
    st.binary(max_size=200),
    st.integers(1, 50),
)
def test_both_directions_carry_everything_and_then_the_end(
    conditions: NetworkConditions,
    order: Order,
    values: dict[str, list[int]],
    there: bytes,
    back: bytes,
    n: int,
) -> None:
    def run(choices: Choices) -> tuple[str, bytes]:
        recorder = Recorder()
        world = World(conditions, choices, order, recorder)
        client, server = world.pair()
        came_there, came_back = bytearray(), bytearray()
        tasks = [
            world.spawn(send_and_end(client, there)),
            world.spawn(send_and_end(server, back)),
            world.spawn(receive_all(client, came_back, n)),
            world.spawn(receive_all(server, came_there, n)),
        ]
        for task in tasks:
            world.loop.run_until_complete(task)
        assert [bytes(came_there), bytes(came_back)] == [there, back]
        assert (client.bytes_sent, server.bytes_sent) == (len(there), len(back))
        for stream in (client, server):
            world.loop.run_until_complete(stream.aclose())
        assert world.net.connections == ()
        world.loop.close()
        return recorder.digest(), choices.digest()

    choices = Choices.listed(values)
    assert run(choices) == run(Choices.listed(choices.drawn()))


def test_send_all_waits_for_room_and_no_longer() -> None:
    world = World(NARROW)
    client, server = world.pair()
    sender = world.spawn(client.send_all(DATA))
    world.idle()
    for taken in range(4, len(DATA), 4):
        assert (client.bytes_sent, sender.done()) == (taken, False)
        assert len(world.loop.run_until_complete(server.receive_some())) == 4
        world.idle()
    assert (client.bytes_sent, sender.done()) == (len(DATA), True)  # although the peer has not read the rest


@pytest.mark.parametrize(
    "data", [bytes(6), bytearray(6), memoryview(bytes(6)), memoryview(bytes(24)).cast("I")]
)
def test_what_can_be_sent(data: bytes | bytearray | memoryview) -> None:
    world = World(NARROW)
    client, server = world.pair()
    world.spawn(send_and_end(client, data))  # type: ignore[arg-type]  # the helper says bytes
    came = bytearray()
    world.loop.run_until_complete(receive_all(server, came))
    assert came == bytes(memoryview(data).nbytes)
    assert client.bytes_sent == len(came)


# --- concurrent waits -----------------------------------------------------------------------------------


@pytest.mark.parametrize("woken", [False, True])
def test_a_second_receiver_or_sender_is_an_error_and_changes_nothing(woken: bool) -> None:
    world = World(NARROW)
    client, server = world.pair()
    receiver = world.spawn(server.receive_some())
    world.idle()
    if woken:
        world.spawn(client.send_all(b"x"))
        while not is_woken(receiver):
            world.turns(1)
        with pytest.raises(RuntimeError, match="already receiving"):
            server.receive_some().send(None)
    else:
        with pytest.raises(RuntimeError, match="already receiving"):
            world.loop.run_until_complete(server.receive_some())
        world.spawn(client.send_all(b"x"))
    assert world.loop.run_until_complete(receiver) == b"x"

    sender = world.spawn(client.send_all(DATA))
    world.idle()
    for second in (client.send_all, lambda data: client.send_eof()):
        with pytest.raises(RuntimeError, match="already sending"):
            world.loop.run_until_complete(second(b"y"))
    came = bytearray()
    world.spawn(receive_all(server, came))
    world.loop.run_until_complete(sender)
    world.idle()
    assert came == DATA


def test_a_second_acceptor_is_an_error() -> None:
    world = World()
    listener = world.listen()
    world.spawn(listener.accept())
    world.idle()
    with pytest.raises(RuntimeError, match="already accepting"):
        world.loop.run_until_complete(listener.accept())


# --- errors ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["aclose", "abort"])
def test_closing_wakes_the_waiters_with_ebadf(end: str) -> None:
    world = World(NARROW)
    client, server = world.pair()
    waiting = [world.spawn(client.receive_some()), world.spawn(client.send_all(DATA))]
    world.idle()
    if end == "aclose":
        world.loop.run_until_complete(client.aclose())
        world.loop.run_until_complete(client.aclose())
    else:
        client.abort()
    for task in waiting:
        with pytest.raises(OSError, match="closed") as caught:
            world.loop.run_until_complete(task)
        assert caught.value.errno == errno.EBADF
    assert world.loop.run_until_complete(server.receive_some()) == DATA[:4]
    if end == "aclose":
        assert world.loop.run_until_complete(server.receive_some()) == b""
    else:
        with pytest.raises(ConnectionResetError):
            world.loop.run_until_complete(server.receive_some())


def test_a_reset_reaches_the_waiters() -> None:
    world = World(NARROW)
    client, server = world.pair()
    waiting = [world.spawn(client.receive_some()), world.spawn(client.send_all(DATA))]
    world.idle()
    server.abort()
    for task in waiting:
        with pytest.raises(ConnectionResetError):
            world.loop.run_until_complete(task)


def test_sending_after_the_own_end() -> None:
    world = World()
    client, server = world.pair()
    world.loop.run_until_complete(client.send_eof())
    with pytest.raises(BrokenPipeError):
        world.loop.run_until_complete(client.send_all(b"x"))
    world.spawn(server.send_all(b"answer"))
    assert world.loop.run_until_complete(client.receive_some()) == b"answer"


def test_the_block_closes() -> None:
    world = World()
    listener = world.listen()

    async def main() -> None:
        async with listener, await world.open() as client, await listener.accept() as server:
            assert (client.local, client.remote) == (server.remote, server.local)
            assert client.remote == listener.address == ("10.0.0.2", 80)
            assert len(world.net.connections) == 2
            raise KeyError

    with pytest.raises(KeyError):
        world.loop.run_until_complete(main())
    assert world.net.connections == ()
    with pytest.raises(OSError, match="closed"):
        world.loop.run_until_complete(listener.accept())


@pytest.mark.parametrize(
    ("host", "port", "error"),
    [
        ("server", 81, ConnectionRefusedError),
        ("shut", 80, ConnectionRefusedError),
        ("unknown", 80, socket.gaierror),
        ("10.0.0.2", 81, ConnectionRefusedError),
    ],
)
def test_open_stream_that_fails(host: str, port: int, error: type[OSError]) -> None:
    world = World(NetworkConditions(scripted={"shut": Fault.REFUSED}))
    world.net.add_host("shut")
    with pytest.raises(error):
        world.loop.run_until_complete(open_stream(world.net, world.loop, host, port))
    assert world.net.connections == ()


def test_open_stream_tries_every_address() -> None:
    world = World()
    world.listen()
    asked: list[str] = []

    class TwoAddresses(SimulatedNet):
        def resolve(self, host: str, done: Callable[[tuple[str, ...] | OSError], None], /) -> PendingRequest:
            return world.net.resolve(host, lambda found: done(("192.0.2.1", "10.0.0.2")))

        def connect(
            self,
            address: tuple[str, int],
            done: Callable[[SimConn | OSError], None],
            /,
            *,
            near: tuple[str, int] = ("0.0.0.0", 0),
        ) -> PendingRequest:
            asked.append(address[0])
            return world.net.connect(address, done, near=near)

    net = TwoAddresses(world.loop, world.choices)
    stream = world.loop.run_until_complete(open_stream(net, world.loop, "server", 80))
    assert asked == ["192.0.2.1", "10.0.0.2"]
    assert stream.remote == ("10.0.0.2", 80)
    with pytest.raises(ConnectionRefusedError):  # the error of the last address
        world.loop.run_until_complete(open_stream(net, world.loop, "server", 81))


def test_silence_is_a_deadlock_that_names_the_line() -> None:
    world = World(NetworkConditions(scripted={"silent": Fault.SILENT}))
    world.net.add_host("silent")
    with pytest.raises(DeadlockError, match="test_stream"):
        world.loop.run_until_complete(wait_for_the_silent(world))


async def wait_for_the_silent(world: World) -> None:
    await open_stream(world.net, world.loop, "silent", 80)
