"""Cases of CPython's own library: python plain.py [CASE...]"""

import asyncio
import gc
import logging
import sys
import tempfile
import traceback
import weakref
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any


async def kept(request: Callable[["asyncio.Future[None]"], Coroutine[Any, Any, None]]) -> str:
    """Return how many of five tasks are kept that have ended, while a future lives on that they had in common."""
    stop = asyncio.get_running_loop().create_future()
    refs: list[Any] = []
    for _ in range(5):
        task = asyncio.create_task(request(stop))
        refs.append(weakref.ref(task))
        await task
        del task
    await asyncio.sleep(0)
    gc.collect()
    return f"{sum(ref() is not None for ref in refs)} of 5 ended tasks are kept"


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


TEXT = "import sys\nsys.imports += 1\nimport {missing}\n"


async def as_completed(steps: bool) -> str:
    """Five tasks take the first of two results, by wait() or as_completed().  Each should be freed at its end."""

    async def request(stop: "asyncio.Future[None]") -> None:
        work = asyncio.ensure_future(asyncio.sleep(0))
        if not steps:
            await asyncio.wait([stop, work], return_when=asyncio.FIRST_COMPLETED)
            return
        for step in asyncio.as_completed([stop, work]):
            await step
            return

    return await kept(request)


async def gather(gathers: bool) -> str:
    """Five tasks wait until one of two futures fails, by wait() or gather().  Each should be freed at its end."""

    async def fails() -> None:
        raise KeyError

    async def request(stop: "asyncio.Future[None]") -> None:
        work = asyncio.ensure_future(fails())
        try:
            if gathers:
                await asyncio.gather(stop, work)
            else:
                await asyncio.wait([stop, work], return_when=asyncio.FIRST_EXCEPTION)
                work.result()
        except KeyError:
            pass

    return await kept(request)


async def group(stops: bool) -> str:
    """The body of a group fails.  While the group waits for a task that cleans up, the parent is cancelled."""
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


async def handler(own: bool) -> str:
    """A task calls the exception handler, with another task or itself in the context.  The handler should be called."""
    calls: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: calls.append(context))
    other = asyncio.create_task(asyncio.sleep(0))
    loop.call_exception_handler({"message": "broken", "task": asyncio.current_task() if own else other})
    await other
    return f"{len(calls)} calls"


async def shield(shields: bool) -> str:
    """A shield is cancelled; later its inner future fails, and a task retrieves the error.  No report is due."""
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


async def shield_left(leaves: bool) -> str:
    """Five tasks wait for a shield or another result, then cancel the shield or leave it.  Each should be freed."""

    async def request(stop: "asyncio.Future[None]") -> None:
        shield = asyncio.shield(stop)
        work = asyncio.ensure_future(asyncio.sleep(0))
        await asyncio.wait([shield, work], return_when=asyncio.FIRST_COMPLETED)
        if not leaves:
            shield.cancel()

    return await kept(request)


async def formatted(own: bool) -> str:
    """The import of a package fails, as a module that it needs is missing.  Then the traceback is formatted.

    The missing module is another one, or the package's own part in C: "mine._native" of a package that was not built.
    """
    name = f"mine_{own}"
    vars(sys)["imports"] = 0
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        (Path(folder) / name).mkdir()
        missing = f"{name}._native" if own else "not_there"
        (Path(folder) / name / "__init__.py").write_text(TEXT.format(missing=missing))
        try:
            __import__(name)
        except ModuleNotFoundError:
            try:
                shown = "formatted" if missing in traceback.format_exc() else "without its text"
            except ModuleNotFoundError:
                shown = "not formatted"
        finally:
            sys.path.remove(folder)
    return f"{shown}, {'imported once' if vars(sys)['imports'] == 1 else 'imported again'}"


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "as_completed": (as_completed, "by wait()", "by as_completed()"),
    "gather": (gather, "by wait()", "by gather()"),
    "group": (group, "without cancel()", "with cancel()"),
    "handler": (handler, "with another task", "with the task that calls"),
    "shield": (shield, "without a shield", "with a shield"),
    "shield_left": (shield_left, "it is cancelled", "it is left"),
    "traceback": (formatted, "another module is missing", "its own part is missing"),
}


def outcome(case: str, wrong: bool) -> str:
    logging.disable(logging.CRITICAL)
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
