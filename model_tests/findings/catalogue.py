"""The bugs: the library with its versions, how each is found, and what its plain script shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: A limit of the design, or a use that the library does not promise to bear.
NO_BUG: Final = "no bug, but a limit: "
#: The library of a bug in asyncio itself; its versions are minor ones.
PYTHON: Final = "CPython"


@dataclass(frozen=True, slots=True)
class Finding:
    """A bug of a library, in a folder of its name: REPORT.md, plain.py, and program.py if a search finds it."""

    name: str
    #: The distribution with the bug, and the versions in which it was seen.
    library: str
    versions: tuple[str, ...]
    bug: str
    #: The rule that it breaks, in our words.
    rule: str
    #: What the plain script shows without the bug, and with it.
    control: str
    shows: str
    #: The name of the tasks that may be cancelled in the search, those that a user cancels.
    cancel: str = ""
    #: How the run of the search ends that shows it; of a bug of CPython: its name in programs/differences.py.
    failure: str = ""
    #: The subject with which the conformance kit finds it, in model_tests/subjects/right/libraries.
    subject: str = ""
    #: The release that has it no more.
    mended: str = ""
    #: An issue that reports it, or why it is none.
    known: str = "not reported when it was found"


FINDINGS: Final = (
    Finding(
        "aiohttp_pool",
        "aiohttp",
        ("3.14.5",),
        "A request that waits for a place in the pool, and is cancelled after it was woken, does not pass the wake-up "
        "on: the next request waits although the pool is empty.",
        "LOCK-5",
        "hello",
        "waits, although the pool is empty",
        "fetch",
        "AssertionError: a request ended with TimeoutError",
    ),
    Finding(
        "aiojobs_limit",
        "aiojobs",
        ("1.4.0",),
        "close() of a pending job starts another pending job beyond the limit.",
        "LOCK-6",
        "1 at once",
        "2 at once",
        "handle",
        "AssertionError: two jobs print at once",
    ),
    Finding(
        "aiojobs_stuck",
        "aiojobs",
        ("1.4.0",),
        "A pending job that was closed stays in the queue and is counted off: a later job never starts.",
        "LOCK-8",
        "ended",
        "never began",
        "handle",
        "TimeoutError",
    ),
    Finding(
        "aiojobs_close",
        "aiojobs",
        ("1.4.0",),
        "Job.close() swallows the cancel of its caller.",
        "CANCEL-2",
        "cancelled",
        "went on",
        "shut_down",
        "AssertionError: a task that was cancelled went on",
        known="https://github.com/aio-libs/aiojobs/issues/606, mended in the development version",
    ),
    Finding(
        "httpcore_pool",
        "httpcore",
        ("1.0.9",),
        "A request that is cancelled while others wait leaves its connection in the pool, where it can serve no other.",
        "LOCK-5",
        "hello",
        "PoolTimeout",
        "fetch",
        "AssertionError: a request ended with PoolTimeout",
        known="https://github.com/encode/httpcore/issues/1093",
    ),
    Finding(
        "anyio_stream",
        "anyio",
        ("4.16.0",),
        "A task that is cancelled by asyncio's own cancel() after an item was handed to it loses the item.",
        "QUEUE-5",
        "1 received, 0 left",
        "0 received, 0 left",
        "work",
        "AssertionError: [",
        known=NO_BUG + "https://github.com/agronholm/anyio/issues/728; CancelScope.cancel() is right",
    ),
    Finding(
        "tornado_lock",
        "tornado",
        ("6.6.1",),
        "A task that waits for a lock, and is cancelled after it was woken, keeps the lock.",
        "LOCK-8",
        "acquired",
        "nothing holds the lock, and it is locked",
        "work",
        "TimeoutError",
        subject="on_tornado.py:Semaphore",
        known=NO_BUG + "tornado does not promise to bear native cancels",
    ),
    Finding(
        "tornado_queue",
        "tornado",
        ("6.6.1",),
        "A task that gets from a queue, and is cancelled after an item was given to it, loses the item.",
        "QUEUE-1",
        "1 got, 0 left",
        "0 got, 0 left",
        "work",
        "AssertionError: [",
        subject="on_tornado.py:Queue",
        known="https://github.com/tornadoweb/tornado/issues/2826",
    ),
    Finding(
        "rloop_handler",
        "rloop",
        ("0.5.0",),
        "The exception handler is called without the loop.",
        "FUT-9",
        "called 1 times",
        "called 0 times",
        subject="on_rloop.py",
    ),
    Finding(
        "rloop_exit",
        "rloop",
        ("0.5.0",),
        "run_until_complete() never returns after SystemExit in the main coroutine.",
        "TASK-13",
        "status 3",
        "does not return",
        subject="on_rloop.py",
    ),
    Finding(
        "cpython_shield",
        PYTHON,
        ("3.14", "3.15"),
        "After a shield was cancelled, an exception of its inner future that a task retrieves is reported.",
        "FUT-9",
        "retrieved, 0 reports",
        "retrieved, 1 reports",
        failure="shield reports what is taken",
        known="gh-156321",
    ),
)
