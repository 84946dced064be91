"""Programs with known numbers of classes: independent tasks, a lock, a crawl.  They use impl's names."""

from collections.abc import Callable, Coroutine
from typing import TypeAlias

import impl

Main: TypeAlias = Callable[[], Coroutine[object, object, object]]

#: Sites: the links of each page.
THREE_PAGES = {"/": ["a", "b"], "a": ["b"], "b": ["/"]}
FIVE_PAGES = {"/": ["a", "b"], "a": ["c"], "b": ["c", "d"], "c": [], "d": ["/"]}


def independent(tasks: int, steps: int) -> Main:
    """Tasks under one gather that share nothing."""

    async def main() -> None:
        async def work() -> None:
            for _ in range(steps):
                await impl.sleep(0)

        await impl.gather(*(work() for _ in range(tasks)))

    return main


def awaited(tasks: int, steps: int) -> Main:
    """The same tasks, awaited one after the other: main finds each done or not."""

    async def main() -> None:
        async def work() -> None:
            for _ in range(steps):
                await impl.sleep(0)

        for task in [impl.create_task(work()) for _ in range(tasks)]:
            await task

    return main


def locked(tasks: int) -> Main:
    """Updates under one lock."""

    async def main() -> int:
        count = 0
        lock = impl.Lock()

        async def work() -> None:
            nonlocal count
            async with lock:
                seen = count
                await impl.sleep(0)
                count = seen + 1

        await impl.gather(*(work() for _ in range(tasks)))
        return count

    return main


def crawl(workers: int, links: dict[str, list[str]], late_mark: bool = False) -> Main:
    """Workers that fetch pages from a queue with join; `late_mark`: they mark a page as seen too late."""

    async def main() -> list[int]:
        queue: impl.Queue[str] = impl.Queue()
        seen = {"/"}
        fetched = dict.fromkeys(links, 0)
        queue.put_nowait("/")

        async def work() -> None:
            while True:
                url = await queue.get()
                await impl.sleep(0)  # the fetch
                fetched[url] += 1
                for link in links[url]:
                    if link not in seen:
                        if late_mark:
                            await impl.sleep(0)
                        seen.add(link)
                        queue.put_nowait(link)
                queue.task_done()

        tasks = [impl.create_task(work()) for _ in range(workers)]
        await queue.join()
        for task in tasks:
            task.cancel()
        return list(fetched.values())

    return main
