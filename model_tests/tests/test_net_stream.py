"""Laws of `Stream`, `StreamListener` and `open_stream`, on our loop over the simulated network.

Theory of operation.  A cancel may land before every turn of the loop.  So a law about cancelling is checked by
enumeration: the program is run afresh for each k, k turns of it, then the cancel, then whatever comes after; until
a k at which the task had already ended.  That the window between wake-up and run was among them is asserted.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl import CancelledError, Choices, DeadlockError, Loop, Task, sleep
from impl.net import CALM, Conn, Fault, SimulatedNet, Stream, StreamListener, Weather, open_stream
from impl.order import Order
from impl.timeouts import timeout
from impl.trace import Recorder

NARROW = Weather(buffer_bytes=4)
DATA = bytes(range(1, 24))


class World:
    """A loop, a network with a host named "server", and two connected streams."""

    def __init__(
        self,
        weather: Weather = CALM,
        choices: Choices | None = None,
        order: Order = "fifo",
        recorder: Recorder | None = None,
    ) -> None:
        self.choices = choices or Choices.plain()
        self.loop = Loop(self.choices, order, recorder)
        self.net = SimulatedNet(self.loop, self.choices, weather)
        self.net.add_host("server")

    def listen(self, backlog: int = 100) -> StreamListener:
        return StreamListener(self.net.listen(("server", 80), backlog), self.loop)

    async def open(self) -> Stream:
        return await open_stream(self.net, self.loop, "server", 80)

    def pair(self) -> tuple[Stream, Stream]:
        """The end that connected, and the accepted one."""
        listener = self.listen()
        client = self.loop.run_until_complete(self.open())
        server = self.loop.run_until_complete(listener.accept())
        self.loop.run_until_complete(listener.aclose())
        return client, server

    def spawn(self, coro: Coroutine[Any, Any, Any]) -> Task[Any]:  # Any: tests await all kinds
        return self.loop.create_task(coro)

    def turns(self, count: int) -> None:
        for _ in range(count):
            self.loop.stop()
            self.loop.run_forever()

    def idle(self) -> None:
        """Run until nothing can happen any more."""
        never = self.loop.create_future()
        with pytest.raises(DeadlockError):
            self.loop.run_until_complete(never)


@pytest.fixture(autouse=True)
def _nothing_goes_wrong_unseen(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """What a loop can tell no caller, it logs."""
    yield
    assert caplog.get_records("call") == []


async def receive_all(stream: Stream, into: bytearray, n: int = 65536) -> None:
    while data := await stream.receive_some(n):
        into += data


async def send_and_end(stream: Stream, data: bytes) -> None:
    await stream.send_all(data)
    await stream.send_eof()


def is_woken(task: Task[Any]) -> bool:  # Any: whatever it returns
    """Whether the task was woken and has not run yet: the window in which a cancel must lose nothing."""
    return not task.done() and task.waits_for is not None and task.waits_for.done()


# --- bytes ----------------------------------------------------------------------------------------------

INTS = st.lists(st.integers(0, 30), max_size=40)
WEATHERS = st.builds(
    Weather,
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
    weather: Weather, order: Order, values: dict[str, list[int]], there: bytes, back: bytes, n: int
) -> None:
    def run(choices: Choices) -> tuple[str, bytes]:
        recorder = Recorder()
        world = World(weather, choices, order, recorder)
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
    assert (client.bytes_sent, sender.done()) == (len(DATA), True)  # though the peer has not read the rest


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


# --- who may wait ---------------------------------------------------------------------------------------


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
def test_closing_wakes_whoever_waits_with_ebadf(end: str) -> None:
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


def test_a_reset_reaches_whoever_waits() -> None:
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
    world = World(Weather(scripted={"shut": Fault.REFUSED}))
    world.net.add_host("shut")
    with pytest.raises(error):
        world.loop.run_until_complete(open_stream(world.net, world.loop, host, port))
    assert world.net.connections == ()


def test_open_stream_tries_every_address() -> None:
    world = World()
    world.listen()
    asked: list[str] = []

    class TwoAddresses(SimulatedNet):
        def resolve(self, host: str, done: Callable[[tuple[str, ...] | OSError], None], /) -> None:
            world.net.resolve(host, lambda found: done(("192.0.2.1", "10.0.0.2")))

        def connect(self, address: tuple[str, int], done: Callable[[Conn | OSError], None], /) -> None:
            asked.append(address[0])
            world.net.connect(address, done)

    net = TwoAddresses(world.loop, world.choices)
    stream = world.loop.run_until_complete(open_stream(net, world.loop, "server", 80))
    assert asked == ["192.0.2.1", "10.0.0.2"]
    assert stream.remote == ("10.0.0.2", 80)
    with pytest.raises(ConnectionRefusedError):  # the error of the last address
        world.loop.run_until_complete(open_stream(net, world.loop, "server", 81))


def test_silence_is_a_deadlock_that_names_the_line() -> None:
    world = World(Weather(scripted={"silent": Fault.SILENT}))
    world.net.add_host("silent")
    with pytest.raises(DeadlockError, match="test_net_stream"):
        world.loop.run_until_complete(wait_for_the_silent(world))


async def wait_for_the_silent(world: World) -> None:
    await open_stream(world.net, world.loop, "silent", 80)


# --- cancelling, at every turn --------------------------------------------------------------------------


def cancelled_at_every_turn(
    begin: Callable[[World], Task[Any]],  # Any: whatever it returns
    after: Callable[[World, Task[Any]], None],
    weather: Weather = NARROW,
    order: Order = "fifo",
) -> None:
    """In five weathers, for each k: k turns, then cancel the task, then `after`; the wake window is among them."""
    for seed in range(5):
        windows = 0
        for k in range(500):
            world = World(weather, Choices.seeded(seed), order)
            task = begin(world)
            for _ in range(k):
                if not task.done():
                    world.turns(1)
            if task.done():
                break
            windows += is_woken(task)
            task.cancel()
            with pytest.raises(CancelledError):
                world.loop.run_until_complete(task)
            after(world, task)
            world.loop.close()
        else:
            raise AssertionError("the task never ended")
        assert k > 3
        assert windows > 0


@pytest.mark.parametrize("order", ["fifo", "any"])
def test_a_cancelled_receiver_loses_no_byte(order: Order) -> None:
    came = bytearray()
    streams: list[Stream] = []

    def begin(world: World) -> Task[None]:
        came.clear()
        client, server = world.pair()
        streams[:] = [client, server]
        world.spawn(send_and_end(client, DATA))
        return world.spawn(receive_all(server, came, 3))

    def after(world: World, task: Task[None]) -> None:
        world.loop.run_until_complete(receive_all(streams[1], came, 3))
        assert came == DATA

    weather = Weather(buffer_bytes=4, segments_max=2, latency_ms_max=3)
    cancelled_at_every_turn(begin, after, weather, order)


@pytest.mark.parametrize("order", ["fifo", "any"])
def test_a_cancelled_sender_can_go_on_where_it_was(order: Order) -> None:
    came = bytearray()
    streams: list[Stream] = []

    def begin(world: World) -> Task[None]:
        came.clear()
        client, server = world.pair()
        streams[:] = [client, server]
        world.spawn(receive_all(server, came))
        return world.spawn(client.send_all(DATA))

    def after(world: World, task: Task[None]) -> None:
        client = streams[0]
        world.loop.run_until_complete(send_and_end(client, DATA[client.bytes_sent :]))
        world.idle()
        assert came == DATA

    weather = Weather(buffer_bytes=4, segments_max=2, latency_ms_max=3)
    cancelled_at_every_turn(begin, after, weather, order)


def test_a_cancelled_open_stream_leaks_no_connection() -> None:
    def begin(world: World) -> Task[Stream]:
        world.listen()
        return world.spawn(world.open())

    def after(world: World, task: Task[Stream]) -> None:
        world.idle()
        left = world.net.connections  # at most the server's end, which nobody has accepted
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
        stream = world.loop.run_until_complete(listeners[0].accept())
        assert stream.local == ("10.0.0.2", 80)

    cancelled_at_every_turn(begin, after)


def test_a_receiver_that_is_cancelled_leaves_its_place() -> None:
    world = World()
    client, server = world.pair()

    async def main() -> bytes:
        first = world.spawn(server.receive_some())
        await sleep(0.01)
        first.cancel()
        await sleep(0)
        world.spawn(client.send_all(b"later"))
        return await server.receive_some()

    assert world.loop.run_until_complete(main()) == b"later"


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("ms", [1, 3])
def test_a_deadline_at_the_very_instant_of_the_answer(ms: int, first: int) -> None:
    """The look-up is answered after 1 ms, the connect after 3; whichever timer comes first, nothing leaks."""
    world = World(choices=Choices.listed({"schedule": [first]}))
    world.listen()

    async def main() -> str:
        try:
            async with timeout(ms / 1000), await world.open():
                return "connected"
        except TimeoutError:
            return "timeout"

    assert world.loop.run_until_complete(main()) == "timeout"
    world.idle()
    assert [conn.local for conn in world.net.connections] in ([], [("10.0.0.2", 80)])
    assert len(world.choices.schedule.drawn) == 1
