"""Findings in brokers and their clients."""

from __future__ import annotations

from functools import partial
from typing import Final

from ..finding import Finding

_AIOMCACHE: Final = partial(Finding, library="aiomcache", versions=("0.8.2",), folder="aiomcache")
_GMQTT: Final = partial(Finding, library="gmqtt", versions=("0.8.0",), folder="gmqtt")
_NATS_PY: Final = partial(Finding, library="nats-py", versions=("2.16.0",), folder="nats")

FINDINGS: Final = (
    _AIOMCACHE(
        "aiomcache_reply",
        bug="A call that is cancelled gives its connection back with the answer still to come: the next call reads it.",
        rule="STREAM-10",
        control="the value of b",
        shows="none, although b has a value",
        known="https://github.com/aio-libs/aiomcache/issues/489",
    ),
    _AIOMCACHE(
        "aiomcache_stuck",
        bug="A call that waits for a place in the pool waits for ever if the call before it fails: a broken connection "
        "is closed, and no waiter learns that there is room for a new one.",
        rule="LOCK-8",
        control="a value",
        shows="waits, although the pool is empty",
    ),
    _GMQTT(
        "gmqtt_closed",
        bug="A disconnect() that is cancelled cancels the future that all calls share: each other one raises "
        "CancelledError.",
        rule="SHIELD-2",
        control="returns",
        shows="CancelledError, though its task was not cancelled",
    ),
    _GMQTT(
        "gmqtt_disconnect",
        bug="disconnect() of a client that waits to reconnect does not stop that: it connects, and stays "
        "connected.",
        rule="CANCEL-2",
        control="not connected",
        shows="connected after disconnect()",
    ),
    _NATS_PY(
        "nats_close",
        bug="After a close() that is cancelled the client counts as closed: another close() does nothing, and "
        "the connection stays open.",
        rule="STREAM-16",
        control="closed",
        shows="open, although the client is closed",
    ),
    _NATS_PY(
        "nats_connect",
        bug="nats.connect() that is cancelled, or that waits too long for the server, leaves its connection "
        "open, and no reference to it.",
        rule="STREAM-16",
        control="closed",
        shows="left open",
    ),
    _NATS_PY(
        "nats_drain",
        bug="drain() of a client returns to a caller that was cancelled as if it was not: the cancel is lost.",
        rule="CANCEL-11",
        control="stops",
        shows="goes on, although it was cancelled",
    ),
    _NATS_PY(
        "nats_flush",
        bug="After a flush() whose caller gives up, the answer to its ping stops the task that reads: the "
        "client receives nothing more.",
        rule="FUT-1",
        control="a message",
        shows="no message, though the connection is open",
    ),
    _NATS_PY(
        "nats_next",
        bug="A call of next_msg() that is cancelled when its message has arrived loses it, and drain() waits "
        "for it until its timeout.",
        rule="QUEUE-27",
        control="received",
        shows="lost",
        known="in part: https://github.com/nats-io/nats.py/issues/392 names the loss by a timeout, in an older "
        "next_msg()",
    ),
    Finding(
        "redis_lock",
        library="redis",
        versions=("8.1.0",),
        bug="An acquire() that is cancelled after its command was sent leaves the lock locked, and its object "
        "cannot release it.",
        rule="LOCK-5",
        control="acquired",
        shows="locked, and LockError from release()",
    ),
)
