"""Cases of aiotools: python plain.py [CASE...]"""

import asyncio
import sys
import warnings
from types import TracebackType

import aiotools


async def fail() -> None:
    await asyncio.sleep(0.1)
    raise ValueError


async def work(seconds: float) -> None:
    try:
        await asyncio.sleep(seconds)
    finally:
        await asyncio.sleep(0.1)


async def close(short: bool) -> str:
    """A supervisor is closed, with a timeout long enough or too short for its task to end.  It should return."""
    scopes = []

    async def own() -> None:
        async with aiotools.Supervisor() as scope:
            scopes.append(scope)
            scope.create_task(work(10))
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


async def handler(cancels: bool) -> str:
    """A task of a group fails after the task that awaits it was cancelled, or not.  The handler should be called."""
    calls = 0

    async def report(_: type[BaseException], __: BaseException, ___: TracebackType) -> None:
        nonlocal calls
        calls += 1

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        group = aiotools.PersistentTaskGroup(exception_handler=report)
    async with group:

        async def use() -> None:
            await group.create_task(fail())

        user = asyncio.create_task(use())
        await asyncio.sleep(0.05)
        if cancels:
            user.cancel()
        await asyncio.gather(user, return_exceptions=True)
        await asyncio.sleep(0.1)
    return f"{calls} calls"


async def moved(moves_on: bool) -> str:
    """A timeout encloses a block that moves on after 50 ms, or before.  At its end it should raise TimeoutError."""

    async def work() -> str:
        try:
            async with asyncio.timeout(0.3):
                async with aiotools.move_on_after(0.05):
                    await asyncio.sleep(1 if moves_on else 0.01)
                await asyncio.sleep(1)
        except TimeoutError:
            return "TimeoutError"
        return "in time"

    task = asyncio.create_task(work())
    await asyncio.wait([task])
    return "CancelledError" if task.cancelled() else task.result()


async def scope(late: bool) -> str:
    """A task that awaits a race is cancelled before there is a winner or while the loser ends.  The task should end."""

    async def use() -> str:
        await aiotools.race([work(0.1), work(10)])
        await asyncio.sleep(0.5)
        return "went on"

    task = asyncio.create_task(use())
    await asyncio.sleep(0.25 if late else 0.05)
    task.cancel()
    await asyncio.wait([task])
    return "cancelled" if task.cancelled() else task.result()


async def shield(shields: bool) -> str:
    """A task is cancelled once, in a scope that shields it or does not, and cleans up.  It should finish that."""
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


async def wait(twice: bool) -> str:
    """One task, or two, shut down with cancel_and_wait() of the same task.  Each should go on afterwards."""
    task = asyncio.create_task(work(10))
    await asyncio.sleep(0.01)

    async def shut_down() -> str:
        await aiotools.cancel_and_wait(task)
        return "went on"

    callers = [asyncio.create_task(shut_down()) for _ in range(1 + twice)]
    await asyncio.wait(callers)
    return "cancelled" if callers[0].cancelled() else callers[0].result()


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "close": (close, "the timeout is long enough", "the timeout is too short"),
    "handler": (handler, "the task that awaits the result is not cancelled", "it is cancelled"),
    "moved": (moved, "the block ends in time", "the block is ended by move_on_after()"),
    "scope": (scope, "cancelled before there is a winner", "cancelled while the loser ends"),
    "shield": (shield, "without a shield", "with a shield"),
    "wait": (wait, "the only caller", "the first of two callers"),
}


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
