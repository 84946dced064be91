"""The bugs, with the program that shows each and the library in which it was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Finding:
    """A bug of a library."""

    #: The module of this folder whose `main` shows it.
    program: str
    #: The name of the tasks that may be cancelled: those that a user cancels.
    cancel: str
    #: The distribution with the bug, and the versions in which it was seen.
    library: str
    versions: tuple[str, ...]
    #: The beginning of the outcome of a run that shows it.
    outcome: str
    bug: str
    #: An issue that reports it, or why it is none.
    known: str = "not reported when it was found"


FINDINGS: Final = (
    Finding(
        "aiohttp_pool",
        "fetch",
        "aiohttp",
        ("3.14.5",),
        "AssertionError: a request ended with TimeoutError",
        "A request that waits for a place in the pool, and is cancelled after it was woken, does not pass the wake-up "
        "on: the next request waits although the pool is empty.",
    ),
    Finding(
        "aiojobs_limit",
        "handle",
        "aiojobs",
        ("1.4.0",),
        "AssertionError: two jobs print at once",
        "close() of a pending job starts another pending job beyond the limit.",
    ),
    Finding(
        "aiojobs_stuck",
        "handle",
        "aiojobs",
        ("1.4.0",),
        "TimeoutError",
        "A pending job that was closed stays in the queue and is counted off: a later job never starts.",
    ),
    Finding(
        "httpcore_pool",
        "fetch",
        "httpcore",
        ("1.0.9",),
        "AssertionError: a request ended with PoolTimeout",
        "A request that is cancelled while others wait leaves its connection in the pool, where it can serve no other.",
        "https://github.com/encode/httpcore/issues/1093",
    ),
    Finding(
        "anyio_stream",
        "work",
        "anyio",
        ("4.16.0",),
        "AssertionError: [",
        "A task that is cancelled by asyncio's own cancel() after an item was handed to it loses the item.",
        "https://github.com/agronholm/anyio/issues/728, a limit of native cancellation; CancelScope.cancel() is right",
    ),
)
