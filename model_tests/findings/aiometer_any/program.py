"""A page is asked from two mirrors, and the first answer is enough: a mirror that hangs must not matter.

loopspec explore aiometer_any/program.py:main --cancel load_index
"""

import asyncio

import aiometer


async def main() -> None:
    async def load_index() -> None:
        await asyncio.sleep(0.1)

    index = asyncio.create_task(load_index())

    async def near() -> str:
        await asyncio.sleep(0.2)
        return "near"

    async def far() -> str:
        await asyncio.wait([index])
        if index.cancelled():
            await asyncio.sleep(60)  # has to be looked for
        return "far"

    start = asyncio.get_running_loop().time()
    await aiometer.run_any([near, far])
    assert asyncio.get_running_loop().time() - start < 1, (
        "the fastest mirror has answered, and run_any() waits"
    )
