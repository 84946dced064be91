"""A loop and a simulated network together, for the laws of streams."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import pytest

from impl import Choices, DeadlockError, Loop, Task
from impl.net import CALM, ByteStream, SimulatedNet, Stream, StreamListener, Weather, open_stream
from impl.sim.order import Order
from impl.sim.trace import Recorder
from impl.tasks.current import set_running_loop

NARROW = Weather(buffer_bytes=4)
DATA = bytes(range(1, 24))

# `Any` in this file: results of any type.


def turns(loop: Loop, count: int) -> None:
    """Run so many kernel iterations; when nothing is ready, an iteration advances the clock."""
    before = set_running_loop(loop)
    try:
        for _ in range(count):
            loop.turn()
    finally:
        set_running_loop(before)


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
        """Return the end that connected, and the accepted one."""
        listener = self.listen()
        client = self.loop.run_until_complete(self.open())
        server = self.loop.run_until_complete(listener.accept())
        self.loop.run_until_complete(listener.aclose())
        return client, server

    def spawn(self, coro: Coroutine[Any, Any, Any]) -> Task[Any]:
        return self.loop.create_task(coro)

    def turns(self, count: int) -> None:
        turns(self.loop, count)

    def idle(self) -> None:
        """Run until the loop is idle."""
        never = self.loop.create_future()
        with pytest.raises(DeadlockError):
            self.loop.run_until_complete(never)


async def receive_all(stream: ByteStream, into: bytearray, n: int = 65536) -> None:
    while data := await stream.receive_some(n):
        into += data


async def send_and_end(stream: ByteStream, data: bytes) -> None:
    await stream.send_all(data)
    await stream.send_eof()


def is_woken(task: Task[Any]) -> bool:
    """Return whether the task was woken and has not run yet: the window in which a cancel must lose nothing."""
    return not task.done() and task.waits_for is not None and task.waits_for.done()
