"""Harnesses of janus."""

import janus

from ..culsans.harnesses import hold
from ..harness import harness_of


@harness_of(
    "janus",
    cancel="put,get,join",
    allowed={
        # It is not seen with Python 3.13.
        "AssertionError: put waits, and its turn has come": "Condition of CPython 3.11 loses a notify, gh-112202",
        "DeadlockError*_async_not_full*": "Condition of CPython 3.11 loses a notify, gh-112202",
    },
)
async def janus_queue() -> tuple[list[int], int]:
    """Each item that was put is got once or left, put, get and join() end, and so does shutdown."""
    return await hold(janus)
