"""A pool and scripted servers on an ideal simulated network.

The servers follow a script, one for each connection in the order of connecting.  The network counts the connections;
virtual time is exact.
"""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from contextlib import suppress
from enum import Enum
from typing import Any, TypeVar

from impl import Choices, Loop, Task, create_task, sleep
from impl.crawl.pool import Pool
from impl.net import ByteStream, SimulatedNet, StreamListener
from impl.sim.order import Order

T = TypeVar("T")


class Act(Enum):
    """The actions of a server besides sending bytes and waiting some milliseconds."""

    HEAR = "receive a request"
    CLOSE = "close"
    RESET = "reset"
    STAY = "wait for the client to go away"


Script = tuple[bytes | int | Act, ...]

HEAR, CLOSE, RESET, STAY = Act
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
ANSWER: Script = (HEAR, OK)
KEPT: Script = (*(ANSWER * 9), STAY)


class Web:
    """Servers, a pool, and a record of each request: the number of its connection, and its target."""

    def __init__(
        self,
        *scripts: Script,
        port: int = 80,
        order: Order = "fifo",
        **settings: Any,  # Any: Pool's own
    ) -> None:
        choices = Choices.seeded(1) if order == "any" else Choices.plain()
        self.loop = Loop(choices, order)
        self.net = SimulatedNet(self.loop, choices)
        self.heard: list[tuple[int, str]] = []
        self.pool = Pool(self.net, self.loop, **settings)
        self.serve("a.test", port, scripts)

    def serve(self, name: str, port: int, scripts: Sequence[Script]) -> None:
        self.net.add_host(name)
        listener = StreamListener(self.net.listen((name, port)), self.loop)
        self.loop.create_task(self._accept(listener, scripts))

    async def _accept(self, listener: StreamListener, scripts: Sequence[Script]) -> None:
        async with listener:
            for number, script in enumerate(scripts, 1):
                create_task(self._attend(number, script, await listener.accept()))

    async def _attend(self, number: int, script: Script, stream: ByteStream) -> None:
        """Play a script; some tests have a client that disconnects in the middle, or does not speak HTTP."""
        with suppress(OSError, UnicodeDecodeError):
            await self.play(number, script, stream)

    async def play(self, number: int, script: Script, stream: ByteStream) -> None:
        async with stream:
            for act in script:
                if isinstance(act, bytes):
                    await stream.send_all(act)
                elif isinstance(act, int):
                    await sleep(act / 1000)
                elif act is RESET:
                    stream.abort()
                elif act is STAY:
                    while await stream.receive_some():
                        pass
                elif act is HEAR:
                    request = await stream.receive_some()
                    if not request:
                        return
                    self.heard.append((number, request.split()[1].decode()))

    def run(self, main: Task[T] | Coroutine[Any, Any, T]) -> T:  # Any: as Loop.run_until_complete
        return self.loop.run_until_complete(main)

    def get(self, target: str, origin: str = "http://a.test") -> bytes:
        return self.run(self.pool.get(f"{origin}{target}")).body

    def start(self, target: str) -> Task[Any]:  # Any: a Response
        return self.loop.create_task(self.pool.get(f"http://a.test{target}"))

    def settle(self, milliseconds: int = 100) -> None:
        """Run everything that is due within that time."""
        self.run(sleep(milliseconds / 1000))

    @property
    def open_clients(self) -> int:
        """Return how many connections are open at the client's end."""
        return sum(conn.remote[1] in (80, 81, 443) for conn in self.net.connections)
