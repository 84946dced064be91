"""A shield of two callbacks, each taken away by the other, and with no short way for a future that is done.

The documentation says that shield ends as the inner awaitable does; it leaves the turn free.
"""

from __future__ import annotations

import asyncio
from typing import Any


def shield(arg: Any) -> asyncio.Future[Any]:
    inner = asyncio.ensure_future(arg)
    outer: asyncio.Future[Any] = inner.get_loop().create_future()

    def inner_ended(_: asyncio.Future[Any]) -> None:
        if outer.done():
            return
        try:
            outer.set_result(inner.result())
        except asyncio.CancelledError as error:
            outer.cancel(*error.args)
        except BaseException as error:
            outer.set_exception(error)

    def outer_ended(_: asyncio.Future[Any]) -> None:
        inner.remove_done_callback(inner_ended)

    inner.add_done_callback(inner_ended)
    outer.add_done_callback(outer_ended)
    return outer
