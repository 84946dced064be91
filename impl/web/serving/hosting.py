"""A site on a network: a server for each of its hosts, as tasks of our loop or without tasks.

1.  `serving.server` is the protocol, without I/O; this module accepts connections and runs the protocol.
2.  `host` runs it over `Stream`, in a task for each connection.
3.  `host_without_tasks` is for programs with tasks of asyncio or trio, not ours.  It needs only a clock, which the
    network has anyway: each connection is a generator of the steps of its conversation, which yields where it must
    wait; a watcher (conn.py) or a timer resumes it.
4.  Faults of a whole host belong to the network: a refused host exists without a listener, an unknown host does not
    exist.  An error of a connection ends that connection and never the server.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial
from typing import Final

from ...interfaces import Clockwork, Maker
from ...net import Conn, Listener, SimulatedNet, Stream, StreamListener
from ...net.simulated.conditions import MS
from ...runners.runner import create_task, sleep
from ...tasks.callback import Callback
from ..wire import Send
from .commands import HalfClose, Hang, Pause, Reset
from .faults import served
from .server import serve
from .site import Site, places

_RECEIVE_BYTES: Final = 65536


def _listeners(site: Site, net: SimulatedNet, backlog: int) -> Iterator[tuple[str, Listener]]:
    """Make the hosts of `site` exist on `net`; the places that are served, each with its listener."""
    for (name, port), listens in places(site).items():
        net.add_host(name)
        if listens:
            yield f"{name}:{port}", net.listen((name, port), backlog)


# --- as tasks of our loop -----------------------------------------------------------------------------------


def host(site: Site, net: SimulatedNet, loop: Maker, backlog: int = 100) -> None:
    """Make the hosts of `site` exist on `net`, and serve them; a loop must be running.

    `backlog`: the most connections that may wait to be accepted, for each host.
    """
    site = served(site)
    for place, listener in _listeners(site, net, backlog):
        create_task(accept(site, StreamListener(listener, loop)), name=f"server {place}")


async def accept(site: Site, listener: StreamListener) -> None:
    """Serve each connection in a task of its own, until cancelled."""
    async with listener:
        while True:
            create_task(_converse(site, await listener.accept()))


async def _converse(site: Site, stream: Stream) -> None:
    """One connection, for as long as both ends want it."""
    async with stream:
        dialogue = serve(site)
        answer: bytes | None = None
        try:
            while True:
                match dialogue.send(answer):
                    case Send(data):
                        await stream.send_all(data)
                        answer = None
                    case Pause(ms):
                        await sleep(ms / 1000)
                        answer = None
                    case HalfClose():
                        await stream.send_eof()
                        answer = None
                    case Reset():
                        stream.abort()
                        return
                    case Hang():
                        while await stream.receive_some():
                            pass
                        return
                    case _:
                        answer = await stream.receive_some()
        except StopIteration:
            pass
        except OSError:
            pass  # the client went away


# --- without tasks ------------------------------------------------------------------------------------------

#: Resumed after a pause, or, where it yields None, when its connection may be ready.
_Steps = Generator[Pause | None, None, None]


def host_without_tasks(site: Site, net: SimulatedNet, clock: Clockwork, backlog: int = 100) -> None:
    """As `host`; `clock` is that of the network."""
    site = served(site)
    for _, listener in _listeners(site, net, backlog):
        listener.watch(partial(_came_in, site, listener, clock))


def _came_in(site: Site, listener: Listener, clock: Clockwork, what: int) -> None:
    """The watcher of a listener: begin a conversation with each connection that waits."""
    while (conn := listener.accept()) is not None:
        _Conversation(site, conn, clock).go_on()


class _Conversation:
    """One connection, for as long as both ends want it."""

    def __init__(self, site: Site, conn: Conn, clock: Clockwork) -> None:
        self._conn = conn
        self._clock = clock
        self._steps = _steps_of(site, conn)

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


def _steps_of(site: Site, conn: Conn) -> _Steps:
    """The steps of one connection."""
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
