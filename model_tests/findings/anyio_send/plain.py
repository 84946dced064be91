"""A task waits in send(), its scope is cancelled, and the stream is drained, later or at once.  It should be empty."""

import asyncio

import anyio


async def main(at_once: bool) -> str:
    sender, receiver = anyio.create_memory_object_stream[int](0)
    scope = anyio.CancelScope()

    async def send() -> None:
        with scope:
            await sender.send(1)

    task = asyncio.create_task(send())
    await asyncio.sleep(0.01)
    scope.cancel()
    if not at_once:
        await asyncio.sleep(0.01)
    received = 0
    try:
        while True:
            receiver.receive_nowait()
            received += 1
    except anyio.WouldBlock:
        pass
    await task
    sender.close()
    receiver.close()
    return f"send() was {'cancelled' if scope.cancelled_caught else 'done'}, {received} received"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("drained later:", outcome(False))
    print("drained at once:", outcome(True))
