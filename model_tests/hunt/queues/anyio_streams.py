"""anyio: an item that was sent is received once or left, though scopes of senders and receivers are cancelled."""

from __future__ import annotations

import asyncio
from typing import Any

import anyio

from ..harness import Harness

ITEMS = 3


async def send(stream: Any, item: int, scope: anyio.CancelScope, sent: list[int]) -> None:
    with scope:
        await stream.send(item)
        sent.append(item)


async def receive(stream: Any, scope: anyio.CancelScope, received: list[int]) -> None:
    with scope:
        received.append(await stream.receive())


async def give_up(scopes: list[anyio.CancelScope]) -> None:
    # anyio wants its scopes to be cancelled, not its tasks: each cancel of this task does it to one scope.
    for scope in scopes:
        try:
            for _ in range(6):
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            scope.cancel()


async def main() -> tuple[list[int], int]:
    sender, receiver = anyio.create_memory_object_stream[int](1)
    sent: list[int] = []
    received: list[int] = []
    scopes = [anyio.CancelScope() for _ in range(2 * ITEMS)]
    tasks = [asyncio.create_task(send(sender, item, scopes[item], sent)) for item in range(ITEMS)]
    tasks += [asyncio.create_task(receive(receiver, scope, received)) for scope in scopes[ITEMS:]]
    tasks.append(asyncio.create_task(give_up([scopes[3], scopes[1], scopes[4]])))
    await asyncio.sleep(0.01)
    left = []
    while sender.statistics().current_buffer_used or sender.statistics().tasks_waiting_send:
        left.append(receiver.receive_nowait())
        await asyncio.sleep(0.01)
    arrived = received + left
    assert set(sent) <= set(arrived), f"sent {sent}, received {received}, left {left}"
    assert sorted(arrived) == sorted(set(arrived)), f"received twice: {received}, left {left}"
    assert len(arrived) == len(sent), "an item was received, and its send was cancelled"
    sender.close()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        assert result is None or isinstance(result, anyio.EndOfStream), f"{result!r}"
    receiver.close()
    return received, len(left)


HARNESS = Harness(
    "anyio",
    main,
    cancel="give_up",
    finds={"AssertionError: an item was received, and its send was cancelled": "anyio_send"},
)
