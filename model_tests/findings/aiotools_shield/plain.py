"""A task is cancelled once, in a scope that shields it or does not, and cleans up.  The clean-up should be finished."""

import asyncio

import aiotools


async def main(shields: bool) -> str:
    steps = []

    async def work() -> None:
        try:
            async with aiotools.TaskScope(shield=shields):
                await asyncio.sleep(0.1)
        except asyncio.CancelledError:
            steps.append("cancelled")
            try:
                await asyncio.sleep(0.01)
                steps.append("cleaned up")
            except asyncio.CancelledError:
                steps.append("cancelled")
            raise

    task = asyncio.create_task(work())
    await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.wait([task])
    return ", ".join(steps)


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("without a shield:", outcome(False))
    print("with a shield:", outcome(True))
