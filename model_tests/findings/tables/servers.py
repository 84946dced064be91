"""Findings in servers."""

from __future__ import annotations

from functools import partial
from typing import Final

from ..finding import Finding

_HYPERCORN: Final = partial(Finding, library="hypercorn", versions=("0.18.0",), folder="hypercorn")

FINDINGS: Final = (
    _HYPERCORN(
        "hypercorn_stalled",
        bug="Shutdown never ends while a client does not read its response: the cancel after graceful_timeout ends in "
        "a wait for the connection to close, which the unread bytes prevent.",
        rule="CANCEL-2",
        control="shutdown ends",
        shows="shutdown does not end",
        known="https://github.com/pgjones/hypercorn/issues/308 is one of its two causes, since Python 3.12",
    ),
    _HYPERCORN(
        "hypercorn_upload",
        bug="An application that answers without reading a long body leaves its connection behind, also when the "
        "client has gone: the message that says so waits for a place in a full queue that nothing reads.",
        rule="QUEUE-32",
        control="the connection is closed",
        shows="the connection is kept for ever",
    ),
    Finding(
        "uvicorn_idle",
        library="uvicorn",
        versions=("0.54.0",),
        bug="Shutdown misses a connection that was accepted in the iteration in which it begins: it waits until the "
        "client closes it, and the client waits for the server.",
        rule="QUEUE-32",
        control="shutdown ends",
        shows="shutdown waits for an idle client",
    ),
)
