"""A clean-up with a timeout, in a task that was cancelled or was not.  The timeout should raise TimeoutError."""

import asyncio

import quattro


async def main(cancels: bool) -> str:
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


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the task is not cancelled:", outcome(False))
    print("the task is cancelled:", outcome(True))
