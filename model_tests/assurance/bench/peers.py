"""The peers with asyncio's shape: asyncio with its C tasks, uvloop, others' simulated loops, and ours in four forms.

`all_peers` returns those with an installed package, and the names of the others, so a bench can report which peers it
left out. uvloop, async-solipsism, simloop and detangle drive asyncio's own C Future and Task by another loop.  So does
asyncio, by the loop of `asyncio.new_event_loop()`.  A peer is looked up by its name only, so a fresh process can use
the same one.  `bridge` is asyncio's own C tasks on our kernel and network (SimEventLoop), in FIFO order.  `bridge-any`
is the same in a random order, as are the orders of simloop and detangle.  Those with a network of their own exchange
bytes over it, asyncio and uvloop over a pair of sockets.
"""

from __future__ import annotations

import asyncio
import functools
import socket
from collections.abc import Callable, Coroutine
from importlib import import_module
from typing import Any, Final

import impl
from impl.bridges.asyncio.loop import SimEventLoop
from impl.net import IDEAL, SimulatedNet, StreamListener, open_stream

from .facade import Api, Bytes, Main, Peer

#: A function that makes two ends of a connection.
Pair = Callable[[], Coroutine[Any, Any, tuple[Bytes, Bytes]]]

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
    if name in ("impl", "no-context"):
        return _ours(name, contexts=name == "impl")
    if name in ("bridge", "bridge-any"):
        return _asyncio_shaped(name, _bridged if name == "bridge" else _bridged_in_any_order, _simulated_pair)
    package = import_module(_PACKAGES[name]) if name in _PACKAGES else asyncio
    if name == "trio":
        trio_peer: Peer = import_module(".trio_peer", __package__).PEER
        return trio_peer
    if name == "solipsism":
        return _asyncio_shaped(name, package.EventLoop, _solipsist_pair)
    if name == "simloop":
        return _asyncio_shaped(name, functools.partial(package.SimLoop, _SEED), _simulated_pair)
    if name == "detangle":
        config = package.SimConfig(max_steps=10**9)
        return _asyncio_shaped(
            name, lambda: package.SimLoop(config, package.RandomWalk(_SEED)), _simulated_pair
        )
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


# --- ours ------------------------------------------------------------------------------------------------


def _ours(name: str, *, contexts: bool) -> Peer:
    def fresh(main: Main) -> int:
        loop = impl.Loop(contexts=contexts)
        try:
            return loop.run_until_complete(main(_our_api(loop)))
        finally:
            loop.close()

    def run(main: Main) -> int:
        return impl.run(_entered(main), contexts=contexts)

    async def _entered(main: Main) -> int:
        return await main(_our_api(impl.get_running_loop()))

    return Peer(name, fresh, run)


def _our_api(loop: impl.Loop) -> Api:
    async def pair() -> tuple[Bytes, Bytes]:
        net = SimulatedNet(loop, impl.Choices.plain(), IDEAL)
        net.add_host("server")
        listener = StreamListener(net.listen(("server", 80)), loop)
        client = await open_stream(net, loop, "server", 80)
        server = await listener.accept()
        await listener.aclose()
        return client, server

    return Api(
        future=loop.create_future,
        queue=impl.Queue,
        sleep=impl.sleep,
        spawn=loop.create_task,
        cancellable=loop.create_task,
        pair=pair,
    )


# --- asyncio's -------------------------------------------------------------------------------------------


def _bridged() -> asyncio.AbstractEventLoop:
    return SimEventLoop()


def _bridged_in_any_order() -> asyncio.AbstractEventLoop:
    return SimEventLoop(impl.Choices.seeded(_SEED), order="any")


def _asyncio_shaped(name: str, new_loop: Callable[[], asyncio.AbstractEventLoop], pair: Pair) -> Peer:
    def fresh(main: Main) -> int:
        loop = new_loop()
        try:
            return loop.run_until_complete(main(_asyncio_api(loop, pair)))
        finally:
            loop.close()

    def run(main: Main) -> int:
        with asyncio.Runner(loop_factory=new_loop) as runner:  # as asyncio.run does
            return runner.run(_entered(main))

    async def _entered(main: Main) -> int:
        return await main(_asyncio_api(asyncio.get_running_loop(), pair))

    return Peer(name, fresh, run)


def _asyncio_api(loop: asyncio.AbstractEventLoop, pair: Pair) -> Api:
    return Api(
        future=loop.create_future,
        queue=asyncio.Queue,
        sleep=asyncio.sleep,
        spawn=loop.create_task,
        cancellable=loop.create_task,
        pair=pair,
    )


async def _solipsist_pair() -> tuple[Bytes, Bytes]:
    """Return a connection in memory of async-solipsism, which its loop alone can use."""
    one, other = import_module("async_solipsism").socketpair()
    return (
        _AsyncioBytes(*await asyncio.open_connection(sock=one)),
        _AsyncioBytes(*await asyncio.open_connection(sock=other)),
    )


async def _socket_pair() -> tuple[Bytes, Bytes]:
    """Return a connection within the operating system."""
    one, other = socket.socketpair()
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
    client = _AsyncioBytes(
        *await asyncio.open_connection(*found[0][4][:2])
    )  # simloop connects to no localhost
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
