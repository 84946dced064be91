"""The body of a group fails.  While the group waits for a task that cleans up, the parent is cancelled."""

import asyncio


async def cleans_up() -> None:
    try:
        await asyncio.sleep(9)
    finally:
        await asyncio.sleep(0.05)


async def body(stops: bool) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(cleans_up())
        await asyncio.sleep(0)
        if stops:
            group.cancel()  # type: ignore[attr-defined]  # since 3.15
        raise ValueError


async def main(stops: bool) -> str:
    task = asyncio.create_task(body(stops))
    await asyncio.sleep(0.02)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        return "raised CancelledError"
    except ExceptionGroup as group:
        return f"raised ExceptionGroup of {', '.join(type(error).__name__ for error in group.exceptions)}"
    return "raised nothing"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("without cancel():", outcome(False))
    print("with cancel():", outcome(True))
