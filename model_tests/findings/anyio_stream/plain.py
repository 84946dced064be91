"""A task receives from a stream, and is cancelled when an item was sent.  The item should be received or be left."""

import asyncio

import anyio


async def main(natively: bool) -> str:
    sender, receiver = anyio.create_memory_object_stream[int](1)
    got = []
    scope = anyio.CancelScope()

    async def receive() -> None:
        with scope:
            got.append(await receiver.receive())

    task = asyncio.create_task(receive())
    await asyncio.sleep(0.01)
    sender.send_nowait(1)
    if natively:
        task.cancel()
    else:
        scope.cancel()
    await asyncio.wait([task])
    left = receiver.statistics().current_buffer_used
    sender.close()
    receiver.close()
    return f"{len(got)} received, {left} left"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("CancelScope.cancel():", outcome(False))
    print("Task.cancel():", outcome(True))
