"""Findings in caches and loaders."""

from __future__ import annotations

from functools import partial
from typing import Final

from ..finding import Finding

_AIOCACHE: Final = partial(Finding, library="aiocache", versions=("0.12.3",), folder="aiocache")
_AIODATALOADER: Final = partial(Finding, library="aiodataloader", versions=("0.4.3",), folder="aiodataloader")
_ASYNC_LRU: Final = partial(Finding, library="async-lru", versions=("2.4.0",), folder="async_lru")
_CASHEWS: Final = partial(Finding, library="cashews", versions=("7.6.0",), folder="cashews")

FINDINGS: Final = (
    _AIOCACHE(
        "aiocache_clear",
        bug="clear() of a cache in memory leaves the timers of its values: each deletes a newer value of its "
        "key before its time.",
        rule="FUT-15",
        control="the new value: kept",
        shows="the new value: gone",
    ),
    _AIOCACHE(
        "aiocache_lock",
        bug="A locked load raises KeyError if a load of the same key in another cache ends first.",
        rule="LOCK-9",
        control="user 1, order 1",
        shows="user 1, KeyError",
    ),
    _AIODATALOADER(
        "aiodataloader_batch",
        bug="The readers of a batch wait forever if the function that loads it ends with CancelledError, as one that "
        "uses a second loader does when a reader of that is cancelled.",
        rule="FUT-18",
        control="the post: shown",
        shows="the post: waits",
    ),
    _AIODATALOADER(
        "aiodataloader_cache",
        bug="A reader that is cancelled cancels the future that the loader keeps for its key: other readers of the "
        "key, and all later ones, get CancelledError.",
        rule="CANCEL-7",
        control="the other: a value; a later one: a value",
        shows="the other: cancelled; a later one: cancelled",
    ),
    _ASYNC_LRU(
        "async_lru_close",
        bug="cache_close() neither cancels nor awaits a load whose entry was evicted, or whose last caller was "
        "cancelled.",
        rule="GROUP-1",
        control="0 run",
        shows="1 run",
    ),
    _ASYNC_LRU(
        "async_lru_entry",
        bug="A load that ends in an error or a cancel removes the entry of a newer load of its key: the key is loaded "
        "twice at once, and the newer value is not cached.",
        rule="FUT-15",
        control="loaded 1 times",
        shows="loaded 2 times",
    ),
    _CASHEWS(
        "cashews_decorator",
        bug="Calls of a function under @cache.transaction() that run at once share the state of one "
        "transaction: a call raises ValueError after its commit.",
        rule="LOCK-9",
        control="paid, paid",
        shows="ValueError, paid",
    ),
    _CASHEWS(
        "cashews_expiry",
        bug="A value that a transaction writes never expires if it has less than a second left at the commit.",
        rule="TIMEOUT-1",
        control="expired",
        shows="kept",
    ),
    _CASHEWS(
        "cashews_iterator",
        bug="A cached iterator gives items of an earlier pass that was not finished, after those of the last "
        "one.",
        rule="QUEUE-1",
        control="[1] is given again as [1]",
        shows="[1] is given again as [1, 2]",
    ),
    _CASHEWS(
        "cashews_lock",
        bug="A holder of a lock in memory that has expired releases the lock of the next holder: a third "
        "enters beside it.",
        rule="LOCK-7",
        control="1 at once",
        shows="2 at once",
    ),
    _CASHEWS(
        "cashews_shared",
        bug="A caller of a cached function that is cancelled cancels the load that it shares: the other "
        "callers get CancelledError.",
        rule="CANCEL-7",
        control="the other: a value",
        shows="the other: cancelled",
    ),
    _CASHEWS(
        "cashews_transaction",
        bug="After a commit that was cancelled, or failed, its transaction stays the current one of the "
        "task: all that it writes later is lost.",
        rule="LOCK-5",
        control="the next write: kept",
        shows="the next write: lost",
    ),
)
