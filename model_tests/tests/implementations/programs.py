"""Shared by the programs of this folder: a loop that is closed, turns, and a cancel at each turn."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from functools import wraps
from itertools import product
from typing import Any

# Any in this folder: a subject's names are of classes of its own.
Program = Callable[[Any], Coroutine[Any, Any, None]]

#: Turns that bring every program of this folder to rest, those of libraries for threads included.
REST = 40
#: The turns at which a task is cancelled; no program here has a task that does more steps.
CANCELS = range(12)
#: Seconds after which a program that hangs fails; none takes a tenth of that.
GUARD = 30


async def turns(count: int = REST) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def run(program: Callable[[], Coroutine[Any, Any, None]], module: Any) -> None:
    """Run the program with the loop, futures and tasks that the module brings; else with asyncio's."""
    loop: Any = getattr(module, "new_event_loop", asyncio.new_event_loop)()
    try:
        future, task = vars(module).get("Future"), vars(module).get("Task")
        if future is not None:
            loop.create_future = lambda: future(loop=loop)
        if task is not None:
            loop.set_task_factory(lambda loop, coro, **keywords: task(coro, loop=loop, **keywords))
        loop.run_until_complete(asyncio.wait_for(program(), GUARD))
    finally:
        for left in asyncio.all_tasks(loop):
            left.cancel()
        loop.run_until_complete(turns())
        loop.close()


async def cancelled_at(turn: int, victim: asyncio.Task[Any]) -> None:
    """Cancel the task after so many turns, and let everything come to rest."""
    await turns(turn)
    victim.cancel()
    await turns()


def at_each_turn(*others: Iterable[int]) -> Callable[[Callable[..., Coroutine[Any, Any, None]]], Program]:
    """Makes a program that calls the function with each turn of CANCELS, and with each of the other values."""

    def made(function: Callable[..., Coroutine[Any, Any, None]]) -> Program:
        @wraps(function)
        async def program(m: Any) -> None:
            for values in product(CANCELS, *others):
                await function(m, *values)

        return program

    return made


async def end(tasks: Iterable[asyncio.Task[Any]]) -> list[Any]:
    """Cancel the tasks that are left; return the results or errors of all."""
    tasks = list(tasks)
    for task in tasks:
        task.cancel()
    return await asyncio.gather(*tasks, return_exceptions=True)
