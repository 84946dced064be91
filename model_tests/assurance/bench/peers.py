"""The peers with asyncio's shape: asyncio with its C tasks, uvloop, others' simulated loops, and ours in four forms.

`all_peers` returns those with an installed package, and the names of the others, so a bench can report which peers it
left out. uvloop, async-solipsism, simloop and detangle drive asyncio's own C Future and Task by another loop.  So does
asyncio, by the loop of `asyncio.new_event_loop()`.  A peer is looked up by its name only, so a fresh process can use
the same one.  `bridge` is asyncio's own C tasks on our kernel and network (SimEventLoop), in FIFO order.  `bridge-any`
is the same in a random order, as are the orders of simloop and detangle.  Those with a network of their own exchange
bytes over it, asyncio and uvloop over a pair of sockets.
"""

import asyncio
import socket
from collections.abc import Callable, Coroutine
from functools import partial
from importlib import import_module
from typing import Any, Final

import impl
from impl.bridges.asyncio.loop import SimEventLoop
from impl.net import IDEAL, SimulatedNet, StreamListener, open_stream

from .facade import Api, Bytes, Main, Peer

#: A function that makes two ends of a connection.
Pair = Callable[[], Coroutine[Any, Any, tuple[Bytes, Bytes]]]
#: Runs a coroutine on a loop of its own, as `asyncio.run` does.
Run = Callable[[Coroutine[Any, Any, int]], int]

#: The columns of the table, base first.
NAMES: Final = (
    *("asyncio", "impl", "no-context", "bridge", "bridge-any"),
    *("uvloop", "solipsism", "simloop", "detangle", "trio"),
)

#: Name -> the package that the peer needs.
_PACKAGES: Final = {
    "uvloop": "uvloop",
    "solipsism": "async_solipsism",
    "simloop": "simloop",
    "detangle": "detangle",
    "trio": "trio",
}
_SEED: Final = 1


def peer(name: str) -> Peer:
    """Return the peer of this name.

    Raises:
        ModuleNotFoundError: its package is not installed.
    """
    package = import_module(_PACKAGES[name]) if name in _PACKAGES else asyncio
    match name:
        case "impl" | "no-context":
            return _ours(name, contexts=name == "impl")
        case "bridge":
            return _asyncio_shaped(name, SimEventLoop, _simulated_pair)
        case "bridge-any":
            return _asyncio_shaped(name, lambda: SimEventLoop(impl.Choices.seeded(_SEED), order="any"), _simulated_pair)
        case "trio":
            trio_peer: Peer = import_module(".trio_peer", __package__).PEER
            return trio_peer
        case "solipsism":
            return _asyncio_shaped(name, package.EventLoop, _solipsist_pair)
        case "simloop":
            return _asyncio_shaped(name, partial(package.SimLoop, _SEED), _simulated_pair)
        case "detangle":
            config = package.SimConfig(max_steps=10**9)
            return _asyncio_shaped(name, lambda: package.SimLoop(config, package.RandomWalk(_SEED)), _simulated_pair)
    return _asyncio_shaped(name, package.new_event_loop, _socket_pair)


def all_peers() -> tuple[list[Peer], list[str]]:
    """Return the installed peers, and the names of those with a missing package."""
    there, missing = [], []
    for name in NAMES:
        try:
            there.append(peer(name))
        except ModuleNotFoundError as error:
            if error.name != _PACKAGES.get(name):
                raise
            missing.append(name)
    return there, missing


# `Any`: a loop, and the names, of impl or of asyncio.
def _peer(name: str, new_loop: Callable[[], Any], api: Callable[[Any], Api], names: Any, run: Run) -> Peer:
    """Return the peer whose loop `fresh` makes and closes by hand; `run` runs a coroutine on a loop of its own."""

    def fresh(main: Main) -> int:
        loop = new_loop()
        try:
            ended: int = loop.run_until_complete(main(api(loop)))
            return ended
        finally:
            loop.close()

    async def entered(main: Main) -> int:
        return await main(api(names.get_running_loop()))

    return Peer(name, fresh, lambda main: run(entered(main)))


def _api(names: Any, loop: Any, pair: Pair) -> Api:
    return Api(
        future=loop.create_future,
        queue=names.Queue,
        sleep=names.sleep,
        spawn=loop.create_task,
        cancellable=loop.create_task,
        pair=pair,
    )


# --- ours ------------------------------------------------------------------------------------------------


def _ours(name: str, *, contexts: bool) -> Peer:
    def api(loop: impl.Loop) -> Api:
        return _api(impl, loop, partial(_pair_of_ours, loop))

    return _peer(name, partial(impl.Loop, contexts=contexts), api, impl, partial(impl.run, contexts=contexts))


async def _pair_of_ours(loop: impl.Loop) -> tuple[Bytes, Bytes]:
    net = SimulatedNet(loop, impl.Choices.plain(), IDEAL)
    net.add_host("server")
    listener = StreamListener(net.listen(("server", 80)), loop)
    client = await open_stream(net, loop, "server", 80)
    server = await listener.accept()
    await listener.aclose()
    return client, server


# --- asyncio's -------------------------------------------------------------------------------------------


def _asyncio_shaped(name: str, new_loop: Callable[[], asyncio.AbstractEventLoop], pair: Pair) -> Peer:
    def run(main: Coroutine[Any, Any, int]) -> int:
        with asyncio.Runner(loop_factory=new_loop) as runner:  # as asyncio.run does
            return runner.run(main)

    return _peer(name, new_loop, lambda loop: _api(asyncio, loop, pair), asyncio, run)


async def _solipsist_pair() -> tuple[Bytes, Bytes]:
    """Return a connection in memory of async-solipsism, which its loop alone can use."""
    return await _streams(*import_module("async_solipsism").socketpair())


async def _socket_pair() -> tuple[Bytes, Bytes]:
    """Return a connection within the operating system."""
    return await _streams(*socket.socketpair())


async def _streams(one: Any, other: Any) -> tuple[Bytes, Bytes]:  # Any: sockets, also async-solipsism's
    return (
        _AsyncioBytes(*await asyncio.open_connection(sock=one)),
        _AsyncioBytes(*await asyncio.open_connection(sock=other)),
    )


async def _simulated_pair() -> tuple[Bytes, Bytes]:
    """Return a connection on the loop's own network."""
    accepted: asyncio.Queue[_AsyncioBytes] = asyncio.Queue()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.put_nowait(_AsyncioBytes(reader, writer))

    server = await asyncio.start_server(accept, "localhost", 80)
    found = await asyncio.get_running_loop().getaddrinfo("localhost", 80)
    # simloop connects to no localhost
    client = _AsyncioBytes(*await asyncio.open_connection(*found[0][4][:2]))
    other = await accepted.get()
    server.close()
    return client, other


class _AsyncioBytes:
    """asyncio's two streams as one connection, with the calls that its documentation prescribes and no others."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.receive_some: Callable[[int], Any] = reader.read  # a coroutine of bytes
        self._drain = writer.drain

    async def send_all(self, data: bytes) -> None:
        self._writer.write(data)
        await self._drain()

    async def aclose(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()
