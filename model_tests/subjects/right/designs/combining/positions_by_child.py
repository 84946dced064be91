"""gather by a table from each child to its positions: each end fills a list, and an empty table is the end.

The documentation says that the results come in order and cancel() goes to all, but not how the ends are
counted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from ..combining_base import children_of, outcome


class _Gathered(asyncio.Future[list[Any]]):
    missing: dict[asyncio.Future[Any], list[int]] = {}  # noqa: RUF012  # not changed
    asked: tuple[Any, ...] = ()  # the message of the cancel, once asked

    def cancel(self, msg: Any | None = None) -> bool:
        if self.done() or not any([child.cancel(msg=msg) for child in list(self.missing)]):  # noqa: C419  # each is cancelled
            return False
        self.asked = (msg,)
        return True

    def end(self, results: list[Any]) -> None:
        if self.asked:
            super().cancel(*self.asked)
        else:
            self.set_result(results)


def gather(*aws: Awaitable[Any], return_exceptions: bool = False) -> asyncio.Future[list[Any]]:
    if not aws:
        empty: asyncio.Future[list[Any]] = asyncio.get_event_loop().create_future()
        empty.set_result([])
        return empty
    results: list[Any] = [None] * len(aws)
    missing: dict[asyncio.Future[Any], list[int]] = {}
    for position, child in enumerate(children_of(aws)):
        missing.setdefault(child, []).append(position)
    outer = _Gathered(loop=next(iter(missing)).get_loop())
    outer.missing = missing

    def ended(child: asyncio.Future[Any]) -> None:
        value = outcome(child)
        failed = child.cancelled() or child.exception() is not None
        for position in missing.pop(child):
            results[position] = value
        if outer.done():
            return
        if failed and not return_exceptions and not outer.asked:
            outer.set_exception(value)
        elif not missing:
            outer.end(results)

    for child in list(missing):
        child.add_done_callback(ended)
    return outer
