"""The workloads: one program text each, the same for all peers.

A program counts its operations where they happen, inside the tasks, and returns the count.  The caller compares it
with the requested number, so no peer can win by doing less.  A program ends when its last task resolves a future,
because runtimes join their tasks in different ways.
"""

from collections.abc import Callable, Coroutine
from typing import Any, Final

from .facade import Api

#: A program of a given size: (api, n) -> operations done.  `Any`: see facade.
Program = Callable[[Api, int], Coroutine[Any, Any, int]]

SPINNERS: Final = 1000
CROWD: Final = 10_000
QUEUE_BOUND: Final = 10
REQUEST: Final = b"GET / HTTP/1.1"
RESPONSE: Final = bytes(1000)


async def switch(api: Api, n: int) -> int:
    """n task switches: 1000 tasks, always ready, yield to the loop in rotation."""
    return await _spinning(api, n, SPINNERS)


async def crowd(api: Api, n: int) -> int:
    """n task switches among 10,000 tasks."""
    return await _spinning(api, n, CROWD)


async def _spinning(api: Api, n: int, tasks: int) -> int:
    sleep, done = api.sleep, api.future()
    count = 0
    ended = 0

    async def spin(times: int) -> None:
        nonlocal count, ended
        for _ in range(times):
            await sleep(0)
            count += 1
        ended += 1
        if ended == tasks:
            done.set_result(None)

    for _ in range(tasks):
        api.spawn(spin(n // tasks))
    await done
    return count


async def ping_pong(api: Api, n: int) -> int:
    """n task switches between two tasks, each by a future that is used once."""
    future = api.future
    ping, pong = future(), future()
    count = 0

    async def other() -> None:
        nonlocal ping, count
        for _ in range(n // 2):
            await ping
            count += 1
            ping = future()
            pong.set_result(None)

    api.spawn(other())
    for _ in range(n // 2):
        ping.set_result(None)
        await pong
        count += 1
        pong = future()
    return count


async def queue(api: Api, n: int) -> int:
    """n items passed from one task to another through a queue that holds 10."""
    line = api.queue(QUEUE_BOUND)

    async def producer() -> None:
        for item in range(n):
            await line.put(item)

    api.spawn(producer())
    count = 0
    for expected in range(n):
        count += await line.get() == expected
    return count


async def spawn(api: Api, n: int) -> int:
    """n tasks that end at their first step."""
    done = api.future()
    count = 0

    async def child() -> None:
        nonlocal count
        count += 1
        if count == n:
            done.set_result(None)

    for _ in range(n):
        api.spawn(child())
    await done
    return count


async def timers(api: Api, n: int) -> int:
    """n tasks that sleep, each until its own time, set in no order.

    The times are so close that on a real clock most have passed when the last task starts, so there is hardly any
    idling.  They are whole microseconds, the resolution of async-solipsism's clock.
    """
    sleep, done = api.sleep, api.future()
    count = 0

    async def sleeper(delay: float) -> None:
        nonlocal count
        await sleep(delay)
        count += 1
        if count == n:
            done.set_result(None)

    for i in range(n):
        api.spawn(sleeper((i * 7919 % n + 1) * 1e-6))  # 7919 is a prime that divides no n in use
    await done
    return count


async def cancel(api: Api, n: int) -> int:
    """n tasks, each parked on a future of its own, cancelled one after the other."""
    future, done = api.future, api.future()
    count = 0

    async def parked() -> None:
        nonlocal count
        try:
            await future()
        finally:
            count += 1
            if count == n:
                done.set_result(None)

    tasks = [api.cancellable(parked()) for _ in range(n)]
    await api.sleep(0)
    for task in tasks:
        task.cancel()
    await done
    return count


async def exchange(api: Api, n: int) -> int:
    """n requests of 14 bytes, each answered by 1000, over one connection in memory."""
    client, server = await api.pair()

    async def serve() -> None:
        for _ in range(n):
            assert await server.receive_some(len(REQUEST)) == REQUEST
            await server.send_all(RESPONSE)

    api.spawn(serve())
    count = 0
    for _ in range(n):
        await client.send_all(REQUEST)
        left = len(RESPONSE)
        while left:
            left -= len(await client.receive_some(left))
        count += 1
    await client.aclose()
    await server.aclose()
    return count
