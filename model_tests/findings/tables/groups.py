"""Findings in groups of tasks, jobs and scopes."""

from __future__ import annotations

from functools import partial
from typing import Final

from ..finding import Finding

_AIOJOBS: Final = partial(Finding, library="aiojobs", versions=("1.4.0",), folder="aiojobs")
_AIOTOOLS: Final = partial(Finding, library="aiotools", versions=("2.2.4",), folder="aiotools")
_ASYNCIO_POOL: Final = partial(Finding, library="asyncio-pool", versions=("0.6.0",), folder="asyncio_pool")
_QUATTRO: Final = partial(Finding, library="quattro", versions=("26.1.0",), folder="quattro")

FINDINGS: Final = (
    _AIOJOBS(
        "aiojobs_close",
        bug="Job.close() swallows the cancel of its caller.",
        rule="CANCEL-2",
        control="cancelled",
        shows="went on",
        known="https://github.com/aio-libs/aiojobs/issues/606, mended in the development version",
    ),
    _AIOJOBS(
        "aiojobs_error",
        bug="The error of a job whose waiter was cancelled does not reach the exception handler.",
        rule="FUT-9",
        control="1 reports",
        shows="0 reports",
    ),
    _AIOJOBS(
        "aiojobs_exit",
        bug="A scheduler whose owner is cancelled at the end of the block leaves its jobs running.",
        rule="GROUP-4",
        control="0 run",
        shows="1 run",
    ),
    _AIOJOBS(
        "aiojobs_late",
        bug="close() starts a job whose spawn() waited for the queue, and leaves it running.",
        rule="GROUP-7",
        control="0 run after close()",
        shows="1 run after close()",
    ),
    _AIOJOBS(
        "aiojobs_limit",
        bug="close() of a pending job starts another pending job beyond the limit.",
        rule="LOCK-6",
        control="1 at once",
        shows="2 at once",
    ),
    _AIOJOBS(
        "aiojobs_slot",
        bug="A job that was spawned while the queue was full does not start although a place is free.",
        rule="LOCK-8",
        control="2 of 2 run, 0 waits",
        shows="1 of 2 run, 1 waits",
    ),
    _AIOJOBS(
        "aiojobs_stuck",
        bug="A pending job that was closed stays in the queue and is counted off: a later job never starts.",
        rule="LOCK-8",
        control="ended",
        shows="never began",
    ),
    _AIOJOBS(
        "aiojobs_wait",
        bug="A wait(timeout=) that was cancelled cancels the job when its timeout is over.",
        rule="SHIELD-2",
        control="the job is done",
        shows="the job is cancelled",
    ),
    _AIOTOOLS(
        "aiotools_close",
        bug="aclose() of a scope never returns if its caller is cancelled while the tasks of the scope end.",
        rule="GROUP-1",
        control="returned",
        shows="waits, and no task is left",
    ),
    _AIOTOOLS(
        "aiotools_handler",
        bug="PersistentTaskGroup does not call its handler for an error if the task that awaits the result "
        "was cancelled.",
        rule="FUT-1",
        control="1 calls",
        shows="0 calls",
    ),
    _AIOTOOLS(
        "aiotools_moved",
        bug="After move_on_after() has ended a block, an enclosing timeout raises CancelledError in place of "
        "TimeoutError.",
        rule="TIMEOUT-8",
        control="TimeoutError",
        shows="CancelledError",
    ),
    _AIOTOOLS(
        "aiotools_scope",
        bug="race() swallows a cancel that comes while the losers end, and so does a scope that ends its tasks.",
        rule="GROUP-5",
        control="cancelled",
        shows="went on",
    ),
    _AIOTOOLS(
        "aiotools_shield",
        bug="A cancel that a shielding scope has held back is delivered twice.",
        rule="CANCEL-11",
        control="cancelled, cleaned up",
        shows="cancelled, cancelled",
        known="in part: https://github.com/achimnol/aiotools/pull/90 names a symptom up to Python 3.12",
    ),
    _AIOTOOLS(
        "aiotools_wait",
        bug="cancel_and_wait() raises CancelledError in a caller that was not cancelled, if there is a "
        "second caller.",
        rule="CANCEL-2",
        control="went on",
        shows="cancelled",
    ),
    _ASYNCIO_POOL(
        "asyncio_pool_cancel",
        bug="cancel() of a call that has not begun loses a place of the pool: the next call and join() wait "
        "for ever.",
        rule="LOCK-8",
        control="the next call ran",
        shows="the next call waits, and none runs",
    ),
    _ASYNCIO_POOL(
        "asyncio_pool_join",
        bug="join() waits for ever if the last call of the pool was cancelled while it waited for a place.",
        rule="QUEUE-7",
        control="join() ended",
        shows="join() waits, and the pool is empty",
    ),
    _ASYNCIO_POOL(
        "asyncio_pool_map",
        bug="map() and spawn() swallow the cancel of a caller that waits for a place.",
        rule="CANCEL-2",
        control="cancelled",
        shows="went on",
    ),
    _QUATTRO(
        "quattro_cleanup",
        bug="A timeout in the clean-up of a cancelled task raises CancelledError in place of TimeoutError.",
        rule="TIMEOUT-1",
        control="TimeoutError",
        shows="CancelledError",
    ),
    _QUATTRO(
        "quattro_scope",
        bug="A scope whose deadline has passed, and whose block does not wait, cancels what comes after it.",
        rule="TIMEOUT-8",
        control="went on",
        shows="cancelled",
    ),
)
