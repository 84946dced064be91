"""A site on a network without tasks: for programs with tasks of asyncio or trio, not ours.

`serving.hosting` needs a loop of ours for its servers.  This module needs only a clock, which the network has anyway.
Each connection is a generator of the steps of its conversation, which yields where it must wait; a watcher (conn.py)
or a timer resumes it.  Both modules speak the same protocol, `serving.server`.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from ...interfaces import Clockwork
from ...net import SimulatedNet
from ...net.conn import Conn, Listener
from ...net.simulated.conditions import MS
from ...tasks.callback import Callback
from ..wire import Send
from .commands import HalfClose, Hang, Pause, Reset
from .faults import served
from .server import serve
from .site import Site, places

_RECEIVE_BYTES: Final = 65536

#: Resumed after a pause, or, where it yields None, when its connection may be ready.
_Steps = Generator[Pause | None, None, None]


def host(site: Site, net: SimulatedNet, clock: Clockwork, backlog: int = 100) -> None:
    """Make the hosts of `site` exist on `net`, and serve them; `clock` is that of the network.

    `backlog`: the most connections that may wait to be accepted, for each host.
    """
    site = served(site)
    for (name, port), listens in places(site).items():
        net.add_host(name)
        if listens:
            _accept(site, net.listen((name, port), backlog), clock)


def _accept(site: Site, listener: Listener, clock: Clockwork) -> None:
    def came_in(what: int) -> None:
        while (conn := listener.accept()) is not None:
            _Conversation(site, conn, clock).go_on()

    listener.watch(came_in)


class _Conversation:
    """One connection, for as long as both ends want it."""

    def __init__(self, site: Site, conn: Conn, clock: Clockwork) -> None:
        self._conn = conn
        self._clock = clock
        self._steps = _converse(site, conn)

    def go_on(self, what: int = 0) -> None:
        """Run the steps that are possible now; this is also the watcher."""
        self._conn.unwatch(self.go_on)
        try:
            pause = next(self._steps)
        except (StopIteration, OSError):  # the conversation is over, or the client went away
            self._conn.close()
            return
        if pause is None:
            self._conn.watch(self.go_on)
        else:
            self._clock.at(self._clock.now + pause.ms * MS, Callback(self.go_on))


def _converse(site: Site, conn: Conn) -> _Steps:
    dialogue = serve(site)
    answer: bytes | None = None
    while True:
        try:
            command = dialogue.send(answer)
        except StopIteration:
            return
        match command:
            case Send(data):
                yield from _send(conn, data)
                answer = None
            case Pause():
                yield command
                answer = None
            case HalfClose():
                conn.send_eof()
                answer = None
            case Reset():
                conn.abort()
                return
            case Hang():
                while (yield from _receive(conn)):
                    pass
                return
            case _:
                answer = yield from _receive(conn)


def _send(conn: Conn, data: bytes) -> _Steps:
    rest = memoryview(data)
    while rest:
        taken = conn.send(rest)
        if taken is None:
            yield None
        else:
            rest = rest[taken:]


def _receive(conn: Conn) -> Generator[None, None, bytes]:
    while (data := conn.recv(_RECEIVE_BYTES)) is None:
        yield None
    return data
