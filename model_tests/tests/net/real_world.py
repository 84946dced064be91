"""A loop and a network, simulated or the operating system's, for tests that run on both.

A `Ground` has names: "server" is the host that one can listen at, `names` are further ones; all others do not exist.
On the real network no name leaves the machine: a table answers, in the resolver's thread.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable, Coroutine, Iterator, Mapping
from typing import Any, TypeVar

from impl import Choices, Loop, Task
from impl.net import Net, SimulatedNet, Stream, StreamListener, Weather, open_stream
from impl.net.conn import name_not_found
from impl.net.real.loop import SocketLoop
from impl.net.real.resolver import Lookup
from impl.net.real.sockets import SocketNet

T = TypeVar("T")

GROUNDS = ("simulated", "127.0.0.1", "::1")
#: More bytes than any system holds for one connection.
FLOOD = bytes(1 << 26)


class Ground:
    """A loop, a network, and the address of its host "server"."""

    def __init__(self, kind: str) -> None:
        self.loop: Loop
        self.net: Net
        self._held: list[socket.socket] = []
        if kind == "simulated":
            choices = Choices.seeded(1)
            self.loop = Loop(choices)
            self.net = net = SimulatedNet(self.loop, choices, Weather(latency_ms_max=3, segments_max=3))
            self.host = net.add_host("server")
        else:
            self.loop = loop = SocketLoop()
            self.net = SocketNet(loop, lookup=table({"server": (kind,)}))
            self.host = kind

    def listen(self, backlog: int = 100) -> StreamListener:
        return StreamListener(self.net.listen((self.host, 0), backlog), self.loop)

    async def open(self, port: int) -> Stream:
        return await open_stream(self.net, self.loop, "server", port)

    async def pair(self) -> tuple[Stream, Stream]:
        """Return the end that connected, and the accepted one."""
        async with self.listen() as listener:
            client = await self.open(listener.address[1])
            return client, await listener.accept()

    def spawn(self, coro: Coroutine[Any, Any, T]) -> Task[T]:  # Any: tests await all kinds
        return self.loop.create_task(coro)

    def dead_port(self) -> int:
        """Return a port without a listener; it is bound, so it never gets one."""
        if isinstance(self.net, SimulatedNet):
            return 1
        sock = bound(self.host)
        self._held.append(sock)
        port: int = sock.getsockname()[1]
        return port

    def close(self) -> None:
        self.loop.close()
        for sock in self._held:
            sock.close()


def run(ground: Ground, body: Callable[[Ground], Coroutine[None, None, None]]) -> None:
    ground.loop.run_until_complete(body(ground))


def bound(host: str, port: int = 0) -> socket.socket:
    """Return a socket that holds a port and does not listen."""
    sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        sock.bind((host, port))
    except OSError:
        sock.close()
        raise
    return sock


def table(names: Mapping[str, tuple[str, ...]]) -> Lookup:
    """Return a resolver that knows these names only."""

    def lookup(host: str) -> tuple[str, ...]:
        if host not in names:
            raise name_not_found(host)
        return names[host]

    return lookup


def descriptors() -> set[tuple[str, str]]:
    """Return the open descriptors of this process: numbers, and what they are."""
    found = set()
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(FileNotFoundError):  # the listing's own descriptor
            found.add((number, os.readlink(f"/proc/self/fd/{number}")))
    return found


@contextlib.contextmanager
def no_descriptor_more() -> Iterator[None]:
    """Check that the block leaves exactly the descriptors that were open before."""
    before = descriptors()
    yield
    assert descriptors() == before


@contextlib.contextmanager
def ground_of(kind: str) -> Iterator[Ground]:
    """Make a ground of one of the `GROUNDS`, for as long as the block lasts; it leaves no descriptor."""
    with no_descriptor_more():
        ground = Ground(kind)
        yield ground
        ground.close()
