"""Findings in limits and retries."""

from __future__ import annotations

from typing import Final

from ..finding import Finding

FINDINGS: Final = (
    Finding(
        "aiometer_any",
        library="aiometer",
        versions=("1.0.0",),
        bug="run_any() neither cancels the other calls when it has a result, nor returns before they have ended.",
        rule="GROUP-2",
        control="returns in time",
        shows="waits for the slowest",
    ),
    Finding(
        "pyrate_limiter_wait",
        library="pyrate-limiter",
        versions=("4.5.1",),
        bug="try_acquire_async(blocking=False), and one with timeout=0, waits as long as another caller "
        "waits for a permit.",
        rule="LOCK-16",
        control="answered at once",
        shows="waits",
    ),
    Finding(
        "stamina_cancel",
        library="stamina",
        versions=("26.1.0",),
        bug="A retry with a backoff hook asks the hook about CancelledError, too: one that names what not to "
        "retry swallows the cancel.",
        rule="CANCEL-2",
        control="cancelled",
        shows="goes on",
    ),
)
