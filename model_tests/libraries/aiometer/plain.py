"""Two calls compete, and one is slow for a while.  run_any() should return when the other has its result."""

import asyncio

import aiometer


async def main(slow: bool) -> str:
    async def near() -> str:
        await asyncio.sleep(0.05)
        return "near"

    async def far() -> str:
        await asyncio.sleep(1.2 if slow else 0.1)
        return "far"

    start = asyncio.get_running_loop().time()
    await aiometer.run_any([near, far])
    took = asyncio.get_running_loop().time() - start
    return "returns in time" if took < 1 else "waits for the slowest"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the other call is as fast:", outcome(False))
    print("the other call is slow:", outcome(True))
