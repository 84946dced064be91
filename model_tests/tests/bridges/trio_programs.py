"""Trio programs for the simulated run, as a user would write them: streams, servers, nurseries, timeouts, TLS.

    python -m model_tests.tests.bridges.trio_programs SEEDS

prints a digest for each program, with and without TLS, under each order policy: two processes must print the same.

Each is a function of two TLS contexts, for the server and for the client, or of none.  A program is independent of the
runtime that runs it.  Its result is compared between runs, so it has no address and no real time.
"""

import hashlib
import ssl
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final

import trio
import trio.testing

from impl.bridges.trio.run import simulate_trio
from impl.sim.order import Order

from ..net.tls import client_context, server_context

#: For the server, and for the client.
Contexts = tuple[ssl.SSLContext, ssl.SSLContext]

# `Any`, here and below: each program has its own type of result.
Program = Callable[[Contexts | None], Awaitable[Any]]

CLIENTS: Final = 5


async def echo(tls: Contexts | None) -> Any:
    """Clients that send a line and read the server's delayed reply; a refused port; an unknown host."""
    answers: list[Any] = []

    async def handle(plain: trio.SocketStream) -> None:
        stream = _secure(plain, tls, True)
        line = await _line(stream)
        await trio.sleep(0.05)
        await stream.send_all(line.upper() * 3000)
        await stream.aclose()

    async def ask(number: int) -> None:
        plain = await trio.open_tcp_stream("server", 7)
        async with _secure(plain, tls, False) as stream:
            await stream.send_all(b"line %d\n" % number)
            size = 0
            async for chunk in stream:
                size += len(chunk)
            answers.append((number, size, trio.current_time()))

    async with trio.open_nursery() as nursery:
        await nursery.start(_serve, handle)
        with trio.fail_after(60):
            async with trio.open_nursery() as clients:
                for number in range(CLIENTS):
                    clients.start_soon(ask, number)
        for host, port in (("server", 8), ("nowhere", 7)):
            try:
                await trio.open_tcp_stream(host, port)
            except OSError as error:
                answers.append(type(error).__name__)
        nursery.cancel_scope.cancel()
    return answers


async def _serve(handle: Callable[[trio.SocketStream], Awaitable[None]], task_status: Any) -> None:
    await trio.serve_tcp(handle, 7, host="server", task_status=task_status)


def _secure(plain: trio.SocketStream, tls: Contexts | None, server_side: bool) -> trio.abc.Stream:
    if tls is None:
        return plain
    name = None if server_side else "server"
    return trio.SSLStream(
        plain,
        tls[0 if server_side else 1],
        server_hostname=name,
        server_side=server_side,
        https_compatible=True,
    )


async def _line(stream: trio.abc.Stream) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        line += await stream.receive_some()
    return line.rstrip()


async def sharing(tls: Contexts | None) -> Any:
    """Channels, locks, events and timeouts: many tasks that one step wakes, and cancels that strike many at once."""
    seen: list[Any] = []
    go, lock = trio.Event(), trio.Lock()
    sender, receiver = trio.open_memory_channel[int](2)

    async def wait_for_go(number: int) -> None:
        await go.wait()
        async with lock:
            seen.append(("went", number, trio.current_time()))
            await trio.sleep(0.001 * number)

    async def produce() -> None:
        async with sender:
            for number in range(8):
                await sender.send(number)

    async def consume(name: str) -> None:
        async with receiver.clone() as mine:
            async for item in mine:
                seen.append((name, item))
                await trio.lowlevel.checkpoint()

    async def wait_for_ever(number: int) -> None:
        try:
            await trio.sleep_forever()
        finally:
            seen.append(("ended", number))

    async with trio.open_nursery() as nursery:
        for number in range(6):
            nursery.start_soon(wait_for_go, number)
        nursery.start_soon(produce)
        for name in ("a", "b"):
            nursery.start_soon(consume, name)
        await trio.testing.wait_all_tasks_blocked()
        seen.append(("all are blocked", trio.current_time()))
        go.set()
    with trio.move_on_after(5) as scope:
        async with trio.open_nursery() as nursery:
            for number in range(6):
                nursery.start_soon(wait_for_ever, number)
    seen.append((scope.cancelled_caught, trio.current_time()))
    await receiver.aclose()
    return seen


async def generators(tls: Contexts | None) -> Any:
    """Unexhausted asynchronous generators: each has a visible end."""
    seen: list[Any] = []

    async def count(name: str) -> Any:
        try:
            yield 1
        finally:
            seen.append(name)

    kept = [count(name) for name in "abcdefgh"]
    for generator in kept:
        await anext(generator)
    GENERATORS[:] = kept
    return seen


#: Kept alive until the run has ended.
GENERATORS: list[Any] = []

PROGRAMS: Final[dict[str, Program]] = {"echo": echo, "sharing": sharing, "generators": generators}
ORDERS: Final[tuple[Order, ...]] = ("fifo", "any")


def contexts() -> Contexts:
    return server_context("server"), client_context()


def digest(program: Program, seed: int, order: Order, tls: Contexts | None) -> str:
    """Return the digest of a run, of its token and of its result."""
    run = simulate_trio(program, tls, seed=seed, order=order)
    result = run.outcome()
    return hashlib.sha256(repr((run.digest, run.token, run.events, result)).encode()).hexdigest()


def main(seeds: int) -> None:
    for name, program in PROGRAMS.items():
        for tls in (None, contexts()):
            for order in ORDERS:
                whole = "".join(digest(program, seed, order, tls) for seed in range(seeds))
                print(name, "tls" if tls else "plain", order, hashlib.sha256(whole.encode()).hexdigest())


if __name__ == "__main__":
    main(int(sys.argv[1]))
