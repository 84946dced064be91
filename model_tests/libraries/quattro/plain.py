"""Cases of quattro: python plain.py [CASE...]"""

import asyncio
import sys

import quattro


async def cleanup(cancels: bool) -> str:
    """A clean-up with a timeout, in a task that was cancelled or was not.  The timeout should raise TimeoutError."""
    raised = []

    async def work() -> None:
        try:
            await asyncio.sleep(0.1)
        finally:
            try:
                with quattro.fail_after(0.05):
                    await asyncio.sleep(1)
            except BaseException as error:
                raised.append(type(error).__name__)

    task = asyncio.create_task(work())
    await asyncio.sleep(0.01)
    if cancels:
        task.cancel()
    await asyncio.wait([task])
    return raised[0]


async def scope(item: bool) -> str:
    """A task polls a queue with a deadline that has passed.  It should go on after it, if there is an item or not."""
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


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "cleanup": (cleanup, "the task is not cancelled", "the task is cancelled"),
    "scope": (scope, "the queue is empty", "the queue has an item"),
}


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
