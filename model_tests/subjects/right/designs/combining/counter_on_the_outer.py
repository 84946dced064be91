"""The outer future counts its children down, and its cancel is done at once, before theirs is through.

The documentation says that a cancelled gather cancels its children; it leaves free whether it waits for them.
"""

from __future__ import annotations

import asyncio
from typing import Any


class _Outer(asyncio.Future[list[Any]]):
    children: list[asyncio.Future[Any]]

    def cancel(self, msg: Any = None) -> bool:
        if self.done():
            return False
        for child in self.children:
            child.cancel(msg)
        return super().cancel(msg)


def _value(child: asyncio.Future[Any]) -> Any:
    try:
        return child.result()
    except BaseException as error:
        return error


def gather(*coros_or_futures: Any, return_exceptions: bool = False) -> asyncio.Future[list[Any]]:
    made: dict[int, asyncio.Future[Any]] = {}
    for one in coros_or_futures:
        if id(one) not in made:
            made[id(one)] = asyncio.ensure_future(one)
    children = [made[id(one)] for one in coros_or_futures]
    outer = _Outer(loop=children[0].get_loop() if children else None)
    outer.children = children
    left = len(made)

    def ended(child: asyncio.Future[Any]) -> None:
        nonlocal left
        left -= 1
        failed = child.cancelled() or child.exception() is not None
        if outer.done():
            return
        if failed and not return_exceptions:
            outer.set_exception(_value(child))
        elif not left:
            outer.set_result([_value(one) for one in children])

    for child in made.values():
        child.add_done_callback(ended)
    if not children:
        outer.set_result([])
    return outer
