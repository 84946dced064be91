"""A cancel at any moment of trio's calls on the simulated network.

`Strike` is an instrument that cancels a scope after the nth step of any task, for every possible n.  So a cancel
arrives while a call parks, is about to park, was just woken, or returned at once.  In every case no byte and no
connection is lost, and every end of a connection is closed at the end.
"""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import trio

from impl.bridges.trio.run import Run, simulate_trio
from impl.net import SimulatedNet
from impl.sim.order import Order

from .helpers import TRIO_SMALL, trio_pair
from .trio_programs import ORDERS

# `Any` in this file: each call has its own type of result.


class Strike(trio.abc.Instrument):
    """Cancels `scope` after so many steps; `struck`: whether it cancelled the scope."""

    def __init__(self, after: int) -> None:
        self.scope: trio.CancelScope | None = None
        self.struck = False
        self._left = after

    def after_task_step(self, task: trio.lowlevel.Task) -> None:
        if self.scope is not None and not self.struck:
            self._left -= 1
            if self._left < 0:
                self.struck = True
                self.scope.cancel()


async def struck(strike: Strike, call: Callable[[], Awaitable[Any]]) -> Any:
    """Return the result of the call, or None if it was cancelled."""
    with trio.CancelScope() as scope:
        strike.scope = scope
        try:
            return await call()
        finally:
            strike.scope = None


def everywhere(program: Callable[[Strike], Awaitable[None]], order: Order, full: bool) -> int:
    """Run it with a cancel after each number of steps, until there are no more; return their number."""
    for seed in range(20 if full else 1):
        after = 0
        while True:
            strike = Strike(after)
            nets: list[SimulatedNet] = []
            run: Run[None] = simulate_trio(
                program,
                strike,
                seed=seed,
                order=order,
                network=TRIO_SMALL,
                # mypy infers no type of a lambda with a default.
                prepare=lambda net, kernel, nets=nets: nets.append(net),  # type: ignore[misc]
                instruments=[strike],
            )
            run.outcome()
            assert nets[0].connections == (), f"seed {seed}, after {after} steps"
            if not strike.struck:
                break
            after += 1
    return after


DATA = bytes(range(200))


@pytest.mark.parametrize("order", ORDERS)
def test_a_cancelled_recv_takes_no_byte(order: Order, full: bool) -> None:
    async def program(strike: Strike) -> None:
        near, far = await trio_pair()
        got = b""

        async def read() -> None:
            nonlocal got
            while chunk := await near.receive_some(7):
                got += chunk

        async with trio.open_nursery() as nursery, near:
            nursery.start_soon(_send, far)
            await struck(strike, read)
            await read()
        assert got == DATA

    assert everywhere(program, order, full) > 20


async def _send(stream: trio.SocketStream) -> None:
    async with stream:
        await stream.send_all(DATA)


@pytest.mark.parametrize("order", ORDERS)
def test_a_cancelled_send_says_what_it_sent(order: Order, full: bool) -> None:
    """At the level of sockets: exactly the bytes that `send` returned have been accepted."""

    async def program(strike: Strike) -> None:
        near, far = await trio_pair()
        left, got = memoryview(DATA), b""

        async def write() -> None:
            nonlocal left
            while left:
                left = left[await near.socket.send(left[:30]) :]

        async def read() -> None:
            nonlocal got
            async with far:
                while chunk := await far.receive_some():
                    got += chunk

        async with trio.open_nursery() as nursery:
            nursery.start_soon(read)
            async with near:
                await struck(strike, write)
                await write()
        assert got == DATA

    assert everywhere(program, order, full) > 10


@pytest.mark.parametrize("order", ORDERS)
def test_a_cancelled_accept_takes_no_connection(order: Order, full: bool) -> None:
    async def program(strike: Strike) -> None:
        (listener,) = await trio.open_tcp_listeners(80, host="server")
        accepted: list[bytes] = []

        async def ask(number: int) -> None:
            await trio.sleep(0.002 * number)
            async with await trio.open_tcp_stream("server", 80) as stream:
                await stream.send_all(b"%d" % number)

        async def accept() -> None:
            while len(accepted) < 3:
                stream = await listener.accept()
                with trio.CancelScope(shield=True):
                    async with stream:
                        accepted.append(bytes(await stream.receive_some()))

        async with trio.open_nursery() as nursery:
            for number in range(3):
                nursery.start_soon(ask, number)
            await struck(strike, accept)
            await accept()
        await listener.aclose()
        assert sorted(accepted) == [b"0", b"1", b"2"]

    assert everywhere(program, order, full) > 10


@pytest.mark.parametrize("order", ORDERS)
def test_a_cancelled_connect_leaves_nothing(order: Order, full: bool) -> None:
    async def program(strike: Strike) -> None:
        (listener,) = await trio.open_tcp_listeners(80, host="server")

        async def serve(stream: trio.SocketStream) -> None:
            async with stream:
                while await stream.receive_some():
                    pass

        async def dial() -> None:
            fresh = trio.socket.socket()
            try:
                await fresh.connect(("server", 80))
            except trio.Cancelled:
                assert fresh.fileno() == -1
                raise
            fresh.close()

        async def dial_any() -> None:
            await trio.aclose_forcefully(await trio.open_tcp_stream("server", 80))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.serve_listeners, serve, [listener])
            await struck(strike, dial)
            await struck(strike, dial_any)
            await dial()
            await trio.sleep(1)
            nursery.cancel_scope.cancel()
        await listener.aclose()

    assert everywhere(program, order, full) > 5
