"""Findings in queues, locks and streams."""

from __future__ import annotations

from functools import partial
from typing import Final

from ..finding import NO_BUG, Finding

_AIOCHANNEL: Final = partial(Finding, library="aiochannel", versions=("1.4.1",), folder="aiochannel")
_ANYIO: Final = partial(Finding, library="anyio", versions=("4.16.0",), folder="anyio")
_TORNADO: Final = partial(Finding, library="tornado", versions=("6.6.1",), folder="tornado")

FINDINGS: Final = (
    _AIOCHANNEL(
        "aiochannel_close",
        bug="close() raises InvalidStateError when it is called again after a task waited in put().",
        rule="QUEUE-32",
        control="closed",
        shows="InvalidStateError",
    ),
    _AIOCHANNEL(
        "aiochannel_full",
        bug="put() into a closed channel that is full raises ChannelFull.",
        rule="QUEUE-30",
        control="ChannelClosed",
        shows="ChannelFull",
    ),
    Finding(
        "aiorwlock_reader",
        library="aiorwlock",
        versions=("1.5.1",),
        bug="A reader waits on after the writer that it waited for has given up.",
        rule="LOCK-5",
        control="reads",
        shows="waits, and no writer does",
    ),
    Finding(
        "aiostream_close",
        library="aiostream",
        versions=("0.8.1",),
        bug="Leaving a streamer swallows a cancel that comes while its sources end.",
        rule="CANCEL-2",
        control="cancelled",
        shows="went on",
    ),
    _ANYIO(
        "anyio_cache_key",
        bug="A call of a cached function raises KeyError if the call with the same argument that it waits for fails.",
        rule="LOCK-5",
        control="a value",
        shows="KeyError",
    ),
    _ANYIO(
        "anyio_cache_place",
        bug="Each call of a cached function that fails or is cancelled takes a place of the cache for ever.",
        rule="LOCK-6",
        control="2 of 2 are cached",
        shows="0 of 2 are cached",
    ),
    _ANYIO(
        "anyio_send",
        bug="The item of a send() whose CancelScope was cancelled is received.",
        rule="QUEUE-27",
        control="send() was cancelled, 0 received",
        shows="send() was cancelled, 1 received",
    ),
    _ANYIO(
        "anyio_stream",
        bug="A task that is cancelled by asyncio's own cancel() after an item was handed to it loses the item.",
        rule="QUEUE-5",
        control="1 received, 0 left",
        shows="0 received, 0 left",
        known=NO_BUG + "https://github.com/agronholm/anyio/issues/728; CancelScope.cancel() is right",
    ),
    _TORNADO(
        "tornado_lock",
        bug="A task that waits for a lock, and is cancelled after it was woken, keeps the lock.",
        rule="LOCK-8",
        control="acquired",
        shows="nothing holds the lock, and it is locked",
        known=NO_BUG + "tornado does not promise to bear native cancels",
    ),
    _TORNADO(
        "tornado_queue",
        bug="A task that gets from a queue, and is cancelled after an item was given to it, loses the item.",
        rule="QUEUE-1",
        control="1 got, 0 left",
        shows="0 got, 0 left",
        known="https://github.com/tornadoweb/tornado/issues/2826",
    ),
)
