"""The outer future counts its children down, and its cancel is done at once, before theirs is through.

The documentation says that a cancelled gather cancels its children; it leaves free whether it waits for them.
"""

from __future__ import annotations

import asyncio
from typing import Any

from ..combining_base import children_of, outcome


class _CountingOuter(asyncio.Future[list[Any]]):
    children: list[asyncio.Future[Any]]

    def cancel(self, msg: Any = None) -> bool:
        if self.done():
            return False
        for child in self.children:
            child.cancel(msg)
        return super().cancel(msg)


def gather(*coros_or_futures: Any, return_exceptions: bool = False) -> asyncio.Future[list[Any]]:
    children = children_of(coros_or_futures)
    singly = set(children)
    outer = _CountingOuter(loop=children[0].get_loop() if children else None)
    outer.children = children
    left = len(singly)

    def ended(child: asyncio.Future[Any]) -> None:
        nonlocal left
        left -= 1
        failed = child.cancelled() or child.exception() is not None
        if outer.done():
            return
        if failed and not return_exceptions:
            outer.set_exception(outcome(child))
        elif not left:
            outer.set_result([outcome(one) for one in children])

    for child in singly:
        child.add_done_callback(ended)
    if not children:
        outer.set_result([])
    return outer
