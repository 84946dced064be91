"""A site on a network: a server for each of its hosts, as tasks of the loop.

`serving.server` is the protocol, without I/O; this module accepts connections and runs the protocol over `Stream`.
Faults of a whole host belong to the network: a refused host exists without a listener, an unknown host does not exist.
An error of a connection ends that connection and never the server.
"""

from __future__ import annotations

from ...interfaces import Maker
from ...net import SimulatedNet, Stream, StreamListener
from ...runners.runner import create_task, sleep
from ..wire import Send
from .commands import HalfClose, Hang, Pause, Reset
from .faults import served
from .server import serve
from .site import Site, places


def host(site: Site, net: SimulatedNet, loop: Maker, backlog: int = 100) -> None:
    """Make the hosts of `site` exist on `net`, and serve them; a loop must be running.

    `backlog`: the most connections that may wait to be accepted, for each host.
    """
    site = served(site)
    for (name, port), listens in places(site).items():
        net.add_host(name)
        if listens:
            listener = StreamListener(net.listen((name, port), backlog), loop)
            create_task(accept(site, listener), name=f"server {name}:{port}")


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
