"""janus: each item that was put is got once or left, put, get and join() end, and so does shutdown."""

from __future__ import annotations

import janus

from ..harness import Harness
from .culsans_queue import hold


async def main() -> tuple[list[int], int]:
    return await hold(janus)


HARNESS = Harness(
    "janus",
    main,
    cancel="put,get,join",
    allowed={
        # It is not seen with Python 3.13.
        "AssertionError: put waits, and its turn has come": "Condition of CPython 3.11 loses a notify, gh-112202",
        "DeadlockError*_async_not_full*": "Condition of CPython 3.11 loses a notify, gh-112202",
    },
)
