"""A helper task awaits one child after another; a failing child tells the outer future itself.

The documentation leaves free how many turns lie between the end of the last child and the result.
"""

from __future__ import annotations

import asyncio
from typing import Any

from ..combining_base import children_of, outcome


class _Outer(asyncio.Future[list[Any]]):
    def __init__(self, children: list[asyncio.Future[Any]]) -> None:
        super().__init__(loop=children[0].get_loop() if children else None)
        self.children, self.asked = children, False
        self.message: Any = None

    def cancel(self, msg: Any = None) -> bool:
        if self.done():
            return False
        self.asked, self.message = True, msg
        for child in self.children:
            child.cancel(msg)
        return True

    def child_ended(self, child: asyncio.Future[Any]) -> None:
        failed = child.cancelled() or child.exception() is not None
        if failed and not self.asked and not self.done():
            self.set_exception(outcome(child))

    def helper_ended(self, helper: asyncio.Task[None]) -> None:
        if helper.cancelled():
            self.cancel()
        if self.asked and not self.done():
            super().cancel(self.message)
        elif not self.done():
            self.set_result([outcome(child) for child in self.children])


async def _walk(children: list[asyncio.Future[Any]]) -> None:
    for child in children:
        await asyncio.wait([child])


def gather(*coros_or_futures: Any, return_exceptions: bool = False) -> asyncio.Future[list[Any]]:
    outer = _Outer(children_of(coros_or_futures))
    for child in set(outer.children) if not return_exceptions else ():
        child.add_done_callback(outer.child_ended)
    if outer.children:
        helper = outer.get_loop().create_task(_walk(outer.children))
        helper.add_done_callback(outer.helper_ended)
    else:
        outer.set_result([])
    return outer
