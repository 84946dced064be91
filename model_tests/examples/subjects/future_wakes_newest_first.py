"""A wrong future: its callbacks are called in reverse order, which breaks FUT-5.

    loopspec conform model_tests/examples/subjects/future_wakes_newest_first.py:NewestFirst

A class of another name is put to the test by FILE.py:CLASS; it replaces the class of asyncio that it derives from.
asyncio's own code, tasks above all, then uses this future.
"""

from __future__ import annotations

import asyncio.futures
from typing import Any

#: asyncio's future in pure Python, which typeshed does not know.
PyFuture: Any = vars(asyncio.futures)["_PyFuture"]


class NewestFirst(PyFuture):  # type: ignore[misc]  # as above
    def set_result(self: Any, result: Any) -> None:
        self._callbacks.reverse()
        super().set_result(result)
