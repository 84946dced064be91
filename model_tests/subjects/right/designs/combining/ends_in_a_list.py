"""gather by a helper that waits for the next end again and again, while each child enters its end in a list.

The documentation says "the first raised exception is immediately propagated", but not from which call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any


class Outer(asyncio.Future[list[Any]]):
    children: list[asyncio.Future[Any]]
    helper: asyncio.Task[None]
    requested = False
    words: Any = None

    def cancel(self, msg: Any = None) -> bool:
        if self.done():
            return False
        sent = [child.cancel(msg) for child in dict.fromkeys(self.children)]
        if any(sent):
            self.requested, self.words = True, msg
        return any(sent)

    def stop(self) -> None:
        self.cancel(self.words)
        super().cancel(self.words)


async def collect(outer: Outer, ended: list[asyncio.Future[Any]], return_exceptions: bool) -> None:
    rest = set(outer.children)
    while rest:
        _, rest = await asyncio.wait(rest, return_when=asyncio.FIRST_COMPLETED)
        # The callbacks of a child that ended just now, which are scheduled, enter it in this turn.
        await asyncio.sleep(0)
        for child in ended:
            if not return_exceptions and isinstance(error := outcome(child, True), BaseException):
                outer.stop() if outer.requested and child.cancelled() else outer.set_exception(error)
                return
    if outer.requested:
        outer.stop()
    else:
        outer.set_result([outcome(child, False) for child in outer.children])


def outcome(child: asyncio.Future[Any], error_only: bool) -> Any:
    try:
        error = child.exception()
    except asyncio.CancelledError as cancelled:
        error = cancelled
    return error if error_only or error is not None else child.result()


def gather(*aws: Awaitable[Any], return_exceptions: bool = False) -> asyncio.Future[list[Any]]:
    made: dict[int, asyncio.Future[Any]] = {}
    for aw in aws:
        if id(aw) not in made:
            made[id(aw)] = asyncio.ensure_future(aw)
    loop = next(iter(made.values())).get_loop() if made else asyncio.get_running_loop()
    outer, ended = Outer(loop=loop), list[asyncio.Future[Any]]()
    outer.children = [made[id(aw)] for aw in aws]
    for child in made.values():
        child.add_done_callback(ended.append)
        # An error that comes after the first one is seen, too.
        child.add_done_callback(lambda done: done.cancelled() or done.exception())
    helper = outer.helper = loop.create_task(collect(outer, ended, return_exceptions))
    helper.add_done_callback(lambda done: outer.stop() if done.cancelled() else None)
    return outer
