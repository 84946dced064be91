"""A task calls the exception handler, with another task or itself in the context.  The handler should be called."""

import asyncio
import logging
from typing import Any


async def main(own: bool) -> str:
    calls: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: calls.append(context))
    other = asyncio.create_task(asyncio.sleep(0))
    loop.call_exception_handler({"message": "broken", "task": asyncio.current_task() if own else other})
    await other
    return f"{len(calls)} calls"


def outcome(wrong: bool) -> str:
    logging.disable(logging.CRITICAL)
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("with another task:", outcome(False))
    print("with the task that calls:", outcome(True))
