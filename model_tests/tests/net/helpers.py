"""Helpers of the network tests: a network without a loop, one with a loop, and one that may be real."""

import contextlib
import errno
import os
import resource
import socket
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

import pytest

from impl import Choices, DeadlockError, Loop, Task, sleep
from impl.interfaces import Observer, Runnable
from impl.net import (
    IDEAL,
    ByteStream,
    Net,
    NetworkConditions,
    SimulatedNet,
    Stream,
    StreamListener,
    open_stream,
)
from impl.net.conn import name_not_found
from impl.net.real.loop import SocketLoop
from impl.net.real.resolver import Lookup
from impl.net.real.sockets import SocketNet
from impl.net.simulated.connection import SimConn
from impl.sim.order import Order
from impl.sim.trace import Recorder
from impl.tasks.current import set_running_loop

# --- Without an event loop, for the laws of Conn, Listener and Net ------------------------------------------


class Clock:
    """All the kernel that the network needs."""

    def __init__(self, choices: Choices | None = None, observer: Observer | None = None) -> None:
        self.now = 0
        self.observer = observer
        self.choices = choices or Choices.plain()
        self.timers: list[tuple[int, int, Runnable]] = []
        self.count = 0

    def at(self, when: int, target: Runnable) -> None:
        self.count += 1
        self.timers.append((max(when, self.now), self.count, target))

    def step(self) -> bool:
        """Fire one timer of the earliest deadline; False: there is none."""
        if not self.timers:
            return False
        self.timers.sort()
        self.now = self.timers[0][0]
        tied = sum(timer[0] == self.now for timer in self.timers)
        _, _, target = self.timers.pop(self.choices.schedule(tied))
        target.run()
        return True

    def run(self) -> None:
        while self.step():
            pass


def network(conditions: NetworkConditions = IDEAL, choices: Choices | None = None) -> tuple[Clock, SimulatedNet]:
    choices = choices or Choices.plain()
    clock = Clock(choices)
    net = SimulatedNet(clock, choices, conditions)
    net.add_host("server")
    return clock, net


#: Any: a connection or an error, as the test says.
Answer: TypeAlias = Any


def ask(clock: Clock, net: Net, host: str = "server", port: int = 80) -> list[Answer]:
    """Connect, and let everything happen that can: the answers that came."""
    answers: list[Answer] = []
    addresses: list[str] = []
    net.resolve(host, lambda found: addresses.extend(found if isinstance(found, tuple) else ()))
    clock.run()
    (address,) = addresses
    net.connect((address, port), answers.append)
    clock.run()
    return answers


def pair(clock: Clock, net: Net, backlog: int = 1) -> tuple[SimConn, SimConn]:
    """Two connected ends: the one that connected, and the accepted one."""
    listener = net.listen(("server", 80), backlog)
    (client,) = ask(clock, net)
    server: Answer = listener.accept()
    listener.close()
    return client, server


def connected(
    conditions: NetworkConditions = IDEAL, choices: Choices | None = None
) -> tuple[Clock, SimulatedNet, SimConn, SimConn]:
    """A network, and the two ends of a connection on it."""
    clock, net = network(conditions, choices)
    return clock, net, *pair(clock, net)


def outcome(fn: Callable[..., object], *args: object) -> object:
    """The result of a call, or the class of the OSError that it raises, or its errno if it is just an OSError."""
    try:
        return fn(*args)
    except OSError as error:
        return error.errno if type(error) is OSError else type(error)


def code_of(call: Callable[[], object]) -> int | None:
    """The errno of the OSError that the call raises."""
    with pytest.raises(OSError) as caught:  # noqa: PT011  # its errno is compared
        call()
    return caught.value.errno


class Transcript(Observer):
    """The hooks that the network calls, as text."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def opened(self, conn: object, local: str, remote: str) -> None:
        self.lines.append(f"opened {local} {remote}")

    def sent(self, conn: object, size: int) -> None:
        self.lines.append(f"sent {size}")

    def carried(self, conn: object, data: bytes) -> None:
        self.lines.append(f"carried {data!r}")

    def closed(self, conn: object, how: str) -> None:
        self.lines.append(f"closed {how}")


# --- A loop and a simulated network, for the laws of streams ------------------------------------------------


T = TypeVar("T")
NARROW = NetworkConditions(buffer_bytes=4)
DATA = bytes(range(1, 24))


def cancelled(loop: Loop, task: Task[Any], count: int) -> bool:
    """Cancel a task after so many turns; return whether it was not done before."""
    for _ in range(count):
        if not task.done():
            turns(loop, 1)
    return task.cancel()


def turns(loop: Loop, count: int) -> None:
    """So many turns of the kernel; where nothing is ready, a turn moves the clock."""
    before = set_running_loop(loop)
    try:
        for _ in range(count):
            loop.turn()
    finally:
        set_running_loop(before)


class Place:
    """A loop, a network with a host named "server", and streams between the two."""

    loop: Loop
    net: Net
    host: str
    port: int

    def listen(self, backlog: int = 100) -> StreamListener:
        return StreamListener(self.net.listen((self.host, self.port), backlog), self.loop)

    async def open(self, port: int = 80) -> Stream:
        return await open_stream(self.net, self.loop, "server", port)

    async def pair(self) -> tuple[Stream, Stream]:
        """The end that connected, and the accepted one."""
        async with self.listen() as listener:
            client = await self.open(listener.address[1])
            return client, await listener.accept()

    def spawn(self, coro: Coroutine[Any, Any, T]) -> Task[T]:
        return self.loop.create_task(coro)

    def run(self, main: Coroutine[Any, Any, T] | Task[T]) -> T:
        return self.loop.run_until_complete(main)


class World(Place):
    """A simulated network without a token; its host listens at port 80."""

    net: SimulatedNet

    def __init__(
        self,
        conditions: NetworkConditions = IDEAL,
        choices: Choices | None = None,
        order: Order = "fifo",
        recorder: Recorder | None = None,
    ) -> None:
        self.choices = choices or Choices.plain()
        self.loop = Loop(self.choices, order, recorder)
        self.net = SimulatedNet(self.loop, self.choices, conditions)
        self.host, self.port = self.net.add_host("server"), 80

    def idle(self) -> None:
        """Run until nothing can happen any more."""
        with pytest.raises(DeadlockError):
            self.run(sleep(float("inf")))


async def receive_all(stream: ByteStream, into: bytearray, n: int = 65536) -> None:
    while data := await stream.receive_some(n):
        into += data


async def send_and_end(stream: ByteStream, data: bytes) -> None:
    await stream.send_all(data)
    await stream.send_eof()


def is_woken(task: Task[Any]) -> bool:  # Any: whatever it returns
    """Whether the task was woken and has not run yet: a cancel in this window must lose nothing."""
    return not task.done() and task.waits_for is not None and task.waits_for.done()


async def closed(what: Awaitable[object]) -> None:
    """It raises the error of a closed socket."""
    with pytest.raises(OSError, match="closed") as info:
        await what
    assert info.value.errno == errno.EBADF


# --- Simulated, or the operating system's: the same test can run on both ------------------------------------
GROUNDS = ("simulated", "127.0.0.1", "::1")
#: More bytes than any system holds for one connection.
FLOOD = bytes(1 << 26)
#: Longer than a segment, and without a period that could hide a mix-up.
NUMBERS = b"".join(n.to_bytes(3, "big") for n in range(100_000))


class Ground(Place):
    """A network that may be real; it resolves only names of its table, so no look-up leaves the machine."""

    def __init__(self, kind: str) -> None:
        self._held: list[socket.socket] = []
        self.port = 0
        if kind == "simulated":
            choices = Choices.seeded(1)
            self.loop = Loop(choices)
            conditions = NetworkConditions(latency_ms_max=3, segments_max=3)
            self.net = net = SimulatedNet(self.loop, choices, conditions)
            self.host = net.add_host("server")
        else:
            self.loop = loop = SocketLoop()
            self.net = SocketNet(loop, lookup=table({"server": (kind,)}))
            self.host = kind

    def dead_port(self) -> int:
        """A port at which nobody listens, nor will: it is bound."""
        if isinstance(self.net, SimulatedNet):
            return 1
        self._held.append(bound(self.host))
        port: int = self._held[-1].getsockname()[1]
        return port

    def close(self) -> None:
        self.loop.close()
        for sock in self._held:
            sock.close()


def bound(host: str, port: int = 0) -> socket.socket:
    """A socket that holds a port and does not listen."""
    sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        sock.bind((host, port))
    except OSError:
        sock.close()
        raise
    return sock


def table(names: Mapping[str, tuple[str, ...]]) -> Lookup:
    """A resolver that knows these names only."""

    def lookup(host: str) -> tuple[str, ...]:
        if host not in names:
            raise name_not_found(host)
        return names[host]

    return lookup


def descriptors() -> set[tuple[str, str]]:
    """The open descriptors of this process: numbers, and the files behind them."""
    found = set()
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(FileNotFoundError):  # that of the listing itself
            found.add((number, os.readlink(f"/proc/self/fd/{number}")))
    return found


@contextlib.contextmanager
def no_descriptor_more() -> Iterator[None]:
    """The block leaves no descriptor that was not there; one that an earlier test forgot may be closed meanwhile."""
    before = descriptors()
    yield
    more = descriptors() - before
    assert not more, f"left open: {sorted(more)}"


@contextlib.contextmanager
def descriptors_left(count: int) -> Iterator[None]:
    """In the block the process can open so many descriptors, and no more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest_free = os.dup(0)
    os.close(lowest_free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free + count, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@contextlib.contextmanager
def ground_of(kind: str) -> Iterator[Ground]:
    """A ground of one of the `GROUNDS`, for as long as the block lasts; it leaves no descriptor."""
    with no_descriptor_more():
        ground = Ground(kind)
        yield ground
        ground.close()
