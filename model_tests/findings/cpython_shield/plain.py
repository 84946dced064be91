"""A shield is cancelled; later its inner future fails, and a task retrieves the error.  No report is due."""

import asyncio
from typing import Any


async def main(shields: bool) -> str:
    reports: list[Any] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, context: reports.append(context))
    inner = loop.create_future()

    async def awaits() -> str:
        try:
            await inner
        except KeyError:
            return "retrieved"
        return ""

    if shields:
        asyncio.shield(inner).cancel()
    task = asyncio.create_task(awaits())
    await asyncio.sleep(0)
    inner.set_exception(KeyError(1))
    return f"{await task}, {len(reports)} reports"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("without a shield:", outcome(False))
    print("with a shield:", outcome(True))
