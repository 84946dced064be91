"""Findings in clients of HTTP, mail, and calls."""

from __future__ import annotations

from functools import partial
from typing import Final

from ..finding import Finding

_AIOHTTP: Final = partial(Finding, library="aiohttp", versions=("3.14.5",), folder="aiohttp")
_HTTPCORE: Final = partial(Finding, library="httpcore", versions=("1.0.9",))

FINDINGS: Final = (
    _AIOHTTP(
        "aiohttp_assert",
        bug="A request that a middleware or a trace prepares, or that is tried again, while its session is closed "
        "raises a bare AssertionError.",
        rule="QUEUE-32",
        control="ClientConnectionError",
        shows="AssertionError",
    ),
    _AIOHTTP(
        "aiohttp_close",
        bug="close() of a session raises CancelledError in each request that waits for a place in the pool: a task "
        "that was not cancelled is.",
        rule="CANCEL-9",
        control="ClientConnectionError",
        shows="CancelledError",
    ),
    _AIOHTTP(
        "aiohttp_limit",
        bug="A request takes an idle connection to its host without a look at the limit: more connections are in use "
        "than the connector allows.",
        rule="LOCK-6",
        control="at most 1 in use",
        shows="2 in use at once",
    ),
    _AIOHTTP(
        "aiohttp_pool",
        bug="A request that waits for a place in the pool, and is cancelled after it was woken, does not pass the "
        "wake-up on: the next request waits although the pool is empty.",
        rule="LOCK-5",
        control="hello",
        shows="waits, although the pool is empty",
    ),
    _AIOHTTP(
        "aiohttp_read",
        bug="close() of a session does not wake a task that reads the body of a response: it waits until its timeout.",
        rule="STREAM-5",
        control="ends",
        shows="waits",
        known="https://github.com/aio-libs/aiohttp/issues/5582",
    ),
    _AIOHTTP(
        "aiohttp_trace",
        bug="A request that is cancelled, or fails, in the trace on_connection_create_end or on_connection_reuseconn "
        "leaves its connection open, outside the pool.",
        rule="LOCK-14",
        control="closed",
        shows="the session is closed, a connection is open",
    ),
    Finding(
        "aiosmtplib_answers",
        library="aiosmtplib",
        versions=("5.1.3",),
        bug="After a command that was cancelled the next command gets its answer, and each later one the "
        "answer to the one before.",
        rule="QUEUE-1",
        control="the answer to EXPN",
        shows="the answer to VRFY",
    ),
    Finding(
        "grpclib_deadline",
        library="grpclib",
        versions=("0.4.9",),
        bug="A call that ends at its deadline leaves cancelling() of its caller at 1: an enclosing timeout raises "
        "CancelledError afterwards.",
        rule="TIMEOUT-8",
        control="TimeoutError",
        shows="CancelledError",
    ),
    _HTTPCORE(
        "httpcore_http2",
        bug="A request over HTTP/2 that is cancelled gives its permit back and does not reset its stream: a later "
        "request fails with LocalProtocolError.",
        rule="LOCK-6",
        control="hello",
        shows="LocalProtocolError",
        known="https://github.com/encode/httpcore/issues/1022",
    ),
    _HTTPCORE(
        "httpcore_pool",
        bug="A request that is cancelled while others wait leaves its connection in the pool, where it can serve no "
        "other.",
        rule="LOCK-5",
        control="hello",
        shows="PoolTimeout",
        known="https://github.com/encode/httpcore/issues/1093",
    ),
    Finding(
        "engineio_wait",
        library="python-engineio",
        versions=("4.15.1",),
        bug="AsyncClient.wait() that is cancelled cancels the task that reads: the client seems connected, and "
        "receives nothing any more.",
        rule="SHIELD-1",
        control="the answer arrives",
        shows="no answer, and the client is connected",
    ),
    Finding(
        "websockets_fragments",
        library="websockets",
        versions=("17.4",),
        bug="A send() of an asynchronous iterator that is cancelled does not close the connection, as documented: it "
        "stays open, and each later send() raises ProtocolError.",
        rule="LOCK-14",
        control="ConnectionClosed",
        shows="ProtocolError, and the connection is open",
    ),
)
