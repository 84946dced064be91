"""aiotools: cancel_and_wait() raises CancelledError in a caller that was not cancelled."""

from ..finding import Finding

FINDING = Finding(
    "aiotools_wait",
    library="aiotools",
    versions=("2.2.4",),
    bug="cancel_and_wait() raises CancelledError in a caller that was not cancelled, if there is a "
    "second caller.",
    rule="CANCEL-2",
    control="went on",
    shows="cancelled",
)
