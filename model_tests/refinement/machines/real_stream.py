"""The adapter of streams on real sockets of the loopback interface.

As in `stream.py`, but on the operating system's network; a model covers only a part of that.  The sizes of its buffers
are unknown, so the model has more room than a run ever sends, and no sender waits.  A run cannot observe that nothing
moves any more; it pauses for many times the delay of the loopback interface.
"""

from __future__ import annotations

from dataclasses import replace

from impl import sleep
from impl.net import Stream, StreamListener, open_stream
from impl.net.real.loop import SocketLoop
from impl.net.real.sockets import SocketNet
from spec.stream import Const
from spec.stream import Stream as State

from ..subjects import IMPL
from .adapter import Adapter, Make, Record
from .objects import ObjectAdapter
from .stream import Direction, Wrap, said

HOST = "127.0.0.1"
#: A stream that has not moved in so many looks, so far apart, is at rest.
LOOKS = 3
LOOK_S = 0.005


class RealStreamAdapter(ObjectAdapter):
    """Two streams on a connection of the operating system."""

    def __init__(self, record: Record, wrap: Wrap) -> None:
        self.clock = loop = SocketLoop()
        net = SocketNet(loop)

        async def connect() -> tuple[Stream, Stream]:
            async with StreamListener(net.listen((HOST, 0)), loop) as listener:
                return await open_stream(net, loop, *listener.address), await listener.accept()

        sender, receiver = loop.run_until_complete(connect())
        self.direction = Direction(wrap(sender), wrap(receiver))
        super().__init__(replace(IMPL, new_loop=lambda: loop), self.direction, record, said)

    def see(self, s: State) -> bool:
        return self.direction.sender.bytes_sent == len(s.sent)

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

    def make(k: Const, record: Record) -> Adapter:
        return RealStreamAdapter(record, wrap)

    return make
