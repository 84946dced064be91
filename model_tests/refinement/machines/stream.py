"""The adapters of streams, simulated and real, and the machine that checks them against `spec.stream`.

Two connected streams, a sender and a receiver, are one object; tasks call its methods (`objects.py`).  Besides the
answers of its calls it shows the number of bytes that the network has taken.

On the simulated network, if nothing is ready, a turn of the loop moves the clock to the next arrival, so a caller can
act between any two arrivals.  The connection holds as many bytes as the model says.  Latencies and segments are drawn
from choices, and so are resets of the connection if the model is faulty.

On real sockets of the loopback interface a model covers only a part of the network.  The sizes of its buffers are
unknown, so the model has more room than a run ever sends, and no sender waits.  A run cannot observe that nothing moves
any more; it pauses for many times the delay of the loopback interface.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from impl import Choices, Loop, sleep
from impl.net import Fault, Net, NetworkConditions, SimulatedNet, Stream, StreamListener, open_stream
from impl.net.real.loop import SocketLoop
from impl.net.real.sockets import SocketNet
from impl.tasks.current import set_running_loop
from spec.kit.model import Model
from spec.stream import Bytes, Const, Said, Side, stream_model
from spec.stream import Stream as State

from ..subjects import IMPL
from .adapter import Make, Record
from .generator import SpecMachine, machine
from .objects import ObjectAdapter
from .outcomes import Raised, no_word

#: More than an example sends.
TOTAL = 1_000
#: A run comes to rest after far fewer turns.
TURNS_MAX = 10_000
#: A stream on real sockets that has not moved in so many looks, so far apart, is at rest.
LOOKS = 3
LOOK_S = 0.005
HOST = "127.0.0.1"
WINDY = NetworkConditions(latency_ms_max=3, segments_max=3, fault_one_in=2)

#: Makes the stream under test from a right one: itself, or something wrong.
Wrap = Callable[[Stream], Stream]
#: Small buffers, so that senders wait; three tasks, so that both ends can be in use while a third task closes one.
MODELS = [
    stream_model(3, capacity, TOTAL, kinds=2, faulty=faulty) for capacity in (1, 2, 3) for faulty in (False, True)
]


class Direction:
    """One direction of a connection, with the calls of its two ends; bytes are tuples of numbers, as in the text."""

    def __init__(self, sender: Stream, receiver: Stream) -> None:
        self.sender = sender
        self.receiver = receiver
        self.ends = {Side.SENDER: sender, Side.RECEIVER: receiver}

    async def send_all(self, data: Bytes) -> None:
        await self.sender.send_all(bytes(data))

    async def send_eof(self) -> None:
        await self.sender.send_eof()

    async def receive_some(self, n: int) -> tuple[int, ...]:
        return tuple(await self.receiver.receive_some(n))

    async def aclose(self, end: Side) -> None:
        await self.ends[end].aclose()

    def abort(self, end: Side) -> None:
        self.ends[end].abort()


def said(outcome: object) -> Hashable:
    """The result of a call, or the exception that it raised, in the words of the specification."""
    match outcome:
        case Raised(IMPL.cancelled_error()):
            return Said.CANCELLED
        case Raised(RuntimeError()):
            return Said.BUSY
        case Raised(ConnectionResetError() | BrokenPipeError()):
            return Said.BROKEN
        case Raised(OSError(errno=errno.EBADF)):
            return Said.CLOSED
    return no_word(outcome)


class TwoStreams(ObjectAdapter):
    """Two connected streams: the one that connected to `address` in `net`, and the one that was accepted there."""

    def __init__(self, loop: Loop, net: Net, address: tuple[str, int], record: Record, wrap: Wrap) -> None:
        async def connect() -> tuple[Stream, Stream]:
            async with StreamListener(net.listen(address), loop) as listener:
                return await open_stream(net, loop, *listener.address), await listener.accept()

        sender, receiver = loop.run_until_complete(connect())
        self.direction = Direction(wrap(sender), wrap(receiver))
        super().__init__(replace(IMPL, new_loop=lambda: loop), self.direction, record, said)

    def see(self, s: State) -> bool:
        return self.direction.sender.bytes_sent == len(s.sent)


class StreamAdapter(TwoStreams):
    """Two streams on a simulated network of its own."""

    def __init__(self, k: Const, record: Record, choices: Choices, wrap: Wrap) -> None:
        self.clock = Loop(choices)
        conditions = replace(WINDY, buffer_bytes=k.capacity, faults=(Fault.RESET,) if k.faulty else ())
        net = SimulatedNet(self.clock, choices, conditions)
        net.add_host("server")
        super().__init__(self.clock, net, ("server", 80), record, wrap)

    def turn(self) -> None:
        self.moves()

    def moves(self) -> bool:
        """One turn of the kernel, which may move the clock; False: nothing is left to happen."""
        if not self.clock.ready and self.clock.next_event() is None:
            return False  # a turn would raise DeadlockError: its report takes longer than all turns before
        before = set_running_loop(self.clock)
        try:
            self.clock.turn()
        finally:
            set_running_loop(before)
        assert not self.reported, f"the exception handler was told {self.reported}"
        return True

    def settle(self) -> None:
        for _ in range(TURNS_MAX):
            if not self.moves():
                return
        raise AssertionError(f"it moves still after {TURNS_MAX:,} turns")


def stream_adapter(choices: Callable[[], Choices], wrap: Wrap = lambda stream: stream) -> Make:
    """Makes adapters of streams; `choices` makes those of one run, `wrap` the stream under test."""
    return lambda k, record: StreamAdapter(k, record, choices(), wrap)


def stream_machine(
    models: Sequence[Model[Const, State]], choices: Callable[[], Choices], wrap: Wrap = lambda stream: stream
) -> type[SpecMachine]:
    """The machine that holds streams to models of the specification; the rest as `stream_adapter`."""
    return machine(models, stream_adapter(choices, wrap))


class RealStreamAdapter(TwoStreams):
    """Two streams on a connection of the operating system."""

    def __init__(self, record: Record, wrap: Wrap) -> None:
        self.clock = SocketLoop()
        super().__init__(self.clock, SocketNet(self.clock), (HOST, 0), record, wrap)

    def settle(self) -> None:
        quiet = 0
        while quiet < LOOKS:
            before = self.records
            self.clock.run_until_complete(sleep(LOOK_S))
            self.turn()
            quiet = quiet + 1 if self.records == before else 0

    def close(self) -> None:
        for stream in self.direction.ends.values():
            stream.abort()
        super().close()


def real_stream_adapter(wrap: Wrap = lambda stream: stream) -> Make:
    """Makes adapters of streams on real sockets; `wrap` makes the stream under test."""
    return lambda k, record: RealStreamAdapter(record, wrap)
