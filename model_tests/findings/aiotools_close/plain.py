"""A supervisor is closed, with a timeout that is long enough or too short for its task to end.  It should return."""

import asyncio

import aiotools


async def stubborn() -> None:
    try:
        await asyncio.sleep(10)
    finally:
        await asyncio.sleep(0.2)


async def main(short: bool) -> str:
    scopes = []

    async def own() -> None:
        async with aiotools.Supervisor() as scope:
            scopes.append(scope)
            scope.create_task(stubborn())
            await asyncio.sleep(10)

    async def close() -> None:
        async with asyncio.timeout(0.05 if short else 1):
            await scopes[0].aclose()

    owner = asyncio.create_task(own())
    await asyncio.sleep(0.01)
    closer = asyncio.create_task(close())
    await asyncio.wait([owner, closer], timeout=2)
    shown = "returned" if closer.done() else "waits, and no task is left"
    closer.cancel()
    await asyncio.gather(owner, closer, return_exceptions=True)
    return shown


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the timeout is long enough:", outcome(False))
    print("the timeout is too short:", outcome(True))
