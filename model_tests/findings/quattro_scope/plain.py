"""A task polls a queue with a deadline that has passed.  It should go on after it, if there is an item or not."""

import asyncio

import quattro


async def main(item: bool) -> str:
    queue: asyncio.Queue[int] = asyncio.Queue()
    if item:
        queue.put_nowait(0)

    async def poll() -> str:
        with quattro.move_on_after(0):
            await queue.get()
        await asyncio.sleep(0.01)
        return "went on"

    task = asyncio.create_task(poll())
    await asyncio.wait([task])
    return "cancelled" if task.cancelled() else task.result()


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the queue is empty:", outcome(False))
    print("the queue has an item:", outcome(True))
